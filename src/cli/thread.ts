import { workerData } from 'node:worker_threads';
import { runSide } from '../analysis/compare/cluster-runs.js';
import { NO_PAUSE } from '../analysis/pause.js';
import type { Answer, Cell } from '../analysis/sweep/cell.js';
import { type CellContext, cellMachine, type SideTask } from './cell.js';

/** Where a thread of `cell-pool.ts` begins: what it works out runs of is given once, of each side one; runs one by one. */
const machines = (workerData as readonly CellContext[]).map((context) => cellMachine(context));

export default function work(task: Cell | SideTask): Promise<Answer<unknown>> {
  const machine = machines['side' in task ? task.side : 0];
  if (machine === undefined) throw new Error('there is no such side');
  return 'side' in task ? machine.answer([], (side) => runSide(side, task.seed, NO_PAUSE)) : machine.run(task);
}
