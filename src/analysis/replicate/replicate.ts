import { demand, optionsOf, SCENARIO } from '../../core/arguments.js';
import { fieldsIn, OPTIONS as TABLE } from '../../core/options.js';
import type { Micros } from '../../core/units.js';
import type { Scenario } from '../../scenario/model.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { batchMeans, Estimates, FEWEST_RUNS, MOST_RUNS, summaryOfRun } from './estimates.js';
import { type Replications, seedOfRun } from './replications.js';

export interface ReplicateOptions {
  /** How many, each with a seed of its own. Default: 10, and with `untilPrecision` 1,000 at most. */
  readonly runs?: number | undefined;
  /** Ends where all main numbers are known so well: a part of all requests for shares, of itself for a latency, 0–1. */
  readonly untilPrecision?: number | undefined;
  /** Stretches of one long run instead of runs, 2 or more. */
  readonly batches?: number | undefined;
  /** Also numbers of intervals of this length, in microseconds. */
  readonly everyUs?: Micros | undefined;
  readonly pause?: Pause | undefined;
}

const OPTIONS = optionsOf(fieldsIn<ReplicateOptions>(TABLE.replicate));

/**
 * Means of the numbers of a run with their intervals, as `lbsim run --replications --json` has them.
 * @throws UnsupportedError as `runScenario` does.
 */
export async function replicate(scenario: Scenario, options: ReplicateOptions = {}): Promise<Replications> {
  demand('replicate', ['scenario', scenario, SCENARIO], ['options', options, OPTIONS]);
  const { untilPrecision: wanted, batches, everyUs, pause = NO_PAUSE } = options;
  if (batches !== undefined) return batchMeans(scenario, batches, pause);
  const most = options.runs ?? (wanted === undefined ? FEWEST_RUNS : MOST_RUNS);
  const estimates = new Estimates();
  while (!estimates.isEnough(most, wanted)) {
    const done = estimates.runs;
    const seed = seedOfRun(scenario.seed, done);
    const within: Pause = (part) => pause((done + part) / most);
    estimates.add(await summaryOfRun({ ...scenario, seed }, { everyUs, pause: within }));
  }
  return estimates.document(scenario, { partial: false, wanted });
}
