import { compareBytes } from '../core/byte-order.js';
import type { MaglevTableConfig } from './maglev-table.js';
import { maglevWalk } from './maglev-walks.js';
import type { WeightedHosts } from './table-policy.js';

/**
 * MAGLEV as the paper lists it, with the proxy's weights: in plain steps, and slow for large tables. It is here to be read,
 * and tests compare the kernel with it.
 *
 * Example: three hosts, 7 slots. Each prefers the slots in its own order
 *   10.0.0.1:80  begins at 6, steps of 5: 6 4 2 0 5 3 1
 *   10.0.0.2:80  begins at 4, steps of 4: 4 1 5 2 6 3 0
 *   10.0.0.3:80  begins at 3, steps of 6: 3 2 1 0 6 5 4
 * and they take turns, each the first of its slots that is free:
 *   slot  0 1 2 3 4 5 6
 *   host  3 2 1 3 2 1 1
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
