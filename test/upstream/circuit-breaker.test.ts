import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/core/environment.js';
import { DEFAULT_LIMITS } from '../../src/config/to-settings.js';
import type { CircuitBreakerLimits } from '../../src/settings/cluster-settings.js';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.js';

function breaker(limits: Partial<CircuitBreakerLimits> = {}, values: Record<string, number> = {}): CircuitBreaker {
  const runtime: Runtime = { number: (key) => values[key] };
  return new CircuitBreaker({ ...DEFAULT_LIMITS, ...limits }, runtime, 'backend', 'default');
}

describe('CircuitBreaker', () => {
  it('admits as many as the limit says, and one more when one is gone', () => {
    const { requests } = breaker({ maxRequests: 2 });
    requests.increment();
    expect(requests).toMatchObject({ open: false, remaining: 1 });
    requests.increment();
    expect(requests).toMatchObject({ open: true, remaining: 0 });
    requests.decrement();
    expect(requests.open).toBe(false);
  });

  it('admits nothing with a limit of 0', () => {
    expect(breaker({ maxPendingRequests: 0 }).pendingRequests.open).toBe(true);
  });

  it('takes a runtime value at once, lower or higher', () => {
    const values: Record<string, number> = {};
    const limited = breaker({ maxRequests: 1 }, values);
    const { requests } = limited;
    requests.increment();
    expect(requests.open).toBe(true);
    values['circuit_breakers.backend.default.max_requests'] = 5;
    limited.readRuntime();
    expect(requests.remaining).toBe(4);
    values['circuit_breakers.backend.high.max_requests'] = 0;
    limited.readRuntime();
    expect(requests.open).toBe(false);
  });

  it('budgets retries by what is active and pending, never below the minimum', () => {
    const limited = breaker({ hasRetryBudget: true, retryBudget: { budgetPercent: 25, minRetryConcurrency: 3 } });
    expect(limited.retries.remaining).toBe(3);
    for (let i = 0; i < 30; i++) limited.requests.increment();
    for (let i = 0; i < 9; i++) limited.pendingRequests.increment();
    // 25 % of 39 is 9.75: whole retries only.
    expect(limited.retries.remaining).toBe(9);
  });

  it('has no retry left where all of the budget is in use', () => {
    const { retries } = breaker({ maxRetries: 1 });
    retries.increment();
    expect([retries.remaining, retries.open]).toEqual([0, true]);
    retries.increment();
    expect(retries.remaining).toBe(0);
  });

  it('turns to a budget as soon as runtime names one of its keys', () => {
    const values: Record<string, number> = {};
    const limited = breaker({ maxRetries: 100 }, values);
    const { retries, requests } = limited;
    for (let i = 0; i < 100; i++) requests.increment();
    expect(retries.remaining).toBe(100);
    values['circuit_breakers.backend.default.retry_budget.min_retry_concurrency'] = 1;
    limited.readRuntime();
    expect(retries.remaining).toBe(20);
  });
});
