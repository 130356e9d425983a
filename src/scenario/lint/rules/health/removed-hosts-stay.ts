import { eachCluster, type LintRule, thread } from '../../rule.js';
import { checked } from '../health-shared.js';

const LEAVES = 'timeline: [{at: 5s, remove_hosts: 10.0.0.4:80}]\n';

export const removedHostsStay: LintRule = {
  name: 'removed-hosts-stay',
  severity: 'warning',
  title: 'Hosts that leave discovery under active health checks',
  why: 'An actively checked host that discovery drops stays in rotation until a check of it fails: discovery is only eventually consistent, so the proxy trusts the check. `drain_connections_on_host_removal: true` removes it at once.',
  sources: [
    thread(11527, 'EDS + active health check endpoint removal behavior'),
    thread('envoyproxy/gateway/issues/4564', 'ignore health status on endpoint removal'),
  ],
  example: checked('timeout: 1s, interval: 5s') + LEAVES,
  repaired: checked('timeout: 1s, interval: 5s', 'drain_connections_on_host_removal: true') + LEAVES,
  check: eachCluster((one, report, { timeline }) => {
    const { healthChecks, drainConnectionsOnHostRemoval, name } = one.cluster;
    if (healthChecks.length === 0 || drainConnectionsOnHostRemoval) return;
    const entry = timeline.findIndex(
      ({ action }) => action.kind === 'remove_hosts' && (action.hosts.cluster ?? name) === name,
    );
    if (entry === -1) return;
    const text = `these hosts stay in rotation until a health check of ${name} fails`;
    report(
      ['timeline', entry, 'remove_hosts'],
      `${text}; set ${one.placeOf('drain_connections_on_host_removal') ?? ''}: true to let them go at once`,
    );
  }),
};
