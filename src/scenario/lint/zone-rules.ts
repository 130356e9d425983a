import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import type { LintCluster } from './subject.js';
import { formatPath } from '../../config/source/document.js';
import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { LB_DEFAULTS } from '../../config/lb.js';
import { zoneAwareOf } from '../../config/policy/policy.js';

export const AT = ['common_lb_config', 'zone_aware_lb_config'] as const;

const isZoneAware = ({ policy }: LintCluster): boolean => zoneAwareOf(policy) !== undefined;

const zoneAware = manual(`${BALANCING}/zone_aware`, 'Zone aware routing');

interface Parts {
  readonly proxy?: string;
  readonly policy?: string;
  readonly zone?: string;
  readonly count?: number;
}

/** Two zones, the proxies themselves in zone a. */
function fleet({
  proxy = 'local_cluster_name: edge, node: {locality: {zone: a}}',
  policy = '',
  zone = '',
  count = 3,
}: Parts): string {
  return `proxy: {${proxy}}
clusters:
  - {name: backend, connect_timeout: 1s, ${policy}common_lb_config: {zone_aware_lb_config: {${zone}}}}
  - {name: edge, connect_timeout: 1s}
endpoints:
  backend: [{address: 10.0.0.1:80, count: ${count}, zone: a}, {address: 10.0.1.1:80, count: ${count}, zone: b}]
  edge: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.1.1:80, zone: b}]
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${policy.includes('MAGLEV') ? ', hash_key: {uniform: {keys: 9}}' : ''}}]
`;
}

const zoneAwareWithoutLocalCluster: LintRule = {
  name: 'zone-aware-without-local-cluster',
  severity: 'warning',
  aboutSplit: true,
  title: 'Zone-aware routing without a local cluster',
  why: 'The proxy compares the zones of the upstream hosts with those of its own fleet, which it knows as the local cluster. Without `local_cluster_name` (in a bootstrap: `cluster_manager.local_cluster_name`) zone-aware routing is off, silently, and zones count for nothing.',
  sources: [thread(33501, 'working example for zone aware routing?'), zoneAware],
  example: fleet({ proxy: 'node: {locality: {zone: a}}' }),
  repaired: fleet({}),
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

const zoneAwareClusterTooSmall: LintRule = {
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
  title: 'Zone-aware routing under RING_HASH or MAGLEV',
  why: 'A consistent hash names one host for a key whatever zone asks; the zone is not looked at. Zone-aware routing belongs to ROUND_ROBIN, LEAST_REQUEST and RANDOM.',
  sources: [zoneAware, manual(`${BALANCING}/load_balancers`, 'Ring hash and Maglev')],
  example: fleet({ policy: 'lb_policy: MAGLEV, ' }),
  repaired: fleet({}),
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

export const zonesChapter: LintChapter = {
  title: 'Zones',
  rules: [zoneAwareWithoutLocalCluster, zoneAwareWithoutZone, zoneAwareClusterTooSmall, zoneAwareHash],
};
