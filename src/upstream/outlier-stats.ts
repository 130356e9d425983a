import { type ProxyVersion, quirksOf } from '../core/version.js';
import type { StatValues } from '../stats/stat-values.js';
import { OUTLIER_CAUSES, type OutlierCause } from './outlier-cause.js';

const NONE = Object.fromEntries(OUTLIER_CAUSES.map((cause) => [cause, 0])) as Readonly<Record<OutlierCause, number>>;

/** What a proxy counts of outlier detection in one cluster; the field names are the proxy's in camelCase. */
export class OutlierStats {
  /** Gauge: hosts that are ejected now. */
  ejectionsActive = 0;
  ejectionsEnforcedTotal = 0;
  /** Detections that max_ejection_percent kept from ejecting. */
  ejectionsOverflow = 0;
  /** Per cause: detections, and those that ejected the host. */
  readonly detected = { ...NONE };
  readonly enforced = { ...NONE };
  /** Deprecated: detections by consecutive 5xx or success rate that were not capped, enforced or not. */
  ejectionsTotal = 0;
  /** Deprecated: detections, enforced or not. */
  ejectionsConsecutive5xx = 0;
  /** Deprecated: detections by success rate of either origin, enforced or not. */
  ejectionsSuccessRate = 0;
}

export function writeOutlierStats(into: StatValues, version: ProxyVersion, stats: OutlierStats): void {
  const prefix = 'outlier_detection.';
  // A detector that the schema cannot switch on.
  if (quirksOf(version).countsDegradation) into.counters[`${prefix}ejections_detected_degradation`] = 0;
  into.gauges[`${prefix}ejections_active`] = stats.ejectionsActive;
  into.counters[`${prefix}ejections_enforced_total`] = stats.ejectionsEnforcedTotal;
  into.counters[`${prefix}ejections_overflow`] = stats.ejectionsOverflow;
  for (const cause of OUTLIER_CAUSES) {
    into.counters[`${prefix}ejections_detected_${cause}`] = stats.detected[cause];
    into.counters[`${prefix}ejections_enforced_${cause}`] = stats.enforced[cause];
  }
  into.counters[`${prefix}ejections_total`] = stats.ejectionsTotal;
  into.counters[`${prefix}ejections_consecutive_5xx`] = stats.ejectionsConsecutive5xx;
  into.counters[`${prefix}ejections_success_rate`] = stats.ejectionsSuccessRate;
}
