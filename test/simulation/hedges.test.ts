import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/result/request-record.js';
import { clusterStats, run } from '../support/run.js';

const HOSTS = ['10.0.0.1:80', '10.0.0.2:80'];

/** Requests whose tries may take 0.1 s each; what became of the first, and what was counted. */
async function hedged(
  answers: readonly object[],
  retries = 1,
  more: object = {},
  cluster: object = {},
  times: readonly string[] = ['0s'],
) {
  const records: RequestRecord[] = [];
  const result = await run(
    {
      proxy: { version: '1.40' },
      clusters: [{ name: 'c', lb_policy: 'ROUND_ROBIN', ...cluster }],
      endpoints: { c: HOSTS },
      requests: times.map((at) => ({
        at,
        cluster: 'c',
        answers,
        timeout: '1s',
        retry_policy: { retry_on: '5xx', num_retries: retries, per_try_timeout: '0.1s' },
        hedge_policy: { hedge_on_per_try_timeout: true },
        ...more,
      })),
    },
    { onRequest: (record) => records.push(record) },
  );
  const [record] = records;
  return { ...record, stats: clusterStats(result, 'c') };
}

describe('a try that takes too long', () => {
  it.each([
    [true, 'false', 1],
    [false, 'true', 0],
    [undefined, 'true', 0],
  ])('hedges by the policy (%s) unless the header says otherwise (%s)', async (policy, header, timeouts) => {
    const more = {
      hedge_policy: policy === undefined ? undefined : { hedge_on_per_try_timeout: policy },
      headers: { 'x-envoy-hedge-on-per-try-timeout': header },
    };
    const { stats } = await hedged([{ service_time: '0.3s' }, {}], 1, more);
    expect(stats).toMatchObject({ upstream_rq_200: 1, upstream_rq_retry: 1, upstream_rq_per_try_timeout: timeouts });
  });

  it('goes on beside the next one, and its answer counts where it is first', async () => {
    const { attempts, status, latencyUs, stats } = await hedged([{ service_time: '0.3s' }, { service_time: '2s' }]);
    expect({ attempts, status, latencyUs }).toEqual({ attempts: 2, status: 200, latencyUs: 300_000 });
    expect(stats).toMatchObject({ upstream_rq_total: 2, upstream_rq_retry: 1, upstream_rq_200: 1 });
    // The loser's connection of HTTP/1 is closed, and no try has timed out.
    expect(stats['upstream_cx_destroy_local_with_active_rq']).toBe(1);
    expect(stats['upstream_rq_per_try_timeout']).toBe(0);
  });

  it('does nothing at all where no retry is left', async () => {
    const { attempts, latencyUs } = await hedged([{ service_time: '0.3s' }], 0);
    expect({ attempts, latencyUs }).toEqual({ attempts: 1, latencyUs: 300_000 });
  });

  it('counts once as a failure of its host, answered or not', async () => {
    const watched = { outlier_detection: { consecutive_5xx: 1, enforcing_success_rate: 0, max_ejection_percent: 100 } };
    const detected = 'outlier_detection.ejections_detected_consecutive_5xx';
    for (const time of ['0.3s', '5s']) {
      const { stats } = await hedged([{ service_time: time }], 0, {}, watched);
      expect(stats).toMatchObject({ [detected]: 1 });
    }
  });

  it('may be a retry that succeeds, where no hedge follows it', async () => {
    const { attempts, stats } = await hedged([{ status: 503 }, { service_time: '0.3s' }]);
    expect(attempts).toBe(2);
    expect(stats).toMatchObject({ upstream_rq_retry: 1, upstream_rq_retry_success: 1, upstream_rq_200: 1 });
  });

  it('is waited for where its hedge has no answer, which counts as one', async () => {
    const limits = { circuit_breakers: { thresholds: [{ max_requests: 1 }] } };
    const { status, stats } = await hedged([{ service_time: '0.3s' }], 1, {}, limits);
    expect(status).toBe(200);
    expect(stats).toMatchObject({ upstream_rq_200: 1, upstream_rq_503: 1, upstream_rq_active_overflow: 1 });
  });

  it('counts as a success, and is no retry any more, where a limit rejects its hedge', async () => {
    const limits = { circuit_breakers: { thresholds: [{ max_requests: 2, max_retries: 1 }] } };
    const { stats } = await hedged([{ service_time: '0.3s' }], 1, {}, limits, ['0s', '0.05s']);
    expect(stats).toMatchObject({ upstream_rq_200: 2, upstream_rq_retry: 2, upstream_rq_retry_success: 2 });
    expect(stats).toMatchObject({ upstream_rq_retry_overflow: 0, upstream_rq_active_overflow: 2 });
  });

  it('is waited for where a later one fails', async () => {
    const { status, latencyUs } = await hedged([{ service_time: '0.5s' }, { status: 503 }]);
    expect({ status, latencyUs }).toEqual({ status: 200, latencyUs: 500_000 });
  });

  it('counts once for each open attempt where the request times out', async () => {
    const { status, stats } = await hedged([{ service_time: '5s' }]);
    expect(status).toBe(504);
    expect(stats).toMatchObject({ upstream_rq_timeout: 2, upstream_rq_504: 2, upstream_rq_active: 0 });
  });
});
