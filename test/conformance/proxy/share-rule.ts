import { shareTolerance } from '../../../src/analysis/verify/judge.js';

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
