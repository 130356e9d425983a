import type { StatValues } from '../stats/cluster-counters.js';

/** What a proxy counts of the health checks of one cluster; the field names are the proxy's in camelCase. */
export class HealthCheckStats {
  /** Checks that were begun. */
  attempt = 0;
  success = 0;
  /** Failures of every kind. */
  failure = 0;
  /** Failures by a header in an answer to a request. */
  passiveFailure = 0;
  /** Failures without an answer. */
  networkFailure = 0;
  /** Checks that compared the name of the service. */
  verifyCluster = 0;
  /**
   * Gauge: hosts whose last good check was answered as degraded. With one checker the proxy never lowers it when a host
   * is no longer degraded, only when a degraded host is removed.
   */
  degraded = 0;
  /** Gauge: hosts that no check has failed. */
  healthy = 0;
}

/**
 * Writes the statistics of one cluster under the proxy's names.
 *
 * @param clusterPrefix `cluster.<name>.`
 */
export function writeHealthCheckStats(into: StatValues, clusterPrefix: string, stats: HealthCheckStats): void {
  const prefix = `${clusterPrefix}health_check.`;
  into.counters[`${prefix}attempt`] = stats.attempt;
  into.counters[`${prefix}success`] = stats.success;
  into.counters[`${prefix}failure`] = stats.failure;
  into.counters[`${prefix}passive_failure`] = stats.passiveFailure;
  into.counters[`${prefix}network_failure`] = stats.networkFailure;
  into.counters[`${prefix}verify_cluster`] = stats.verifyCluster;
  into.gauges[`${prefix}degraded`] = stats.degraded;
  into.gauges[`${prefix}healthy`] = stats.healthy;
}
