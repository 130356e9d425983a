import { type LintRule, thread } from '../../rule.js';
import { isZoneAware, fleet, zoneAware } from '../zones-shared.js';

export const zoneAwareWithoutZone: LintRule = {
  name: 'zone-aware-without-zone',
  severity: 'warning',
  aboutSplit: true,
  title: 'Zone-aware routing for a proxy that does not know its zone',
  why: 'A proxy whose node has no `locality` is in no zone: it has no hosts of its own zone to prefer, counts `lb_local_cluster_not_ok` and spreads requests over all zones.',
  sources: [thread(8616, 'Zone aware routing not enabled'), zoneAware],
  example: fleet({ proxy: 'local_cluster_name: edge' }),
  repaired: fleet({}),
  check: (subject, report) => {
    if (!subject.clusters.some(isZoneAware)) return;
    for (const { proxy, path } of subject.proxies) {
      if (proxy.localClusterName === undefined || proxy.node?.locality !== undefined) continue;
      report(path, `${proxy.name} has no node.locality: it is in no zone, and zone-aware routing does nothing`);
    }
  },
};
