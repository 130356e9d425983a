import type { HashKernel } from './kernel/kernel.js';
import { keepKernel, takeKernel, writeTexts } from './kernel/kernel.js';

/** This many texts, or bytes of them, go into the kernel at a time: its memory then stays in the cache. */
const BATCH = 4096;
const ROOM = 3 * 65_536;

/**
 * The hash of each key as requests carry it: xxHash64, seed 0. Shape [n, 2]: low half, high half.
 * Cost: O(n) for n characters, in WebAssembly, which reads them once; `createKeyHasher` is for keys that come one by one.
 */
export function hashKeys(keys: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(2 * keys.length);
  const kernel = takeKernel();
  for (let from = 0; from < keys.length;) from += hashSome(kernel, keys, from, hashes);
  keepKernel(kernel);
  return hashes;
}

/** @returns how many keys were hashed, beginning at `from`. */
function hashSome(kernel: HashKernel, keys: readonly string[], from: number, hashes: Uint32Array): number {
  const most = Math.min(BATCH, keys.length - from);
  // A UTF-16 unit takes up to three bytes of UTF-8.
  const room = Math.max(ROOM, 3 * (keys[from]?.length ?? 0));
  kernel.startTexts(most, room);
  const { buffer } = kernel.memory;
  const ends = new Uint32Array(buffer, kernel.textEndsAddress(), most);
  const count = writeTexts(keys, from, new Uint8Array(buffer, kernel.textsAddress(), room), ends);
  kernel.hashTexts(count);
  hashes.set(new Uint32Array(buffer, kernel.textHashesAddress(), 2 * count), 2 * from);
  return count;
}
