import type { Problem } from '../core/problem.js';
import type { Command } from 'commander';
import { problemsDocument, jsonDocument } from '../report/documents.js';
import type { ExitCode, InputError } from './errors.js';
import { type Io, Output, type OutputStream } from './io.js';
import { styleText } from 'node:util';
import { linesOfText, type Paint, PLAIN, type ReportLayout } from '../report/layout.js';
import type { CommandCalls, RunOptions } from './program/generated/commands.js';

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;
/** Very long lines are hard to read, even on a wide terminal. */
const MAX_WIDTH = 100;

/** Width of output: the option, the terminal's, `COLUMNS`, else 80. */
export function widthOf(stream: OutputStream, env: Io['env'], asked?: number): number {
  if (asked !== undefined) return asked;
  const named = /^\d+$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  const columns = stream.isTTY === true ? (stream.columns ?? named) : named;
  return columns > 0 ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)) : DEFAULT_WIDTH;
}

/** Escape sequences for a terminal; none in a pipe, under NO_COLOR (https://no-color.org) or on a dumb terminal. */
export function paintFor(stream: OutputStream, env: Io['env']): Paint {
  const forced = env['FORCE_COLOR'] ?? '';
  const wanted = forced !== '' ? forced !== '0' : stream.isTTY === true && env['TERM'] !== 'dumb';
  if ((env['NO_COLOR'] ?? '') !== '' || !wanted) return PLAIN;
  return COLOURED;
}

type Format = Parameters<typeof styleText>[0];

function style(format: Format): (text: string) => string {
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

/** The name of standard output in errors. */
export const STANDARD_OUTPUT = 'standard output';

/** One call of lbsim: its streams, and how it prints problems. */
export class Session {
  readonly out: Output;
  readonly err: Output;

  /** What removes the files that a call has begun and not finished. */
  readonly unfinished = new Set<() => void>();

  constructor(readonly io: Io) {
    this.out = new Output(io.stdout, STANDARD_OUTPUT, true);
    this.err = new Output(io.stderr, 'standard error');
  }

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

  async reportInputError(error: InputError, json: boolean): Promise<void> {
    const { problems, blocking, closing, sources } = error;
    await this.reportProblems(json ? problems : blocking, { json, closing, sources });
    if (json) return;
    const { hiddenBesideErrors } = await import('../report/problems.js');
    const others = hiddenBesideErrors(problems);
    if (others !== undefined) await this.err.write(`${others}\n`);
  }

  async warn(problems: readonly Problem[], closing: string, sources?: ReadonlyMap<string, string>): Promise<void> {
    const { stderr, env } = this.io;
    // Lines of a file are shown without its secrets, and only the whole reader knows which those are.
    const { problemsText } = await import('../report/problems.js');
    const text = problemsText(problems, {
      width: widthOf(stderr, env),
      paint: paintFor(stderr, env),
      source: (file) => sources?.get(file),
      closing,
    });
    await this.err.write(text);
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
    width: widthOf(stdout, env, options.width),
    bars: options.bars ?? stdout.isTTY === true,
    paint: paintFor(stdout, env),
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
