import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { KEYED, isHash, sent } from '../tables-shared.js';
import { lbPolicyName } from '../../../../policy/registry.js';

export const hashWithoutKey: LintRule = {
  name: 'hash-without-key',
  severity: 'warning',
  aboutSplit: true,
  title: 'RING_HASH or MAGLEV for requests without a hash',
  why: 'Without a hash policy on the route, or where the header is missing, there is nothing to hash: the proxy draws a random place in the table. The split is that of the table, and no client stays with a host.',
  sources: [
    manual(`${BALANCING}/load_balancers`, 'Ring hash'),
    manual('api-v2/api/v2/route/route_components.proto', 'RouteAction.HashPolicy'),
  ],
  example: sent(', lb_policy: RING_HASH', ''),
  repaired: sent(', lb_policy: RING_HASH', KEYED),
  check: eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const { name, lbPolicy, loadBalancingPolicy } = cluster.cluster;
    // A typed policy may make the hash itself.
    if ((loadBalancingPolicy?.hashPolicy ?? []).length > 0) return;
    const bare = cluster.traffic.find(({ workload, hashed }) => workload && !hashed);
    if (bare === undefined) return;
    report(
      bare.path,
      `${name} is ${lbPolicyName(lbPolicy)}, but these requests carry no hash: each takes a random place. Set hash_key`,
    );
  }),
};
