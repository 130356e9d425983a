import type { CellContext } from './cell.js';
import { cellRunner, type CellRunner } from './cell-pool.js';
import { InterruptedError } from './errors.js';
import { Interrupt } from './interrupt.js';
import { Progress } from './progress.js';
import type { Session } from './session.js';

interface WorkOptions {
  readonly jobs: number;
  readonly cells: number;
  readonly doing: string;
  readonly fleet?: (() => Promise<CellRunner>) | undefined;
}

/** Cells being worked out: by whom, how far, and whether the user has interrupted. */
export class CellWork {
  private constructor(
    readonly runner: CellRunner,
    readonly progress: Progress,
    private readonly interrupt: Interrupt,
  ) {}

  /**
   * @param jobs threads, no more of them than cells.
   * @param fleet who works them out instead of this machine.
   */
  static async begin(
    context: CellContext,
    { jobs, cells, doing, fleet }: WorkOptions,
    session: Session,
  ): Promise<CellWork> {
    const interrupt = new Interrupt(session.io);
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.happened) throw new InterruptedError();
    };
    const runner = fleet === undefined ? await cellRunner(context, Math.min(jobs, cells), pause) : await fleet();
    const work = new CellWork(runner, new Progress(session.io, doing, () => runner.note ?? ''), interrupt);
    // Threads are in the middle of a run, and would be for long.
    void interrupt.promise.then(() => runner.close());
    return work;
  }

  get isInterrupted(): boolean {
    return this.interrupt.happened;
  }

  async end(): Promise<void> {
    this.progress.stop();
    this.interrupt.release();
    await this.runner.close();
  }
}
