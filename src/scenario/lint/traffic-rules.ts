import { type Checks, eachCluster, type LintCluster, type Traffic } from './subject.js';
import { repeats } from '../../core/values.js';
import { factsOf } from '../../policy/registry.js';

function limitsRetries({ cluster: { circuitBreakers } }: LintCluster, { spec }: Traffic): boolean {
  const limits = circuitBreakers?.thresholds.find(({ priority }) => priority === spec.priority);
  return limits?.maxRetries !== undefined || limits?.retryBudget !== undefined;
}

export const trafficRules = {
  'duplicate-addresses': eachCluster(({ hosts, type }) => {
    if (type !== 'STATIC' && type !== 'EDS') return undefined;
    return repeats(hosts, ({ address }) => address).map(([, of]) => ({ of, address: of.address }));
  }),

  'retries-by-default-limit': eachCluster((one) => {
    const of = one.traffic.find(
      ({ spec: { retryPolicy }, workload }) =>
        workload && retryPolicy !== undefined && retryPolicy.numRetries > 0 && retryPolicy.retryOn.length > 0,
    );
    return of && !limitsRetries(one, of) && { of };
  }),

  'retry-budget-wins': eachCluster(({ cluster: { circuitBreakers } }) =>
    circuitBreakers?.thresholds.flatMap(({ maxRetries, retryBudget }, index) =>
      maxRetries === undefined || retryBudget === undefined ? [] : [{ index }],
    ),
  ),

  'breaker-for-nobody': eachCluster(({ cluster: { circuitBreakers }, traffic }) => {
    const used = new Set(traffic.map(({ spec }) => spec.priority));
    const limits = circuitBreakers?.thresholds ?? [];
    if (used.size === 0 || limits.length === 0 || limits.some(({ priority }) => used.has(priority))) return undefined;
    return { limited: limits[0]?.priority, used: [...used].join(' and ') };
  }),

  'per-try-timeout-without-effect': eachCluster(({ traffic }) =>
    traffic.flatMap((of) => {
      const { timeoutUs, retryPolicy } = of.spec;
      const perTryUs = retryPolicy?.perTryTimeoutUs ?? 0;
      return perTryUs === 0 || timeoutUs === 0 || perTryUs < timeoutUs ? [] : [{ of, timeoutUs, perTryUs }];
    }),
  ),

  'previous-hosts-gives-up': eachCluster(({ lbPolicy, traffic, hosts, fixed }) => {
    if (factsOf(lbPolicy)?.drawsHosts !== true || !fixed || hosts.length < 2) return undefined;
    const of = traffic.find(
      ({ spec: { retryPolicy } }) =>
        retryPolicy !== undefined &&
        retryPolicy.retryHostPredicate.some(({ kind }) => kind === 'previous_hosts') &&
        retryPolicy.hostSelectionRetryMaxAttempts <= 1,
    );
    const chance = Math.round(100 / hosts.length ** 2);
    return of && chance >= 1 && { of, chance };
  }),
} satisfies Checks;
