import type { PaperComparison, PaperRow } from '../analysis/paper/comparison.js';
import { groupBy } from '../core/values.js';
import { counted, estimateText } from './format.js';
import { type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

// Without what a double has beyond the published digits.
const figures = ({ values }: PaperRow): string =>
  values.map(({ published }) => String(Number(published.toPrecision(6)))).join(' / ');

/** What ours are beside: a column for what was published, and one for what its formula gives. */
const besides = ({ rows }: PaperComparison) =>
  Object.entries({ published: 'published', formula: 'by formula' }).flatMap(([basis, heading]) =>
    rows.some((row) => row.basis === basis)
      ? [{ heading, cell: (row: PaperRow): string => (row.basis === basis ? figures(row) : '') }]
      : [],
  );

const oursText = ({ values }: PaperRow): string => values.map(({ ours }) => estimateText(ours, '')).join(' / ');

const VERDICTS = { agrees: 'agrees', differs: 'DIFFERS', known: 'differs, see below' } as const;

function madeText({ runs, rows }: PaperComparison): string {
  const exact = rows.every(({ values }) => values.every(({ ours }) => ours.high === null));
  return exact && runs === 1 ? 'worked out exactly' : `${counted(runs, 'run')} of each row`;
}

function reasons({ rows }: PaperComparison): readonly string[] {
  const known = rows.filter(({ verdict }) => verdict === 'known');
  const alike = groupBy(known, ({ why = '' }) => why);
  return [...alike].map(([why, of]) => `${of.map(({ row }) => row).join('; ')}: ${why}`);
}

export function* paperReport(found: PaperComparison, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield `${paint.strong(found.paper)}  ${found.title} · ${madeText(found)}`;
  yield* wrap(found.citation, width, '', '');
  yield '';
  const { text, number } = columnsOf(found.rows);
  const columns = [
    text('', ({ row }) => row),
    ...besides(found).map(({ heading, cell }) => number(heading, cell)),
    number('lbsim', oursText),
    text('', ({ verdict }) => VERDICTS[verdict]),
  ];
  yield* table(columns, layout, 0);
  yield '';
  const notes = [`Numbers: ${found.quantity}.`, ...reasons(found), ...found.notes];
  for (const note of notes) yield* wrap(note, width, '', '');
  yield* wrap(`lbsim run docs/papers/${found.scenario} is one run of it.`, width, '', '');
}

/** A chapter of docs/papers.md. */
export function* paperChapter(found: PaperComparison): Generator<string> {
  const cell = (text: string): string => text.replace(/\|/g, '\\|');
  yield `## ${found.title}`;
  yield '';
  yield `\`lbsim paper ${found.paper}\` · [${found.scenario}](papers/${found.scenario}) · ${madeText(found)}`;
  yield '';
  yield `${found.citation}. Numbers: ${found.quantity}.`;
  yield '';
  const beside = besides(found);
  yield `| | ${beside.map(({ heading }) => heading).join(' | ')} | lbsim | |`;
  yield `|---|${'---|'.repeat(beside.length)}---|---|`;
  for (const row of found.rows) {
    const figures = beside.map((one) => one.cell(row)).join(' | ');
    yield `| ${cell(row.row)} | ${figures} | ${oursText(row)} | ${VERDICTS[row.verdict]} |`;
  }
  yield '';
  for (const note of [...reasons(found), ...found.notes]) yield `* ${note}`;
  if (reasons(found).length + found.notes.length > 0) yield '';
}
