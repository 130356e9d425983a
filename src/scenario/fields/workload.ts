import { yesNo } from '../../config/reader/combinators.js';
import { defaulted, either, list, optional, required, type Schema, rule } from '../../config/reader.js';
import { block, choice, says } from './block.js';
import type { Struct } from '../../core/values.js';
import { Distribution } from './behavior.js';
import { decimal, DurationText, integer, LbMetadata, Name, nonEmpty, Rate, Text, U64Text } from './fields.js';
import type { Arrivals, ExplicitRequest, KeyDistribution, RouteCluster, Workload } from '../../settings/world.js';
import { REQUEST_FIELDS } from './retry-policy.js';

/** Traffic: `workloads` and `requests`. */

const Closed = block('closed', () => ({
  users: required(integer('users', 1, 10_000_000)),
  think_time: defaulted(Distribution, { kind: 'constant', us: 0 }),
}));

const RampPoint = block('ramp point', () => ({ at: required(DurationText), rate: required(Rate) }));

const Ramp = list(RampPoint).checked((points, fail) => {
  if (points.length === 0) fail('ramp', 'a ramp needs at least one point');
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && point.at <= before.at)
      fail('ramp', 'the points of a ramp must be in ascending order of time', [index, 'at']);
  }
});

const poisson = (perSecond: number): Arrivals => ({ kind: 'poisson', perSecond });

const ArrivalsBlock = choice<Arrivals>('arrivals', () => ({
  poisson: says(Rate, poisson),
  constant: says(Rate, (perSecond) => ({ kind: 'constant', perSecond })),
  closed: says(Closed, (closed) => ({ kind: 'closed', ...closed })),
  ramp: says(Ramp, (ramp) => ({ kind: 'ramp', points: ramp.map(({ at, rate }) => ({ atUs: at, perSecond: rate })) })),
  trace: says(Name, (file) => ({ kind: 'trace', file, timesUs: [] })),
}));

/** `500/s`, which is Poisson, or a map with exactly one of those. The times of a trace are filled in later. */
const ArrivalsField: Schema<Arrivals> = either(ArrivalsBlock, Rate.transform(poisson));

const KEYS_MAX = 1_000_000_000;

const keyFields = () => ({
  keys: required(integer('keys', 1, KEYS_MAX)),
  prefix: defaulted(Text, ''),
});

const Zipf = block('zipf', () => ({
  ...keyFields(),
  exponent: defaulted(
    decimal('exponent', 'above 0 (for equal shares use uniform)', (exponent) => exponent > 0),
    1,
  ),
}));

const HashKey = choice<KeyDistribution>('hash_key', () => ({
  zipf: says(Zipf, (zipf) => ({ kind: 'zipf', ...zipf })),
  uniform: says(block('uniform keys', keyFields), (uniform) => ({ kind: 'uniform', ...uniform })),
  sequence: says(block('sequence', keyFields), (sequence) => ({ kind: 'sequence', ...sequence })),
  cycle: says(nonEmpty(Text, 'a cycle needs at least one key'), (keys) => ({ kind: 'cycle', keys })),
}));

const RouteEntry = block('route entry', () => ({
  cluster: required(Name),
  weight: defaulted(integer('weight', 0, 4294967295), 1),
  metadata_match: optional(LbMetadata),
}));

const Route = list(RouteEntry).checked((route, fail) => {
  if (route.length === 0) fail('route', 'a route needs at least one cluster');
  else if (route.every((entry) => entry.weight === 0)) fail('route', 'all weights are 0: no cluster can be chosen');
});

/** A workload and how it was written: with `route`, or with `cluster`. */
export interface WrittenWorkload extends Workload {
  readonly routed: boolean;
}

export type NamelessWorkload = Omit<WrittenWorkload, 'name'> & { readonly name?: string | undefined };

export const WorkloadEntry: Schema<NamelessWorkload> = block(
  'workload',
  () => ({
    name: optional(Name),
    cluster: optional(Name),
    route: optional(Route),
    arrivals: required(ArrivalsField),
    start: defaulted(DurationText, 0),
    stop: optional(DurationText),
    hash_key: optional(HashKey),
    route_hash: defaulted(yesNo, true),
    ...REQUEST_FIELDS,
    proxies: optional(nonEmpty(Name, 'name at least one proxy')),
  }),
  rule('workload-window', ['start', 'stop'], ({ start, stop }, report) => {
    if (stop !== undefined && stop <= start) report('stop is not after start: no request would be sent', ['stop']);
  }),
).transform(
  ({ cluster = '', route, start: startUs, stop: stopUs, timeout: timeoutUs, ...fields }): NamelessWorkload => ({
    ...fields,
    routed: route !== undefined,
    route: withMatch(route ?? [{ cluster, weight: 1 }], fields.metadataMatch),
    startUs,
    stopUs,
    timeoutUs,
  }),
);

/** The entries of a route; what an entry asks goes before what the route asks. */
export const withMatch = (entries: readonly RouteCluster[], route: Struct | undefined): readonly RouteCluster[] =>
  route === undefined
    ? entries
    : entries.map((entry) => ({ ...entry, metadataMatch: { ...route, ...entry.metadataMatch } }));

export const RequestEntry: Schema<ExplicitRequest> = block('request', () => ({
  at: required(DurationText),
  cluster: required(Name),
  hash_key: optional(Text),
  hash: optional(U64Text),
  random: optional(list(U64Text)),
  service_time: optional(DurationText),
  proxy: optional(Name),
  worker: optional(integer('worker', 0)),
  ...REQUEST_FIELDS,
})).transform(({ at: atUs, serviceTime: serviceTimeUs, timeout: timeoutUs, ...fields }): ExplicitRequest => ({
  ...fields,
  atUs,
  serviceTimeUs,
  timeoutUs,
}));
