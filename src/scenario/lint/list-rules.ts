import type { LintCluster } from './subject.js';
import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import { LB_DEFAULTS } from '../../config/lb.js';

const list = (policy: string, endpoints: string): string => `clusters: [{name: backend, connect_timeout: 1s, ${policy}}]
endpoints: {backend: [${endpoints}]}
`;

const P2C = {
  title: 'Mitzenmacher, The Power of Two Choices in Randomized Load Balancing, IEEE TPDS 12(10), 2001',
  url: 'https://www.eecs.harvard.edu/~michaelm/postscripts/tpds2001.pdf',
};

/** A priority whose hosts differ in weight. */
export function unevenPriority({ hosts, priorities }: LintCluster): number | undefined {
  return priorities.find(
    (at) => new Set(hosts.flatMap((host) => (host.priority === at ? [host.weight] : []))).size > 1,
  );
}

const randomIgnoresWeights: LintRule = {
  name: 'random-ignores-weights',
  severity: 'warning',
  aboutSplit: true,
  title: 'Host weights under RANDOM',
  why: 'RANDOM draws each host with the same chance. The weights of hosts are read by ROUND_ROBIN, LEAST_REQUEST, RING_HASH and MAGLEV only; weighted localities count under RANDOM, too.',
  sources: [manual(`${BALANCING}/load_balancers`, 'Random'), thread(25692, 'weights that are not respected')],
  example: list('lb_policy: RANDOM', '{address: 10.0.0.1:80, weight: 9}, 10.0.0.2:80'),
  repaired: list('lb_policy: ROUND_ROBIN', '{address: 10.0.0.1:80, weight: 9}, 10.0.0.2:80'),
  check: eachCluster((cluster, report) => {
    const priority = cluster.lbPolicy === 'RANDOM' ? unevenPriority(cluster) : undefined;
    if (priority === undefined) return;
    const host = cluster.hosts.find(
      (one) => one.priority === priority && one.endpoint.loadBalancingWeight !== undefined,
    );
    if (host === undefined) return;
    const text = `RANDOM ignores the weights of hosts: ${host.address} with weight ${host.weight} gets no more than any other`;
    report([...host.path, 'load_balancing_weight'], `${text}. Use ${cluster.policies('ROUND_ROBIN', 'LEAST_REQUEST')}`);
  }),
};

const leastRequestOneHost: LintRule = {
  name: 'least-request-one-host',
  severity: 'note',
  title: 'LEAST_REQUEST for one host',
  why: 'With one host to choose from there is nothing to compare; the settings of the policy do nothing.',
  sources: [P2C],
  example: list('lb_policy: LEAST_REQUEST', '10.0.0.1:80'),
  repaired: list('lb_policy: LEAST_REQUEST', '10.0.0.1:80, 10.0.0.2:80'),
  check: eachCluster((cluster, report) => {
    const { name } = cluster.cluster;
    if (cluster.leaf.kind !== 'least_request' || !cluster.fixed) return;
    if (cluster.priorities.some((at) => cluster.hosts.filter(({ priority }) => priority === at).length > 1)) return;
    report([...cluster.path, 'lb_policy'], `LEAST_REQUEST has nothing to compare: ${name} has one host a priority`);
  }),
};

const choiceCountIgnored: LintRule = {
  name: 'choice-count-ignored',
  severity: 'warning',
  aboutSplit: true,
  title: 'choice_count where host weights differ',
  why: 'As soon as two hosts of a priority differ in weight, LEAST_REQUEST stops drawing: it becomes a weighted rotation in which a host’s weight is divided by its active requests plus one. choice_count plays no part then.',
  sources: [
    manual(`${BALANCING}/load_balancers`, 'Weighted least request'),
    thread(3284, 'uneven request distribution when using weighted LR LB'),
  ],
  example: list(
    'lb_policy: LEAST_REQUEST, least_request_lb_config: {choice_count: 3}',
    '{address: 10.0.0.1:80, weight: 2}, {address: 10.0.0.2:80, count: 9}',
  ),
  repaired: list(
    'lb_policy: LEAST_REQUEST, least_request_lb_config: {choice_count: 3}',
    '{address: 10.0.0.1:80, count: 10}',
  ),
  check: eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || leaf.choiceCount === undefined) return;
    if (unevenPriority(cluster) === undefined) return;
    const text =
      'choice_count has no effect while host weights differ: hosts take turns by weight / (active requests + 1)';
    report([...cluster.path, 'least_request_lb_config', 'choice_count'], text);
  }),
};

const choiceCountCoversHosts: LintRule = {
  name: 'choice-count-covers-hosts',
  severity: 'note',
  title: 'A choice_count as large as the number of hosts',
  why: 'Hosts are drawn with replacement: n draws among n hosts miss any given host with probability (1 − 1/n)ⁿ, about 37 %. It is no full scan, so the least loaded host is passed over often; and the more draws, the more the workers of a fleet agree on the same host.',
  sources: [
    thread(20420, 'WeightedLeastRequest LB not fully respecting P2C'),
    thread(11004, 'Least requests LB is not fair at edge cases'),
    P2C,
  ],
  example: list(
    'lb_policy: LEAST_REQUEST, least_request_lb_config: {choice_count: 4}',
    '{address: 10.0.0.1:80, count: 4}',
  ),
  repaired: list('lb_policy: LEAST_REQUEST', '{address: 10.0.0.1:80, count: 4}'),
  check: eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || !cluster.fixed) return;
    const count = leaf.choiceCount;
    if (count === undefined || count <= LB_DEFAULTS.choiceCount) return;
    if (leaf.selectionMethod === 'FULL_SCAN' || unevenPriority(cluster) !== undefined) return;
    const hosts = cluster.hosts.filter(({ priority }) => priority === cluster.priorities[0]).length;
    if (hosts < 2 || count < hosts) return;
    const missed = Math.round(100 * (1 - 1 / hosts) ** count);
    const text = `${count} draws among ${hosts} hosts are no full scan: they miss the least loaded host ${missed} % of the time`;
    report([...cluster.path, 'least_request_lb_config', 'choice_count'], text);
  }),
};

export const listsChapter: LintChapter = {
  title: 'ROUND_ROBIN, LEAST_REQUEST and RANDOM',
  rules: [randomIgnoresWeights, leastRequestOneHost, choiceCountIgnored, choiceCountCoversHosts],
};
