import { LB_DEFAULTS } from '../../../../config/lb.js';
import { count } from '../../../../core/words.js';
import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { layouts, ring } from '../tables-shared.js';

export const ringCapped: LintRule = {
  name: 'ring-capped',
  severity: 'warning',
  aboutSplit: true,
  title: 'A maximum ring size that leaves light hosts without an entry',
  why: 'The ring grows until the lightest host has a whole number of entries, but not past `maximum_ring_size`. If that cuts it below one entry for the lightest host, some hosts have no place on the ring and get no request at all.',
  sources: [
    thread('envoyproxy/envoy/pull/5846', 'host and locality weighting in ring hash'),
    manual('api-v2/api/v2/cluster.proto', 'RingHashLbConfig.maximum_ring_size'),
  ],
  example: ring('minimum_ring_size: 100, maximum_ring_size: 1000', '{address: 10.0.0.1:80, weight: 5000}, 10.0.0.2:80'),
  repaired: ring('minimum_ring_size: 100', '{address: 10.0.0.1:80, weight: 50}, 10.0.0.2:80').replace('100}', '2048}'),
  check: eachCluster((cluster, report) => {
    const { lbPolicy, ringHashLbConfig } = cluster.cluster;
    if (lbPolicy !== 'RING_HASH' || !cluster.fixed) return;
    const maximum = Number(ringHashLbConfig?.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const capped = layouts(cluster).find(({ lightest }) => lightest * maximum < 1);
    if (capped === undefined) return;
    const written = ringHashLbConfig?.maximumRingSize !== undefined;
    const at = written ? ['ring_hash_lb_config', 'maximum_ring_size'] : ['lb_policy'];
    const share = `1 in ${count(1 / capped.lightest)}`;
    report(
      [...cluster.path, ...at],
      `a ring of at most ${maximum} entries has no room for a host whose share is ${share}`,
    );
  }),
};
