import type { Cell, CellContext } from './cell.js';
import { type CellLimits, cellRunner, type CellRunner, type DoneCell, runCells } from './cell-pool.js';
import { InterruptedError } from './errors.js';
import { Interrupt, Progress } from './output/progress.js';
import type { Session } from './session.js';

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
