import { counted } from '../../core/words.js';
import { ExitCode } from '../errors.js';
import type { CellLimits } from '../cell-pool.js';
import { FleetWorkerLoop } from '../fleet/fleet-worker.js';
import { redisAddress } from '../fleet/redis-address.js';
import { Interrupt } from '../output/progress.js';
import type { Session } from '../session.js';
import { packageVersion } from '../package-root.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import {
  CELL_MEMORY,
  CELL_TIMEOUT,
  digest,
  gather,
  JOBS,
  milliseconds,
  PATIENCE,
  REDIS,
} from '../program/shared-options.js';

export function addWorker(command: LbsimCommand): void {
  command
    .description(
      'Takes runs of sweeps from a Redis (`lbsim sweep --redis`) and works them out over all threads, until Ctrl-C. Runs under way are ' +
        'handed back then; those of a worker that dies are given to others. Results do not depend on how many workers there are.',
    )
    .option(...REDIS('where runs come from'))
    .option(...JOBS)
    .option(...CELL_TIMEOUT)
    .option(...CELL_MEMORY)
    .option(
      '--allow-code <SHA256>',
      'run the module of this digest (`sha256sum my-policy.mjs`) where a sweep sends it; no other code is run; repeatable',
      (text: string, before?: readonly string[]) => gather(digest(text), before),
    )
    .option('--idle <TIME>', 'end after so long without a run, with exit code 0 (default: never)', milliseconds)
    .duration('--lease <TIME>', 'a run whose worker is silent for so long is given to another', '30s')
    .duration(...PATIENCE)
    .examples(
      'lbsim worker --redis redis://10.0.0.5:6379',
      'LBSIM_REDIS_URL=rediss://cache.internal LBSIM_REDIS_PASSWORD=… lbsim worker --jobs 4 --idle 5m',
    )
    .does(workerCommand);
}

export interface WorkerOptions extends CellLimits {
  readonly redis?: string | true;
  readonly jobs?: number;
  /** SHA-256 of each module that may be run. */
  readonly allowCode?: readonly string[];
  /** In ms. */
  readonly patience: number;
  /** In ms. */
  readonly lease: number;
  /** In ms; undefined: for ever. */
  readonly idle?: number;
}

/** How often we look whether there has been nothing to do for too long, in ms. */
const LOOK_MS = 100;

/** `lbsim worker --redis URL` */
export async function workerCommand(options: WorkerOptions, session: Session): Promise<ExitCode> {
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
}
