import {
  demand,
  FLAG,
  FROM_ZERO,
  FUNCTION,
  INDEX,
  optionsOf,
  POSITIVE,
  SCENARIO,
  withFunctions,
} from '../../core/arguments.js';
import { createKeyHasher, type KeyHasher } from '../../hash/request-key.js';
import { expectedOf } from '../../predict/cluster-prediction.js';
import { Forecasts } from '../../predict/predict.js';
import type { Prediction } from '../../predict/prediction.js';
import type { RunResult } from '../../result/run-result.js';
import type { Expectation, Scenario } from '../../scenario/model.js';
import { worldOf } from '../../scenario/world-of.js';
import { worldResult } from '../../simulation/cluster-results.js';
import { Measurements } from '../../simulation/stats/measurements.js';
import { RequestStory } from '../../simulation/request-story.js';
import { Simulation } from '../../simulation/simulation.js';
import { StatsFeed, type StatsObserver } from '../../simulation/stats/stats-feed.js';
import type { TrafficHooks } from '../../simulation/stats/traffic-records.js';
import type { WorldOptions } from '../../simulation/world.js';
import { answersTo, judge, measuresOf } from './expectations.js';
import { UnsupportedError, unsupportedFeatures } from './unsupported.js';

export interface SimulationHooks extends TrafficHooks, WorldOptions {
  /** Compute the exact shares too and add them to the counts; expectations that need them turn this on. */
  readonly predict?: boolean;
  /** Called with statistics at each flush interval. */
  readonly stats?: StatsObserver | undefined;
  /** The number of a request of which everything is to be told, as `Simulation.story`. */
  readonly storyOf?: number | undefined;
}

const HOOKS = optionsOf<SimulationHooks>({
  predict: FLAG,
  stats: withFunctions('onFlush'),
  onDecision: FUNCTION,
  onRequest: FUNCTION,
  storyOf: INDEX,
  timersAheadUs: FROM_ZERO,
  everyUs: POSITIVE,
});

/** A run at its start, with facts and without their words. @throws UnsupportedError */
export async function createSimulation(scenario: Scenario, hooks: SimulationHooks = {}): Promise<ScenarioRun> {
  demand('createSimulation', ['scenario', scenario, SCENARIO], ['hooks', hooks, HOOKS]);
  const unsupported = unsupportedFeatures(scenario);
  if (unsupported.length > 0) throw new UnsupportedError(unsupported);
  return new ScenarioRun(scenario, await createKeyHasher(), hooks);
}

/** Its result, without words. @throws UnsupportedError */
export async function runScenario(scenario: Scenario, hooks: SimulationHooks = {}): Promise<RunResult> {
  const simulation = await createSimulation(scenario, hooks);
  while (!simulation.advance(1_000_000));
  return simulation.result();
}

/** A run beside what is predicted and expected of it. */
export class ScenarioRun extends Simulation {
  /** undefined: the exact shares are not requested. */
  private readonly forecasts: Forecasts | undefined;

  constructor(
    private readonly scenario: Scenario,
    hasher: KeyHasher,
    hooks: SimulationHooks = {},
  ) {
    const predicts = hooks.predict === true || scenario.expect.some(comparesWithPrediction);
    const settings = worldOf(scenario);
    // Before the world: both need their memory while they are made.
    const forecasts = predicts ? new Forecasts(scenario, settings, hasher) : undefined;
    const { stats, storyOf } = hooks;
    const measures = measuresOf(scenario);
    super(settings, hasher, hooks, {
      measure: measures.length === 0 ? undefined : (world) => new Measurements(world, measures),
      tell: storyOf === undefined ? undefined : (world) => new RequestStory(storyOf, world),
      feed: stats === undefined ? undefined : (world) => new StatsFeed(world, stats),
    });
    this.forecasts = forecasts;
  }

  get prediction(): Prediction | undefined {
    return this.forecasts?.prediction;
  }

  /** What is known so far; marked partial until the run is over. */
  result(): RunResult {
    const { finished, forecasts, measurements, router, scenario, totals, world } = this;
    const { expect, notes, origin, question } = scenario;
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
      seed,
      version,
      ...(versions && { versions }),
      duration_s,
      ...(origin.says.length > 0 && { input: [...origin.says] }),
      ...(origin.unknownHosts.length > 0 && { unknown_hosts: [...origin.unknownHosts] }),
      ...rest,
      ...(measurements && question.length > 0 && { question: answersTo(question, measurements, rest.stats) }),
      expect: measurements === undefined ? [] : judge(expect, measurements, rest.stats, prediction, world),
      notes: [...notes],
    };
  }
}

function comparesWithPrediction(expectation: Expectation): boolean {
  return expectation.comparator?.kind === 'within_sigma';
}
