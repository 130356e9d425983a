import { MICROS_PER_MILLI } from '../../core/units.js';
import { fill } from '../../core/fill.js';
import { someOf } from '../../core/words.js';
import { entryOf } from '../../core/values.js';
import type { CountedDurations, DurationRecorder } from '../../result/latency.js';
import { type Interval, meanInterval, ratioValues } from '../interval.js';
import { NOTES } from './generated/notes.js';

/** A batch with fewer requests beyond a quantile, on average, does not know it: neighbouring requests are too much alike. */
const BEYOND = 10;

/** How many requests a batch must have for a percentile: 20 for the median, 1,000 for the 99th. */
export const requestsFor = (percentile: number): number => Math.round(BEYOND / (1 - percentile / 100));

/**
 * A percentile of the latency of all batches of a run, or of all runs, together, in ms, and how well it is known. The
 * percentiles of the batches themselves would be biased: each is that of a short time, in which the slowest requests
 * mostly do not occur, and more batches would only make sure of the wrong value. So the percentile is that of all
 * requests; from batch to batch varies the part of requests that are faster, which tells how well its rank is known;
 * and the interval reaches from the value at the lowest such rank to that at the highest, farther to the side where
 * requests are rare. Source: sectioning (Asmussen and Glynn, Stochastic Simulation, 2007, section III.5), in the scale
 * of ranks, as the interval of a percentile of independent values is. In the scale of values it holds the 99th
 * percentile of a queue that is 70 % busy in 88 of 100 runs with 20 batches of 1,750 requests, so in 92.
 * @param batches those of one run, one after the other, or runs.
 * @param all their sum.
 * @returns undefined: nothing was answered. Without an end where its interval reaches beyond the slowest request.
 */
export function pooledPercentile(
  batches: readonly CountedDurations[],
  all: DurationRecorder,
  percentile: number,
): Interval | 'short batches' | undefined {
  const valueUs = all.percentileUs(percentile);
  if (valueUs === undefined) return undefined;
  if (all.count < batches.length * requestsFor(percentile)) return 'short batches';
  const counts = batches.map((batch) => ({ ...batch.around(valueUs), count: batch.count }));
  const reachOf = (which: 'below' | 'through'): number => {
    const values = ratioValues(counts.map((one) => [one[which], one.count]));
    const { mean, high } = meanInterval(values) ?? { mean: 0, high: null };
    return 100 * ((high ?? Infinity) - mean);
  };
  const [low, high] = [percentile - reachOf('below'), percentile + reachOf('through')];
  const mean = valueUs / MICROS_PER_MILLI;
  if (high >= 100) return { mean, low: null, high: null };
  const at = (rank: number): number => (all.percentileUs(rank) ?? valueUs) / MICROS_PER_MILLI;
  return { mean, low: at(low), high: at(high) };
}

export class PooledPercentiles {
  private readonly refused = new Map<string, string[]>();

  constructor(private readonly parts: 'batches' | 'runs') {}

  /** Of the latency of a cluster, by the names of their numbers. */
  *of(cluster: string, batches: readonly CountedDurations[], all: DurationRecorder): Generator<[string, Interval]> {
    for (const percentile of PERCENTILES) {
      const known = pooledPercentile(batches, all, percentile);
      if (known === undefined) continue;
      if (known === 'short batches' || known.high === null) {
        const values = { parts: this.parts, percentile, needed: requestsFor(percentile) };
        const why = fill(known === 'short batches' ? NOTES.short : NOTES.open, values);
        entryOf(this.refused, why, () => []).push(cluster);
      } else yield [percentileName(cluster, percentile), known];
    }
  }

  /** Those that are not known, a sentence for each reason. */
  get notes(): readonly string[] {
    return [...this.refused].map(([why, clusters]) => `${someOf(clusters, 3)}: ${why}`);
  }
}

export const PERCENTILES = [50, 90, 99] as const;

export const percentileName = (cluster: string, percentile: (typeof PERCENTILES)[number]): string =>
  `clusters.${cluster}.latency_ms.p${percentile}`;
