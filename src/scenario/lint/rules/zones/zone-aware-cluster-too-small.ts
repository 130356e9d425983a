import { LB_DEFAULTS } from '../../../../config/lb.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { AT, fleet } from '../zones-shared.js';

export const zoneAwareClusterTooSmall: LintRule = {
  name: 'zone-aware-cluster-too-small',
  severity: 'warning',
  aboutSplit: true,
  title: 'Zone-aware routing for a cluster with fewer hosts than min_cluster_size',
  why: `Below \`min_cluster_size\` healthy hosts (default ${LB_DEFAULTS.minClusterSize}) the zone is not looked at. Small clusters meet this without anyone noticing; the proxy counts \`lb_zone_cluster_too_small\`.`,
  sources: [
    thread(8616, 'Zone aware routing not enabled'),
    thread('envoyproxy/gateway/issues/6025', 'Explicit settings for Zone Aware Routing'),
  ],
  example: fleet({ count: 2 }),
  repaired: fleet({ count: 2, zone: 'min_cluster_size: 3' }),
  check: eachCluster((cluster, report, { proxies }) => {
    const zone = cluster.cluster.commonLbConfig?.zoneAwareLbConfig;
    if (zone === undefined || !cluster.fixed || zone.forceLocalZone !== undefined) return;
    if (proxies.some(({ proxy }) => 'upstream.zone_routing.min_cluster_size' in proxy.runtime)) return;
    const wanted = Number(zone.minClusterSize ?? LB_DEFAULTS.minClusterSize);
    const hosts = cluster.hosts.filter(({ priority }) => priority === 0).length;
    if (hosts >= wanted) return;
    const found = zone.minClusterSize === undefined ? `${wanted}, the default of min_cluster_size` : `${wanted}`;
    const text = `zone-aware routing is off: ${cluster.cluster.name} has ${hosts === 1 ? '1 host' : `${hosts} hosts`} in priority 0, fewer than ${found}`;
    report([...cluster.path, ...AT, ...(zone.minClusterSize === undefined ? [] : ['min_cluster_size'])], text);
  }),
};
