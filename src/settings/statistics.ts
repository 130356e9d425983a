import type { Messages } from '../core/generated/message-types.js';

/** Which statistics a proxy has, and how their names become tags. */
export type StatsConfig = Messages['config.metrics.v2.StatsConfig'];

export type StatsSink = Messages['config.metrics.v2.StatsSink'] & {
  /** What it does, from `config` or `typedConfig`. */
  readonly sink: Sink;
};

export type Sink =
  | ({ readonly kind: 'statsd' } & Messages['config.metrics.v2.StatsdSink'])
  | ({ readonly kind: 'tagged_statsd' } & Messages['config.metrics.v2.TaggedStatsdSink'])
  | { readonly kind: 'dashboard'; readonly numBuckets: bigint }
  /** One of the proxy's that is not simulated: nothing is sent to it. */
  | { readonly kind: 'foreign' };
