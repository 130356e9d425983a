import { formatDuration } from '../../../units.js';
import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { checked } from '../health-shared.js';

const checkPage = manual('intro/arch_overview/upstream/health_checking', 'Health checking');

export const timeoutOverInterval: LintRule = {
  name: 'health-check-timeout-over-interval',
  severity: 'warning',
  title: 'A health check that may take longer than its interval',
  why: 'The next check is sent one interval after the last one ended, so a host that hangs is checked every timeout + interval. It is found unhealthy after threshold × (timeout + interval), not after threshold × interval.',
  sources: [checkPage, thread(11527, 'EDS + active health check endpoint removal behavior')],
  example: checked('timeout: 10s, interval: 5s'),
  repaired: checked('timeout: 2s, interval: 5s'),
  check: eachCluster(({ cluster: { healthChecks }, path }, report) => {
    for (const [index, { timeout, interval, unhealthyThreshold }] of healthChecks.entries()) {
      if (timeout <= interval) continue;
      const found = `${formatDuration(timeout)} timeout, ${formatDuration(interval)} interval`;
      const after = formatDuration(Math.round(unhealthyThreshold * (timeout + interval)));
      report(
        [...path, 'health_checks', index, 'timeout'],
        `${found}: a host that hangs is found unhealthy after ${after}`,
      );
    }
  }),
};
