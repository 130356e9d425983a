import { describe, expect, it } from 'vitest';
import { clusterStats, requestsByHost, run } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';

const base = {
  timeout: '0.1s',
  interval: '1s',
  unhealthy_threshold: 1,
  healthy_threshold: 1,
  http_health_check: { path: '/' },
};
const TRAFFIC = [{ cluster: 'c', arrivals: { constant: '10/s' } }];

/** 9.95 s of a cluster with one host, checked from 0 s on; with traffic unless told otherwise. */
function checked(check: Record<string, unknown>, more: Record<string, unknown> = {}): unknown {
  return {
    duration: '9.95s',
    clusters: [{ name: 'c', health_checks: [{ ...base, ...check }] }],
    endpoints: { c: [A] },
    workloads: TRAFFIC,
    ...more,
  };
}

async function attempts(value: unknown): Promise<number | undefined> {
  return clusterStats(await run(value))['health_check.attempt'];
}

/** When the host was failed and when it was back, in seconds. */
async function changes(value: unknown): Promise<readonly number[]> {
  const { events } = await run(value);
  return events.filter(({ kind }) => kind === 'health_check').map(({ t_s }) => t_s);
}

const at = (time: string, behavior: Record<string, unknown>): unknown => ({
  at: time,
  set_behavior: { hosts: {}, ...behavior },
});
const failing = { behavior: [{ hosts: {}, health_check: 503 }] };
const quiet = { workloads: [], requests: [{ at: '9s', cluster: 'c' }] };

describe('the time between two checks is', () => {
  it('interval where there is traffic, no_traffic_interval where there never was', async () => {
    expect(await attempts(checked({}))).toBe(10);
    expect(await attempts(checked({ no_traffic_interval: '3s' }, quiet))).toBe(4);
    expect(await attempts(checked({ no_traffic_interval: '3s' }))).toBe(10);
  });

  it('interval again from the first connection on', async () => {
    const value = checked({ no_traffic_interval: '2s' }, { workloads: [], requests: [{ at: '4.5s', cluster: 'c' }] });
    // 0, 2, 4, 6 s; the check of 6 s finds that there was traffic: 7, 8, 9 s.
    expect(await attempts(value)).toBe(7);
  });

  it('no_traffic_healthy_interval for good hosts without traffic, since 1.17', async () => {
    const value = checked({ no_traffic_interval: '1s', no_traffic_healthy_interval: '4s' }, quiet) as object;
    expect(await attempts(value)).toBe(3);
    expect(await attempts({ ...value, proxy: { version: '1.14' } })).toBe(10);
    expect(await attempts({ ...value, ...failing })).toBe(10);
  });

  it('unhealthy_interval while a host is failed', async () => {
    expect(await attempts(checked({ unhealthy_interval: '2s' }, failing))).toBe(5);
    expect(await attempts(checked({ unhealthy_interval: '2s' }))).toBe(10);
  });

  it('unhealthy_edge_interval until a host is failed', async () => {
    const check = { unhealthy_threshold: 3, unhealthy_edge_interval: '0.5s', unhealthy_interval: '60s' };
    const timeline = [at('0.5s', { health_check: 'hang' })];
    // Asked at 1, 1.6 and 2.2 s, each time for 0.1 s in vain.
    expect(await changes(checked(check, { timeline }))).toEqual([2.3]);
    expect(await changes(checked({ ...check, unhealthy_edge_interval: '2s' }, { timeline }))).toEqual([5.3]);
  });

  it('healthy_edge_interval until a host is back', async () => {
    const check = { healthy_threshold: 3, healthy_edge_interval: '0.25s' };
    const timeline = [at('0.5s', { health_check: 503 }), at('2.5s', { health_check: 'ok' })];
    // Passed at 3, 3.25 and 3.5 s.
    expect(await changes(checked(check, { timeline }))).toEqual([1, 3.5]);
    expect(await changes(checked({ healthy_threshold: 3 }, { timeline }))).toEqual([1, 5]);
  });

  it('longer by interval_jitter, and by interval_jitter_percent of what it is', async () => {
    const between = async (check: Record<string, unknown>): Promise<number> => (await attempts(checked(check))) ?? 0;
    for (const check of [{ interval_jitter: '1s' }, { interval_jitter_percent: 100 }]) {
      const count = await between(check);
      expect(count).toBeGreaterThanOrEqual(6);
      expect(count).toBeLessThan(10);
    }
    expect(await between({ interval_jitter_percent: 0, interval_jitter: '0s' })).toBe(10);
  });

  it('within health_check.min_interval and max_interval, from the next check on that is planned', async () => {
    const timeline = [{ at: '4.5s', set_runtime: { 'health_check.min_interval': 2000 } }];
    // 0 … 5 s, then 7 and 9 s.
    expect(await attempts(checked({}, { timeline }))).toBe(8);
    const faster = [{ at: '4.5s', set_runtime: { 'health_check.max_interval': 500 } }];
    // 0 … 5 s, then 5.5 … 9.5 s.
    expect(await attempts(checked({}, { timeline: faster }))).toBe(15);
  });
});

describe('a check', () => {
  const hangs = [at('0.5s', { health_check: 'hang' })];

  it('fails when timeout is over, also where the answer is only late', async () => {
    expect(await changes(checked({ timeout: '0.7s', unhealthy_interval: '60s' }, { timeline: hangs }))).toEqual([1.7]);
    const late = [at('0.5s', { network_latency: '200ms' })];
    const slow = [{ cluster: 'c', arrivals: { constant: '10/s' }, timeout: '0s' }];
    expect(await changes(checked({ unhealthy_interval: '60s' }, { timeline: late, workloads: slow }))).toEqual([1.1]);
    expect(await changes(checked({ timeout: '0.3s' }, { timeline: late, workloads: slow }))).toEqual([]);
  });

  it('of a new host comes at once, or within initial_jitter', async () => {
    const timeline = [{ at: '2s', add_hosts: { cluster: 'c', endpoints: [B] } }];
    expect(await changes(checked({}, { timeline }))).toEqual([2]);
    const [first = 0] = await changes(checked({ initial_jitter: '3s' }, { timeline }));
    expect(first).toBeGreaterThan(2);
    expect(first).toBeLessThan(5);
  });

  it('counts only after unhealthy_threshold silent ones, at once where the answer is bad', async () => {
    const check = { unhealthy_threshold: 3, unhealthy_interval: '1s' };
    expect(await changes(checked(check, { timeline: hangs }))).toEqual([3.3]);
    expect(await changes(checked(check, { timeline: [at('0.5s', { health_check: 503 })] }))).toEqual([1]);
  });

  it('that says degraded leaves the host what the others cannot take', async () => {
    const more = { endpoints: { c: [A, B] }, behavior: [{ hosts: B, health_check: 'degraded' }] };
    const result = await run(checked({}, more));
    // 140 % of one of two hosts is 70 % of the traffic.
    const toB = requestsByHost(result)[B] ?? 0;
    expect(Math.abs(toB - 30)).toBeLessThan(5 * Math.sqrt(100 * 0.3 * 0.7));
    expect(clusterStats(result)).toMatchObject({ membership_degraded: 1, 'health_check.degraded': 1 });
  });
});

describe('several checkers', () => {
  it('each keep their own pace, and one that fails is enough', async () => {
    const http = { ...base, interval: '2s' };
    const tcp = { ...base, interval: '1s', http_health_check: undefined, tcp_health_check: {} };
    const value = checked({}, { clusters: [{ name: 'c', health_checks: [http, tcp] }] }) as object;
    expect(await attempts(value)).toBe(5 + 10);
    // TCP takes any answer for a good one.
    expect(await changes({ ...value, timeline: [at('2.5s', { health_check: 503 })] })).toEqual([4]);
  });
});

describe('runtime keys of outlier detection', () => {
  /** B answers errors only; both get 5 requests a second. */
  const ejecting = (config: Record<string, unknown>, timeline: readonly unknown[], more = {}): unknown => ({
    duration: '20s',
    clusters: [
      {
        name: 'c',
        outlier_detection: { interval: '1s', max_ejection_percent: 50, consecutive_5xx: 5, ...config },
        common_lb_config: { update_merge_window: '0s' },
      },
    ],
    endpoints: { c: [A, B] },
    behavior: [{ hosts: B, error_rate: '100%' }],
    workloads: TRAFFIC,
    timeline,
    ...more,
  });
  const story = async (value: unknown): Promise<readonly (readonly [string, number])[]> => {
    const { events } = await run(value);
    const isOurs = ({ kind }: { kind: string }): boolean => kind === 'ejection' || kind === 'unejection';
    return events.filter(isOurs).map(({ kind, t_s }) => [kind, t_s]);
  };
  const set = (time: string, values: Record<string, unknown>): unknown => ({ at: time, set_runtime: values });

  it('for runs of errors act with the next answer', async () => {
    const [first] = await story(ejecting({ consecutive_5xx: 1000 }, []));
    expect(first).toBeUndefined();
    const timeline = [set('5s', { 'outlier_detection.consecutive_5xx': 60 })];
    // 60 errors, 5 a second.
    const [later] = await story(ejecting({ consecutive_5xx: 1000 }, timeline));
    expect(later?.[0]).toBe('ejection');
    expect(later?.[1]).toBeGreaterThan(11.7);
    expect(later?.[1]).toBeLessThan(12);
  });

  it('for what is enforced, and for how many, act with the next detection', async () => {
    const kept = { 'outlier_detection.enforcing_consecutive_5xx': 0 };
    expect(await story(ejecting({}, [set('0s', kept)]))).toEqual([]);
    const capped = { 'outlier_detection.max_ejection_percent': 0 };
    expect(await story(ejecting({}, [set('0s', capped)]))).toEqual([]);
    const [first] = await story(
      ejecting({}, [set('0s', capped), set('5s', { 'outlier_detection.max_ejection_percent': null })]),
    );
    expect(first?.[1]).toBeGreaterThanOrEqual(5);
    expect(first?.[1]).toBeLessThan(6.1);
  });

  it('for the time of ejections act on those under way', async () => {
    const [ejected, back] = await story(ejecting({}, [set('5s', { 'outlier_detection.base_ejection_time_ms': 8000 })]));
    expect(ejected?.[1]).toBeLessThan(1.1);
    // The sweep after 8 s have passed, not after 30.
    expect(back).toEqual(['unejection', 9]);
  });

  it('for the interval act when the next one is planned', async () => {
    const config = { base_ejection_time: '1s' };
    const [, back] = await story(ejecting(config, [set('0.5s', { 'outlier_detection.interval_ms': 7000 })]));
    expect(back).toEqual(['unejection', 8]);
  });
});
