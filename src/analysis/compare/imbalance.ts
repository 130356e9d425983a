import type { ImbalanceComparison } from './comparison.js';

/** How unevenly something is spread; null of each where there is nothing to spread. Source of the index: Jain, Chiu and Hawe, DEC-TR-301 (1984). */
export type Imbalance = Readonly<Record<keyof ImbalanceComparison, number | null>>;

/** @param counts one for each that might have got something, 0 or more. */
export function imbalanceOf(counts: readonly number[]): Imbalance {
  let [sum, squares, peak] = [0, 0, 0];
  for (const count of counts) {
    sum += count;
    squares += count * count;
    peak = Math.max(peak, count);
  }
  if (sum === 0) return { peak_to_mean: null, jain: null, cov: null };
  const n = counts.length;
  const mean = sum / n;
  // E[x²] − E[x]² may come out a rounding error below 0.
  const variance = Math.max(0, squares / n - mean * mean);
  return { peak_to_mean: peak / mean, jain: (sum * sum) / (n * squares), cov: Math.sqrt(variance) / mean };
}
