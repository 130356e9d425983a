import type { U64 } from '../core/u64.js';
import { readU32, utf8 } from './bytes.js';
import type { Word64 } from './word64.js';
import { word64 } from './word64.js';

const PRIME_1 = word64(0x9e3779b1, 0x85ebca87);
const PRIME_2 = word64(0xc2b2ae3d, 0x27d4eb4f);
const PRIME_3 = word64(0x165667b1, 0x9e3779f9);
const PRIME_4 = word64(0x85ebca77, 0xc2b2ae63);
const PRIME_5 = word64(0x27d4eb2f, 0x165667c5);
const MINUS_PRIME_1 = word64(0x61c8864e, 0x7a143579);

const ZERO: U64 = { hi: 0, lo: 0 };

/**
 * xxHash64 with any seed, synchronous and without BigInt: the proxy's `XX_HASH`.
 * The twin of the kernel's (kernel/assembly/xxhash64.ts). For hosts and tables, where a few thousand strings are hashed;
 * requests use `createKeyHasher`, which calls the kernel.
 * Source: Collet, "xxHash fast digest algorithm", specification 0.1.1, XXH64.
 */
export function xxhash64(bytes: Uint8Array, seed: U64 = ZERO): U64 {
  const hash = word64(0, 0);
  let at = 0;
  if (bytes.length >= 32) {
    const lanes = [
      word64(seed.hi, seed.lo).add(PRIME_1).add(PRIME_2),
      word64(seed.hi, seed.lo).add(PRIME_2),
      word64(seed.hi, seed.lo),
      word64(seed.hi, seed.lo).add(MINUS_PRIME_1),
    ] as const;
    for (; at + 32 <= bytes.length; at += 32) {
      lanes.forEach((lane, i) => round(lane, readWord(bytes, at + 8 * i)));
    }
    const turn = word64(0, 0);
    lanes.forEach((lane, i) => hash.add(turn.copy(lane).rotateLeft([1, 7, 12, 18][i] as number)));
    for (const lane of lanes)
      hash
        .xor(round(word64(0, 0), lane))
        .multiply(PRIME_1)
        .add(PRIME_4);
  } else {
    hash.set(seed.hi, seed.lo).add(PRIME_5);
  }
  hash.addHalves(0, bytes.length);
  const unit = word64(0, 0);
  for (; at + 8 <= bytes.length; at += 8) {
    hash
      .xor(round(unit.set(0, 0), readWord(bytes, at)))
      .rotateLeft(27)
      .multiply(PRIME_1)
      .add(PRIME_4);
  }
  if (at + 4 <= bytes.length) {
    hash
      .xor(unit.set(0, readU32(bytes, at)).multiply(PRIME_1))
      .rotateLeft(23)
      .multiply(PRIME_2)
      .add(PRIME_3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash
      .xor(unit.set(0, bytes[at] as number).multiply(PRIME_5))
      .rotateLeft(11)
      .multiply(PRIME_1);
  }
  return hash.xorShiftRight(33).multiply(PRIME_2).xorShiftRight(29).multiply(PRIME_3).xorShiftRight(32).value();
}

export function xxhash64String(text: string, seed: U64 = ZERO): U64 {
  return xxhash64(utf8(text), seed);
}

/** xxHash64 of several strings, as the proxy hashes a list: each result is the seed of the next, from 0. */
export function xxhash64Chain(texts: Iterable<string>): U64 {
  let hash = ZERO;
  for (const text of texts) hash = xxhash64String(text, hash);
  return hash;
}

const scratch = word64(0, 0);

function round(lane: Word64, word: Word64): Word64 {
  return lane.add(scratch.copy(word).multiply(PRIME_2)).rotateLeft(31).multiply(PRIME_1);
}

function readWord(bytes: Uint8Array, at: number): Word64 {
  return word64(readU32(bytes, at + 4), readU32(bytes, at));
}
