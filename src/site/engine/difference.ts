import type { Measure } from '../../analysis/compare/generated/comparison.js';
import type { MovedKeysResult } from '../../analysis/key-map.js';
import { mapValues } from '../../core/values.js';
import * as told from '../../report/compare/compare-answer.js';
import type { Comparison } from '../../words/results.js';
import { millis, percent } from '../../report/format.js';

export type DifferencePicture = ReturnType<typeof differenceOf>;

export const differenceOf = (comparison: Comparison) => ({
  /** The worst first. */
  sentences: told.comparisonAnswer(comparison),
  clusters: mapValues(comparison.clusters, ({ whole, keys }) => {
    const moved = keys?.between[0] ?? null;
    return [
      ...rowOf('failed', whole.failed, percent, told.pointsChange),
      ...rowOf('p50', whole.latency_ms.p50, millis, told.millisChange),
      ...rowOf('p99', whole.latency_ms.p99, millis, told.millisChange),
      ...told
        .extremes(whole.hosts)
        .flatMap((host) => rowOf(`${host.address} ${host.does}`, host, percent, told.pointsChange)),
      ...rowOf('busiest host over the mean', whole.imbalance.peak_to_mean, times, told.timesChange),
      ...(moved === null ? [] : [movedRow(moved)]),
    ];
  }),
});

function movedRow({ moved, minimum }: MovedKeysResult): DifferenceRow {
  return { name: 'keys that move', a: '', b: percent(moved), change: `${percent(minimum)} had to`, clear: moved > 0 };
}

/** A number of both sides, and the change with its 95 % interval, which is clear where chance does not explain it. */
type DifferenceRow = Readonly<Record<'name' | 'a' | 'b' | 'change', string> & { clear: boolean }>;

function rowOf(
  name: string,
  { mean: [a = null, b = null], change: [change = null] }: Measure,
  shown: (value: number) => string,
  changed: (change: NonNullable<Measure['change'][number]>) => string,
): readonly DifferenceRow[] {
  if (a === null && b === null) return [];
  const says = (value: number | null): string => (value === null ? '–' : shown(value));
  const clear = told.isClear(change);
  return [{ name, a: says(a), b: says(b), change: change === null ? '' : clear ? changed(change) : 'the same', clear }];
}

const times = (value: number): string => `${Number(value.toFixed(2))}×`;
