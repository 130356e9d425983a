import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import type { LintCluster, LintSubject } from '../../subject.js';
import { cluster } from '../health-shared.js';

export const failoverWithoutHealth: LintRule = {
  name: 'failover-without-health',
  severity: 'warning',
  title: 'Priorities without anything that detects a host is down',
  why: 'Traffic moves to the next priority when hosts of the first are unhealthy. Without health checks, outlier detection or a health status from discovery every host is healthy for ever, and the next priority never gets a request, even while all of the first refuse connections. Under EDS that is up to the control plane: traffic moves when it says so, and not before.',
  sources: [
    thread('istio/istio/issues/48084', 'Locality based load balancing is dependent on outlier detection'),
    thread('istio/istio/issues/12961', 'Locality LB outlierDetection requirement'),
    manual(`${BALANCING}/priority`, 'Priority levels'),
  ],
  example: cluster('', '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}'),
  repaired: cluster(
    'outlier_detection: {max_ejection_percent: 50}',
    '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}',
  ),
  check: eachCluster((one, report, subject) => {
    // A level without hosts passes everything on.
    const [first, second] = one.priorities.filter((priority) => one.hosts.some((host) => host.priority === priority));
    if (first === undefined || second === undefined || canFail(one, subject)) return;
    const group = one.groups.find(({ group: { priority } }) => priority === second);
    const text =
      one.type === 'EDS'
        ? `priority ${second} gets requests only once the control plane takes hosts of priority ${first} away, or calls them unhealthy: the proxy does not find out`
        : `priority ${second} never gets a request: nothing tells that a host of priority ${first} is down`;
    report([...(group?.path ?? one.path), 'priority'], `${text}. Add health_checks or outlier_detection`);
  }),
};

/** Whether anything can ever make a host of the cluster unhealthy. */
function canFail(
  { cluster: { healthChecks, outlierDetection }, hosts }: LintCluster,
  { timeline, timelineRead }: LintSubject,
): boolean {
  if (healthChecks.length > 0 || outlierDetection !== undefined || !timelineRead) return true;
  if (hosts.some(({ endpoint: { healthStatus } }) => healthStatus !== 'UNKNOWN' && healthStatus !== 'HEALTHY'))
    return true;
  return timeline.some(({ action: { kind } }) =>
    ['set_health', 'assign', 'remove_hosts', 'update_cluster', 'dns'].includes(kind),
  );
}
