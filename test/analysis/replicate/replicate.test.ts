import { describe, expect, it } from 'vitest';
import { type Interval, MeanEstimate, meanInterval } from '../../../src/analysis/interval.js';
import { NO_PAUSE, seedOfRun } from '../../../src/analysis/pause.js';
import {
  batchMeans,
  lagOneCorrelation,
  Estimates,
  summaryOfRun,
  widestOf,
} from '../../../src/analysis/replicate/estimates.js';
import { pooledPercentile } from '../../../src/analysis/replicate/pooled-quantile.js';
import { runNumbers } from '../../../src/analysis/replicate/run-numbers.js';
import { DurationRecorder } from '../../../src/result/latency.js';
import type { RunResult } from '../../../src/result/run-result.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { runScenario } from '../../../src/analysis/run/run-scenario.js';
import { scenarioOf } from '../../support/run.js';
import type { Estimate } from '../../../src/analysis/generated/experiments.js';

/** A queue of one server, M/M/1, 70 % busy: the time in the system is exponential with the rate μ − λ = (100 − 70)/s. */
function queue(seed: string, seconds: number): Scenario {
  return scenarioOf({
    seed,
    warmup: '2s',
    clusters: [{ name: 'c' }],
    endpoints: { c: ['10.0.0.1:80'] },
    behavior: [{ hosts: {}, service_time: { exponential: { mean: '10ms' } }, concurrency: 1 }],
    workloads: [{ cluster: 'c', arrivals: `${PER_SECOND}/s`, stop: `${seconds + 2}s` }],
  });
}
const PER_SECOND = 70;
const LATENCY = 'clusters.c.latency_ms.mean';
const THEORY: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({ mean: 1, p50: Math.log(2), p90: Math.log(10), p99: Math.log(100) }).map(([name, times]) => [
    `clusters.c.latency_ms.${name}`,
    (1000 * times) / (100 - PER_SECOND),
  ]),
);

async function replicated(scenario: Scenario, isEnough: (estimates: Estimates) => boolean): Promise<Estimates> {
  const estimates = new Estimates();
  while (!isEnough(estimates)) {
    estimates.add(await summaryOfRun({ ...scenario, seed: seedOfRun(scenario.seed, estimates.runs) }, {}));
  }
  return estimates;
}

/** More of them with `COVERAGE_RUNS=200 npx vitest run test/analysis/replicate`, which prints what it found. */
const RUNS = Number(process.env['COVERAGE_RUNS'] ?? 10);

/** A run of 20,000 requests knows its slowest; a short one is enough to see that nothing is wrong by much. */
const SECONDS = RUNS > 10 ? 286 : 60;

/**
 * How many of so many intervals of each number hold what theory says; of those that are refused none is counted. Of n intervals of
 * 95 %, 0.95 n ± √(0.0475 n) hold it: 5 standard errors fewer are a defect.
 */
async function expectCoverage(
  title: string,
  intervals: (seed: string) => Promise<(number: string) => Estimate | undefined>,
  refused: readonly string[] = [],
): Promise<void> {
  const held = new Map<string, [number, number]>();
  for (let seed = 0; seed < RUNS; seed++) {
    const of = await intervals(`${title} ${seed}`);
    for (const [number, expected] of Object.entries(THEORY)) {
      const { low, high } = of(number) ?? {};
      const [count, all] = held.get(number) ?? [0, 0];
      if (low === undefined || high === undefined) held.set(number, [count, all]);
      else held.set(number, [count + Number((low ?? Infinity) <= expected && expected <= (high ?? 0)), all + 1]);
    }
  }
  if (RUNS > 10) console.log(title, Object.fromEntries(held));
  for (const [number, [count, all]] of held) {
    if (refused.some((name) => number.endsWith(name))) expect([number, all]).toEqual([number, 0]);
    else {
      expect(all, number).toBeGreaterThan(0.7 * RUNS);
      expect(count, number).toBeGreaterThanOrEqual(Math.floor(0.95 * all - 5 * Math.sqrt(0.95 * 0.05 * all)));
    }
  }
}

describe('intervals of mean, p50, p90 and p99 of a queue that theory knows', () => {
  it('hold them about 95 times of 100, over replications', async () => {
    await expectCoverage('replications', async (seed) => {
      const estimates = await replicated(queue(seed, SECONDS), ({ runs }) => runs === 5);
      return (number) => estimates.of(number);
    });
  });

  it('over as many runs as a precision takes', async () => {
    await expectCoverage('precision', async (seed) => {
      const estimates = await replicated(queue(seed, SECONDS), (so) => widestOf(so, RUNS > 10 ? 0.05 : 0.2).reached);
      return (number) => estimates.of(number);
    });
  });

  it('and over short runs but for the slowest, which they do not know and say so', async () => {
    await expectCoverage(
      '350 a run',
      async (seed) => {
        const estimates = await replicated(queue(seed, 5), ({ runs }) => runs === 20);
        const { numbers, notes } = estimates.document(queue(seed, 5), { partial: false });
        expect(notes).toEqual([expect.stringContaining('c: p99 is not known: runs need 1,000 answered requests')]);
        return (number) => numbers[number];
      },
      ['p99'],
    );
  });

  it('of many runs that are just long enough, as their own percentiles on average do not', async () => {
    await expectCoverage('1,400 a run', async (seed) => {
      const estimates = await replicated(queue(seed, 20), ({ runs }) => runs === 20);
      return (number) => estimates.of(number);
    });
  });

  it('over the batches of one run', async () => {
    await expectCoverage('1,750 a batch', async (seed) => {
      const { numbers } = await batchMeans(queue(seed, 20 * 25), 20, NO_PAUSE);
      return (number) => numbers[number];
    });
  });

  it('and over short batches but for the slowest, which they do not know', async () => {
    await expectCoverage(
      '350 a batch',
      async (seed) => {
        const { numbers, notes } = await batchMeans(queue(seed, 20 * 5), 20, NO_PAUSE);
        expect(notes).toEqual([expect.stringContaining('c: p99 is not known: batches need 1,000 answered requests')]);
        return (number) => numbers[number];
      },
      ['p99'],
    );
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
      latencies: {},
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
    const slow = queue('1', 200);
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

  it('tell percentiles of all requests, with an interval, and no maximum', async () => {
    const long = queue('1', 400);
    const { numbers } = await batchMeans(long, 20, NO_PAUSE);
    const { latency_ms: latency } = (await runScenario(long)).clusters['c'] as RunResult['clusters'][string];
    for (const name of ['p50', 'p90', 'p99', 'mean'] as const) {
      expect(numbers[`clusters.c.latency_ms.${name}`]?.mean).toBeCloseTo(latency[name] ?? NaN, 9);
    }
    const { low, mean, high } = numbers['clusters.c.latency_ms.p99'] ?? { mean: NaN };
    expect([low, mean, high]).toEqual([low, mean, high].sort((a, b) => Number(a) - Number(b)));
    expect(numbers['clusters.c.latency_ms.max']).toBeUndefined();
  });

  it('are not too short, and the run is, where its interval has no end among them', () => {
    const batch = (slower: number): DurationRecorder => {
      const recorder = new DurationRecorder();
      for (let request = 0; request < 1000; request++) recorder.record(request + slower);
      return recorder;
    };
    const pooled = (percentile: number, ...batches: DurationRecorder[]): ReturnType<typeof pooledPercentile> =>
      pooledPercentile(batches, DurationRecorder.sum(batches), percentile);
    expect(pooled(99, batch(0), batch(100))).toMatchObject({ low: null, high: null });
    const { mean, low, high } = pooled(90, batch(0), batch(0)) as Interval;
    expect([mean, low, high]).toEqual([mean, mean, mean]);
    expect(pooled(99, new DurationRecorder())).toBeUndefined();
  });

  it('correlate as their values say', () => {
    expect(lagOneCorrelation([1, 1, 1])).toBe(0);
    // Deviations −1, 1, −1, 1: three products of −1 over four squares.
    expect(lagOneCorrelation([0, 2, 0, 2])).toBe(-0.75);
  });
});
