/** A part of all attempts, and how far from it a sample of them strays. */
export interface ExpectedPortion {
  /** 0–1. */
  readonly share: number;
  /** What each attempt adds to the variance of the count. */
  readonly variance: number;
  /** A standard deviation in attempts, whatever their number. */
  readonly granularity: number;
}

/**
 * Standard error of the observed share of `portion` among `requests` attempts, 0–1.
 *
 * √(variance / n + granularity² / n²). Never above that of independent draws by more than the granularity; far below where
 * a rotation picks.
 */
export function standardError(portion: Omit<ExpectedPortion, 'share'>, requests: number): number {
  if (requests <= 0) return Infinity;
  const { variance, granularity } = portion;
  return Math.sqrt(variance * requests + granularity * granularity) / requests;
}

/**
 * How many standard errors the observed share lies above (+) or below (−) the predicted one.
 *
 * Rounding errors of doubles are no deviation; an impossible event (a share of exactly 0 that was observed) is infinitely
 * far off.
 */
export function standardErrorsOff(portion: ExpectedPortion, observedShare: number, requests: number): number {
  const off = observedShare - portion.share;
  if (requests <= 0 || Math.abs(off) < 1e-9) return 0;
  const error = standardError(portion, requests);
  return error === 0 ? Math.sign(off) * Infinity : off / error;
}
