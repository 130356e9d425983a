/** Success rates of a cluster's hosts in the last interval. */
export interface ClusterSuccessRate {
  /** Mean success rate in percent; −1 where it was not computed, as the proxy shows it. */
  readonly mean: number;
  /** Hosts strictly below this percentage are outliers; −1 where it was not computed. */
  readonly threshold: number;
}

export const NOT_COMPUTED: ClusterSuccessRate = { mean: -1, threshold: -1 };

/**
 * The success rate below which a host is an outlier: this many standard deviations (of the population) under the mean.
 * Rates of 50, 100, 100, 100 and 100 % with a factor of 1.9: mean 90, deviation 20, threshold 52.
 *
 * @param rates percentages of the hosts that had enough requests, at least one.
 */
export function clusterSuccessRate(rates: readonly number[], stdevFactor: number): ClusterSuccessRate {
  let sum = 0;
  for (const rate of rates) sum += rate;
  const mean = sum / rates.length;
  let squares = 0;
  for (const rate of rates) squares += (rate - mean) * (rate - mean);
  return { mean, threshold: mean - stdevFactor * Math.sqrt(squares / rates.length) };
}
