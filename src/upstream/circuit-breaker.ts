import { type Runtime, runtimeInteger } from '../core/environment.js';
import type { CircuitBreakerLimit, CircuitBreakerLimits, RetryBudgetLimits } from '../settings/cluster-settings.js';

type LimitChanged = (limit: CircuitBreakerLimit, reached: boolean) => void;

/** A resource that the cluster may use only up to a limit. */
export abstract class Resource {
  count = 0;
  abstract readonly max: number;

  /** The limit is reached: no more is admitted. */
  get open(): boolean {
    return this.count >= this.max;
  }

  get remaining(): number {
    return Math.max(0, this.max - this.count);
  }

  abstract increment(): void;
  abstract decrement(): void;
}

class LimitedResource extends Resource {
  max = 0;

  constructor(
    private readonly limit: CircuitBreakerLimit,
    private readonly changed: LimitChanged,
  ) {
    super();
  }

  increment(): void {
    if (++this.count === this.max) this.changed(this.limit, true);
  }

  decrement(): void {
    if (this.count-- === this.max) this.changed(this.limit, false);
  }
}

/** Retries, limited in proportion to what is active and pending at the moment. */
class BudgetedRetries extends Resource {
  /** undefined: a plain limit holds instead. */
  budget: RetryBudgetLimits | undefined;
  limit = 0;
  private reported = false;

  constructor(
    private readonly active: Resource,
    private readonly pending: Resource,
    private readonly changed: LimitChanged,
  ) {
    super();
  }

  get max(): number {
    if (this.budget === undefined) return this.limit;
    const allowed = Math.trunc((this.budget.budgetPercent / 100) * (this.active.count + this.pending.count));
    return Math.max(allowed, this.budget.minRetryConcurrency);
  }

  increment(): void {
    this.count++;
    if (!this.reported) this.report();
  }

  decrement(): void {
    this.count--;
    if (this.reported) this.report();
  }

  private report(): void {
    if (this.open === this.reported) return;
    this.reported = this.open;
    this.changed('max_retries', this.reported);
  }
}

/** For all workers together. Runtime keys override the limits, `circuit_breakers.<cluster>.<priority>.*`; see {@link readRuntime}. */
export class CircuitBreaker {
  readonly connections: LimitedResource;
  readonly pendingRequests: LimitedResource;
  readonly requests: LimitedResource;
  /** Retries from the start of their back-off on. */
  readonly retries: BudgetedRetries;

  /** @param priority as runtime keys write it: `default` or `high`. */
  constructor(
    private limits: CircuitBreakerLimits,
    private readonly runtime: Runtime,
    private readonly cluster: string,
    private readonly priority: 'default' | 'high',
    limitChanged: LimitChanged = () => undefined,
  ) {
    this.connections = new LimitedResource('max_connections', limitChanged);
    this.pendingRequests = new LimitedResource('max_pending_requests', limitChanged);
    this.requests = new LimitedResource('max_requests', limitChanged);
    this.retries = new BudgetedRetries(this.requests, this.pendingRequests, limitChanged);
    this.readRuntime();
  }

  admitsConnection(ofHost: number): boolean {
    return ofHost < this.limits.maxConnectionsPerHost && !this.connections.open;
  }

  setLimits(limits: CircuitBreakerLimits): void {
    this.limits = limits;
    this.readRuntime();
  }

  /** Runtime values have changed: they act from now on. */
  readRuntime(): void {
    const { limits, runtime, retries } = this;
    const prefix = `circuit_breakers.${this.cluster}.${this.priority}.`;
    this.connections.max = runtimeInteger(runtime, `${prefix}max_connections`, limits.maxConnections);
    this.pendingRequests.max = runtimeInteger(runtime, `${prefix}max_pending_requests`, limits.maxPendingRequests);
    this.requests.max = runtimeInteger(runtime, `${prefix}max_requests`, limits.maxRequests);
    retries.limit = runtimeInteger(runtime, `${prefix}max_retries`, limits.maxRetries);
    const percent = runtime.number(`${prefix}retry_budget.budget_percent`);
    const least = runtime.number(`${prefix}retry_budget.min_retry_concurrency`);
    // A budget holds as soon as any of its fields or runtime keys is there.
    const configured = limits.hasRetryBudget || percent !== undefined || least !== undefined;
    const { budgetPercent, minRetryConcurrency } = limits.retryBudget;
    retries.budget = configured
      ? { budgetPercent: percent ?? budgetPercent, minRetryConcurrency: least ?? minRetryConcurrency }
      : undefined;
  }
}
