import { FORMAT } from '../../core/document-format.js';
import { hostsOf } from '../../result/phase-hosts.js';
import { type RunDocument, INDENT, jsonText } from '../documents.js';
import { headlineOf } from './headline.js';
import type { TextReportOptions } from './text-report.js';
import type { ClusterResult, PhaseResult } from '../../result/run-result.js';
import type { RunResult } from '../../words/results.js';
import { type StatPiece, statPieces } from '../../result/stat-pieces.js';
import { ANY_TABLE, demand, LIST, optionsOf, RESULT } from '../../core/arguments.js';

/**
 * The JSON of a run, in pieces: a large cluster over many phases is a million rows, too many for one string, and for all of
 * its rows to be there at one time.
 */
export function* runJson(result: RunResult, extras: ReportExtras = {}): Generator<string> {
  demand('runJson', ['result', result, RESULT], ['extras', extras, EXTRAS]);
  yield* value(runDocument(result, extras), 0);
  yield '\n';
}

type ReportExtras = Pick<TextReportOptions, 'otherVersion' | 'advice'>;
const EXTRAS = optionsOf<ReportExtras>({ otherVersion: ANY_TABLE, advice: LIST });

export function runDocument(result: RunResult, { otherVersion, advice = [] }: ReportExtras = {}): RunDocument {
  const { scenario, seed, ...rest } = result;
  return {
    format: FORMAT,
    scenario,
    seed,
    headline: headlineOf(result),
    ...(otherVersion && { other_version: otherVersion }),
    ...(advice.length > 0 && { advice }),
    ...rest,
  };
}

/** Rows written together: as objects and as text they are small enough to be collected cheaply. */
const ROWS = 200;

type Fields = Readonly<Record<string, unknown>>;

/** @param depth of the line that the value begins on. */
function* value(of: unknown, depth: number): Generator<string> {
  if (Array.isArray(of)) yield* isOfRows(of) ? rows(of, depth) : list(of, depth);
  else if (!isFields(of)) yield jsonText(of);
  else if (isSmallCluster(of)) yield indented(of, depth);
  else yield* record(of, depth);
}

function* record(of: Fields, depth: number): Generator<string> {
  let before = '{';
  let plain: [string, unknown][] = [];
  const flush = function* (): Generator<string> {
    if (plain.length === 0) return;
    yield before + inside(Object.fromEntries(plain), depth);
    before = ',';
    plain = [];
  };
  for (const key of Object.keys(of)) {
    const isHosts = key === 'hosts' && isPhase(of);
    const pieces = isHosts ? undefined : statPieces(of, key);
    const own = isHosts || pieces !== undefined ? undefined : of[key];
    if (!isHosts && pieces === undefined && !isFields(own)) {
      if (own !== undefined) plain.push([key, own]);
      if (plain.length >= ROWS) yield* flush();
      continue;
    }
    yield* flush();
    yield `${before}${lineAt(depth + 1)}${jsonText(key)}: `;
    if (pieces !== undefined) yield* fields(pieces, depth + 1);
    else yield* isHosts ? rows(hostsOf(of), depth + 1) : value(own, depth + 1);
    before = ',';
  }
  yield* flush();
  yield before === '{' ? '{}' : `${lineAt(depth)}}`;
}

function* list(of: readonly unknown[], depth: number): Generator<string> {
  let before = '[';
  for (const one of of) {
    yield before + lineAt(depth + 1);
    yield* value(one, depth + 1);
    before = ',';
  }
  yield before === '[' ? '[]' : `${lineAt(depth)}]`;
}

function* rows(of: Iterable<unknown>, depth: number): Generator<string> {
  let before = '[';
  let some: unknown[] = [];
  for (const row of of) {
    some.push(row);
    if (some.length < ROWS) continue;
    yield before + inside(some, depth);
    before = ',';
    some = [];
  }
  if (some.length > 0) yield before + inside(some, depth);
  else if (before === '[') {
    yield '[]';
    return;
  }
  yield `${lineAt(depth)}]`;
}

/** One object, whose fields come in pieces. */
function* fields(pieces: Iterable<StatPiece<unknown>>, depth: number): Generator<string> {
  // After a prefix the same few names repeat for each of thousands of clusters.
  const known = new Map<string, string>();
  const endingOf = (prefix: string, name: string): string => {
    let ending = known.get(name);
    if (ending === undefined) {
      ending = `${jsonText(name).slice(1)}: `;
      if (prefix !== '') known.set(name, ending);
    }
    return ending;
  };
  let before = '{';
  for (const { prefix, values } of pieces) {
    const beginning = lineAt(depth + 1) + jsonText(prefix).slice(0, -1);
    let lines = '';
    for (const name of Object.keys(values)) {
      const value = values[name];
      const written = isFields(value)
        ? indented(value, depth + 1)
        : Number.isInteger(value)
          ? String(value)
          : jsonText(value);
      lines += before + beginning + endingOf(prefix, name) + written;
      before = ',';
    }
    if (lines !== '') yield lines;
  }
  yield before === '{' ? '{}' : `${lineAt(depth)}}`;
}

/** The text between the brackets of a list or an object that begins on a line at `depth`. */
function inside(of: object, depth: number): string {
  return indented(of, depth).slice(1, -1).trimEnd();
}

/** A value that begins on a line at `depth`: enclosing lists indent its other lines. */
function indented(of: unknown, depth: number): string {
  let wrapped = of;
  for (let level = 0; level < depth; level++) wrapped = [wrapped];
  const head = 2 * depth + (INDENT * depth * (depth + 1)) / 2;
  const tail = 2 * depth + (INDENT * depth * (depth - 1)) / 2;
  const whole = jsonText(wrapped);
  return whole.slice(head, whole.length - tail);
}

function lineAt(depth: number): string {
  return `\n${' '.repeat(INDENT * depth)}`;
}

/** Whether the entries of a list are small enough to be written together. */
function isOfRows([first]: readonly unknown[]): boolean {
  if (!isFields(first)) return true;
  return !isPhase(first) && !Object.values(first).some((one) => Array.isArray(one) && one.length > 0);
}

/** Most of thousands of clusters have few hosts and phases, and are written whole. */
function isSmallCluster(of: Fields): boolean {
  if (!isCluster(of)) return false;
  const { hosts, phases } = of;
  return hosts.length * (1 + phases.length) <= ROWS;
}

function isCluster(of: Fields): of is Fields & ClusterResult {
  return 'policy' in of && 'phases' in of;
}

function isPhase(of: Fields): of is Fields & PhaseResult {
  return 'from_s' in of && 'cause' in of;
}

function isFields(of: unknown): of is Fields {
  return typeof of === 'object' && of !== null;
}
