/**
 * How far two shares may lie apart that come from the same behaviour: this many standard errors of their difference, and two
 * requests of the recording.
 *
 * @param k  of n requests in the recording.
 * @param k2 of n2 in the simulation.
 */
export function shareTolerance(k: number, n: number, k2: number, n2: number, errors: number): number {
  const pooled = (k + k2) / (n + n2);
  // Counters of what can happen more than once per request pass 1; they then vary like a Poisson count.
  const variance = pooled <= 1 ? pooled * (1 - pooled) : pooled;
  return errors * Math.sqrt(variance * (1 / n + 1 / n2)) + 2 / n;
}

export interface ShareRule {
  /** How many standard errors two shares may lie apart. */
  readonly errors: number;
  /** Added to the tolerance, as a part of the requests: what real time may move from one window to the next. */
  readonly jitter?: number;
  /** Added as well, as a part of the recorded share. */
  readonly relative?: number;
}

/** What a simulated count is: apart where several runs differ by what a recording does not tell. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function nearest({ low, high }: Range, value: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Whether `k` of `n` recorded and `k2` of `n2` simulated requests are the same share. */
export function sameShare(k: number, n: number, k2: number, n2: number, rule: ShareRule): boolean {
  if (n === 0 || n2 === 0) return k === k2;
  const allowed = shareTolerance(k, n, k2, n2, rule.errors) + (rule.jitter ?? 0) + (rule.relative ?? 0) * (k / n);
  return Math.abs(k / n - k2 / n2) <= allowed;
}

/** As improbable as that is what three standard errors hold: 0.13 % on one side. */
const IMPROBABLE = 0.00135;

/**
 * Whether one side got none while the other's count tells that chance alone does not do that. A tolerance in standard
 * errors knows nothing of it: it is wider than a small share is large.
 *
 * @param k  of n recorded requests; `k2` of `n2` simulated ones, of all runs together.
 * @param jitter part of the requests that real time may have moved.
 */
export function hasVanished(k: number, n: number, k2: number, n2: number, jitter: number): boolean {
  if ((k === 0) === (k2 === 0)) return false;
  // Of all that both got together, each came from the side with some with this probability.
  const [count, of, other] = k2 === 0 ? [k - jitter * n, n, n2] : [k2 - jitter * n2, n2, n];
  return count > 0 && (of / (of + other)) ** count < IMPROBABLE;
}
