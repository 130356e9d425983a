import type { Measure } from '../analysis/sweep/measure.js';
import type { Sweep, SweepPoint } from '../analysis/sweep/sweep.js';
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
export function* sweepCsv(
  { scenario, paths }: SweepHead,
  measures: readonly Measure[],
  points: Iterable<SweepPoint>,
): Generator<string> {
  const names = measures.map(({ name }) => name);
  const headings = [
    'scenario',
    'point',
    ...paths,
    'runs',
    ...names.flatMap((name) => [name, `${name}_low`, `${name}_high`]),
    'problem',
  ];
  yield `${headings.map(field).join(',')}\n`;
  for (const { point, values, runs, measures: found, problem = '' } of points) {
    const cells = names.flatMap((name) => {
      const { mean = '', low, high } = found[name] ?? {};
      return [mean, low ?? '', high ?? ''];
    });
    yield `${[scenario, point, ...paths.map((path) => values[path] ?? ''), runs, ...cells, problem].map(field).join(',')}\n`;
  }
}
