import { microsToSeconds } from '../../core/units.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { CircuitBreakerLimit } from '../../settings/cluster-settings.js';
import type { Resource } from '../../upstream/circuit-breaker.js';
import type { InspectedBreaker, InspectedHost, InspectedOutliers } from './inspection.js';

/** The state around the balancers: what hosts are known for, and what is used of the limits. */

export function hostsOf({ upstream }: ProxyCluster): readonly InspectedHost[] {
  return [...upstream.priorities.hosts()].map(({ host, priority }) => ({
    address: host.address,
    priority,
    health: host.health,
    weight: host.weight,
    active: host.activeRequests,
    pending: host.pendingRequests,
    connections: host.stats.cxActive,
  }));
}

export function outliersOf({ parts: { outliers }, upstream }: ProxyCluster): InspectedOutliers | null {
  if (outliers === undefined) return null;
  const { detector } = outliers;
  const { mean, threshold } = detector.clusterRates.external;
  const hosts = [...upstream.priorities.hosts()].flatMap(({ host }) => {
    const monitor = detector.monitor(host);
    if (monitor === undefined) return [];
    const { successRate } = monitor.external;
    const lasts = monitor.ejected ? detector.ejectionTime(host) : undefined;
    return [
      {
        address: host.address,
        consecutive_5xx: monitor.consecutive5xx,
        consecutive_gateway_failure: monitor.consecutiveGatewayFailure,
        consecutive_local_origin_failure: monitor.consecutiveLocalOriginFailure,
        success_rate: successRate < 0 ? null : successRate,
        ejections: monitor.ejections,
        out_until_s: lasts === undefined ? null : microsToSeconds(monitor.ejectedAtUs + lasts.leastUs),
      },
    ];
  });
  return {
    limits: detector.runLimits,
    interval_s: microsToSeconds(detector.intervalUs),
    ejected: hosts.filter(({ out_until_s: until }) => until !== null).length,
    may_be_out: detector.mayBeOut,
    success_rate: threshold < 0 ? null : { mean, threshold },
    hosts,
  };
}

export function breakersOf(cluster: ProxyCluster, priority: InspectedBreaker['priority']): readonly InspectedBreaker[] {
  const { connections, pendingRequests, requests, retries } = cluster.breakerOf(priority);
  const row = (limit: CircuitBreakerLimit, { count, max }: Resource): InspectedBreaker => ({
    priority,
    limit,
    used: count,
    max,
  });
  return [
    row('max_connections', connections),
    row('max_pending_requests', pendingRequests),
    row('max_requests', requests),
    row('max_retries', retries),
  ];
}
