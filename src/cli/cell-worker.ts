import { workerData } from 'node:worker_threads';
import { type Cell, type CellContext, CellMachine, type CellResult } from './cell.js';

/** Where a thread of `cell-pool.ts` begins: the context is given once, cells one by one. */
const machine = new CellMachine(workerData as CellContext);

export default function runCell(cell: Cell): Promise<CellResult> {
  return machine.run(cell);
}
