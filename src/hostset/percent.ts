/**
 * A configured percentage as the integer that the proxy's balancers compare with.
 *
 * The double 100 · (value / 100.0) is truncated: 33.9 counts as 33, and by rounding error 29, 57 and 58 as 28, 56 and 57.
 */
export function wholePercent(value: number): number {
  return Math.trunc(100.0 * (value / 100.0));
}
