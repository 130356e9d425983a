import type { RunOptions } from '../program/generated/commands.js';
import { run } from '../runs/run-once.js';
import type { Session } from '../session.js';
import { type ExitCode, UsageError } from '../errors.js';

/** `lbsim run FILE…`: once, under many seeds, or whenever a file is saved. */
export async function runCommand(files: readonly string[], options: RunOptions, session: Session): Promise<ExitCode> {
  const { replications, untilPrecision, batches } = options;
  if ((replications ?? untilPrecision ?? batches) !== undefined) {
    return (await import('../runs/replicate.js')).replicate(files, options, session);
  }
  if (options.jobs !== undefined) {
    throw new UsageError('--jobs: one run has one thread; there are more with --replications');
  }
  if (options.watch === true) return (await import('../runs/watch.js')).watchRun(files, options, session);
  return run(files, options, session);
}
