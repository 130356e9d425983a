import type { Runtime } from '../core/environment.js';
import { runtimeInteger } from '../core/environment.js';

/** Limits of one routing priority, defaults filled in. */
export interface CircuitBreakerLimits {
  readonly maxConnections: number;
  readonly maxPendingRequests: number;
  readonly maxRequests: number;
  readonly maxRetries: number;
  /** Replaces `maxRetries`; undefined: no budget is configured. */
  readonly retryBudget: RetryBudgetLimits | undefined;
}

export interface RetryBudgetLimits {
  /** Percent of active and pending requests. */
  readonly budgetPercent: number;
  readonly minRetryConcurrency: number;
}

export const DEFAULT_LIMITS: CircuitBreakerLimits = {
  maxConnections: 1024,
  maxPendingRequests: 1024,
  maxRequests: 1024,
  maxRetries: 3,
  retryBudget: undefined,
};

export const DEFAULT_RETRY_BUDGET: RetryBudgetLimits = { budgetPercent: 20, minRetryConcurrency: 3 };

/** Something of which a cluster may have only so many at once. */
export interface Resource {
  readonly count: number;
  /** Nothing more is admitted. */
  readonly open: boolean;
  /** How many more are admitted. */
  readonly remaining: number;
  canCreate(): boolean;
  increment(): void;
  decrement(): void;
}

class LimitedResource implements Resource {
  count = 0;

  /** @param max the limit of the moment: runtime may change it at any time. */
  constructor(private readonly max: () => number) {}

  get open(): boolean {
    return !this.canCreate();
  }

  get remaining(): number {
    return Math.max(0, this.max() - this.count);
  }

  canCreate(): boolean {
    return this.count < this.max();
  }

  increment(): void {
    this.count++;
  }

  decrement(): void {
    this.count--;
  }
}

/**
 * The circuit breaker of one cluster and routing priority: counts what is in flight, for all workers together, and says
 * whether one more is admitted.
 *
 * Limits are read at each decision, so that runtime keys `circuit_breakers.<cluster>.<priority>.*` act at once.
 */
export class CircuitBreaker {
  readonly connections: Resource;
  /** Requests that wait for a connection. */
  readonly pendingRequests: Resource;
  readonly requests: Resource;
  /** Retries from the end of their back-off on. */
  readonly retries: Resource;

  /** @param priority as runtime keys write it: `default` or `high`. */
  constructor(limits: CircuitBreakerLimits, runtime: Runtime, cluster: string, priority: 'default' | 'high') {
    const prefix = `circuit_breakers.${cluster}.${priority}.`;
    const limited = (key: string, configured: number): Resource =>
      new LimitedResource(() => runtimeInteger(runtime, prefix + key, configured));
    this.connections = limited('max_connections', limits.maxConnections);
    this.pendingRequests = limited('max_pending_requests', limits.maxPendingRequests);
    this.requests = limited('max_requests', limits.maxRequests);
    this.retries = new LimitedResource(() => this.maxRetries(limits, runtime, prefix));
  }

  private maxRetries(limits: CircuitBreakerLimits, runtime: Runtime, prefix: string): number {
    const percent = runtime.number(`${prefix}retry_budget.budget_percent`);
    const least = runtime.number(`${prefix}retry_budget.min_retry_concurrency`);
    if (limits.retryBudget === undefined && percent === undefined && least === undefined) {
      return runtimeInteger(runtime, `${prefix}max_retries`, limits.maxRetries);
    }
    const budget = limits.retryBudget ?? DEFAULT_RETRY_BUDGET;
    const base = this.requests.count + this.pendingRequests.count;
    const allowed = Math.trunc(((percent ?? budget.budgetPercent) / 100) * base);
    return Math.max(allowed, least ?? budget.minRetryConcurrency);
  }
}
