import { BLOCK } from './layout';
import { keyLength, keyStart, setLastDigitZero } from './key';

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

/** The same as tenXxHash64, with libstdc++'s 64-bit MurmurHash2. */
export function tenMurmur2(first: u32, count: u32): void {
  const length = keyLength();
  const from = BLOCK + ((<usize>first) << 3);
  const to = from + ((<usize>count) << 3);
  setLastDigitZero();
  const tail = length & 7;
  const lastUnit = keyStart + length - (tail != 0 ? tail : 8);
  let state: u64 = SEED ^ (<u64>length * MULTIPLIER);
  for (let at = keyStart; at < lastUnit; at += 8) {
    state = (state ^ (mix(load<u64>(at) * MULTIPLIER) * MULTIPLIER)) * MULTIPLIER;
  }
  if (tail != 0) {
    // Bytes behind the key are not part of it.
    let unit = load<u64>(lastUnit) & (((<u64>1) << (tail * 8)) - 1);
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
