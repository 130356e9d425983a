import { workerData } from 'node:worker_threads';
import { type Answer, type Cell, type CellContext, CellMachine, type SideTask } from './cell.js';

/** Where a thread of `cell-pool.ts` begins: what it works out runs of is given once, of each side one; runs one by one. */
const machines = (workerData as readonly CellContext[]).map((context) => new CellMachine(context));

export default function work(task: Cell | SideTask): Promise<Answer<unknown>> {
  const machine = machines['side' in task ? task.side : 0];
  if (machine === undefined) throw new Error('there is no such side');
  return 'side' in task ? machine.runSide(task.seed) : machine.run(task);
}
