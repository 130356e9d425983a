import type { HashFunction } from '../hash-function.js';

/** What goes on a ring: host h contributes the keys `keys[h]_0` … `keys[h]_(entries[h] − 1)`. */
export interface RingRecipe {
  readonly keys: readonly string[];
  /** Parallel to `keys`; fewer than 2²⁸ in all. */
  readonly entries: Uint32Array;
  readonly hashFunction: HashFunction;
}

/** A ring of n entries in ascending order of their hashes; equal hashes by host, then by the number in the key. */
export interface SortedRing {
  /** Shape [2n]: the low, then the high half of each entry's hash. */
  readonly hashes: Uint32Array;
  /** Shape [n]: index of the entry's host. */
  readonly hosts: Uint32Array;
}

export function sumOfEntries(recipe: RingRecipe): number {
  return recipe.entries.reduce((sum, count) => sum + count, 0);
}
