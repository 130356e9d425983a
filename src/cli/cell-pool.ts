import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { Cell, CellResult } from '../analysis/sweep/cell.js';
import { type CellContext, cellMachine } from './cell.js';
import { seedOfRun } from '../analysis/pause.js';
import { errorCode, type Session } from './session.js';
import { longWork, type LongWork } from './long-work.js';

export interface CellRunner {
  /** How many cells it should have at a time, so that it never waits for the next; it may change. */
  readonly wants: number;
  /** Who works, for a bar, where it is not this machine. */
  readonly note?: string;
  /** @param signal ends it, where it is worked out with limits. */
  run(cell: Cell, signal?: AbortSignal): Promise<CellResult>;
  close(): Promise<void>;
}

/** What a cell may take, in a thread of its own; more of it is a problem of the cell. */
export interface CellLimits {
  /** By the clock, in ms. */
  readonly cellTimeout?: number | undefined;
  /** Of the thread's heap, in MB. */
  readonly cellMemory?: number | undefined;
}

/** A second cell waits with each thread: the main thread may be busy when the first ends. */
export const WAITING = 2;

/** Only in threads: what befalls them spares us. @param limits no cell waits for another, whose thread may be ended. */
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
    const isBeyond = cellMemory !== undefined && errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!late.signal.aborted && !isBeyond) throw error;
    const problem = late.signal.aborted
      ? `it took longer than --cell-timeout ${(cellTimeout ?? 0) / 1000}s`
      : `it needed more memory than --cell-memory ${cellMemory}`;
    return { kind: 'problem', problem, isLimit: true };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Threads begin at thread.ts, whose bundle lies beside this file's own bundle, as its source beside this source.
 * @param contexts of one cell, or of each side.
 * @param each tasks that a thread has at a time; all but one wait.
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

export type DoneCell<Task extends Cell> = Readonly<{ cell: Task; result: CellResult }>;

/** Hands results on as they come, in any order. Takes no more cells than the runner wants, none after `isOver`. */
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

/** A cell, and which of all it is, from 0. */
export interface NumberedCell extends Cell {
  readonly number: number;
}

/** Runs of each of these points. */
export function* numberedCells(
  points: readonly Cell['changes'][],
  seed: string,
  runs: number,
): Generator<NumberedCell> {
  let number = 0;
  for (const changes of points)
    for (let run = 0; run < runs; run++) yield { changes, seed: seedOfRun(seed, run), number: number++ };
}

interface WorkOptions {
  /** Threads, no more of them than cells; with one, cells without limits are worked out here. */
  readonly jobs: number;
  readonly cells: number;
  readonly doing: string;
  readonly limits?: CellLimits;
  readonly fleet?: (() => Promise<CellRunner>) | undefined;
}

export interface CellWork {
  readonly runner: CellRunner;
  /** @param done 0–1. */
  readonly show: (done: number) => Promise<void>;
  readonly isInterrupted: () => boolean;
}

export function withCells<Found>(
  context: CellContext,
  { jobs, cells, doing, limits = {}, fleet }: WorkOptions,
  session: Session,
  work: (cells: CellWork) => Promise<Found>,
): Promise<Found> {
  const threads = Math.min(jobs, cells);
  const isLimited = limits.cellTimeout !== undefined || limits.cellMemory !== undefined;
  return longWork(doing, session, async (_, { interrupt, progress, breathe }) => {
    let runner: CellRunner;
    if (fleet !== undefined) runner = await fleet();
    else if (threads === 1 && !isLimited) runner = runnerHere(context, breathe);
    else runner = await threadRunner(context, threads, isLimited ? limits : undefined);
    progress.note = () => runner.note ?? '';
    // Threads are in the middle of a run, and would be for long.
    void interrupt.promise.then(() => runner.close());
    try {
      const show = (done: number): Promise<void> => progress.update(done);
      return await work({ runner, show, isInterrupted: () => interrupt.happened });
    } finally {
      progress.stop();
      await runner.close();
    }
  });
}

function runnerHere(context: CellContext, breathe: LongWork['breathe']): CellRunner {
  const machine = cellMachine(context);
  // A cell may be over before it pauses.
  const run: CellRunner['run'] = (cell) => breathe().then(() => machine.run(cell, breathe));
  return { wants: 1, run, close: () => Promise.resolve() };
}

/** Hands results on in the order of cells. @param isEnough what threads that are ahead found then is not needed. */
export async function runInOrder(
  cells: Iterator<NumberedCell>,
  total: number,
  { runner, show, isInterrupted }: CellWork,
  onDone: (done: DoneCell<NumberedCell>) => void,
  isEnough: () => boolean = () => false,
): Promise<void> {
  let over = 0;
  const early = new Map<number, DoneCell<NumberedCell>>();
  const add = (done: DoneCell<NumberedCell>): Promise<void> => {
    early.set(done.cell.number, done);
    for (let next = early.get(over); next !== undefined && !isEnough(); next = early.get(over)) {
      early.delete(over++);
      onDone(next);
    }
    return show(over / total);
  };
  await runCells(cells, runner, add, () => isInterrupted() || isEnough());
}
