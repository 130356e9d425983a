import { describe, expect, it } from 'vitest';
import { clusterStats, run } from '../support/run.js';

const HTTP2 = { http2_protocol_options: {} };

/** Statistics after requests at these times, ms, of a host that closes. */
async function closing(
  behavior: object,
  at: readonly number[],
  more: object = {},
  request: object = {},
  rest: object = {},
) {
  const result = await run({
    ...rest,
    clusters: [{ name: 'c', ...more }],
    endpoints: { c: ['10.0.0.1:80'] },
    behavior: [{ hosts: {}, ...behavior }],
    requests: at.map((ms) => ({ at: `${ms}ms`, cluster: 'c', ...request })),
  });
  return clusterStats(result);
}

describe('a host that closes', () => {
  it('is announced: the proxy closes, and the next request opens a connection', async () => {
    const stats = await closing({ closes: 'announced' }, [0, 1, 2]);
    expect(stats).toMatchObject({ upstream_rq_200: 3, upstream_cx_total: 3, upstream_cx_active: 0 });
    expect(stats).toMatchObject({ upstream_cx_close_notify: 3, upstream_cx_destroy_local: 3 });
    expect(stats).toMatchObject({ upstream_cx_destroy_with_active_rq: 0 });
  });

  it('does so without a word: the host closes', async () => {
    const stats = await closing({ closes: 'silent' }, [0, 1, 2]);
    expect(stats).toMatchObject({ upstream_rq_200: 3, upstream_cx_total: 3, upstream_cx_destroy_remote: 3 });
    expect(stats).not.toHaveProperty('upstream_cx_close_notify');
  });

  it('does so in place of an answer: a reset, which retries cover that say so', async () => {
    const retrying = (on: string) => ({ retry_policy: { retry_on: on, num_retries: 1 } });
    const [reset, connect] = await Promise.all(
      ['reset', 'connect-failure'].map((on) => closing({ closes: 'instead' }, [0, 1000], {}, retrying(on))),
    );
    expect(reset).toMatchObject({ upstream_rq_503: 2, upstream_rq_retry: 2, upstream_cx_destroy_remote: 4 });
    expect(reset).toMatchObject({ upstream_cx_destroy_remote_with_active_rq: 4 });
    expect(connect).toMatchObject({ upstream_rq_503: 2, upstream_rq_retry: 0 });
  });

  it('sends a GOAWAY early: open requests end, new ones open another connection', async () => {
    const slow = { closes: 'early', service_time: '10ms' };
    const stats = await closing(slow, [0, 1, 2], HTTP2);
    expect(stats).toMatchObject({ upstream_rq_200: 3, upstream_cx_total: 3, upstream_cx_close_notify: 3 });
    expect(await closing({ service_time: '10ms' }, [0, 1, 2], HTTP2)).toMatchObject({ upstream_cx_total: 1 });
  });

  it('refuses streams of HTTP/2, over the same connection: retries of refused-stream cover that', async () => {
    const refused = (on: string, more: object = HTTP2) =>
      closing({ closes: 'refused' }, [0, 1000], more, { retry_policy: { retry_on: on } });
    const stats = await refused('refused-stream');
    expect(stats).toMatchObject({
      upstream_rq_503: 2,
      upstream_rq_retry: 2,
      upstream_cx_total: 1,
      upstream_cx_active: 1,
    });
    expect(stats).toMatchObject({ upstream_rq_pending_failure_eject: 0 });
    expect(await refused('connect-failure')).toMatchObject({ upstream_rq_503: 2, upstream_rq_retry: 0 });
    // HTTP/1 has no streams.
    expect(await refused('refused-stream', {})).toMatchObject({ upstream_rq_retry: 0, upstream_cx_total: 2 });
  });

  it('of HTTP/2 is closed while its answer is read: a protocol error since 1.20', async () => {
    const errors = async (behavior: object, more: object, version = '1.40') => {
      const proxies = [{ version }];
      return (await closing(behavior, [0, 1, 2], { ...HTTP2, ...more }, {}, { proxies }))['upstream_cx_protocol_error'];
    };
    expect(await errors({}, { max_requests_per_connection: 1 })).toBe(3);
    expect(await errors({}, { max_requests_per_connection: 1 }, '1.19')).toBeUndefined();
    expect(await errors({ closes: 'early' }, {})).toBe(3);
    expect(await errors({ closes: 'refused' }, { max_requests_per_connection: 1 })).toBe(3);
    expect(await errors({ closes: 'announced' }, {})).toBeUndefined();
    expect(await errors({ closes: 'announced' }, { max_requests_per_connection: 1 })).toBe(3);
  });

  // As random cases of a 1.40.0 had it.
  it.each([
    ['HTTP/1', 1, {}, 21],
    ['HTTP/2', 2, HTTP2, 5],
  ])('lets those that wait look for another connection: %s', async (_, perConnection, protocol, overflow) => {
    const at = Array.from({ length: 9 }, (_, index) => 100 + 40 * index);
    const limits = {
      circuit_breakers: { thresholds: [{ max_connections: 3 }] },
      max_requests_per_connection: perConnection,
    };
    const stats = await closing({ service_time: '700ms' }, at, { ...protocol, ...limits });
    expect(stats).toMatchObject({ upstream_rq_200: 9, upstream_cx_overflow: overflow });
  });

  it('is closed by the proxy where both would: it has had all its requests', async () => {
    const stats = await closing({ closes: 'silent' }, [0, 1], { max_requests_per_connection: 1 });
    expect(stats).toMatchObject({ upstream_cx_destroy_local: 2, upstream_cx_destroy_remote: 0 });
  });

  it.each(['silent', 'instead'])('breaks all that is on a connection of HTTP/2: %s', async (closes) => {
    const timeline = [{ at: '2ms', set_behavior: { hosts: {}, service_time: '5ms', closes } }];
    const result = await run({
      clusters: [{ name: 'c', ...HTTP2 }],
      endpoints: { c: ['10.0.0.1:80'] },
      behavior: [{ service_time: '100ms' }],
      requests: [0, 1, 3].map((ms) => ({ at: `${ms}ms`, cluster: 'c' })),
      timeline,
    });
    const answered = closes === 'silent' ? 1 : 0;
    expect(result.totals).toMatchObject({ success: answered, failed: 3 - answered });
    expect(clusterStats(result)).toMatchObject({
      upstream_cx_total: 1,
      upstream_cx_destroy_remote: 1,
      upstream_cx_active: 0,
    });
  });

  it('does so at the share of requests that close_rate says', async () => {
    const many = Array.from({ length: 2000 }, (_, ms) => ms);
    const { upstream_cx_close_notify: closed = 0 } = await closing({ closes: 'announced', close_rate: '25%' }, many);
    // Six standard deviations.
    expect(Math.abs(closed - 500)).toBeLessThan(6 * Math.sqrt(2000 * 0.25 * 0.75));
  });
});
