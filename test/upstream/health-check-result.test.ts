import { describe, expect, it } from 'vitest';
import type { HealthCheckAnswer } from '../../src/settings/behavior.js';
import { checkResult } from '../../src/upstream/health-checker.js';
import { healthCheck } from './health-check-fixtures.js';

const ANSWERS: readonly HealthCheckAnswer[] = ['ok', 'degraded', 503, 'hang', 'refuse'];

function results(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return ANSWERS.map((answer) => checkResult(healthCheck(fields).protocol, answer, false));
}

describe('what a checker makes of an answer', () => {
  it('reads statuses and the degraded header of HTTP', () => {
    expect(results({})).toEqual(['success', 'degraded', 'failure', 'timeout', 'network']);
  });

  it('knows nothing of degraded in gRPC', () => {
    expect(results({ grpc_health_check: {} })).toEqual(['success', 'success', 'failure', 'timeout', 'network']);
  });

  it('is content with a TCP connection where it expects no bytes, and waits for them where it does', () => {
    expect(results({ tcp_health_check: {} })).toEqual(['success', 'success', 'success', 'success', 'network']);
    const bytes = { tcp_health_check: { receive: [{ text: '2b' }] } };
    expect(results(bytes)).toEqual(['success', 'success', 'timeout', 'timeout', 'network']);
  });

  it('takes the statuses that are expected, the end of a range not among them', () => {
    const { protocol } = healthCheck({
      http_health_check: {
        path: '/',
        expected_statuses: [
          { start: 200, end: 204 },
          { start: 503, end: 504 },
        ],
      },
    });
    expect([199, 200, 203, 204, 503, 504].map((status) => checkResult(protocol, status, false))).toEqual([
      'failure',
      'success',
      'success',
      'failure',
      'success',
      'failure',
    ]);
  });

  it('tells bad statuses that are retriable from others; expected ones are good all the same', () => {
    const retriableStatuses = [
      { start: 200n, end: 300n },
      { start: 503n, end: 504n },
    ];
    const protocol = { kind: 'http', expectedStatuses: [], retriableStatuses, namesService: false } as const;
    expect([200, 201, 503, 504].map((status) => checkResult(protocol, status, false))).toEqual([
      'success',
      'retriable',
      'retriable',
      'failure',
    ]);
    expect(checkResult(protocol, 503, true)).toBe('excluding_retriable');
  });

  it('heeds the immediate-failure header in a bad answer only', () => {
    expect(checkResult(healthCheck().protocol, 503, true)).toBe('excluding_failure');
    expect(checkResult(healthCheck().protocol, 'ok', true)).toBe('success');
    expect(checkResult(healthCheck().protocol, 'hang', true)).toBe('timeout');
  });
});
