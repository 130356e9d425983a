import stringWidth from 'string-width';
import { largest } from '../core/values.js';
import type { ScenarioAnswer } from '../core/document-format.js';
import { printable } from '../core/printable.js';
import { optionsIn } from '../core/options.js';
import { ReportLayout } from './generated/layout-options.js';

export type { ReportLayout } from './generated/layout-options.js';

export type Paint = ReportLayout['paint'];

const same = (text: string): string => text;

/** No escape sequences: for pipes, files, NO_COLOR and tests. */
export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same, odd: same, bar: same };

/** What is known of the input, before the answer. Text to paste stays in one line, however long. */
export function* inputLines(input: readonly string[] = [], width: number): Generator<string> {
  for (const paragraph of input) {
    const [sentence = '', ...verbatim] = paragraph.split('\n');
    yield* wrap(printable(sentence), width);
    for (const line of verbatim) yield printable(line);
  }
}

export const LAYOUT = optionsIn(ReportLayout, 'width', 'paint');

/** Columns that `text` takes on a terminal; escape sequences take none, East Asian characters two. */
export const displayWidth = (text: string): number => (ONE_COLUMN_EACH.test(text) ? text.length : stringWidth(text));

export const widest = (texts: readonly string[]): number => largest(texts.map(displayWidth), 0);

/** Nearly every text: Latin letters, dashes and dots, arrows, block characters. */
const ONE_COLUMN_EACH = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u259f]*$/;

/** Shortens a long name in its middle: its beginning and its end distinguish it. Not for painted text. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const tailRoom = Math.floor((width - 1) / 2);
  if (ONE_COLUMN_EACH.test(text)) return `${text.slice(0, width - 1 - tailRoom)}…${text.slice(text.length - tailRoom)}`;
  const characters = Array.from(text);
  let tail = '';
  while (characters.length > 0) {
    const next = characters[characters.length - 1] ?? '';
    if (displayWidth(next + tail) > tailRoom) break;
    tail = next + tail;
    characters.pop();
  }
  let head = '';
  for (const character of characters) {
    if (displayWidth(head + character) > width - 1 - displayWidth(tail)) break;
    head += character;
  }
  return `${head}…${tail}`;
}

/**
 * Breaks `text` at spaces into lines of at most `width` columns. A word that is longer than a line is shortened in its
 * middle; a number and its unit ("33.3 %") stay together, and spacing inside a line stays as it is.
 * @param indent    put before every line.
 * @param hanging   put before every line but the first; `indent` unless given.
 */
export function wrap(text: string, width: number, indent = '', hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  const room = (): number => width - displayWidth(lines.length === 0 ? indent : hanging);
  const flush = (): void => {
    lines.push((lines.length === 0 ? indent : hanging) + line);
    line = '';
  };
  for (const [, space = '', word = ''] of text
    .replace(/(\d) (%|ms|s)(?![\w])/g, '$1\u00a0$2')
    .matchAll(/( *)([^ ]+)/g)) {
    const shown = word.replaceAll('\u00a0', ' ');
    if (line !== '' && displayWidth(line + space + shown) > room()) flush();
    line = line === '' ? shorten(shown, room()) : line + space + shown;
  }
  if (line !== '' || lines.length === 0) flush();
  return lines;
}

export const labelled = (label: string, text: string, width: number): string[] =>
  wrap(text, width, label.padEnd(LABEL), ' '.repeat(LABEL));

const LABEL = 10;

export const noteLines = (notes: readonly string[], width: number): string[] =>
  notes.flatMap((note) => labelled('note', printable(note), width));

/** A highlighted name followed by facts; lines break between facts only. A long name has a line for itself. */
export function leading(name: string, facts: readonly string[], width: number, paint: Paint): string[] {
  const shown = shorten(name, width);
  const text = facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ');
  const wide = displayWidth(shown);
  if (wide > width >> 1 && wide + 2 + displayWidth(text) > width)
    return [paint.strong(shown), ...wrap(text, width, '  ')];
  const [first = '', ...more] = wrap(text, width, `${shown}  `, '  ');
  return [paint.strong(shown) + first.slice(shown.length), ...more];
}

/** What an answer about a scenario begins with. */
export function* headLines(
  { scenario, input }: Pick<ScenarioAnswer, 'scenario' | 'input'>,
  facts: readonly string[],
  { width, paint }: ReportLayout,
): Generator<string> {
  yield* leading(printable(scenario), facts, width, paint);
  yield* inputLines(input, width);
}

/**
 * `left` and `right` at the two ends of a line. Where they do not fit into one, `left` is broken, and `right` ends its last
 * line if there is room.
 *
 * @param hanging put before the further lines of `left`; its own indentation unless given.
 */
export function spread(left: string, right: string, width: number, hanging?: string): string[] {
  const indent = /^ */.exec(left)?.[0] ?? '';
  const lines = wrap(left.slice(indent.length), width, indent, hanging ?? indent);
  const last = lines.pop() ?? '';
  const gap = width - displayWidth(last) - displayWidth(right);
  if (gap >= 2) return [...lines, last + ' '.repeat(gap) + right];
  return [...lines, last, ' '.repeat(Math.max(0, width - displayWidth(right))) + right];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `share` × `columns`, to an eighth of a column; only an exact 0 is empty. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  if (eighths === 0) return share > 0 ? '▏' : '';
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** Lines with their newlines, one at a time; empty ones at the end are left out. */
export function* linesOfText(lines: Iterable<string>): Generator<string> {
  let blank = '';
  for (const line of lines) {
    if (line === '') {
      blank += '\n';
      continue;
    }
    yield `${blank}${line}\n`;
    blank = '';
  }
}

export const textOf = (lines: Iterable<string>): string => [...linesOfText(lines)].join('');
