import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/result/request-record.js';
import { clusterStats, run } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';
const TCP = { lifetime: '1s' };

async function connections(
  tcp: object,
  { cluster = {}, count = 2, ...more }: { cluster?: object; count?: number; [more: string]: unknown } = {},
) {
  const records: RequestRecord[] = [];
  const chosen: (string | null)[] = [];
  const result = await run(
    {
      proxy: { version: '1.40' },
      clusters: [{ name: 'c', lb_policy: 'ROUND_ROBIN', ...cluster }],
      endpoints: { c: [A, B] },
      requests: Array.from({ length: count }, (_, index) => ({ at: `${index / 10}s`, cluster: 'c', tcp })),
      ...more,
    },
    { onRequest: (record) => records.push(record), onDecision: ({ host }) => chosen.push(host) },
  );
  return { records, chosen, stats: clusterStats(result, 'c') };
}

describe('a connection through a TCP proxy', () => {
  it('picks a host once, has a connection of its own there, and ends with its client', async () => {
    const { records, chosen, stats } = await connections(TCP, { count: 4 });
    expect(new Set(chosen.slice(0, 2))).toEqual(new Set([A, B]));
    expect(chosen.slice(2)).toEqual(chosen.slice(0, 2));
    expect(records.map(({ outcome, latencyUs }) => [outcome, latencyUs])).toEqual(
      Array(4).fill(['answered', 1_000_000]),
    );
    // The host closes when its client has, as a real proxy counts it; there are no answers with a status.
    expect(stats).toMatchObject({
      upstream_cx_total: 4,
      upstream_cx_destroy_remote_with_active_rq: 4,
      upstream_rq_total: 4,
    });
    expect([stats['upstream_rq_200'], stats['upstream_cx_http1_total'], stats['upstream_rq_completed']]).toEqual([
      undefined,
      0,
      0,
    ]);
  });

  it('counts as an open request as long as it lives', async () => {
    const least = { lb_policy: 'LEAST_REQUEST', least_request_lb_config: { choice_count: 20 } };
    const { chosen } = await connections(TCP, { cluster: least, count: 6 });
    const pairs = [0, 2, 4].map((at) => new Set(chosen.slice(at, at + 2)).size);
    expect(pairs).toEqual([2, 2, 2]);
  });

  const dead = { behavior: [{ hosts: A, down: 'refuse' }] };

  it('fails at a host that refuses it, and tries as many others as it may', async () => {
    const one = await connections(TCP, dead);
    expect(one.records.map(({ outcome }) => outcome).sort()).toEqual(['answered', 'connect_failure']);
    expect(one.stats).toMatchObject({ upstream_cx_connect_attempts_exceeded: 1, upstream_rq_total: 1 });
    const two = await connections({ ...TCP, max_connect_attempts: 2 }, dead);
    expect(two.records.map(({ host }) => host)).toEqual([B, B]);
    expect(two.stats['upstream_cx_connect_attempts_exceeded']).toBeUndefined();
  });

  it('tries again once all that was refused meanwhile is known', async () => {
    const cluster = { preconnect_policy: { per_upstream_preconnect_ratio: 2 } };
    const { stats } = await connections(
      { ...TCP, max_connect_attempts: 3 },
      { ...dead, api: 'v3', cluster, endpoints: { c: [A] }, count: 1 },
    );
    expect(stats).toMatchObject({ upstream_cx_connect_fail: 6, upstream_rq_pending_failure_eject: 3 });
  });

  it('chooses its cluster anew with each attempt', async () => {
    const route = ['c', 'd'].map((cluster) => ({ cluster, weight: 1 }));
    const requests = Array.from({ length: 40 }, () => ({ at: '0s', route, tcp: { ...TCP, max_connect_attempts: 30 } }));
    const clusters = ['c', 'd'].map((name) => ({ name, lb_policy: 'ROUND_ROBIN' }));
    const { records } = await connections(TCP, { ...dead, clusters, endpoints: { c: [A], d: [B] }, requests });
    expect(new Set(records.map(({ host, cluster }) => `${cluster} ${host ?? ''}`))).toEqual(new Set([`d ${B}`]));
  });

  it('is turned away without a pick beyond max_connections', async () => {
    const cluster = { circuit_breakers: { thresholds: [{ max_connections: 1 }] } };
    const { records, chosen, stats } = await connections(TCP, { cluster });
    expect(records.map(({ outcome }) => outcome).sort()).toEqual(['answered', 'overflow']);
    expect([chosen.length, stats['upstream_cx_overflow'], stats['upstream_rq_pending_total']]).toEqual([1, 1, 1]);
  });

  it('ends after max_downstream_connection_duration, by the proxy', async () => {
    const { records, stats } = await connections({ ...TCP, max_downstream_connection_duration: '0.4s' }, { count: 1 });
    expect(records.map(({ outcome, latencyUs }) => [outcome, latencyUs])).toEqual([['answered', 400_000]]);
    expect(stats).toMatchObject({ upstream_cx_destroy_local_with_active_rq: 1, upstream_cx_active: 0 });
  });

  it.each([
    [true, 'reset', 1_000_000],
    [false, 'answered', 5_000_000],
  ])(
    'ends when its host fails its checks only with close_connections_on_host_health_failure: %s',
    async (closes, outcome, us) => {
      const check = {
        timeout: '1s',
        interval: '1s',
        unhealthy_threshold: 1,
        healthy_threshold: 1,
        tcp_health_check: {},
      };
      const cluster = { health_checks: [check], close_connections_on_host_health_failure: closes };
      const failing = {
        endpoints: { c: [A] },
        timeline: [{ at: '0.5s', set_behavior: { hosts: A, health_check: 'refuse' } }],
      };
      const { records, stats } = await connections({ lifetime: '5s' }, { cluster, count: 1, ...failing });
      expect(records.map((one) => [one.outcome, one.latencyUs])).toEqual([[outcome, us]]);
      expect(stats['upstream_cx_destroy_local_with_active_rq']).toBe(Number(closes));
    },
  );
});
