import { draw } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';

/** Any of them but `taken`, all alike. Draws one. @param count 2 or more. */
export function drawOther(random: Random64, count: number, taken: number): number {
  const drawn = draw(random, count - 1);
  return drawn >= taken ? drawn + 1 : drawn;
}

/**
 * Any of them that is not yet taken, all alike. Draws one.
 *
 * @param taken ascending; what was drawn is put into its place.
 */
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
