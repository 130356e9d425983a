import { defaultOf } from '../../../../config/defaults.js';
import { formatDuration } from '../../../units.js';
import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { checked, common } from '../health-shared.js';

const DEFAULT_MERGE_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');

export const mergeWindowOverInterval: LintRule = {
  name: 'merge-window-over-interval',
  severity: 'warning',
  title: 'update_merge_window longer than the health-check interval',
  why: 'Results of health checks wait in the merge window before the balancer sees them. With a window longer than the interval a host has failed several checks, or come back, before anyone acts on the first.',
  sources: [
    manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.update_merge_window'),
    thread('envoyproxy/envoy/pull/3941', 'Add option for merging cluster updates'),
  ],
  example: checked('timeout: 1s, interval: 2s', common('update_merge_window: 10s')),
  repaired: checked('timeout: 1s, interval: 2s', common('update_merge_window: 1s')),
  check: eachCluster(({ cluster: { healthChecks, commonLbConfig }, path }, report) => {
    const window = commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_US;
    const shortest = healthChecks.reduce((least, { interval }) => Math.min(least, interval), Infinity);
    if (window <= shortest) return;
    const found =
      commonLbConfig?.updateMergeWindow === undefined
        ? `${formatDuration(window)}, its default`
        : formatDuration(window);
    const at =
      commonLbConfig?.updateMergeWindow === undefined ? ['health_checks'] : ['common_lb_config', 'update_merge_window'];
    const text = `update_merge_window (${found}) is longer than the health-check interval (${formatDuration(shortest)})`;
    report([...path, ...at], `${text}: what checks find reaches the balancer that much later`);
  }),
};
