import { assert } from '../../core/assert.js';
import type { HashKernel } from './generated/kernel-types.js';
import { keepKernel, roomForTexts, takeKernel, writeTexts } from './kernel.js';
import type { HashFunction } from '../text-hashes.js';

/** What goes on a ring: host h contributes the keys `keys[h]_0` … `keys[h]_(entries[h] − 1)`. */
export interface RingRecipe {
  readonly keys: readonly string[];
  /** Parallel to `keys`; fewer than 2²⁸ in all. */
  readonly entries: Uint32Array;
  readonly hashFunction: HashFunction;
}

/** A ring of n entries, ascending by hash; equal hashes by host, then by the number in the key. */
export interface SortedRing {
  /** Shape [n, 3]: low half of the hash, high half, index of the host: a look-up finds all in one cache line. */
  readonly entries: Uint32Array;
  /** Shape [2^k + 1], k = 32 − `indexShift`: the first entry whose hash has at least these top k bits. */
  readonly index: Uint32Array;
  readonly indexShift: number;
}

export const sumOfEntries = (recipe: RingRecipe): number => recipe.entries.reduce((sum, count) => sum + count, 0);

/** k, for about two entries to a slot of the index. */
export const indexBits = (entryCount: number): number => Math.min(22, Math.max(1, 30 - Math.clz32(entryCount)));

/** log2 of the records that a bucket should have: a bucket and its copy fit the second-level cache. */
const BUCKET_BITS = 15;
const MAX_BUCKET_BITS = 10;
/** Smaller rings have one bucket: to hash keys once, not twice, saves more than the larger bucket costs. */
const ONE_BUCKET = 2 ** 17;
/** Larger rings are not copied out of the kernel's memory: that memory becomes the ring's. */
const HANDED_OVER_ENTRIES = 2 ** 22;

/**
 * Hashes all keys of a ring and sorts them, in WebAssembly. Memory: 12 to 16 bytes an entry are kept; while it works, a
 * ring below 2²² entries exists twice, a larger one once. @throws AssertionError for 2²⁸ entries or more.
 */
export function sortRing(recipe: RingRecipe): SortedRing {
  const total = sumOfEntries(recipe);
  assert(total < 2 ** 28, `a ring of ${total} entries is beyond the kernel`);
  if (total === 0) return { entries: new Uint32Array(0), index: new Uint32Array(3), indexShift: 31 };
  const hosts = recipe.keys.length;
  const bucketBits = total < ONE_BUCKET ? 0 : Math.min(MAX_BUCKET_BITS, 31 - Math.clz32(total) - BUCKET_BITS);
  const kernel = takeKernel();
  const { bytes, longest } = roomForTexts(recipe.keys);
  kernel.start(hosts, total, bytes, longest, bucketBits, recipe.hashFunction === 'MURMUR_HASH_2');
  writeInput(kernel, recipe);
  let largestBucket = total;
  if (bucketBits > 0) {
    kernel.count(0, hosts);
    largestBucket = kernel.place();
  }
  kernel.scatter(0, hosts);
  kernel.startFinish(total, largestBucket, indexBits(total));
  kernel.finish();
  return takeRing(kernel, total);
}

function writeInput(kernel: HashKernel, { keys, entries }: RingRecipe): void {
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, kernel.entriesAddress(), keys.length).set(entries);
  const ends = new Uint32Array(buffer, kernel.prefixEndsAddress(), keys.length);
  writeTexts(keys, 0, new Uint8Array(buffer, kernel.prefixesAddress()), ends);
}

function takeRing(kernel: HashKernel, total: number): SortedRing {
  const { buffer } = kernel.memory;
  const bits = indexBits(total);
  const [first, indexAt] = [kernel.recordsAddress(), kernel.indexAddress()];
  const end = indexAt + 4 * (2 ** bits + 1);
  keepKernel(kernel);
  // A skewed ring needed much memory beside its records, which a copy frees.
  const isHandedOver = total >= HANDED_OVER_ENTRIES && buffer.byteLength - (end - first) < (end - first) / 10;
  // One buffer for both: to make one and to free it again takes longer than to copy a ring of 1024 entries.
  const [own, from] = isHandedOver ? [buffer, first] : [buffer.slice(first, end), 0];
  return {
    entries: new Uint32Array(own, from, 3 * total),
    index: new Uint32Array(own, from + indexAt - first, 2 ** bits + 1),
    indexShift: 32 - bits,
  };
}
