import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { Pause } from '../analysis/pause.js';
import { type Cell, type CellContext, CellMachine, type CellResult } from './cell.js';
import { errorCode, InterruptedError } from './errors.js';
import { Interrupt, Progress } from './long-work.js';
import type { Session } from './session.js';

/** Who works cells out. */
export interface CellRunner {
  /** How many cells it should have at a time, so that it never waits for the next; it may change. */
  readonly wants: number;
  /** Who works, for a bar, where it is not this machine. */
  readonly note?: string;
  /** @param signal ends it, where it is worked out with limits. */
  run(cell: Cell, signal?: AbortSignal): Promise<CellResult>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** What a cell may take, in a thread of its own; more of it is a problem of the cell. */
export interface CellLimits {
  /** By the clock, in ms. */
  readonly cellTimeout?: number | undefined;
  /** Of the thread's heap, in MB. */
  readonly cellMemory?: number | undefined;
}

/**
 * @param jobs threads; with one, cells without limits are worked out here.
 * @param pause called from time to time by a cell that is worked out here.
 */
async function cellRunner(
  context: CellContext,
  jobs: number,
  pause: Pause,
  limits: CellLimits = {},
): Promise<CellRunner> {
  const isLimited = limits.cellTimeout !== undefined || limits.cellMemory !== undefined;
  if (jobs > 1 || isLimited) return threadRunner(context, jobs, isLimited ? limits : undefined);
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

/**
 * Cells are worked out in threads alone: what befalls them does not befall us.
 *
 * @param limits with them no cell waits with another, whose thread may be ended.
 */
export async function threadRunner(context: CellContext, jobs: number, limits?: CellLimits): Promise<CellRunner> {
  const each = limits === undefined ? WAITING : 1;
  const pool = await threadPool<Cell, CellResult>(jobs, [context], each, limits?.cellMemory);
  const run: CellRunner['run'] = (cell, signal) =>
    limits === undefined ? pool.run(cell) : limitedRun(pool, cell, limits, signal);
  return { wants: jobs * each, run, close: () => pool.destroy() };
}

async function limitedRun(
  pool: Piscina<Cell, CellResult>,
  cell: Cell,
  { cellTimeout, cellMemory }: CellLimits,
  ended?: AbortSignal,
): Promise<CellResult> {
  const late = new AbortController();
  const timer = cellTimeout === undefined ? undefined : setTimeout(() => late.abort(), cellTimeout);
  const signal = ended === undefined ? late.signal : AbortSignal.any([late.signal, ended]);
  try {
    return await pool.run(cell, { signal });
  } catch (error) {
    if (late.signal.aborted) return beyond(`it took longer than --cell-timeout ${(cellTimeout ?? 0) / 1000}s`);
    if (cellMemory === undefined || errorCode(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return beyond(`it needed more memory than --cell-memory ${cellMemory}`);
  } finally {
    clearTimeout(timer);
  }
}

function beyond(problem: string): CellResult {
  return { kind: 'problem', problem, isLimit: true };
}

/**
 * Threads begin at thread.ts, whose bundle lies beside this file's own bundle, as its source beside this source.
 *
 * @param contexts of one cell, or of each side.
 * @param each tasks that a thread has at a time; all but one wait.
 * @param memoryMb of its heap.
 */
export async function threadPool<Task, Result>(
  jobs: number,
  contexts: readonly CellContext[],
  each = WAITING,
  memoryMb?: number,
): Promise<Piscina<Task, Result>> {
  const { Piscina } = await import('piscina');
  return new Piscina<Task, Result>({
    filename: fileURLToPath(new URL(`./thread${extname(import.meta.url)}`, import.meta.url)),
    minThreads: jobs,
    maxThreads: jobs,
    concurrentTasksPerWorker: each,
    workerData: contexts,
    ...(memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
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
  const working = new Set<Promise<unknown>>();
  let failure: { readonly error: unknown } | undefined;
  const work = async (cell: Task): Promise<void> => {
    try {
      const result = await runner.run(cell);
      if (!isOver()) await onDone({ cell, result });
    } catch (error) {
      // It was ended.
      if (!isOver()) throw error;
    }
  };
  for (let next = cells.next(); next.done !== true && !isOver(); next = cells.next()) {
    const one = work(next.value)
      // Kept, since nobody may be waiting at that moment; others may follow the first.
      .catch((error: unknown) => (failure ??= { error }))
      .finally(() => working.delete(one));
    working.add(one);
    while (working.size >= runner.wants && !isOver() && failure === undefined) await Promise.race(working);
    if (failure !== undefined) break;
  }
  while (working.size > 0 && failure === undefined) await Promise.race(working);
  if (failure !== undefined) throw failure.error;
}

interface WorkOptions {
  readonly jobs: number;
  readonly cells: number;
  readonly doing: string;
  readonly limits?: CellLimits;
  readonly fleet?: (() => Promise<CellRunner>) | undefined;
}

/** A cell, and which of all it is, from 0. */
export interface NumberedCell extends Cell {
  readonly number: number;
}

/** Cells being worked out: by whom, how far, and whether the user has interrupted. */
export class CellWork {
  private constructor(
    readonly runner: CellRunner,
    readonly progress: Progress,
    private readonly interrupt: Interrupt,
    private readonly cells: number,
  ) {}

  /**
   * @param jobs threads, no more of them than cells.
   * @param fleet who works them out instead of this machine.
   */
  static async begin(
    context: CellContext,
    { jobs, cells, doing, limits, fleet }: WorkOptions,
    session: Session,
  ): Promise<CellWork> {
    const interrupt = new Interrupt(session.io);
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.happened) throw new InterruptedError();
    };
    const runner =
      fleet === undefined ? await cellRunner(context, Math.min(jobs, cells), pause, limits) : await fleet();
    const work = new CellWork(runner, new Progress(session.io, doing, () => runner.note ?? ''), interrupt, cells);
    // Threads are in the middle of a run, and would be for long.
    void interrupt.promise.then(() => runner.close());
    return work;
  }

  get isInterrupted(): boolean {
    return this.interrupt.happened;
  }

  /**
   * Works cells out, and hands on what they give in their order, however many threads there are; then ends.
   *
   * @param isEnough what threads that are ahead have found then is not needed.
   */
  async inOrder<Task extends NumberedCell>(
    cells: Iterator<Task>,
    onDone: (done: DoneCell<Task>) => void,
    isEnough: () => boolean = () => false,
  ): Promise<void> {
    let over = 0;
    const early = new Map<number, DoneCell<Task>>();
    const add = (done: DoneCell<Task>): Promise<void> => {
      early.set(done.cell.number, done);
      for (let next = early.get(over); next !== undefined && !isEnough(); next = early.get(over)) {
        early.delete(over++);
        onDone(next);
      }
      return this.progress.update(over / this.cells);
    };
    try {
      await runCells(cells, this.runner, add, () => this.isInterrupted || isEnough());
    } finally {
      await this.end();
    }
  }

  async end(): Promise<void> {
    this.progress.stop();
    this.interrupt.release();
    await this.runner.close();
  }
}
