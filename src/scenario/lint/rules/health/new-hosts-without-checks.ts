import { eachCluster, type LintRule, manual } from '../../rule.js';
import { checked, cluster, common } from '../health-shared.js';

export const newHostsWithoutChecks: LintRule = {
  name: 'new-hosts-without-checks',
  severity: 'note',
  title: 'ignore_new_hosts_until_first_hc without health checks',
  why: 'New hosts are left out of weights and panic until their first health check. Without health checks there is no such time, and the setting has no effect.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.ignore_new_hosts_until_first_hc')],
  example: cluster(common('ignore_new_hosts_until_first_hc: true')),
  repaired: checked('timeout: 1s, interval: 5s', common('ignore_new_hosts_until_first_hc: true')),
  check: eachCluster(({ cluster: { commonLbConfig, healthChecks }, path }, report) => {
    if (commonLbConfig?.ignoreNewHostsUntilFirstHc !== true || healthChecks.length > 0) return;
    report(
      [...path, 'common_lb_config', 'ignore_new_hosts_until_first_hc'],
      'this has no effect: the cluster has no health_checks',
    );
  }),
};
