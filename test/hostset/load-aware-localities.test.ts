import { describe, expect, it } from 'vitest';
import type { LoadReport } from '../../src/policy/load-report.js';
import { LoadAwareLocalities, LocalityLoads } from '../../src/hostset/load-aware-localities.js';
import { HealthFlag } from '../../src/host/host.js';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { hostAt, level, scripted, zone } from '../support/balancing.js';

const CONFIG = {
  updateUs: 1000,
  metricNames: [],
  varianceThreshold: 0,
  smoothingUs: 1000,
  probeFraction: 0,
  expirationUs: 0,
};

function report(cpuUtilization: number): LoadReport {
  return {
    cpuUtilization,
    memUtilization: 0,
    applicationUtilization: 0,
    rps: 1,
    eps: 0,
    namedMetrics: {},
    utilization: {},
  };
}

describe('localities that share by load', () => {
  it('have nothing to draw where there is one', () => {
    const localities = new LoadAwareLocalities(new LocalityLoads(CONFIG, true), new LbStats());
    localities.update(level([hostAt(1, { locality: zone('a') })]));
    const random = scripted();
    expect([localities.choose(0, false, random), localities.chooseAny(0, random), random.draws]).toEqual([0, 0, 0]);
  });

  it('smooth what is reported: after one time constant 63 % of a change', () => {
    const loads = new LocalityLoads(CONFIG, true);
    const host = hostAt(1, { locality: zone('a') });
    const hostSet = level([host]);
    const [group] = hostSet.localities;
    if (group === undefined) throw new Error('no locality');
    loads.reported(host, report(0.2), 0);
    loads.tick([hostSet], 0);
    expect(loads.of(0, 'healthy', group).utilization).toBe(0.2);
    loads.reported(host, report(0.7), 1000);
    loads.tick([hostSet], 1000);
    expect(loads.of(0, 'healthy', group).utilization).toBeCloseTo(0.2 + 0.5 * (1 - Math.exp(-1)));
  });

  // A 1.40.0 with weight_update_period 5 s, over EDS updates in between: 36, 24 and 40 % once c has joined and an update came.
  it('are weighed by the timer alone: who joins in between waits for it, who has no hosts left gets nothing', () => {
    const localities = new LoadAwareLocalities(new LocalityLoads(CONFIG, true), new LbStats());
    const hosts = (name: string, from: number, count: number, flags = 0) =>
      Array.from({ length: count }, (_, index) => hostAt(from + index, { locality: zone(name), flags }));
    const weights = (...all: readonly ReturnType<typeof hosts>[]): unknown => {
      localities.update(level(all.flat()));
      return localities.describe(0)?.healthy;
    };
    const [a, b, c] = [hosts('a', 1, 2), hosts('b', 11, 4), hosts('c', 21, 2)];
    expect(weights(a, b)).toEqual([2, 4]);
    expect(weights(a, b, c)).toEqual([2, 4, 0]);
    localities.refresh();
    expect(localities.describe(0)?.healthy).toEqual([2, 4, 2]);
    expect(weights(b, c)).toEqual([4, 2]);
    expect(weights(hosts('b', 11, 4, HealthFlag.FAILED_ACTIVE_HC), c)).toEqual([0, 2]);
  });

  it('are weighed anew where the first level has never had a host', () => {
    const localities = new LoadAwareLocalities(new LocalityLoads(CONFIG, true), new LbStats());
    localities.update(level([hostAt(1, { locality: zone('a') })], { priority: 1 }));
    localities.refresh();
    expect(localities.choose(1, false, scripted())).toBe(0);
  });
});
