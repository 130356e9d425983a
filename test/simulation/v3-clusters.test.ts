import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import type { RunResult } from '../../src/result/run-result.js';
import { clusterStats, phasesOf, requestsByHost, run } from '../support/run.js';

/** What v3 clusters do in a run: aggregates, drops, assignments that age, weights by load reports. */

const V3 = 'type.googleapis.com/envoy.extensions';

function hosts(ips: readonly string[], ill: readonly string[] = []): object {
  const lb_endpoints = ips.map((ip) => ({
    endpoint: { address: { socket_address: { address: ip, port_value: 80 } } },
    ...(ill.includes(ip) && { health_status: 'UNHEALTHY' }),
  }));
  return { endpoints: [{ lb_endpoints }] };
}

function fixed(name: string, ips: readonly string[], ill: readonly string[] = [], more: object = {}): object {
  return { name, type: 'STATIC', load_assignment: { cluster_name: name, ...hosts(ips, ill), ...more } };
}

function aggregate(clusters: readonly string[]): object {
  const typed_config = { '@type': `${V3}.clusters.aggregate.v3.ClusterConfig`, clusters };
  return {
    name: 'agg',
    lb_policy: 'CLUSTER_PROVIDED',
    cluster_type: { name: 'envoy.clusters.aggregate', typed_config },
  };
}

const STEADY = { cluster: 'agg', arrivals: { constant: '1000/s' }, stop: '10s' };

function booksBalance({ clusters, totals }: RunResult): void {
  const { agg } = clusters;
  const members = agg?.members ?? [];
  const passedOn = members.reduce((sum, { requests }) => sum + requests, 0);
  expect(passedOn + (agg?.no_host.requests ?? 0) + (agg?.overflow.requests ?? 0)).toBe(agg?.requests);
  for (const { cluster, requests } of members) {
    const own = clusters[cluster];
    expect((own?.hosts ?? []).reduce((sum, host) => sum + host.requests, 0)).toBe(requests);
  }
  expect(agg?.success).toBe(totals.success);
  expect(agg?.failed).toBe(totals.failed);
}

describe('an aggregate', () => {
  it('spreads over its clusters as over priorities, and counts hosts where they are', async () => {
    const clusters = [
      fixed('one', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1']),
      fixed('two', ['10.0.1.1']),
      aggregate(['one', 'two']),
    ];
    const result = await run({ clusters, workloads: [STEADY] });
    booksBalance(result);
    const [one, two] = result.clusters['agg']?.members ?? [];
    // Half of the first cluster times 1.4.
    expect(Math.abs((one?.share ?? 0) - 0.7)).toBeLessThan(5 * Math.sqrt((0.7 * 0.3) / 10_000));
    expect((one?.share ?? 0) + (two?.share ?? 0)).toBeCloseTo(1);
    expect(requestsByHost(result, 'one')).toMatchObject({ '10.0.0.1:80': 0 });
    expect(clusterStats(result, 'agg')).toMatchObject({ upstream_rq_200: 10_000, upstream_rq_total: 0 });
  });

  it('has counted the errors of its hosts that an expectation asks for, whatever their zone', async () => {
    const zoned = (name: string, ip: string, zone: string): object => {
      const [entry] = (hosts([ip]) as { readonly endpoints: readonly object[] }).endpoints;
      return { name, load_assignment: { cluster_name: name, endpoints: [{ ...entry, locality: { zone } }] } };
    };
    const result = await run({
      clusters: [zoned('other', '10.0.2.1', 'z'), zoned('one', '10.0.0.1', 'a'), aggregate(['one'])],
      behavior: [{ hosts: { cluster: 'one' }, error_rate: '50%' }],
      workloads: [STEADY],
      expect: [{ stat: 'cluster.agg.upstream_rq_5xx', at_most: 0 }],
    });
    expect(result.clusters['agg']?.failed).toBeGreaterThan(4_000);
    expect(result.expect).toMatchObject([{ passed: false, actual: result.clusters['agg']?.failed }]);
    expect(clusterStats(result, 'agg')).toMatchObject({ 'external.upstream_rq_503': result.clusters['agg']?.failed });
  });

  it('follows its clusters: health, hosts that leave, a cluster that is removed', async () => {
    const result = await run({
      clusters: [
        fixed('one', ['10.0.0.1', '10.0.0.2']),
        fixed('two', ['10.0.1.1']),
        aggregate(['one', 'missing', 'two']),
      ],
      workloads: [STEADY],
      timeline: [
        { at: '2s', set_health: { hosts: { cluster: 'one' }, status: 'UNHEALTHY' } },
        { at: '4s', set_health: { hosts: { cluster: 'one' }, status: 'HEALTHY' } },
        { at: '6s', remove_hosts: { cluster: 'one' } },
        { at: '8s', remove_cluster: 'two' },
      ],
    });
    booksBalance(result);
    expect(phasesOf(result, 'agg').map(([from]) => from)).toEqual([0, 2, 4, 6, 8]);
    const shares = result.clusters['agg']?.phases.map(({ members = [] }) => members.map(({ share }) => share));
    expect(shares?.map((each) => each[0])).toEqual([1, 0, 1, 0, 0]);
    expect(result.clusters['agg']?.phases.at(-1)?.no_host.share).toBe(1);
  });

  it('is warned of what it passes over', () => {
    const clusters = [fixed('one', ['10.0.0.1']), aggregate(['one', 'onne', 'agg'])];
    const text = JSON.stringify({ name: 'a', clusters, workloads: [STEADY], duration: '1s' });
    const { problems } = loadScenario({ file: 'a.json', text });
    const found = problems.filter(({ rule }) => rule === 'aggregate-member');
    expect(found.map(({ severity, path, message }) => `${severity} ${path} ${message}`)).toEqual([
      expect.stringMatching(/^warning clusters\[1\].*clusters\[1\] onne is not among the clusters.*one/),
      expect.stringMatching(/^warning clusters\[1\].*clusters\[2\] agg is an aggregate itself/),
    ]);
  });

  it('tries again in another of its clusters, as its retry policy says', async () => {
    const result = await run({
      clusters: [fixed('one', ['10.0.0.1']), fixed('two', ['10.0.1.1']), aggregate(['one', 'two'])],
      behavior: [{ hosts: { cluster: 'one' }, error_rate: '100%' }],
      workloads: [
        {
          ...STEADY,
          // Waits of 25 ms, of which three may go on at a time.
          arrivals: { constant: '10/s' },
          retry_policy: {
            retry_on: '5xx',
            retry_priority: { name: 'envoy.retry_priorities.previous_priorities', config: { update_frequency: 1 } },
          },
        },
      ],
    });
    booksBalance(result);
    expect(result.totals.failed).toBe(0);
    expect(result.clusters['agg']?.members?.map(({ requests }) => requests)).toEqual([100, 100]);
    // Retries are the aggregate's, requests those of the cluster that has the host.
    expect(clusterStats(result, 'agg')).toMatchObject({ upstream_rq_retry: 100, upstream_rq_total: 0 });
    expect(clusterStats(result, 'two')).toMatchObject({ upstream_rq_retry: 0, upstream_rq_total: 100 });
  });

  it('obeys the circuit breakers of the cluster that has the host', async () => {
    const limited = { ...fixed('one', ['10.0.0.1']), circuit_breakers: { thresholds: [{ max_requests: 1 }] } };
    const clusters = [limited, aggregate(['one'])];
    const result = await run({ clusters, behavior: [{ service_time: '10ms' }], workloads: [STEADY] });
    booksBalance(result);
    expect(result.clusters['agg']?.overflow.requests).toBeGreaterThan(0);
    expect(result.clusters['agg']?.overflow.requests).toBe(result.clusters['one']?.overflow.requests);
  });
});

describe('drop_overloads', () => {
  const dropping = (numerator: number, denominator = 'HUNDRED'): object => ({
    policy: { drop_overloads: [{ category: 'load', drop_percentage: { numerator, denominator } }] },
  });
  const one = (more: object, ill: readonly string[] = []): object => fixed('c', ['10.0.0.1', '10.0.0.2'], ill, more);
  const to = { ...STEADY, cluster: 'c' };

  it.each([0, 5, 50, 100])('drops %s %% of the requests before anybody is asked', async (percent) => {
    const result = await run({ clusters: [one(dropping(percent))], proxy: { version: '1.40' }, workloads: [to] });
    const { totals, failures, clusters } = result;
    const part = percent / 100;
    expect(Math.abs(failures.drop_overload / totals.requests - part)).toBeLessThanOrEqual(
      5 * Math.sqrt((part * (1 - part)) / 10_000),
    );
    expect(clusters['c']?.requests).toBe(totals.requests - failures.drop_overload);
    expect(totals.success + totals.failed).toBe(totals.requests);
  });

  it('drops nothing up to 1.17', async () => {
    const result = await run({ clusters: [one(dropping(50))], proxy: { version: '1.17' }, workloads: [to] });
    expect(result.failures.drop_overload).toBe(0);
  });

  it('is no reason to try again', async () => {
    const workload = { ...to, retry_policy: { retry_on: '5xx', num_retries: 3 } };
    const result = await run({ clusters: [one(dropping(100))], proxy: { version: '1.40' }, workloads: [workload] });
    expect(result.totals).toMatchObject({ failed: 10_000, retries: 0 });
  });

  it.each([0, 20])('is capped by the runtime at %d %%', async (limit) => {
    const proxy = { version: '1.40', runtime: { 'load_balancing_policy.drop_overload_limit': limit } };
    const result = await run({ clusters: [one(dropping(50))], proxy, workloads: [to] });
    const expected = (limit * result.totals.requests) / 100;
    expect(Math.abs(result.failures.drop_overload - expected)).toBeLessThanOrEqual(
      5 * Math.sqrt(expected * (1 - limit / 100)),
    );
  });

  it.each([
    ['1.40', 1, 0],
    ['1.17', 0, 10_000],
  ])('of two categories is an assignment that %s rejects %s times', async (version, rejected, success) => {
    const [category] = (dropping(0) as { policy: { drop_overloads: object[] } }).policy.drop_overloads;
    const eds = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
    const assignment = { cluster_name: 'c', ...hosts(['10.0.0.1']), policy: { drop_overloads: [category, category] } };
    const result = await run({ clusters: [eds], assignments: { c: assignment }, proxy: { version }, workloads: [to] });
    expect(result.stats.counters['cluster.c.update_rejected']).toBe(rejected);
    expect(result.totals.success).toBe(success);
  });

  it('waits for an update that changes hosts, too', async () => {
    const eds = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
    const assign = (ips: readonly string[], more: object): object => ({ cluster_name: 'c', ...hosts(ips), ...more });
    const result = await run({
      clusters: [eds],
      assignments: { c: assign(['10.0.0.1'], {}) },
      proxy: { version: '1.40' },
      workloads: [to],
      timeline: [
        { at: '2s', assign: assign(['10.0.0.1'], dropping(100)) },
        { at: '4s', assign: assign(['10.0.0.1', '10.0.0.2'], dropping(100)) },
        { at: '6s', assign: assign(['10.0.0.1'], {}) },
      ],
    });
    expect(result.failures.drop_overload).toBe(2000);
  });
});

describe('endpoint_stale_after', () => {
  it('drops an assignment that is that old, unless a newer one comes before', async () => {
    const assignment = { cluster_name: 'c', ...hosts(['10.0.0.1']), policy: { endpoint_stale_after: '3s' } };
    const result = await run({
      clusters: [{ name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }],
      assignments: { c: assignment },
      workloads: [{ ...STEADY, cluster: 'c' }],
      timeline: [{ at: '2s', assign: assignment }],
    });
    expect(result.failures.no_host).toBe(5000);
    expect(phasesOf(result)).toEqual([
      [0, 'start'],
      [5, 'endpoint_stale_after: the assignment is too old'],
    ]);
    const { counters } = result.stats;
    const names = ['assignment_stale', 'assignment_timeout_received', 'update_success', 'membership_change'];
    expect(names.map((name) => counters[`cluster.c.${name}`])).toEqual([1, 2, 2, 2]);
  });

  it('drops none while the same one comes again and again', async () => {
    const assignment = { cluster_name: 'c', ...hosts(['10.0.0.1']), policy: { endpoint_stale_after: '3s' } };
    const result = await run({
      clusters: [{ name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }],
      assignments: { c: assignment },
      workloads: [{ ...STEADY, cluster: 'c' }],
      timeline: [{ every: '2s', assign: assignment }],
    });
    expect(result.failures.no_host).toBe(0);
  });

  it('is nothing to a cluster that says its hosts itself, as in a 1.40.0', async () => {
    const load_assignment = { cluster_name: 'c', ...hosts(['10.0.0.1']), policy: { endpoint_stale_after: '3s' } };
    const result = await run({
      clusters: [{ name: 'c', load_assignment }],
      workloads: [{ ...STEADY, cluster: 'c' }],
    });
    expect(result.failures.no_host).toBe(0);
    expect(result.stats.counters['cluster.c.assignment_stale'] ?? 0).toBe(0);
  });
});

describe('a typed subset without selectors', () => {
  it.each([
    [{ fallback_policy: 'NO_FALLBACK' }, [0, 0]],
    [{ fallback_policy: 'DEFAULT_SUBSET', default_subset: { s: 'a' }, subset_selectors: [] }, [100, 0]],
    [{ fallback_policy: 'ANY_ENDPOINT', locality_weight_aware: true }, [50, 50]],
  ])('falls back for every request, as in a 1.40.0: %j', async (settings, expected) => {
    const typed_config = {
      '@type': `${V3}.load_balancing_policies.subset.v3.Subset`,
      subset_lb_policy: {
        policies: [
          {
            typed_extension_config: {
              name: 'b',
              typed_config: { '@type': `${V3}.load_balancing_policies.round_robin.v3.RoundRobin` },
            },
          },
        ],
      },
      ...settings,
    };
    const lb_endpoints = ['a', 'b'].map((s, host) => ({
      endpoint: { address: { socket_address: { address: `10.0.0.${host}`, port_value: 80 } } },
      metadata: { filter_metadata: { 'envoy.lb': { s } } },
    }));
    const result = await run({
      clusters: [
        {
          name: 'c',
          load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints }] },
          load_balancing_policy: { policies: [{ typed_extension_config: { name: 'a', typed_config } }] },
        },
      ],
      workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '1s' }],
    });
    expect(Object.values(requestsByHost(result))).toEqual(expected);
  });
});

describe('weights by load reports', () => {
  const policy = (settings: object, inner?: object): { readonly load_balancing_policy: object } => ({
    load_balancing_policy: {
      policies: [
        {
          typed_extension_config: {
            name: 'a',
            typed_config: inner ?? {
              '@type': `${V3}.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
              blackout_period: '0s',
              weight_update_period: '0.5s',
              ...settings,
            },
          },
        },
      ],
    },
  });
  const measured = { load_report: 'measured', concurrency: 10 };

  it('follow what hosts measure: the quick one gets more than the slow one', async () => {
    const result = await run({
      clusters: [{ ...fixed('c', ['10.0.0.1', '10.0.0.2']), ...policy({}) }],
      behavior: [
        { ...measured, service_time: '5ms' },
        { hosts: '10.0.0.2:80', ...measured, service_time: '15ms' },
      ],
      workloads: [{ cluster: 'c', arrivals: { constant: '400/s' }, stop: '60s' }],
    });
    const { '10.0.0.1:80': quick = 0, '10.0.0.2:80': slow = 1 } = requestsByHost(result);
    // A request costs the slow one three times as much: a third of the weight, whatever the load.
    expect(quick / slow).toBeGreaterThan(2.7);
    expect(quick / slow).toBeLessThan(3.1);
  });

  // A 1.40.0 hears of each host for the first time within a period, by chance, and of those in answers all the same.
  it('come from hosts by themselves, too, before the first request', async () => {
    const first = async (enable_oob_load_report: boolean, down = 'none') => {
      const result = await run({
        clusters: [
          {
            ...fixed('c', ['10.0.0.1', '10.0.0.2']),
            ...policy({ enable_oob_load_report, oob_reporting_period: '1s' }),
          },
        ],
        behavior: [
          { hosts: '10.0.0.1:80', load_report: { cpu_utilization: 0.2, rps_fractional: 100 } },
          { hosts: '10.0.0.2:80', load_report: { cpu_utilization: 0.6, rps_fractional: 100 } },
        ],
        timeline: [
          { at: '0s', set_behavior: { hosts: '10.0.0.2:80', down } },
          { at: '2s', recover: '10.0.0.2:80' },
        ],
        workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, start: '2s', stop: '2.4s' }],
      });
      // Where the schedule begins is drawn.
      return Math.round((requestsByHost(result)['10.0.0.1:80'] ?? 0) / 10);
    };
    expect(await first(true)).toBe(30);
    expect(await first(false)).toBe(20);
    // Who is down says nothing, and has the weight that is usual.
    expect(await first(true, 'hang')).toBe(20);
  });

  // Of a 1.40.0 and such hosts the same: it asks one that is down again and again, one without such a service never.
  it('are counted where hosts send them by themselves', async () => {
    const { stats } = await run({
      clusters: [
        {
          ...fixed('c', ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']),
          ...policy({ enable_oob_load_report: true, oob_reporting_period: '1s' }),
        },
      ],
      behavior: [
        { hosts: '10.0.0.1:80', load_report: { cpu_utilization: 0.2, rps_fractional: 100 } },
        { hosts: '10.0.0.2:80', load_report: { cpu_utilization: 0.2 } },
        { hosts: '10.0.0.3:80', down: 'refuse' },
      ],
      workloads: [{ cluster: 'c', arrivals: { constant: '1/s' }, stop: '10s' }],
      duration: '10s',
    });
    expect(stats.counters).toMatchObject({
      'cluster.c.lb_orca_oob.reports_received': 20,
      'cluster.c.lb_orca_oob.report_errors': 10,
      'cluster.c.lb_orca_oob.stream_terminated': 1,
    });
    expect(stats.gauges['cluster.c.lb_orca_oob.active_sessions']).toBe(3);
    const failures = stats.counters['cluster.c.lb_orca_oob.stream_failures'] ?? 0;
    expect(failures).toBeGreaterThan(1);
    expect(failures).toBeLessThan(9);
  });

  // A 1.40.0 reads no report of an answer that is retried.
  it('come with answers that are passed on', async () => {
    const requests = async (retry_on: string) => {
      const result = await run({
        clusters: [{ ...fixed('c', ['10.0.0.1', '10.0.0.2']), ...policy({}) }],
        behavior: [
          { load_report: { cpu_utilization: 0.2, rps_fractional: 100, eps: 0 } },
          { hosts: '10.0.0.1:80', error_rate: '100%', load_report: { cpu_utilization: 0.05, rps_fractional: 100 } },
        ],
        // None meets another, so that the retry of each goes to the other host.
        workloads: [{ cluster: 'c', arrivals: { constant: '4/s' }, stop: '60s', retry_policy: { retry_on } }],
      });
      const { '10.0.0.1:80': failing = 0, '10.0.0.2:80': well = 1 } = requestsByHost(result);
      return Math.round(failing / well);
    };
    expect(await requests('5xx')).toBe(1);
    expect(await requests('reset')).toBe(4);
  });

  it('leave the turns as they are where no weight changes, however often they are looked at', async () => {
    const reports = (cpu_utilization: number): object => ({
      load_report: { cpu_utilization, rps_fractional: 100, eps: 0 },
    });
    const result = await run({
      clusters: [{ ...fixed('c', ['10.0.0.1', '10.0.0.2']), ...policy({}) }],
      behavior: [
        { hosts: '10.0.0.1:80', ...reports(0.2) },
        { hosts: '10.0.0.2:80', ...reports(0.4) },
      ],
      // One request between two looks.
      workloads: [{ cluster: 'c', arrivals: { constant: '2/s' }, stop: '60s' }],
    });
    const { '10.0.0.1:80': twice = 0, '10.0.0.2:80': once = 0 } = requestsByHost(result);
    expect([twice, once].map((count) => Math.round(count / 10))).toEqual([8, 4]);
  });

  describe('inside of subsets', () => {
    const endpoint = (host: number, s?: string, load_balancing_weight?: number): object => ({
      endpoint: { address: { socket_address: { address: `10.0.0.${host}`, port_value: 80 } } },
      metadata: { filter_metadata: { 'envoy.lb': s === undefined ? {} : { s } } },
      load_balancing_weight,
    });
    const subset = (inner: object, settings: object = {}): object =>
      policy(
        {},
        {
          '@type': `${V3}.load_balancing_policies.subset.v3.Subset`,
          fallback_policy: 'ANY_ENDPOINT',
          subset_selectors: [{ keys: ['s'] }],
          subset_lb_policy: inner,
          ...settings,
        },
      );
    const reports = [0.2, 0.5].map((cpu_utilization, host) => ({
      hosts: `10.0.0.${host + 1}:80`,
      load_report: { cpu_utilization, rps_fractional: 100 },
    }));

    it('count from the next change of hosts on: until then all are equal, as in a 1.40.0', async () => {
      const lb_endpoints = [endpoint(1, 'a', 10), endpoint(2, 'a', 1)];
      const result = await run({
        clusters: [
          {
            name: 'c',
            load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints }] },
            ...subset(policy({}).load_balancing_policy),
          },
        ],
        behavior: reports,
        workloads: [{ cluster: 'c', arrivals: { constant: '850/s' }, stop: '3s' }],
        timeline: [{ at: '2s', add_hosts: { cluster: 'c', endpoints: [endpoint(3)] } }],
      });
      const [before, after] = result.clusters['c']?.phases ?? [];
      expect(before?.hosts.map(({ requests }) => requests)).toEqual([850, 850]);
      // 500, 200 and their mean for the new one, which has not reported anything: of 850 requests 405, 162 and 283.
      [405, 162, 283].forEach((requests, index) => {
        expect(Math.abs((after?.hosts[index]?.requests ?? 0) - requests)).toBeLessThanOrEqual(1);
      });
    });

    it('are the median of the subset for a host that says nothing', async () => {
      const lb_endpoints = [endpoint(1, 'a'), endpoint(2, 'b'), endpoint(3, 'a'), endpoint(4, 'b')];
      const result = await run({
        clusters: [
          {
            name: 'c',
            load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints }] },
            ...subset(policy({}).load_balancing_policy),
          },
        ],
        behavior: reports,
        workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '3s' }],
        timeline: [{ at: '2s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } }],
      });
      expect(result.clusters['c']?.hosts.map(({ weight }) => weight)).toEqual([500, 200, 500, 200]);
    });

    it.each([
      [{}, [1 / 3, 1 / 3, 1 / 3]],
      [{ locality_weight_aware: true }, [3 / 4, 1 / 8, 1 / 8]],
      [{ locality_weight_aware: true, scale_locality_weight: true }, [2 / 3, 1 / 6, 1 / 6]],
    ])('stand in wrr_locality, whose localities weigh as subsets say: %j', async (settings, shares) => {
      const endpoints = [
        { locality: { zone: 'a' }, load_balancing_weight: 3, lb_endpoints: [endpoint(1, 'a'), endpoint(2, 'b')] },
        { locality: { zone: 'b' }, load_balancing_weight: 1, lb_endpoints: [endpoint(3, 'a'), endpoint(4, 'a')] },
      ];
      const inner = policy(
        {},
        {
          '@type': `${V3}.load_balancing_policies.wrr_locality.v3.WrrLocality`,
          endpoint_picking_policy: policy({}).load_balancing_policy,
        },
      ).load_balancing_policy;
      const result = await run({
        clusters: [{ name: 'c', load_assignment: { cluster_name: 'c', endpoints }, ...subset(inner, settings) }],
        workloads: [
          {
            cluster: 'c',
            arrivals: { constant: '480/s' },
            stop: '1s',
            metadata_match: { filter_metadata: { 'envoy.lb': { s: 'a' } } },
          },
        ],
      });
      const found = requestsByHost(result);
      expect(['1', '3', '4'].map((host) => found[`10.0.0.${host}:80`])).toEqual(shares.map((share) => 480 * share));
    });
  });

  describe('of which none is due', () => {
    const eds = { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
    const cluster = { name: 'c', ...eds, ...policy({ weight_update_period: '4s' }) };
    const reports = [0.2, 0.5, 0.5].map((cpu_utilization, host) => ({
      hosts: `10.0.0.${host + 1}:80`,
      load_report: { cpu_utilization, rps_fractional: 100, eps: 0 },
    }));
    const traffic = { cluster: 'c', arrivals: { constant: '900/s' }, stop: '2s' };
    /** Requests of each host after a second, in the order of the hosts. */
    const after = (result: RunResult): readonly number[] =>
      result.clusters['c']?.phases.at(-1)?.hosts.map(({ requests }) => requests) ?? [];
    const endpoint = (address: string, load_balancing_weight?: number): object => ({
      endpoint: { address: { socket_address: { address, port_value: 80 } } },
      load_balancing_weight,
    });

    it('make all weights new when a host joins: configured ones are over', async () => {
      const result = await run({
        clusters: [cluster],
        assignments: {
          c: { cluster_name: 'c', endpoints: [{ lb_endpoints: [endpoint('10.0.0.1', 2), endpoint('10.0.0.2', 1)] }] },
        },
        workloads: [traffic],
        timeline: [{ at: '1s', add_hosts: { cluster: 'c', endpoints: [endpoint('10.0.0.3', 98)] } }],
      });
      expect(result.clusters['c']?.phases[0]?.hosts.map(({ requests }) => requests)).toEqual([600, 300]);
      expect(after(result)).toEqual([300, 300, 300]);
      expect(clusterStats(result)['max_host_weight']).toBe(98);
    });

    it.each<readonly [string, object, readonly number[], number]>([
      [
        'the median where a host joins',
        { add_hosts: { cluster: 'c', endpoints: [endpoint('10.0.0.4', 98)] } },
        [409, 163, 164, 164],
        98,
      ],
      [
        'those of reports where a configured one changes',
        { set_weight: { hosts: '10.0.0.2:80', weight: 7 } },
        [500, 200, 200],
        7,
      ],
      [
        'those of reports where health changes',
        { set_health: { hosts: '10.0.0.3:80', status: 'UNHEALTHY' } },
        [643, 257, 0],
        1,
      ],
    ])('are %s', async (_, change, expected, largest) => {
      const result = await run({
        clusters: [cluster],
        assignments: { c: { cluster_name: 'c', ...hosts(['10.0.0.1', '10.0.0.2', '10.0.0.3']) } },
        behavior: reports,
        workloads: [traffic],
        timeline: [{ at: '1s', ...change }],
      });
      expect(result.clusters['c']?.phases[0]?.hosts.slice(0, 3).map(({ requests }) => requests)).toEqual([
        300, 300, 300,
      ]);
      after(result).forEach((requests, index) => {
        expect(Math.abs(requests - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
      });
      expect(clusterStats(result)['max_host_weight']).toBe(largest);
    });

    it('are those of reports once a check fails, and a host that its checks keep counts with its own', async () => {
      const result = await run({
        clusters: [
          {
            ...cluster,
            health_checks: [
              {
                timeout: '0.1s',
                interval: '0.1s',
                no_traffic_interval: '0.1s',
                unhealthy_threshold: 1,
                healthy_threshold: 1,
                http_health_check: { path: '/' },
              },
            ],
          },
        ],
        assignments: { c: { cluster_name: 'c', ...hosts(['10.0.0.1', '10.0.0.2', '10.0.0.3']) } },
        behavior: reports,
        workloads: [traffic],
        timeline: [
          { at: '0.5s', set_behavior: { match: '10.0.0.2:80', health_check: '503' } },
          { at: '1s', remove_hosts: '10.0.0.1:80' },
        ],
      });
      expect(after(result)).toEqual([643, 0, 257]);
      expect(clusterStats(result)['max_host_weight']).toBe(500);
    });
  });

  it('have no part in a run in which nobody reports', async () => {
    const result = await run({
      clusters: [{ ...fixed('c', ['10.0.0.1', '10.0.0.2']), ...policy({}) }],
      workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '10s' }],
    });
    expect(requestsByHost(result)).toEqual({ '10.0.0.1:80': 500, '10.0.0.2:80': 500 });
  });
});

describe('localities by load reports', () => {
  /** One host in each of three zones, the proxy in the first. */
  const inZones = (loads: readonly number[], settings: object = {}): object => ({
    clusters: [
      {
        name: 'c',
        type: 'STATIC',
        load_assignment: {
          cluster_name: 'c',
          endpoints: loads.map((_, index) => ({
            locality: { zone: `z${index}` },
            ...(hosts([`10.0.0.${index}`]) as { readonly endpoints: readonly object[] }).endpoints[0],
          })),
        },
        load_balancing_policy: {
          policies: [
            {
              typed_extension_config: {
                name: 'a',
                typed_config: {
                  '@type': `${V3}.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality`,
                  weight_update_period: '0.2s',
                  endpoint_picking_policy: {
                    policies: [
                      {
                        typed_extension_config: {
                          name: 'b',
                          typed_config: { '@type': `${V3}.load_balancing_policies.round_robin.v3.RoundRobin` },
                        },
                      },
                    ],
                  },
                  ...settings,
                },
              },
            },
          ],
        },
      },
    ],
    behavior: loads.map((load, index) => ({
      hosts: `10.0.0.${index}:80`,
      load_report: { cpu_utilization: load, rps_fractional: 100 },
    })),
    proxy: { node: { id: 'n', locality: { zone: 'z0' } } },
    workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, stop: '20s' }],
    warmup: '1s',
  });
  const near = (result: RunResult, expected: readonly number[]): void => {
    const found = result.clusters['c']?.hosts.map(({ share }) => share) ?? [];
    expected.forEach((share, index) => {
      expect(Math.abs((found[index] ?? 0) - share)).toBeLessThanOrEqual(5 * Math.sqrt((share * (1 - share)) / 19_000));
    });
  };

  it('share the room that is left once the own one is busier than the others', async () => {
    near(await run(inZones([0.7, 0.3, 0.4])), [3 / 16, 7 / 16, 6 / 16]);
  });

  it('stay with the own one, but for the probes', async () => {
    const result = await run(inZones([0.3, 0.3, 0.4]));
    near(result, [0.97, 0.015, 0.015]);
    const { lb_zone_routing_sampled: kept = 0, lb_zone_routing_cross_zone: left = 0 } = clusterStats(result);
    expect(kept + left).toBe(20_000);
  });

  it('stay wholly where nobody is probed', async () => {
    const result = await run(inZones([0.3, 0.3, 0.4], { remote_probe_fraction: 0 }));
    near(result, [1, 0, 0]);
    // In one of a hundred updates the own load is known and the others’ is not.
    expect(clusterStats(result)).toMatchObject({ lb_zone_routing_all_directly: 19_800 });
  });
});
