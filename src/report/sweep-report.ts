import type { SweepMeasures } from '../analysis/sweep/sweep.js';
import * as swept from '../analysis/sweep/sweep.js';
import { behavesAs, count, counted, estimateText, listed, printable, printableJson } from './format.js';
import { fill, SENTENCES } from './words.js';
import { headLines, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';
import { field } from './csv.js';
import { jsonText } from './documents.js';
import type { SweepHead, SweepPoint } from '../analysis/generated/experiments.js';

const WORDS = SENTENCES.swept;

/** The document {@link Sweep}, a point a line. */
export function* sweepJson(head: SweepHead, points: Iterable<SweepPoint>): Generator<string> {
  yield `${jsonText(head).slice(0, -2)},\n  "results": [`;
  let before = '\n    ';
  for (const point of points) {
    yield before + lineOf(point);
    before = ',\n    ';
  }
  yield before.startsWith(',') ? '\n  ]\n}\n' : ']\n}\n';
}

/** JSON lines: each a {@link SweepPoint}. */
export function* sweepLines(points: Iterable<SweepPoint>): Generator<string> {
  for (const point of points) yield `${lineOf(point)}\n`;
}

const lineOf = (point: SweepPoint): string => printableJson(JSON.stringify(point));

export type SweepTable = ReturnType<typeof sweepTable>;

/**
 * A row per point: a column for each varied field, and three for each measure: mean, low, high; undefined: there is no such value.
 *
 * @param isNumber whether all values of a varied field are numbers; of a table that is text they need not be. */
export function sweepTable(
  { scenario, paths }: SweepHead,
  measures: readonly swept.SweepMeasure[],
  points: Iterable<SweepPoint>,
  isNumber: (path: string) => boolean = () => false,
) {
  const column = (name: string, type: 'whole' | 'number' | 'text') => ({ name, type });
  const names = measures.map(({ name }) => name);
  const numbers = paths.map(isNumber);
  return {
    columns: [
      column('scenario', 'text'),
      column('point', 'whole'),
      ...paths.map((path, index) => column(path, numbers[index] === true ? 'number' : 'text')),
      column('runs', 'whole'),
      ...names.flatMap((name) => [name, `${name}_low`, `${name}_high`].map((of) => column(of, 'number'))),
      column('problem', 'text'),
    ],
    rows: rowsOf(points, ({ point, values, runs, measures: found, problem }) => {
      const fields = paths.map((path, index) => (numbers[index] === true ? Number(values[path]) : values[path]));
      const cells = names.flatMap((name) => {
        const { mean, low, high } = found[name] ?? {};
        return [mean, low ?? undefined, high ?? undefined];
      });
      return [scenario, point, ...fields, runs, ...cells, problem];
    }),
  };
}

function* rowsOf<Row>(points: Iterable<SweepPoint>, row: (point: SweepPoint) => Row): Generator<Row> {
  for (const point of points) yield row(point);
}

export function* sweepCsv({ columns, rows }: SweepTable): Generator<string> {
  yield `${columns.map(({ name }) => field(name)).join(',')}\n`;
  for (const row of rows) yield `${row.map((cell = '') => field(cell)).join(',')}\n`;
}

/** More points than this are not listed; of a search, more than the first few. */
const MAX_POINTS = 50;
const MAX_RANKED = 10;

export function* sweepReport(
  head: SweepHead,
  measures: SweepMeasures,
  points: Iterable<SweepPoint>,
  layout: ReportLayout,
): Generator<string> {
  const { width, paint } = layout;
  const { seeds, search } = head;
  const runs = fill(WORDS.head, { is_search: search !== undefined, runs: seeds.length });
  const facts = [counted(head.points, 'point'), runs, `seed ${printable(seeds[0] ?? '')}`, behavesAs(head)];
  yield* headLines(head, facts, layout);
  if (head.partial === true) yield* wrap(WORDS.partial, width).map(paint.bad);
  const most = layout.all ? Infinity : search === undefined ? MAX_POINTS : MAX_RANKED;
  const shown: SweepPoint[] = [];
  let finished = 0;
  for (const point of points) if (++finished <= most) shown.push(point);
  if (search !== undefined) yield* ['', ...wrap(answerOf(head, shown, measures), width).map(paint.strong)];
  yield '';
  yield* tableOf(head, shown, measures, layout);
  const more = finished - shown.length;
  if (more > 0) yield* wrap(fill(WORDS.more, { more }), width).map(paint.faint);
  const problems = new Map(
    shown.flatMap(({ point, problem }) => (problem === undefined ? [] : [[problem, point] as const])),
  );
  if (problems.size > 0) yield '';
  for (const [problem, point] of problems)
    yield* wrap(printable(fill(WORDS.problem, { point, problem })), width, '', '  ').map(paint.odd);
  yield '';
  yield* wrap(fill(WORDS.key, head), width).map(paint.faint);
}

/** "p99 is least with a=1, b=2: 12.3 ± 0.4 ms. …"; nothing where nothing was looked for. @param shown the best among them. */
export function answerOf({ search, paths }: SweepHead, shown: readonly SweepPoint[], { kept }: SweepMeasures): string {
  if (search === undefined) return '';
  const { goal, measure, subject_to: bounds, best, as_good: asGood } = search;
  const winner = shown.find(({ point }) => point === best);
  if (winner === undefined) return printable(fill(WORDS.nothing_within, { bounds: listed(bounds) }));
  const wanted = kept.find(({ name }) => name === measure);
  const estimate = winner.measures[measure];
  const beside = wanted && swept.failuresBeside(wanted, kept);
  const failed = (beside && winner.measures[beside.name]?.mean) ?? 0;
  const text = fill(WORDS.best, {
    ...{ measure, bounds, most: goal === 'minimize' ? 'least' : 'greatest' },
    where: paths.map((path) => `${path}=${winner.values[path] ?? ''}`),
    value: estimate && estimateText(estimate, wanted?.unit ?? ''),
    failed: failed > 0 ? failed : undefined,
    others: asGood.length > 0 ? asGood.length : undefined,
  });
  return printable(text);
}

/** Those that are asked for, bounded or looked for, and the usual ones. */
export function shownOf({ kept, asked, goal }: SweepMeasures): readonly swept.SweepMeasure[] {
  const bounded = goal === undefined ? [] : [goal.measure, ...goal.bounds.map(({ measure }) => measure)];
  const wanted = new Set([...bounded, ...asked].map(({ name }) => name));
  return kept.filter(
    ({ name }) => wanted.has(name) || swept.SHOWN.some((short) => name === short || name.endsWith(`.${short}`)),
  );
}

function tableOf(
  { paths, search }: SweepHead,
  points: readonly SweepPoint[],
  measures: SweepMeasures,
  layout: ReportLayout,
): string[] {
  const { kept, goal } = measures;
  const { name: named, number } = columnsOf(points);
  const columns = [
    ...headings(paths).map((heading, axis) =>
      named(heading, ({ values }) => printable(values[paths[axis] ?? ''] ?? '')),
    ),
    search !== undefined && number('runs', ({ runs }) => count(runs)),
    ...shownOf(measures).map(({ name, unit }) =>
      number(printable(name), ({ measures: { [name]: estimate } }) =>
        estimate === undefined ? '–' : estimateText(estimate, unit),
      ),
    ),
  ];
  const [drawn] = [goal?.measure.name, 'p99'].flatMap((wanted) => kept.find(({ name }) => name === wanted) ?? []);
  const means = points.map(({ measures }) => (drawn === undefined ? 0 : (measures[drawn.name]?.mean ?? 0)));
  const largest = means.reduce((most, mean) => Math.max(most, mean), 0);
  const lengths = means.map((mean) => ({ share: largest === 0 ? 0 : mean / largest, failed: 0 }));
  return table(columns, layout, 0, lengths);
}

/** The last parts of the paths, as many as tell them apart. */
export function headings(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split('.'));
  for (let length = 1; ; length++) {
    const ends = parts.map((path) => path.slice(-length).join('.'));
    if (new Set(ends).size === paths.length) return ends.map(printable);
  }
}
