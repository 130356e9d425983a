import type { Problem } from '../../core/problem.js';
import type { Micros } from '../../core/units.js';
import { parseDuration } from './units.js';

/** A number, with a unit or without. */
const LIKE_A_TIME = /^-?[\d.]+ ?[a-zµ]{0,3}$/i;
const ONE_A_LINE = 'a trace has one arrival time a line, in seconds or with a unit';
const MAX_PROBLEMS = 20;

/**
 * Arrival times from a CSV file: the first column of each line, in seconds (`0.125`) or with a unit (`125ms`), ascending.
 * A first line without a time is the header; empty lines, lines that start with `#`, and further columns are skipped.
 * The file may be no trace but something private: problems quote only what looks like a time.
 */
export function readTrace(
  file: string,
  text: string,
): { readonly timesUs: readonly Micros[]; readonly problems: readonly Problem[] } {
  const timesUs: Micros[] = [];
  const problems: Problem[] = [];
  let content = 0;
  let extra = false;
  let isTrace = false;
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    content += 1;
    const comma = trimmed.search(/[,;\t]/);
    const cell = unquoted((comma < 0 ? trimmed : trimmed.slice(0, comma)).trim());
    extra ||= comma >= 0;
    const shown = LIKE_A_TIME.test(cell);
    isTrace ||= shown;
    const parsed = parseDuration(/^-?[\d.]+$/.test(cell) ? `${cell}s` : cell);
    if (!parsed.ok && content === 1 && !/^[-\d.]/.test(cell)) continue;
    const early = `${cell} lies before the time above it: a trace is in ascending order`;
    const isLater = parsed.ok && parsed.value >= (timesUs.at(-1) ?? 0);
    const message = parsed.ok ? early : `${shown ? parsed.message : 'this is no time'}; ${ONE_A_LINE}`;
    const column = line.length - line.trimStart().length + 1;
    const length = shown ? Math.max(1, cell.length) : 1;
    if (!isLater) problems.push({ ...atTop('error', file, message), line: index + 1, column, length });
    if (problems.length === MAX_PROBLEMS) break;
    if (parsed.ok) timesUs.push(parsed.value);
  }
  if (problems.length > 0 && !isTrace)
    return { timesUs, problems: [atTop('error', file, `this is no trace: ${ONE_A_LINE}`)] };
  if (timesUs.length === 0 && problems.length === 0)
    problems.push(atTop('error', file, 'the trace has no arrival times'));
  else if (extra) problems.push(atTop('note', file, 'only the first column of a trace is read: the arrival time'));
  return { timesUs, problems };
}

function atTop(severity: Problem['severity'], file: string, message: string): Problem {
  return { severity, file, path: '', line: 1, column: 1, message, rule: 'trace', length: 1 };
}

const unquoted = (cell: string): string => cell.replace(/^"(.*)"$/, '$1');

/** Resolves a path relative to the scenario's folder. Standard input has no folder: its paths stay. */
export function relativeTo(scenario: string, path: string): string {
  const folder = /^(.*[/\\])[^/\\]*$/.exec(scenario)?.[1];
  return folder === undefined || /^([/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${folder}${path}`;
}
