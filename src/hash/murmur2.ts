import type { U64 } from '../core/u64.js';
import { readU32, utf8 } from './bytes.js';
import { word64 } from './word64.js';

const MULTIPLIER = word64(0xc6a4a793, 0x5bd1e995);
/** The seed of libstdc++ for `std::hash<std::string>`. */
const SEED_LO = 0xc70f6907;

/**
 * 64-bit MurmurHash2 as `std::hash<std::string>` of libstdc++: the proxy's `MURMUR_HASH_2`.
 * Source: Appleby, MurmurHash64A; the seed and the reading of the tail are those of libstdc++ `_Hash_bytes`.
 */
export function murmur2(bytes: Uint8Array): U64 {
  const { length } = bytes;
  const hash = word64(0, length).multiply(MULTIPLIER).xor(word64(0, SEED_LO));
  const unit = word64(0, 0);
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    unit
      .set(readU32(bytes, at + 4), readU32(bytes, at))
      .multiply(MULTIPLIER)
      .xorShiftRight(47)
      .multiply(MULTIPLIER);
    hash.xor(unit).multiply(MULTIPLIER);
  }
  if (at < length) {
    const tail = new Uint8Array(8);
    tail.set(bytes.subarray(at));
    hash.xor(unit.set(readU32(tail, 4), readU32(tail, 0))).multiply(MULTIPLIER);
  }
  return hash.xorShiftRight(47).multiply(MULTIPLIER).xorShiftRight(47).value();
}

export function murmur2String(text: string): U64 {
  return murmur2(utf8(text));
}
