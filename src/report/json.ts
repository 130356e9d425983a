import { printableJson } from '../core/printable.js';
import { hostsOf } from '../result/phase-hosts.js';
import type { PhaseResult, RunResult } from '../result/run-result.js';

/** A document for machines: two spaces of indentation, the fields in the order of the contract, a newline at the end. */
export function jsonDocument(value: unknown): string {
  return `${text(value)}\n`;
}

function text(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

/**
 * The same of a run, in pieces: a large cluster over many phases is a million rows, too many for one string, and for all of
 * its rows to be there at one time.
 */
export function* runJson(result: RunResult): Generator<string> {
  yield* value(result, '\n');
  yield '\n';
}

/** Rows that are written at one go: as objects and as text they are small enough for what is cheap to clean away. */
const ROWS = 200;

type Fields = Readonly<Record<string, unknown>>;

/** @param line a line feed and the indentation of the line that the value begins on. */
function* value(of: unknown, line: string): Generator<string> {
  if (Array.isArray(of)) yield* isOfRows(of) ? rows(of, line) : list(of, line);
  else if (typeof of === 'object' && of !== null) yield* record(of as Fields, line);
  else yield text(of);
}

function* record(of: Fields, line: string): Generator<string> {
  let before = '{';
  for (const key of Object.keys(of)) {
    const isHosts = key === 'hosts' && isPhase(of);
    if (!isHosts && of[key] === undefined) continue;
    yield `${before}${line}  ${text(key)}: `;
    yield* isHosts ? rows(hostsOf(of), `${line}  `) : value(of[key], `${line}  `);
    before = ',';
  }
  yield before === '{' ? '{}' : `${line}}`;
}

function* list(of: readonly unknown[], line: string): Generator<string> {
  let before = '[';
  for (const one of of) {
    yield `${before}${line}  `;
    yield* value(one, `${line}  `);
    before = ',';
  }
  yield before === '[' ? '[]' : `${line}]`;
}

function* rows(of: Iterable<unknown>, line: string): Generator<string> {
  let before = '[';
  let some: unknown[] = [];
  const piece = (): string => before + text(some).slice(1, -2).replaceAll('\n', line);
  for (const row of of) {
    some.push(row);
    if (some.length < ROWS) continue;
    yield piece();
    before = ',';
    some = [];
  }
  if (some.length > 0) yield piece();
  else if (before === '[') {
    yield '[]';
    return;
  }
  yield `${line}]`;
}

/** Whether the entries of a list are so small that many may be written at one go. */
function isOfRows([first]: readonly unknown[]): boolean {
  if (typeof first !== 'object' || first === null) return true;
  return !isPhase(first as Fields) && !Object.values(first).some((one) => Array.isArray(one) && one.length > 0);
}

function isPhase(of: Fields): of is Fields & PhaseResult {
  return 'from_s' in of && 'cause' in of;
}
