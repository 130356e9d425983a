import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

/**
 * What waits for `update_merge_window`, and what is counted of it. Proxies of the v2 era hold back what discovery changes;
 * the modern one delivers discovery at once, whole, and holds back health check and outlier results only.
 */

async function run(value: Record<string, unknown>): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(
    { workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '20s' }], ...value },
    'test',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario);
}

const eds = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } }, lb_policy: 'ROUND_ROBIN' };
const hosts = [
  { address: '10.0.0.1:80', count: 4 },
  { address: '10.0.1.1:80', count: 4, priority: 1 },
];
const unhealthy = (at: string, host: string): unknown => ({ at, set_health: { hosts: host, status: 'UNHEALTHY' } });
const healthy = (at: string, host: string): unknown => ({ at, set_health: { hosts: host, status: 'HEALTHY' } });

function cuts(result: RunResult): number[] {
  return (result.clusters['c']?.phases ?? []).slice(1).map(({ from_s }) => from_s);
}

/** delivered at once, after a wait, waits cancelled, delivered late enough not to wait. */
function counted({ stats: { counters } }: RunResult): (number | undefined)[] {
  return [
    counters['cluster_manager.cluster_updated'],
    counters['cluster_manager.cluster_updated_via_merge'],
    counters['cluster_manager.update_merge_cancelled'],
    counters['cluster_manager.update_out_of_merge_window'],
  ];
}

const version = (name: string, runtime: Record<string, unknown> = {}): Record<string, unknown> => ({
  proxy: { version: name, runtime },
});

describe.each(['EDS', 'STATIC'])('changes of a cluster of type %s', (type) => {
  const cluster = type === 'EDS' ? eds : { name: 'c', lb_policy: 'ROUND_ROBIN' };
  const story = {
    clusters: [cluster],
    endpoints: { c: hosts },
    timeline: [unhealthy('2s', '10.0.0.1:80'), unhealthy('2.3s', '10.0.0.2:80'), healthy('2.5s', '10.0.0.1:80')],
  };

  it('wait at 1.17: the first goes out at once, the others together, a whole window after the second', async () => {
    const result = await run({ ...story, ...version('1.17') });
    expect(cuts(result)).toEqual([2, 3.3]);
    expect(counted(result)).toEqual([1, 1, 0, 1]);
  });

  it('go out at once at 1.40, and are never merged', async () => {
    const result = await run({ ...story, ...version('1.40') });
    expect(cuts(result)).toEqual([2, 2.3, 2.5]);
    expect(counted(result)).toEqual([3, 0, 0, 0]);
  });

  it('wait at 1.40 where the runtime says so', async () => {
    const runtime = { 'envoy.reloadable_features.enable_batch_aware_update': false };
    const result = await run({ ...story, ...version('1.40', runtime) });
    expect(cuts(result)).toEqual([2, 3.3]);
    expect(counted(result)).toEqual([1, 1, 0, 1]);
  });
});

describe('a window', () => {
  it('belongs to one priority: a change of another is not held back, and counts by itself', async () => {
    const timeline = [
      unhealthy('2s', '10.0.0.1:80'),
      unhealthy('2.3s', '10.0.1.1:80'),
      unhealthy('2.6s', '10.0.0.2:80'),
    ];
    const result = await run({ clusters: [eds], endpoints: { c: hosts }, timeline, ...version('1.17') });
    expect(cuts(result)).toEqual([2, 2.3, 3.6]);
    expect(counted(result)).toEqual([2, 1, 0, 2]);
  });

  it('is one update of both priorities at 1.40', async () => {
    const both = { at: '2s', set_health: { hosts: '10.0.0.0/23', status: 'UNHEALTHY' } };
    const story = { clusters: [eds], endpoints: { c: hosts }, timeline: [both] };
    expect(counted(await run({ ...story, ...version('1.17') }))).toEqual([2, 0, 0, 2]);
    expect(counted(await run({ ...story, ...version('1.40') }))).toEqual([1, 0, 0, 0]);
  });

  it('ends with a host that comes or goes: everything is delivered, and a new one begins', async () => {
    const timeline = [
      unhealthy('2s', '10.0.0.1:80'),
      unhealthy('2.3s', '10.0.0.2:80'),
      { at: '2.6s', remove_hosts: '10.0.0.3:80' },
      healthy('3.1s', '10.0.0.1:80'),
    ];
    const result = await run({ clusters: [eds], endpoints: { c: hosts }, timeline, ...version('1.17') });
    // 3.1 s is within one window of 2.6 s and waits a whole one.
    expect(cuts(result)).toEqual([2, 2.6, 4.1]);
    expect(counted(result)).toEqual([2, 1, 1, 1]);
  });

  it('is dropped with what waits in it when the cluster is replaced', async () => {
    const changed = { ...eds, connect_timeout: '1s' };
    const timeline = [
      unhealthy('2s', '10.0.0.1:80'),
      unhealthy('2.3s', '10.0.0.2:80'),
      { at: '2.6s', update_cluster: changed },
    ];
    const result = await run({ clusters: [eds], endpoints: { c: hosts }, timeline, ...version('1.17') });
    expect(cuts(result)).toEqual([2, 2.6]);
    expect(counted(result)).toEqual([1, 0, 0, 1]);
    // The new cluster begins with what discovery says.
    expect(result.clusters['c']?.hosts.filter(({ health }) => health === 'unhealthy')).toHaveLength(2);
  });

  it.each(['1.17', '1.40'])(
    'holds back health check results at %s, host by host and for every priority',
    async (name) => {
      const checks = [
        { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} },
      ];
      const result = await run({
        clusters: [{ ...eds, health_checks: checks }],
        endpoints: { c: hosts },
        timeline: [
          { at: '4.5s', fail: '10.0.0.0/31' },
          { at: '4.5s', fail: '10.0.0.2/32' },
        ],
        ...version(name),
      });
      // 10.0.0.1 and 10.0.0.2 fail the checks of 5 s: the first is told at once, the second a window later, both for two
      // priorities.
      expect(cuts(result)).toEqual([4.5, 5, 6]);
      expect(counted(result)).toEqual([2, 2, 0, 2]);
    },
  );
});

describe('a batch of discovery at 1.40', () => {
  const levels = [0, 1, 2].map((priority) => ({ address: `10.0.${priority}.1:80`, count: 2, priority }));
  const checked = {
    ...eds,
    common_lb_config: { update_merge_window: '2s' },
    health_checks: [
      {
        timeout: '0.2s',
        interval: '0.1s',
        unhealthy_threshold: 1,
        healthy_threshold: 1,
        http_health_check: { path: '/' },
      },
    ],
  };
  const fails = (at: string, host: string): unknown => ({ at, set_behavior: { hosts: host, health_check: 503 } });

  it('restarts the windows of the priorities that it changed only', async () => {
    const result = await run({
      clusters: [checked],
      endpoints: { c: levels },
      ...version('1.40'),
      timeline: [{ at: '4s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } }, fails('4.25s', '10.0.1.1:80')],
    });
    // The weight at once; then each priority by itself: 1 and 2 at once, 0 with the end of the window.
    expect(cuts(result)).toEqual([4, 4.3, 6.3]);
    expect(counted(result)).toEqual([3, 1, 0, 2]);
  });

  it('leaves waiting what waits in other priorities', async () => {
    const result = await run({
      clusters: [checked],
      endpoints: { c: levels },
      ...version('1.40'),
      timeline: [
        fails('4.25s', '10.0.1.1:80'),
        fails('4.55s', '10.0.1.2:80'),
        { at: '5s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
      ],
    });
    // At 4.6 s all three wait; the weight takes priority 0 along.
    expect(cuts(result)).toEqual([4.3, 5, 6.6]);
    expect(counted(result)).toEqual([4, 2, 1, 3]);
  });
});
