import type { Scenario } from '../../scenario/model.js';
import type { RunResult } from '../../result/run-result.js';
import { createSimulation } from '../../simulation/simulation.js';
import type { Pause } from '../pause.js';
import { runUntil } from '../pause.js';
import { RunTally } from './tally.js';

/** One run of one side, with its decisions. */
export interface SideRun {
  readonly result: RunResult;
  readonly tally: RunTally;
}

export async function runSide(scenario: Scenario, pause: Pause): Promise<SideRun> {
  const tally = new RunTally(scenario.warmupUs);
  const simulation = await createSimulation(scenario, { onDecision: tally.onDecision, onRequest: tally.onRequest });
  await runUntil(simulation, pause);
  return { result: simulation.result(), tally };
}

/** The scenario with another seed, without expectations. */
export function withSeed(scenario: Scenario, seed: string): Scenario {
  return { ...scenario, seed, expect: [] };
}
