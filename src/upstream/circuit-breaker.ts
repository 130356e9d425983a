import { defaultOf } from '../config/defaults.js';
import type { Runtime } from '../core/environment.js';
import { runtimeInteger } from '../core/environment.js';

/** Limits of one routing priority, defaults filled in. */
export interface CircuitBreakerLimits {
  readonly maxConnections: number;
  /** Of each host. */
  readonly maxConnectionsPerHost: number;
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

const THRESHOLDS = 'cluster.CircuitBreakers.Thresholds';

export const DEFAULT_LIMITS: CircuitBreakerLimits = {
  maxConnections: defaultOf(THRESHOLDS, 'max_connections'),
  maxConnectionsPerHost: Infinity,
  maxPendingRequests: defaultOf(THRESHOLDS, 'max_pending_requests'),
  maxRequests: defaultOf(THRESHOLDS, 'max_requests'),
  maxRetries: defaultOf(THRESHOLDS, 'max_retries'),
  retryBudget: undefined,
};

export const DEFAULT_RETRY_BUDGET: RetryBudgetLimits = {
  budgetPercent: defaultOf(`${THRESHOLDS}.RetryBudget`, 'budget_percent'),
  minRetryConcurrency: defaultOf(`${THRESHOLDS}.RetryBudget`, 'min_retry_concurrency'),
};

export type CircuitBreakerLimit = 'max_connections' | 'max_pending_requests' | 'max_requests' | 'max_retries';

/** A resource that the cluster may use only up to a limit. */
export interface Resource {
  readonly count: number;
  /** The limit is reached: no more is admitted. */
  readonly open: boolean;
  /** How many more are admitted. */
  readonly remaining: number;
  canCreate(): boolean;
  increment(): void;
  decrement(): void;
}

/** Called when a limit is reached, and when it is reached no longer. */
type LimitChanged = (limit: CircuitBreakerLimit, reached: boolean) => void;

class LimitedResource implements Resource {
  count = 0;
  max = 0;

  constructor(
    private readonly limit: CircuitBreakerLimit,
    private readonly changed: LimitChanged | undefined,
  ) {}

  get open(): boolean {
    return !this.canCreate();
  }

  get remaining(): number {
    return Math.max(0, this.max - this.count);
  }

  canCreate(): boolean {
    return this.count < this.max;
  }

  increment(): void {
    if (++this.count === this.max) this.changed?.(this.limit, true);
  }

  decrement(): void {
    if (this.count-- === this.max) this.changed?.(this.limit, false);
  }
}

/** Retries, limited in proportion to what is active and pending at the moment. */
class BudgetedRetries implements Resource {
  count = 0;
  /** undefined: a plain limit holds instead. */
  budget: RetryBudgetLimits | undefined;
  limit = 0;
  private reported = false;

  constructor(
    private readonly active: Resource,
    private readonly pending: Resource,
    private readonly changed: LimitChanged | undefined,
  ) {}

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
    if (!this.reported && this.open) this.report(true);
  }

  decrement(): void {
    this.count--;
    if (this.reported && !this.open) this.report(false);
  }

  private report(reached: boolean): void {
    this.reported = reached;
    this.changed?.('max_retries', reached);
  }

  max(): number {
    if (this.budget === undefined) return this.limit;
    const allowed = Math.trunc((this.budget.budgetPercent / 100) * (this.active.count + this.pending.count));
    return Math.max(allowed, this.budget.minRetryConcurrency);
  }
}

/**
 * The circuit breaker of one cluster and routing priority: counts what is in flight, for all workers together, and says
 * whether one more is admitted.
 *
 * Runtime keys `circuit_breakers.<cluster>.<priority>.*` override the limits; {@link readRuntime} takes them in.
 */
export class CircuitBreaker {
  readonly connections: Resource;
  /** Requests that wait for a connection. */
  readonly pendingRequests: Resource;
  readonly requests: Resource;
  /** Retries from the start of their back-off on. */
  readonly retries: Resource;
  private readonly limited: Readonly<Record<'connections' | 'pendingRequests' | 'requests', LimitedResource>>;
  private readonly budgeted: BudgetedRetries;

  /** The limits that hold now, runtime values and the retry budget included. */
  get maxima(): Omit<CircuitBreakerLimits, 'retryBudget' | 'maxConnectionsPerHost'> {
    const { connections, pendingRequests, requests } = this.limited;
    return {
      maxConnections: connections.max,
      maxPendingRequests: pendingRequests.max,
      maxRequests: requests.max,
      maxRetries: this.budgeted.max(),
    };
  }

  /** The budget that retries are held to now; undefined: a plain limit. */
  get retryBudget(): RetryBudgetLimits | undefined {
    return this.budgeted.budget;
  }

  /** @param priority as runtime keys write it: `default` or `high`. */
  constructor(
    private limits: CircuitBreakerLimits,
    private readonly runtime: Runtime,
    private readonly cluster: string,
    private readonly priority: 'default' | 'high',
    /** Called with the name of the setting when its limit is reached, and when it is reached no longer. */
    limitChanged?: LimitChanged,
  ) {
    const connections = new LimitedResource('max_connections', limitChanged);
    const pendingRequests = new LimitedResource('max_pending_requests', limitChanged);
    const requests = new LimitedResource('max_requests', limitChanged);
    this.limited = { connections, pendingRequests, requests };
    this.connections = connections;
    this.pendingRequests = pendingRequests;
    this.requests = requests;
    this.budgeted = new BudgetedRetries(requests, pendingRequests, limitChanged);
    this.retries = this.budgeted;
    this.readRuntime();
  }

  /** Whether a host with this many connections may have one more. */
  admitsConnection(ofHost: number): boolean {
    return ofHost < this.limits.maxConnectionsPerHost && this.connections.canCreate();
  }

  /** The cluster is replaced by one with other limits; what is in flight still counts. */
  setLimits(limits: CircuitBreakerLimits): void {
    this.limits = limits;
    this.readRuntime();
  }

  /** Runtime values have changed: they act from now on. */
  readRuntime(): void {
    const { limits, runtime, limited, budgeted } = this;
    const prefix = `circuit_breakers.${this.cluster}.${this.priority}.`;
    limited.connections.max = runtimeInteger(runtime, `${prefix}max_connections`, limits.maxConnections);
    limited.pendingRequests.max = runtimeInteger(runtime, `${prefix}max_pending_requests`, limits.maxPendingRequests);
    limited.requests.max = runtimeInteger(runtime, `${prefix}max_requests`, limits.maxRequests);
    budgeted.limit = runtimeInteger(runtime, `${prefix}max_retries`, limits.maxRetries);
    const percent = runtime.number(`${prefix}retry_budget.budget_percent`);
    const least = runtime.number(`${prefix}retry_budget.min_retry_concurrency`);
    // A budget holds as soon as any of its fields or runtime keys is there.
    const configured = limits.retryBudget !== undefined || percent !== undefined || least !== undefined;
    const { budgetPercent, minRetryConcurrency } = limits.retryBudget ?? DEFAULT_RETRY_BUDGET;
    budgeted.budget = configured
      ? { budgetPercent: percent ?? budgetPercent, minRetryConcurrency: least ?? minRetryConcurrency }
      : undefined;
  }
}
