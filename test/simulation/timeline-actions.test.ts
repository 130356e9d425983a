import { describe, expect, it } from 'vitest';
import { clusterStats, labelsOf, phasesOf, requestsByHost, run } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';
const C = '10.0.0.3:80';

const EDS = { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

/** 10 requests a second in turn to A and B, from 0 s to 9.9 s; the timeline comes before what arrives with it. */
function world(timeline: readonly unknown[], more: Record<string, unknown> = {}, cluster = {}): unknown {
  return {
    duration: '10s',
    clusters: [{ name: 'c', ...cluster }],
    endpoints: { c: [A, B] },
    workloads: [{ name: 'users', cluster: 'c', arrivals: { constant: '10/s' } }],
    timeline,
    ...more,
  };
}

const three = { endpoints: { c: [A, B, C] }, workloads: [{ cluster: 'c', arrivals: { constant: '30/s' } }] };

describe('fail', () => {
  it('breaks connections and refuses new ones; nobody but those who connect learns of it', async () => {
    const result = await run(world([{ at: '5s', fail: B }]));
    expect(requestsByHost(result)).toEqual({ [A]: 50, [B]: 50 });
    expect(result.totals).toMatchObject({ success: 75, failed: 25 });
    expect(clusterStats(result)).toMatchObject({
      membership_healthy: 2,
      upstream_cx_connect_fail: 25,
      upstream_cx_destroy_remote: 26,
      upstream_cx_active: 1,
    });
    expect(phasesOf(result)).toEqual([
      [0, 'start'],
      [5, `${B} stops answering`],
    ]);
  });

  it('breaks what hung, once', async () => {
    const requests = [{ at: '4s', cluster: 'c', service_time: '1s' }];
    const down = (at: string, how: string): unknown => ({ at, set_behavior: { hosts: {}, down: how } });
    const timeline = [down('4.5s', 'hang'), down('5s', 'hang'), down('6s', 'refuse'), down('6s', 'refuse')];
    const ended = async (count: number): Promise<unknown> => {
      const result = await run(world(timeline.slice(0, count), { workloads: [], requests }));
      return [result.totals.success, result.totals.failed, clusterStats(result)['upstream_rq_active']];
    };
    expect([await ended(0), await ended(1), await ended(2), await ended(3), await ended(4)]).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
      [0, 1, 0],
    ]);
  });

  it('resets what is open', async () => {
    const requests = [{ at: '4s', cluster: 'c', service_time: '3s' }];
    const result = await run(world([{ at: '5s', fail: {} }], { workloads: [], requests }));
    expect(result.totals).toMatchObject({ requests: 1, failed: 1 });
    expect(clusterStats(result)).toMatchObject({ upstream_rq_503: 1, upstream_cx_destroy_remote_with_active_rq: 1 });
  });
});

describe('recover', () => {
  it('has hosts answer, and pass their health checks, again', async () => {
    const timeline = [
      { at: '5s', set_behavior: { hosts: B, down: 'hang', health_check: 503 } },
      { at: '7s', recover: B },
    ];
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, timeout: '50ms' }];
    const result = await run(world(timeline, { workloads }));
    expect(result.totals).toMatchObject({ success: 90, failed: 10 });
    expect(phasesOf(result)).toContainEqual([7, `${B} answers again`]);

    const health_checks = [
      { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: { path: '/' } },
    ];
    const ill = [{ at: '5s', set_behavior: { hosts: B, health_check: 503 } }, timeline[1]];
    const checked = await run(world(ill, {}, { health_checks }));
    // Checks of one instant come before its timeline entries; those of 6 s and 8 s notice.
    expect(phasesOf(checked).slice(1)).toEqual([
      [6, `${B} unhealthy: failed checks`],
      [8, `${B} healthy: passed checks`],
    ]);
  });

  it('leaves everything else that was set', async () => {
    const timeline = [{ at: '5s', recover: {} }];
    const result = await run(world(timeline, { behavior: [{ hosts: B, down: 'refuse', error_rate: '100%' }] }));
    expect(result.totals.failed).toBe(50);
    expect(clusterStats(result)).toMatchObject({ upstream_cx_connect_fail: 25 });
  });
});

describe('an error rate', () => {
  it('is that of one status, and all other answers are 200', async () => {
    const stats = clusterStats(await run(world([], { behavior: [{ hosts: {}, error_rate: '50%' }] })));
    expect(stats['upstream_rq_200']).toBeGreaterThan(0);
    expect(stats['upstream_rq_200']).toBe(100 - (stats['upstream_rq_503'] ?? 0));
  });
});

describe('set_health', () => {
  it.each(['UNHEALTHY', 'TIMEOUT', 'DRAINING'])('%s takes a host out, HEALTHY brings it back', async (status) => {
    const timeline = [
      { at: '4s', set_health: { hosts: C, status } },
      { at: '8s', set_health: { hosts: C, status: 'HEALTHY' } },
    ];
    const result = await run(world(timeline, three));
    expect(requestsByHost(result)[C]).toBe(60);
    expect(phasesOf(result)).toEqual([
      [0, 'start'],
      [4, `${C} set ${status}`],
      [8, `${C} set HEALTHY`],
    ]);
    const out = await run(world(timeline.slice(0, 1), three));
    expect(clusterStats(out)).toMatchObject({ membership_total: 3, membership_healthy: 2, membership_change: 1 });
    expect(out.clusters['c']?.hosts[2]?.health).toBe('unhealthy');
  });

  it('DEGRADED leaves it what the healthy ones cannot take', async () => {
    const result = await run(world([{ at: '0s', set_health: { hosts: C, status: 'DEGRADED' } }], three));
    expect(clusterStats(result)).toMatchObject({ membership_healthy: 2, membership_degraded: 1 });
    // 140 % of 2 of 3 hosts is 93 % of the traffic.
    const toC = requestsByHost(result)[C] ?? 0;
    expect(Math.abs(toC - 21)).toBeLessThan(5 * Math.sqrt(300 * 0.07 * 0.93));
  });

  it('DRAINING excludes a host since 1.40', async () => {
    const timeline = [{ at: '4s', set_health: { hosts: C, status: 'DRAINING' } }];
    const excluded = async (version: string): Promise<unknown> =>
      clusterStats(await run(world(timeline, { ...three, proxy: { version } })))['membership_excluded'];
    expect([await excluded('1.17'), await excluded('1.40')]).toEqual([0, 1]);
  });
});

describe('set_weight', () => {
  it('changes shares, not membership', async () => {
    const result = await run(world([{ at: '4s', set_weight: { hosts: A, weight: 2 } }], {}, EDS));
    expect(requestsByHost(result)).toEqual({ [A]: 60, [B]: 40 });
    expect(phasesOf(result)[1]).toEqual([4, `${A} gets weight 2`]);
    expect(clusterStats(result)).toMatchObject({ membership_change: 1, max_host_weight: 2, update_success: 2 });
    expect(result.clusters['c']?.hosts[0]?.weight).toBe(2);
  });
});

describe('set_metadata', () => {
  it('moves a host from subset to subset; what it had is replaced', async () => {
    const lb_subset_config = { subset_selectors: [{ keys: ['v'] }, { keys: ['stage'] }] };
    const one = { metadata: { v: '1', stage: 'prod' } };
    const more = {
      endpoints: {
        c: [
          { address: A, ...one },
          { address: B, ...one },
          { address: C, metadata: { v: '2' } },
        ],
      },
      workloads: ['v', 'stage'].map((key) => ({
        cluster: 'c',
        arrivals: { constant: '10/s' },
        metadata_match: { [key]: key === 'v' ? '2' : 'prod' },
      })),
    };
    const timeline = [{ at: '4s', set_metadata: { hosts: [B][0], metadata: { v: '2' } } }];
    const result = await run(world(timeline, more, { lb_subset_config }));
    // v=2: 40 to C, then 30 each to B and C. stage=prod: 20 each to A and B, then 60 to A.
    expect(requestsByHost(result)).toEqual({ [A]: 80, [B]: 50, [C]: 70 });
    expect(phasesOf(result)).toHaveLength(2);
    expect(clusterStats(result)).toMatchObject({ membership_change: 1 });
  });
});

describe('add_hosts', () => {
  it('takes the shorthand and LbEndpoints, with a place, weight, health and metadata', async () => {
    const endpoints = [
      { address: C, weight: 3, health: 'UNHEALTHY', metadata: { v: '2' }, hostname: 'c.test' },
      { address: '10.0.0.8:80', count: 2 },
      { endpoint: { address: { socket_address: { address: '10.0.1.1', port_value: 80 } } }, load_balancing_weight: 2 },
    ];
    const timeline = [{ at: '4s', add_hosts: { cluster: 'c', zone: 'b', endpoints } }];
    const result = await run(world(timeline, {}, EDS));
    const hosts = result.clusters['c']?.hosts ?? [];
    expect(
      hosts.slice(2).map(({ address, locality: { zone }, weight, health }) => [address, zone, weight, health]),
    ).toEqual([
      [C, 'b', 3, 'unhealthy'],
      ['10.0.0.8:80', 'b', 1, 'healthy'],
      ['10.0.0.9:80', 'b', 1, 'healthy'],
      ['10.0.1.1:80', 'b', 2, 'healthy'],
    ]);
    expect(hosts[2]?.hostname).toBe('c.test');
    // 60 requests by weight 1, 1, 1, 1 and 2.
    expect(requestsByHost(result)).toMatchObject({ [C]: 0, '10.0.0.8:80': 10, '10.0.1.1:80': 20 });
    expect(clusterStats(result)).toMatchObject({
      membership_total: 6,
      membership_healthy: 5,
      membership_change: 2,
      update_attempt: 2,
    });
    expect(phasesOf(result)[1]?.[0]).toBe(4);
  });

  it('in a priority that was not there counts a change of that level alone', async () => {
    const timeline = [
      { at: '4s', add_hosts: { cluster: 'c', priority: 1, endpoints: [C] } },
      { at: '6s', set_health: { hosts: { priority: 0 }, status: 'UNHEALTHY' } },
    ];
    const result = await run(world(timeline));
    expect(requestsByHost(result)).toEqual({ [A]: 30, [B]: 30, [C]: 40 });
    expect(result.clusters['c']?.hosts[2]?.priority).toBe(1);
    expect(clusterStats(result)).toMatchObject({ membership_change: 2 });
  });
});

describe('remove_hosts', () => {
  it('takes hosts out at once; their rows stay, with the time they left', async () => {
    const result = await run(world([{ at: '4s', remove_hosts: B }]));
    expect(requestsByHost(result)).toEqual({ [A]: 80, [B]: 20 });
    expect(result.clusters['c']?.hosts.map(({ removed_at_s }) => removed_at_s)).toEqual([undefined, 4]);
    expect(clusterStats(result)).toMatchObject({ membership_total: 1, membership_change: 2, upstream_cx_active: 1 });
    expect(phasesOf(result)[1]).toEqual([4, `${B} leaves`]);
  });

  it('may take all: then there is no host', async () => {
    const result = await run(world([{ at: '4s', remove_hosts: {} }]));
    expect(result.totals).toMatchObject({ success: 40, failed: 60, no_healthy_upstream: 60 });
    expect(clusterStats(result)).toMatchObject({
      membership_total: 0,
      upstream_cx_none_healthy: 60,
      lb_healthy_panic: 60,
    });
  });

  it('means the hosts of STATIC and EDS clusters only, in each that has them', async () => {
    const more = {
      clusters: [{ name: 'c' }, { name: 'd', ...EDS }],
      endpoints: { c: [A, B], d: [B, C] },
    };
    const result = await run(world([{ at: '4s', remove_hosts: B }], more));
    expect(clusterStats(result, 'd')).toMatchObject({ membership_total: 1, membership_change: 2 });
    expect(clusterStats(result, 'c')).toMatchObject({ membership_total: 1, membership_change: 2 });
  });
});

describe('assign', () => {
  const lbEndpoint = (address: string): unknown => ({
    endpoint: { address: { socket_address: { address, port_value: 80 } } },
  });

  it('is a whole new assignment: what it does not name leaves, what it names again stays as it is', async () => {
    const assign = {
      cluster_name: 'c',
      endpoints: [{ lb_endpoints: [lbEndpoint('10.0.0.2'), lbEndpoint('10.0.0.3')] }],
    };
    const result = await run(world([{ at: '4s', assign }], {}, EDS));
    expect(requestsByHost(result)).toEqual({ [A]: 20, [B]: 50, [C]: 30 });
    expect(clusterStats(result)).toMatchObject({
      membership_total: 2,
      membership_change: 2,
      update_attempt: 2,
      update_success: 2,
      // B kept its connection.
      upstream_cx_total: 3,
    });
  });

  it('with its own overprovisioning factor', async () => {
    const assign = {
      cluster_name: 'c',
      policy: { overprovisioning_factor: 100 },
      endpoints: [
        {
          lb_endpoints: [lbEndpoint('10.0.0.1'), { ...(lbEndpoint('10.0.0.2') as object), health_status: 'UNHEALTHY' }],
        },
        { priority: 1, lb_endpoints: [lbEndpoint('10.0.0.3')] },
      ],
    };
    const result = await run(world([{ at: '0s', assign }], {}, EDS));
    const toC = requestsByHost(result)[C] ?? 0;
    expect(Math.abs(toC - 50)).toBeLessThan(25);
    expect(requestsByHost(result)[B]).toBe(0);
  });

  it('that changes nothing is an update without a rebuild, and no phase', async () => {
    const assign = {
      cluster_name: 'c',
      endpoints: [{ lb_endpoints: [lbEndpoint('10.0.0.1'), lbEndpoint('10.0.0.2')] }],
    };
    const result = await run(world([{ at: '4s', assign }], {}, EDS));
    expect(clusterStats(result)).toMatchObject({ update_success: 2, update_no_rebuild: 1, membership_change: 1 });
    expect(phasesOf(result)).toHaveLength(1);
  });
});

describe('dns', () => {
  it('replaces the whole map: a name that is not in it any more does not exist', async () => {
    const more = {
      endpoints: { c: ['one.test:80', 'two.test:80'] },
      dns: { 'one.test': { addresses: ['10.0.0.1'] }, 'two.test': { addresses: ['10.0.0.2'] } },
    };
    const timeline = [{ at: '4.5s', dns: { 'two.test': { addresses: ['10.0.0.3'] } } }];
    const result = await run(world(timeline, more, { type: 'STRICT_DNS', dns_refresh_rate: '1s' }));
    // The proxy asks at 5 s.
    expect(requestsByHost(result)).toEqual({ [A]: 25, [B]: 25, [C]: 50 });
    expect(clusterStats(result)).toMatchObject({ membership_total: 1, update_failure: 0 });
    expect(labelsOf(result)).toHaveLength(1);
  });
});

describe('update_cluster', () => {
  const named = (name: string, more: Record<string, unknown>): unknown => ({
    name,
    load_assignment: {
      cluster_name: name,
      endpoints: [
        {
          lb_endpoints: ['10.0.0.1', '10.0.0.2'].map((address) => ({
            endpoint: { address: { socket_address: { address, port_value: 80 } } },
          })),
        },
      ],
    },
    ...more,
  });
  const check = {
    timeout: '0.5s',
    interval: '1s',
    unhealthy_threshold: 1,
    healthy_threshold: 1,
    http_health_check: { path: '/' },
  };

  it('brings a cluster that requests may have waited for', async () => {
    const workloads = [{ cluster: 'late', arrivals: { constant: '10/s' } }];
    const result = await run(world([{ at: '4s', update_cluster: named('late', {}) }], { workloads }));
    expect(result.totals).toMatchObject({ success: 60, failed: 40 });
    expect(clusterStats(result, 'late')).toMatchObject({ upstream_rq_total: 60, membership_total: 2 });
    expect(result.stats.counters).toMatchObject({ 'cluster_manager.cluster_added': 2 });
  });

  it('ends the health checks of the old cluster; the new one has its first results at once', async () => {
    const old = named('c', { health_checks: [check] });
    const changed = named('c', { health_checks: [check], lb_policy: 'RANDOM' });
    const more = { clusters: [old], endpoints: undefined };
    const result = await run(world([{ at: '5.5s', update_cluster: changed }], more));
    // At 0, 1 … 5 s, then at 5.5, 6.5 … 9.5 s, two hosts each.
    expect(clusterStats(result)).toMatchObject({ 'health_check.attempt': 2 * 6 + 2 * 5, 'health_check.healthy': 2 });
    expect(result.totals.failed).toBe(0);
  });

  it('knows at once what the checks of the new cluster say', async () => {
    const more = { clusters: [named('c', {})], endpoints: undefined, behavior: [{ hosts: B, health_check: 503 }] };
    const result = await run(world([{ at: '5s', update_cluster: named('c', { health_checks: [check] }) }], more));
    expect(requestsByHost(result)).toEqual({ [A]: 75, [B]: 25 });
    expect(clusterStats(result)).toMatchObject({ membership_healthy: 1, 'health_check.healthy': 1 });
  });

  it('forgets what outlier detection knew, and un-ejects', async () => {
    const outlier = { outlier_detection: { consecutive_5xx: 2, max_ejection_percent: 50 } };
    const more = {
      clusters: [named('c', outlier)],
      endpoints: undefined,
      behavior: [{ hosts: B, error_rate: '100%' }],
    };
    const timeline = [{ at: '5s', update_cluster: named('c', { ...outlier, lb_policy: 'RANDOM' }) }];
    const before = await run(world([], more));
    expect(clusterStats(before)).toMatchObject({ 'outlier_detection.ejections_active': 1 });
    expect(requestsByHost(before)[B]).toBe(2);
    const result = await run(world(timeline, more));
    expect(clusterStats(result)).toMatchObject({
      'outlier_detection.ejections_enforced_total': 2,
      'outlier_detection.ejections_active': 1,
    });
    expect(requestsByHost(result)[B]).toBe(4);
  });

  it('lets requests finish that are open, at hosts that are no longer there', async () => {
    const requests = [{ at: '4s', cluster: 'c', service_time: '3s' }];
    const more = { clusters: [named('c', {})], endpoints: undefined, workloads: [], requests };
    const changed = { name: 'c', load_assignment: { cluster_name: 'c', endpoints: [] } };
    const result = await run(world([{ at: '5s', update_cluster: changed }], more));
    expect(result.totals).toMatchObject({ success: 1 });
    expect(clusterStats(result)).toMatchObject({ membership_total: 0, upstream_rq_active: 0, upstream_cx_active: 0 });
  });
});

describe('remove_cluster', () => {
  it('ends health checks, ejections and updates; open requests finish, new ones find no cluster', async () => {
    const cluster = {
      health_checks: [
        {
          timeout: '0.5s',
          interval: '1s',
          unhealthy_threshold: 1,
          healthy_threshold: 1,
          http_health_check: { path: '/' },
        },
      ],
      outlier_detection: { interval: '1s' },
    };
    const requests = [{ at: '4s', cluster: 'c', service_time: '3s' }];
    const timeline = [
      { at: '5s', remove_cluster: 'c' },
      { at: '6s', set_behavior: { hosts: {}, health_check: 503 } },
      { at: '6s', set_health: { hosts: {}, status: 'UNHEALTHY' } },
    ];
    const result = await run(world(timeline, { requests }, cluster));
    expect(result.totals).toMatchObject({ requests: 101, success: 51, failed: 50, no_healthy_upstream: 0 });
    expect(clusterStats(result)).toEqual({});
    expect(result.stats.gauges).toMatchObject({ 'cluster_manager.active_clusters': 0 });
    expect(result.stats.counters).toMatchObject({ 'cluster_manager.cluster_removed': 1 });
    expect(phasesOf(result)).toEqual([
      [0, 'start'],
      [5, 'cluster c is removed'],
    ]);
    expect(result.clusters['c']?.hosts.map(({ removed_at_s }) => removed_at_s)).toEqual([5, 5]);
  });

  it('fails a request that waits for its retry', async () => {
    const retry_policy = {
      retry_on: '5xx',
      num_retries: 3,
      retry_back_off: { base_interval: '2s', max_interval: '2s' },
    };
    const requests = [{ at: '4.9s', cluster: 'c', retry_policy }];
    const more = { workloads: [], requests, behavior: [{ hosts: {}, error_rate: '100%' }] };
    const ended: unknown[] = [];
    await run(world([{ at: '5s', remove_cluster: 'c' }], more), {
      onRequest: ({ outcome, attempts }) => ended.push([outcome, attempts]),
    });
    expect(ended).toEqual([['no_cluster', 1]]);
  });
});

describe('set_behavior', () => {
  it('changes what it names and nothing else, from the next request on', async () => {
    const behavior = [{ hosts: {}, service_time: '20ms', error_rate: '100%', error_status: 500 }];
    const result = await run(world([{ at: '5s', set_behavior: { hosts: B, error_status: 503 } }], { behavior }));
    expect(clusterStats(result)).toMatchObject({ upstream_rq_500: 75, upstream_rq_503: 25, membership_healthy: 2 });
    expect(result.clusters['c']?.hosts[1]?.latency_ms.max).toBe(20);
    expect(phasesOf(result)).toHaveLength(1);
    expect(labelsOf(result)).toEqual([`${B} has error status 503`]);
  });
});

describe('set_rate', () => {
  it('changes the rate from now on, at 0 nobody sends', async () => {
    const timeline = [
      { at: '2s', set_rate: { workload: 'users', rate: '50/s' } },
      { at: '4s', set_rate: { workload: 'users', rate: '0/s' } },
      { at: '8s', set_rate: { workload: 'users', rate: '10/s' } },
    ];
    const at: number[] = [];
    const result = await run(world(timeline), { onRequest: ({ tUs }) => at.push(tUs) });
    const sent = (fromS: number, toS: number): number => at.filter((us) => us >= fromS * 1e6 && us < toS * 1e6).length;
    expect([sent(0, 2), sent(2, 4), sent(4, 8), sent(8, 10)]).toEqual([20, 100, 0, 20]);
    expect(phasesOf(result)).toHaveLength(1);
    expect(labelsOf(result)).toEqual(['users sends 50/s', 'users sends 0/s', 'users sends 10/s']);
  });
});

describe('set_runtime', () => {
  it('acts on every proxy, at once where the proxy reads the value each time', async () => {
    const more = {
      proxies: [{ name: 'edge', count: 2 }],
      behavior: [{ hosts: {}, service_time: '10s' }],
      duration: '9s',
    };
    const timeline = [{ at: '3s', set_runtime: { 'circuit_breakers.c.default.max_requests': 20 } }];
    const result = await run(world(timeline, more));
    // 30 until 3 s, then each proxy fills up to 20.
    expect(result.totals).toMatchObject({ in_flight: 40, overflow: 50 });
    expect(labelsOf(result)).toContain('runtime circuit_breakers.c.default.max_requests = 20');
  });

  it('waits for the next update where the proxy reads it then', async () => {
    const timeline = [
      { at: '2s', set_health: { hosts: [A][0], status: 'UNHEALTHY' } },
      { at: '4s', set_runtime: { 'upstream.healthy_panic_threshold': 60 } },
      { at: '7s', set_weight: { hosts: A, weight: 2 } },
    ];
    const result = await run(world(timeline));
    // Half of the hosts is no panic below 50 %, and is below 60 %.
    const [, outage, panic] = result.clusters['c']?.phases ?? [];
    expect(outage).toMatchObject({ from_s: 2, to_s: 7, hosts: [{ share: 0 }, { share: 1 }] });
    expect(panic?.from_s).toBe(7);
    expect(panic?.hosts[0]?.share).toBeGreaterThan(0.5);
    expect(clusterStats(result)).toMatchObject({ lb_healthy_panic: 30 });
  });
});

describe('note', () => {
  it('is a label and changes nothing', async () => {
    const silent = await run(world([]));
    const noted = await run(world([{ at: '5s', note: 'the release goes out' }]));
    expect(labelsOf(noted)).toEqual(['the release goes out']);
    expect(noted.stats).toEqual(silent.stats);
    expect(phasesOf(noted)).toEqual(phasesOf(silent));
  });
});

describe('every', () => {
  const times = async (entry: Record<string, unknown>): Promise<readonly number[]> => {
    const result = await run(world([{ ...entry, note: 'now' }]));
    return result.events.filter(({ kind }) => kind === 'timeline').map(({ t_s }) => t_s);
  };

  it('acts from the start on, or from `from`, and no more at `until`', async () => {
    expect(await times({ every: '4s' })).toEqual([0, 4, 8]);
    expect(await times({ every: '2s', from: '3s' })).toEqual([3, 5, 7, 9]);
    expect(await times({ every: '2s', from: '3s', until: '7s' })).toEqual([3, 5]);
    expect(await times({ every: '2s', until: '4.001s' })).toEqual([0, 2, 4]);
  });
});

describe('several actions at one instant', () => {
  const timeline = [
    { at: '4s', set_weight: { hosts: A, weight: 3 } },
    { at: '4s', add_hosts: { cluster: 'c', endpoints: [C] } },
    { at: '4s', remove_hosts: B },
    { at: '4s', set_health: { hosts: C, status: 'UNHEALTHY' } },
  ];

  it.each(['1.12', '1.17', '1.40'])('are one update of the cluster at %s', async (version) => {
    const result = await run(world(timeline, { proxy: { version } }, EDS));
    expect(clusterStats(result)).toMatchObject({ update_attempt: 2, membership_change: 2, membership_total: 2 });
    expect(result.stats.counters['cluster_manager.cluster_updated']).toBe(1);
    expect(phasesOf(result)).toHaveLength(2);
    expect(phasesOf(result)[1]?.[1]).toContain('; ');
    expect(requestsByHost(result)).toEqual({ [A]: 80, [B]: 20, [C]: 0 });
  });

  it('are one update for each cluster that they touch', async () => {
    const more = {
      clusters: [
        { name: 'c', ...EDS },
        { name: 'd', ...EDS },
      ],
      endpoints: { c: [A, B], d: [A, C] },
    };
    const both = [
      { at: '4s', set_weight: { hosts: A, weight: 3 } },
      { at: '4s', set_health: { hosts: { cluster: 'd' }, status: 'UNHEALTHY' } },
    ];
    const result = await run(world(both, more));
    expect(clusterStats(result, 'c')['update_success']).toBe(2);
    expect(clusterStats(result, 'd')['update_success']).toBe(2);
  });

  it('may undo each other: then nothing changed', async () => {
    const undone = [
      { at: '4s', set_weight: { hosts: A, weight: 3 } },
      { at: '4s', set_weight: { hosts: A, weight: 1 } },
    ];
    const result = await run(world(undone, {}, EDS));
    expect(clusterStats(result)).toMatchObject({ update_success: 2, update_no_rebuild: 1 });
    expect(phasesOf(result)).toHaveLength(1);
  });
});
