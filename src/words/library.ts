import { demand, optional, SCENARIO, TEXT } from '../core/arguments.js';
import * as asked from '../analysis/explain/explain.js';
import type { ExplainStep } from '../analysis/explain/generated/explanation.js';
import type { ComparedSide } from '../analysis/compare/cluster-runs.js';
import * as between from '../analysis/compare/compare.js';
import type { CompareOptions, ExplainOptions, InspectOptions, SimulationHooks } from '../analysis/generated/options.js';
import * as little from '../analysis/explain/why-not.js';
import * as inspected from '../analysis/inspect/inspector.js';
import * as lb from '../config/lb.js';
import * as settings from '../config/to-settings.js';
import type { Pause } from '../analysis/pause.js';
import * as judged from '../predict/judge-expectations.js';
import * as predicted from '../predict/predict.js';
import type * as predictions from '../predict/generated/prediction.js';
import type { Scenario } from '../scenario/model.js';
import { worldOf } from '../scenario/world-of.js';
import * as ring from '../simulation/ring-view.js';
import type { RingEntryView, RingView as RingFacts } from '../result/generated/ring-view.js';
import type { Totals } from '../result/run-result.js';
import { emptyTableText } from '../core/words.js';
import * as run from '../analysis/run/run-scenario.js';
import { fill, SENTENCES } from './fill.js';
import { happeningText } from './happenings.js';
import { assumptionText } from './obstacles.js';
import { gateText, whyNotTexts } from './reasons.js';
import type {
  Comparison,
  ExplainedRequest,
  Explanation,
  Inspection,
  PredictedExpectation,
  Prediction,
  RingView,
  RunResult,
  WhyNot,
} from './results.js';
import * as words from './results.js';
import { type StepWords, stepWords } from './steps.js';

export * from './proven.js';

/** One run in virtual time, which the caller drives in slices; they do not affect the result. */
export interface Simulation {
  /** Handles so many events, none later than `untilUs`; one that is not about a request counts for many. @returns whether it is over. */
  advance(maxEvents: number, untilUs?: number): boolean;
  /** Adds an entry to the timeline, as a file has it; without `at` it acts now. @throws TypeError for what cannot be read. */
  apply(entry: Readonly<Record<string, unknown>>): void;
  readonly nowUs: number;
  /** How far the run has come, 0–1, by virtual time where its end is known. */
  readonly progress: number;
  readonly totals: Totals;
  /** undefined: it was not asked for. */
  readonly prediction: predictions.Prediction | undefined;
  /** What is known so far; marked partial until the run is over. */
  result(): RunResult;
}

/** @internal */
export interface Simulation extends Omit<run.ScenarioRun, 'result'> {
  readonly story: run.ScenarioRun['story'];
}

/**
 * Prepares a run; nothing has happened yet. Only the compilation of the hash function is awaited.
 *
 * @throws UnsupportedError that names what of the scenario cannot be simulated.
 */
export async function createSimulation(scenario: Scenario, hooks?: SimulationHooks): Promise<Simulation> {
  const simulation = await run.createSimulation(scenario, hooks);
  const result = simulation.result.bind(simulation);
  return Object.assign(simulation, { result: () => words.runInWords(result()) });
}

/** Runs a scenario to its end. @throws UnsupportedError as {@link createSimulation} does. */
export const runScenario = async (scenario: Scenario, hooks?: SimulationHooks): Promise<RunResult> =>
  words.runInWords(await run.runScenario(scenario, hooks));

/**
 * Computes what a scenario's split must be: per phase, per host, locality, priority and subset, without sampling.
 *
 * Where nothing is known (hosts that health checks decide on …) it says so instead of guessing.
 */
export const predict = async (scenario: Scenario, options?: predicted.PredictOptions): Promise<Prediction> =>
  words.predictionInWords(await predicted.predict(scenario, options));

/**
 * Judges expectations about shares by their prediction. One passes or fails only where no run could come to the other
 * verdict by chance, so that a run and its prediction never contradict each other.
 */
export const judgeExpectations = (scenario: Scenario, prediction: predictions.Prediction): PredictedExpectation[] =>
  words.judgedInWords(judged.judgeExpectations(scenario, prediction));

/**
 * Runs the scenario, and says of each phase why the host got less than its weight says.
 *
 * @param address as `10.0.0.1:80`, without the port, or the name that it was found by.
 * @throws NothingToExplain where there is no such host.
 */
export async function whyNot(scenario: Scenario, address: string, pause?: Pause): Promise<WhyNot> {
  const found = await little.whyNot(scenario, address, pause);
  const clusters = found.clusters.map((cluster) => ({
    ...cluster,
    phases: cluster.phases.map((phase) => ({ ...phase, why: whyNotTexts(phase.facts) })),
  }));
  return { ...found, clusters };
}

/**
 * One decision, step by step: runs the scenario until a moment, and asks the balancer for one request more.
 *
 * @throws NothingToExplain where there is no such cluster or proxy; UnsupportedError as {@link runScenario} does.
 */
export async function explain(scenario: Scenario, options?: ExplainOptions): Promise<Explanation> {
  const explanation = await asked.explain(scenario, options);
  const { steps, facts } = explanation;
  return { ...explanation, steps: inSteps(steps, explanation), notes: facts.map(assumptionText) };
}

const inSteps = <Step extends ExplainStep>(
  steps: readonly Step[],
  { over_tcp }: Pick<Explanation, 'over_tcp'>,
): readonly (StepWords & Step)[] => steps.map((step) => ({ ...stepWords(step, over_tcp), ...step }));

/**
 * Runs the scenario until request number `request` ends, and lists everything that happened to it: its route, each attempt,
 * the host and why, the connection, limits, the queue of the host, time-outs, retries.
 *
 * @throws NothingToExplain where the run has no such request; UnsupportedError as {@link runScenario} does.
 */
export async function explainRequest(scenario: Scenario, request: number, pause?: Pause): Promise<ExplainedRequest> {
  const explained = await asked.explainRequest(scenario, request, pause);
  return { ...explained, steps: inSteps(explained.steps, explained) };
}

/** What a proxy's balancer holds at any instant of a run. */
export class Inspector {
  private readonly inspector: inspected.Inspector;

  constructor(scenario: Scenario) {
    this.inspector = new inspected.Inspector(scenario);
  }

  /** @throws NothingToExplain where there is no such cluster or proxy; UnsupportedError as {@link runScenario} does. */
  async look(options: InspectOptions): Promise<Inspection> {
    const inspection = await this.inspector.look(options);
    const { zone, key, merge_window: merge } = inspection;
    return {
      ...inspection,
      merge_window: {
        ...merge,
        waiting: merge.waiting.map((update) => ({ ...update, causes: update.facts.map(happeningText) })),
      },
      zone: zone && { ...zone, why: zone.off && gateText(zone.off) },
      key: key && { ...key, steps: key.facts.map((step) => stepWords(step).outcome) },
    };
  }
}

/** Why there is no table to show. */
export interface NoRing extends ring.NoRing {
  readonly problem: string;
}

/** Inspects the tables of one cluster. */
export interface RingInspector {
  view(): RingView;
  /** Approximate memory of a table. */
  readonly tableBytes: number;
  /** The host of `key`; undefined: none. The hash also chooses the priority, as for a request. */
  ownerOf(key: string): string | undefined;
  /** Every entry in table order, priority after priority. */
  entries(): Iterable<RingEntryView>;
}

/**
 * The hash tables of a cluster as the first proxy builds them at the start, what the timeline does at time 0 included.
 *
 * @param clusterName undefined: the first cluster with a hashing policy.
 */
export async function inspectRing(scenario: Scenario, clusterName?: string): Promise<RingInspector | NoRing> {
  demand('inspectRing', ['scenario', scenario, SCENARIO], ['clusterName', clusterName, optional(TEXT)]);
  const found = await ring.inspectRing(worldOf(scenario), clusterName);
  if ('missing' in found) return { ...found, problem: fill(SENTENCES.rings[found.missing.kind], found.missing) };
  const view = found.view.bind(found);
  return Object.assign(found, { view: () => ringInWords(view()) });
}

function ringInWords(view: RingFacts): RingView {
  const tables = view.tables.map(({ empty, ...table }) => {
    if (empty === undefined) return table;
    const priority = view.tables.length > 1 ? table.priority : undefined;
    return { ...table, empty, empty_because: emptyTableText(empty, view.policy, priority) };
  });
  return { ...view, tables };
}

const namedCluster = (scenario: Scenario, name: string) => scenario.clusters.find((cluster) => cluster.name === name);

/** How long updates of a cluster wait for others, in µs; 0: nothing waits; undefined: there is no such cluster. */
export function mergeWindowUs(scenario: Scenario, clusterName: string): number | undefined {
  demand('mergeWindowUs', ['scenario', scenario, SCENARIO], ['clusterName', clusterName, TEXT]);
  const cluster = namedCluster(scenario, clusterName);
  return cluster && settings.mergeWindowUs(cluster);
}

/** Below this percentage of available hosts a priority panics; undefined: there is no such cluster. */
export function panicThresholdOf(scenario: Scenario, clusterName: string): number | undefined {
  demand('panicThresholdOf', ['scenario', scenario, SCENARIO], ['clusterName', clusterName, TEXT]);
  const cluster = namedCluster(scenario, clusterName);
  return cluster && lb.panicThresholdOf(cluster);
}

/** Compares scenarios: shares, failures, latency, keys that move. */
export const compare = async (sides: readonly ComparedSide[], options?: CompareOptions): Promise<Comparison> =>
  words.comparisonInWords(await between.compare(sides, options));
