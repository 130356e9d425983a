import jstat from 'jstat';
import { entryOf, sum } from '../core/values.js';

/** A mean and its 95 % confidence interval; null: one value has none. */
export interface Interval {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

export const CONFIDENCE = 0.95;

/** Student's interval of the mean of independent values; undefined without any. */
export function meanInterval(values: readonly number[]): Interval | undefined {
  const { length } = values;
  if (length === 0) return undefined;
  const mean = sum(values) / length;
  return intervalOf(length, mean, sum(values.map((value) => (value - mean) ** 2)));
}

/**
 * For the ratio of two sums, of all parts to all wholes: values, one of each pair, whose mean it is and whose
 * {@link meanInterval} is that of the ratio. Empty where the sum of the wholes is 0. Source: the classical estimator of
 * a ratio, as for regenerative cycles: Law, Simulation Modeling and Analysis (5th ed. 2015), section 9.5.3.
 */
export function ratioValues(pairs: readonly (readonly [part: number, whole: number])[]): readonly number[] {
  const all = sum(pairs.map(([, whole]) => whole));
  if (all === 0) return [];
  const ratio = sum(pairs.map(([part]) => part)) / all;
  return pairs.map(([part, whole]) => ratio + ((part - ratio * whole) * pairs.length) / all);
}

/** Student's interval of a mean that is estimated from values as they come, which are not kept. Source: Welford (1962). */
export class MeanEstimate {
  count = 0;
  private mean = 0;
  /** Sum of squared deviations from the mean. */
  private squares = 0;

  add(value: number): void {
    const deviation = value - this.mean;
    this.mean += deviation / ++this.count;
    this.squares += deviation * (value - this.mean);
  }

  /** undefined without values. */
  interval(): Interval | undefined {
    return this.count === 0 ? undefined : intervalOf(this.count, this.mean, this.squares);
  }
}

function intervalOf(count: number, mean: number, squares: number): Interval {
  if (count === 1) return { mean, low: null, high: null };
  const reach = quantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { mean, low: mean - reach, high: mean + reach };
}

const quantiles = new Map<number, number>();

/**
 * Of Student's t, for {@link CONFIDENCE}, from the inverse of the incomplete beta function: jStat searches for it, and a
 * report asks thousands of times. Source: Abramowitz and Stegun, 26.5.27.
 */
const quantile = (degrees: number): number =>
  entryOf(quantiles, degrees, () => {
    const x = jstat.ibetainv(1 - CONFIDENCE, 0.5 * degrees, 0.5);
    return Math.sqrt((degrees * (1 - x)) / x);
  });
