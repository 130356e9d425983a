import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import type { Scenario } from '../../src/scenario/model.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation, runScenario } from '../../src/words/library.js';

/**
 * Tables of RING_HASH and MAGLEV are made on the main thread, which does not wait for `update_merge_window`; the workers
 * take over all it has with any delivery. Watched on a proxy 1.40.0.
 */

const SECOND = 1_000_000;
const checks = [
  {
    timeout: '0.2s',
    interval: '0.1s',
    unhealthy_threshold: 1,
    healthy_threshold: 1,
    http_health_check: { path: '/' },
  },
];

function load(policy: string, more: Record<string, unknown>, cluster: Record<string, unknown> = {}): Scenario {
  const { scenario, problems } = loadScenarioValue(
    {
      clusters: [
        {
          name: 'c',
          type: 'EDS',
          eds_cluster_config: { eds_config: { ads: {} } },
          lb_policy: policy,
          common_lb_config: { update_merge_window: '3s', healthy_panic_threshold: { value: 0 } },
          ...cluster,
        },
      ],
      endpoints: {
        c: [
          { address: '10.0.0.1:80', count: 2 },
          { address: '10.0.0.3:80', count: 2, health: 'UNHEALTHY' },
          { address: '10.0.1.1:80', count: 3, priority: 1 },
        ],
      },
      workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, hash_key: { uniform: { keys: 1000 } } }],
      duration: '9s',
      ...more,
    },
    'test',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const fails = (at: string, host: string): unknown => ({ at, set_behavior: { hosts: host, health_check: 503 } });

describe.each([
  ['RING_HASH', 'ring_hash_lb.max_hashes_per_host', [342, 512, 1024]],
  ['MAGLEV', 'maglev_lb.max_entries_per_host', [21846, 32769, 1]],
])('%s', (policy, name, [all, two, one]) => {
  const story = {
    proxy: { version: '1.40' },
    timeline: [
      fails('4s', '10.0.1.1:80'),
      fails('4.5s', '10.0.1.2:80'),
      { at: '5.5s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
    ],
  };

  it('shows in its gauges what still waits', async () => {
    const simulation = await createSimulation(load(policy, story, { health_checks: checks }));
    const gaugeAt = (seconds: number): number | undefined => {
      simulation.advance(Infinity, seconds * SECOND);
      return simulation.result().stats.gauges[`cluster.c.${name}`];
    };
    expect(gaugeAt(3.9)).toBe(all);
    expect(gaugeAt(4.4)).toBe(two);
    expect(gaugeAt(5.4)).toBe(one);
  });

  it('takes what waits in one priority along when another is delivered', async () => {
    const result = await runScenario(load(policy, story, { health_checks: checks }));
    const phases = result.clusters['c']?.phases ?? [];
    const requests = phases.map(({ from_s, hosts }) => {
      const host = hosts.find(({ address }) => address === '10.0.1.2:80');
      return [from_s, (host?.requests ?? 0) > 0];
    });
    // 10.0.1.2 fails at 4.6 s and waits, with all priorities, until 7.6 s.
    expect(requests.slice(1, 3)).toEqual([
      [4.1, true],
      [5.5, false],
    ]);
  });

  it('is predicted as it runs, also where discovery waits', async () => {
    const scenario = load(policy, {
      proxy: { version: '1.17' },
      timeline: [
        { at: '1s', set_weight: { hosts: { priority: 1 }, weight: 2 } },
        { at: '2s', set_health: { hosts: '10.0.1.1:80', status: 'UNHEALTHY' } },
        { at: '2.5s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
      ],
    });
    const [result, prediction] = [await runScenario(scenario), await predict(scenario)];
    const shares = (hosts: readonly { readonly address: string; readonly share: number | null }[]) =>
      hosts.map(({ address, share }) => [address, (share ?? 0) > 0]);
    const phases = result.clusters['c']?.phases ?? [];
    expect(phases.map(({ from_s }) => from_s)).toEqual([0, 1, 2.5, 5]);
    expect(phases.map(({ hosts }) => hosts.find(({ address }) => address === '10.0.1.1:80')?.requests === 0)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const predicted = prediction.clusters['c']?.phases ?? [];
    expect(predicted.map(({ hosts }) => shares(hosts))).toEqual(phases.map(({ hosts }) => shares(hosts)));
  });
});

it.each([
  ['RING_HASH', []],
  ['MAGLEV', []],
  ['ROUND_ROBIN', ['10.0.1.2:80', '10.0.1.3:80']],
])('%s: of hosts that fail at one instant the workers still use %j', async (policy, used) => {
  const timeline = [{ at: '4s', set_behavior: { hosts: { priority: 1 }, health_check: 503 } }];
  const scenario = load(policy, { proxy: { version: '1.40' }, timeline }, { health_checks: checks });
  const phases = (await runScenario(scenario)).clusters['c']?.phases ?? [];
  expect(phases.map(({ from_s }) => from_s)).toEqual([0, 4.1, 7.1]);
  const hosts = phases[1]?.hosts.filter(({ priority, requests }) => priority === 1 && requests > 0);
  expect(hosts?.map(({ address }) => address)).toEqual(used);
  expect(phases[1]?.cause).toContain('10.0.1.1:80 unhealthy');
  expect(phases[1]?.cause.includes('10.0.1.3:80 unhealthy')).toBe(policy !== 'ROUND_ROBIN');
});

it('ROUND_ROBIN hears of each priority by itself', async () => {
  const timeline = [
    fails('4s', '10.0.1.1:80'),
    fails('4.5s', '10.0.1.2:80'),
    { at: '5.5s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
  ];
  const scenario = load('ROUND_ROBIN', { proxy: { version: '1.40' }, timeline }, { health_checks: checks });
  const phases = (await runScenario(scenario)).clusters['c']?.phases ?? [];
  const used = phases.map(({ from_s, hosts }) => [
    from_s,
    (hosts.find(({ address }) => address === '10.0.1.2:80')?.requests ?? 0) > 0,
  ]);
  expect(used).toEqual([
    [0, true],
    [4.1, true],
    [5.5, true],
    [7.6, false],
  ]);
});
