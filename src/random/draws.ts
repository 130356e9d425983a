import { mod } from '../core/u64.js';
import type { Random64 } from './random64.js';
import type { RandomStream } from './streams.js';

/** Any of them but `taken`, all alike. Draws one. @param count 2 or more. */
export function drawOther(random: Random64, count: number, taken: number): number {
  const drawn = draw(random, count - 1);
  return drawn >= taken ? drawn + 1 : drawn;
}

/** Any that is not yet taken, all alike. Draws one. @param taken ascending; what was drawn is put into its place. */
export function drawAnother(random: Random64, count: number, taken: number[]): number {
  let drawn = draw(random, count - taken.length);
  let index = 0;
  while (index < taken.length && drawn >= (taken[index] as number)) {
    drawn++;
    index++;
  }
  taken.splice(index, 0, drawn);
  return drawn;
}

/** Any whole number from 0 to `count` − 1. Draws one. */
export function draw(random: Random64, count: number): number {
  random.next();
  return mod(random.hi, random.lo, count);
}

/** True in `percent` of 100 cases. Draws one, and none where the answer is certain. */
export const drawPercent = (random: Random64, percent: number): boolean =>
  percent === 0 || percent >= 100 ? percent !== 0 : draw(random, 100) < percent;

export function runningSums(weights: Iterable<number>): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight));
}

/** The first index whose running sum of weights exceeds a uniform draw of all of it. Draws one. */
export function drawIndex(sums: Float64Array, stream: RandomStream): number {
  let [low, high] = [0, sums.length - 1];
  const drawn = stream.uniform() * (sums[high] as number);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (drawn < (sums[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
