import { BLOCK } from './layout';
import { digitsAt, keyLength, keyStart, placeKey, setLastDigitZero } from './key';

const PRIME_1: u64 = 0x9e3779b185ebca87;
const PRIME_2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME_3: u64 = 0x165667b19e3779f9;
const PRIME_4: u64 = 0x85ebca77c2b2ae63;
const PRIME_5: u64 = 0x27d4eb2f165667c5;

/** The four lanes after those stripes of 32 bytes that no digit reaches: the same for all keys of a host. */
let lane1: u64 = 0;
let lane2: u64 = 0;
let lane3: u64 = 0;
let lane4: u64 = 0;
let lanesEnd: u32 = 0;

@inline
function round(lane: u64, word: u64): u64 {
  return rotl<u64>(lane + word * PRIME_2, 31) * PRIME_1;
}

@inline
function avalanche(hash: u64): u64 {
  hash = (hash ^ (hash >> 33)) * PRIME_2;
  hash = (hash ^ (hash >> 29)) * PRIME_3;
  return hash ^ (hash >> 32);
}

export function startXxHash64(): void {
  startLanes(digitsAt() & ~31, 0);
}

/** xxHash64 of some bytes. */
export function xxHash64(address: usize, length: u32, seed: u64): u64 {
  placeKey(address);
  // Most texts have no whole stripe.
  if (length >= 32) startLanes(length & ~31, seed);
  return avalanche(head(length, length, seed));
}

function startLanes(length: u32, seed: u64): void {
  let v1: u64 = seed + PRIME_1 + PRIME_2;
  let v2: u64 = seed + PRIME_2;
  let v3: u64 = seed;
  let v4: u64 = seed - PRIME_1;
  lanesEnd = length;
  for (let at = keyStart, end = keyStart + lanesEnd; at < end; at += 32) {
    v1 = round(v1, load<u64>(at));
    v2 = round(v2, load<u64>(at, 8));
    v3 = round(v3, load<u64>(at, 16));
    v4 = round(v4, load<u64>(at, 24));
  }
  lane1 = v1;
  lane2 = v2;
  lane3 = v3;
  lane4 = v4;
}

/** The state after the first `end` bytes of a key of `length` bytes; what is left is one unit of 8, 4 or 1 bytes, or none. */
function head(length: u32, end: u32, seed: u64 = 0): u64 {
  let at = keyStart;
  const stop = keyStart + end;
  let hash: u64 = seed + PRIME_5;
  if (length >= 32) {
    let v1 = lane1;
    let v2 = lane2;
    let v3 = lane3;
    let v4 = lane4;
    for (at = keyStart + lanesEnd; at + 32 <= stop; at += 32) {
      v1 = round(v1, load<u64>(at));
      v2 = round(v2, load<u64>(at, 8));
      v3 = round(v3, load<u64>(at, 16));
      v4 = round(v4, load<u64>(at, 24));
    }
    hash = rotl<u64>(v1, 1) + rotl<u64>(v2, 7) + rotl<u64>(v3, 12) + rotl<u64>(v4, 18);
    hash = (hash ^ round(0, v1)) * PRIME_1 + PRIME_4;
    hash = (hash ^ round(0, v2)) * PRIME_1 + PRIME_4;
    hash = (hash ^ round(0, v3)) * PRIME_1 + PRIME_4;
    hash = (hash ^ round(0, v4)) * PRIME_1 + PRIME_4;
  }
  hash += length;
  for (; at + 8 <= stop; at += 8) {
    hash = rotl<u64>(hash ^ round(0, load<u64>(at)), 27) * PRIME_1 + PRIME_4;
  }
  if (at + 4 <= stop) {
    hash = rotl<u64>(hash ^ (<u64>load<u32>(at) * PRIME_1), 23) * PRIME_2 + PRIME_3;
    at += 4;
  }
  for (; at < stop; at++) {
    hash = rotl<u64>(hash ^ (<u64>load<u8>(at) * PRIME_5), 11) * PRIME_1;
  }
  return hash;
}

/**
 * Hashes of the first `count` of the ten keys of the stem, written as u64 from BLOCK + 8·first on.
 *
 * Ten keys differ in their last digit alone, so all but the last unit is hashed once; and as the last digit is the top
 * byte of that unit, the unit's product goes up by the same amount from key to key.
 */
export function tenXxHash64(first: u32, count: u32): void {
  const length = keyLength();
  const from = BLOCK + ((<usize>first) << 3);
  const to = from + ((<usize>count) << 3);
  setLastDigitZero();
  const last = keyStart + length;
  const rest = length & 31;
  if ((rest & 3) != 0) {
    const state = head(length, length - 1);
    let product: u64 = 48 * PRIME_5;
    for (let at = from; at < to; at += 8) {
      store<u64>(at, avalanche(rotl<u64>(state ^ product, 11) * PRIME_1));
      product += PRIME_5;
    }
  } else if ((rest & 4) != 0) {
    const state = head(length, length - 4);
    let product: u64 = <u64>load<u32>(last - 4) * PRIME_1;
    for (let at = from; at < to; at += 8) {
      store<u64>(at, avalanche(rotl<u64>(state ^ product, 23) * PRIME_2 + PRIME_3));
      product += PRIME_1 << 24;
    }
  } else if (rest != 0) {
    const state = head(length, length - 8);
    let product: u64 = load<u64>(last - 8) * PRIME_2;
    for (let at = from; at < to; at += 8) {
      const word = rotl<u64>(product, 31) * PRIME_1;
      store<u64>(at, avalanche(rotl<u64>(state ^ word, 27) * PRIME_1 + PRIME_4));
      product += PRIME_2 << 56;
    }
  } else {
    // The last unit is a whole stripe: nothing to share.
    for (let at = from; at < to; at += 8) {
      store<u64>(at, avalanche(head(length, length)));
      store<u8>(last - 1, load<u8>(last - 1) + 1);
    }
  }
}
