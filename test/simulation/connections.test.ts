import { describe, expect, it } from 'vitest';
import { percentOfTimeout } from '../../src/simulation/request-plan.js';
import { run } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';

function scenario(cluster: Record<string, unknown>, more: Record<string, unknown> = {}): unknown {
  return {
    duration: '10s',
    clusters: [{ name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } }, ...cluster }],
    endpoints: { c: [A, B] },
    workloads: [{ cluster: 'c', arrivals: { constant: '10/s' } }],
    ...more,
  };
}

async function closed(value: unknown): Promise<readonly unknown[]> {
  const { counters, gauges } = (await run(value)).stats;
  return [counters['cluster.c.upstream_cx_destroy_local'], gauges['cluster.c.upstream_cx_active']];
}

describe('connections', () => {
  const added = { timeline: [{ at: '5s', add_hosts: { cluster: 'c', endpoints: ['10.0.0.3:80'] } }] };

  it('stay when hosts join', async () => {
    expect(await closed(scenario({}, added))).toEqual([0, 3]);
  });

  it('close when hosts join or leave, under close_connections_on_host_set_change', async () => {
    const cluster = { common_lb_config: { close_connections_on_host_set_change: true } };
    expect(await closed(scenario(cluster, added))).toEqual([2, 3]);
    const reweighted = { timeline: [{ at: '5s', set_weight: { hosts: A, weight: 2 } }] };
    expect(await closed(scenario(cluster, reweighted))).toEqual([0, 2]);
  });

  it('of a host that left close, busy ones after their request', async () => {
    const timeline = [{ at: '5s', remove_hosts: A }];
    expect(await closed(scenario({}, { timeline }))).toEqual([1, 1]);
    const workloads: unknown[] = [];
    const requests = [{ at: '4s', cluster: 'c', service_time: '3s' }];
    const busy = { endpoints: { c: [A] }, workloads, requests, timeline };
    expect(await closed(scenario({}, { ...busy, duration: '6s' }))).toEqual([0, 1]);
    const result = await run(scenario({}, busy));
    expect(result.totals).toMatchObject({ success: 1 });
    expect(result.stats.gauges['cluster.c.upstream_cx_active']).toBe(0);
  });

  it('before 1.14 are limited for HTTP/1 alone, and requests for HTTP/2 alone, which has one connection to a host', async () => {
    // Four requests at once that take a second each, to one host.
    const counts = async (version: string, limits: object, http2?: object): Promise<unknown> => {
      const cluster = { circuit_breakers: { thresholds: [limits] }, ...(http2 && { http2_protocol_options: http2 }) };
      const requests = [1, 1, 1, 1].map((at) => ({ at: `${at}s`, cluster: 'c', service_time: '1s' }));
      const warm = [{ at: '0s', cluster: 'c' }, ...requests];
      const more = { proxy: { version }, endpoints: { c: [A] }, workloads: [], requests: warm };
      const { counters } = (await run(scenario(cluster, more))).stats;
      return ['upstream_rq_200', 'upstream_cx_total', 'upstream_cx_overflow'].map(
        (name) => counters[`cluster.c.${name}`],
      );
    };
    // HTTP/1: three more connections, of which 1.14 lets two requests in.
    expect(await counts('1.12', { max_requests: 2 })).toEqual([5, 4, 0]);
    expect(await counts('1.14', { max_requests: 2 })).toEqual([3, 4, 0]);
    expect(await counts('1.12', { max_connections: 1 })).toEqual(await counts('1.14', { max_connections: 1 }));
    // HTTP/2: the streams of one connection are all that 1.14 uses of it.
    expect(await counts('1.12', { max_requests: 2 }, {})).toEqual([3, 1, 0]);
    expect(await counts('1.14', { max_requests: 2 }, {})).toEqual([3, 1, 0]);
    expect(await counts('1.12', { max_connections: 1 }, { max_concurrent_streams: 2 })).toEqual([5, 1, 0]);
    expect(await counts('1.14', { max_connections: 1 }, { max_concurrent_streams: 2 })).toEqual([5, 1, 3]);
  });

  it('of HTTP/2 have 1024 requests at once since 1.36, and all before', async () => {
    const connections = async (version: string): Promise<unknown> => {
      const limits = { circuit_breakers: { thresholds: [{ max_requests: 5000, max_pending_requests: 5000 }] } };
      const requests = Array.from({ length: 1100 }, () => ({ at: '1s', cluster: 'c', service_time: '1s' }));
      const warm = [{ at: '0s', cluster: 'c' }, ...requests];
      const more = { proxy: { version }, endpoints: { c: [A] }, workloads: [], requests: warm };
      const { counters } = (await run(scenario({ ...limits, http2_protocol_options: {} }, more))).stats;
      return counters['cluster.c.upstream_cx_total'];
    };
    expect([await connections('1.17'), await connections('1.40')]).toEqual([1, 2]);
  });

  it('to a host that breaks down fail in the making when they would have been made, and not before', async () => {
    const waitedUs: number[] = [];
    const scenario = {
      duration: '2s',
      clusters: [{ name: 'c', connect_timeout: '1s' }],
      endpoints: { c: [A] },
      behavior: [{ hosts: {}, connect_time: '100ms' }],
      requests: [{ at: '0s', cluster: 'c' }],
      timeline: [{ at: '50ms', fail: A }],
    };
    const result = await run(scenario, { onRequest: ({ latencyUs }) => waitedUs.push(latencyUs) });
    const { counters } = result.stats;
    expect(counters['cluster.c.upstream_cx_connect_fail']).toBe(1);
    expect(result.failures.connect_failure).toBe(1);
    expect(waitedUs).toEqual([100_000]);
  });

  it('to a host that a health check failed close', async () => {
    const health_checks = [
      { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: { path: '/' } },
    ];
    const timeline = [{ at: '4.5s', set_behavior: { hosts: A, health_check: 503 } }];
    expect(await closed(scenario({ health_checks }, { timeline }))).toEqual([1, 1]);
  });

  it('to a host that was ejected close', async () => {
    const outlier_detection = { consecutive_5xx: 3, max_ejection_percent: 50 };
    const behavior = [{ hosts: A, error_rate: '100%' }];
    expect(await closed(scenario({ outlier_detection }, { behavior }))).toEqual([1, 1]);
  });

  it('have their next request, and retries that do not wait their host, before an ejection gets around', async () => {
    const counts = async (requests: readonly object[]): Promise<unknown> => {
      const cluster = {
        outlier_detection: { consecutive_5xx: 1, max_ejection_percent: 100 },
        circuit_breakers: { thresholds: [{ max_connections: 1 }] },
      };
      const more = { endpoints: { c: [A] }, workloads: [], requests };
      const { counters } = (await run(scenario(cluster, more))).stats;
      return ['upstream_cx_total', 'lb_healthy_panic', 'outlier_detection.ejections_enforced_total'].map(
        (name) => counters[`cluster.c.${name}`],
      );
    };
    const failing = { at: '0s', cluster: 'c', answers: [{ status: 503, service_time: '10ms' }, {}] };
    expect(await counts([failing, failing])).toEqual([1, 0, 1]);
    const retried = (base: string) => ({
      ...failing,
      retry_policy: { retry_on: '5xx', retry_back_off: { base_interval: base, max_interval: base } },
    });
    // A back-off of less than 1 ms is none.
    expect(await counts([retried('0.001s')])).toEqual([1, 0, 1]);
    expect(await counts([retried('10s')])).toEqual([2, 1, 1]);
  });
});

describe('track_timeout_budgets', () => {
  it('measures what requests and their tries used of their time, in whole percent', async () => {
    const behavior = [{ hosts: {}, service_time: '250ms' }];
    const retry_policy = { retry_on: '5xx', per_try_timeout: '500ms' };
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '1s', timeout: '2s', retry_policy }];
    const { histograms } = (await run(scenario({ track_timeout_budgets: true }, { behavior, workloads }))).stats;
    expect(histograms['cluster.c.upstream_rq_timeout_budget_percent_used']).toMatchObject({
      count: 10,
      min: 12,
      max: 12,
    });
    expect(histograms['cluster.c.upstream_rq_timeout_budget_per_try_percent_used']).toMatchObject({
      count: 10,
      max: 50,
    });
  });

  it('measures an attempt from its own beginning, also where it is asked for only meanwhile', async () => {
    const eds = { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
    const value = scenario(
      {},
      {
        endpoints: { c: [A] },
        behavior: [{ hosts: {}, service_time: '1s' }],
        workloads: [],
        requests: [{ at: '4s', cluster: 'c', retry_policy: { per_try_timeout: '2s' } }],
        timeline: [{ at: '4.5s', update_cluster: { name: 'c', ...eds, track_timeout_budgets: true } }],
      },
    );
    const { histograms } = (await run(value)).stats;
    const name = 'cluster.c.upstream_rq_timeout_budget_per_try_percent_used';
    expect(histograms[name]).toMatchObject({ count: 1, min: 50, max: 50 });
  });

  /** Values of both histograms after one request: of the request, of its tries. */
  async function budgets(request: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<unknown> {
    const { endpoints = { c: [A] }, ...behavior } = more;
    const value = scenario(
      { track_timeout_budgets: true },
      {
        endpoints,
        behavior: [{ hosts: {}, ...behavior }],
        workloads: [],
        requests: [{ at: '1s', cluster: 'c', ...request }],
      },
    );
    const { histograms } = (await run(value)).stats;
    return ['percent_used', 'per_try_percent_used'].map((name) => {
      const { count, min, max } = histograms[`cluster.c.upstream_rq_timeout_budget_${name}`] ?? {};
      return count === undefined || count === 0 ? 'nothing' : `${count}: ${min} to ${max}`;
    });
  }
  const retries = (more: Record<string, unknown>): Record<string, unknown> => ({
    retry_policy: { retry_on: '5xx', retry_back_off: { base_interval: '1ms', max_interval: '1ms' }, ...more },
  });
  const errors = { error_rate: '100%' };

  // Each as a proxy 1.40.0 did it, to the millisecond that its timers were early or late.
  it.each<readonly [string, Record<string, unknown>, Record<string, unknown>, readonly string[]]>([
    ['an answer', { timeout: '1s' }, { service_time: '300ms' }, ['1: 30 to 30', '1: 0 to 0']],
    ['no answer in time', { timeout: '1s' }, { service_time: '1500ms' }, ['1: 100 to 100', 'nothing']],
    ['an answer without a time-out', { timeout: '0s' }, { service_time: '200ms' }, ['1: 0 to 0', '1: 0 to 0']],
    [
      'tries that take too long',
      { timeout: '2s', ...retries({ num_retries: 2, per_try_timeout: '500ms' }) },
      { service_time: '600ms' },
      ['1: 75 to 75', '3: 100 to 100'],
    ],
    [
      'tries that fail',
      { timeout: '2s', ...retries({ num_retries: 2, per_try_timeout: '500ms' }) },
      { service_time: '200ms', ...errors },
      ['1: 30 to 30', '3: 40 to 40'],
    ],
    [
      'a try that may take longer than its request',
      { timeout: '400ms', ...retries({ per_try_timeout: '3s' }) },
      { service_time: '300ms', ...errors },
      ['1: 100 to 100', '1: 0 to 0'],
    ],
    [
      'time that is over between two tries',
      { timeout: '400ms', ...retries({ retry_back_off: { base_interval: '20s' } }) },
      { service_time: '100ms', ...errors },
      ['1: 100 to 100', '1: 0 to 0'],
    ],
    [
      'no connection, twice',
      { timeout: '1s', ...retries({ per_try_timeout: '500ms' }) },
      { down: 'refuse' },
      ['nothing', '2: 0 to 0'],
    ],
    ['no host', { timeout: '1s' }, { endpoints: { c: [] } }, ['nothing', 'nothing']],
  ])('counts %s', async (_, request, more, expected) => {
    expect(await budgets(request, more)).toEqual(expected);
  });

  it('counts a try that a circuit breaker turned away, and nothing for its request', async () => {
    const limits = { thresholds: [{ max_pending_requests: 0 }] };
    const more = { workloads: [], requests: [{ at: '1s', cluster: 'c' }] };
    const value = scenario({ track_timeout_budgets: true, circuit_breakers: limits }, more);
    const { histograms } = (await run(value)).stats;
    expect(histograms['cluster.c.upstream_rq_timeout_budget_per_try_percent_used']?.count).toBe(1);
    expect(histograms['cluster.c.upstream_rq_timeout_budget_percent_used']?.count ?? 0).toBe(0);
  });

  it('is off by default', async () => {
    const names = Object.keys((await run(scenario({}))).stats.histograms);
    expect(names.filter((name) => name.includes('budget'))).toEqual([]);
  });

  it('of a time-out that is none, uses nothing', () => {
    expect(percentOfTimeout(5_000_000, 0)).toBe(0);
    expect(percentOfTimeout(1_999_999, 3_000_000)).toBe(66);
  });
});

describe('transport_socket_matches', () => {
  const socket = {
    name: 'proxy.transport_sockets.raw_buffer',
    typed_config: { '@type': 'type.googleapis.com/proxy.config.transport_socket.raw_buffer.v2.RawBuffer' },
  };
  const transport_socket_matches = [
    { name: 'mtls', match: { tls: 'yes', level: 2 }, transport_socket: socket },
    { name: 'tls', match: { tls: 'yes' }, transport_socket: socket },
  ];
  const endpoint = (address: string, match?: unknown): unknown => ({
    endpoint: { address: { socket_address: { address, port_value: 80 } } },
    metadata: match === undefined ? {} : { filter_metadata: { 'envoy.transport_socket_match': match } },
  });
  const assignmentOf = (group: object): unknown => ({
    cluster_name: 'c',
    endpoints: [
      {
        ...group,
        lb_endpoints: [
          endpoint('10.0.0.1', { tls: 'yes', level: 2 }),
          endpoint('10.0.0.2', { tls: 'yes', level: '2' }),
          endpoint('10.0.0.3'),
        ],
      },
    ],
  });

  async function matches(version: string, timeline: readonly unknown[] = [], group: object = {}): Promise<unknown> {
    const more = { endpoints: {}, assignments: { c: assignmentOf(group) }, proxy: { version }, timeline };
    const result = await run(scenario({ transport_socket_matches }, more));
    const { counters } = result.stats;
    return {
      hosts: result.clusters['c']?.hosts.map(({ transport_socket_match }) => transport_socket_match),
      counts: ['mtls', 'tls', 'default'].map((name) => counters[`cluster.c.${name}.total_match_count`]),
    };
  }

  it('gives each host the first that fits its metadata, value and type', async () => {
    expect(await matches('1.40')).toEqual({ hosts: ['mtls', 'tls', 'default'], counts: [1, 1, 1] });
  });

  it('chooses for every endpoint of every update, and anew where metadata changed, which the v2 era did not', async () => {
    const timeline = [{ at: '2s', set_metadata: { hosts: '10.0.0.1:80', metadata: { version: '2' } } }];
    expect(await matches('1.40', timeline)).toEqual({ hosts: ['default', 'tls', 'default'], counts: [1, 2, 4] });
    expect(await matches('1.17', timeline)).toEqual({ hosts: ['mtls', 'tls', 'default'], counts: [1, 2, 3] });
  });

  const around = (match: unknown): object => ({
    metadata: { filter_metadata: { 'envoy.transport_socket_match': match } },
  });

  it('asks the metadata of the locality where that of the endpoint fits none, from 1.31 on', async () => {
    const group = around({ tls: 'yes', level: 2 });
    expect(await matches('1.40', [], group)).toEqual({ hosts: ['mtls', 'tls', 'mtls'], counts: [2, 1, 0] });
    expect(await matches('1.17', [], group)).toEqual({ hosts: ['mtls', 'tls', 'default'], counts: [1, 1, 1] });
  });

  it('keeps to the metadata of the locality that a host began with, as a 1.40.0 does', async () => {
    const mtls = around({ tls: 'yes', level: 2 });
    const timeline = [
      { at: '2s', assign: assignmentOf(around({ tls: 'yes' })) },
      { at: '4s', set_metadata: { hosts: '10.0.0.2:80', metadata: { version: '2' } } },
    ];
    expect(await matches('1.40', timeline, mtls)).toEqual({ hosts: ['mtls', 'mtls', 'mtls'], counts: [5, 5, 0] });
  });

  it('is in no result of a cluster without any', async () => {
    const result = await run(scenario({}));
    expect(result.clusters['c']?.hosts[0]).not.toHaveProperty('transport_socket_match');
    expect(result.stats.counters['cluster.c.default.total_match_count']).toBe(2);
  });
});

it('a worker handles the first 512 requests of an instant before its connections, whatever came before', async () => {
  const at = (time: string, count: number): unknown[] =>
    Array.from({ length: count }, () => ({ at: time, cluster: 'c' }));
  const { counters } = (
    await run({
      clusters: [
        {
          name: 'c',
          max_requests_per_connection: 1,
          circuit_breakers: { thresholds: [{ max_pending_requests: 1 }] },
        },
      ],
      endpoints: { c: [A] },
      // Connections are there at once, each for one request.
      workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, stop: '0.6s' }],
      requests: at('1s', 3),
    })
  ).stats;
  expect(counters['cluster.c.upstream_cx_total']).toBe(601);
  expect(counters['cluster.c.upstream_rq_pending_overflow']).toBe(2);
});
