/** What is read becomes settings: the one place where defaults are filled in. */
import { defined } from '../core/values.js';
import { requestHeader } from '../core/proxy-names.js';
import { type Micros, wholeMillis } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { type HealthCheckPort, NOWHERE } from '../host/host.js';
import { type Assignment, EMPTY_ASSIGNMENT, type EndpointState } from '../settings/assignment.js';
import * as plain from '../settings/cluster-settings.js';
import { addressText } from './address.js';
import { effectiveAssignment, portionOf, type ClusterLoadAssignment, type LbEndpoint } from './assignment-rules.js';
import { statName } from './cluster/cluster.js';
import { defaultOf, LB_DEFAULTS } from '../core/defaults.js';
import { aggregated, discoveryType, lookupsOf, serviceName, type Cluster } from './cluster/cluster-shape.js';
import { connectionTimes, http2Of, requestsPerConnection, typedHttpOptions } from './cluster/http-options.js';
import { hashSource, policyName, policySettings } from './lb.js';
import { lbPolicyOf } from './policy/of-cluster.js';
import { camel } from './reader/letter-case.js';
import type { Camel } from './reader/message.js';
import type { Messages } from './api/generated/read-messages.js';

type HealthCheck = Messages['core.HealthCheck'];
type OutlierDetection = Messages['cluster.OutlierDetection'];

const THRESHOLDS = 'cluster.CircuitBreakers.Thresholds';

export const DEFAULT_LIMITS: plain.CircuitBreakerLimits = {
  maxConnections: defaultOf(THRESHOLDS, 'max_connections'),
  maxConnectionsPerHost: Infinity,
  maxPendingRequests: defaultOf(THRESHOLDS, 'max_pending_requests'),
  maxRequests: defaultOf(THRESHOLDS, 'max_requests'),
  maxRetries: defaultOf(THRESHOLDS, 'max_retries'),
  hasRetryBudget: false,
  retryBudget: {
    budgetPercent: defaultOf(`${THRESHOLDS}.RetryBudget`, 'budget_percent'),
    minRetryConcurrency: defaultOf(`${THRESHOLDS}.RetryBudget`, 'min_retry_concurrency'),
  },
};

const DEFAULT_INITIAL_FETCH_TIMEOUT_US = defaultOf('core.ConfigSource', 'initial_fetch_timeout');
const DEFAULT_MERGE_WINDOW_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');
const DEFAULT_NO_TRAFFIC_INTERVAL_US = defaultOf('core.HealthCheck', 'no_traffic_interval');
/** Of the base interval of a back-off, where no longest one is configured. */
const LONGEST_OF_BASE = 10;

/** @param versions of the proxies that use it. */
export function clusterSettings(cluster: Cluster, versions: readonly ProxyVersion[]): plain.ClusterSettings {
  const { name, commonLbConfig: common, originalDstLbConfig: destination } = cluster;
  const { family, refreshRate, failureRefreshRate: failure, respectTtl } = lookupsOf(cluster);
  // Any other type is refused by name before a run starts.
  const kind = discoveryType(cluster) ?? 'STATIC';
  const own = kind === 'EDS' ? undefined : effectiveAssignment(cluster);
  return {
    name,
    statName: statName(cluster),
    kind,
    serviceName: serviceName(cluster),
    members: aggregated(cluster) ?? [],
    lbPolicy: lbPolicyOf(cluster),
    policyName: policyName(cluster),
    policies: Object.fromEntries(versions.map((version) => [version, policySettings(cluster, version)])),
    assignment: own === undefined ? EMPTY_ASSIGNMENT : readAssignment(own),
    initialFetchTimeoutUs: cluster.edsClusterConfig?.edsConfig?.initialFetchTimeout ?? DEFAULT_INITIAL_FETCH_TIMEOUT_US,
    updateMergeWindowUs: mergeWindowUs(cluster),
    ignoreNewHostsUntilFirstHc: common?.ignoreNewHostsUntilFirstHc ?? false,
    drainConnectionsOnHostRemoval: cluster.drainConnectionsOnHostRemoval,
    closeConnectionsOnHostSetChange: common?.closeConnectionsOnHostSetChange ?? false,
    closeConnectionsOnHostHealthFailure: cluster.closeConnectionsOnHostHealthFailure,
    healthChecks: cluster.healthChecks.map(healthCheckSettings),
    outlierDetection: cluster.outlierDetection && outlierSettings(cluster.outlierDetection),
    breakers: { DEFAULT: breakerSettings(cluster, 'DEFAULT'), HIGH: breakerSettings(cluster, 'HIGH') },
    connections: connectionSettings(cluster),
    hashSources: (typedHttpOptions(cluster)?.hashPolicy ?? []).map(hashSource),
    dns: {
      family,
      refreshUs: refreshRate,
      failure: failure && {
        baseIntervalUs: failure.baseInterval,
        maxIntervalUs: failure.maxInterval ?? failure.baseInterval * LONGEST_OF_BASE,
      },
      respectTtl,
    },
    originalDst: {
      useHttpHeader: destination?.useHttpHeader ?? false,
      headerName: requestHeader(destination?.httpHeaderName ?? ''),
      portOverride: destination?.upstreamPortOverride,
      cleanupIntervalUs: cluster.cleanupInterval,
    },
    transportSocketMatches: cluster.transportSocketMatches,
    // v2 has one field for that, v3 another one besides.
    tracksTimeoutBudgets: cluster.trackTimeoutBudgets || cluster.trackClusterStats?.timeoutBudgets === true,
    message: cluster,
  };
}

export const messageOf = ({ message }: plain.ClusterSettings): Cluster => message as Cluster;

/** `update_merge_window`, the proxy's default filled in; 0: nothing waits. */
export const mergeWindowUs = (cluster: Pick<Cluster, 'commonLbConfig'>): Micros =>
  cluster.commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_WINDOW_US;

function connectionSettings(cluster: Cluster): plain.ConnectionSettings {
  const http2 = http2Of(cluster);
  const limit = requestsPerConnection(cluster) ?? 0;
  return {
    connectTimeoutUs: cluster.connectTimeout ?? defaultOf('Cluster', 'connect_timeout'),
    http2: http2 !== undefined,
    preconnectRatio: cluster.preconnectPolicy?.perUpstreamPreconnectRatio ?? 1,
    predictiveRatio: cluster.preconnectPolicy?.predictivePreconnectRatio ?? 1,
    ...connectionTimes(cluster),
    maxConcurrentStreams: http2?.maxConcurrentStreams,
    maxRequestsPerConnection: limit === 0 ? Infinity : limit,
  };
}

/** Of several entries for one priority the first counts. */
function breakerSettings({ circuitBreakers }: Cluster, priority: plain.RoutingPriority): plain.CircuitBreakerSettings {
  const thresholds = circuitBreakers?.thresholds.find((entry) => entry.priority === priority);
  const perHost = circuitBreakers?.perHostThresholds.find((entry) => entry.priority === priority);
  const { maxConnections, maxPendingRequests, maxRequests, maxRetries, retryBudget } = thresholds ?? {};
  return {
    ...DEFAULT_LIMITS,
    ...defined({ maxConnections, maxPendingRequests, maxRequests, maxRetries }),
    maxConnectionsPerHost: perHost?.maxConnections ?? DEFAULT_LIMITS.maxConnectionsPerHost,
    hasRetryBudget: retryBudget !== undefined,
    retryBudget: {
      budgetPercent: retryBudget?.budgetPercent?.value ?? DEFAULT_LIMITS.retryBudget.budgetPercent,
      minRetryConcurrency: retryBudget?.minRetryConcurrency ?? DEFAULT_LIMITS.retryBudget.minRetryConcurrency,
    },
    trackRemaining: thresholds?.trackRemaining ?? false,
    stated: plain.CIRCUIT_BREAKER_LIMITS.filter(
      (limit) => thresholds?.[camel(limit) as Camel<typeof limit>] !== undefined,
    ),
  };
}

export function healthCheckSettings(check: HealthCheck): plain.HealthCheck {
  const { interval, unhealthyInterval = interval, noTrafficInterval = DEFAULT_NO_TRAFFIC_INTERVAL_US } = check;
  return {
    timeoutUs: check.timeout,
    intervalUs: interval,
    healthyEdgeIntervalUs: check.healthyEdgeInterval ?? interval,
    unhealthyIntervalUs: unhealthyInterval,
    unhealthyEdgeIntervalUs: check.unhealthyEdgeInterval ?? unhealthyInterval,
    noTrafficIntervalUs: noTrafficInterval,
    noTrafficHealthyIntervalUs: check.noTrafficHealthyInterval ?? noTrafficInterval,
    initialJitterUs: check.initialJitter ?? 0,
    intervalJitterUs: check.intervalJitter ?? 0,
    intervalJitterPercent: check.intervalJitterPercent,
    unhealthyThreshold: check.unhealthyThreshold,
    healthyThreshold: check.healthyThreshold,
    protocol: healthCheckProtocol(check),
  };
}

function healthCheckProtocol({ httpHealthCheck: http, tcpHealthCheck: tcp }: HealthCheck): plain.HealthCheckProtocol {
  if (tcp !== undefined) return { kind: 'tcp', expectsBytes: tcp.receive.length > 0 };
  if (http === undefined) return { kind: 'other' };
  const { expectedStatuses, retriableStatuses, serviceName: service, serviceNameMatcher } = http;
  const namesService = service !== '' || serviceNameMatcher !== undefined;
  return { kind: 'http', expectedStatuses, retriableStatuses, namesService };
}

const OUTLIER = 'cluster.OutlierDetection';

/** Worked out once: their fields and defaults. */
const OUTLIER_FIELDS = [...plain.OUTLIER_TIMES, ...plain.OUTLIER_NUMBERS].map((name) => ({
  name,
  field: camel(name) as Camel<plain.OutlierSetting>,
  byDefault: defaultOf(OUTLIER, name),
  isTime: (plain.OUTLIER_TIMES as readonly plain.OutlierSetting[]).includes(name),
}));

export function outlierSettings(detection: Partial<OutlierDetection>): plain.OutlierDetection {
  const numbers = Object.fromEntries(
    OUTLIER_FIELDS.map(({ name, field, byDefault, isTime }) => {
      const value = detection[field] ?? byDefault;
      return [name, isTime ? wholeMillis(value) : value];
    }),
  ) as Record<plain.OutlierSetting, number>;
  // The proxy's own maximum is no less than the base.
  if (detection.maxEjectionTime === undefined)
    numbers.max_ejection_time = Math.max(numbers.max_ejection_time, numbers.base_ejection_time);
  return {
    numbers,
    splitExternalLocalOriginErrors: detection.splitExternalLocalOriginErrors ?? false,
    alwaysEjectOneHost: detection.alwaysEjectOneHost ?? false,
    successfulActiveHealthCheckUnejectHost: detection.successfulActiveHealthCheckUnejectHost ?? true,
  };
}

export function readAssignment(assignment: ClusterLoadAssignment): Assignment {
  const drops = assignment.policy?.dropOverloads ?? [];
  const dropRatio = drops[0]?.dropPercentage === undefined ? 0 : portionOf(drops[0].dropPercentage);
  return {
    dropRatio,
    staleAfterUs: assignment.policy?.endpointStaleAfter ?? Infinity,
    isRejected: drops.length > 1 || dropRatio > 1,
    overprovisioningFactor: assignment.policy?.overprovisioningFactor ?? LB_DEFAULTS.overprovisioningFactor,
    weightedPriorityHealth: assignment.policy?.weightedPriorityHealth ?? false,
    groups: assignment.endpoints.map((group) => ({
      priority: group.priority,
      locality: group.locality ?? NOWHERE,
      hasLocality: group.locality !== undefined,
      weight: group.loadBalancingWeight,
      metadata: group.metadata?.filterMetadata,
      endpoints: group.lbEndpoints.map(readEndpoint),
    })),
  };
}

export const readEndpoint = (endpoint: LbEndpoint): EndpointState => ({
  address: addressText(endpoint.endpoint.address),
  hostname: endpoint.endpoint.hostname,
  weight: endpoint.loadBalancingWeight ?? 1,
  status: endpoint.healthStatus,
  metadata: endpoint.metadata?.filterMetadata ?? {},
  healthCheckPort: healthCheckPort(endpoint),
});

function healthCheckPort({ endpoint }: LbEndpoint): HealthCheckPort {
  const { portValue: port = 0, disableActiveHealthCheck = false } = endpoint.healthCheckConfig ?? {};
  if (disableActiveHealthCheck) return 'none';
  return port === 0 || addressText(endpoint.address).endsWith(`:${port}`) ? undefined : port;
}
