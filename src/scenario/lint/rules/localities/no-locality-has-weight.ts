import type { EmptyTable } from '../../../../hostset/normalized-weights.js';
import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import type { LintGroup } from '../../subject.js';
import { ON, WEIGHTED, east, head, hostsOf, levels, weightOf, weighted, west } from '../localities-shared.js';
import { isHash } from '../tables-shared.js';
import { lbPolicyName } from '../../../../policy/registry.js';

export const noLocalityHasWeight: LintRule = {
  name: 'no-locality-has-weight',
  severity: 'warning',
  aboutSplit: true,
  title: 'locality_weighted_lb_config where no locality has a weight',
  why: 'With weighted localities switched on and no weight anywhere, ROUND_ROBIN, LEAST_REQUEST and RANDOM fall back to plain balancing over all hosts, while RING_HASH and MAGLEV build empty tables and find no host at all. With them that holds for each priority: one in which no locality has a weight answers nothing when traffic fails over to it.',
  sources: [manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing')],
  example: head(ON) + hostsOf + east('') + west(''),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 1, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster) || !cluster.fixed) return;
    const without = levels(cluster).filter((groups) => !groups.some(hasWeight));
    if (without.length === cluster.priorities.length) {
      const effect = isHash(cluster)
        ? `${lbPolicyName(cluster.cluster.lbPolicy)} then finds no host`
        : 'localities then count for nothing';
      report([...cluster.path, ...WEIGHTED], `no locality has a load_balancing_weight: ${effect}`);
      return;
    }
    // Other policies then balance over all hosts of the level, as if nothing were asked for.
    if (!isHash(cluster)) return;
    for (const groups of without) {
      const first = groups.find(({ hosts }) => hosts.length > 0);
      if (first === undefined) continue;
      const { priority } = first.group;
      const text = emptyTableText('no-weight', lbPolicyName(cluster.cluster.lbPolicy), priority);
      report(first.path, `${text}: it finds no host when traffic comes. Give the locality a load_balancing_weight`);
    }
  }),
};

const hasWeight = (group: LintGroup): boolean => weightOf(group) !== undefined && group.group.locality !== undefined;

/** "no locality of priority 1 has a load_balancing_weight, so its RING_HASH table is empty". */
export function emptyTableText(why: EmptyTable, policy: string, priority: number | undefined): string {
  const [of, its] = priority === undefined ? ['', 'the'] : [` of priority ${priority}`, 'its'];
  const lacks =
    why === 'no-weight'
      ? `no locality${of} has a load_balancing_weight`
      : `no locality${of} with a load_balancing_weight has a host available`;
  return `${lacks}, so ${its} ${policy} table is empty`;
}
