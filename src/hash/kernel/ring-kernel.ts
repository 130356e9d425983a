import { assert } from '../../core/assert.js';
import { utf8 } from '../bytes.js';
import { ringWasm } from './generated/ring-wasm.js';
import type { RingRecipe, SortedRing } from './sorted-ring.js';
import { sumOfEntries } from './sorted-ring.js';

/** What `assembly/ring.ts` exports; its comments say more. */
interface RingExports {
  readonly memory: WebAssembly.Memory;
  keyAddress(): number;
  hashesAddress(): number;
  hostsAddress(): number;
  start(entries: number, keyCapacity: number, bucketBits: number, useMurmur: boolean): void;
  startHost(prefixLength: number): void;
  count(from: number, count: number): void;
  place(): number;
  scatter(from: number, count: number, host: number): void;
  startFinish(entries: number, capacity: number): void;
  finish(capacity: number): number;
}

/** Keys hashed per call: small enough that the engine can swap in its optimised code early in a large ring. */
const KEYS_PER_CALL = 1000;
/** Entries that come back per call, unless one bucket is larger. */
const ENTRIES_PER_PIECE = 65536;
/** log2 of the records that a bucket should have, so that it is sorted inside the cache. */
const BUCKET_BITS = 11;
const MAX_BUCKET_BITS = 14;
/** A larger memory is given back with its instance: linear memory cannot shrink. */
const KEPT_BYTES = 16 * 1024 * 1024;

let compiled: WebAssembly.Module | undefined;
/** A fresh instance costs more than a ring of 1024 entries; this one is reused while it stays small. */
let kept: RingExports | undefined;

/**
 * Hashes all keys of a ring and sorts them, in WebAssembly.
 *
 * The result is a copy of its own: 12 bytes an entry. While it works, the kernel's memory takes another 12.
 *
 * @throws AssertionError for 2²⁸ entries or more.
 */
export function sortRing(recipe: RingRecipe): SortedRing {
  const total = sumOfEntries(recipe);
  assert(total < 2 ** 28, `a ring of ${total} entries is beyond the kernel`);
  const ring = { hashes: new Uint32Array(2 * total), hosts: new Uint32Array(total) };
  if (total === 0) return ring;
  const prefixes = recipe.keys.map((key) => utf8(`${key}_`));
  const keyCapacity = prefixes.reduce((longest, prefix) => Math.max(longest, prefix.length), 0) + 32;
  const bucketBits = Math.min(MAX_BUCKET_BITS, Math.max(1, 31 - Math.clz32(total) - BUCKET_BITS));
  const kernel = kept ?? instantiate();
  kernel.start(total, keyCapacity, bucketBits, recipe.hashFunction === 'MURMUR_HASH_2');
  forEachKey(kernel, prefixes, recipe.entries, (from, count) => kernel.count(from, count));
  const capacity = Math.max(kernel.place(), Math.min(total, ENTRIES_PER_PIECE));
  forEachKey(kernel, prefixes, recipe.entries, (from, count, host) => kernel.scatter(from, count, host));
  collect(kernel, total, capacity, ring);
  kept = kernel.memory.buffer.byteLength <= KEPT_BYTES ? kernel : undefined;
  return ring;
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

/** Takes the sorted entries out piece by piece, so that the kernel never holds a second copy of the ring. */
function collect(kernel: RingExports, total: number, capacity: number, ring: SortedRing): void {
  kernel.startFinish(total, capacity);
  const { buffer } = kernel.memory;
  const hashesAddress = kernel.hashesAddress();
  const hostsAddress = kernel.hostsAddress();
  let done = 0;
  for (let count = kernel.finish(capacity); count > 0; count = kernel.finish(capacity)) {
    ring.hashes.set(new Uint32Array(buffer, hashesAddress, 2 * count), 2 * done);
    ring.hosts.set(new Uint32Array(buffer, hostsAddress, count), done);
    done += count;
  }
  assert(done === total, `the ring kernel gave ${done} of ${total} entries`);
}
