import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../src/core/u64.js';
import { type HashFunction, hashString } from '../../src/hash/text-hashes.js';
import { sortRing } from '../../src/hash/kernel/ring-kernel.js';
import { sortRingInTypeScript } from './ring-twin.js';
import type { RingRecipe } from '../../src/hash/kernel/ring-kernel.js';

const FUNCTIONS: readonly HashFunction[] = ['XX_HASH', 'MURMUR_HASH_2'];

function expectTwins(recipe: RingRecipe): void {
  const ring = sortRing(recipe);
  const twin = sortRingInTypeScript(recipe);
  // Compared as bytes: a deep comparison of typed arrays takes longer than both rings.
  const bytes = (array: Uint32Array): Buffer => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  expect(bytes(ring.entries).equals(bytes(twin.entries))).toBe(true);
  expect(bytes(ring.index).equals(bytes(twin.index))).toBe(true);
  expect(ring.indexShift).toBe(twin.indexShift);
}

const hosts = (keys: readonly string[], entries: readonly number[], hashFunction: HashFunction): RingRecipe => ({
  keys,
  entries: Uint32Array.from(entries),
  hashFunction,
});

describe.each(FUNCTIONS)('ring kernel, %s', (hashFunction) => {
  it('is its TypeScript twin for prefixes of 1 to 120 bytes', () => {
    for (let length = 1; length <= 120; length++) {
      // 1,234 keys: numbers of one to four digits, so that each last unit is met at each length.
      expectTwins(hosts(['k'.repeat(length)], [1234], hashFunction));
    }
  });

  it('is its twin up to six digits', () => {
    expectTwins(hosts(['10.0.0.1:80', 'x'.repeat(63)], [100_011, 10_001], hashFunction));
  });

  it('sorts a large ring, and has the keys around each power of ten', () => {
    // Large enough to stay in the kernel's memory.
    const {
      entries: ring,
      index,
      indexShift,
    } = sortRing(hosts(['10.0.0.1:80', '10.0.0.2:80'], [1_000_020, 3_300_000], hashFunction));
    const expected = new Set<string>();
    const highHalves = new Set<number>();
    for (const power of [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]) {
      for (const number of [power - 1, power, power + 1, power + 10, power + 19]) {
        const { hi, lo } = hashString(`10.0.0.1:80_${number}`, hashFunction);
        expected.add(`${hi}/${lo}`);
        highHalves.add(hi);
      }
    }
    let outOfOrder = 0;
    let wrongSlots = 0;
    let before = { hi: 0, lo: 0 };
    for (let i = 0; i < ring.length; i += 3) {
      const here = { hi: ring[i + 1] as number, lo: ring[i] as number };
      if (compare(before.hi, before.lo, here.hi, here.lo) > 0) outOfOrder++;
      if (highHalves.has(here.hi)) expected.delete(`${here.hi}/${here.lo}`);
      const slot = here.hi >>> indexShift;
      if (slot !== before.hi >>> indexShift && index[slot] !== i / 3) wrongSlots++;
      before = here;
    }
    expect(outOfOrder).toBe(0);
    expect(wrongSlots).toBe(0);
    expect(index.at(-1)).toBe(4_300_020);
    expect([...expected]).toEqual([]);
  });

  it('is its twin for any hosts', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            key: fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
            entries: fc.oneof(fc.nat(12), fc.nat(3000)),
          }),
          { maxLength: 8 },
        ),
        (list) =>
          expectTwins(
            hosts(
              list.map((host) => host.key),
              list.map((host) => host.entries),
              hashFunction,
            ),
          ),
      ),
      { numRuns: 40 },
    );
  });

  it('keeps the order of generation for equal hashes, however many', () => {
    // Hosts with one key hash alike, so each hash comes 400 times: every bucket takes the merge.
    expectTwins(
      hosts(
        Array.from({ length: 400 }, () => 'same'),
        Array.from({ length: 400 }, (_, i) => i % 97),
        hashFunction,
      ),
    );
    expectTwins(hosts(['same', 'other', 'same', 'same'], [5000, 5000, 4000, 5000], hashFunction));
    // A single hash: one bucket of all records, and nothing to sort by.
    expectTwins(
      hosts(
        Array.from({ length: 70_000 }, () => 'same'),
        Array.from({ length: 70_000 }, () => 1),
        hashFunction,
      ),
    );
  });

  it('is not disturbed by the ring before', () => {
    const small = hosts(['a', 'b'], [10, 20], hashFunction);
    const before = sortRing(small);
    sortRing(hosts(['x'.repeat(1000), 'y'], [70_000, 3], hashFunction));
    sortRing(hosts(['large'], [1_500_000], hashFunction));
    expect(sortRing(small)).toEqual(before);
    expectTwins(small);
  });

  it('makes an empty ring of no entries', () => {
    expectTwins(hosts([], [], hashFunction));
    expectTwins(hosts(['a', 'b'], [0, 0], hashFunction));
  });
});
