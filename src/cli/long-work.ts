import type { Pause } from '../analysis/pause.js';
import { InterruptedError } from './errors.js';
import { Interrupt } from './interrupt.js';
import { Progress } from './progress.js';
import type { Session } from './session.js';

/**
 * Does what may take long: a bar shows how far it is, and Ctrl-C is heard at each pause.
 *
 * @param doing what it is, in a word.
 * @throws InterruptedError where the user had enough.
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
