import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { list, unevenPriority } from '../lists-shared.js';

export const randomIgnoresWeights: LintRule = {
  name: 'random-ignores-weights',
  severity: 'warning',
  aboutSplit: true,
  title: 'Host weights under RANDOM',
  why: 'RANDOM draws each host with the same chance. The weights of hosts are read by ROUND_ROBIN, LEAST_REQUEST, RING_HASH and MAGLEV only; weighted localities count under RANDOM, too.',
  sources: [manual(`${BALANCING}/load_balancers`, 'Random'), thread(25692, 'weights that are not respected')],
  example: list('lb_policy: RANDOM', '{address: 10.0.0.1:80, weight: 9}, 10.0.0.2:80'),
  repaired: list('lb_policy: ROUND_ROBIN', '{address: 10.0.0.1:80, weight: 9}, 10.0.0.2:80'),
  check: eachCluster((cluster, report) => {
    const priority = cluster.cluster.lbPolicy === 'RANDOM' ? unevenPriority(cluster) : undefined;
    if (priority === undefined) return;
    const host = cluster.hosts.find(
      (one) => one.priority === priority && one.endpoint.loadBalancingWeight !== undefined,
    );
    if (host === undefined) return;
    const text = `RANDOM ignores the weights of hosts: ${host.address} with weight ${host.weight} gets no more than any other`;
    report([...host.path, 'load_balancing_weight'], `${text}. Use ${cluster.policies('ROUND_ROBIN', 'LEAST_REQUEST')}`);
  }),
};
