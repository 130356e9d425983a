import { type Interval, meanInterval } from '../interval.js';
import { type Bound, type Measure, missOf } from './sweep.js';

/** What is looked for. */
export interface Goal {
  readonly measure: Measure;
  readonly maximize: boolean;
  readonly bounds: readonly Bound[];
}

/** What is known of a point: of each number, one value a run. */
export type PointRuns = readonly Readonly<Record<string, number>>[];

/** Each time the best third goes on, with three times the runs. */
const KEPT = 3;
/** Of a point that is left, times the runs of the first round. */
const MOST_RUNS = 27;

export interface Round {
  readonly points: readonly number[];
  readonly runs: number;
}

/** The next round after one whose points have been put in order, best first; undefined: that was the last. */
export function nextRound({ runs }: Round, ranked: readonly number[], first: number): Round | undefined {
  if (ranked.length <= 1 || runs * KEPT > first * MOST_RUNS) return undefined;
  return { points: ranked.slice(0, Math.ceil(ranked.length / KEPT)), runs: runs * KEPT };
}

/** How good a point is: compared first by bounds that it misses, then by what is wanted. */
export interface Score {
  /** Sum over the bounds, see {@link missOf}; Infinity: there are no numbers. */
  readonly miss: number;
  /** The smaller the better. */
  readonly value: number;
}

export function scoreOf(runs: PointRuns, { measure, maximize, bounds }: Goal): Score {
  const meanOf = (number: string): number | undefined => meanInterval(runs.flatMap((run) => run[number] ?? []))?.mean;
  const wanted = meanOf(measure.number);
  if (wanted === undefined) return { miss: Infinity, value: Infinity };
  const misses = bounds.map((bound) => {
    const mean = meanOf(bound.measure.number);
    return mean === undefined ? Infinity : missOf(bound, mean);
  });
  return { miss: misses.reduce((sum, miss) => sum + miss, 0), value: maximize ? -wanted : wanted };
}

/** Negative: the first is better. */
export function byScore(a: Score, b: Score): number {
  if (a.miss !== b.miss) return a.miss < b.miss ? -1 : 1;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}

/** The difference of two points, run by run of the same seed; undefined: they have no run in common. */
export function differenceOf(a: PointRuns, b: PointRuns, { number }: Measure): Interval | undefined {
  const pairs = Math.min(a.length, b.length);
  const differences = Array.from({ length: pairs }, (_, run) => {
    const [first, second] = [a[run]?.[number], b[run]?.[number]];
    return first === undefined || second === undefined ? [] : [second - first];
  });
  return meanInterval(differences.flat());
}
