import * as args from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import { compileKernel } from '../../hash/kernel/kernel.js';
import { expectedOf } from '../../predict/cluster-prediction.js';
import { Forecasts } from '../../predict/predict.js';
import type { PredictedHost, Prediction } from '../../predict/generated/prediction.js';
import * as runResult from '../../result/run-result.js';
import type { Comparator, Expectation, Scenario } from '../../scenario/model.js';
import { LaterEntries } from '../../scenario/later-entries.js';
import { worldOf } from '../../scenario/world-of.js';
import { worldResult } from '../../simulation/cluster-results.js';
import { type Measurement, Measurements } from '../../simulation/stats/measurements.js';
import { publishedOf } from '../../simulation/stats/published.js';
import { RequestStory } from '../../simulation/request-story.js';
import { Simulation } from '../../simulation/simulation.js';
import { StatsFeed } from '../../simulation/stats/stats-feed.js';
import type { World } from '../../simulation/world.js';
import { SimulationHooks } from '../generated/options.js';
import { NO_PAUSE, runUntil } from '../pause.js';
import { type Proven, provenOf } from '../prove/prove.js';
import { UnsupportedError, unsupportedFeatures } from './unsupported.js';
import { byKind, defined, sum, own } from '../../core/values.js';
import { hostKeyText } from '../compare/tally.js';
import { microsToSeconds } from '../../core/units.js';
import { partsOf } from '../../predict/judge-expectations.js';
import { standardErrorsOff, sumOf } from '../../result/expected.js';
import { type Measure, MEASURE_UNITS, type MeasureSubject } from '../../settings/generated/measures.js';
import { hostPredicate } from '../../settings/selector.js';
import type { PredictedPortion } from '../../result/expected.js';

/** A run at its start, with facts and without their words. @throws UnsupportedError */
export async function createSimulation(scenario: Scenario, hooks: SimulationHooks = {}): Promise<ScenarioRun> {
  args.demand('createSimulation', ['scenario', scenario, args.SCENARIO], ['hooks', hooks, optionsIn(SimulationHooks)]);
  const unsupported = unsupportedFeatures(scenario);
  if (unsupported.length > 0) throw new UnsupportedError(unsupported);
  await compileKernel();
  return new ScenarioRun(scenario, hooks, await provenOf(scenario));
}

/** Its result, without words. @throws UnsupportedError */
export async function runScenario(
  scenario: Scenario,
  hooks: SimulationHooks = {},
  pause = NO_PAUSE,
): Promise<runResult.RunResult> {
  const simulation = await createSimulation(scenario, hooks);
  await runUntil(simulation, pause);
  return simulation.result();
}

export class ScenarioRun extends Simulation {
  /** undefined: the exact shares are not requested. */
  private readonly forecasts: Forecasts | undefined;
  private readonly later: LaterEntries;

  constructor(
    private readonly scenario: Scenario,
    hooks: SimulationHooks,
    private readonly proven: ReadonlyMap<Expectation, Proven>,
  ) {
    const predicts = hooks.predict === true || scenario.expect.some(comparesWithPrediction);
    const settings = worldOf(scenario);
    // Before the world: both need their memory while they are made.
    const forecasts = predicts ? new Forecasts(scenario, settings) : undefined;
    const { stats, storyOf } = hooks;
    const measures = measuresOf(scenario);
    super(settings, hooks, {
      measure: measures.length === 0 ? undefined : (world) => new Measurements(world, measures),
      tell: storyOf === undefined ? undefined : (world) => new RequestStory(storyOf, world),
      feed: stats === undefined ? undefined : (world) => new StatsFeed(world, stats),
    });
    this.forecasts = forecasts;
    this.later = new LaterEntries(scenario);
  }

  /**
   * Adds an entry to the timeline, as a file has it: `{ at: '5s', fail: '10.0.0.1:80' }`; without `at` it acts now, after all
   * that has happened. Predictions do not know of it, and CDS has statistics only where the timeline of the file has an
   * `update_cluster` or `remove_cluster`.
   *
   * @throws TypeError for what cannot be read, for names that the scenario has not, and for a time that is past.
   */
  apply(entry: Readonly<Record<string, unknown>>): void {
    args.demand('apply', ['entry', entry, args.ANY_TABLE]);
    this.timeline.add(this.later.read(entry, this.nowUs));
  }

  get prediction(): Prediction | undefined {
    return this.forecasts?.prediction;
  }

  /** What is known so far; marked partial until the run is over. */
  result(): runResult.RunResult {
    const { finished, forecasts, measurements, proven, router, scenario, totals, world } = this;
    const { description, expect, notes, origin, question } = scenario;
    const counts = { totals, failures: { ...router.counts.failures } };
    const { seed, version, versions, duration_s, ...rest } = worldResult(world, counts, finished, {
      ...origin,
      expectedOf: (index) => {
        const [cluster, forecast] = [world.clusters[index], forecasts?.of(index)];
        return cluster && forecast && expectedOf(forecast, cluster.rows.rows);
      },
    });
    const prediction = expect.some(comparesWithPrediction) ? this.prediction : undefined;
    return {
      scenario: scenario.name,
      ...(description !== '' && { description }),
      seed,
      version,
      ...(versions && { versions }),
      duration_s,
      ...(origin.says.length > 0 && { input: [...origin.says] }),
      ...(origin.unknownHosts.length > 0 && { unknown_hosts: [...origin.unknownHosts] }),
      ...rest,
      ...(measurements && question.length > 0 && { question: answersTo(question, measurements, rest.stats, world) }),
      expect: measurements === undefined ? [] : judge(expect, measurements, rest.stats, { prediction, proven, world }),
      notes: [...notes],
    };
  }
}

const comparesWithPrediction = (expectation: Expectation): boolean => expectation.comparator?.kind === 'within_sigma';

/** @internal */
export function measuresOf({ expect, question }: Pick<Scenario, 'expect' | 'question'>): readonly Measure[] {
  return [...question, ...expect.flatMap((one) => (one.relativeTo === undefined ? [one] : [one, one.relativeTo]))];
}

export function answersTo(
  question: readonly Measure[],
  measurements: Measurements,
  stats: runResult.StatsResult,
  { proxies }: World,
): runResult.QuestionResult[] {
  const specs = proxies.map(({ spec }) => spec);
  return question.map((measure) => {
    const { subject, during } = measure;
    const measured = measurements.of(measure);
    const published = subject.kind === 'stat' ? publishedOf(subject.name, specs, measured.statGrowth) : undefined;
    const chosen = subject.kind === 'decision' ? measurements.chosen(subject.request) : undefined;
    return {
      subject: chosen === undefined ? subject : { ...subject, ...chosen },
      ...(during && { from_s: microsToSeconds(during[0]), to_s: microsToSeconds(during[1]) }),
      value: measurements.valueOf(measured, stats),
      unit: MEASURE_UNITS[subject.kind],
      ...(measured.needless !== null && { needless: measured.needless }),
      ...(published && { published }),
    };
  });
}

/** What expectations are judged by besides measurements; `prediction`: those of `within_sigma`. */
type Known = Readonly<{ prediction: Prediction | undefined; proven: ReadonlyMap<Expectation, Proven>; world: World }>;

/** By what a run that was given {@link measuresOf} them measured. */
export function judge(
  expect: readonly Expectation[],
  measurements: Measurements,
  stats: runResult.StatsResult,
  { prediction, proven, world }: Known,
): runResult.ExpectationResult[] {
  const valueOf = (measured: Measurement): number | null => measurements.valueOf(measured, stats);
  return expect.map((expectation): runResult.ExpectationResult => {
    const { subject, comparator, relativeTo, text } = expectation;
    if (subject.kind === 'decision') {
      const chosen = measurements.chosen(subject.request);
      return { expectation: text, passed: chosen?.host === subject.host, actual: chosen?.host ?? null };
    }
    const known = proven.get(expectation);
    if (known !== undefined) return { expectation: text, ...known };
    const measured = measurements.of(expectation);
    const value = valueOf(measured);
    if (comparator?.kind === 'within_sigma') {
      const predicted = prediction && predictedPortion(expectation, measured, prediction, world);
      const off = predicted && standardErrorsOff(predicted, measured.hits / measured.decisions, measured.decisions);
      const passed = off !== undefined && Math.abs(off) <= comparator.value;
      return { expectation: text, passed, actual: value };
    }
    const other = relativeTo === undefined ? 1 : valueOf(measurements.of(relativeTo));
    const passed = value !== null && other !== null && comparator !== undefined && holds(comparator, value, other);
    const ratio = value === null || !other ? null : value / other;
    const busiest = measured.busiest();
    return {
      expectation: text,
      passed,
      actual: relativeTo === undefined ? value : ratio,
      ...(relativeTo !== undefined && { value, reference: other }),
      ...defined({ answered_share: measured.answeredShare() }),
      ...(busiest && {
        busiest: {
          address: busiest.server.address,
          from_s: microsToSeconds(busiest.fromUs),
          to_s: microsToSeconds(busiest.toUs),
        },
      }),
    };
  });
}

/** Multiples of what something is compared with; 1 where it is compared with numbers. */
const holds = byKind<Comparator, boolean, [actual: number, unit: number]>({
  equals: ({ value }, actual, unit) => actual === value * unit,
  at_least: ({ value }, actual, unit) => actual >= value * unit,
  at_most: ({ value }, actual, unit) => actual <= value * unit,
  between: ({ low, high }, actual, unit) => actual >= low * unit && actual <= high * unit,
  // Judged apart: it needs more than the number.
  within_sigma: () => false,
});

/** Of the time and the attempts of a measurement; undefined: there is none, or there were no attempts. */
function predictedPortion(
  { subject, during }: Expectation,
  { cluster: index, decisions }: Measurement,
  { clusters }: Prediction,
  world: World,
): PredictedPortion | undefined {
  const name = world.clusters[index]?.name ?? '';
  const predicted = own(clusters, name);
  if (predicted === undefined || decisions === 0) return undefined;
  const parts = partsOf(predicted, during).map(({ split, part }) => ({
    weight: part * (split.requests ?? 1),
    portion: subject.kind === 'no_host' ? split.no_host : portionOf(subject, name, split.hosts, world),
    isKnown: split.method !== 'none',
  }));
  const portions = parts.flatMap(({ portion, isKnown, weight }) => (portion && isKnown ? [{ portion, weight }] : []));
  const total = sum(portions.map(({ weight }) => weight));
  if (portions.length < parts.length || total === 0) return undefined;
  const mean = (of: 'share' | 'variance'): number =>
    sum(portions.map(({ portion, weight }) => portion[of] * weight)) / total;
  const granularity = sum(portions.map(({ portion }) => portion.granularity));
  return { share: mean('share'), variance: mean('variance'), granularity };
}

function portionOf(subject: MeasureSubject, cluster: string, hosts: readonly PredictedHost[], world: World) {
  if (subject.kind !== 'share') return undefined;
  const means = hostPredicate(subject.hosts);
  const rows = world.clusters[world.clusterIndex(cluster)]?.rows.rows ?? [];
  const meant = new Set(
    rows
      .filter((row) => means({ ...row, cluster }))
      .map((row) => hostKeyText({ ...row, locality: runResult.localityResult(row.locality) })),
  );
  return sumOf(hosts.filter((host) => meant.has(hostKeyText(host))));
}
