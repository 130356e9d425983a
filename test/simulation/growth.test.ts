import { afterEach, describe, expect, it, vi } from 'vitest';
import { Host } from '../../src/host/host.js';
import { ClusterPredictor } from '../../src/predict/cluster-predictor.js';
import { predict } from '../../src/predict/predict.js';
import { HostPools } from '../../src/simulation/servers/host-pools.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';
import { originOf, RequestStats, Zones } from '../../src/stats/request-stats.js';
import type { Scenario } from '../../src/scenario/model.js';
import { scenarioOf } from '../support/run.js';

/** Work is counted, not timed: twice as many hosts may make twice as much of it, and not four times. */
afterEach(() => vi.restoreAllMocks());

function checked(hosts: number, rest: Record<string, unknown> = {}): Scenario {
  const check = { timeout: '1s', interval: '10s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} };
  return scenarioOf({
    proxy: { version: '1.40' },
    clusters: [{ name: 'b', health_checks: [check] }],
    endpoints: { b: [{ address: '10.0.0.1:80', count: hosts }] },
    workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1s' }],
    duration: '15s',
    ...rest,
  });
}

/** How often somebody asks a host how it is. */
async function questions(scenario: Scenario): Promise<number> {
  const asked = vi.spyOn(Host.prototype, 'health', 'get');
  await runScenario(scenario);
  const count = asked.mock.calls.length;
  asked.mockRestore();
  return count;
}

describe('what a run does grows with', () => {
  it('hosts whose first checks pass: lists are made once for all of them', async () => {
    const few = await questions(checked(100));
    expect(await questions(checked(200))).toBeLessThan(2.5 * few);
  });

  it('hosts that fail their checks at one instant: the merge window lets one update through', async () => {
    const fail = { timeline: [{ at: '5s', set_behavior: { hosts: {}, health_check: 'refuse' } }] };
    const few = await questions(checked(100, fail));
    expect(await questions(checked(200, fail))).toBeLessThan(2.5 * few);
  });

  it('servers that stop at once: their connections are found in one walk', async () => {
    const walks = vi.spyOn(HostPools.prototype, 'all');
    await runScenario(
      scenarioOf({
        clusters: [{ name: 'b' }],
        endpoints: { b: [{ address: '10.0.0.1:80', count: 50 }] },
        behavior: [{ service_time: '10s' }],
        workloads: [{ cluster: 'b', arrivals: '100/s', stop: '1s' }],
        timeline: [{ at: '2s', fail: {} }],
      }),
    );
    expect(walks).toHaveBeenCalledTimes(1);
  });

  it('zones: one more moves nothing of those before', () => {
    const zones = new Zones();
    const stats = new RequestStats(zones);
    const copies = vi.spyOn(Float64Array.prototype, 'set');
    for (let zone = 0; zone < 100; zone++) {
      stats.countAnswer(originOf({ zoneIndex: zones.indexOf(`z${zone}`), canary: false }), 200, 0);
    }
    expect(copies).not.toHaveBeenCalled();
  });

  it('clusters: predict looks for none of them among all', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `c${i}`);
    const scenario = scenarioOf({
      clusters: names.map((name) => ({ name })),
      endpoints: Object.fromEntries(names.map((name) => [name, ['10.0.0.1:80']])),
      workloads: [{ route: names.map((cluster) => ({ cluster })), arrivals: '1/s', stop: '1s' }],
    });
    const asked = vi.spyOn(ClusterPredictor.prototype, 'name', 'get');
    await predict(scenario);
    expect(asked.mock.calls.length).toBeLessThan(10 * names.length);
  });
});

describe('lists that were asked for and not yet made', () => {
  /** A host that fails, and one that is excluded behind its back, while the first waits for the merge window. */
  it('know nothing of a host that is excluded later without a word', async () => {
    const simulation = await createSimulation(
      scenarioOf({
        proxy: { version: '1.40' },
        clusters: [
          {
            name: 'b',
            health_checks: [
              {
                timeout: '0.1s',
                interval: '1s',
                no_traffic_interval: '1s',
                unhealthy_threshold: 1,
                healthy_threshold: 1,
                http_health_check: { path: '/' },
              },
            ],
            common_lb_config: { update_merge_window: '5s' },
          },
        ],
        endpoints: { b: [{ address: '10.0.0.1:80', count: 4 }] },
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '10s' }],
        timeline: [
          { at: '1.5s', set_behavior: { hosts: '10.0.0.1:80', health_check: '503' } },
          { at: '2.5s', set_behavior: { hosts: '10.0.0.2:80', health_check: '503' } },
          {
            at: '3.5s',
            set_behavior: { hosts: '10.0.0.1:80', immediate_health_check_fail: true },
          },
        ],
        duration: '10s',
      }),
    );
    simulation.advance(Infinity, 6_500_000);
    const [hostSet] = simulation.clusterOfFirstProxy('b').upstream.priorities.hostSets;
    const first = hostSet?.hosts[0];
    // The host itself is excluded by now; the lists are those of the second failure, at 3 s.
    expect(first?.excluded).toBe(true);
    expect(hostSet?.excluded).toEqual([]);
  });
});
