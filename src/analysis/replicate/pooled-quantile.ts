import { MICROS_PER_MILLI } from '../../core/units.js';
import { DurationRecorder } from '../../result/latency.js';
import { type Interval, meanInterval, ratioValues } from '../interval.js';

/** A batch with fewer requests beyond a quantile, on average, does not know it: neighbouring requests are too much alike. */
const BEYOND = 10;

/** How many requests a batch must have for a percentile: 20 for the median, 1,000 for the 99th. */
export function requestsFor(percentile: number): number {
  return Math.round(BEYOND / (1 - percentile / 100));
}

/**
 * A percentile of the latency of all batches together, in ms, and how well it is known.
 *
 * The percentiles of the batches themselves would be biased: each is that of a short time, in which the slowest requests mostly do
 * not occur, and more batches would only make sure of the wrong value. So the percentile is that of all requests; from batch to
 * batch varies the part of requests that are faster, which tells how well its rank is known; and the interval reaches from the value
 * at the lowest such rank to that at the highest, farther to the side where requests are rare.
 *
 * Source: sectioning (Asmussen and Glynn, Stochastic Simulation, 2007, section III.5), in the scale of ranks, as the interval of a
 * percentile of independent values is. In the scale of values it holds the 99th percentile of a queue that is 70 % busy in 88 of 100
 * runs with 20 batches of 1,750 requests, so in 92.
 *
 * @param batches those of one run, one after the other.
 * @returns undefined: nothing was answered.
 */
export function pooledPercentile(
  batches: readonly DurationRecorder[],
  percentile: number,
): Interval | 'short batches' | 'short run' | undefined {
  const all = new DurationRecorder();
  for (const batch of batches) all.add(batch);
  const valueUs = all.percentileUs(percentile);
  if (valueUs === undefined) return undefined;
  if (all.count < batches.length * requestsFor(percentile)) return 'short batches';
  const counts = batches.map((batch) => ({ ...batch.around(valueUs), of: batch.count }));
  const reachOf = (which: 'below' | 'through'): number => {
    const values = ratioValues(
      counts.map((count) => count[which]),
      counts.map(({ of }) => of),
    );
    const { mean, high } = meanInterval(values) ?? { mean: 0, high: null };
    return 100 * ((high ?? Infinity) - mean);
  };
  const [low, high] = [percentile - reachOf('below'), percentile + reachOf('through')];
  if (high >= 100) return 'short run';
  const at = (rank: number): number => (all.percentileUs(rank) ?? valueUs) / MICROS_PER_MILLI;
  return { mean: valueUs / MICROS_PER_MILLI, low: at(low), high: at(high) };
}
