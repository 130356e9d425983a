import { defaultOf } from '../config/defaults.js';
import { type ClusterKind, discoveryType } from '../config/discovery.js';
import { isListedPolicy, loadBalancerConfig } from '../config/lb.js';
import type { Cluster, Thresholds } from '../config/types.js';
import { type Quirks, quirksOf } from '../core/quirks.js';
import type { Micros } from '../core/units.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { ProxySpec, RequestSpec } from '../settings/world.js';
import { type CircuitBreakerLimits, DEFAULT_LIMITS, DEFAULT_RETRY_BUDGET } from './circuit-breaker.js';
import type { UpstreamClusterOptions } from './cluster.js';
import type { DeliveryOptions } from './delivery.js';
import type { PoolProtocol } from './connection-pool.js';
import type { MembershipSource } from './endpoint-hosts.js';
import { ANY_TABLE, demand } from '../core/arguments.js';

const DEFAULT_MERGE_WINDOW_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');
const DEFAULT_CONNECT_TIMEOUT_US = defaultOf('Cluster', 'connect_timeout');

/** What is not of the configuration. */
type Live = 'name' | 'runtime' | 'transportSockets' | 'membership' | keyof Omit<DeliveryOptions, 'updateMergeWindowUs'>;

/** What a proxy makes of the configuration of a cluster: defaults filled in, and what follows from the proxy itself. */
export interface ClusterInfo {
  /** Of a cluster whose balancer is no policy: the defaults, which reports read. */
  readonly lb: LoadBalancerConfig;
  /** What decides which hosts it has, and when balancers hear of them. */
  readonly hosts: Required<Omit<UpstreamClusterOptions, Live>>;
  /** The proxy has a local cluster, and it is not this one: requests may be routed by zone. */
  readonly hasLocalCluster: boolean;
  readonly protocol: PoolProtocol;
  readonly connectTimeoutUs: Micros;
}

export function clusterInfo(config: Cluster, { version, localClusterName, node }: ProxySpec): ClusterInfo {
  const { name, commonLbConfig: common } = config;
  const lb = isListedPolicy(config.lbPolicy)
    ? loadBalancerConfig(config, version)
    : loadBalancerConfig({ ...config, lbPolicy: 'ROUND_ROBIN', lbSubsetConfig: undefined }, version);
  return {
    lb,
    hosts: {
      version,
      discovery: sourceOf(discoveryType(config) ?? 'STATIC'),
      updateMergeWindowUs: mergeWindowUs(config),
      isLocalCluster: localClusterName === name,
      localityWeighted: lb.localityWeighted,
      hasSubsets: lb.subset !== undefined,
      reportsWeigh: lb.clientSideWeights !== undefined,
      healthChecked: config.healthChecks.length > 0,
      ignoreNewHostsUntilFirstHc: common?.ignoreNewHostsUntilFirstHc ?? false,
      drainConnectionsOnHostRemoval: config.drainConnectionsOnHostRemoval,
      nodeLocality: node?.locality,
    },
    hasLocalCluster: localClusterName !== undefined && localClusterName !== name,
    protocol: protocolOf(config, quirksOf(version)),
    connectTimeoutUs: config.connectTimeout ?? DEFAULT_CONNECT_TIMEOUT_US,
  };
}

/** `update_merge_window`, the proxy's default filled in; 0: nothing waits. */
export function mergeWindowUs(cluster: Pick<Cluster, 'commonLbConfig'>): Micros {
  demand('mergeWindowUs', ['cluster', cluster, ANY_TABLE]);
  return cluster.commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_WINDOW_US;
}

/** Histograms of timeout budgets are published: v2 has one field for that, v3 another one besides. */
export function tracksTimeoutBudgets(cluster: Pick<Cluster, 'trackTimeoutBudgets' | 'trackClusterStats'>): boolean {
  return cluster.trackTimeoutBudgets || cluster.trackClusterStats?.timeoutBudgets === true;
}

/** Of several entries for one priority the first counts. */
export function thresholdsOf(cluster: Cluster, priority: RequestSpec['priority']): Thresholds | undefined {
  return cluster.circuitBreakers?.thresholds.find((entry) => entry.priority === priority);
}

export function limitsOf(cluster: Cluster, priority: RequestSpec['priority']): CircuitBreakerLimits {
  const thresholds = thresholdsOf(cluster, priority);
  const perHost = cluster.circuitBreakers?.perHostThresholds.find((entry) => entry.priority === priority);
  const maxConnectionsPerHost = perHost?.maxConnections ?? DEFAULT_LIMITS.maxConnectionsPerHost;
  if (thresholds === undefined) return { ...DEFAULT_LIMITS, maxConnectionsPerHost };
  const { retryBudget, maxConnections, maxPendingRequests, maxRequests, maxRetries } = thresholds;
  return {
    maxConnectionsPerHost,
    maxConnections: maxConnections ?? DEFAULT_LIMITS.maxConnections,
    maxPendingRequests: maxPendingRequests ?? DEFAULT_LIMITS.maxPendingRequests,
    maxRequests: maxRequests ?? DEFAULT_LIMITS.maxRequests,
    maxRetries: maxRetries ?? DEFAULT_LIMITS.maxRetries,
    retryBudget: retryBudget && {
      budgetPercent: retryBudget.budgetPercent?.value ?? DEFAULT_RETRY_BUDGET.budgetPercent,
      minRetryConcurrency: retryBudget.minRetryConcurrency ?? DEFAULT_RETRY_BUDGET.minRetryConcurrency,
    },
  };
}

function protocolOf(cluster: Cluster, { poolsAreAlike, countsActiveOverflow }: Quirks): PoolProtocol {
  const { http2ProtocolOptions } = cluster;
  const http2 = http2ProtocolOptions !== undefined;
  const streams = (poolsAreAlike ? http2ProtocolOptions?.maxConcurrentStreams : undefined) ?? 2 ** 31 - 1;
  const limit = cluster.maxRequestsPerConnection ?? 0;
  return {
    http2,
    streamsPerConnection: http2 ? streams : 1,
    requestsPerConnection: limit === 0 ? Infinity : limit,
    limitsRequests: poolsAreAlike || http2,
    limitsConnections: poolsAreAlike || !http2,
    countsActiveOverflow,
  };
}

function sourceOf(type: ClusterKind): MembershipSource {
  switch (type) {
    case 'STATIC':
    case 'EDS':
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return type;
    case 'ORIGINAL_DST':
    // It has no hosts of its own, and does not wait for any.
    case 'AGGREGATE':
      return 'ON_DEMAND';
  }
}
