import type { Scenario } from '../../scenario/model.js';
import type { RunResult } from '../../result/run-result.js';
import { createSimulation } from '../../simulation/simulation.js';
import type { Pause } from '../pause.js';
import { RunTally } from './tally.js';

/** One run of one side, with its decisions. */
export interface SideRun {
  readonly result: RunResult;
  readonly tally: RunTally;
}

/** Few enough for Ctrl-C to work at once. */
export const EVENTS_PER_PAUSE = 20_000;

export async function runSide(scenario: Scenario, pause: Pause): Promise<SideRun> {
  const tally = new RunTally(scenario.warmupUs);
  const simulation = await createSimulation(scenario, { onDecision: tally.onDecision, onRequest: tally.onRequest });
  while (!simulation.advance(EVENTS_PER_PAUSE)) await pause(simulation.progress);
  return { result: simulation.result(), tally };
}

/** The scenario with another seed, without expectations. */
export function withSeed(scenario: Scenario, seed: string): Scenario {
  return { ...scenario, seed, expect: [] };
}
