import jstat from 'jstat';

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
  const mean = values.reduce((sum, value) => sum + value, 0) / length;
  if (length === 1) return { mean, low: null, high: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const reach = jstat.studentt.inv((1 + CONFIDENCE) / 2, length - 1) * Math.sqrt(squares / (length - 1) / length);
  return { mean, low: mean - reach, high: mean + reach };
}
