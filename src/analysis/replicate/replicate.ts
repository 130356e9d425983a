import { demand, SCENARIO } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { Scenario } from '../../scenario/model.js';
import { ReplicateOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause, seedOfRun } from '../pause.js';
import { batchMeans, Estimates, FEWEST_RUNS, MOST_RUNS, summaryOfRun } from './estimates.js';
import type { Replications } from '../generated/experiments.js';

/**
 * Means of the numbers of a run with their intervals, as `lbsim run --replications --json` has them.
 * @throws UnsupportedError as `runScenario` does.
 */
export async function replicate(scenario: Scenario, options: ReplicateOptions = {}): Promise<Replications> {
  demand('replicate', ['scenario', scenario, SCENARIO], ['options', options, optionsIn(ReplicateOptions)]);
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
