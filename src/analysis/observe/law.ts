import jstat from 'jstat';
import { firstWhere } from '../../core/values.js';
import type { PredictedPortion } from '../../result/expected.js';

/** How far a normal variable is above its mean at most with this chance, in standard deviations. */
export const normalAt = (chance: number): number => -Math.SQRT2 * jstat.erfcinv(2 * chance);

/** A host, or hosts together; `error`: how far the share may be off, 0–1. */
export type Portion = PredictedPortion & Readonly<{ error?: number; reach?: number }>;

export type Law = ReturnType<typeof lawOf>;

/** How many of `requests` a host gets from a proxy that does what it is told. */
export const lawOf = ({ share, variance, granularity, error = 0, reach = Infinity }: Portion, requests: number) => ({
  requests,
  share,
  /** Of the count. */
  variance: requests * variance + granularity ** 2,
  /** Each request is drawn by itself, with a chance that is known: the count is binomial. */
  drawn: granularity === 0 && error === 0 && Math.abs(variance - share * (1 - share)) < 1e-9,
  /** How far the count is off its mean at most, in requests, where hosts take turns; else Infinity. */
  reach,
  /** How far the mean may be off, in requests. */
  error: error * requests,
});

/** The chance of a count at least so far off its mean, on the same side of it. */
export function tailOf({ requests, share, variance, drawn, reach, error }: Law, count: number): number {
  const mean = requests * share;
  const off = Math.abs(count - mean) - error;
  if (off <= 1e-9) return 1;
  if (off >= reach) return 0;
  if (drawn) {
    return count < mean
      ? jstat.ibeta(1 - share, requests - count, count + 1)
      : jstat.ibeta(share, count, requests - count + 1);
  }
  return off <= 0.5 ? 1 : 1 - (1 + jstat.erf((off - 0.5) / Math.sqrt(2 * variance))) / 2;
}

/** The chance of a count as far from what is expected, on either side. */
export const chanceOf = (law: Law, count: number): number => Math.min(1, 2 * tailOf(law, count));

/** A wrong share is expected to be off by as much as chance makes of so many requests. */
const TELLING = 100;

/**
 * The same for who looks as often as he likes while requests come: it falls to a chance at any time with that chance at most.
 * It is one by the likelihood of the count under shares that may be wrong, by that under the share itself, which grows beyond
 * 1 / chance so rarely (Ville's inequality). Sources: Robbins (1970), Statistical methods related to the law of the iterated
 * logarithm; Ramdas, Grünwald, Vovk and Shafer (2023), Game-theoretic statistics and safe anytime-valid inference.
 *
 * What turns add does not grow, so that counts stay close to their mean at all times.
 */
export function chanceWatched({ requests, share, variance, drawn, error }: Law, count: number): number {
  const off = Math.max(0, Math.abs(count - requests * share) - error);
  if (off === 0) return 1;
  if (drawn && share > 0 && share < 1) {
    const [self, others] = [TELLING * share, TELLING * (1 - share)];
    const wrong = jstat.betaln(self + count, others + requests - count) - jstat.betaln(self, others);
    return Math.min(1, Math.exp(count * Math.log(share) + (requests - count) * Math.log(1 - share) - wrong));
  }
  if (drawn) return 0;
  // Pages do not count all hosts at the same instant: one request more or less tells nothing.
  const early = 1 + (variance * TELLING) / Math.max(TELLING, requests);
  const both = variance + early;
  return Math.min(1, Math.sqrt(both / early) * Math.exp(-(off ** 2) / (2 * both)));
}

/** The least and the most that such a host shows, but for a chance of `alarm` in all. */
export function boundsOf(law: Law, alarm: number, chance = chanceOf): readonly [least: number, most: number] {
  const { requests, share } = law;
  const isLikely = (count: number): boolean => chance(law, count) > alarm;
  const mean = requests * share;
  const spare = firstWhere(0, Math.max(0, Math.floor(requests - mean)), (left) => isLikely(requests - left));
  return [firstWhere(0, Math.floor(mean), isLikely), requests - spare];
}

/**
 * Which of several chances are too small, so that all of them together raise a false alarm with a chance of `alarm` at most,
 * however they depend on each other. Source: Holm (1979), A simple sequentially rejective multiple test procedure.
 */
export function alarmsAmong(chances: readonly number[], alarm: number): readonly boolean[] {
  const ascending = chances.toSorted((a, b) => a - b);
  const first = ascending.findIndex((chance, rank) => chance > alarm / (chances.length - rank));
  return chances.map((chance) => first < 0 || chance < (ascending[first] ?? 0));
}
