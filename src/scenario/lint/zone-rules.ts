import { eachCluster, type LintRule } from './rule.js';
import type { LintCluster } from './subject.js';
import { formatPath } from '../../config/source/document.js';
import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { LB_DEFAULTS } from '../../config/lb.js';
import { zoneAwareOf } from '../../config/policy/policy.js';

export const AT = ['common_lb_config', 'zone_aware_lb_config'] as const;

const isZoneAware = ({ policy }: LintCluster): boolean => zoneAwareOf(policy) !== undefined;

const zoneAwareWithoutLocalCluster: LintRule = {
  name: 'zone-aware-without-local-cluster',
  severity: 'warning',
  aboutSplit: true,
  check: (subject, report) => {
    if (subject.alone || subject.proxies.some(({ proxy }) => proxy.localClusterName !== undefined)) return;
    const cluster = subject.clusters.find(isZoneAware);
    if (cluster === undefined) return;
    const name = formatPath([...(subject.proxies[0]?.path ?? []), 'local_cluster_name']);
    const text = `zone-aware routing is off: there is no ${name}, the cluster that the proxies themselves are in`;
    report([...cluster.path, ...AT], text);
  },
};

const zoneAwareWithoutZone: LintRule = {
  name: 'zone-aware-without-zone',
  severity: 'warning',
  aboutSplit: true,
  check: (subject, report) => {
    if (!subject.clusters.some(isZoneAware)) return;
    for (const { proxy, path } of subject.proxies) {
      if (proxy.localClusterName === undefined || proxy.node?.locality !== undefined) continue;
      report(path, `${proxy.name} has no node.locality: it is in no zone, and zone-aware routing does nothing`);
    }
  },
};

const zoneAwareClusterTooSmall: LintRule = {
  name: 'zone-aware-cluster-too-small',
  severity: 'warning',
  aboutSplit: true,
  check: eachCluster((cluster, report, { proxies }) => {
    const zone = zoneAwareOf(cluster.policy);
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

const zoneAwareHash: LintRule = {
  name: 'zone-aware-hash',
  severity: 'warning',
  aboutSplit: true,
  check: eachCluster((cluster, report) => {
    const { lbPolicy } = cluster;
    const zone = cluster.cluster.commonLbConfig?.zoneAwareLbConfig;
    if (zone === undefined || !isTablePolicy(lbPolicy) || zone.failTrafficOnPanic) return;
    report(
      [...cluster.path, ...AT],
      `${lbPolicyName(lbPolicy)} does not look at zones: zone_aware_lb_config has no effect`,
    );
  }),
};

export const zonesRules: readonly LintRule[] = [
  zoneAwareWithoutLocalCluster,
  zoneAwareWithoutZone,
  zoneAwareClusterTooSmall,
  zoneAwareHash,
];
