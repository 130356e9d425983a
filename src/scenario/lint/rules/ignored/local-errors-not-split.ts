import { eachCluster, type LintRule } from '../../rule.js';
import { cluster, outliers, reportSet } from '../ignored-shared.js';

const LOCAL_ERRORS = [
  'consecutive_local_origin_failure',
  'enforcing_consecutive_local_origin_failure',
  'enforcing_local_origin_success_rate',
  'enforcing_failure_percentage_local_origin',
];

export const localErrorsNotSplit: LintRule = {
  name: 'local-errors-not-split',
  severity: 'note',
  title: 'Settings for local errors without split_external_local_origin_errors',
  why: 'Local errors (connecting, time-outs) are counted apart only with `split_external_local_origin_errors`. Without it they count as answers of the host, and the settings for local errors are ignored.',
  sources: [outliers],
  example: cluster('outlier_detection: {consecutive_local_origin_failure: 3, max_ejection_percent: 50}'),
  repaired: cluster(
    'outlier_detection: {split_external_local_origin_errors: true, consecutive_local_origin_failure: 3, max_ejection_percent: 50}',
  ),
  check: eachCluster((one, report) => {
    const { outlierDetection } = one.cluster;
    if (outlierDetection === undefined || outlierDetection.splitExternalLocalOriginErrors) return;
    reportSet(
      one,
      report,
      ['outlier_detection'],
      LOCAL_ERRORS,
      (field) => `${field} has no effect without split_external_local_origin_errors`,
    );
  }),
};
