import type { Pause } from '../analysis/pause.js';
import { InterruptedError } from './errors.js';
import { Interrupt } from './interrupt.js';
import { Progress } from './progress.js';
import type { Session } from './session.js';

/**
 * Runs long work: a bar shows its progress, and Ctrl-C takes effect at each pause.
 *
 * @param doing the work, in a word.
 * @throws InterruptedError if the user interrupts.
 */
export async function longWork<Result>(
  doing: string,
  session: Session,
  work: (pause: Pause) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(session.io, doing);
  const interrupt = new Interrupt(session.io);
  const pause: Pause = async (done) => {
    await progress.update(done);
    await new Promise((resolve) => setImmediate(resolve));
    if (interrupt.happened) throw new InterruptedError();
  };
  try {
    return await work(pause);
  } finally {
    progress.stop();
    interrupt.release();
  }
}
