import { eachCluster, type LintRule } from '../../rule.js';
import { P2C, list } from '../lists-shared.js';

export const leastRequestOneHost: LintRule = {
  name: 'least-request-one-host',
  severity: 'note',
  title: 'LEAST_REQUEST for one host',
  why: 'With one host to choose from there is nothing to compare; the settings of the policy do nothing.',
  sources: [P2C],
  example: list('lb_policy: LEAST_REQUEST', '10.0.0.1:80'),
  repaired: list('lb_policy: LEAST_REQUEST', '10.0.0.1:80, 10.0.0.2:80'),
  check: eachCluster((cluster, report) => {
    const { lbPolicy, name } = cluster.cluster;
    if (lbPolicy !== 'LEAST_REQUEST' || !cluster.fixed) return;
    if (cluster.priorities.some((at) => cluster.hosts.filter(({ priority }) => priority === at).length > 1)) return;
    report([...cluster.path, 'lb_policy'], `LEAST_REQUEST has nothing to compare: ${name} has one host a priority`);
  }),
};
