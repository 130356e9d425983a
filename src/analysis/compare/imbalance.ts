/** How unevenly something is spread; null of each where there is nothing to spread. */
export interface Imbalance {
  /** The most that one has over the mean, 1 or more. */
  readonly peakToMean: number | null;
  /** Jain's index, from 1 / n, where one has all, to 1, where all have the same. Source: Jain, Chiu and Hawe, DEC-TR-301 (1984). */
  readonly jain: number | null;
  /** Coefficient of variation: standard deviation over mean, 0 or more. */
  readonly cov: number | null;
}

const NOTHING: Imbalance = { peakToMean: null, jain: null, cov: null };

/** @param counts one for each that might have got something, 0 or more. */
export function imbalanceOf(counts: readonly number[]): Imbalance {
  let [sum, squares, peak] = [0, 0, 0];
  for (const count of counts) {
    sum += count;
    squares += count * count;
    peak = Math.max(peak, count);
  }
  if (sum === 0) return NOTHING;
  const n = counts.length;
  const mean = sum / n;
  // E[x²] − E[x]² may come out a rounding error below 0.
  const variance = Math.max(0, squares / n - mean * mean);
  return { peakToMean: peak / mean, jain: (sum * sum) / (n * squares), cov: Math.sqrt(variance) / mean };
}
