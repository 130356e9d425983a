import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { KEYED, isHash, sent } from '../tables-shared.js';
import { lbPolicyName } from '../../../../policy/registry.js';

export const hashKeyUnused: LintRule = {
  name: 'hash-key-unused',
  severity: 'note',
  aboutSplit: true,
  title: 'A hash key for a policy that does not hash',
  why: 'ROUND_ROBIN, LEAST_REQUEST and RANDOM do not look at the hash that a route computes: requests of one key go anywhere. (Between priorities the hash does count, under every policy.)',
  sources: [
    thread('projectcontour/contour/issues/6351', 'What hashing strategy does Contour use in load balancing?'),
    manual(`${BALANCING}/load_balancers`, 'Supported load balancers'),
  ],
  example: sent('', KEYED),
  repaired: sent(', lb_policy: MAGLEV', KEYED),
  check: eachCluster((cluster, report) => {
    const { name, lbPolicy } = cluster.cluster;
    if (isHash(cluster) || cluster.priorities.length > 1 || cluster.type === 'ORIGINAL_DST') return;
    const keyed = cluster.traffic.find(({ workload, hashed }) => workload && hashed);
    if (keyed === undefined) return;
    report(
      [...keyed.path, 'hash_key'],
      `${name} is ${lbPolicyName(lbPolicy)}, which ignores the hash; ${cluster.policies('RING_HASH', 'MAGLEV')} would keep keys together`,
    );
  }),
};
