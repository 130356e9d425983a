import { panicThresholdOf } from '../../../../config/lb.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { cluster, panicPage } from '../health-shared.js';

export const ejectionIntoPanic: LintRule = {
  name: 'ejection-into-panic',
  severity: 'warning',
  title: 'Outlier detection that may eject a cluster into panic',
  why: 'Ejected hosts are unhealthy hosts. Once fewer are left than the panic threshold asks (50 % by default), the proxy uses all hosts again, the ejected ones included: above 100 − threshold the ejection limit protects no one.',
  sources: [thread(2671, 'Clarification about outlier detection and ejection of 100% hosts'), panicPage],
  example: cluster('outlier_detection: {max_ejection_percent: 80}'),
  repaired: cluster('outlier_detection: {max_ejection_percent: 50}'),
  check: eachCluster((one, report) => {
    const percent = one.cluster.outlierDetection?.maxEjectionPercent;
    const threshold = Math.floor(panicThresholdOf(one.cluster));
    if (percent === undefined || one.priorities.length > 1 || percent <= 100 - threshold) return;
    const text = `if ${percent} % are ejected, ${100 - percent} % are left, below the panic threshold of ${threshold} %`;
    report([...one.path, 'outlier_detection', 'max_ejection_percent'], `${text}: ejected hosts then get traffic again`);
  }),
};
