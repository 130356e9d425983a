import type { U64 } from '../core/u64.js';
import type { HashKernel } from './kernel/generated/kernel-types.js';
import { compileKernel, instantiate, keepKernel, takeKernel, writeText, writeTexts } from './kernel/kernel.js';

/** Hash functions of a ring; the names are the schema's. */
export type HashFunction = 'XX_HASH' | 'MURMUR_HASH_2';

const ZERO: U64 = { hi: 0, lo: 0 };

/** Bytes that most texts fit into. */
const USUAL_ROOM = 4096;

/** A kernel with memory of its own, for texts that come one by one. */
class TextKernel {
  private readonly kernel = instantiate();
  private room = 0;
  private address = 0;
  private bytes = new Uint8Array();
  private words = new Uint32Array();

  constructor() {
    this.makeRoom(USUAL_ROOM);
  }

  /** xxHash64 of a text, written into `out`. */
  hash(text: string | Uint8Array, seed: U64 = ZERO, out = { hi: 0, lo: 0 }): U64 {
    return this.read(this.kernel.hashText(this.write(text), seed.hi, seed.lo), out);
  }

  /** The same with MurmurHash2. */
  murmur(text: string | Uint8Array): U64 {
    return this.read(this.kernel.murmurText(this.write(text)), { hi: 0, lo: 0 });
  }

  /** @returns how many bytes it has. */
  private write(text: string | Uint8Array): number {
    // A UTF-16 unit takes up to three bytes of UTF-8.
    if (3 * text.length > this.room) this.makeRoom(3 * text.length);
    if (typeof text === 'string') return writeText(text, this.bytes, this.address) - this.address;
    this.bytes.set(text, this.address);
    return text.length;
  }

  private read(address: number, out: { hi: number; lo: number }): U64 {
    const at = address >>> 2;
    out.lo = this.words[at] as number;
    out.hi = this.words[at + 1] as number;
    return out;
  }

  private makeRoom(length: number): void {
    this.room = length;
    this.address = this.kernel.textAddress(length);
    this.bytes = new Uint8Array(this.kernel.memory.buffer);
    this.words = new Uint32Array(this.kernel.memory.buffer);
  }
}

let kernel: TextKernel | undefined;

/** One for all: it keeps nothing from text to text. */
const ofTexts = (): TextKernel => (kernel ??= new TextKernel());

/** Hashes the key of a request as the proxy's hash policies do: xxHash64, seed 0, written into `out`. */
export const hashInto = (key: string, out: { hi: number; lo: number }): U64 => ofTexts().hash(key, ZERO, out);

/** Hashes the key of a request as the proxy's hash policies do: xxHash64, seed 0. */
export interface KeyHasher {
  /** Synchronous; writes the hash into `out` as two unsigned 32-bit halves. */
  hash(key: string, out: { hi: number; lo: number }): void;
}

/** Its code is compiled asynchronously; a hash that is asked for before compiles it at once. */
export async function createKeyHasher(): Promise<KeyHasher> {
  await compileKernel();
  return { hash: hashInto };
}

/**
 * xxHash64 with any seed: the proxy's `XX_HASH`.
 * Source: Collet, "xxHash fast digest algorithm", specification 0.1.1, XXH64.
 */
export const xxhash64 = (bytes: Uint8Array, seed?: U64): U64 => ofTexts().hash(bytes, seed);

export const xxhash64String = (text: string, seed?: U64): U64 => ofTexts().hash(text, seed);

/** xxHash64 of several strings, as the proxy hashes a list: each result is the seed of the next, from 0. */
export function xxhash64Chain(texts: Iterable<string>): U64 {
  let hash = ZERO;
  for (const text of texts) hash = ofTexts().hash(text, hash);
  return hash;
}

/** 64-bit MurmurHash2 as `std::hash<std::string>` of libstdc++: the proxy's `MURMUR_HASH_2`. Source: Appleby, MurmurHash64A. */
export const murmur2 = (bytes: Uint8Array): U64 => ofTexts().murmur(bytes);

export const murmur2String = (text: string): U64 => ofTexts().murmur(text);

export const hashString = (text: string, hashFunction: HashFunction): U64 =>
  hashFunction === 'XX_HASH' ? ofTexts().hash(text) : ofTexts().murmur(text);

/** This many texts, or bytes of them, go into the kernel at a time: its memory then stays in the cache. */
const BATCH = 4096;
const ROOM = 3 * 65_536;

/**
 * The hash of each key as requests carry it: xxHash64, seed 0. Shape [n, 2]: low half, high half.
 * Cost: O(n) for n characters, in WebAssembly, which reads them once.
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
