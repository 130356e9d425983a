import type { LbsimCommand } from './lbsim-command.js';
import { JOBS, milliseconds, PATIENCE, REDIS } from './shared-options.js';

export function addWorker(command: LbsimCommand): void {
  command
    .summary('work for the sweeps of other machines')
    .description(
      'Takes runs of sweeps from a Redis (`lbsim sweep --redis`) and works them out over all threads, until Ctrl-C. Runs under way are ' +
        'handed back then; those of a worker that dies are given to others. Results do not depend on how many workers there are.',
    )
    .option(...REDIS('where runs come from'))
    .option(...JOBS)
    .option('--idle <TIME>', 'end after so long without a run, with exit code 0 (default: never)', milliseconds)
    .duration('--lease <TIME>', 'a run whose worker is silent for so long is given to another', '30s')
    .duration(...PATIENCE)
    .examples(
      'lbsim worker --redis redis://10.0.0.5:6379',
      'LBSIM_REDIS_URL=rediss://cache.internal LBSIM_REDIS_PASSWORD=… lbsim worker --jobs 4 --idle 5m',
    )
    .does(async () => (await import('../commands/worker.js')).workerCommand);
}
