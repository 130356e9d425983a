import * as lost from '../analysis/curve.js';
import * as little from '../analysis/explain/why-not.js';
import * as found from '../analysis/find/find.js';
import type { Pause } from '../analysis/pause.js';
import * as predicted from '../predict/predict.js';
import type { Scenario } from '../scenario/model.js';
import * as run from '../simulation/simulation.js';
import {
  type Curve,
  curveInWords,
  type Findings,
  findingsInWords,
  type Prediction,
  predictionInWords,
  type RunResult,
  runInWords,
  type WhyNot,
  whyNotInWords,
} from './results.js';

/** One run in virtual time, which the caller drives in slices; they do not affect the result. */
export interface Simulation extends Omit<run.Simulation, 'result'> {
  /** What is known so far; marked partial until the run is over. */
  result(): RunResult;
}

/**
 * Prepares a run; nothing has happened yet. Only the compilation of the hash function is awaited.
 *
 * @throws UnsupportedError that names what of the scenario cannot be simulated.
 */
export async function createSimulation(scenario: Scenario, hooks?: run.SimulationHooks): Promise<Simulation> {
  const simulation = await run.createSimulation(scenario, hooks);
  const result = simulation.result.bind(simulation);
  return Object.assign(simulation, { result: () => runInWords(result()) });
}

/** Runs a scenario to its end. @throws UnsupportedError as {@link createSimulation} does. */
export async function runScenario(scenario: Scenario, hooks?: run.SimulationHooks): Promise<RunResult> {
  return runInWords(await run.runScenario(scenario, hooks));
}

/**
 * Computes what a scenario's split must be: per phase, per host, locality, priority and subset, without sampling.
 *
 * Where nothing is known (hosts that health checks decide on …) it says so instead of guessing.
 */
export async function predict(scenario: Scenario, options?: predicted.PredictOptions): Promise<Prediction> {
  return predictionInWords(await predicted.predict(scenario, options));
}

/**
 * Finds the smallest sets of hosts, of zones, and of the records of DNS clusters, whose loss causes panic, failed requests,
 * or a host above its capacity, each judged by its exact prediction.
 */
export async function find(scenario: Scenario, options?: found.FindOptions): Promise<Findings> {
  return findingsInWords(await found.find(scenario, options));
}

/**
 * Loses the hosts that a selector names one by one, in the order of the cluster, and predicts each step exactly.
 *
 * @param lose as `zone=a`, `priority=0`, `10.0.0.0/24`.
 * @throws NoPrediction where there is no such host, or no exact split.
 */
export async function curve(scenario: Scenario, lose: string, options?: lost.CurveOptions): Promise<Curve> {
  return curveInWords(await lost.curve(scenario, lose, options));
}

/**
 * Runs the scenario, and says of each phase why the host got less than its weight says.
 *
 * @param address as `10.0.0.1:80`, without the port, or the name that it was found by.
 * @throws NothingToExplain where there is no such host.
 */
export async function whyNot(scenario: Scenario, address: string, pause?: Pause): Promise<WhyNot> {
  return whyNotInWords(await little.whyNot(scenario, address, pause));
}
