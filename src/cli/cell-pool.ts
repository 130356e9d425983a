import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { Pause } from '../analysis/pause.js';
import { type Cell, type CellContext, CellMachine, type CellResult } from './cell.js';

/** Who works cells out. */
export interface CellRunner {
  /** How many cells it should have at a time, so that it never waits for the next; it may change. */
  readonly wants: number;
  /** Who works, for a bar, where it is not this machine. */
  readonly note?: string;
  run(cell: Cell): Promise<CellResult>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/**
 * @param jobs threads; with one, cells are worked out here.
 * @param pause called from time to time by a cell that is worked out here.
 */
export async function cellRunner(context: CellContext, jobs: number, pause: Pause): Promise<CellRunner> {
  if (jobs > 1) return threadRunner(context, jobs);
  const machine = new CellMachine(context);
  const run = async (cell: Cell): Promise<CellResult> => {
    // A cell may be over before it pauses.
    await pause(0);
    return machine.run(cell, pause);
  };
  return { wants: 1, run, close: () => Promise.resolve() };
}

/** A second cell waits with each thread: the main thread may be busy when the first ends. */
export const WAITING = 2;

/** Cells are worked out in threads alone: what befalls them does not befall us. */
export async function threadRunner(context: CellContext, jobs: number): Promise<CellRunner> {
  const pool = await threadPool<Cell, CellResult>('cell-worker', jobs, context);
  return { wants: jobs * WAITING, run: (cell) => pool.run(cell), close: () => pool.destroy() };
}

/**
 * @param module where threads begin; its bundle lies beside this file's own bundle, its source beside this source.
 * @param data what every thread is given once.
 */
export async function threadPool<Task, Result>(
  module: 'cell-worker' | 'side-worker',
  jobs: number,
  data: unknown,
): Promise<Piscina<Task, Result>> {
  const { Piscina } = await import('piscina');
  return new Piscina<Task, Result>({
    filename: fileURLToPath(new URL(`./${module}${extname(import.meta.url)}`, import.meta.url)),
    minThreads: jobs,
    maxThreads: jobs,
    concurrentTasksPerWorker: WAITING,
    workerData: data,
  });
}

/** One cell with its result. */
export interface DoneCell<Task extends Cell> {
  readonly cell: Task;
  readonly result: CellResult;
}

/**
 * Works cells out as a runner takes them, and hands results on as they come, which is in any order. No more cells are taken than the
 * runner wants, and none after `isOver`.
 */
export async function runCells<Task extends Cell>(
  cells: Iterator<Task>,
  runner: CellRunner,
  onDone: (done: DoneCell<Task>) => void | Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let working = 0;
    let isEmpty = false;
    const work = async (): Promise<void> => {
      while (!isOver() && working <= runner.wants) {
        const next = cells.next();
        if (next.done === true) {
          isEmpty = true;
          return;
        }
        let result: CellResult;
        try {
          result = await runner.run(next.value);
        } catch (error) {
          // It was ended.
          if (isOver()) return;
          throw error;
        }
        if (!isOver()) await onDone({ cell: next.value, result });
        fill();
      }
    };
    const fill = (): void => {
      while (working < runner.wants && !isEmpty && !isOver()) {
        working++;
        work().then(() => {
          if (--working === 0) resolve();
        }, reject);
      }
    };
    fill();
    if (working === 0) resolve();
  });
}

/** Hands on what comes in any order in the order of its numbers, from 0. */
export class InOrder<Value> {
  private readonly waiting = new Map<number, Value>();
  private next = 0;

  constructor(private readonly onNext: (value: Value) => void) {}

  add(number: number, value: Value): void {
    this.waiting.set(number, value);
    for (;;) {
      const value = this.waiting.get(this.next);
      if (value === undefined) return;
      this.waiting.delete(this.next++);
      this.onNext(value);
    }
  }
}
