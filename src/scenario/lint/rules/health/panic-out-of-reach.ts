import { defaultOf } from '../../../../config/defaults.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { PANIC, checked, common, panicPage } from '../health-shared.js';

export const panicNeverReached: LintRule = {
  name: 'panic-out-of-reach',
  severity: 'note',
  title: 'A panic threshold that the overprovisioning factor keeps out of reach',
  why: 'A level can panic only once the levels together are below 100 % after multiplication by the overprovisioning factor (140 by default). A threshold above 100 / 1.4 ≈ 72 % does not make it start earlier.',
  sources: [panicPage, thread('envoyproxy/envoy/pull/4442', 'how load calculation and panic level interact')],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 90}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 70}')),
  check: eachCluster((one, report) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    const factor =
      one.assignment?.policy?.disableOverprovisioning === true
        ? 100
        : (one.assignment?.policy?.overprovisioningFactor ??
          defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'));
    if (threshold === undefined || one.priorities.length > 1) return;
    const reach = Math.ceil(10_000 / factor);
    if (Math.floor(threshold) <= reach) return;
    const text = `with an overprovisioning factor of ${factor} panic starts below ${reach} % healthy hosts, not below ${threshold} %`;
    report([...one.path, ...PANIC], text);
  }),
};
