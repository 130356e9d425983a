import type { Problem } from '../core/problem.js';
import type { Command } from 'commander';
import { jsonDocument, problemsDocument } from '../report/documents.js';
import { styleText } from 'node:util';
import { linesOfText, type Paint, PLAIN, type ReportLayout } from '../report/layout.js';
import type { CommandCalls, RunOptions } from './program/generated/commands.js';
import { fill } from '../core/fill.js';
import { own } from '../core/values.js';
import { LONG_SENTENCES } from './generated/long-sentences.js';
import { SYSTEM_ERRORS } from './generated/system-errors.js';
import type { Writable } from 'node:stream';

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;
/** Very long lines are hard to read, even on a wide terminal. */
const MAX_WIDTH = 100;

/** How text is written to a stream. @param width asked for. */
export function lookOf(stream: OutputStream, env: Io['env'], width?: number): Pick<ReportLayout, 'width' | 'paint'> {
  // The terminal's, `COLUMNS`, else 80.
  const named = /^\d+$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  const columns = stream.isTTY === true ? (stream.columns ?? named) : named;
  const usual = columns > 0 ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)) : DEFAULT_WIDTH;
  return { width: width ?? usual, paint: paintFor(stream, env) };
}

/** Escape sequences for a terminal; none in a pipe, under NO_COLOR (https://no-color.org) or on a dumb terminal. */
export function paintFor(stream: OutputStream, env: Io['env']): Paint {
  const forced = env['FORCE_COLOR'] ?? '';
  const wanted = forced !== '' ? forced !== '0' : stream.isTTY === true && env['TERM'] !== 'dumb';
  return (env['NO_COLOR'] ?? '') !== '' || !wanted ? PLAIN : COLOURED;
}

function style(format: Parameters<typeof styleText>[0]): (text: string) => string {
  // Colours are decided above, for the stream that is written.
  return (text) => (text === '' ? text : styleText(format, text, { validateStream: false }));
}

const COLOURED: Paint = {
  strong: style('bold'),
  faint: style('dim'),
  good: style('green'),
  bad: style('red'),
  odd: style('yellow'),
  bar: style('cyan'),
};

export const STANDARD_OUTPUT = 'standard output';

/** One call of lbsim: its streams, and how it prints problems. */
export class Session {
  readonly out = new Output(this.io.stdout, STANDARD_OUTPUT, true);
  readonly err = new Output(this.io.stderr, 'standard error');

  /** What removes the files that a call has begun and not finished. */
  readonly unfinished = new Set<() => void>();

  constructor(readonly io: Io) {}

  discardUnfinished(): void {
    for (const discard of this.unfinished) discard();
    this.unfinished.clear();
  }

  /** Problems in words on standard error or, for a script that asked for JSON, as the one document on standard output. */
  async reportProblems(
    problems: readonly Problem[],
    options: { readonly json: boolean; readonly closing: string; readonly sources?: ReadonlyMap<string, string> },
  ): Promise<void> {
    if (problems.length === 0) return;
    const { sources, closing, json } = options;
    if (json) await this.out.write(jsonDocument(problemsDocument(problems)));
    else await this.warn(problems, closing, sources);
  }

  async reportInputError({ problems, blocking, closing, sources }: InputError, json: boolean): Promise<void> {
    await this.reportProblems(json ? problems : blocking, { json, closing, sources });
    if (json) return;
    const { hiddenBesideErrors } = await import('../report/problems.js');
    const others = hiddenBesideErrors(problems);
    if (others !== undefined) await this.err.write(`${others}\n`);
  }

  async warn(problems: readonly Problem[], closing: string, sources?: ReadonlyMap<string, string>): Promise<void> {
    // Lines of a file are shown without its secrets, and only the whole reader knows which those are.
    const { problemsText } = await import('../report/problems.js');
    const { stderr, env } = this.io;
    await this.err.write(
      problemsText(problems, { ...lookOf(stderr, env), source: (file) => sources?.get(file), closing }),
    );
  }
}

/** What a command does: it gets the argument, the options, the session and the program; nothing returned: all is fine. */
export type Work<Name extends keyof CommandCalls> = (
  ...given: [...CommandCalls[Name], Session, Command]
) => Promise<ExitCode> | Promise<void>;

type LayoutOptions = Pick<RunOptions, 'json' | 'all' | 'width' | 'bars' | 'predicted' | 'events' | 'every'>;

export function layoutFor(options: LayoutOptions, session: Session): ReportLayout {
  const { stdout, env } = session.io;
  return {
    ...lookOf(stdout, env, options.width),
    bars: options.bars ?? stdout.isTTY === true,
    all: options.all === true,
    every: options.every !== undefined,
    predicted: options.predicted === true,
    events: options.events === true,
  };
}

/** What was found, as one JSON document or as the lines of a report. */
export function writeAnswer<Found>(
  found: Found,
  report: (found: Found, layout: ReportLayout) => Iterable<string>,
  options: LayoutOptions,
  session: Session,
): Promise<void> {
  if (options.json === true) return session.out.write(jsonDocument(found));
  return session.out.writeAll(linesOfText(report(found, layoutFor(options, session))));
}

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
  /** @param scope the command whose help explains more. */
  constructor(
    message: string,
    readonly scope: 'command' | 'program' = 'command',
  ) {
    super(message);
  }
}

/** One of long-sentences.yaml. */
export const says = (name: keyof typeof LONG_SENTENCES, values = {}): string => fill(LONG_SENTENCES[name], values);

/** The user interrupted work without a partial result. Exit code 130. */
export class InterruptedError extends Error {}

/** Something could not be written. Exit code 2. */
export class OutputError extends Error {
  /** @param target its name in the message: "standard output", "decisions.jsonl". */
  constructor(
    readonly target: string,
    cause: unknown,
  ) {
    super(`cannot write ${target}: ${reasonOf(cause)}`, { cause });
  }
}

/** Hardly any memory is left. Exit code 2. */
export class MemoryError extends Error {}

/** Another process may have the memory that this one may not, see {@link Io.memory}. */
export class SmallProcess extends Error {}

/** What others do for us cannot be had: a server is not there, or its workers fail. Exit code 2. */
export class FleetError extends Error {}

export const reasonOf = (cause: unknown): string => systemReason(cause, 'file') ?? errorCode(cause) ?? messageOf(cause);

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** What an error of the system means for a file, a port, a receiver or a Redis. undefined: there are no words for it. */
export const systemReason = (cause: unknown, of: 'file' | 'port' | 'redis' | 'receiver'): string | undefined =>
  own(SYSTEM_ERRORS, errorCode(cause) ?? '')?.[of];

export function errorCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** The outside world of a command, besides the files it is given; tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<unknown>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A monotonic clock in milliseconds, for progress and the duration of a run. */
  readonly monotonicMs: () => number;
  readonly unixMs: () => number;
  /** How many threads the machine runs at a time. */
  readonly threads: number;
  /** In bytes: what this process may have, and what the machine has for one. Absent: what is usual. */
  readonly memory?: {
    readonly ofProcess: number;
    readonly ofMachine: number;
    /** The same call in a process that may have what the machine has. @returns its exit code. */
    readonly restart?: () => Promise<ExitCode>;
  };
  /** Calls `listener` when the user interrupts; the returned function removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls `listener` whenever a file has been saved; the returned function ends that. */
  readonly watchFile: (file: string, listener: () => void) => () => void;
}

/** Buffer size in characters: small enough for memory, large enough for fast writing. */
const WRITTEN_AT_ONCE = 1 << 16;

/** Writes to a stream and notices when that fails, as on a full disk. After the first failure every further write fails the same way. */
export class Output {
  /** Its reader has left: further output is not needed. */
  isUnread = false;
  private failure: OutputError | undefined;

  /** @param readerMayLeave a pipe whose reader ends, as `head` after a few lines, is no failure. */
  constructor(
    readonly stream: OutputStream,
    private readonly target: string,
    private readonly readerMayLeave = false,
  ) {
    stream.on('error', (error: unknown) => {
      this.fail(error);
    });
  }

  /** Resolves once the stream has accepted the content, so that memory does not fill up with what is pending. */
  async write(content: string | Uint8Array): Promise<void> {
    if (this.isUnread) return;
    if (this.failure !== undefined) throw this.failure;
    const error = await new Promise<unknown>((resolve) => this.stream.write(content, resolve));
    const failure = error === null || error === undefined ? undefined : this.fail(error);
    if (failure !== undefined) throw failure;
  }

  /** Writes generated text piece by piece: in total it may exceed memory, or the length of a string. */
  async writeAll(pieces: Iterable<string>): Promise<void> {
    let waiting: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      waiting.push(piece);
      length += piece.length;
      if (length < WRITTEN_AT_ONCE) continue;
      await this.write(waiting.join(''));
      if (this.isUnread) return;
      waiting = [];
      length = 0;
    }
    if (length > 0) await this.write(waiting.join(''));
  }

  /** @returns undefined if only the reader has left. */
  private fail(error: unknown): OutputError | undefined {
    if (this.readerMayLeave && errorCode(error) === 'EPIPE') this.isUnread = true;
    if (this.isUnread) return undefined;
    return (this.failure ??= new OutputError(this.target, error));
  }

  /** Closes a file; the last write may fail only here. */
  async end(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    await new Promise<void>((resolve, reject) => {
      this.stream.once('error', () => reject(this.failure ?? new OutputError(this.target, 'unknown error')));
      this.stream.once('close', resolve);
      this.stream.end();
    });
  }
}
