/**
 * How far two shares may lie apart that come from the same behaviour: five standard errors of their difference, and two
 * requests of the recording.
 *
 * @param k  of n requests in the recording.
 * @param k2 of n2 in the simulation.
 */
export function shareTolerance(k: number, n: number, k2: number, n2: number): number {
  const pooled = (k + k2) / (n + n2);
  // Counters of what can happen more than once per request pass 1; they then vary like a Poisson count.
  const variance = pooled <= 1 ? pooled * (1 - pooled) : pooled;
  return 5 * Math.sqrt(variance * (1 / n + 1 / n2)) + 2 / n;
}

export interface ShareRule {
  /** Added to the tolerance, as a part of the requests: real time's jitter. */
  readonly jitter?: number;
  /** Added as well, as a part of the recorded share. */
  readonly relative?: number;
}

/** Whether `k` of `n` recorded and `k2` of `n2` simulated requests are the same share. */
export function sameShare(k: number, n: number, k2: number, n2: number, rule: ShareRule = {}): boolean {
  if (n === 0 || n2 === 0) return k === k2;
  const allowed = shareTolerance(k, n, k2, n2) + (rule.jitter ?? 0) + (rule.relative ?? 0) * (k / n);
  return Math.abs(k / n - k2 / n2) <= allowed;
}
