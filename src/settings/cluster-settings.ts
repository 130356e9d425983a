import { NAMES } from '../core/generated/names.js';
import type { Messages } from '../core/generated/message-types.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { HashSource, LbPolicy, PolicySettings } from '../hostset/lb-config.js';
import type { Assignment } from './assignment.js';

/** How a cluster gets its hosts; an aggregate uses those of others. */
export type ClusterKind = 'STATIC' | 'STRICT_DNS' | 'LOGICAL_DNS' | 'EDS' | 'ORIGINAL_DST' | 'AGGREGATE';

/** A cluster as config sources send it to the proxies, with every number filled in. */
export interface ClusterSettings {
  readonly name: string;
  readonly statName: string;
  readonly kind: ClusterKind;
  /** EDS is asked for its endpoints by this name. */
  readonly serviceName: string;
  /** The clusters whose hosts an AGGREGATE uses, in their order. */
  readonly members: readonly string[];
  /** As configured: others have their balancer from the cluster itself. */
  readonly lbPolicy: LbPolicy | 'CLUSTER_PROVIDED' | 'ORIGINAL_DST_LB';
  /** The name of its policy in reports: the one that chooses the host, after those around it. */
  readonly policyName: string;
  /**
   * Its policy by version of the proxies, since older ones ignore some settings. Of a cluster whose balancer is no policy: the
   * defaults, which reports read.
   */
  readonly policies: Readonly<Partial<Record<ProxyVersion, PolicySettings>>>;
  /** Its own endpoints; of EDS none. */
  readonly assignment: Assignment;
  /** How long a new one waits for its first assignment; 0: for ever. */
  readonly initialFetchTimeoutUs: Micros;
  /** 0: nothing waits. */
  readonly updateMergeWindowUs: Micros;
  readonly ignoreNewHostsUntilFirstHc: boolean;
  readonly drainConnectionsOnHostRemoval: boolean;
  readonly closeConnectionsOnHostSetChange: boolean;
  /** Those over TCP. */
  readonly closeConnectionsOnHostHealthFailure: boolean;
  readonly healthChecks: readonly HealthCheck[];
  readonly outlierDetection: OutlierDetection | undefined;
  readonly breakers: Readonly<Record<RoutingPriority, CircuitBreakerSettings>>;
  readonly connections: ConnectionSettings;
  /** What is hashed of its requests, instead of what their route says; empty: the route says it. */
  readonly hashSources: readonly HashSource[];
  readonly dns: DnsSettings;
  readonly originalDst: OriginalDstSettings;
  readonly transportSocketMatches: Messages['Cluster']['transportSocketMatches'];
  /** Histograms of timeout budgets are published. */
  readonly tracksTimeoutBudgets: boolean;
  /** The message itself: one that is the same field for field is no update. */
  readonly message: unknown;
}

export type RoutingPriority = 'DEFAULT' | 'HIGH';

export interface HealthCheck {
  readonly timeoutUs: Micros;
  readonly intervalUs: Micros;
  /** Before a change of health that is pending. */
  readonly healthyEdgeIntervalUs: Micros;
  readonly unhealthyIntervalUs: Micros;
  readonly unhealthyEdgeIntervalUs: Micros;
  /** As long as the cluster never had a connection. */
  readonly noTrafficIntervalUs: Micros;
  readonly noTrafficHealthyIntervalUs: Micros;
  readonly initialJitterUs: Micros;
  readonly intervalJitterUs: Micros;
  readonly intervalJitterPercent: number;
  readonly unhealthyThreshold: number;
  readonly healthyThreshold: number;
  readonly protocol: HealthCheckProtocol;
}

export type HealthCheckProtocol =
  | {
      readonly kind: 'http';
      /** None: 200 alone. */
      readonly expectedStatuses: readonly StatusRange[];
      readonly retriableStatuses: readonly StatusRange[];
      /** The name of the service is compared. */
      readonly namesService: boolean;
    }
  /** Without bytes to expect a connection is enough. */
  | { readonly kind: 'tcp'; readonly expectsBytes: boolean }
  /** gRPC and custom checkers. */
  | { readonly kind: 'other' };

/** Half-open. */
export type StatusRange = Messages['type.Int64Range'];

/** The settings of outlier detection that a runtime key overrides, by the names that keys have. */
export const { outlier_times: OUTLIER_TIMES, outlier_numbers: OUTLIER_NUMBERS } = NAMES;
export type OutlierTime = (typeof OUTLIER_TIMES)[number];
export type OutlierSetting = OutlierTime | (typeof OUTLIER_NUMBERS)[number];

export interface OutlierDetection {
  /** Times in whole ms. */
  readonly numbers: Readonly<Record<OutlierSetting, number>>;
  readonly splitExternalLocalOriginErrors: boolean;
  readonly alwaysEjectOneHost: boolean;
  readonly successfulActiveHealthCheckUnejectHost: boolean;
}

export const CIRCUIT_BREAKER_LIMITS = NAMES.circuit_breaker_limits;
export type CircuitBreakerLimit = (typeof CIRCUIT_BREAKER_LIMITS)[number];

/** Limits of one routing priority. */
export interface CircuitBreakerLimits {
  readonly maxConnections: number;
  /** Infinity: unlimited. */
  readonly maxConnectionsPerHost: number;
  readonly maxPendingRequests: number;
  readonly maxRequests: number;
  readonly maxRetries: number;
  /** The budget replaces `maxRetries`. */
  readonly hasRetryBudget: boolean;
  readonly retryBudget: RetryBudgetLimits;
}

export interface RetryBudgetLimits {
  /** Percent of active and pending requests. */
  readonly budgetPercent: number;
  readonly minRetryConcurrency: number;
}

export interface CircuitBreakerSettings extends CircuitBreakerLimits {
  readonly trackRemaining: boolean;
  /** The limits that the configuration states; the others are the proxy's own. */
  readonly stated: readonly CircuitBreakerLimit[];
}

export interface ConnectionSettings {
  readonly connectTimeoutUs: Micros;
  readonly http2: boolean;
  /** Concurrent requests of a connection of HTTP/2; undefined: as many as its version has by default. */
  readonly maxConcurrentStreams: number | undefined;
  /** How many connections to a host there are for each request that is open there; 1: none ahead. */
  readonly preconnectRatio: number;
  /** The same to the hosts that are picked next. */
  readonly predictiveRatio: number;
  /** One closes once it was idle for so long; Infinity: never. */
  readonly idleUs: Micros;
  /** One takes no more requests once it is so old; Infinity: never. */
  readonly ageUs: Micros;
  /** Requests in total, after which a connection is closed; Infinity: no limit. */
  readonly maxRequestsPerConnection: number;
}

export type LookupFamily = 'AUTO' | 'V4_ONLY' | 'V6_ONLY' | 'V4_PREFERRED' | 'ALL';

export interface DnsSettings {
  readonly family: LookupFamily;
  readonly refreshUs: Micros;
  /** undefined: the normal rate applies after failures too. */
  readonly failure: { readonly baseIntervalUs: Micros; readonly maxIntervalUs: Micros } | undefined;
  readonly respectTtl: boolean;
}

export interface OriginalDstSettings {
  readonly useHttpHeader: boolean;
  /** In lower case. */
  readonly headerName: string;
  /** undefined: that of the destination. */
  readonly portOverride: number | undefined;
  readonly cleanupIntervalUs: Micros;
}
