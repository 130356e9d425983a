import {
  failuresBeside,
  type Goal,
  type Measure,
  SHOWN,
  type Sweep,
  type SweepPoint,
} from '../analysis/sweep/sweep.js';
import { printable, printableJson } from '../core/printable.js';
import { behavesAs, count, counted, estimateText, listed, percent } from './format.js';
import { inputLines, leading, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';
import { field } from './csv.js';
import { jsonText } from './documents.js';

/** A sweep without its points, which come one by one: there may be very many. */
export type SweepHead = Omit<Sweep, 'results'>;

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

function lineOf(point: SweepPoint): string {
  return printableJson(JSON.stringify(point));
}

/** A row per point: a column for each varied field, and three for each measure: mean, low, high. */
export interface SweepTable {
  readonly columns: readonly SweepColumn[];
  /** In the order of the columns; undefined: there is no such value. */
  readonly rows: Iterable<readonly (string | number | undefined)[]>;
}

interface SweepColumn {
  readonly name: string;
  readonly type: 'whole' | 'number' | 'text';
}

/** @param isNumber whether all values of a varied field are numbers; of a table that is text they need not be. */
export function sweepTable(
  { scenario, paths }: SweepHead,
  measures: readonly Measure[],
  points: Iterable<SweepPoint>,
  isNumber: (path: string) => boolean = () => false,
): SweepTable {
  const column = (name: string, type: SweepColumn['type']): SweepColumn => ({ name, type });
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

/** The measures that are kept of each run, those of a goal among them. */
export interface SweepMeasures {
  readonly kept: readonly Measure[];
  /** Of these the ones that were asked for by name. */
  readonly asked: readonly Measure[];
  readonly goal: Goal | undefined;
}

export function* sweepReport(
  head: SweepHead,
  measures: SweepMeasures,
  points: Iterable<SweepPoint>,
  layout: ReportLayout,
): Generator<string> {
  const { width, paint } = layout;
  const { seeds, search } = head;
  const runs =
    search === undefined ? `${counted(seeds.length, 'run')} of each` : `up to ${counted(seeds.length, 'run')} of each`;
  const facts = [counted(head.points, 'point'), runs, `seed ${printable(seeds[0] ?? '')}`, behavesAs(head)];
  yield* leading(printable(head.scenario), facts, width, paint);
  yield* inputLines(head.input, width);
  if (head.partial === true) {
    yield* wrap('PARTIAL: interrupted; points that are not finished are missing.', width).map(paint.bad);
  }
  const most = layout.all ? Infinity : search === undefined ? MAX_POINTS : MAX_RANKED;
  const shown: SweepPoint[] = [];
  let finished = 0;
  for (const point of points) if (++finished <= most) shown.push(point);
  if (search !== undefined) yield* ['', ...wrap(answerOf(head, shown, measures), width).map(paint.strong)];
  yield '';
  yield* tableOf(head, shown, measures, layout);
  if (finished > shown.length) {
    yield* wrap(
      `… ${counted(finished - shown.length, 'more point')} (--all lists them, --csv is for machines)`,
      width,
    ).map(paint.faint);
  }
  const problems = new Map(
    shown.flatMap(({ point, problem }) => (problem === undefined ? [] : [[problem, point] as const])),
  );
  if (problems.size > 0) yield '';
  for (const [problem, point] of problems) {
    yield* wrap(`point ${count(point)} cannot be run: ${printable(problem)}`, width, '', '  ').map(paint.odd);
  }
  yield '';
  yield* wrap(
    `failures: part of the requests that failed; mean, p99 …: latency of the requests that a host answered. Means ± half of the ${percent(head.confidence, 0)} confidence interval, over the same seeds for all points`,
    width,
  ).map(paint.faint);
}

/** "p99 is least with a=1, b=2: 12.3 ± 0.4 ms. …"; nothing where nothing was looked for. @param shown the best among them. */
export function answerOf({ search, paths }: SweepHead, shown: readonly SweepPoint[], { kept }: SweepMeasures): string {
  if (search === undefined) return '';
  const { goal, measure, subject_to: bounds, best, as_good: asGood } = search;
  const under = bounds.length === 0 ? '' : ` under ${listed(bounds.map(printable))}`;
  const winner = shown.find(({ point }) => point === best);
  if (winner === undefined) return `No point keeps within ${listed(bounds.map(printable))}.`;
  const wanted = kept.find(({ name }) => name === measure);
  const estimate = winner.measures[measure];
  const value = estimate === undefined ? '' : `: ${estimateText(estimate, wanted?.unit ?? '')}`;
  const beside = wanted && failuresBeside(wanted, kept);
  const failed = (beside && winner.measures[beside.name]?.mean) ?? 0;
  const failing = failed > 0 ? `, of answered requests only: ${percent(failed)} failed` : '';
  const where = paths.map((path) => `${path}=${winner.values[path] ?? ''}`).map(printable);
  const others =
    asGood.length === 0
      ? ''
      : ` ${counted(asGood.length, 'other point')} may be as good: the difference may be chance.`;
  return `${printable(measure)} is ${goal === 'minimize' ? 'least' : 'greatest'}${under} with ${listed(where)}${value}${failing}.${others}`;
}

/** Those that are asked for, bounded or looked for, and the usual ones. */
export function shownOf({ kept, asked, goal }: SweepMeasures): readonly Measure[] {
  const bounded = goal === undefined ? [] : [goal.measure, ...goal.bounds.map(({ measure }) => measure)];
  const wanted = new Set([...bounded, ...asked].map(({ name }) => name));
  return kept.filter(
    ({ name }) => wanted.has(name) || SHOWN.some((short) => name === short || name.endsWith(`.${short}`)),
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
  const drawn = goal?.measure ?? kept.find(({ name }) => name === 'p99');
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
