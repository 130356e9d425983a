import type { LintCluster } from './subject.js';
import { type Checks, eachCluster } from './rule.js';
import { LB_DEFAULTS } from '../../core/defaults.js';

/** A priority whose hosts differ in weight. */
export function unevenPriority({ hosts, priorities }: LintCluster): number | undefined {
  return priorities.find(
    (at) => new Set(hosts.flatMap((host) => (host.priority === at ? [host.weight] : []))).size > 1,
  );
}

export const listsRules = {
  'random-ignores-weights': eachCluster((cluster, report) => {
    const priority = cluster.lbPolicy === 'RANDOM' ? unevenPriority(cluster) : undefined;
    if (priority === undefined) return;
    const host = cluster.hosts.find(
      (one) => one.priority === priority && one.endpoint.loadBalancingWeight !== undefined,
    );
    if (host === undefined) return;
    const text = `RANDOM ignores the weights of hosts: ${host.address} with weight ${host.weight} gets no more than any other`;
    report('load_balancing_weight', `${text}. Use ${cluster.policies('ROUND_ROBIN', 'LEAST_REQUEST')}`, host);
  }),

  'least-request-one-host': eachCluster((cluster, report) => {
    const { name } = cluster.cluster;
    if (cluster.leaf.kind !== 'least_request' || !cluster.fixed) return;
    if (cluster.priorities.some((at) => cluster.hosts.filter(({ priority }) => priority === at).length > 1)) return;
    report('lb_policy', `LEAST_REQUEST has nothing to compare: ${name} has one host a priority`);
  }),

  'choice-count-ignored': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || leaf.choiceCount === undefined) return;
    if (unevenPriority(cluster) === undefined) return;
    const text =
      'choice_count has no effect while host weights differ: hosts take turns by weight / (active requests + 1)';
    report('least_request_lb_config.choice_count', text);
  }),

  'choice-count-covers-hosts': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || !cluster.fixed) return;
    const count = leaf.choiceCount;
    if (count === undefined || count <= LB_DEFAULTS.choiceCount) return;
    if (leaf.selectionMethod === 'FULL_SCAN' || unevenPriority(cluster) !== undefined) return;
    const hosts = cluster.hosts.filter(({ priority }) => priority === cluster.priorities[0]).length;
    if (hosts < 2 || count < hosts) return;
    const missed = Math.round(100 * (1 - 1 / hosts) ** count);
    const text = `${count} draws among ${hosts} hosts are no full scan: they miss the least loaded host ${missed} % of the time`;
    report('least_request_lb_config.choice_count', text);
  }),
} satisfies Checks;
