import { BLOCK } from './layout';
import { keyLength, keyStart, setLastDigitZero } from './key';

// 64-bit MurmurHash2 as `std::hash<std::string>` of libstdc++. Source: Appleby, MurmurHash64A; the seed and the reading of the
// tail are those of libstdc++ `_Hash_bytes`.

const MULTIPLIER: u64 = 0xc6a4a7935bd1e995;
const SEED: u64 = 0xc70f6907;

@inline
function mix(value: u64): u64 {
  return value ^ (value >> 47);
}

@inline
function finish(hash: u64): u64 {
  return mix(mix(hash) * MULTIPLIER);
}

/** The state of a text of `length` bytes after its whole units from `at` to before `end`. */
@inline
function head(length: u32, at: usize, end: usize): u64 {
  let state: u64 = SEED ^ (<u64>length * MULTIPLIER);
  for (; at < end; at += 8) state = (state ^ (mix(load<u64>(at) * MULTIPLIER) * MULTIPLIER)) * MULTIPLIER;
  return state;
}

/** The last unit of `tail` bytes: those behind the text are not part of it. */
@inline
function tailUnit(at: usize, tail: u32): u64 {
  return load<u64>(at) & (((<u64>1) << (tail * 8)) - 1);
}

export function murmur2(address: usize, length: u32): u64 {
  const tail = length & 7;
  const end = address + (length - tail);
  const state = head(length, address, end);
  return finish(tail == 0 ? state : (state ^ tailUnit(end, tail)) * MULTIPLIER);
}

/** The same as tenXxHash64. */
export function tenMurmur2(first: u32, count: u32): void {
  const length = keyLength();
  const from = BLOCK + ((<usize>first) << 3);
  const to = from + ((<usize>count) << 3);
  setLastDigitZero();
  const tail = length & 7;
  const lastUnit = keyStart + length - (tail != 0 ? tail : 8);
  const state = head(length, keyStart, lastUnit);
  if (tail != 0) {
    let unit = tailUnit(lastUnit, tail);
    const step = (<u64>1) << ((tail - 1) * 8);
    for (let at = from; at < to; at += 8) {
      store<u64>(at, finish((state ^ unit) * MULTIPLIER));
      unit += step;
    }
  } else {
    let product = load<u64>(lastUnit) * MULTIPLIER;
    for (let at = from; at < to; at += 8) {
      store<u64>(at, finish((state ^ (mix(product) * MULTIPLIER)) * MULTIPLIER));
      product += MULTIPLIER << 56;
    }
  }
}
