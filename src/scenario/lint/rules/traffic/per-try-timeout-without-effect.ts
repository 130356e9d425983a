import { formatDuration } from '../../../units.js';
import { eachCluster, type LintRule, manual } from '../../rule.js';

const trying = (
  perTry: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_retries: 100}]}}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: backend, arrivals: 10/s, stop: 1s, timeout: 1s, retry_policy: {retry_on: 5xx, per_try_timeout: ${perTry}}}]
`;

export const tryTimeoutTooLong: LintRule = {
  name: 'per-try-timeout-without-effect',
  severity: 'note',
  title: 'A per-try timeout that is no shorter than the timeout',
  why: 'The timeout of the request covers all of its tries. A per-try timeout of the same length never fires first, so a try that hangs is never retried.',
  sources: [manual('configuration/http/http_filters/router_filter', 'x-envoy-upstream-rq-per-try-timeout-ms')],
  example: trying('2s'),
  repaired: trying('0.4s'),
  check: eachCluster(({ traffic }, report) => {
    for (const { spec, path } of traffic) {
      const perTry = spec.retryPolicy?.perTryTimeoutUs ?? 0;
      if (perTry === 0 || spec.timeoutUs === 0 || perTry < spec.timeoutUs) continue;
      const text = `the whole request times out after ${formatDuration(spec.timeoutUs)}: no try ever reaches ${formatDuration(perTry)}`;
      report([...path, 'retry_policy', 'per_try_timeout'], text);
    }
  }),
};
