import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { list, unevenPriority } from '../lists-shared.js';

export const choiceCountIgnored: LintRule = {
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
    const { lbPolicy, leastRequestLbConfig } = cluster.cluster;
    if (lbPolicy !== 'LEAST_REQUEST' || leastRequestLbConfig?.choiceCount === undefined) return;
    if (unevenPriority(cluster) === undefined) return;
    const text =
      'choice_count has no effect while host weights differ: hosts take turns by weight / (active requests + 1)';
    report([...cluster.path, 'least_request_lb_config', 'choice_count'], text);
  }),
};
