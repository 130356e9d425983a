import { factsOf } from '../../../../policy/registry.js';
import { eachCluster, type LintRule, manual, thread } from '../../rule.js';

const avoiding = (
  attempts: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, lb_policy: RANDOM, circuit_breakers: {thresholds: [{max_retries: 100}]}}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
workloads:
  - cluster: backend
    arrivals: 10/s
    stop: 1s
    retry_policy: {retry_on: 5xx, retry_host_predicate: [proxy.retry_host_predicates.previous_hosts]${attempts}}
`;

export const avoidsWithoutAttempts: LintRule = {
  name: 'previous-hosts-gives-up',
  severity: 'note',
  title: 'previous_hosts with a single selection attempt',
  why: 'When a retry draws a host that was tried already, it draws again, at most host_selection_retry_max_attempts times (1 by default), and then takes whatever it has. With few hosts that is often the host that just failed.',
  sources: [
    thread(13465, 'What is host_selection_retry_max_attempts on retry_policy?'),
    thread(27317, 'Retry failed somehow when load balancing policy is RANDOM / RING_HASH / MAGLEV'),
    manual('api-v2/api/v2/route/route_components.proto', 'RetryPolicy.host_selection_retry_max_attempts'),
  ],
  example: avoiding(''),
  repaired: avoiding(', host_selection_retry_max_attempts: 5'),
  check: eachCluster(({ cluster: { lbPolicy }, traffic, hosts, fixed }, report) => {
    if (factsOf(lbPolicy)?.drawsHosts !== true || !fixed || hosts.length < 2) return;
    const found = traffic.find(
      ({ spec: { retryPolicy } }) =>
        retryPolicy !== undefined &&
        retryPolicy.retryHostPredicate.some(({ kind }) => kind === 'previous_hosts') &&
        retryPolicy.hostSelectionRetryMaxAttempts <= 1,
    );
    if (found === undefined) return;
    const chance = Math.round(100 / hosts.length ** 2);
    if (chance < 1) return;
    const text = `a retry draws again once and then takes what it has: about ${chance} % of retries meet the host that failed`;
    report([...found.path, 'retry_policy'], `${text}. Set host_selection_retry_max_attempts`);
  }),
};
