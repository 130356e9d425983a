import type { RunFact } from '../../result/facts.js';
import type {
  CircuitBreakerLimit,
  CircuitBreakerLimits,
  CircuitBreakerSettings,
} from '../../settings/cluster-settings.js';
import { type ClusterRun, inProxy } from './cluster-run.js';

/** Retries that were not made, and the limit that prevented them. */
export function refusedRetries(run: ClusterRun): RunFact[] {
  const [worst] = [...run.clusters].sort((a, b) => b.recorder.retryOverflow - a.recorder.retryOverflow);
  const { retryOverflow: refused = 0, retriesAllowed: allowed } = worst?.recorder ?? {};
  if (worst === undefined || refused === 0 || allowed === undefined) return [];
  const { least, most, budget } = allowed;
  return [
    {
      kind: 'retries_refused',
      retries: refused,
      ...inProxy(run, worst.proxyName),
      least_allowed: least,
      most_allowed: most,
      is_default: budget === undefined && most === breakersOf(run).maxRetries && !isConfigured(run, 'max_retries'),
      ...(budget && {
        budget: { percent: budget.budgetPercent, min_retry_concurrency: budget.minRetryConcurrency },
      }),
    },
  ];
}

/** Default limits that were reached. */
export function defaultLimits(run: ClusterRun): RunFact[] {
  const reached = (['max_connections', 'max_pending_requests', 'max_requests'] as const).filter(
    (limit) => run.world.limitsReached.has(limit) && !isConfigured(run, limit),
  );
  if (reached.length === 0) return [];
  const values = breakersOf(run);
  const limits = reached.map((limit) => ({ limit, value: values[FIELDS[limit]] }));
  return [{ kind: 'default_limits', limits, refused: run.result.overflow.requests }];
}

const FIELDS = {
  max_connections: 'maxConnections',
  max_pending_requests: 'maxPendingRequests',
  max_requests: 'maxRequests',
  max_retries: 'maxRetries',
} as const satisfies Record<CircuitBreakerLimit, keyof CircuitBreakerLimits>;

function breakersOf({ world }: ClusterRun): CircuitBreakerSettings {
  return world.settings.breakers.DEFAULT;
}

function isConfigured(run: ClusterRun, limit: CircuitBreakerLimit): boolean {
  return breakersOf(run).stated.includes(limit);
}
