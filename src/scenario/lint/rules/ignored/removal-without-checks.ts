import { eachCluster, type LintRule, thread } from '../../rule.js';
import { cluster, clusterPage } from '../ignored-shared.js';

export const removalWithoutChecks: LintRule = {
  name: 'removal-without-checks',
  severity: 'note',
  title: 'drain_connections_on_host_removal without health checks',
  why: 'Only health checks keep a host that discovery has dropped. Without them it leaves at once, with or without this setting.',
  sources: [clusterPage, thread(11527, 'EDS + active health check endpoint removal behavior')],
  example: cluster('drain_connections_on_host_removal: true'),
  repaired: cluster(
    'drain_connections_on_host_removal: true, health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}]',
  ),
  check: eachCluster(({ cluster: { drainConnectionsOnHostRemoval, healthChecks }, path }, report) => {
    if (!drainConnectionsOnHostRemoval || healthChecks.length > 0) return;
    report(
      [...path, 'drain_connections_on_host_removal'],
      'this has no effect: without health_checks a host that discovery drops goes at once',
    );
  }),
};
