import { assert } from '../../core/assert.js';
import { utf8 } from '../bytes.js';
import { ringWasm } from './generated/ring-wasm.js';
import type { RingRecipe, SortedRing } from './sorted-ring.js';
import { indexBits, sumOfEntries } from './sorted-ring.js';

/** What `assembly/ring.ts` exports; its comments say more. */
interface RingExports {
  readonly memory: WebAssembly.Memory;
  keyAddress(): number;
  recordsAddress(): number;
  indexAddress(): number;
  start(entries: number, keyCapacity: number, bucketBits: number, useMurmur: boolean): void;
  startHost(prefixLength: number): void;
  count(from: number, count: number): void;
  place(): number;
  scatter(from: number, count: number, host: number): void;
  startFinish(entries: number, largestBucket: number, indexBits: number): void;
  finish(bucket: number): void;
}

/** Keys hashed per call: small enough that the engine can swap in its optimised code early in a large ring. */
const KEYS_PER_CALL = 1000;
/** log2 of the records that a bucket should have: a bucket and its copy fit the second-level cache. */
const BUCKET_BITS = 15;
const MAX_BUCKET_BITS = 10;
/** A kernel with more memory is not kept: linear memory cannot shrink. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** From here on a ring is not copied out of the kernel's memory: that memory becomes the ring's. */
const HANDED_OVER_ENTRIES = 2 ** 22;

let compiled: WebAssembly.Module | undefined;
/** A fresh kernel costs more than a ring of 1024 entries; this one is reused while it stays small. */
let kept: RingExports | undefined;

/**
 * Hashes all keys of a ring and sorts them, in WebAssembly.
 *
 * Memory: 12 to 16 bytes an entry are kept. While it works, a ring below 2²² entries exists twice, a larger one once.
 *
 * @throws AssertionError for 2²⁸ entries or more.
 */
export function sortRing(recipe: RingRecipe): SortedRing {
  const total = sumOfEntries(recipe);
  assert(total < 2 ** 28, `a ring of ${total} entries is beyond the kernel`);
  if (total === 0) return { entries: new Uint32Array(0), index: new Uint32Array(3), indexShift: 31 };
  const prefixes = recipe.keys.map((key) => utf8(`${key}_`));
  const keyCapacity = prefixes.reduce((longest, prefix) => Math.max(longest, prefix.length), 0) + 32;
  const bucketBits = Math.min(MAX_BUCKET_BITS, Math.max(1, 31 - Math.clz32(total) - BUCKET_BITS));
  const kernel = kept ?? instantiate();
  kernel.start(total, keyCapacity, bucketBits, recipe.hashFunction === 'MURMUR_HASH_2');
  forEachKey(kernel, prefixes, recipe.entries, (from, count) => kernel.count(from, count));
  const largestBucket = kernel.place();
  forEachKey(kernel, prefixes, recipe.entries, (from, count, host) => kernel.scatter(from, count, host));
  kernel.startFinish(total, largestBucket, indexBits(total));
  for (let bucket = 0; bucket < 2 ** bucketBits; bucket++) kernel.finish(bucket);
  return takeRing(kernel, total);
}

function instantiate(): RingExports {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(ringWasm), (char) => char.charCodeAt(0)));
  return new WebAssembly.Instance(compiled, {}).exports as unknown as RingExports;
}

function forEachKey(
  kernel: RingExports,
  prefixes: readonly Uint8Array[],
  entries: Uint32Array,
  hash: (from: number, count: number, host: number) => void,
): void {
  const memory = new Uint8Array(kernel.memory.buffer);
  const keyAddress = kernel.keyAddress();
  prefixes.forEach((prefix, host) => {
    const end = entries[host] as number;
    if (end === 0) return;
    memory.set(prefix, keyAddress);
    kernel.startHost(prefix.length);
    for (let from = 0; from < end; from += KEYS_PER_CALL) hash(from, Math.min(KEYS_PER_CALL, end - from), host);
  });
}

function takeRing(kernel: RingExports, total: number): SortedRing {
  const { buffer } = kernel.memory;
  const entries = new Uint32Array(buffer, kernel.recordsAddress(), 3 * total);
  const index = new Uint32Array(buffer, kernel.indexAddress(), 2 ** indexBits(total) + 1);
  const indexShift = 32 - indexBits(total);
  kept = buffer.byteLength <= KEPT_BYTES ? kernel : undefined;
  // A skewed ring needed much room beside its records, which a copy leaves behind.
  const spare = buffer.byteLength - entries.byteLength - index.byteLength;
  return total >= HANDED_OVER_ENTRIES && spare < entries.byteLength / 8
    ? { entries, index, indexShift }
    : { entries: entries.slice(), index: index.slice(), indexShift };
}
