import { describe, expect, it } from 'vitest';
import { MeanEstimate, meanInterval } from '../../../src/analysis/interval.js';
import { NO_PAUSE } from '../../../src/analysis/pause.js';
import { batchMeans, lagOneCorrelation } from '../../../src/analysis/replicate/batches.js';
import { Estimates, summaryOf } from '../../../src/analysis/replicate/estimates.js';
import { widestOf } from '../../../src/analysis/replicate/precision.js';
import type { Estimate } from '../../../src/analysis/replicate/replications.js';
import { runNumbers } from '../../../src/analysis/replicate/run-numbers.js';
import { seedOfRun } from '../../../src/analysis/seeds.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { runScenario } from '../../../src/simulation/simulation.js';
import { scenarioOf } from '../../support/run.js';

/** A queue of one server, half busy: M/M/1, whose mean time in the system is 1 / (μ − λ) = 1 / (100 − 50) s. */
function queue(seed: string, seconds: number): Scenario {
  return scenarioOf({
    seed,
    warmup: '2s',
    clusters: [{ name: 'c' }],
    endpoints: { c: ['10.0.0.1:80'] },
    behavior: [{ hosts: {}, service_time: { exponential: { mean: '10ms' } }, concurrency: 1 }],
    workloads: [{ cluster: 'c', arrivals: '50/s', stop: `${seconds}s` }],
  });
}
const MEAN_MS = 20;
const LATENCY = 'clusters.c.latency_ms.mean';

async function replicated(scenario: Scenario, runs: number): Promise<Estimates> {
  const estimates = new Estimates();
  for (let run = 0; run < runs; run++) {
    estimates.add(summaryOf(await runScenario({ ...scenario, seed: seedOfRun(scenario.seed, run) })));
  }
  return estimates;
}

/** How many of so many intervals hold the mean. */
function covered(intervals: readonly (Estimate | undefined)[]): number {
  return intervals.filter((one) => (one?.low ?? Infinity) <= MEAN_MS && MEAN_MS <= (one?.high ?? -Infinity)).length;
}

/** Of n intervals of 95 %, 0.95 n ± √(0.0475 n) hold the mean; 5 standard errors fewer are a defect. Of 100 all do once in 170 times. */
function expectCoverage(held: number, of: number): void {
  expect(held).toBeGreaterThanOrEqual(Math.floor(0.95 * of - 5 * Math.sqrt(0.95 * 0.05 * of)));
  expect(held).toBeLessThan(of);
}

describe('intervals of a model with a known mean', () => {
  it('hold it about 95 times of 100, over replications', async () => {
    const intervals: (Estimate | undefined)[] = [];
    for (let seed = 0; seed < 100; seed++) intervals.push((await replicated(queue(`r${seed}`, 12), 5)).of(LATENCY));
    expectCoverage(covered(intervals), 100);
  });

  it('and over the batches of one run', async () => {
    const intervals: (Estimate | undefined)[] = [];
    for (let seed = 0; seed < 60; seed++) {
      intervals.push((await batchMeans(queue(`b${seed}`, 82), 10, NO_PAUSE)).numbers[LATENCY]);
    }
    expectCoverage(covered(intervals), 60);
  });
});

describe('a mean of values that are not kept', () => {
  it('is that of all of them', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6].map((value) => 1e6 + value);
    const estimate = new MeanEstimate();
    for (const value of values) estimate.add(value);
    const [own, kept] = [estimate.interval(), meanInterval(values)];
    for (const key of ['mean', 'low', 'high'] as const) expect(own?.[key]).toBeCloseTo(kept?.[key] ?? NaN, 6);
    expect(new MeanEstimate().interval()).toBeUndefined();
  });
});

describe('the numbers of a run', () => {
  it('have the names of its JSON, entries of lists by what they are about', async () => {
    const result = await runScenario(
      scenarioOf({
        clusters: [{ name: 'a.b' }],
        endpoints: { 'a.b': ['10.0.0.1:80', { address: '10.0.0.1:80', zone: 'z' }, '[::1]:80'] },
        workloads: [{ cluster: 'a.b', arrivals: { constant: '30/s' }, stop: '1s' }],
      }),
    );
    const { numbers, hosts } = runNumbers(result);
    expect(hosts['a.b']).toEqual(['[::1]:80', '10.0.0.1:80', '10.0.0.1:80@0/z']);
    expect(Object.fromEntries(numbers)).toMatchObject({
      'totals.requests': 30,
      'totals.failed_share': 0,
      'clusters.a.b.failed_share': 0,
      'clusters.a.b.hosts.[::1]:80.requests': 10,
      'clusters.a.b.localities.z.requests': 10,
      'clusters.a.b.priorities.0.hosts': 3,
      'clusters.a.b.phases.0.hosts.[::1]:80.share': 1 / 3,
      'stats.counters.cluster.a.b.upstream_rq_total': 30,
    });
    const names = [...numbers.keys()];
    expect(names.filter((name) => /\.(course|weight|priority)(\.|$)/.test(name))).toEqual([]);
    expect(runNumbers(result, true).numbers.size).toBeGreaterThan(names.length);
  });
});

describe('estimates', () => {
  it('say in how many runs there was a number, and leave out phases that differ', () => {
    const estimates = new Estimates();
    const run = (causes: readonly string[], numbers: Record<string, number>) => ({
      seed: 's',
      numbers: new Map(Object.entries(numbers)),
      hosts: { c: [] },
      phases: { c: causes },
      policies: { c: 'RANDOM' },
      expect: [{ expectation: 'e', passed: causes.length === 1 }],
    });
    estimates.add(run(['start'], { 'clusters.c.requests': 4, 'clusters.c.phases.0.requests': 4, x: 1 }));
    estimates.add(run(['start', 'ejected'], { 'clusters.c.requests': 8, 'clusters.c.phases.0.requests': 2 }));
    const found = estimates.document(queue('1', 3), { partial: false });
    expect(Object.keys(found.numbers)).toEqual(['clusters.c.requests', 'x']);
    expect(found.numbers['x']).toEqual({ mean: 1, low: null, high: null, runs: 1 });
    expect(found.numbers['clusters.c.requests']?.mean).toBe(6);
    expect(found.expect).toEqual([{ expectation: 'e', passed: 1, runs: 2 }]);
    expect(found.notes.join()).toContain('the phases of c differ from run to run');
  });

  it('are precise once the widest main number is, shares absolutely and latencies by themselves', () => {
    const known = (runs: number, numbers: Record<string, number>): ReturnType<typeof widestOf> =>
      widestOf(
        {
          runs,
          clusters: { c: { policy: 'RANDOM', hosts: ['h'] } },
          of: (name) => {
            const reach = numbers[name.slice('clusters.c.'.length)];
            return reach === undefined ? undefined : { mean: 0.5, low: 0.5 - reach, high: 0.5 + reach };
          },
        },
        0.01,
      );
    expect(known(10, { 'hosts.h.share': 0.009, failed_share: 0.001 })).toMatchObject({
      reached: true,
      widest: 'clusters.c.hosts.h.share',
    });
    expect(known(9, { failed_share: 0.001 }).reached).toBe(false);
    expect(known(10, { failed_share: 0.001, 'latency_ms.p99': 0.009 })).toMatchObject({
      reached: false,
      widest: 'clusters.c.latency_ms.p99',
      half_width: expect.closeTo(0.018) as number,
    });
    expect(known(10, {})).toMatchObject({ reached: false, widest: null });
  });
});

describe('batches', () => {
  it('that depend on each other are told', async () => {
    const slow = { ...queue('1', 10), warmupUs: 0 };
    // A tenth of a second is much shorter than a busy period of a queue that is 98 % busy.
    const busy = scenarioOf({
      clusters: [{ name: 'c' }],
      endpoints: { c: ['10.0.0.1:80'] },
      behavior: [{ hosts: {}, service_time: { exponential: { mean: '9.8ms' } }, concurrency: 1 }],
      workloads: [{ cluster: 'c', arrivals: '100/s', stop: '20s' }],
    });
    expect((await batchMeans(busy, 200, NO_PAUSE)).dependence).toMatchObject({ number: LATENCY });
    expect((await batchMeans(slow, 10, NO_PAUSE)).dependence).toBeUndefined();
  });

  it('correlate as their values say', () => {
    expect(lagOneCorrelation([1, 1, 1])).toBe(0);
    // Deviations −1, 1, −1, 1: three products of −1 over four squares.
    expect(lagOneCorrelation([0, 2, 0, 2])).toBe(-0.75);
  });
});
