import { eachCluster, type LintRule } from '../../rule.js';
import { cluster, clusterPage, discovery, reportSet } from '../ignored-shared.js';

export const originalDstSettingsIgnored: LintRule = {
  name: 'original-dst-settings-ignored',
  severity: 'note',
  title: 'cleanup_interval or original_dst_lb_config of another type',
  why: 'Only ORIGINAL_DST clusters learn hosts from clients, so only they clean up hosts, and read a header that names one. Other clusters check these fields and ignore them.',
  sources: [clusterPage, discovery],
  example: cluster('cleanup_interval: 10s, original_dst_lb_config: {use_http_header: true}'),
  repaired: cluster('lb_policy: ROUND_ROBIN'),
  check: eachCluster((one, report) => {
    const { type } = one;
    if (type === undefined || type === 'ORIGINAL_DST') return;
    reportSet(
      one,
      report,
      [],
      ['cleanup_interval', 'original_dst_lb_config'],
      (field) => `${field} is for ORIGINAL_DST clusters; this one is ${type}, and ignores it`,
    );
  }),
};
