import { mod } from '../core/u64.js';
import type { Random64 } from './random64.js';

/** Any whole number from 0 to `count` − 1. Draws one. */
export function draw(random: Random64, count: number): number {
  random.next();
  return mod(random.hi, random.lo, count);
}

/** True in `percent` of 100 cases. Draws one, and none where the answer is certain. */
export function drawPercent(random: Random64, percent: number): boolean {
  if (percent === 0 || percent >= 100) return percent !== 0;
  return draw(random, 100) < percent;
}
