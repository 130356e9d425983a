import { aggregated } from '../../../../config/discovery.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { PANIC, checked, common, panicPage } from '../health-shared.js';

export const panicDisabled: LintRule = {
  name: 'panic-disabled',
  severity: 'note',
  title: 'Panic threshold 0 with a single priority',
  why: 'Threshold 0 switches panic off: while any host is healthy it gets everything, which may overload it, and once none is, every request fails although the hosts might still answer. With one priority there is no failover.',
  sources: [
    panicPage,
    thread('projectcontour/contour/issues/1846', 'Provide configuration option for envoy panic threshold'),
  ],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 0}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 30}')),
  check: eachCluster((one, report, { clusters }) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold >= 1 || one.priorities.length > 1) return;
    // An aggregate fails over to other clusters.
    if (clusters.some(({ cluster }) => aggregated(cluster)?.includes(one.cluster.name))) return;
    const rounded = threshold === 0 ? '' : `${threshold} is truncated to 0: `;
    const text = `${rounded}panic is off and there is no second priority: when the last host fails, every request fails`;
    report([...one.path, ...PANIC], text);
  }),
};
