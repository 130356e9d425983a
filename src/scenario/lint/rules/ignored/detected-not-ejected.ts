import { eachCluster, type LintRule } from '../../rule.js';
import { cluster, outliers } from '../ignored-shared.js';

/** Detectors that do not eject by default: their settings, and what turns them on. */
const DETECTORS = [
  { setting: 'consecutive_gateway_failure', enforcing: 'enforcing_consecutive_gateway_failure' },
  { setting: 'failure_percentage_threshold', enforcing: 'enforcing_failure_percentage' },
] as const;

const RUNTIME = 'outlier_detection.';

export const detectedNotEjected: LintRule = {
  name: 'detected-not-ejected',
  severity: 'note',
  title: 'An outlier that is detected and never ejected',
  why: 'Gateway failures and failure percentages are detected and counted in any case; the chance that a detection ejects is 0 unless `enforcing_…` says otherwise.',
  sources: [outliers],
  example: cluster('outlier_detection: {consecutive_gateway_failure: 3, max_ejection_percent: 50}'),
  repaired: cluster(
    'outlier_detection: {consecutive_gateway_failure: 3, enforcing_consecutive_gateway_failure: 100, max_ejection_percent: 50}',
  ),
  check: eachCluster((one, report, { proxies, timeline, timelineRead }) => {
    const runtime = proxies.some(({ proxy }) => Object.keys(proxy.runtime).some((key) => key.startsWith(RUNTIME)));
    const later = !timelineRead || timeline.some(({ action }) => action.kind === 'set_runtime');
    if (runtime || later) return;
    for (const { setting, enforcing } of DETECTORS) {
      const part = 'outlier_detection';
      // Local errors have the same threshold.
      const local =
        one.has(part, 'enforcing_failure_percentage_local_origin') && setting === 'failure_percentage_threshold';
      if (!one.has(part, setting) || one.has(part, enforcing) || local) continue;
      report([...one.path, part, setting], `outliers are counted and not ejected: ${enforcing} is 0 by default`);
    }
  }),
};
