import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import type { SimulationHooks } from '../../src/analysis/generated/options.js';
import { runScenario } from '../../src/words/library.js';

async function run(value: unknown, hooks: SimulationHooks = {}): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario, hooks);
}

function causes(result: RunResult): readonly (readonly [number, string])[] {
  return (result.clusters['c']?.phases ?? []).map(({ from_s, cause }) => [from_s, cause] as const);
}

const checked = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  clusters: [
    {
      name: 'c',
      lb_policy: 'ROUND_ROBIN',
      health_checks: [
        { timeout: '1s', interval: '2s', unhealthy_threshold: 2, healthy_threshold: 1, tcp_health_check: {} },
      ],
    },
  ],
  endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
  timeline: [{ at: '5s', fail: '10.0.0.1:80' }],
  ...more,
});

describe('the first checks after time 0', () => {
  it('come one interval later where there is traffic from the start', async () => {
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '20s' }];
    // Checks at 0, 2, 4, 6 and 8 s.
    expect(causes(await run(checked({ workloads })))).toEqual([
      [0, expect.stringContaining('start')],
      [5, '10.0.0.1:80 stops answering'],
      [8, '10.0.0.1:80 unhealthy: failed checks'],
    ]);
  });

  it('come when they are due in a proxy whose timers began before', async () => {
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '20s' }];
    // Every 2 s since 2.5 s before time 0: at 1.5, 3.5, 5.5 and 7.5 s.
    expect(causes(await run(checked({ workloads }), { timersAheadUs: 2_500_000 }))).toEqual([
      [0, expect.stringContaining('start')],
      [5, '10.0.0.1:80 stops answering'],
      [7.5, '10.0.0.1:80 unhealthy: failed checks'],
    ]);
  });

  it('come after no_traffic_interval, 60 s, where there was never any', async () => {
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, start: '50s', stop: '70s' }];
    // Checks at 0, 60 and 62 s.
    expect(causes(await run(checked({ workloads })))).toEqual([
      [0, expect.stringContaining('start')],
      [5, '10.0.0.1:80 stops answering'],
      [62, '10.0.0.1:80 unhealthy: failed checks'],
    ]);
  });
});

describe('a host that discovery drops while its checks pass', () => {
  it('stays until a check fails it, and the report says so', async () => {
    const result = await run(
      checked({
        workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '20s' }],
        timeline: [
          { at: '3s', remove_hosts: '10.0.0.1:80' },
          { at: '9s', fail: '10.0.0.1:80' },
        ],
      }),
    );
    // Checks at 10 and 12 s.
    expect(causes(result)).toEqual([
      [0, expect.stringContaining('start')],
      [9, '10.0.0.1:80 stops answering'],
      [12, '10.0.0.1:80 leaves: failed checks, and is no longer in discovery'],
    ]);
    expect(result.clusters['c']?.phases[0]?.labels).toEqual([
      '10.0.0.1:80 no longer in discovery, but kept while health checks pass',
    ]);
    expect(result.clusters['c']?.hosts.map(({ address, removed_at_s }) => [address, removed_at_s])).toEqual([
      ['10.0.0.1:80', 12],
      ['10.0.0.2:80', undefined],
    ]);
  });
});
