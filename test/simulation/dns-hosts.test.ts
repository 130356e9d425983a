import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

/** Whose hosts come and go by what a resolver says: each name by itself, with health checks, and the one host of LOGICAL_DNS. */

async function run(value: unknown): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario);
}

const checks = [
  {
    timeout: '0.3s',
    interval: '0.25s',
    unhealthy_threshold: 1,
    healthy_threshold: 1,
    http_health_check: { path: '/hc' },
  },
];
const ips = (...last: readonly number[]): unknown => ({ addresses: last.map((n) => `10.0.0.${n}`) });

function scenario(cluster: Record<string, unknown>, more: Record<string, unknown>): unknown {
  return {
    proxy: { version: '1.40' },
    clusters: [
      {
        name: 'c',
        type: 'STRICT_DNS',
        lb_policy: 'ROUND_ROBIN',
        dns_refresh_rate: '1s',
        health_checks: checks,
        ...cluster,
      },
    ],
    endpoints: { c: ['a.test:80', 'b.test:80'] },
    workloads: [{ cluster: 'c', arrivals: { constant: '100/s' } }],
    duration: '10s',
    ...more,
  };
}

const counter = (result: RunResult, name: string): number | undefined => result.stats.counters[`cluster.c.${name}`];
const gauge = (result: RunResult, name: string): number | undefined => result.stats.gauges[`cluster.c.${name}`];
const starts = (result: RunResult): number[] => (result.clusters['c']?.phases ?? []).map(({ from_s }) => from_s);

function requestsOf(result: RunResult, phase: number): Record<string, number> {
  const hosts = result.clusters['c']?.phases[phase]?.hosts ?? [];
  return Object.fromEntries(hosts.map(({ address, requests }) => [address.split(':')[0] ?? '', requests]));
}

describe('names of a STRICT_DNS cluster that share an address', () => {
  it('each keep their own host of it while its checks pass, although its name is gone', async () => {
    const result = await run(
      scenario(
        {},
        {
          dns: { 'a.test': ips(1, 2), 'b.test': ips(2, 3) },
          timeline: [{ at: '1.2s', dns: { 'b.test': ips(2, 3) } }],
        },
      ),
    );
    expect(gauge(result, 'membership_total')).toBe(4);
    expect(starts(result)).toEqual([0]);
    expect(requestsOf(result, 0)).toEqual({ '10.0.0.1': 250, '10.0.0.2': 500, '10.0.0.3': 250 });
    expect(counter(result, 'update_no_rebuild')).toBe(2 * 10);
  });

  it('are two hosts where one name gains what the other loses', async () => {
    const result = await run(
      scenario(
        {},
        {
          dns: { 'a.test': ips(1, 2), 'b.test': ips(3) },
          timeline: [{ at: '1.2s', dns: { 'b.test': ips(2, 3) } }],
        },
      ),
    );
    expect(gauge(result, 'membership_total')).toBe(4);
    expect(counter(result, 'membership_change')).toBe(3);
  });

  it('do not tell each other how a host is: under another name it starts unchecked', async () => {
    const result = await run(
      scenario(
        { drain_connections_on_host_removal: true, common_lb_config: { update_merge_window: '4s' } },
        {
          dns: { 'a.test': ips(1, 2), 'b.test': ips(3) },
          timeline: [{ at: '1.2s', dns: { 'a.test': ips(1), 'b.test': ips(3, 2) } }],
        },
      ),
    );
    // Gone at 2 s under a; under b its first good result falls into the window that its arrival opened.
    expect(starts(result)).toEqual([0, 2, 6]);
    expect(requestsOf(result, 1)['10.0.0.2']).toBe(0);
    expect(requestsOf(result, 2)['10.0.0.2']).toBe(133);
  });
});

describe('a host that its name has dropped', () => {
  it('stays as it is when a check fails it, and leaves with the next answer of that name', async () => {
    const result = await run(
      scenario(
        { dns_refresh_rate: '3s' },
        {
          dns: { 'a.test': ips(1, 2), 'b.test': ips(3) },
          timeline: [
            { at: '1s', dns: { 'a.test': ips(1), 'b.test': ips(3) } },
            { at: '3.1s', set_behavior: { hosts: '10.0.0.2:80', health_check: 503 } },
          ],
        },
      ),
    );
    expect(result.clusters['c']?.phases.map(({ from_s, cause }) => [from_s, cause])).toEqual([
      [0, expect.stringContaining('start')],
      [3.25, '10.0.0.2:80 unhealthy: failed checks, and leaves with the next answer'],
      [6, expect.any(String)],
    ]);
    expect(gauge(result, 'membership_total')).toBe(2);
    expect(result.clusters['c']?.hosts.find(({ address }) => address === '10.0.0.2:80')?.removed_at_s).toBe(6);
  });
});

describe('max_host_weight of STRICT_DNS', () => {
  it('is the largest weight of the name that was answered last', async () => {
    const endpoints = {
      c: [
        { address: 'a.test:80', weight: 2 },
        { address: 'b.test:80', weight: 3 },
      ],
    };
    const dns = { 'a.test': ips(1), 'b.test': ips(2) };
    expect(gauge(await run(scenario({}, { endpoints, dns })), 'max_host_weight')).toBe(3);
    const reversed = { c: [...endpoints.c].reverse() };
    expect(gauge(await run(scenario({}, { endpoints: reversed, dns })), 'max_host_weight')).toBe(2);
  });
});

describe('the one host of LOGICAL_DNS', () => {
  const logical = (version: string, timeline: unknown, more: Record<string, unknown> = {}): unknown =>
    scenario(
      { type: 'LOGICAL_DNS', health_checks: [], ...more },
      {
        proxy: { version },
        endpoints: { c: ['a.test:80'] },
        dns: { 'a.test': ips(1) },
        timeline,
      },
    );
  const moved = [{ at: '2.5s', dns: { 'a.test': ips(2) } }];

  it('is replaced since 1.39: all traffic goes to the new address, old connections are closed', async () => {
    const result = await run(logical('1.40', moved));
    expect(requestsOf(result, 0)).toEqual({ '10.0.0.1': 300 });
    expect(requestsOf(result, 1)).toEqual({ '10.0.0.2': 700 });
    expect(starts(result)).toEqual([0, 3]);
    expect(counter(result, 'membership_change')).toBe(2);
    expect(counter(result, 'update_no_rebuild')).toBe(9);
    expect(counter(result, 'upstream_cx_destroy')).toBe(1);
    expect(result.stats.counters['cluster_manager.cluster_updated']).toBe(1);
  });

  it('stays up to 1.38, and so do its connections', async () => {
    const result = await run(logical('1.17', moved));
    expect(counter(result, 'membership_change')).toBe(1);
    expect(counter(result, 'update_no_rebuild')).toBe(0);
    expect(counter(result, 'upstream_cx_destroy')).toBe(0);
    expect(result.clusters['c']?.hosts.map(({ requests }) => requests)).toEqual([1000, 0]);
  });

  it.each([
    ['another second address', ips(1, 2), ips(1, 3), 3],
    ['another order behind the first', ips(1, 2, 3), ips(1, 3, 2), 3],
    ['the same addresses', ips(1, 2), ips(1, 2), 2],
  ])('is replaced for %s, though its address is the same', async (_, first, second, changes) => {
    const result = await run(
      logical('1.40', [
        { at: '2.5s', dns: { 'a.test': first } },
        { at: '5.5s', dns: { 'a.test': second } },
      ]),
    );
    expect(counter(result, 'membership_change')).toBe(changes);
    expect(gauge(result, 'membership_total')).toBe(1);
    expect(result.clusters['c']?.hosts).toMatchObject([{ address: '10.0.0.1:80', requests: 1000 }]);
  });

  it('is healthy until a check says otherwise, and in priority 0 wherever it was put', async () => {
    const behavior = [{ hosts: '10.0.0.2:80', health_check: 503 }];
    const endpoints = { c: [{ address: 'a.test:80', priority: 2 }] };
    const result = await run({
      ...(logical('1.40', moved, { health_checks: checks, common_lb_config: { update_merge_window: '0s' } }) as object),
      behavior,
      endpoints,
    });
    const phases = result.clusters['c']?.phases ?? [];
    expect(phases.map(({ from_s, hosts }) => [from_s, hosts[0]?.health, hosts[0]?.priority])).toEqual([
      [0, 'healthy', 0],
      [3, 'unhealthy', 0],
    ]);
    expect(phases[1]?.cause).toContain('10.0.0.2:80 added');
    // One for the host, one for its first check.
    expect(result.stats.counters['cluster_manager.cluster_updated']).toBe(2);
  });
});
