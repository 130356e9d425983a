import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';
import type { Simulation } from '../../src/simulation/simulation.js';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import { MergeWindow } from '../../src/upstream/merge-window.js';

/** Runs to the end, which comes long after the last change. */
async function run(updateMergeWindow: string, version: string, timeline: readonly unknown[]): Promise<Simulation> {
  const { scenario, problems } = loadScenarioValue(
    {
      duration: '30s',
      proxies: [{ version }],
      clusters: [
        {
          name: 'c',
          type: 'EDS',
          eds_cluster_config: { eds_config: { ads: {} } },
          common_lb_config: { update_merge_window: updateMergeWindow },
          health_checks: [
            {
              timeout: '0.1s',
              interval: '0.5s',
              no_traffic_interval: '0.5s',
              unhealthy_threshold: 2,
              healthy_threshold: 2,
              http_health_check: { path: '/' },
            },
          ],
        },
      ],
      endpoints: { c: [1, 2, 3, 4].map((host) => `10.0.0.${host}:80`) },
      timeline,
      requests: [{ at: '29s', cluster: 'c' }],
    },
    'test',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const simulation = await createSimulation(scenario);
  while (!simulation.advance(1_000_000));
  return simulation;
}

const host = fc.integer({ min: 1, max: 6 }).map((n) => `10.0.0.${n}:80`);
const action = fc.oneof(
  fc.record({
    set_health: fc.record({ hosts: host, status: fc.constantFrom('HEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING') }),
  }),
  fc.record({ set_weight: fc.record({ hosts: host, weight: fc.integer({ min: 1, max: 5 }) }) }),
  fc.record({ remove_hosts: host }),
  fc.record({ add_hosts: fc.record({ cluster: fc.constant('c'), endpoints: fc.tuple(host) }) }),
  fc.record({ fail: host }),
  fc.record({ recover: host }),
);
const timelines = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 100 }), action).map(([tenths, one]) => ({ at: `${tenths / 10}s`, ...one })),
  { maxLength: 12 },
);

/** What the first worker's balancer holds, and what the main thread lists. */
function stateOf(simulation: Simulation): unknown {
  const cluster = simulation.clusterOfFirstProxy('c');
  return {
    held: cluster.balancerOf(0).describe().priorities,
    listed: [...cluster.upstream.priorities.hosts()].map((one) => [one.host.address, one.host.weight, one.host.health]),
  };
}

/** @throws Error of the first timeline after which it matters how updates were delivered. */
function checkDelivery(numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(timelines, fc.constantFrom('1.14', '1.17', '1.40'), async (timeline, version) => {
      const atOnce = stateOf(await run('0s', version, timeline));
      expect(stateOf(await run('1s', version, timeline))).toEqual(atOnce);
      expect(stateOf(await run('5s', version, timeline))).toEqual(atOnce);
    }),
    { numRuns },
  );
}

describe('the merge window', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('changes when balancers hear of updates, not what they hold in the end', () => checkDelivery(25));

  it('would, if it lost what it holds back', async () => {
    vi.spyOn(MergeWindow.prototype, 'fire').mockImplementation(() => false);
    await expect(checkDelivery(25)).rejects.toThrow(/Property failed/);
  });
});
