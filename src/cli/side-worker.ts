import { workerData } from 'node:worker_threads';
import type { CellContext } from './cell.js';
import { type SideAnswer, SideMachine, type SideTask } from './side-runs.js';

/** Where a thread of `side-runs.ts` begins: what sides are made of is given once, runs one by one. */
const machine = new SideMachine(workerData as readonly CellContext[]);

export default function runOneSide(task: SideTask): Promise<SideAnswer> {
  return machine.run(task);
}
