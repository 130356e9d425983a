import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, type RetryConditions, wouldRetry } from '../../src/upstream/retry.js';

function conditions(on: string, more: Partial<RetryConditions> = {}): RetryConditions {
  return { retryOn: [on], retriableStatusCodes: [], hasRetriableHeader: () => false, ...more };
}

const status = (code: number, headers = {}): AttemptOutcome => ({ kind: 'status', status: code, headers });

describe('wouldRetry', () => {
  it.each([
    ['5xx', [500, 501, 503, 599], [200, 404, 409, 499, 600]],
    ['gateway-error', [502, 503, 504], [500, 501, 505]],
    ['retriable-4xx', [409], [404, 408, 410, 500]],
    ['connect-failure', [], [500, 503]],
    ['reset', [], [500, 503]],
  ])('%s: answers', (on, again, done) => {
    expect(again.filter((code) => !wouldRetry(conditions(on), status(code)))).toEqual([]);
    expect(done.filter((code) => wouldRetry(conditions(on), status(code)))).toEqual([]);
  });

  it.each([
    [
      'connect-failure',
      ['5xx', 'connect-failure', 'gateway-error', 'reset'],
      ['retriable-4xx', 'retriable-status-codes'],
    ],
    ['reset', ['5xx', 'gateway-error', 'reset'], ['connect-failure', 'retriable-4xx']],
    ['per-try-timeout', ['5xx', 'gateway-error', 'reset'], ['connect-failure', 'retriable-4xx']],
  ] as const)('%s: conditions', (kind, again, done) => {
    expect(again.filter((on) => !wouldRetry(conditions(on), { kind }))).toEqual([]);
    expect(done.filter((on) => wouldRetry(conditions(on), { kind }))).toEqual([]);
  });

  it('retries listed codes and headers only where the policy names them', () => {
    const listed = { retriableStatusCodes: [404], hasRetriableHeader: () => true };
    expect(wouldRetry(conditions('retriable-status-codes', listed), status(404))).toBe(true);
    expect(wouldRetry(conditions('retriable-status-codes', listed), status(403))).toBe(false);
    expect(wouldRetry(conditions('5xx', listed), status(404))).toBe(false);
    expect(wouldRetry(conditions('retriable-headers', listed), status(200))).toBe(true);
    expect(wouldRetry(conditions('retriable-headers'), status(200))).toBe(false);
  });

  it('asks of a rate-limited answer nothing but whether such are retried', () => {
    const limited = status(503, { 'x-proxy-ratelimited': 'true' });
    expect(wouldRetry(conditions('5xx'), limited)).toBe(false);
    expect(wouldRetry(conditions('envoy-ratelimited'), limited)).toBe(true);
  });
});
