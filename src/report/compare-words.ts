import type { Interval } from '../analysis/interval.js';
import type { Measure } from '../analysis/compare/comparison.js';
import { count, millis, percentDigits } from './format.js';

/** A, B, C … */
export function letterOf(side: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + side);
}

/** Zero after rounding. */
const NOTHING = 1e-9;

/** There is a change that chance does not explain. Without an interval (one run) every change counts. */
export function isClear(change: Interval | null): boolean {
  if (change === null) return false;
  const { mean, low, high } = change;
  if (Math.abs(mean) < NOTHING) return false;
  return low === null || high === null || low > 0 || high < 0;
}

export function sharesOf({ mean }: Measure): readonly number[] {
  return mean.flatMap((value) => value ?? []);
}

function signed(value: number, shown: (size: number) => string): string {
  return `${value < 0 ? '−' : '+'}${shown(Math.abs(value))}`;
}

/** Half the width of the interval; undefined where it is unknown or zero. */
function reachOf({ mean, high }: Interval): number | undefined {
  const reach = high === null ? 0 : high - mean;
  return reach < NOTHING ? undefined : reach;
}

/** "+3.2 points", "−3.2 ± 0.4 points": a difference of shares. */
export function pointsChange(change: Interval, digits = 1): string {
  const reach = reachOf(change);
  const within = reach === undefined ? '' : ` ± ${percentDigits(reach, digits)}`;
  return `${signed(change.mean, (size) => percentDigits(size, digits))}${within} points`;
}

/** "−4,035 ± 12": a difference of counts. */
export function countChange(change: Interval): string {
  const shown = (value: number): string => count(Math.round(value));
  const reach = reachOf(change);
  return `${signed(change.mean, shown)}${reach === undefined ? '' : ` ± ${shown(Math.ceil(reach))}`}`;
}

/** "+1.20 ms ± 0.100 ms" */
export function millisChange(change: Interval): string {
  const reach = reachOf(change);
  return `${signed(change.mean, millis)}${reach === undefined ? '' : ` ± ${millis(reach)}`}`;
}
