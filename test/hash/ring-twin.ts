import { compare } from '../../src/core/u64.js';
import { hashString } from '../../src/hash/text-hashes.js';
import type { RingRecipe, SortedRing } from '../../src/hash/kernel/ring-kernel.js';
import { indexBits, sumOfEntries } from '../../src/hash/kernel/ring-kernel.js';

/**
 * The computation of the ring kernel in plain TypeScript: tests compare the kernel with it.
 *
 * Cost: O(n log n) comparisons and some 1 µs of hashing per entry.
 */
export function sortRingInTypeScript(recipe: RingRecipe): SortedRing {
  const total = sumOfEntries(recipe);
  const hi = new Uint32Array(total);
  const lo = new Uint32Array(total);
  const hostOf = new Uint32Array(total);
  let entry = 0;
  recipe.keys.forEach((key, host) => {
    for (let i = 0; i < (recipe.entries[host] as number); i++) {
      const hash = hashString(`${key}_${i}`, recipe.hashFunction);
      hi[entry] = hash.hi;
      lo[entry] = hash.lo;
      hostOf[entry++] = host;
    }
  });
  const order = Uint32Array.from({ length: total }, (_, i) => i).sort(
    (a, b) => compare(hi[a] as number, lo[a] as number, hi[b] as number, lo[b] as number) || a - b,
  );
  const entries = new Uint32Array(3 * total);
  order.forEach((from, to) => entries.set([lo[from] as number, hi[from] as number, hostOf[from] as number], 3 * to));
  return { entries, ...indexOf(entries) };
}

function indexOf(entries: Uint32Array): Pick<SortedRing, 'index' | 'indexShift'> {
  const bits = indexBits(entries.length / 3);
  const indexShift = 32 - bits;
  const index = new Uint32Array(2 ** bits + 1);
  let entry = 0;
  for (let slot = 0; slot < index.length; slot++) {
    while (3 * entry < entries.length && (entries[3 * entry + 1] as number) >>> indexShift < slot) entry++;
    index[slot] = entry;
  }
  return { index, indexShift };
}
