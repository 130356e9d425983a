import type { Bounds, BoundedPart, BoundedSplit } from '../analysis/observe/bounds.js';
import { printable } from '../core/printable.js';
import { fill } from '../words/fill.js';
import { count, percent } from './format.js';
import { SENTENCES } from './generated/sentences.js';
import { SNIPPETS } from './generated/snippets.js';
import { inputLines, leading, type ReportLayout, wrap } from './layout.js';
import { type Bar, type Column, columnsOf, table } from './table.js';

const WORDS = SENTENCES.bounded;

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

/** What a right proxy may show in a test, for people: a table for each split. */
export function* boundsReport(found: Bounds, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* leading(printable(found.scenario), [fill(WORDS.head, found)], width, paint);
  yield* inputLines(found.input, width);
  yield* ['', ...wrap(fill(WORDS.says, found), width)];
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

export type SnippetLanguage = keyof typeof SNIPPETS;

/** The bounds of a split as code for a test. */
export function* snippetOf(found: Bounds, split: BoundedSplit, language: SnippetLanguage): Generator<string> {
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
