import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DashboardCluster } from '../../src/stats/dashboard.js';
import { DashboardWindow } from '../../src/stats/dashboard.js';
import { LogLinearHistogram } from '../../src/stats/log-linear-histogram.js';

const IDLE: DashboardCluster = { name: 'up', stat: () => 0, maxPendingRequests: 1024, times: undefined };

function times(...values: readonly number[]): LogLinearHistogram {
  const histogram = new LogLinearHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

function counts(window: DashboardWindow, stats: Readonly<Record<string, number>>): readonly unknown[] {
  const event = window.command({ ...IDLE, stat: (name) => stats[name] ?? 0 }, 0);
  return [
    event['requestCount'],
    event['rollingCountSuccess'],
    event['rollingCountFailure'],
    event['rollingCountTimeout'],
    event['rollingCountSemaphoreRejected'],
    event['errorPercentage'],
  ];
}

const NONE = [0, 0, 0, 0, 0, 0];

describe('the rolling window', () => {
  // What a proxy did: 6 × 200, 503, 404, and a 504 of the route's time-out.
  const first = { upstream_rq_2xx: 6, upstream_rq_4xx: 1, upstream_rq_5xx: 2, upstream_rq_timeout: 1 };

  it('shows an event for num_buckets flushes, and 0 is 10', () => {
    for (const [numBuckets, flushes] of [
      [0, 10],
      [1, 1],
      [3, 3],
      [10, 10],
    ] as const) {
      const window = new DashboardWindow({ numBuckets, flushIntervalUs: 2_000_000 });
      expect(counts(window, {})).toEqual(NONE);
      for (let flush = 0; flush < flushes; flush++) expect(counts(window, first)).toEqual([9, 6, 2, 1, 0, 33]);
      expect(counts(window, first)).toEqual(NONE);
    }
  });

  it('adds what comes later', () => {
    const window = new DashboardWindow({ numBuckets: 10, flushIntervalUs: 2_000_000 });
    counts(window, {});
    counts(window, first);
    expect(counts(window, { ...first, upstream_rq_2xx: 27 })).toEqual([30, 27, 2, 1, 0, 10]);
  });

  it('shows nothing from before somebody watched, nor after a pause', () => {
    const window = new DashboardWindow({ numBuckets: 3, flushIntervalUs: 1_000_000 });
    expect(counts(window, first)).toEqual(NONE);
    window.clear();
    expect(counts(window, { ...first, upstream_rq_2xx: 50 })).toEqual(NONE);
  });

  it('counts a rejected request twice, a per-try time-out as time-out and failure, a retried 503 as two failures', () => {
    const window = (): DashboardWindow => {
      const fresh = new DashboardWindow({ numBuckets: 3, flushIntervalUs: 1_000_000 });
      counts(fresh, {});
      return fresh;
    };
    expect(counts(window(), { upstream_rq_pending_overflow: 1, upstream_rq_5xx: 1 })).toEqual([2, 0, 1, 0, 1, 100]);
    expect(counts(window(), { upstream_rq_per_try_timeout: 2, upstream_rq_5xx: 1 })).toEqual([3, 0, 1, 2, 0, 100]);
    expect(counts(window(), { 'retry.upstream_rq_5xx': 1, upstream_rq_5xx: 1 })).toEqual([2, 0, 2, 0, 0, 100]);
  });

  it('never shows less than nothing', () => {
    const window = new DashboardWindow({ numBuckets: 3, flushIntervalUs: 1_000_000 });
    counts(window, first);
    expect(counts(window, {})).toEqual(NONE);
  });
});

describe('times', () => {
  const latencies = (...values: readonly number[]): unknown =>
    new DashboardWindow({ numBuckets: 1, flushIntervalUs: 2_000_000 }).command({ ...IDLE, times: times(...values) }, 0)[
      'latencyExecute'
    ];

  it('are the quantiles that the proxy showed for the samples it sent', () => {
    expect(latencies(1, 2, 47, 0, 43, 0, 45, 54)).toEqual({
      '0': 0,
      '25': 0,
      '50': 2.05,
      '75': 45.5,
      '90': 54.5,
      '95': 54.5,
      '99': 54.5,
      '99.5': 54.5,
      '100': 54.5,
    });
    expect(latencies()).toEqual({});
  });

  it('lie evenly in their bin', () => {
    expect(times(45, 45).quantile(0.5)).toBeCloseTo(45 + 1 / 3, 6);
    expect(times(45, 45).quantile(1)).toBeCloseTo(45 + 2 / 3, 6);
    expect(times(1500, 1510, 1590).quantile(1)).toBe(1575);
  });
});

const recording = new URL('../../../shared/fixtures/dashboard-stream.txt', import.meta.url);

describe('the text of a flush', () => {
  const window = new DashboardWindow({ numBuckets: 10, flushIntervalUs: 2_000_000 });
  const text = window.flush(
    [{ ...IDLE, name: 'co:lon|pi#pe', stat: (name) => (name === 'membership_total' ? 1 : 0) }],
    1_795_224_285_000_000,
  );

  it('is two events a cluster and a ping', () => {
    expect(text).toMatch(/^data: \{"type": "HystrixCommand", .*\}\n\ndata: \{"currentPoolSize": 0, .*\}\n\n:\n\n$/);
  });

  it.runIf(recorded() !== undefined)('is what a proxy sent, byte for byte', () => {
    for (const event of text.split('\n\n').slice(0, 2)) expect(recorded()).toContain(`${event}\n\n`);
  });
});

/** Bytes of a real stream, where the recordings are at hand. */
function recorded(): string | undefined {
  try {
    return readFileSync(recording, 'utf8');
  } catch {
    return undefined;
  }
}
