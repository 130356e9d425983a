import { eachCluster, type LintRule, thread } from '../../rule.js';
import type { LintCluster, Traffic } from '../../subject.js';
import { breakers, retrying } from '../traffic-shared.js';

export const retriesByDefault: LintRule = {
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

/** Whether the limits for these requests set any for retries. */
function limitsRetries({ cluster: { circuitBreakers } }: LintCluster, { spec }: Traffic): boolean {
  const limits = circuitBreakers?.thresholds.find(({ priority }) => priority === spec.priority);
  return limits?.maxRetries !== undefined || limits?.retryBudget !== undefined;
}
