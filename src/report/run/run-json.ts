import { FORMAT } from '../../core/document-format.js';
import { hostsOf } from '../../result/phase-hosts.js';
import { type RunDocument, INDENT, jsonText } from '../documents.js';
import { headlineOf } from './headline.js';
import type { TextReportOptions } from './generated/text-options.js';
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

export type ReportExtras = Pick<TextReportOptions, 'otherVersion' | 'advice'>;
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
type Pieces = Iterable<string>;

/** @param depth of the line that the value begins on. */
function* value(of: unknown, depth: number): Generator<string> {
  if (Array.isArray(of)) yield* isOfRows(of) ? rows(of, depth) : joined('[]', depth, items(of, depth + 1));
  else if (!isFields(of)) yield jsonText(of);
  else if (isSmallCluster(of)) yield indented(of, depth);
  else yield* joined('{}', depth, fields(of, depth + 1));
}

/** @param parts each begins with a new line. */
function* joined(brackets: '[]' | '{}', depth: number, parts: Iterable<Pieces>): Generator<string> {
  const [open = '', close = ''] = brackets;
  let before = open;
  for (const part of parts) {
    yield before;
    yield* part;
    before = ',';
  }
  yield before === open ? brackets : lineAt(depth) + close;
}

function* onLine(line: string, pieces: Pieces): Generator<string> {
  yield line;
  yield* pieces;
}

function* items(of: readonly unknown[], depth: number): Generator<Pieces> {
  for (const one of of) yield onLine(lineAt(depth), value(one, depth));
}

function* fields(of: Fields, depth: number): Generator<Pieces> {
  for (const key of Object.keys(of)) {
    const pieces = piecesOf(of, key, depth);
    if (pieces !== undefined) yield onLine(`${lineAt(depth)}${jsonText(key)}: `, pieces);
  }
}

function piecesOf(of: Fields, key: string, depth: number): Pieces | undefined {
  if (key === 'hosts' && isPhase(of)) return rows(hostsOf(of), depth);
  const stats = statPieces(of, key);
  if (stats !== undefined) return joined('{}', depth, statLines(stats, depth + 1));
  return of[key] === undefined ? undefined : value(of[key], depth);
}

const rows = (of: Iterable<unknown>, depth: number): Generator<string> => joined('[]', depth, batches(of, depth));

function* batches(rows: Iterable<unknown>, depth: number): Generator<Pieces> {
  let some: unknown[] = [];
  const inside = (): string => indented(some, depth).slice(1, -1).trimEnd();
  for (const row of rows) {
    some.push(row);
    if (some.length < ROWS) continue;
    yield [inside()];
    some = [];
  }
  if (some.length > 0) yield [inside()];
}

function* statLines(pieces: Iterable<StatPiece<unknown>>, depth: number): Generator<Pieces> {
  for (const { prefix, values } of pieces) {
    const lines = Object.entries(values).map(([name, one]) => {
      const written = isFields(one) ? indented(one, depth) : jsonText(one);
      return `${lineAt(depth)}${jsonText(prefix + name)}: ${written}`;
    });
    if (lines.length > 0) yield [lines.join(',')];
  }
}

/** A value that begins on a line at `depth`. In JSON a line feed is never part of a text. */
const indented = (of: object, depth: number): string => jsonText(of).replaceAll('\n', lineAt(depth));

const lineAt = (depth: number): string => `\n${' '.repeat(INDENT * depth)}`;

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

const isCluster = (of: Fields): of is Fields & ClusterResult => 'policy' in of && 'phases' in of;

const isPhase = (of: Fields): of is Fields & PhaseResult => 'from_s' in of && 'cause' in of;

const isFields = (of: unknown): of is Fields => typeof of === 'object' && of !== null;
