import { eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import { formatDuration } from '../fields/units.js';
import type { LintCluster, LintHost, Traffic } from './subject.js';
import { factsOf } from '../../policy/registry.js';

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

/** Whether the limits for these requests set any for retries. */
function limitsRetries({ cluster: { circuitBreakers } }: LintCluster, { spec }: Traffic): boolean {
  const limits = circuitBreakers?.thresholds.find(({ priority }) => priority === spec.priority);
  return limits?.maxRetries !== undefined || limits?.retryBudget !== undefined;
}

const trying = (
  perTry: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_retries: 100}]}}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: backend, arrivals: 10/s, stop: 1s, timeout: 1s, retry_policy: {retry_on: 5xx, per_try_timeout: ${perTry}}}]
`;

const limited = (
  limit: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{${limit}}]}}]
endpoints: {backend: [10.0.0.1:80]}
workloads: [{cluster: backend, arrivals: 10/s, stop: 1s}]
`;

const breakers = manual('intro/arch_overview/upstream/circuit_breaking', 'Circuit breaking');

const retrying = (rest: string): string => `clusters:
  - {name: backend, connect_timeout: 1s${rest}}
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
workloads:
  - {cluster: backend, arrivals: 500/s, stop: 10s, retry_policy: {retry_on: 5xx, num_retries: 2}}
`;

const duplicateAddresses: LintRule = {
  name: 'duplicate-addresses',
  severity: 'warning',
  aboutSplit: true,
  title: 'The same address twice in a cluster',
  why: 'A STATIC cluster keeps both entries: the host gets two shares. An EDS cluster keeps the first only, also across priorities, so the second entry’s weight, locality and priority count for nothing.',
  sources: [
    manual('intro/arch_overview/upstream/service_discovery', 'Service discovery'),
    thread(18836, 'Weighted load balancing behavior within a locality'),
  ],
  example: `clusters: [{name: backend, connect_timeout: 1s}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.1:80]}
`,
  repaired: `clusters: [{name: backend, connect_timeout: 1s}]
endpoints: {backend: [{address: 10.0.0.1:80, weight: 2}, 10.0.0.2:80]}
`,
  check: eachCluster(({ cluster: { name }, hosts, type }, report) => {
    if (type !== 'STATIC' && type !== 'EDS') return;
    const seen = new Map<string, LintHost>();
    for (const host of hosts) {
      const first = seen.get(host.address);
      seen.set(host.address, first ?? host);
      if (first === undefined) continue;
      const effect =
        type === 'EDS'
          ? 'discovery keeps the first and ignores this one'
          : 'a STATIC cluster keeps both, and the host gets two shares';
      report(host.path, `${host.address} is in ${name} already: ${effect}`);
    }
  }),
};

const retriesByDefault: LintRule = {
  name: 'retries-by-default-limit',
  severity: 'warning',
  title: 'Retries under the default limit of three',
  why: 'By default a circuit breaker allows three retries in flight for a whole cluster. It is the first limit that busy clusters meet: when many requests fail at once, nearly all retries are refused (`upstream_rq_retry_overflow`) and the failures go through.',
  sources: [
    thread(10869, 'retries: Make retry budgets default'),
    thread(29762, 'What does max_retries mean in circuit breaker'),
    breakers,
  ],
  example: retrying(''),
  repaired: retrying(', circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 20}}}]}'),
  check: eachCluster((cluster, report) => {
    const found = cluster.traffic.find(
      ({ spec: { retryPolicy }, workload }) =>
        workload && retryPolicy !== undefined && retryPolicy.numRetries > 0 && retryPolicy.retryOn.length > 0,
    );
    if (found === undefined || limitsRetries(cluster, found)) return;
    const text = `at most 3 retries to ${cluster.cluster.name} may be in flight, the default; more are refused`;
    report([...found.path, 'retry_policy'], `${text}. Set max_retries or a retry_budget in its circuit_breakers`);
  }),
};

const retryBudgetWins: LintRule = {
  name: 'retry-budget-wins',
  severity: 'note',
  title: 'max_retries beside a retry budget',
  why: 'A retry budget replaces max_retries: the fixed number is ignored, even as a floor or a ceiling.',
  sources: [thread(30974, 'What will be overridden by retry_budget'), breakers],
  example: retrying(
    ', circuit_breakers: {thresholds: [{max_retries: 100, retry_budget: {budget_percent: {value: 20}}}]}',
  ),
  repaired: retrying(', circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 20}}}]}'),
  check: eachCluster(({ cluster: { circuitBreakers }, path }, report) => {
    for (const [index, { maxRetries, retryBudget }] of (circuitBreakers?.thresholds ?? []).entries()) {
      if (maxRetries === undefined || retryBudget === undefined) continue;
      report(
        [...path, 'circuit_breakers', 'thresholds', index, 'max_retries'],
        'retry_budget replaces max_retries: this number has no effect',
      );
    }
  }),
};

const breakerForNobody: LintRule = {
  name: 'breaker-for-nobody',
  severity: 'warning',
  title: 'Circuit breakers of a priority that no request has',
  why: 'Limits belong to a routing priority. Requests are DEFAULT unless their route says HIGH, so an entry for HIGH alone leaves all others at the built-in limits of 1024.',
  sources: [breakers, manual('intro/arch_overview/http/http_routing', 'Priority routing')],
  example: limited('priority: HIGH, max_requests: 10'),
  repaired: limited('max_requests: 10'),
  check: eachCluster(({ cluster: { circuitBreakers, name }, traffic, path }, report) => {
    const used = new Set(traffic.map(({ spec }) => spec.priority));
    const limits = circuitBreakers?.thresholds ?? [];
    if (used.size === 0 || limits.length === 0 || limits.some(({ priority }) => used.has(priority))) return;
    const text = `these limits are for ${limits[0]?.priority ?? ''}, but all requests to ${name} are ${[...used].join(' and ')}`;
    report([...path, 'circuit_breakers', 'thresholds', 0], text);
  }),
};

const tryTimeoutTooLong: LintRule = {
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

const avoidsWithoutAttempts: LintRule = {
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
  check: eachCluster(({ lbPolicy, traffic, hosts, fixed }, report) => {
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

export const trafficChapter: LintChapter = {
  title: 'Hosts, retries and limits',
  rules: [
    duplicateAddresses,
    retriesByDefault,
    retryBudgetWins,
    breakerForNobody,
    tryTimeoutTooLong,
    avoidsWithoutAttempts,
  ],
};
