import { count, counted, decimal, listed } from '../../core/words.js';
import { DEFAULT_LIMITS, type CircuitBreakerLimit } from '../../upstream/circuit-breaker.js';
import { limitsOf, thresholdsOf } from '../../upstream/cluster-info.js';
import { type ClusterRun, inProxy } from './run-reason.js';

/** Retries that were not made, and the limit that prevented them. */
export function refusedRetries(run: ClusterRun): string[] {
  const [worst] = [...run.clusters].sort((a, b) => b.recorder.retryOverflow - a.recorder.retryOverflow);
  const { retryOverflow: refused = 0, retriesAllowed: allowed } = worst?.recorder ?? {};
  if (worst === undefined || refused === 0 || allowed === undefined) return [];
  const { least, most, budget } = allowed;
  const where = inProxy(run, worst.proxyName);
  if (budget !== undefined) {
    const range = least === most ? count(least) : `${count(least)} to ${count(most)}`;
    const rule = `${decimal(budget.budgetPercent, 2)} % of active and pending requests, at least ${count(budget.minRetryConcurrency)}`;
    return [`the retry budget (${rule}) allowed ${range} at once${where} when it refused ${refusals(refused)}`];
  }
  const isDefault = most === DEFAULT_LIMITS.maxRetries && !isConfigured(run, 'max_retries');
  const advice = isDefault ? '; set it or a retry_budget in circuit_breakers' : '';
  const limit = `max_retries of ${count(most)}${isDefault ? ', the default,' : ''}`;
  return [`${limit} refused ${refusals(refused)}${where}${advice}`];
}

function refusals(refused: number): string {
  return counted(refused, 'retry', 'retries');
}

/** Default limits that were reached. */
export function defaultLimits(run: ClusterRun): string[] {
  const reached = (['max_connections', 'max_pending_requests', 'max_requests'] as const).filter(
    (limit) => run.world.limitsReached.has(limit) && !isConfigured(run, limit),
  );
  if (reached.length === 0) return [];
  const { requests } = run.result.overflow;
  const values = limitsOf(run.world.config, 'DEFAULT');
  const limits = listed(reached.map((limit) => `${limit} (${count(values[FIELDS[limit]])})`));
  const wait = reached.includes('max_connections') ? 'beyond max_connections requests wait' : '';
  const refused = requests === 0 ? '' : `${counted(requests, 'request')} ${requests === 1 ? 'was' : 'were'} refused`;
  const effects = [wait, refused].filter((text) => text !== '').join(', and ');
  const named = reached.length === 1 ? 'the default limit' : 'the default limits';
  return [`${named} ${limits} ${reached.length === 1 ? 'was' : 'were'} reached${effects === '' ? '' : `: ${effects}`}`];
}

const FIELDS = {
  max_connections: 'maxConnections',
  max_pending_requests: 'maxPendingRequests',
  max_requests: 'maxRequests',
  max_retries: 'maxRetries',
} as const satisfies Record<CircuitBreakerLimit, keyof typeof DEFAULT_LIMITS>;

function isConfigured({ world }: ClusterRun, limit: CircuitBreakerLimit): boolean {
  return thresholdsOf(world.config, 'DEFAULT')?.[FIELDS[limit]] !== undefined;
}
