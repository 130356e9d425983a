import type { Quirks } from '../core/version.js';
import { draw } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';

/**
 * The jittered exponential back-off of retries and of DNS queries that fail, in whole milliseconds: drawn (one value)
 * evenly from 0 to a bound that doubles each time, up to the longest interval. @param attempt 1 for the first wait.
 */
export function jitteredBackOffMs(
  attempt: number,
  baseMs: number,
  maxMs: number,
  random: Random64,
  { backOffDoubles }: Pick<Quirks, 'backOffDoubles'>,
): number {
  if (backOffDoubles) {
    let boundMs = baseMs;
    for (let i = 1; i < attempt && boundMs < maxMs; i++) boundMs = boundMs < maxMs / 2 ? boundMs * 2 : maxMs;
    return draw(random, boundMs);
  }
  let factor = 1;
  for (let i = 1; i < attempt && factor * baseMs <= maxMs; i++) factor = factor * 2 + 1;
  return Math.min(draw(random, factor * baseMs), maxMs);
}
