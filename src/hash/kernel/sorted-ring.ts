import type { HashFunction } from '../hash-function.js';

/** What goes on a ring: host h contributes the keys `keys[h]_0` … `keys[h]_(entries[h] − 1)`. */
export interface RingRecipe {
  readonly keys: readonly string[];
  /** Parallel to `keys`; fewer than 2²⁸ in all. */
  readonly entries: Uint32Array;
  readonly hashFunction: HashFunction;
}

/** A ring of n entries, ascending by hash; equal hashes by host, then by the number in the key. */
export interface SortedRing {
  /**
   * Shape [n, 3]: low half of the hash, high half, index of the host. One array, so that a look-up finds the hash and the
   * host in one cache line.
   */
  readonly entries: Uint32Array;
  /** Shape [2^k + 1], k = 32 − `indexShift`: the first entry whose hash has at least these top k bits. */
  readonly index: Uint32Array;
  readonly indexShift: number;
}

export function sumOfEntries(recipe: RingRecipe): number {
  return recipe.entries.reduce((sum, count) => sum + count, 0);
}

/** k, for about two entries to a slot of the index. */
export function indexBits(entryCount: number): number {
  return Math.min(22, Math.max(1, 30 - Math.clz32(entryCount)));
}
