import type { Pause } from '../analysis/pause.js';
import { InterruptedError } from './errors.js';
import { Interrupt } from './interrupt.js';
import { checkMemory } from './memory-guard.js';
import { Progress } from './progress.js';
import type { Session } from './session.js';

export interface LongWork {
  readonly pause: Pause;
  /** What does not pause is to end then. */
  readonly interrupt: Interrupt;
}

/**
 * Runs long work: a bar shows its progress, and Ctrl-C takes effect at each pause.
 *
 * @param doing the work, in a word.
 * @throws InterruptedError if the user interrupts.
 */
export async function longWork<Result>(
  doing: string,
  session: Session,
  work: (pause: Pause, long: LongWork) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(session.io, doing);
  const interrupt = new Interrupt(session.io);
  const pause: Pause = async (done) => {
    await progress.update(done);
    await new Promise((resolve) => setImmediate(resolve));
    if (interrupt.happened) throw new InterruptedError();
    checkMemory();
  };
  try {
    return await work(pause, { pause, interrupt });
  } finally {
    progress.stop();
    interrupt.release();
  }
}
