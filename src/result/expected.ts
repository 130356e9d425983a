import { shareOf } from '../core/rounding.js';
import type { Predicted } from './run-result.js';

/** A part of all attempts, and how far from it a sample of them strays. */
export interface PredictedPortion {
  /** 0–1. */
  share: number;
  /**
   * Variance that each attempt adds to the count, share · (1 − share) for independent draws, less where a rotation takes
   * turns: 0 where there is nothing but a rotation.
   */
  variance: number;
  /** What rotations and schedules add, as a standard deviation in attempts, however many attempts there are. */
  granularity: number;
}

/**
 * Standard error of the observed share of `portion` among `requests` attempts, 0–1.
 * √(variance / n + granularity² / n²). Never above that of independent draws by more than the granularity; far below where
 * a rotation picks.
 */
export function standardError(portion: Omit<PredictedPortion, 'share'>, requests: number): number {
  if (requests <= 0) return Infinity;
  const { variance, granularity } = portion;
  return Math.sqrt(variance * requests + granularity * granularity) / requests;
}

/**
 * How many standard errors the observed share lies above (+) or below (−) the predicted one. Rounding errors of doubles
 * are no deviation; an impossible event (a share of exactly 0 that was observed) is infinitely far off.
 */
export function standardErrorsOff(portion: PredictedPortion, observedShare: number, requests: number): number {
  const off = observedShare - portion.share;
  if (requests <= 0 || Math.abs(off) < 1e-9) return 0;
  const error = standardError(portion, requests);
  return error === 0 ? Math.sign(off) * Infinity : off / error;
}

/** The expected split of a stretch of time; undefined: there is no prediction. */
export interface ExpectedSplit {
  /** Finds the portion of a row of the cluster; fastest in the order of a report. */
  rows(): (row: number) => PredictedPortion | undefined;
  readonly noHost: PredictedPortion | undefined;
}

export interface ExpectedCluster {
  readonly whole: ExpectedSplit | undefined;
  between(fromS: number, toS: number): ExpectedSplit | undefined;
}

/** Adds the expected share and the deviation from it to a counted share, in the same object. */
export function withExpected<Observed extends Predicted & { readonly share: number }>(
  observed: Observed,
  expected: PredictedPortion | undefined,
  requests: number,
): Observed {
  if (expected === undefined) return observed;
  const z = standardErrorsOff(expected, observed.share, requests);
  observed.predicted_share = expected.share;
  // JSON has no infinity: what cannot happen but did counts as a million standard errors.
  observed.predicted_z = Number.isFinite(z) ? z : Math.sign(z) * 1e6;
  return observed;
}

/** @param rows that belong together. @returns undefined where nothing is known of any. */
export function expectedOfGroup(
  split: ExpectedSplit | undefined,
  rows: readonly number[],
): PredictedPortion | undefined {
  const portionOf = split?.rows();
  const known = rows.flatMap((row) => portionOf?.(row) ?? []);
  return known.length === 0 ? undefined : sumOf(known);
}

/**
 * The portion of several hosts together. Their counts are negatively correlated, so the variance is at most that of one
 * draw that hits any of them, and at most the sum of theirs.
 */
export function sumOf(portions: Iterable<PredictedPortion>): PredictedPortion {
  let share = 0;
  let variance = 0;
  let granularity = 0;
  for (const portion of portions) {
    share += portion.share;
    variance += portion.variance;
    granularity += portion.granularity;
  }
  share = shareOf(share);
  return { share, variance: Math.min(variance, share * (1 - share)), granularity };
}
