import type { FailureCause } from '../core/failure-cause.js';
import type { Struct } from '../core/json-value.js';
import type { U64 } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { BehaviorRule, DnsAnswer, Duration, Selector, TimelineEntry } from './timeline-model.js';

import type { Cluster, ClusterLoadAssignment, HeaderMatcher, Node, StatsConfig, StatsSink } from '../config/types.js';

export * from './timeline-model.js';

/**
 * A scenario after reading: every shorthand expanded, every default filled in, every unit canonical (durations in whole
 * µs, rates per second, portions 0–1). The simulation and the reports read nothing else.
 */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** As text; 7 and "7" are one seed. */
  readonly seed: string;
  /** undefined: until the last request has ended. */
  readonly durationUs: Micros | undefined;
  readonly warmupUs: Micros;
  readonly proxies: readonly ProxySpec[];
  readonly clusters: readonly Cluster[];
  /** Routes of the proxy's files name them and no file has them: the proxies do not know them. Nothing but the name counts. */
  readonly absentClusters: readonly Cluster[];
  /** First assignment by cluster name or EDS service name. */
  readonly assignments: ReadonlyMap<string, ClusterLoadAssignment>;
  readonly dns: ReadonlyMap<string, DnsAnswer>;
  /** Later entries override earlier ones, field by field. */
  readonly behavior: readonly BehaviorRule[];
  readonly workloads: readonly Workload[];
  readonly requests: readonly ExplicitRequest[];
  /** `every` is kept, the simulation repeats it. */
  readonly timeline: readonly TimelineEntry[];
  readonly expect: readonly Expectation[];
  /**
   * Defaults that were filled in, and other notes, one sentence each ("no workloads given: 1000/s for 10 s to each
   * cluster").
   */
  readonly notes: readonly string[];
  readonly origin: Origin;
}

/** The inputs of a scenario and what they leave unknown; printed before any answer. */
export interface Origin {
  /** Only configuration of the proxy was given, no scenario. */
  readonly bare: boolean;
  /** They tell of clusters only as they stand now: what is configured is in other files. */
  readonly statusOnly: boolean;
  /** One sentence each; further lines of one are to be pasted, and are not wrapped. */
  readonly says: readonly string[];
  /** Those of them on settings that a proxy acts on and a simulation does not. */
  readonly lacking: readonly string[];
  /** Clusters whose hosts are in no file. */
  readonly unknownHosts: readonly string[];
  /** Why nothing can be sent, and what to add; undefined: something can, or it is known that there is no host. */
  readonly unsent: string | undefined;
  /** What the routes of the files do and their workloads do not: a sentence each. */
  readonly routeNotes: readonly string[];
  /** By workload, what its route hashes, with all settings: `cookie sid (ttl 60s)`. */
  readonly hashPolicies: ReadonlyMap<string, readonly string[]>;
  /** By workload, where a key is one hash of several things: which they are. */
  readonly hashNotes: ReadonlyMap<string, string>;
  /** IP addresses made up for hosts that were given as a number. */
  readonly madeUpHosts: ReadonlySet<string>;
  /** Clusters whose hosts are those of an option alone. */
  readonly givenHosts: ReadonlySet<string>;
  /** Selected clusters; undefined: all. */
  readonly reported: ReadonlySet<string> | undefined;
}

export interface ProxySpec {
  readonly name: string;
  /** Independent instances; with more than one they are called `name-1` … `name-count`. */
  readonly count: number;
  /** Weight of each instance when requests are distributed. */
  readonly share: number;
  readonly workers: number;
  readonly version: ProxyVersion;
  readonly node?: Node | undefined;
  readonly localClusterName?: string | undefined;
  readonly runtime: Struct;
  readonly statsFlushIntervalUs: Micros;
  readonly statsConfig?: StatsConfig | undefined;
  readonly statsSinks: readonly StatsSink[];
  /** Scripted random values for the construction of each balancer, then 0; undefined: seeded. */
  readonly initRandom?: readonly U64[] | undefined;
}

// --- traffic -------------------------------------------------------------------------------------------------------

/** What workloads and explicit requests have in common. */
export interface RequestSpec {
  readonly metadataMatch?: Struct | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: 'DEFAULT' | 'HIGH';
  /** 0: none. Default 15 s. */
  readonly timeoutUs: Micros;
  readonly retryPolicy?: RetryPolicy | undefined;
}

export interface RetryPolicy {
  readonly numRetries: number;
  /** Conditions of `retry_on`, lower case. */
  readonly retryOn: readonly string[];
  /** 0: none. */
  readonly perTryTimeoutUs: Micros;
  readonly hostSelectionRetryMaxAttempts: number;
  readonly retryHostPredicate: readonly RetryHostPredicate[];
  /** undefined: retries use the priorities as first attempts do. */
  readonly retryPriority?: RetryPriority | undefined;
  readonly retriableStatusCodes: readonly number[];
  /** Names in lower case. */
  readonly retriableHeaders: readonly HeaderMatcher[];
  /** Names in lower case; none: every request may be retried. */
  readonly retriableRequestHeaders: readonly HeaderMatcher[];
  readonly retryBackOff?: { readonly baseIntervalUs: Micros; readonly maxIntervalUs: Micros } | undefined;
  /** Headers of answers with the seconds to wait, in lower case; values above the maximum are ignored. */
  readonly rateLimitedBackOff?: { readonly headers: readonly string[]; readonly maxIntervalUs: Micros } | undefined;
}

/** Which hosts a retry avoids. */
export type RetryHostPredicate =
  | { readonly kind: 'previous_hosts' | 'omit_canary_hosts' }
  /** Entries under `proxy.lb`. */
  | { readonly kind: 'omit_host_metadata'; readonly metadataMatch: Struct };

/** `previous_priorities`: each time after this many attempts, priorities that were tried get no load. */
export interface RetryPriority {
  readonly updateFrequency: number;
}

/** A cluster of a route, its weight and its metadata criteria, which include those of the route. */
export interface RouteCluster {
  readonly cluster: string;
  readonly weight: number;
  readonly metadataMatch?: Struct | undefined;
}

export interface Workload extends RequestSpec {
  readonly name: string;
  /** One entry for `cluster:`. Weights are relative. */
  readonly route: readonly RouteCluster[];
  readonly arrivals: Arrivals;
  readonly startUs: Micros;
  /** Exclusive; undefined: the scenario's duration. */
  readonly stopUs?: Micros | undefined;
  /** Keys that requests carry in a header; undefined: none. */
  readonly hashKey?: KeyDistribution | undefined;
  /** The route hashes the key. */
  readonly routeHash: boolean;
  /** Names of `proxies`; undefined: all. */
  readonly proxies?: readonly string[] | undefined;
}

export type Arrivals =
  | { readonly kind: 'poisson'; readonly perSecond: number }
  | { readonly kind: 'constant'; readonly perSecond: number }
  | { readonly kind: 'ramp'; readonly points: readonly RateAt[] }
  | { readonly kind: 'closed'; readonly users: number; readonly thinkTime: Duration }
  /** Absolute arrival times, ascending. */
  | { readonly kind: 'trace'; readonly file: string; readonly timesUs: readonly Micros[] };

export interface RateAt {
  readonly atUs: Micros;
  readonly perSecond: number;
}

export type KeyDistribution =
  | { readonly kind: 'zipf'; readonly keys: number; readonly exponent: number; readonly prefix: string }
  | { readonly kind: 'uniform'; readonly keys: number; readonly prefix: string }
  | { readonly kind: 'sequence'; readonly keys: number; readonly prefix: string }
  | { readonly kind: 'cycle'; readonly keys: readonly string[] };

export interface ExplicitRequest extends RequestSpec {
  readonly atUs: Micros;
  readonly cluster: string;
  readonly hashKey?: string | undefined;
  readonly hash?: U64 | undefined;
  /** Scripted 64-bit values for the draws of this request's decisions, then 0; undefined: the balancer's own stream. */
  readonly random?: readonly U64[] | undefined;
  readonly serviceTimeUs?: Micros | undefined;
  readonly proxy?: string | undefined;
  readonly worker?: number | undefined;
}

// --- expectations --------------------------------------------------------------------------------------------------

export interface Expectation {
  readonly subject: ExpectationSubject;
  /** undefined only for decisions. */
  readonly comparator: Comparator | undefined;
  /** Half-open window of decision time; undefined: the whole run after warm-up. */
  readonly during: readonly [Micros, Micros] | undefined;
  /** What it is compared with: values of the comparator are multiples of it. undefined: with numbers. */
  readonly relativeTo?: Pick<Expectation, 'subject' | 'during'> | undefined;
  /** A sentence for the report. */
  readonly text: string;
}

export type ExpectationSubject =
  | { readonly kind: 'share'; readonly cluster: string; readonly hosts: Selector }
  | { readonly kind: 'no_host'; readonly cluster: string }
  | { readonly kind: 'stat'; readonly name: string }
  | { readonly kind: 'success_rate'; readonly cluster: string }
  /** Compared in seconds. */
  | { readonly kind: 'latency'; readonly cluster: string; readonly percentile: number }
  | { readonly kind: 'mean_latency'; readonly cluster: string }
  /** Attempts asked of the cluster. */
  | { readonly kind: 'requests'; readonly cluster: string }
  /** undefined: of any cause. */
  | { readonly kind: 'failures'; readonly cluster: string; readonly cause: FailureCause | undefined }
  /** Of a gauge its mean over time, of a counter what it grew by, per second. */
  | { readonly kind: 'mean_stat'; readonly name: string }
  /** Of the busiest host, in units of what it can take, over stretches of so long. */
  | { readonly kind: 'host_load'; readonly cluster: string; readonly overUs: Micros }
  /** `request` counts arrivals; null: no host was chosen. */
  | { readonly kind: 'decision'; readonly request: number; readonly host: string | null };

/** In which unit a measure is compared and reported: shares are percentages. */
export const MEASURE_UNITS = {
  share: 'share',
  no_host: 'share',
  stat: 'number',
  success_rate: 'share',
  latency: 'seconds',
  mean_latency: 'seconds',
  requests: 'number',
  failures: 'number',
  mean_stat: 'number',
  host_load: 'load',
  decision: 'number',
} as const satisfies Record<ExpectationSubject['kind'], string>;

export type MeasureUnit = (typeof MEASURE_UNITS)[ExpectationSubject['kind']];

export type Comparator =
  | { readonly kind: 'equals' | 'at_least' | 'at_most' | 'within_sigma'; readonly value: number }
  | { readonly kind: 'between'; readonly low: number; readonly high: number };
