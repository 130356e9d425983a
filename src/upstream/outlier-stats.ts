import { quirksOf } from '../core/quirks.js';
import type { StatValues } from '../stats/cluster-counters.js';
import type { ProxyVersion } from '../core/version.js';
import type { OutlierCause } from './outlier-cause.js';

/** What a proxy counts of outlier detection in one cluster; the field names are the proxy's in camelCase. */
export interface OutlierStats {
  /** Gauge: hosts that are ejected now. */
  ejectionsActive: number;
  ejectionsEnforcedTotal: number;
  /** Detections that max_ejection_percent kept from ejecting. */
  ejectionsOverflow: number;
  ejectionsDetectedConsecutive5xx: number;
  ejectionsEnforcedConsecutive5xx: number;
  ejectionsDetectedConsecutiveGatewayFailure: number;
  ejectionsEnforcedConsecutiveGatewayFailure: number;
  ejectionsDetectedConsecutiveLocalOriginFailure: number;
  ejectionsEnforcedConsecutiveLocalOriginFailure: number;
  ejectionsDetectedSuccessRate: number;
  ejectionsEnforcedSuccessRate: number;
  ejectionsDetectedLocalOriginSuccessRate: number;
  ejectionsEnforcedLocalOriginSuccessRate: number;
  ejectionsDetectedFailurePercentage: number;
  ejectionsEnforcedFailurePercentage: number;
  ejectionsDetectedLocalOriginFailurePercentage: number;
  ejectionsEnforcedLocalOriginFailurePercentage: number;
  /** Deprecated: detections by consecutive 5xx or success rate that were not capped, enforced or not. */
  ejectionsTotal: number;
  /** Deprecated: detections, enforced or not. */
  ejectionsConsecutive5xx: number;
  /** Deprecated: detections by success rate of either origin, enforced or not. */
  ejectionsSuccessRate: number;
}

export function emptyOutlierStats(): OutlierStats {
  return {
    ejectionsActive: 0,
    ejectionsEnforcedTotal: 0,
    ejectionsOverflow: 0,
    ejectionsDetectedConsecutive5xx: 0,
    ejectionsEnforcedConsecutive5xx: 0,
    ejectionsDetectedConsecutiveGatewayFailure: 0,
    ejectionsEnforcedConsecutiveGatewayFailure: 0,
    ejectionsDetectedConsecutiveLocalOriginFailure: 0,
    ejectionsEnforcedConsecutiveLocalOriginFailure: 0,
    ejectionsDetectedSuccessRate: 0,
    ejectionsEnforcedSuccessRate: 0,
    ejectionsDetectedLocalOriginSuccessRate: 0,
    ejectionsEnforcedLocalOriginSuccessRate: 0,
    ejectionsDetectedFailurePercentage: 0,
    ejectionsEnforcedFailurePercentage: 0,
    ejectionsDetectedLocalOriginFailurePercentage: 0,
    ejectionsEnforcedLocalOriginFailurePercentage: 0,
    ejectionsTotal: 0,
    ejectionsConsecutive5xx: 0,
    ejectionsSuccessRate: 0,
  };
}

/**
 * Writes the statistics of one cluster under the proxy's names.
 *
 * @param clusterPrefix `cluster.<name>.`
 */
export function writeOutlierStats(
  into: StatValues,
  clusterPrefix: string,
  version: ProxyVersion,
  stats: OutlierStats,
): void {
  const prefix = `${clusterPrefix}outlier_detection.`;
  // A detector that the schema cannot switch on.
  if (quirksOf(version).countsDegradation) into.counters[`${prefix}ejections_detected_degradation`] = 0;
  into.gauges[`${prefix}ejections_active`] = stats.ejectionsActive;
  into.counters[`${prefix}ejections_enforced_total`] = stats.ejectionsEnforcedTotal;
  into.counters[`${prefix}ejections_overflow`] = stats.ejectionsOverflow;
  for (const [cause, { detected, enforced }] of Object.entries(COUNTERS)) {
    into.counters[`${prefix}ejections_detected_${cause}`] = stats[detected];
    into.counters[`${prefix}ejections_enforced_${cause}`] = stats[enforced];
  }
  into.counters[`${prefix}ejections_total`] = stats.ejectionsTotal;
  into.counters[`${prefix}ejections_consecutive_5xx`] = stats.ejectionsConsecutive5xx;
  into.counters[`${prefix}ejections_success_rate`] = stats.ejectionsSuccessRate;
}

export function countDetected(stats: OutlierStats, cause: OutlierCause): void {
  stats[COUNTERS[cause].detected]++;
}

export function countEnforced(stats: OutlierStats, cause: OutlierCause): void {
  stats.ejectionsEnforcedTotal++;
  stats[COUNTERS[cause].enforced]++;
}

interface CauseCounters {
  readonly detected: keyof OutlierStats;
  readonly enforced: keyof OutlierStats;
}

const COUNTERS: Readonly<Record<OutlierCause, CauseCounters>> = {
  consecutive_5xx: {
    detected: 'ejectionsDetectedConsecutive5xx',
    enforced: 'ejectionsEnforcedConsecutive5xx',
  },
  consecutive_gateway_failure: {
    detected: 'ejectionsDetectedConsecutiveGatewayFailure',
    enforced: 'ejectionsEnforcedConsecutiveGatewayFailure',
  },
  consecutive_local_origin_failure: {
    detected: 'ejectionsDetectedConsecutiveLocalOriginFailure',
    enforced: 'ejectionsEnforcedConsecutiveLocalOriginFailure',
  },
  success_rate: {
    detected: 'ejectionsDetectedSuccessRate',
    enforced: 'ejectionsEnforcedSuccessRate',
  },
  local_origin_success_rate: {
    detected: 'ejectionsDetectedLocalOriginSuccessRate',
    enforced: 'ejectionsEnforcedLocalOriginSuccessRate',
  },
  failure_percentage: {
    detected: 'ejectionsDetectedFailurePercentage',
    enforced: 'ejectionsEnforcedFailurePercentage',
  },
  local_origin_failure_percentage: {
    detected: 'ejectionsDetectedLocalOriginFailurePercentage',
    enforced: 'ejectionsEnforcedLocalOriginFailurePercentage',
  },
};
