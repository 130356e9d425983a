import type { BoundedPart, BoundedSplit, Bounds } from '../analysis/generated/experiments.js';
import type { ObservedPart } from '../analysis/observe/compared.js';
import type { ObservedCluster, Observation } from '../analysis/observe/observe.js';
import { count, percent, printable, sentence } from './format.js';
import { fill, SENTENCES } from './words.js';
import { SNIPPETS } from './generated/snippets.js';
import { headLines, leading, noteLines, type ReportLayout, wrap } from './layout.js';
import { type Bar, type Column, columnsOf, table } from './table.js';

const { bounded: WORDS, observed: OBSERVED } = SENTENCES;

/** Rows that are shown without `--all`. */
const MAX_ROWS = 24;

type Columns<Row> = (kinds: ReturnType<typeof columnsOf<Row>>) => readonly Column[];

/** A heading, and a table of the first rows. */
function* splitLines<Row>(
  heading: readonly [name: string, facts: readonly string[]],
  rows: readonly Row[],
  columns: Columns<Row>,
  layout: ReportLayout,
  barOf?: (row: Row) => Bar,
): Generator<string> {
  const { width, paint, all } = layout;
  const shown = all ? rows : rows.slice(0, MAX_ROWS);
  yield* ['', ...leading(printable(heading[0]), heading[1], width, paint)];
  yield* table(columns(columnsOf(shown)), layout, 2, barOf && shown.map(barOf));
  if (shown.length < rows.length) yield paint.faint(fill(WORDS.more, { hidden: rows.length - shown.length }));
}

/** Whether production does what the configuration says, for people: the answer, then each cluster. */
export function* observeReport(found: Observation, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const { verdict, clusters, notes } = found;
  yield* headLines(found, [OBSERVED.head, fill(OBSERVED.alarm, found)], layout);
  const painted = { as_configured: paint.good, not_as_configured: paint.bad, too_little: paint.odd }[verdict];
  // A name at the beginning keeps its letters.
  const isNamed = Object.keys(clusters).some((name) => found.says.startsWith(`${name}: `));
  yield* ['', ...wrap(printable(isNamed ? `${found.says}.` : sentence(found.says)), width).map(painted)];
  for (const [name, cluster] of Object.entries(clusters)) yield* observedLines(name, cluster, layout);
  if (notes.length > 0) yield '';
  yield* noteLines(notes, width);
}

/** What is off comes first. */
function* observedLines(cluster: string, observed: ObservedCluster, layout: ReportLayout): Generator<string> {
  const isOff = ({ verdict }: ObservedPart): boolean => verdict !== 'as_expected';
  const rows = layout.all ? observed.parts : [...observed.parts].sort((a, b) => Number(isOff(b)) - Number(isOff(a)));
  const facts = [observed.policy, fill(OBSERVED.requests, observed), fill(OBSERVED.notices, observed)];
  const columns: Columns<ObservedPart> = ({ name, number, text }) => [
    name('host', (row) => printable(row.of === 'host' ? row.name : `${row.of} ${row.name}`)),
    number('requests', (row) => count(row.requests)),
    number('expected', (row) => percent(row.expected, 2)),
    number('seen', (row) => percent(row.seen, 2)),
    number('as configured', ({ least, most }) => `${percent(least, 2)} – ${percent(most, 2)}`),
    text('', (row) => (isOff(row) ? row.verdict : '')),
  ];
  yield* splitLines([cluster, facts], rows, columns, layout, ({ seen }) => ({ share: seen, failed: 0 }));
}

/** What a right proxy may show in a test, for people: a table for each split. */
export function* boundsReport(found: Bounds, layout: ReportLayout): Generator<string> {
  yield* headLines(found, [fill(WORDS.head, found)], layout);
  yield* ['', ...wrap(fill(WORDS.says, found), layout.width)];
  const shareOf = (share: number | null): string => (share === null ? '–' : percent(share, 2));
  for (const { of, name, policy, method, parts } of found.splits) {
    const columns: Columns<BoundedPart> = ({ text, number }) => [
      text(of === 'cluster' ? 'host' : 'cluster', (row) => printable(row.name)),
      number('share', ({ share }) => percent(share, 2)),
      number('least', ({ least }) => count(least)),
      number('most', ({ most }) => count(most)),
      number('sees below', (row) => shareOf(row.sees_below)),
      number('sees above', (row) => shareOf(row.sees_above)),
    ];
    yield* splitLines([`${of} ${name}`, [policy, ...(method === 'exact' ? [] : [method])]], parts, columns, layout);
  }
}

/** The bounds of a split as code for a test. */
export function* snippetOf(found: Bounds, split: BoundedSplit, language: keyof typeof SNIPPETS): Generator<string> {
  const { head, row, code } = SNIPPETS[language];
  const rowOf = ({ name, least, most }: BoundedPart): string =>
    row
      .replace('NAME', () => JSON.stringify(name))
      .replace('LEAST', String(least))
      .replace('MOST', String(most));
  const made = head + fill(WORDS.made, { ...found, of: split.of, name: printable(split.name) });
  const filled = code
    .replace('HEAD', () => made)
    .replace('ROWS', () => split.parts.map(rowOf).join('\n'))
    .replaceAll('REQUESTS', String(found.requests));
  yield* filled.trimEnd().split('\n');
}
