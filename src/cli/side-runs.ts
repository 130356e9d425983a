import { MOST_RUNS, type RanSides, runSides } from '../analysis/compare/cluster-runs.js';
import { runnerHere, runSide, type SideRun, type SideRunner } from '../analysis/compare/side-run.js';
import { NO_PAUSE, type Pause } from '../analysis/pause.js';
import { PolicyFailure } from '../policy/foreign/policy-module.js';
import { type CellContext, CellMachine } from './cell.js';
import { threadPool, WAITING } from './cell-pool.js';
import { type LongWork, requestsOf, threadsFor } from './long-work.js';
import type { CompareOptions } from './program/generated/commands.js';
import type { Session } from './session.js';
import type { ReadSide } from './input/side-reader.js';

/** One run of one of the sides. */
export interface SideTask {
  readonly side: number;
  readonly seed: string;
}

/** What it gives, or why it gives nothing, in a sentence. */
export type SideAnswer =
  { readonly kind: 'run'; readonly run: SideRun } | { readonly kind: 'problem'; readonly problem: string };

/** Runs sides, each of which is read once. */
export class SideMachine {
  private readonly machines: readonly CellMachine[];

  constructor(contexts: readonly CellContext[]) {
    this.machines = contexts.map((context) => new CellMachine(context));
  }

  async run({ side, seed }: SideTask): Promise<SideAnswer> {
    const scenario = (await this.machines[side]?.scenarioOf([])) ?? `there is no side ${side}`;
    if (typeof scenario === 'string') return { kind: 'problem', problem: scenario };
    try {
      return { kind: 'run', run: await runSide(scenario, seed, NO_PAUSE) };
    } catch (error) {
      if (error instanceof PolicyFailure) return { kind: 'problem', problem: error.message };
      throw error;
    }
  }
}

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
  const pool = await threadPool<SideTask, SideAnswer>('side-worker', threads, contexts);
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
    if (answer.kind === 'problem') throw new PolicyFailure(answer.problem);
    return answer.run;
  };
  try {
    return await runSides(sides, { runs, pause }, { wants: threads * WAITING, run });
  } finally {
    await pool.destroy();
  }
}
