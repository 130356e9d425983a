import { printable } from '../../core/printable.js';
import type { RunResult } from '../../words/results.js';
import { type ExitCode, InputError, type Io, type Session, UsageError } from '../session.js';
import { Happening, Interrupt } from '../long-work.js';
import { entryOf } from '../../core/values.js';
import { explain } from '../explain-error.js';
import { PolicyFailure } from '../../policy/foreign/policy-module.js';

/** What `--watch` gives a run that it starts again after a change of a file. */
export interface Rerun {
  readonly before: RunResult | undefined;
  /** The files have changed again: this run is of no use any more. */
  readonly isOutdated: () => boolean;
  readonly onNamed: (files: readonly string[]) => void;
  readonly onResult: (result: RunResult) => void;
}

/** Clears a terminal, and begins at its top. */
const CLEAR = '\u001b[2J\u001b[H';

/** Runs, and runs again whenever a file is saved, until Ctrl-C. @returns the code of the last run. */
export async function watchRun(
  inputs: readonly string[],
  session: Session,
  run: (rerun: Rerun) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (inputs.includes('-')) throw new UsageError('--watch looks at files: standard input is read once');
  const { io } = session;
  const interrupt = new Interrupt(io);
  const files = new Set(inputs);
  const isOver = (): boolean => interrupt.happened || session.out.isUnread;
  let before: RunResult | undefined;
  try {
    for (let round = 0; ; round++) {
      // What is saved while a run reads or goes on is not missed.
      const change = new Change(io, files);
      try {
        if (round > 0) await session.out.write(io.stdout.isTTY === true ? CLEAR : '\n');
        const rerun = {
          before,
          isOutdated: () => change.happened,
          onNamed: (named: readonly string[]) => {
            for (const file of named) files.add(file);
            change.watch(named);
          },
          onResult: (result: RunResult) => (before = result),
        };
        const code = await run(rerun).catch((error: unknown) => {
          // What cannot be used, as a file that is saved in the middle of a change, is no reason to stop watching.
          if (!(error instanceof InputError || error instanceof PolicyFailure)) throw error;
          return explain(error, session, { json: false, command: 'run' });
        });
        if (!change.happened && !isOver()) {
          await session.err.write(`lbsim: watching ${[...files].map(printable).join(', ')}; Ctrl-C ends\n`);
          await Promise.race([change.promise, interrupt.promise]);
        }
        if (isOver()) return code;
      } finally {
        change.release();
      }
    }
  } finally {
    interrupt.release();
  }
}

/** Whether one of some files has been saved, from its making on until it is released. */
class Change extends Happening {
  private readonly ends = new Map<string, () => void>();

  constructor(
    private readonly io: Io,
    files: Iterable<string>,
  ) {
    super();
    this.watch(files);
  }

  watch(files: Iterable<string>): void {
    for (const file of files) entryOf(this.ends, file, () => this.io.watchFile(file, this.happens));
  }

  release(): void {
    for (const end of this.ends.values()) end();
  }
}
