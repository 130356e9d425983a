import { eachCluster, type LintRule, manual } from '../../rule.js';
import { PANIC, checked, common } from '../health-shared.js';

export const panicTruncated: LintRule = {
  name: 'panic-threshold-truncated',
  severity: 'note',
  title: 'A panic threshold with a fraction',
  why: 'The threshold is truncated to whole percents: 33.9 is 33.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.healthy_panic_threshold')],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 33.9}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 34}')),
  check: eachCluster((one, report) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold < 1 || Number.isInteger(threshold)) return;
    report([...one.path, ...PANIC], `${threshold} is truncated to ${Math.floor(threshold)}`);
  }),
};
