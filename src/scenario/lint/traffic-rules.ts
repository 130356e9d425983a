import { type Checks, eachCluster, type LintCluster, type LintHost, type Traffic } from './subject.js';
import { formatDuration } from '../fields/units.js';
import { factsOf } from '../../policy/registry.js';

function limitsRetries({ cluster: { circuitBreakers } }: LintCluster, { spec }: Traffic): boolean {
  const limits = circuitBreakers?.thresholds.find(({ priority }) => priority === spec.priority);
  return limits?.maxRetries !== undefined || limits?.retryBudget !== undefined;
}

export const trafficRules = {
  'duplicate-addresses': eachCluster(({ cluster: { name }, hosts, type }, report) => {
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
      report('', `${host.address} is in ${name} already: ${effect}`, host);
    }
  }),

  'retries-by-default-limit': eachCluster((cluster, report) => {
    const found = cluster.traffic.find(
      ({ spec: { retryPolicy }, workload }) =>
        workload && retryPolicy !== undefined && retryPolicy.numRetries > 0 && retryPolicy.retryOn.length > 0,
    );
    if (found === undefined || limitsRetries(cluster, found)) return;
    const text = `at most 3 retries to ${cluster.cluster.name} may be in flight by default, and more are refused`;
    report('retry_policy', `${text}. Set max_retries or a retry_budget in its circuit_breakers`, found);
  }),

  'retry-budget-wins': eachCluster(({ cluster: { circuitBreakers } }, report) => {
    for (const [index, { maxRetries, retryBudget }] of (circuitBreakers?.thresholds ?? []).entries()) {
      if (maxRetries === undefined || retryBudget === undefined) continue;
      report(
        `circuit_breakers.thresholds.${index}.max_retries`,
        'retry_budget replaces max_retries: this number has no effect',
      );
    }
  }),

  'breaker-for-nobody': eachCluster(({ cluster: { circuitBreakers, name }, traffic }, report) => {
    const used = new Set(traffic.map(({ spec }) => spec.priority));
    const limits = circuitBreakers?.thresholds ?? [];
    if (used.size === 0 || limits.length === 0 || limits.some(({ priority }) => used.has(priority))) return;
    const text = `these limits are for ${limits[0]?.priority ?? ''}, but all requests to ${name} are ${[...used].join(' and ')}`;
    report('circuit_breakers.thresholds.0', text);
  }),

  'per-try-timeout-without-effect': eachCluster(({ traffic }, report) => {
    for (const one of traffic) {
      const { spec } = one;
      const perTry = spec.retryPolicy?.perTryTimeoutUs ?? 0;
      if (perTry === 0 || spec.timeoutUs === 0 || perTry < spec.timeoutUs) continue;
      const text = `the whole request times out after ${formatDuration(spec.timeoutUs)}: no try ever reaches ${formatDuration(perTry)}`;
      report('retry_policy.per_try_timeout', text, one);
    }
  }),

  'previous-hosts-gives-up': eachCluster(({ lbPolicy, traffic, hosts, fixed }, report) => {
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
    report('retry_policy', `${text}. Set host_selection_retry_max_attempts`, found);
  }),
} satisfies Checks;
