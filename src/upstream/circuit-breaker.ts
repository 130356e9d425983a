import { type Runtime, runtimeInteger } from '../core/environment.js';
import type { CircuitBreakerLimit, CircuitBreakerLimits, RetryBudgetLimits } from '../settings/cluster-settings.js';

type LimitChanged = (limit: CircuitBreakerLimit, reached: boolean) => void;

/** A resource that the cluster may use only up to a limit. */
export class Resource {
  count = 0;
  /** As configured, or as the runtime says. */
  limit = 0;

  constructor(
    private readonly name: CircuitBreakerLimit,
    protected readonly changed: LimitChanged,
  ) {}

  get max(): number {
    return this.limit;
  }

  /** The limit is reached: no more is admitted. */
  get open(): boolean {
    return this.count >= this.max;
  }

  get remaining(): number {
    return Math.max(0, this.max - this.count);
  }

  increment(): void {
    if (++this.count === this.limit) this.changed(this.name, true);
  }

  decrement(): void {
    if (this.count-- === this.limit) this.changed(this.name, false);
  }
}

/** Retries, limited in proportion to what is active and pending at the moment. */
class BudgetedRetries extends Resource {
  /** undefined: a plain limit holds instead. */
  budget: RetryBudgetLimits | undefined;
  private reported = false;

  constructor(
    private readonly active: Resource,
    private readonly pending: Resource,
    changed: LimitChanged,
  ) {
    super('max_retries', changed);
  }

  override get max(): number {
    if (this.budget === undefined) return this.limit;
    const allowed = Math.trunc((this.budget.budgetPercent / 100) * (this.active.count + this.pending.count));
    return Math.max(allowed, this.budget.minRetryConcurrency);
  }

  override increment(): void {
    this.count++;
    if (!this.reported) this.report();
  }

  override decrement(): void {
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
  readonly connections: Resource = new Resource('max_connections', this.limitChanged);
  readonly pendingRequests: Resource = new Resource('max_pending_requests', this.limitChanged);
  readonly requests: Resource = new Resource('max_requests', this.limitChanged);
  /** Retries from the start of their back-off on. */
  readonly retries: BudgetedRetries = new BudgetedRetries(this.requests, this.pendingRequests, this.limitChanged);

  /** @param priority as runtime keys write it: `default` or `high`. */
  constructor(
    private limits: CircuitBreakerLimits,
    private readonly runtime: Runtime,
    private readonly cluster: string,
    private readonly priority: 'default' | 'high',
    private readonly limitChanged: LimitChanged = () => undefined,
  ) {
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
    this.connections.limit = runtimeInteger(runtime, `${prefix}max_connections`, limits.maxConnections);
    this.pendingRequests.limit = runtimeInteger(runtime, `${prefix}max_pending_requests`, limits.maxPendingRequests);
    this.requests.limit = runtimeInteger(runtime, `${prefix}max_requests`, limits.maxRequests);
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
