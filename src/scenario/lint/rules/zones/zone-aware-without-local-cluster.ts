import { formatPath } from '../../../../config/source/document.js';
import { type LintRule, thread } from '../../rule.js';
import { AT, isZoneAware, fleet, zoneAware } from '../zones-shared.js';

export const zoneAwareWithoutLocalCluster: LintRule = {
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
