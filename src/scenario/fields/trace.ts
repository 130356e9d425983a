import type { Problem } from '../../core/problem.js';
import type { Micros } from '../../core/units.js';
import { sum } from '../../core/values.js';
import { parseDuration } from './units.js';

/** A number, with a unit or without. */
const LIKE_A_TIME = /^-?[\d.]+ ?[a-zµ]{0,3}$/i;
const ONE_A_LINE = 'a trace has one arrival time a line, in seconds or with a unit';
const WRONG_SIZE = 'the size of this request has to be a number above 0';
const COLUMNS = 'of a trace are read: the first column, the arrival time, and the one that is headed size';
const MAX_PROBLEMS = 20;

/** `sizes` of the requests, where the file has them, one for each time. */
export type Trace = Readonly<{ timesUs: readonly Micros[]; sizes: readonly number[] }>;

/**
 * Arrival times from a CSV file: the first column of each line, in seconds (`0.125`) or with a unit (`125ms`), ascending.
 * A first line without a time is the header; a column that it calls `size` has the requests' sizes. Empty lines, lines that start with
 * `#`, and other columns are skipped. The file may be no trace but something private: problems quote only what looks like a time.
 */
export function readTrace(file: string, text: string): Trace & { readonly problems: readonly Problem[] } {
  const timesUs: Micros[] = [];
  const sizes: number[] = [];
  const problems: Problem[] = [];
  let content = 0;
  let sizeAt = -1;
  let extra = false;
  let isTrace = false;
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    content += 1;
    const written = line.split(/[,;\t]/);
    const cells = written.map((text) => text.trim().replace(/^"(.*)"$/, '$1'));
    const [cell = ''] = cells;
    const shown = LIKE_A_TIME.test(cell);
    isTrace ||= shown;
    const parsed = parseDuration(/^-?[\d.]+$/.test(cell) ? `${cell}s` : cell);
    if (!parsed.ok && content === 1 && !/^[-\d.]/.test(cell)) {
      sizeAt = cells.indexOf('size', 1);
      continue;
    }
    extra ||= cells.length > (sizeAt < 0 ? 1 : 2);
    const size = sizeAt < 0 ? 1 : Number(cells[sizeAt] || NaN);
    let wrong: string | undefined;
    if (!parsed.ok) wrong = `${shown ? parsed.message : 'this is no time'}; ${ONE_A_LINE}`;
    else if (parsed.value < (timesUs.at(-1) ?? 0))
      wrong = `${cell} lies before the time above it: a trace is in ascending order`;
    else if (!(size > 0 && size < Infinity)) wrong = WRONG_SIZE;
    if (wrong !== undefined) {
      const at = wrong === WRONG_SIZE ? sizeAt : 0;
      const text = written[at] ?? '';
      const before = sum(written.slice(0, at).map(({ length }) => length + 1));
      const column = Math.min(before, line.length) + text.length - text.trimStart().length + 1;
      const length = shown ? Math.max(1, text.trim().length) : 1;
      problems.push({ ...atTop('error', file, wrong), line: index + 1, column, length });
    }
    if (problems.length === MAX_PROBLEMS) break;
    if (parsed.ok) timesUs.push(parsed.value);
    if (sizeAt >= 0) sizes.push(size);
  }
  if (problems.length > 0 && !isTrace)
    return { timesUs, sizes, problems: [atTop('error', file, `this is no trace: ${ONE_A_LINE}`)] };
  if (timesUs.length === 0 && problems.length === 0)
    problems.push(atTop('error', file, 'the trace has no arrival times'));
  else if (extra) problems.push(atTop('note', file, COLUMNS));
  return { timesUs, sizes, problems };
}

function atTop(severity: Problem['severity'], file: string, message: string): Problem {
  return { severity, file, path: '', line: 1, column: 1, message, rule: 'trace', length: 1 };
}

/** Resolves a path relative to the scenario's folder. Standard input has no folder: its paths stay. */
export function relativeTo(scenario: string, path: string): string {
  const folder = /^(.*[/\\])[^/\\]*$/.exec(scenario)?.[1];
  return folder === undefined || /^([/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${folder}${path}`;
}
