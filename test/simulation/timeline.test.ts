import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

async function run(value: unknown): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario);
}

type Story = readonly { readonly from: number; readonly cause: string; readonly labels: readonly string[] }[];

function story(result: RunResult, cluster: string): Story {
  return (result.clusters[cluster]?.phases ?? []).map(({ from_s, cause, labels }) => ({ from: from_s, cause, labels }));
}

const constant = (cluster: string): Record<string, unknown> => ({
  cluster,
  arrivals: { constant: '100/s' },
  stop: '10s',
});

describe('what the timeline does to hosts', () => {
  it('is told in the clusters that have such a host, also by its address alone', async () => {
    const result = await run({
      clusters: [{ name: 'a' }, { name: 'b' }, { name: 'also-a' }],
      endpoints: { a: ['10.0.0.1:80'], b: ['10.0.1.1:80'], 'also-a': ['10.0.0.1:80'] },
      workloads: [constant('a'), constant('b'), constant('also-a')],
      timeline: [{ at: '1s', fail: { cluster: 'a' } }],
    });
    const fails = [{ from: 0 }, { from: 1, cause: 'every host of a stops answering' }];
    expect(story(result, 'a')).toMatchObject(fails);
    expect(story(result, 'b')).toMatchObject([{ labels: [] }]);
    expect(story(result, 'also-a')).toMatchObject(fails);
  });

  it('begins a phase where users get something else, and says what the host is beside what the proxy believes', async () => {
    const [A, B] = ['10.0.0.1:80', '10.0.0.2:80'];
    const result = await run({
      clusters: [{ name: 'c' }],
      endpoints: { c: [A, B] },
      behavior: [{ hosts: {}, service_time: '1ms' }],
      workloads: [constant('c')],
      timeline: [
        { at: '1s', set_behavior: { hosts: A, health_check: 503 } },
        { at: '2s', set_behavior: { hosts: A, service_time: '3ms' } },
        { at: '3s', set_behavior: { hosts: A, error_rate: '10%' } },
        { at: '4s', set_behavior: { hosts: A, down: 'hang' } },
        { at: '5s', fail: A },
        { at: '5.5s', set_health: { hosts: A, status: 'UNHEALTHY' } },
        { at: '6s', set_behavior: { hosts: A, down: 'none', error_rate: 0, service_time: '1ms' } },
      ],
    });
    const told = result.clusters['c']?.phases.map(({ from_s, hosts: [host] }) => [from_s, host?.health, host?.truth]);
    expect(told).toEqual([
      [0, 'healthy', undefined],
      [2, 'healthy', 'slow'],
      [3, 'healthy', 'failing'],
      [4, 'healthy', 'hangs'],
      [5, 'healthy', 'dead'],
      [5.5, 'unhealthy', 'dead'],
      [6, 'unhealthy', 'back'],
    ]);
    expect(result.clusters['c']?.phases[0]?.labels).toHaveLength(1);
  });

  it('is one cause, however often it was said before it was delivered', async () => {
    const flap = (from: string, status: string): unknown => ({
      every: '200ms',
      from,
      until: '1.8s',
      set_health: { hosts: '10.0.0.1:80', status },
    });
    const result = await run({
      clusters: [{ name: 'a' }],
      endpoints: { a: ['10.0.0.1:80', '10.0.0.2:80'] },
      workloads: [constant('a')],
      timeline: [flap('1s', 'UNHEALTHY'), flap('1.1s', 'HEALTHY')],
    });
    // 1.0 s goes out at once; 1.1 to 1.7 s wait until 2.1 s, a window after the first of them.
    expect(story(result, 'a')).toMatchObject([
      {},
      { from: 1, cause: '10.0.0.1:80 set UNHEALTHY' },
      {
        from: 2.1,
        cause:
          '10.0.0.1:80 set HEALTHY (4 times); 10.0.0.1:80 set UNHEALTHY (3 times), delivered after the merge window',
      },
    ]);
  });
});

describe('causes', () => {
  it('of what changed nothing are not those of the next change', async () => {
    const result = await run({
      clusters: [{ name: 'a' }],
      endpoints: { a: ['10.0.0.1:80', '10.0.0.2:80'] },
      workloads: [constant('a')],
      timeline: [
        { at: '2s', set_weight: { hosts: '10.0.0.1:80', weight: 1 } },
        { at: '4s', remove_hosts: '10.0.0.2:80' },
      ],
    });
    expect(story(result, 'a')).toMatchObject([{}, { from: 4, cause: '10.0.0.2:80 leaves' }]);
  });

  it('of an update by CDS are told once, and of the first answers that it waited for not at all', async () => {
    const named = (name: string, type: string, address: string): unknown => ({
      name,
      type,
      load_assignment: {
        cluster_name: name,
        endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address, port_value: 80 } } } }] }],
      },
    });
    const result = await run({
      clusters: [named('a', 'STATIC', '10.0.0.1')],
      dns: { 'svc.test': { addresses: ['10.0.0.2'] } },
      workloads: [constant('a')],
      timeline: [
        { at: '2s', update_cluster: named('a', 'STRICT_DNS', 'svc.test') },
        { at: '4s', update_cluster: named('a', 'STRICT_DNS', 'none.test') },
        { at: '6s', update_cluster: named('a', 'STATIC', '10.0.0.3') },
      ],
    });
    expect(story(result, 'a')).toMatchObject([
      {},
      { from: 2, cause: 'an update replaces cluster a and all its connections' },
      { from: 4, cause: 'an update replaces cluster a and all its connections' },
      { from: 6, cause: 'an update replaces cluster a and all its connections' },
    ]);
  });
});

describe('set_runtime', () => {
  const zones = (key: string, value: unknown): unknown => ({
    proxy: { node: { locality: { zone: 'a' } }, local_cluster_name: 'edge' },
    clusters: [{ name: 'a' }, { name: 'hashed', lb_policy: 'MAGLEV' }, { name: 'edge' }],
    endpoints: {
      a: [
        { address: '10.0.0.1:80', count: 3, zone: 'a' },
        { address: '10.0.1.1:80', count: 3, zone: 'b' },
      ],
      hashed: ['10.0.0.1:80'],
      edge: [
        { address: '10.9.0.1:80', zone: 'a' },
        { address: '10.9.1.1:80', zone: 'b' },
      ],
    },
    workloads: [constant('a'), { ...constant('hashed'), hash_key: { sequence: { keys: 10, prefix: '' } } }],
    timeline: [{ at: '4s', set_runtime: { [key]: value } }],
  });

  it('begins a phase where the value is read at each pick', async () => {
    const label = 'runtime upstream.zone_routing.enabled = 0';
    const result = await run(zones('upstream.zone_routing.enabled', 0));
    expect(story(result, 'a')).toMatchObject([{ labels: [] }, { from: 4, cause: label }]);
    const [before, after] = result.clusters['a']?.phases ?? [];
    const inZoneA = (hosts: typeof before): number =>
      (hosts?.hosts ?? []).slice(0, 3).reduce((sum, { share }) => sum + share, 0);
    expect(inZoneA(before)).toBeCloseTo(1, 9);
    expect(inZoneA(after)).toBeCloseTo(0.5, 9);
    // Hashing never looks at zones.
    expect(story(result, 'hashed')).toMatchObject([{ labels: [label] }]);
  });

  it('is a label where the value waits for the next update, or is read by nobody', async () => {
    const result = await run(zones('upstream.zone_routing.min_cluster_size', 100));
    expect(story(result, 'a')).toMatchObject([{ labels: ['runtime upstream.zone_routing.min_cluster_size = 100'] }]);
  });
});

it('an entry that changes hosts of a cluster and of the local cluster is one cause', async () => {
  const result = await run({
    proxy: { node: { locality: { zone: 'a' } }, local_cluster_name: 'edge' },
    clusters: [{ name: 'a', common_lb_config: { zone_aware_lb_config: { min_cluster_size: 1 } } }, { name: 'edge' }],
    endpoints: {
      a: [
        { address: '10.0.0.1:80', zone: 'a' },
        { address: '10.0.1.1:80', zone: 'b' },
      ],
      edge: [
        { address: '10.9.0.1:80', zone: 'a' },
        { address: '10.9.1.1:80', zone: 'b' },
      ],
    },
    workloads: [constant('a')],
    timeline: [{ at: '4s', set_health: { hosts: { zone: 'b' }, status: 'UNHEALTHY' } }],
  });
  expect(story(result, 'a')).toMatchObject([{}, { from: 4, cause: 'zone b set UNHEALTHY' }]);
});

describe('slow start', () => {
  const slow = (more: Record<string, unknown> = {}): unknown => ({
    clusters: [{ name: 'a', round_robin_lb_config: { slow_start_config: { slow_start_window: '20s' } } }],
    endpoints: { a: [{ address: '10.0.0.1:80', count: 3 }] },
    workloads: [{ ...constant('a'), arrivals: { constant: '400/s' }, stop: '50s' }],
    timeline: [{ at: '10s', add_hosts: { cluster: 'a', endpoints: ['10.0.0.9:80'] } }],
    ...more,
  });

  it('is named as the reason, though not where all hosts are equally new', async () => {
    const result = await run(slow());
    expect(result.clusters['a']?.phases.map(({ reasons }) => reasons)).toEqual([
      [],
      // The first three, 10 s old, still have 10 s to go.
      [
        '4 hosts are in slow start: the newest, 10.0.0.9:80, counts for 10 % of its weight, for 50 % at 20 s and in full from 30 s',
      ],
    ]);
  });

  it('gives a new host the integral of its growing weight', async () => {
    const timeline = [{ at: '25s', add_hosts: { cluster: 'a', endpoints: ['10.0.0.9:80'] } }];
    const result = await run(slow({ timeline }));
    // f = max(t/20, 0.1) of 3 + f. The first 2 s: 2 · 0.1/3.1. The other 18 s: 20 · [f − 3 ln(3 + f)] from 0.1 to 1.
    // Then 5 s at a quarter. 400 requests/s.
    const growing = (2 * 0.1) / 3.1 + 20 * (0.9 - 3 * Math.log(4 / 3.1));
    const expected = 400 * (growing + 5 / 4);
    const last = result.clusters['a']?.hosts.find(({ address }) => address === '10.0.0.9:80');
    expect(Math.abs((last?.requests ?? 0) - expected)).toBeLessThan(3);
    expect(result.clusters['a']?.phases[1]?.reasons).toEqual([
      '10.0.0.9:80 is in slow start: it counts for 10 % of its weight, for 50 % at 35 s and in full from 45 s',
    ]);
  });
});
