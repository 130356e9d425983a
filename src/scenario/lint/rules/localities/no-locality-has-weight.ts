import type { LintRule } from '../../rule.js';
import { BALANCING, eachCluster, manual } from '../../rule.js';
import { ON, east, head, hostsOf, weightOf, weighted, west } from '../localities-shared.js';
import { isHash } from '../tables-shared.js';

const WEIGHTED = ['common_lb_config', 'locality_weighted_lb_config'];

export const noLocalityHasWeight: LintRule = {
  name: 'no-locality-has-weight',
  severity: 'warning',
  title: 'locality_weighted_lb_config where no locality has a weight',
  why: 'With weighted localities switched on and no weight anywhere, ROUND_ROBIN, LEAST_REQUEST and RANDOM fall back to plain balancing over all hosts, while RING_HASH and MAGLEV build empty tables and find no host at all.',
  sources: [manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing')],
  example: head(ON) + hostsOf + east('') + west(''),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 1, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    const given = cluster.groups.some((group) => weightOf(group) !== undefined && group.group.locality !== undefined);
    if (!weighted(cluster) || !cluster.fixed || given) return;
    const effect = isHash(cluster)
      ? `${cluster.cluster.lbPolicy} then finds no host`
      : 'localities then count for nothing';
    report([...cluster.path, ...WEIGHTED], `no locality has a load_balancing_weight: ${effect}`);
  }),
};
