import { styleText } from 'node:util';
import { type Paint, PLAIN } from '../report/layout.js';
import type { Io, OutputStream } from './io.js';

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
