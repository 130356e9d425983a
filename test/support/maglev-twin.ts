import { compareBytes } from '../../src/core/byte-order.js';
import { mod } from '../../src/core/u64.js';
import { xxhash64String } from '../../src/hash/text-hashes.js';
import type { MaglevTableConfig } from '../../src/policy/maglev.js';
import type { WeightedHosts } from '../../src/policy/policy-kinds.js';

const SEED_1 = { hi: 0, lo: 1 };

/** Where a host's walk over the slots begins, and how far each of its steps goes. */
export function maglevWalk(key: string, tableSize: number): { readonly offset: number; readonly skip: number } {
  const [offset, skip] = [xxhash64String(key), xxhash64String(key, SEED_1)];
  return { offset: mod(offset.hi, offset.lo, tableSize), skip: mod(skip.hi, skip.lo, tableSize - 1) + 1 };
}

/**
 * MAGLEV as the paper lists it, with the proxy's weights: in plain steps, and slow for large tables. Tests compare the
 * kernel with it.
 *
 * Source: Eisenbud et al., NSDI 2016, §3.4, pseudocode 1.
 *
 * @returns the host of each slot, by its index in `hosts`.
 */
export function maglevSlots(hosts: WeightedHosts, { tableSize, sortByKey }: MaglevTableConfig): number[] {
  const walks = hosts.keys.map((key, host) => ({ host, key, ...maglevWalk(key, tableSize), steps: 0, target: 0 }));
  if (sortByKey) walks.sort((a, b) => compareBytes(a.key, b.key));
  const slots = new Array<number>(tableSize).fill(-1);
  let free = walks.length === 0 ? 0 : tableSize;
  for (let round = 1; free > 0; round++) {
    for (const walk of walks) {
      if (free === 0) break;
      // A host of half the weight takes a turn in every second round.
      if (round * (hosts.weights[walk.host] as number) < walk.target) continue;
      walk.target += hosts.maxWeight;
      let slot: number;
      do slot = (walk.offset + walk.skip * walk.steps++) % tableSize;
      while (slots[slot] !== -1);
      slots[slot] = walk.host;
      free--;
    }
  }
  return slots;
}
