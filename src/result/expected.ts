import { shareOf } from '../core/rounding.js';
import type { HostRow } from './host-rows.js';
import type { Predicted } from './run-result.js';
import { type ExpectedPortion, standardErrorsOff } from './standard-error.js';

/** The expected split of a stretch of time. Rows are those of the cluster; undefined: there is no prediction. */
export interface ExpectedSplit {
  /** Finds the portion of a row; fastest in the order of a report. */
  rows(): (index: number, row: HostRow) => ExpectedPortion | undefined;
  /** @param members all rows of the locality of `first` */
  locality(first: HostRow, members: readonly number[]): ExpectedPortion | undefined;
  /** @param members all rows of the priority of `first` */
  priority(first: HostRow, members: readonly number[]): ExpectedPortion | undefined;
  readonly noHost: ExpectedPortion | undefined;
}

/** The expected shares of one cluster. */
export interface ExpectedCluster {
  readonly whole: ExpectedSplit | undefined;
  /** That of a phase. */
  between(fromS: number, toS: number): ExpectedSplit | undefined;
}

/** Adds the expected share and the deviation from it to a counted share, in the same object. */
export function withExpected<Observed extends Predicted & { readonly share: number }>(
  observed: Observed,
  expected: ExpectedPortion | undefined,
  requests: number,
): Observed {
  if (expected === undefined) return observed;
  const z = standardErrorsOff(expected, observed.share, requests);
  observed.predicted_share = expected.share;
  // JSON has no infinity: what cannot happen but did counts as a million standard errors.
  observed.predicted_z = Number.isFinite(z) ? z : Math.sign(z) * 1e6;
  return observed;
}

/**
 * The portion of several hosts together. Their counts are negatively correlated, so the variance is at most that of one
 * draw that hits any of them, and at most the sum of theirs.
 */
export function sumOf(portions: Iterable<ExpectedPortion>): ExpectedPortion {
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
