import { LB_DEFAULTS } from '../../../../config/lb.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { P2C, list, unevenPriority } from '../lists-shared.js';

export const choiceCountCoversHosts: LintRule = {
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
    const { lbPolicy, leastRequestLbConfig } = cluster.cluster;
    const count = leastRequestLbConfig?.choiceCount;
    if (lbPolicy !== 'LEAST_REQUEST' || count === undefined || count <= LB_DEFAULTS.choiceCount || !cluster.fixed)
      return;
    if (leastRequestLbConfig?.selectionMethod === 'FULL_SCAN' || unevenPriority(cluster) !== undefined) return;
    const hosts = cluster.hosts.filter(({ priority }) => priority === cluster.priorities[0]).length;
    if (hosts < 2 || count < hosts) return;
    const missed = Math.round(100 * (1 - 1 / hosts) ** count);
    const text = `${count} draws among ${hosts} hosts are no full scan: they miss the least loaded host ${missed} % of the time`;
    report([...cluster.path, 'least_request_lb_config', 'choice_count'], text);
  }),
};
