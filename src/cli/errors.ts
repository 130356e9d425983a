import { own } from '../core/own.js';
import type { Problem } from '../core/problem.js';
import { SYSTEM_ERRORS } from './generated/system-errors.js';

/** What the exit code tells a script; stable. */
export const ExitCode = {
  ok: 0,
  /** An expectation or a verification failed. */
  failed: 1,
  /** The input or the usage is wrong, or an output cannot be written. */
  input: 2,
  /** A defect of lbsim. */
  defect: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The input is invalid, with all its problems. Exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';

  /** @param sources text of the files by name, to show the lines. */
  constructor(
    readonly problems: readonly Problem[],
    readonly sources: ReadonlyMap<string, string> = new Map(),
    readonly closing = 'Nothing was run.',
  ) {
    super(problems.map((problem) => problem.message).join('\n'));
  }

  get blocking(): readonly Problem[] {
    return this.problems.filter(({ severity }) => severity === 'error');
  }
}

export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param scope the command whose help explains more. */
  constructor(
    message: string,
    readonly scope: 'command' | 'program' = 'command',
  ) {
    super(message);
  }
}

/** The user interrupted work without a partial result. Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Something could not be written. Exit code 2. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  /** @param target its name in the message: "standard output", "decisions.jsonl". */
  constructor(
    readonly target: string,
    cause: unknown,
  ) {
    super(`cannot write ${target}: ${reasonOf(cause)}`, { cause });
  }
}

/** Hardly any memory is left. Exit code 2. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
}

/** What others do for us cannot be had: a server is not there, or its workers fail. Exit code 2. */
export class FleetError extends Error {
  override readonly name = 'FleetError';
}

export function reasonOf(cause: unknown): string {
  const code = errorCode(cause);
  if (code !== undefined) return own(SYSTEM_ERRORS, code)?.file ?? code;
  return cause instanceof Error ? cause.message : String(cause);
}

export function errorCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
