import type { Struct } from '../core/json-value.js';
import type { StringMatcher } from './matchers.js';

/** Which statistics a proxy has, and how their names become tags. */
export interface StatsConfig {
  readonly statsTags: readonly TagSpecifier[];
  /** false: only its own tags; otherwise those of the proxy come before them. */
  readonly useAllDefaultTags?: boolean | undefined;
  readonly statsMatcher?: StatsMatcher | undefined;
}

/** With neither of both, `tagName` is one of the proxy's own tags. */
export interface TagSpecifier {
  readonly tagName: string;
  /** ECMAScript's. */
  readonly regex?: string | undefined;
  readonly fixedValue?: string | undefined;
}

/** Which statistics exist, by their full names. At most one of its fields is set; none: all do. */
export interface StatsMatcher {
  readonly rejectAll?: boolean | undefined;
  readonly exclusionList?: NamePatterns | undefined;
  readonly inclusionList?: NamePatterns | undefined;
}

interface NamePatterns {
  readonly patterns: readonly StringMatcher[];
}

export interface StatsSink {
  readonly name: string;
  readonly config?: Struct | undefined;
  readonly typedConfig?: TypedConfig | undefined;
  /** What it does, from `config` or `typedConfig`. */
  readonly sink: Sink;
}

export type Sink =
  | {
      readonly kind: 'statsd';
      readonly address?: SinkAddress | undefined;
      readonly tcpClusterName?: string | undefined;
      readonly prefix: string;
    }
  | { readonly kind: 'tagged_statsd'; readonly address: SinkAddress; readonly prefix: string }
  | { readonly kind: 'dashboard'; readonly numBuckets: bigint }
  /** One of the proxy's that is not simulated: nothing is sent to it. */
  | { readonly kind: 'foreign' };

/** One of these. */
interface SinkAddress {
  readonly socketAddress?:
    | {
        readonly address: string;
        readonly portValue?: number | undefined;
        readonly namedPort?: string | undefined;
        readonly resolverName: string;
      }
    | undefined;
  readonly pipe?: { readonly path: string; readonly mode: number } | undefined;
  readonly envoyInternalAddress?: { readonly serverListenerName: string; readonly endpointId: string } | undefined;
}

/** A message with its type, as it was written. */
interface TypedConfig {
  readonly typeUrl: string;
  readonly type: string;
  readonly value: unknown;
  readonly known: boolean;
}
