import { compareBytes } from '../core/byte-order.js';
import { mod } from '../core/u64.js';
import { xxhash64String } from '../hash/xxhash64.js';

const SEED_1 = { hi: 0, lo: 1 };

/** Where a host's walk over the slots begins, and how far each of its steps goes. */
export function maglevWalk(key: string, tableSize: number): { readonly offset: number; readonly skip: number } {
  const [offset, skip] = [xxhash64String(key), xxhash64String(key, SEED_1)];
  return { offset: mod(offset.hi, offset.lo, tableSize), skip: mod(skip.hi, skip.lo, tableSize - 1) + 1 };
}

/** The host of each turn of a round: by the bytes of their keys, equal keys as listed, or all as listed. */
export function turnsOf(keys: readonly string[], sortByKey: boolean): Uint32Array {
  const hosts = Uint32Array.from(keys.keys());
  const compare = (a: number, b: number): number => compareBytes(keys[a] as string, keys[b] as string) || a - b;
  // Mostly they are in order.
  return !sortByKey || hosts.every((host) => host === 0 || compare(host - 1, host) <= 0) ? hosts : hosts.sort(compare);
}
