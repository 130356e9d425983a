import { assert } from '../../core/assert.js';
import { utf8 } from '../bytes.js';
import { ringWasm } from './generated/ring-wasm.js';
import type { RingRecipe, SortedRing } from './sorted-ring.js';
import { indexBits, sumOfEntries } from './sorted-ring.js';

/** The exports of `assembly/ring.ts`, which documents them. */
export interface HashKernel {
  readonly memory: WebAssembly.Memory;
  entriesAddress(): number;
  prefixEndsAddress(): number;
  prefixesAddress(): number;
  recordsAddress(): number;
  indexAddress(): number;
  start(
    hosts: number,
    entries: number,
    prefixBytes: number,
    longestPrefix: number,
    bucketBits: number,
    useMurmur: boolean,
  ): void;
  count(firstHost: number, endHost: number): void;
  place(): number;
  scatter(firstHost: number, endHost: number): void;
  startFinish(entries: number, largestBucket: number, indexBits: number): void;
  finish(): void;
  textAddress(length: number): number;
  hashText(length: number): number;
}

/** log2 of the records that a bucket should have: a bucket and its copy fit the second-level cache. */
const BUCKET_BITS = 15;
const MAX_BUCKET_BITS = 10;
/** A kernel with more memory is not kept: linear memory cannot shrink. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Larger rings are not copied out of the kernel's memory: that memory becomes the ring's. */
const HANDED_OVER_ENTRIES = 2 ** 22;

let compiled: WebAssembly.Module | undefined;
/** A fresh kernel costs more than a ring of 1024 entries; this one is reused while it stays small. */
let kept: HashKernel | undefined;

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
  const hosts = recipe.keys.length;
  const bucketBits = Math.min(MAX_BUCKET_BITS, Math.max(1, 31 - Math.clz32(total) - BUCKET_BITS));
  const kernel = kept ?? instantiate();
  const { bytes, longest } = roomForPrefixes(recipe.keys);
  kernel.start(hosts, total, bytes, longest, bucketBits, recipe.hashFunction === 'MURMUR_HASH_2');
  writeInput(kernel, recipe);
  kernel.count(0, hosts);
  const largestBucket = kernel.place();
  kernel.scatter(0, hosts);
  kernel.startFinish(total, largestBucket, indexBits(total));
  kernel.finish();
  return takeRing(kernel, total);
}

/** A kernel with a memory of its own. */
export function instantiate(): HashKernel {
  compiled ??= new WebAssembly.Module(codeOfKernel());
  return new WebAssembly.Instance(compiled, {}).exports as unknown as HashKernel;
}

/** Kernels that are made later need no time for it. */
export async function compileKernel(): Promise<void> {
  compiled ??= await WebAssembly.compile(codeOfKernel());
}

function codeOfKernel(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(ringWasm), (char) => char.charCodeAt(0));
}

/** Upper bounds: a UTF-16 unit takes up to three bytes of UTF-8. */
function roomForPrefixes(keys: readonly string[]): { bytes: number; longest: number } {
  let bytes = 0;
  let longest = 0;
  for (const { length } of keys) {
    bytes += 3 * length;
    longest = Math.max(longest, 3 * length);
  }
  return { bytes, longest };
}

function writeInput(kernel: HashKernel, { keys, entries }: RingRecipe): void {
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, kernel.entriesAddress(), keys.length).set(entries);
  const ends = new Uint32Array(buffer, kernel.prefixEndsAddress(), keys.length);
  const prefixes = new Uint8Array(buffer, kernel.prefixesAddress());
  let at = 0;
  keys.forEach((key, host) => {
    at = writeText(key, prefixes, at);
    ends[host] = at;
  });
}

/** Most texts are ASCII: a loop beats the call of an encoder. @returns where the text ends. */
export function writeText(text: string, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) {
      const encoded = utf8(text);
      bytes.set(encoded, at);
      return at + encoded.length;
    }
    bytes[at + i] = unit;
  }
  return at + text.length;
}

function takeRing(kernel: HashKernel, total: number): SortedRing {
  const { buffer } = kernel.memory;
  const entries = new Uint32Array(buffer, kernel.recordsAddress(), 3 * total);
  const index = new Uint32Array(buffer, kernel.indexAddress(), 2 ** indexBits(total) + 1);
  const indexShift = 32 - indexBits(total);
  kept = buffer.byteLength <= KEPT_BYTES ? kernel : undefined;
  // A skewed ring needed much memory beside its records, which a copy frees.
  const spare = buffer.byteLength - entries.byteLength - index.byteLength;
  return total >= HANDED_OVER_ENTRIES && spare < entries.byteLength / 8
    ? { entries, index, indexShift }
    : { entries: entries.slice(), index: index.slice(), indexShift };
}
