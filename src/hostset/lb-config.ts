import type { LinearRegex } from '../core/regex/linear-regex.js';
import type { Struct } from '../core/json-value.js';
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

/** What decides a pick, defaults filled in: the part of a `Cluster` that its load balancer reads. */
export interface LoadBalancerConfig extends TablePolicySettings {
  readonly clusterName: string;
  readonly version: ProxyVersion;
  readonly lbPolicy: LbPolicy;
  /** Percent as configured, 0–100; the balancer truncates it as the proxy does. */
  readonly healthyPanicThreshold: number;
  readonly failTrafficOnPanic: boolean;
  readonly zoneAware: ZoneAwareConfig;
  /** `locality_weighted_lb_config` is set. */
  readonly localityWeighted: boolean;
  readonly consistentHashing: ConsistentHashingConfig;
  readonly leastRequest: LeastRequestConfig;
  /** undefined: off. */
  readonly slowStart: SlowStartConfig | undefined;
  /** undefined: no subset selectors, subsetting is off. */
  readonly subset: SubsetConfig | undefined;
  /** Of CLIENT_SIDE_WEIGHTED_ROUND_ROBIN. */
  readonly clientSideWeights?: Omit<ClientSideWeightsConfig, 'namedFirst'> | undefined;
  /** undefined: localities are not weighted by load. */
  readonly loadAwareLocality?: LoadAwareLocalityConfig | undefined;
  /** undefined: each client uses all hosts. */
  readonly clientSubset?: ClientSubsetConfig | undefined;
  /** undefined: requests do not name their hosts. */
  readonly overrideHost?: OverrideHostConfig | undefined;
}

/** Requests may name their hosts, `ip:port` each, in one of these headers; the first that a request has counts. */
export interface OverrideHostConfig {
  /** Lower case. */
  readonly headers: readonly string[];
}

/** One step of where the hash of a request comes from. */
export interface HashSource {
  /** Header whose value is hashed; undefined: a source that simulated requests do not have. */
  readonly header: string | undefined;
  /** Of that header, the cookie of this name. */
  readonly cookie?: string | undefined;
  /** What of its value is hashed: every match replaced. */
  readonly rewrite?: { readonly regex: LinearRegex; readonly substitution: string } | undefined;
  /** Once there is a hash, later steps are left out. */
  readonly terminal: boolean;
}

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
