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
  const reach = studentQuantile((1 + CONFIDENCE) / 2, length - 1) * Math.sqrt(squares / (length - 1) / length);
  return { mean, low: mean - reach, high: mean + reach };
}

/**
 * The value that Student's t does not exceed with this probability.
 *
 * @param probability 0.5 ≤ p < 1.
 * @param degrees     of freedom, a whole number of 1 or more.
 */
export function studentQuantile(probability: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (studentDistribution(high, degrees) < probability) [low, high] = [high, 2 * high];
  // Bisection until there is no double in between.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (studentDistribution(middle, degrees) < probability) low = middle;
    else high = middle;
  }
}

/** P(T ≤ t) for t ≥ 0, by the finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function studentDistribution(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let series = degrees === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    series += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * series) : Math.sin(angle) * series;
  return (1 + within) / 2;
}
