import { FORMAT } from '../../core/document-format.js';
import { entryOf } from '../../core/lists.js';
import { MICROS_PER_MILLI, microsToSeconds } from '../../core/units.js';
import type { ExpectationResult, RunResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { inputOf } from '../../scenario/origin.js';
import { versionsOf } from '../../settings/world.js';
import { count, someOf } from '../../core/words.js';
import { CONFIDENCE, type Interval, MeanEstimate, meanInterval, ratioValues } from '../interval.js';
import type { Estimate, ExpectationCount, PrecisionResult, ReplicatedCluster, Replications } from './replications.js';
import { runNumbers, type RunNumbers } from './run-numbers.js';
import { DurationRecorder } from '../../result/latency.js';

/** A batch with fewer requests beyond a quantile, on average, does not know it: neighbouring requests are too much alike. */
const BEYOND = 10;

/** How many requests a batch must have for a percentile: 20 for the median, 1,000 for the 99th. */
export function requestsFor(percentile: number): number {
  return Math.round(BEYOND / (1 - percentile / 100));
}

/**
 * A percentile of the latency of all batches together, in ms, and how well it is known.
 *
 * The percentiles of the batches themselves would be biased: each is that of a short time, in which the slowest requests mostly do
 * not occur, and more batches would only make sure of the wrong value. So the percentile is that of all requests; from batch to
 * batch varies the part of requests that are faster, which tells how well its rank is known; and the interval reaches from the value
 * at the lowest such rank to that at the highest, farther to the side where requests are rare.
 *
 * Source: sectioning (Asmussen and Glynn, Stochastic Simulation, 2007, section III.5), in the scale of ranks, as the interval of a
 * percentile of independent values is. In the scale of values it holds the 99th percentile of a queue that is 70 % busy in 88 of 100
 * runs with 20 batches of 1,750 requests, so in 92.
 *
 * @param batches those of one run, one after the other.
 * @returns undefined: nothing was answered.
 */
export function pooledPercentile(
  batches: readonly DurationRecorder[],
  percentile: number,
): Interval | 'short batches' | 'short run' | undefined {
  const all = new DurationRecorder();
  for (const batch of batches) all.add(batch);
  const valueUs = all.percentileUs(percentile);
  if (valueUs === undefined) return undefined;
  if (all.count < batches.length * requestsFor(percentile)) return 'short batches';
  const counts = batches.map((batch) => ({ ...batch.around(valueUs), of: batch.count }));
  const reachOf = (which: 'below' | 'through'): number => {
    const values = ratioValues(
      counts.map((count) => count[which]),
      counts.map(({ of }) => of),
    );
    const { mean, high } = meanInterval(values) ?? { mean: 0, high: null };
    return 100 * ((high ?? Infinity) - mean);
  };
  const [low, high] = [percentile - reachOf('below'), percentile + reachOf('through')];
  if (high >= 100) return 'short run';
  const at = (rank: number): number => (all.percentileUs(rank) ?? valueUs) / MICROS_PER_MILLI;
  return { mean: valueUs / MICROS_PER_MILLI, low: at(low), high: at(high) };
}

/** What is needed of the estimates. */
interface Known {
  readonly runs: number;
  readonly clusters: Readonly<Record<string, ReplicatedCluster>>;
  of(name: string): Estimate | undefined;
}

/** Fewer runs than this may agree by chance. */
export const FEWEST_RUNS = 10;

/** One of the numbers that a precision is about. */
interface MainNumber {
  readonly name: string;
  /** Of latencies the precision is a part of their mean; shares are parts of all requests already. */
  readonly relative: boolean;
}

/** Of each cluster: the part of requests that failed, the shares of its hosts, mean and 99th percentile of its latency. */
function mainNumbers(clusters: Readonly<Record<string, ReplicatedCluster>>): readonly MainNumber[] {
  return Object.entries(clusters).flatMap(([cluster, { hosts }]) => [
    { name: `clusters.${cluster}.failed_share`, relative: false },
    ...hosts.map((host) => ({ name: `clusters.${cluster}.hosts.${host}.share`, relative: false })),
    ...['mean', 'p99'].map((measure) => ({ name: `clusters.${cluster}.latency_ms.${measure}`, relative: true })),
  ]);
}

/**
 * Whether the intervals of all main numbers are narrow enough, and which of them is the widest. A number of one run alone has no
 * interval: it is not known.
 *
 * @param wanted 0–1
 */
export function widestOf(known: Known, wanted: number): PrecisionResult {
  let widest: string | null = null;
  let halfWidth = 0;
  for (const { name, relative } of mainNumbers(known.clusters)) {
    const estimate = known.of(name);
    if (estimate === undefined) continue;
    const reach = estimate.high === null ? Infinity : estimate.high - estimate.mean;
    const own = relative && estimate.mean !== 0 ? reach / Math.abs(estimate.mean) : reach;
    if (widest !== null && own <= halfWidth) continue;
    widest = name;
    halfWidth = own;
  }
  const reached = known.runs >= FEWEST_RUNS && widest !== null && halfWidth <= wanted;
  return { wanted, reached, widest, half_width: halfWidth === Infinity ? null : halfWidth };
}

/** What one run leaves for the means: plain data, which another thread or machine may send. */
export interface RunSummary extends RunNumbers {
  readonly seed: string;
  readonly policies: Readonly<Record<string, string>>;
  readonly expect: readonly Pick<ExpectationResult, 'expectation' | 'passed'>[];
}

/** @param course as {@link runNumbers} has it. */
export function summaryOf(result: RunResult, course = false): RunSummary {
  return {
    ...runNumbers(result, course),
    seed: result.seed,
    policies: Object.fromEntries(Object.entries(result.clusters).map(([name, { policy }]) => [name, policy])),
    expect: result.expect.map(({ expectation, passed }) => ({ expectation, passed })),
  };
}

/** Means of runs, which are added one after the other and not kept: the result depends on their order, in the last digits. */
export class Estimates {
  private readonly means = new Map<string, MeanEstimate>();
  private readonly seeds: string[] = [];
  private readonly passed: number[] = [];
  private first: RunSummary | undefined;
  /** Clusters whose phases differ from run to run. */
  private readonly differing = new Set<string>();

  get runs(): number {
    return this.seeds.length;
  }

  add(run: RunSummary): void {
    this.first ??= run;
    this.seeds.push(run.seed);
    for (const [name, value] of run.numbers) {
      entryOf(this.means, name, () => new MeanEstimate()).add(value);
    }
    run.expect.forEach(({ passed }, index) => (this.passed[index] = (this.passed[index] ?? 0) + (passed ? 1 : 0)));
    for (const [name, causes] of Object.entries(run.phases)) {
      const others = this.first.phases[name] ?? [];
      const same = causes.length === others.length && causes.every((cause, index) => cause === others[index]);
      if (!same) this.differing.add(name);
    }
  }

  /** The number of this name so far; undefined: no run had it. */
  of(name: string): Estimate | undefined {
    const mean = this.means.get(name);
    const interval = mean?.interval();
    if (mean === undefined || interval === undefined) return undefined;
    return mean.count === this.runs ? interval : { ...interval, runs: mean.count };
  }

  /** Clusters that got requests, as of the first run. */
  get clusters(): Readonly<Record<string, ReplicatedCluster>> {
    const { policies = {}, hosts = {}, numbers } = this.first ?? {};
    return Object.fromEntries(
      Object.entries(policies).flatMap(([name, policy]) =>
        (numbers?.get(`clusters.${name}.requests`) ?? 0) === 0
          ? []
          : [[name, { policy, hosts: hosts[name] ?? [] }] as const],
      ),
    );
  }

  /** @param wanted the precision that was asked for, 0–1. */
  document(
    scenario: Scenario,
    options: { readonly partial: boolean; readonly wanted?: number | undefined },
  ): Replications {
    const { wanted } = options;
    return {
      format: FORMAT,
      scenario: scenario.name,
      ...inputOf(scenario),
      version: versionsOf(scenario).version,
      method: 'replications',
      runs: this.runs,
      seeds: this.seeds,
      confidence: CONFIDENCE,
      ...(options.partial && { partial: true }),
      warmup_s: microsToSeconds(scenario.warmupUs),
      ...(wanted !== undefined && { precision: widestOf(this, wanted) }),
      numbers: Object.fromEntries(this.named()),
      clusters: this.clusters,
      expect: this.expectations(),
      notes: [...scenario.notes, ...this.phaseNotes(), ...this.shortNotes()],
    };
  }

  private *named(): Generator<readonly [string, Estimate]> {
    const left = [...this.differing].map((name) => `clusters.${name}.phases.`);
    for (const name of this.means.keys()) {
      const estimate = left.some((beginning) => name.startsWith(beginning)) ? undefined : this.of(name);
      if (estimate !== undefined) yield [name, estimate];
    }
  }

  private expectations(): ExpectationCount[] {
    return (this.first?.expect ?? []).map(({ expectation }, index) => ({
      expectation,
      passed: this.passed[index] ?? 0,
      runs: this.runs,
    }));
  }

  /** Percentiles of runs that are too short to know them: their mean is that of such runs, and no other's. */
  private shortNotes(): string[] {
    return [90, 99].flatMap((percentile) => {
      const needed = requestsFor(percentile);
      const short = Object.keys(this.clusters).filter(
        (name) =>
          (this.of(`clusters.${name}.requests`)?.mean ?? 0) < needed &&
          this.of(`clusters.${name}.latency_ms.p${percentile}`) !== undefined,
      );
      const what = `p${percentile} is the mean of runs with fewer than ${count(needed)} requests, which say little of that of a long one`;
      return short.length === 0 ? [] : [`${someOf(short, 3)}: ${what}`];
    });
  }

  private phaseNotes(): string[] {
    return [...this.differing].map(
      (name) => `the phases of ${name} differ from run to run: their numbers have no mean, and are left out`,
    );
  }
}
