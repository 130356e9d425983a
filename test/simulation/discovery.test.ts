import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/result/run-result.js';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

async function run(value: unknown): Promise<{ result: RunResult; decisions: DecisionRecord[] }> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const decisions: DecisionRecord[] = [];
  const result = await runScenario(scenario, { onDecision: (record) => void decisions.push(record) });
  return { result, decisions };
}

function countsOf(result: RunResult, cluster = 'c'): Record<string, number> {
  return Object.fromEntries(
    (result.clusters[cluster]?.hosts ?? []).map(({ address, requests }) => [address, requests]),
  );
}

const dns = { 'svc.test': { addresses: ['10.0.0.1'], ttl: '1s' } };
const moved = { 'svc.test': { addresses: ['10.0.0.2'], ttl: '1s' } };

function dnsScenario(type: string, more: Record<string, unknown> = {}, cluster: Record<string, unknown> = {}): unknown {
  return {
    clusters: [{ name: 'c', type, dns_refresh_rate: '2s', ...cluster }],
    endpoints: { c: ['svc.test:80'] },
    dns,
    workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '10s' }],
    timeline: [{ at: '3s', dns: moved }],
    ...more,
  };
}

describe('STRICT_DNS in a run', () => {
  it('sees a new answer at the next refresh, not before', async () => {
    const { result } = await run(dnsScenario('STRICT_DNS'));
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 40, '10.0.0.2:80': 60 });
    expect(result.clusters['c']?.phases.map(({ from_s, cause }) => [from_s, cause])).toEqual([
      [0, expect.stringContaining('start')],
      [4, 'svc.test: 10.0.0.2:80 added, 10.0.0.1:80 gone'],
    ]);
  });

  it('follows the TTL of the answers where it is told to', async () => {
    const { result } = await run(dnsScenario('STRICT_DNS', {}, { respect_dns_ttl: true }));
    // The query of 3 s comes before the change of 3 s.
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 40, '10.0.0.2:80': 60 });
    expect(result.stats.counters['cluster.c.update_attempt']).toBe(11);
  });

  it('backs off by itself while queries fail', async () => {
    const timeline = [{ at: '3s', dns: { 'svc.test': { fail: true } } }];
    const slow = { dns_failure_refresh_rate: { base_interval: '1000s', max_interval: '2000s' } };
    const { result } = await run(dnsScenario('STRICT_DNS', { timeline, seed: 5 }, slow));
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 100 });
    expect(result.stats.counters).toMatchObject({ 'cluster.c.update_attempt': 3, 'cluster.c.update_failure': 1 });
  });

  it('counts the answers to all names but the first as updates', async () => {
    const { result } = await run({
      clusters: [{ name: 'c', type: 'STRICT_DNS', lb_policy: 'ROUND_ROBIN' }],
      endpoints: { c: ['a.test:80', 'b.test:80', 'gone.test:80'] },
      dns: { 'a.test': { addresses: ['10.0.0.1'] }, 'b.test': { addresses: ['10.0.0.1', '10.0.0.2'] } },
      workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '3s' }],
    });
    expect(result.stats.counters).toMatchObject({
      'cluster.c.membership_change': 2,
      'cluster.c.update_no_rebuild': 1,
      'cluster_manager.cluster_updated': 1,
    });
    // Two names that share an address are two hosts there.
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 200, '10.0.0.2:80': 100 });
  });

  it('leaves actions on assignments to other clusters', async () => {
    const timeline = [{ at: '1s', set_health: { hosts: {}, status: 'UNHEALTHY' } }];
    const { result } = await run(dnsScenario('STRICT_DNS', { timeline }));
    expect(result.clusters['c']?.phases).toHaveLength(1);
    expect(result.clusters['c']?.hosts[0]?.health).toBe('healthy');
  });
});

describe('LOGICAL_DNS in a run', () => {
  it('keeps using the connections it has: only new ones go to the new address', async () => {
    const expectation = { share: { cluster: 'c', hosts: '10.0.0.1:80' }, equals: '100%' };
    const { result, decisions } = await run(dnsScenario('LOGICAL_DNS', { expect: [expectation] }));
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 100, '10.0.0.2:80': 0 });
    expect(result.expect).toMatchObject([{ passed: true, actual: 1 }]);
    expect(decisions[99]?.host).toBe('10.0.0.2:80');
    expect(result.stats.counters).toMatchObject({
      'cluster.c.membership_change': 1,
      'cluster.c.upstream_cx_total': 1,
    });
    expect(result.clusters['c']?.phases.at(-1)?.cause).toBe(
      'svc.test is 10.0.0.2:80 instead of 10.0.0.1:80 for new connections, while open ones stay (up to 1.38)',
    );
  });

  it('goes to the new address with each new connection', async () => {
    const { result } = await run(dnsScenario('LOGICAL_DNS', {}, { max_requests_per_connection: 1 }));
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 40, '10.0.0.2:80': 60 });
    expect(result.clusters['c']?.phases.map(({ from_s }) => from_s)).toEqual([0, 4]);
  });

  it('counts a choice of a transport socket for each answer since 1.39, whether its host stays or not', async () => {
    const counts = async (version: string): Promise<unknown> => {
      const { result } = await run(dnsScenario('LOGICAL_DNS', { proxy: { version } }));
      const names = ['update_success', 'update_no_rebuild', 'default.total_match_count'];
      return names.map((name) => result.stats.counters[`cluster.c.${name}`]);
    };
    // Answers at 0, 2, 4 (another address), 6, 8 and 10 s.
    expect(await counts('1.40')).toEqual([6, 4, 6]);
    expect(await counts('1.17')).toEqual([6, 0, 1]);
  });

  it('fails what is open at the old address when that goes down, and nothing else', async () => {
    const timeline = [
      { at: '3s', dns: moved },
      { at: '6s', fail: '10.0.0.1:80' },
    ];
    const { result } = await run(dnsScenario('LOGICAL_DNS', { timeline }));
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 60, '10.0.0.2:80': 40 });
    expect(result.totals.failed).toBe(0);
  });
});

describe('ORIGINAL_DST in a run', () => {
  it('sends requests where their header says, and forgets hosts that are not used', async () => {
    const to = (host: string) => ({ headers: { 'X-Envoy-Original-Dst-Host': host } });
    const { result } = await run({
      clusters: [
        {
          name: 'c',
          type: 'ORIGINAL_DST',
          lb_policy: 'CLUSTER_PROVIDED',
          original_dst_lb_config: { use_http_header: true },
          cleanup_interval: '2s',
        },
      ],
      duration: '10s',
      requests: [
        { at: '1s', cluster: 'c', ...to('10.0.0.1:80') },
        { at: '1s', cluster: 'c', ...to('10.0.0.2:80,10.0.0.3:80') },
        { at: '3s', cluster: 'c', ...to('10.0.0.1:80') },
        { at: '3s', cluster: 'c', ...to('nonsense') },
        { at: '3s', cluster: 'c' },
      ],
    });
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 2, '10.0.0.2:80': 1 });
    expect(result.clusters['c']?.hosts.map(({ removed_at_s }) => removed_at_s)).toEqual([6, 4]);
    expect(result.totals).toMatchObject({ success: 3, no_healthy_upstream: 2 });
    expect(result.stats.counters).toMatchObject({
      'cluster.c.membership_change': 4,
      'cluster.c.original_dst_host_invalid': 1,
      'cluster_manager.cluster_updated': 4,
    });
  });
});

describe('the cleanup of ORIGINAL_DST', () => {
  const to = (host: string): unknown => ({ 'x-proxy-original-dst-host': host });
  const cleaned = async (version: string, cluster: Record<string, unknown> = {}): Promise<(number | undefined)[]> => {
    const { result } = await run({
      proxy: { version },
      clusters: [
        {
          name: 'c',
          type: 'ORIGINAL_DST',
          lb_policy: 'CLUSTER_PROVIDED',
          original_dst_lb_config: { use_http_header: true },
          cleanup_interval: '0.5s',
          ...cluster,
        },
      ],
      duration: '6s',
      workloads: [
        { name: 'a', cluster: 'c', arrivals: { constant: '20/s' }, headers: to('10.0.0.1:80') },
        { name: 'b', cluster: 'c', arrivals: { constant: '20/s' }, headers: to('10.0.0.2:80'), stop: '1.5s' },
      ],
    });
    return (result.clusters['c']?.hosts ?? []).map(({ removed_at_s }) => removed_at_s);
  };

  it('takes at 1.17 a host that was not used between two sweeps, connections or not', async () => {
    expect(await cleaned('1.17')).toEqual([undefined, 2]);
  });

  it('leaves at 1.40 a host to which a connection leads', async () => {
    expect(await cleaned('1.40')).toEqual([undefined, undefined]);
    // 30 requests in all: with a limit of 30 the connection ends with the last one, with 40 it does not.
    expect(await cleaned('1.40', { max_requests_per_connection: 1 })).toEqual([undefined, 2]);
    expect(await cleaned('1.40', { max_requests_per_connection: 30 })).toEqual([undefined, 2]);
    expect(await cleaned('1.40', { max_requests_per_connection: 40 })).toEqual([undefined, undefined]);
  });

  it('meets hosts that are healthy until a check says otherwise', async () => {
    const health_checks = [
      {
        timeout: '1s',
        interval: '10s',
        unhealthy_threshold: 3,
        healthy_threshold: 1,
        http_health_check: { path: '/' },
      },
    ];
    const { result } = await run({
      proxy: { version: '1.40' },
      clusters: [
        {
          name: 'c',
          type: 'ORIGINAL_DST',
          lb_policy: 'CLUSTER_PROVIDED',
          original_dst_lb_config: { use_http_header: true },
          health_checks,
        },
      ],
      behavior: [{ hosts: {}, down: 'hang' }],
      requests: [{ at: '1s', cluster: 'c', headers: to('10.0.0.1:80'), timeout: '1s' }],
      duration: '3s',
    });
    expect(result.stats.gauges).toMatchObject({ 'cluster.c.membership_healthy': 1 });
  });
});

function staticCluster(policy: string, ...addresses: string[]): unknown {
  const lb_endpoints = addresses.map((address) => ({
    endpoint: { address: { socket_address: { address, port_value: 80 } } },
  }));
  return { name: 'c', lb_policy: policy, load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints }] } };
}

const steady = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '10s' }];

describe('update_cluster and remove_cluster', () => {
  it('puts another cluster in the place of the old one, and counts on what it counts from the start', async () => {
    const { result } = await run({
      clusters: [staticCluster('ROUND_ROBIN', '10.0.0.1', '10.0.0.2')],
      workloads: steady,
      timeline: [{ at: '4s', update_cluster: staticCluster('RANDOM', '10.0.0.3') }],
    });
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 20, '10.0.0.2:80': 20, '10.0.0.3:80': 60 });
    expect(result.clusters['c']?.phases.map(({ from_s, cause }) => [from_s, cause])).toEqual([
      [0, 'start'],
      [4, 'an update replaces cluster c and all its connections'],
    ]);
    expect(result.stats.counters).toMatchObject({
      'cluster_manager.cluster_modified': 1,
      'cluster_manager.cluster_updated': 0,
      'cluster.c.membership_change': 2,
      'cluster.c.upstream_rq_completed': 100,
    });
  });

  it('passes over an update that changes nothing', async () => {
    const same = staticCluster('ROUND_ROBIN', '10.0.0.1');
    const timeline = [{ at: '4s', update_cluster: same }];
    const { result } = await run({ clusters: [same], workloads: steady, timeline });
    expect(result.stats.counters['cluster_manager.cluster_modified']).toBe(0);
    expect(result.clusters['c']?.phases).toHaveLength(1);
  });

  it('answers requests to a removed cluster without an attempt, until it is there again', async () => {
    const cluster = staticCluster('ROUND_ROBIN', '10.0.0.1');
    const timeline = [
      { at: '4s', remove_cluster: 'c' },
      { at: '6s', update_cluster: cluster },
    ];
    const { result, decisions } = await run({ clusters: [cluster], workloads: steady, timeline });
    expect(result.totals).toMatchObject({ requests: 100, success: 80, failed: 20, no_healthy_upstream: 0 });
    expect(decisions).toHaveLength(80);
    expect(result.stats.counters).toMatchObject({
      'cluster_manager.cluster_removed': 1,
      'cluster_manager.cluster_added': 2,
    });
    expect(result.clusters['c']?.hosts[0]).not.toHaveProperty('removed_at_s');
  });

  it('lets requests that are open finish', async () => {
    const { result } = await run({
      clusters: [staticCluster('ROUND_ROBIN', '10.0.0.1')],
      requests: [{ at: '1s', cluster: 'c', service_time: '5s' }],
      timeline: [
        { at: '2s', update_cluster: staticCluster('ROUND_ROBIN', '10.0.0.2') },
        { at: '3s', remove_cluster: 'c' },
        { at: '4s', update_cluster: staticCluster('ROUND_ROBIN', '10.0.0.3') },
      ],
      duration: '10s',
    });
    expect(result.totals).toMatchObject({ success: 1, failed: 0, in_flight: 0 });
    expect(result.stats.gauges).toMatchObject({
      'cluster_manager.active_clusters': 1,
      'cluster.c.membership_total': 1,
      'cluster.c.upstream_cx_active': 0,
      'cluster.c.upstream_rq_active': 0,
    });
  });

  const eds = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
  const assignment = {
    cluster_name: 'c',
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.9', port_value: 80 } } } }] },
    ],
  };

  it('keeps the old cluster until the new one has its first assignment', async () => {
    const { result } = await run({
      clusters: [staticCluster('ROUND_ROBIN', '10.0.0.1')],
      workloads: steady,
      timeline: [
        { at: '2s', update_cluster: eds },
        { at: '5s', assign: assignment },
      ],
    });
    expect(countsOf(result)).toEqual({ '10.0.0.1:80': 50, '10.0.0.9:80': 50 });
    // It is the new cluster that has the new host, not the old one.
    expect(result.stats.counters['cluster_manager.cluster_modified']).toBe(1);
  });

  it('waits no longer than the fetch timeout for that', async () => {
    const quick = {
      ...eds,
      eds_cluster_config: { ...eds.eds_cluster_config, eds_config: { ads: {}, initial_fetch_timeout: '3s' } },
    };
    const { result } = await run({
      clusters: [staticCluster('ROUND_ROBIN', '10.0.0.1')],
      workloads: steady,
      timeline: [{ at: '2s', update_cluster: quick }],
    });
    expect(result.totals).toMatchObject({ success: 50, no_healthy_upstream: 50 });
  });

  it('waits for ever under a fetch timeout of 0', async () => {
    const patient = {
      ...eds,
      eds_cluster_config: { ...eds.eds_cluster_config, eds_config: { ads: {}, initial_fetch_timeout: '0s' } },
    };
    const { result } = await run({
      clusters: [staticCluster('ROUND_ROBIN', '10.0.0.1')],
      workloads: steady,
      timeline: [{ at: '2s', update_cluster: patient }],
    });
    expect(result.totals).toMatchObject({ success: 100, no_healthy_upstream: 0 });
  });

  it('finds no host in an EDS cluster that nothing was said of yet', async () => {
    const { result } = await run({ clusters: [eds], workloads: steady, timeline: [{ at: '4s', assign: assignment }] });
    expect(result.totals).toMatchObject({ success: 60, no_healthy_upstream: 40 });
    expect(result.stats.counters['cluster_manager.cluster_updated']).toBe(1);
  });
});

describe('what EDS calls a cluster', () => {
  const named = (name: string): Record<string, unknown> => ({
    name,
    type: 'EDS',
    lb_policy: 'ROUND_ROBIN',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: 'svc' },
  });
  const toHost = (last: number): unknown => ({
    cluster_name: 'svc',
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: `10.0.0.${last}`, port_value: 80 } } } }] },
    ],
  });

  it('may be another name, which several clusters share', async () => {
    const { result } = await run({
      clusters: [named('c'), named('d')],
      assignments: { svc: toHost(1) },
      workloads: ['c', 'd'].map((cluster) => ({ cluster, arrivals: { constant: '10/s' }, stop: '10s' })),
      timeline: [{ at: '4s', assign: toHost(2) }],
    });
    for (const cluster of ['c', 'd']) {
      expect(countsOf(result, cluster)).toEqual({ '10.0.0.1:80': 40, '10.0.0.2:80': 60 });
    }
    expect(result.stats.counters['cluster.d.update_success']).toBe(2);
  });
});

describe('dns_lookup_family', () => {
  it.each([
    ['AUTO', ['[2001:db8::1]:80']],
    ['V4_ONLY', ['10.0.0.1:80', '10.0.0.2:80']],
    ['V6_ONLY', ['[2001:db8::1]:80']],
  ])('%s', async (family, hosts) => {
    const { result } = await run({
      clusters: [{ name: 'c', type: 'STRICT_DNS', dns_lookup_family: family }],
      endpoints: { c: ['svc.test:80'] },
      dns: { 'svc.test': { addresses: ['10.0.0.1', '2001:db8::1', '10.0.0.2'] } },
      workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '1s' }],
    });
    expect(Object.keys(countsOf(result))).toEqual(hosts);
  });
});

describe('cluster_type', () => {
  const typed = (name: string): unknown => ({
    clusters: [{ name: 'c', cluster_type: { name } }],
    endpoints: { c: ['svc.test:80'] },
    dns,
    workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '1s' }],
  });

  it.each(['proxy.cluster.strict_dns', 'envoy.cluster.logical_dns'])('%s is a type like any other', async (name) => {
    expect(countsOf((await run(typed(name))).result)).toEqual({ '10.0.0.1:80': 10 });
  });

  it('of an extension is refused by its name', async () => {
    await expect(run(typed('proxy.clusters.aggregate'))).rejects.toThrow('proxy.clusters.aggregate');
  });
});

describe('a failing resolver', () => {
  it('is asked less and less often, up to the longest interval, and at the normal rate once it answers', async () => {
    const { result } = await run({
      clusters: [
        {
          name: 'c',
          type: 'STRICT_DNS',
          dns_refresh_rate: '10s',
          dns_failure_refresh_rate: { base_interval: '0.1s', max_interval: '1s' },
        },
      ],
      endpoints: { c: ['svc.test:80'] },
      dns,
      workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '100s' }],
      timeline: [
        { at: '5s', dns: { 'svc.test': { fail: true } } },
        { at: '40s', dns: moved },
      ],
    });
    // Queries at 0 and 10 s; then waits of up to 0.1, 0.3, 0.7 and 1 s at most, 0.5 s on average, until some second of 40;
    // then every 10 s.
    const failed = result.stats.counters['cluster.c.update_failure'] ?? 0;
    expect(failed).toBeGreaterThan(30);
    expect(failed).toBeLessThan(120);
    expect(result.stats.counters['cluster.c.update_success']).toBeGreaterThanOrEqual(1 + 6);
    expect(result.stats.counters['cluster.c.update_success']).toBeLessThanOrEqual(1 + 7);
    const [, change] = result.clusters['c']?.phases ?? [];
    expect(change?.from_s).toBeGreaterThan(40);
    expect(change?.from_s).toBeLessThanOrEqual(41);
  });
});
