import type { Messages } from '../core/generated/message-types.js';
import type { LinearRegex } from '../core/regex/linear-regex.js';
import type { Micros } from '../core/units.js';
import type { Struct } from '../core/values.js';
import type { ProxyVersion } from '../core/version.js';
import type { ClientSideWeightsConfig } from '../policy/client-side-weights.js';
import type { ClientSubsetConfig } from '../policy/client-subsets.js';
import type { LeastRequestConfig } from '../policy/least-request.js';
import type { LoadAwareLocalityConfig } from '../policy/load-aware-locality.js';
import type { LbPolicy, TablePolicySettings } from '../policy/registry.js';
import type { SlowStartConfig } from '../policy/slow-start.js';

export type { RuntimeDouble } from '../core/environment.js';
export type { ClientSideWeightsConfig } from '../policy/client-side-weights.js';
export type { LeastRequestConfig } from '../policy/least-request.js';
export type { LoadAwareLocalityConfig } from '../policy/load-aware-locality.js';
export type { LbPolicy } from '../policy/registry.js';
export type { SlowStartConfig } from '../policy/slow-start.js';

/**
 * The policy of a cluster, defaults filled in: policies that decide for others stand around the one that chooses the host, as the
 * proxy nests them. `wrr_locality` is none of them: around a policy it says what `localityWeighted` says in it.
 */
export type PolicySettings =
  | LoadBalancerConfig
  | ({ readonly kind: 'subset' } & SubsetConfig & Around)
  | ({ readonly kind: 'load_aware_locality' } & LoadAwareLocalityConfig & Around)
  | ({ readonly kind: 'override_host' } & OverrideHostConfig & Around)
  /** An extension: each client uses a part of the hosts. */
  | ({ readonly kind: 'client_subset' } & ClientSubsetConfig & Around);

export type Around = Readonly<{ inner: PolicySettings }>;

export const leafOf = (policy: PolicySettings): LoadBalancerConfig =>
  policy.kind === 'hosts' ? policy : leafOf(policy.inner);

export function around<K extends PolicySettings['kind']>(
  policy: PolicySettings,
  kind: K,
): Extract<PolicySettings, { readonly kind: K }> | undefined {
  if (policy.kind === kind) return policy as Extract<PolicySettings, { readonly kind: K }>;
  return policy.kind === 'hosts' ? undefined : around(policy.inner, kind);
}

/** What decides a pick among the hosts of a list: the policy that chooses the host, and what it needs to know of its cluster. */
export interface LoadBalancerConfig extends TablePolicySettings {
  readonly kind: 'hosts';
  readonly clusterName: string;
  readonly version: ProxyVersion;
  readonly lbPolicy: LbPolicy;
  /** Percent as configured, 0–100; the balancer truncates it as the proxy does. */
  readonly healthyPanicThreshold: number;
  readonly failTrafficOnPanic: boolean;
  readonly zoneAware: ZoneAwareConfig;
  /** Localities count by their `load_balancing_weight`. */
  readonly localityWeighted: boolean;
  readonly consistentHashing: ConsistentHashingConfig;
  readonly leastRequest: LeastRequestConfig;
  /** undefined: off. */
  readonly slowStart: SlowStartConfig | undefined;
  /** Of CLIENT_SIDE_WEIGHTED_ROUND_ROBIN. */
  readonly clientSideWeights?: Omit<ClientSideWeightsConfig, 'namedFirst'> | undefined;
}

/** Requests may name their hosts, `ip:port` each, in one of these headers; the first that a request has counts. */
export interface OverrideHostConfig {
  /** Lower case. */
  readonly headers: readonly string[];
}

/** One step of where the hash of a request comes from. */
export interface HashSource {
  /** Header whose value is hashed; undefined: no header is, or a source that simulated requests do not have. */
  readonly header: string | undefined;
  /** Of that header, the cookie of this name. */
  readonly cookie?: string | undefined;
  /** What the proxy sets as that cookie where a client has none; undefined: it sets none. */
  readonly makes?: MadeCookie | undefined;
  /** Of that header, which is the path, the parameter of this name. */
  readonly query?: string | undefined;
  /** The client's address is hashed. */
  readonly byAddress?: boolean | undefined;
  /** What of its value is hashed: every match replaced. @internal */
  readonly rewrite?: { readonly regex: LinearRegex; readonly substitution: string } | undefined;
  /** Once there is a hash, later steps are left out. */
  readonly terminal: boolean;
  /** The message that says it. @internal */
  readonly written?: Messages['route.RouteAction.HashPolicy'] | undefined;
}

/** How long clients keep it (Infinity: for good), and what the header says beside its value: `; Path=/; Secure`. */
export type MadeCookie = Readonly<{ lifeUs: Micros; attributes: string }>;

export interface ZoneAwareConfig {
  /** Percent as configured. */
  readonly routingEnabled: number;
  readonly minClusterSize: number;
  /** Modern extensions. */
  readonly forceLocalZone?: { readonly minSize: number } | undefined;
  readonly localityBasis?: 'HEALTHY_HOSTS_NUM' | 'HEALTHY_HOSTS_WEIGHT' | undefined;
}

export interface ConsistentHashingConfig {
  readonly useHostnameForHashing: boolean;
  /** Percent of the mean load a host may carry; 0: unbounded. */
  readonly hashBalanceFactor: number;
  /** The policy's own sources of the hash, which replace the route's; absent: the route's count. */
  readonly hashSources?: readonly HashSource[] | undefined;
}

export type SubsetFallbackPolicy = 'NO_FALLBACK' | 'ANY_ENDPOINT' | 'DEFAULT_SUBSET';
export type SelectorFallbackPolicy = 'NOT_DEFINED' | SubsetFallbackPolicy | 'KEYS_SUBSET';

export interface SubsetConfig {
  readonly fallbackPolicy: SubsetFallbackPolicy;
  readonly defaultSubset: Struct;
  readonly selectors: readonly SubsetSelector[];
  readonly localityWeightAware: boolean;
  readonly scaleLocalityWeight: boolean;
  readonly panicModeAny: boolean;
  readonly listAsAny: boolean;
  /** Modern extensions. */
  readonly metadataFallbackList: boolean;
  readonly allowRedundantKeys: boolean;
}

export interface SubsetSelector {
  readonly keys: readonly string[];
  readonly fallbackPolicy: SelectorFallbackPolicy;
  readonly fallbackKeysSubset: readonly string[];
  /** Modern extension. */
  readonly singleHostPerSubset: boolean;
}
