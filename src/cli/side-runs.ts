import { MOST_RUNS, type RanSides, runSides } from '../analysis/compare/cluster-runs.js';
import { runnerHere, type SideRunner } from '../analysis/compare/side-run.js';
import type { Pause } from '../analysis/pause.js';
import { PolicyFailure } from '../policy/foreign/policy-module.js';
import type { SideAnswer, SideTask } from './cell.js';
import { threadPool, WAITING } from './cell-pool.js';
import { type LongWork, requestsOf, threadsFor } from './long-work.js';
import type { CompareOptions } from './program/generated/commands.js';
import type { Session } from './session.js';
import type { ReadSide } from './input/side-reader.js';

/** Runs all sides under the same seeds: over threads, or here where that is over sooner. */
export async function runAllSides(
  sides: readonly ReadSide[],
  { runs, jobs }: Pick<CompareOptions, 'runs' | 'jobs'>,
  { pause, interrupt }: LongWork,
  session: Session,
): Promise<RanSides> {
  const [first] = sides;
  const most = (runs ?? MOST_RUNS) * sides.length;
  const many = jobs ?? (first === undefined ? 1 : threadsFor(most, requestsOf(first.scenario), session.io.threads));
  const threads = Math.min(many, most);
  if (threads === 1) return runSides(sides, { runs, pause }, runnerHere(sides));
  const contexts = sides.map(({ context }) => context);
  const pool = await threadPool<SideTask, SideAnswer>(threads, contexts);
  // Threads are in the middle of a run, and would be for long.
  void interrupt.promise.then(() => pool.destroy());
  const run = async (side: number, seed: string, pause: Pause): ReturnType<SideRunner['run']> => {
    let answer: SideAnswer;
    try {
      answer = await pool.run({ side, seed });
    } catch (error) {
      // It was ended, which this says.
      await pause(1);
      throw error;
    }
    if (answer.kind === 'problem') throw new PolicyFailure({ kind: 'told', text: answer.problem });
    return answer.run;
  };
  try {
    return await runSides(sides, { runs, pause }, { wants: threads * WAITING, run });
  } finally {
    await pool.destroy();
  }
}
