import { type StatValues, writeCounts } from '../stats/stat-values.js';

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

/** Writes the statistics of one cluster under the proxy's names after `cluster.<name>.` */
export function writeHealthCheckStats(into: StatValues, { degraded, healthy, ...counters }: HealthCheckStats): void {
  writeCounts(into.counters, counters, 'health_check.');
  writeCounts(into.gauges, { degraded, healthy }, 'health_check.');
}
