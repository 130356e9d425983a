import type { HashFunction } from '../hash-function.js';

/** What goes on a ring: host h contributes the keys `keys[h]_0` … `keys[h]_(entries[h] − 1)`. */
export interface RingRecipe {
  readonly keys: readonly string[];
  /** Parallel to `keys`; fewer than 2²⁸ in all. */
  readonly entries: Uint32Array;
  readonly hashFunction: HashFunction;
}

/**
 * A ring of n entries, shape [n, 3]: low half of the hash, high half, index of the host.
 *
 * Ascending by hash; equal hashes by host, then by the number in the key. One array, so that a look-up finds hash and host
 * in one cache line.
 */
export type SortedRing = Uint32Array;

export function sumOfEntries(recipe: RingRecipe): number {
  return recipe.entries.reduce((sum, count) => sum + count, 0);
}
