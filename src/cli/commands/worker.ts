import { counted } from '../../core/words.js';
import { ExitCode, type Work } from '../session.js';
import { FleetWorkerLoop } from '../fleet/fleet-worker.js';
import { redisAddress } from '../fleet/redis-link.js';
import { Interrupt } from '../long-work.js';
import { packageVersion } from '../package-root.js';

/** How often we look whether there has been nothing to do for too long, in ms. */
const LOOK_MS = 100;

export const workerCommand: Work<'worker'> = async (options, session) => {
  const { patience: patienceMs, lease: leaseMs, idle, cellTimeout, cellMemory } = options;
  const limits = { cellTimeout, cellMemory };
  const allowed = new Set(options.allowCode);
  const address = redisAddress(options.redis, session.io.env);
  const threads = options.jobs ?? session.io.threads;
  const interrupt = new Interrupt(session.io);
  let timer: NodeJS.Timeout | undefined;
  try {
    const loop = await FleetWorkerLoop.open(address, { threads, patienceMs, leaseMs, limits, allowed }, session);
    await session.err.write(
      `lbsim ${packageVersion()} works for ${address.shown} with ${counted(threads, 'thread')}; Ctrl-C ends it\n`,
    );
    const idleFor = new Promise<void>((resolve) => {
      if (idle === undefined) return;
      timer = setInterval(() => {
        if (loop.idleMs >= idle) resolve();
      }, LOOK_MS);
    });
    try {
      await Promise.race([interrupt.promise, idleFor, loop.lost]);
    } finally {
      await loop.close();
      await session.err.write(`${counted(loop.done, 'run')} worked out\n`);
    }
    return interrupt.happened ? ExitCode.interrupted : ExitCode.ok;
  } finally {
    clearInterval(timer);
    interrupt.release();
  }
};
