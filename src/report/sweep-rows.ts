import type { Measure, Sweep, SweepPoint } from '../analysis/sweep/sweep.js';
import { printableJson } from '../core/printable.js';
import { field } from './csv.js';
import { jsonText } from './json-document.js';

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

export interface SweepColumn {
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
