import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { head, weighted } from '../localities-shared.js';

export const overprovisioningWithoutChoice: LintRule = {
  name: 'overprovisioning-without-choice',
  severity: 'note',
  title: 'An overprovisioning factor where there is nothing to fail over to',
  why: 'The factor decides how unhealthy a priority, or a weighted locality, may become before its traffic moves to the next. With one priority and no weighted localities there is no next: only the panic threshold matters, and the factor only scales the total that panic is measured by.',
  sources: [
    manual(`${BALANCING}/overprovisioning`, 'Overprovisioning factor'),
    thread(3222, 'Make priority/locality overprovision factor configurable'),
  ],
  example: `${head()}
    load_assignment:
      cluster_name: backend
      policy: {overprovisioning_factor: 200}
      endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]`,
  repaired: `${head()}
    outlier_detection: {max_ejection_percent: 50}
    load_assignment:
      cluster_name: backend
      policy: {overprovisioning_factor: 200}
      endpoints:
        - lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]
        - {priority: 1, lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`,
  check: eachCluster((cluster, report) => {
    const factor = cluster.assignment?.policy?.overprovisioningFactor;
    if (factor === undefined || weighted(cluster) || cluster.priorities.length !== 1 || !cluster.fixed) return;
    const text = 'overprovisioning_factor moves no traffic: there is one priority and localities have no weights';
    report([...cluster.assignmentPath, 'policy', 'overprovisioning_factor'], text);
  }),
};
