import { fill } from '../../core/fill.js';
import { entryOf, mapValues, sum } from '../../core/values.js';
import { type Micros, microsToSeconds, MICROS_PER_MILLI } from '../../core/units.js';
import { DurationRecorder, PackedDurations } from '../../result/latency.js';
import type { RequestRecord } from '../../result/request-record.js';
import type { HostResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { versionsOf, endOf } from '../../settings/world.js';
import type { SimulationHooks } from '../generated/options.js';
import { runScenario } from '../run/run-scenario.js';
import { countedIn, endedRequest, chosenHost, hostKeyText, WindowCounter } from '../compare/tally.js';
import type { Window, WindowTally } from '../compare/tally.js';
import { CONFIDENCE, MeanEstimate, meanInterval, ratioValues } from '../interval.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { percentileName, PERCENTILES, pooledPercentile, PooledPercentiles } from './pooled-quantile.js';
import type {
  Dependence,
  Estimate,
  PrecisionResult,
  ReplicatedCluster,
  Replications,
} from '../generated/experiments.js';
import { NOTES } from './generated/notes.js';
import { runNumbers, entryNames } from './run-numbers.js';
import { answerHead } from '../../scenario/origin.js';

/** Fewer runs than this may agree by chance. */
export const FEWEST_RUNS = 10;
/** Where a precision is asked for without a number of runs: more of them are a matter for hours. */
export const MOST_RUNS = 1000;

/**
 * Whether the intervals of all main numbers are narrow enough, and which of them is the widest: of each cluster the part of requests that
 * failed, the shares of its hosts, mean and 99th percentile of its latency. A number of one run alone has no interval: it is not known.
 *
 * @param wanted 0–1
 */
export function widestOf(known: Pick<Estimates, 'runs' | 'clusters' | 'of'>, wanted: number): PrecisionResult {
  const names = Object.entries(known.clusters).flatMap(([cluster, { hosts }]) =>
    ['failed_share', ...hosts.map((host) => `hosts.${host}.share`), 'latency_ms.mean', 'latency_ms.p99'].map(
      (name) => `clusters.${cluster}.${name}`,
    ),
  );
  let widest: string | null = null;
  let halfWidth = 0;
  for (const name of names) {
    const estimate = known.of(name);
    if (estimate === undefined) continue;
    const reach = estimate.high === null ? Infinity : estimate.high - estimate.mean;
    // Of latencies the precision is a part of their mean; shares are parts of all requests already.
    const isRelative = !name.endsWith('share') && estimate.mean !== 0;
    const own = isRelative ? reach / Math.abs(estimate.mean) : reach;
    if (widest !== null && own <= halfWidth) continue;
    widest = name;
    halfWidth = own;
  }
  const reached = known.runs >= FEWEST_RUNS && widest !== null && halfWidth <= wanted;
  return { wanted, reached, widest, half_width: halfWidth === Infinity ? null : halfWidth };
}

/** What one run leaves for the means: plain data, which another thread or machine may send. */
export type RunSummary = Awaited<ReturnType<typeof summaryOfRun>>;

/** @param everyUs of intervals of the course, else none. @param pooled false: nobody asks for percentiles over runs. */
export async function summaryOfRun(
  scenario: Scenario,
  options: { readonly everyUs?: Micros | undefined; readonly pause?: Pause | undefined; readonly pooled?: boolean },
) {
  const { everyUs, pause = NO_PAUSE, pooled = true } = options;
  const latencies = new Map<string, DurationRecorder>();
  const onRequest = (record: RequestRecord): void => {
    const { tUs, latencyUs } = endedRequest(record);
    if (latencyUs === undefined || tUs < scenario.warmupUs) return;
    for (const name of countedIn(record)) entryOf(latencies, name, () => new DurationRecorder()).record(latencyUs);
  };
  const result = await runScenario(scenario, { everyUs, ...(pooled && { onRequest }) }, pause);
  return {
    /** Latencies of the requests of each cluster, as {@link DurationRecorder.packed} has them. */
    latencies: Object.fromEntries([...latencies].map(([name, recorder]) => [name, recorder.packed()])),
    ...runNumbers(result, everyUs !== undefined),
    seed: result.seed,
    policies: mapValues(result.clusters, ({ policy }) => policy),
    expect: result.expect.map(({ expectation, passed }) => ({ expectation, passed })),
  };
}

/** A percentile of anything but the runs' requests together is that of a short time, and of no other. */
const OF_ONE_RUN = /\.p(?:50|90|99)$/;

/** Means of runs, which are added one after the other and not kept: the result depends on their order, in the last digits. */
export class Estimates {
  private readonly means = new Map<string, MeanEstimate>();
  private readonly latencies = new Map<string, Readonly<{ runs: PackedDurations[]; all: DurationRecorder }>>();
  private readonly seeds: string[] = [];
  private readonly passed: number[] = [];
  private first: RunSummary | undefined;
  private readonly differing = new Set<string>();

  get runs(): number {
    return this.seeds.length;
  }

  /** @param wanted a precision, 0–1, which is enough, too. */
  isEnough(most: number, wanted: number | undefined): boolean {
    return this.runs === most || (wanted !== undefined && widestOf(this, wanted).reached);
  }

  add(run: RunSummary): void {
    this.first ??= run;
    this.seeds.push(run.seed);
    for (const [name, packed] of Object.entries(run.latencies)) {
      const { runs, all } = entryOf(this.latencies, name, () => ({ runs: [], all: new DurationRecorder() }));
      runs.push(new PackedDurations(packed));
      all.addPacked(packed);
    }
    for (const [name, value] of run.numbers) {
      if (OF_ONE_RUN.test(name)) continue;
      entryOf(this.means, name, () => new MeanEstimate()).add(value);
    }
    run.expect.forEach(({ passed }, index) => (this.passed[index] = (this.passed[index] ?? 0) + (passed ? 1 : 0)));
    for (const [name, causes] of Object.entries(run.phases)) {
      const others = this.first.phases[name] ?? [];
      const same = causes.length === others.length && causes.every((cause, index) => cause === others[index]);
      if (!same) this.differing.add(name);
    }
  }

  /**
   * The number of this name so far; undefined: no run had it, or runs are too short for such a percentile. One whose interval reaches
   * beyond the slowest request has no ends.
   */
  of(name: string): Estimate | undefined {
    for (const [cluster, { runs, all }] of this.latencies) {
      const percentile = PERCENTILES.find((one) => percentileName(cluster, one) === name);
      if (percentile === undefined) continue;
      const known = pooledPercentile(runs, all, percentile);
      return known === 'short batches' ? undefined : known;
    }
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
    const percentiles = new PooledPercentiles('runs');
    const known = [...this.latencies].flatMap(([name, { runs, all }]) => [...percentiles.of(name, runs, all)]);
    return {
      ...answerHead(scenario),
      version: versionsOf(scenario).version,
      method: 'replications',
      runs: this.runs,
      seeds: this.seeds,
      confidence: CONFIDENCE,
      ...(options.partial && { partial: true }),
      warmup_s: microsToSeconds(scenario.warmupUs),
      ...(wanted !== undefined && { precision: widestOf(this, wanted) }),
      numbers: Object.fromEntries([...this.named(), ...known]),
      clusters: this.clusters,
      expect: (this.first?.expect ?? []).map(({ expectation }, index) => ({
        expectation,
        passed: this.passed[index] ?? 0,
        runs: this.runs,
      })),
      notes: [
        ...scenario.notes,
        ...[...this.differing].map((name) => fill(NOTES.differing, { name })),
        ...percentiles.notes,
      ],
    };
  }

  private *named(): Generator<readonly [string, Estimate]> {
    const left = [...this.differing].map((name) => `clusters.${name}.phases.`);
    for (const name of this.means.keys()) {
      const estimate = left.some((beginning) => name.startsWith(beginning)) ? undefined : this.of(name);
      if (estimate !== undefined) yield [name, estimate];
    }
  }
}

/** Batches that are independent correlate by chance with a standard deviation of 1 / √n: beyond this many of them they are not. */
const DEPENDENT_FROM = 2.33;

/**
 * The means of one long run and how well they are known, by the method of batch means: the time after the warm-up is
 * cut into stretches of equal length, whose means are taken for independent. Requests are counted in the batch in which
 * they arrived. Means and percentiles are those of all requests; there is no maximum, as that of one run says nothing
 * of another's. Source: Law, Simulation Modeling and Analysis (5th ed. 2015), section 9.5.3.
 * @param batches 2 or more.
 */
export async function batchMeans(scenario: Scenario, batches: number, pause: Pause): Promise<Replications> {
  const { warmupUs } = scenario;
  const lengthUs = (endOf(scenario) - warmupUs) / batches;
  const windows = Array.from({ length: batches }, (_, index): Window => ({
    fromUs: warmupUs + index * lengthUs,
    toUs: warmupUs + (index + 1) * lengthUs,
  }));
  const counters = new Map<string, WindowCounter>();
  const counterOf = (cluster: string): WindowCounter => entryOf(counters, cluster, () => new WindowCounter(windows));
  const hooks: SimulationHooks = {
    onDecision: (record) => {
      for (const name of countedIn(record)) counterOf(name).decided(record.tUs, chosenHost(record));
    },
    onRequest: (record) => {
      const ended = endedRequest(record);
      for (const name of countedIn(record)) counterOf(name).ended(ended);
    },
  };
  const result = await runScenario(scenario, hooks, pause);
  const values = new Map<string, readonly number[]>();
  const numbers: (readonly [string, Estimate])[] = [];
  const percentiles = new PooledPercentiles('batches');
  for (const [name, counter] of counters) {
    const hosts = result.clusters[name]?.hosts ?? [];
    const tallies = counter.tallies(hosts.map(hostKeyText));
    for (const [number, list] of batchValues(name, hosts, tallies)) {
      values.set(number, list);
      const interval = meanInterval(list);
      if (interval !== undefined) numbers.push([number, interval]);
    }
    const latencies = tallies.map(({ latency }) => latency);
    numbers.push(...percentiles.of(name, latencies, DurationRecorder.sum(latencies)));
  }
  return {
    ...answerHead(scenario),
    version: versionsOf(scenario).version,
    method: 'batches',
    runs: batches,
    seeds: [scenario.seed],
    confidence: CONFIDENCE,
    warmup_s: microsToSeconds(warmupUs),
    ...dependenceOf(values),
    numbers: Object.fromEntries(numbers),
    clusters: Object.fromEntries(
      [...counters.keys()].flatMap((name) => {
        const cluster = result.clusters[name];
        return cluster === undefined ? [] : [[name, { policy: cluster.policy, hosts: entryNames(cluster.hosts) }]];
      }),
    ),
    expect: result.expect.map(({ expectation, passed }) => ({ expectation, passed: passed ? 1 : 0, runs: 1 })),
    notes: [...scenario.notes, ...percentiles.notes],
  };
}

/** Of each mean, one value a batch, whose mean it is. */
type BatchValues = ReadonlyMap<string, readonly number[]>;

/** Numbers of a cluster, means of all of its requests: a batch counts by how many it has. */
function batchValues(cluster: string, hosts: readonly HostResult[], tallies: readonly WindowTally[]): BatchValues {
  const values = new Map<string, readonly number[]>();
  const ratio = (name: string, of: (tally: WindowTally) => readonly [part: number, whole: number]): void => {
    values.set(`clusters.${cluster}.${name}`, ratioValues(tallies.map(of)));
  };
  values.set(
    `clusters.${cluster}.requests`,
    tallies.map(({ decisions }) => decisions),
  );
  ratio('failed_share', ({ failed, requests }) => [failed, requests]);
  ratio('latency_ms.mean', ({ latency: own }) => [(own.count * (own.meanUs() ?? 0)) / MICROS_PER_MILLI, own.count]);
  entryNames(hosts).forEach((name, index) => {
    const text = hostKeyText(hosts[index] as HostResult);
    ratio(`hosts.${name}.share`, (tally) => [tally.hosts.get(text) ?? 0, tally.decisions]);
  });
  ratio('no_host.share', ({ noHost, decisions }) => [noHost, decisions]);
  return values;
}

/** The latency or part of failed requests whose batches are most alike to the next, if they are more than chance would have it. */
function dependenceOf(values: BatchValues): { readonly dependence?: Dependence } {
  let most: Dependence | undefined;
  for (const [number, list] of values) {
    if (!/\.(failed_share|latency_ms\.mean)$/.test(number)) continue;
    const correlation = lagOneCorrelation(list);
    if (correlation * Math.sqrt(list.length) <= DEPENDENT_FROM) continue;
    if (most === undefined || correlation > most.correlation) most = { number, correlation };
  }
  return most === undefined ? {} : { dependence: most };
}

/** Of each value with the next, −1 to 1; 0 where all are alike. */
export function lagOneCorrelation(values: readonly number[]): number {
  const mean = sum(values) / Math.max(1, values.length);
  const squares = sum(values.map((value) => (value - mean) ** 2));
  if (squares === 0) return 0;
  return sum(values.slice(1).map((value, index) => (value - mean) * ((values[index] ?? 0) - mean))) / squares;
}
