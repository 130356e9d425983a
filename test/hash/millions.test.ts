/** What the kernel computes beside its plain twins, for millions of keys: those that a run, a prediction or a matrix asks for. */
import { expect, it } from 'vitest';
import { sortRing } from '../../src/hash/kernel/ring-kernel.js';
import { sortRingInTypeScript } from './ring-twin.js';
import type { RingRecipe } from '../../src/hash/kernel/ring-kernel.js';
import xxhash from 'xxhash-wasm';
import { createKeyHasher, hashKeys } from '../../src/hash/text-hashes.js';
import { fromBigInt } from '../../src/core/u64.js';
import { maglevSlots } from '../support/maglev-twin.js';
import { buildMaglev, buildRing, hostsOfHashes, weightedHosts } from '../../src/policies/index.js';

const KEYS = 2_000_000;

/** Half of them users, half of 0 to 40 bytes, which meet each last unit and a whole stripe. */
function keyOf(i: number): string {
  return i % 2 === 0 ? `user-${i}` : `${i}`.padEnd(i % 41, '/path?q=').slice(0, i % 41);
}

const oracle = await xxhash();

/** By xxhash-wasm. Shape [n, 2]: low half, high half. */
const hashes = new Uint32Array(2 * KEYS);
for (let i = 0; i < KEYS; i++) {
  const { hi, lo } = fromBigInt(oracle.h64(keyOf(i)));
  hashes[2 * i] = lo;
  hashes[2 * i + 1] = hi;
}

const HOSTS = weightedHosts(
  Array.from({ length: 100 }, (_, i) => `10.0.0.${i}:80`),
  Array.from({ length: 100 }, (_, i) => 1 + (i % 7)),
);

/** Of what two sides say, how many differ: comparing typed arrays deeply would take longer than the rest. */
function differences(ones: ArrayLike<number>, others: ArrayLike<number>): number {
  expect(ones.length).toBe(others.length);
  let count = 0;
  for (let i = 0; i < ones.length; i++) if (ones[i] !== others[i]) count++;
  return count;
}

it('hashes two million keys as xxhash-wasm does, at once and one by one', async () => {
  const keys = Array.from({ length: KEYS }, (_, i) => keyOf(i));
  expect(differences(hashKeys(keys), hashes)).toBe(0);
  const hasher = await createKeyHasher();
  const single = new Uint32Array(2 * KEYS);
  const out = { hi: 0, lo: 0 };
  keys.forEach((key, i) => {
    hasher.hash(key, out);
    single[2 * i] = out.lo;
    single[2 * i + 1] = out.hi;
  });
  expect(differences(single, hashes)).toBe(0);
});

it('makes a ring of half a million entries as its twin does', () => {
  const recipe: RingRecipe = {
    keys: HOSTS.keys,
    entries: Uint32Array.from(HOSTS.keys, (_, host) => 4000 + 25 * host),
    hashFunction: 'XX_HASH',
  };
  const [ring, twin] = [sortRing(recipe), sortRingInTypeScript(recipe)];
  expect(ring.entries.length).toBe(3 * 523_750);
  expect(differences(ring.entries, twin.entries)).toBe(0);
  expect(differences(ring.index, twin.index)).toBe(0);
});

it.each([1024, 65_536])('finds millions of keys on a ring of %i as bisection does', (entries) => {
  const ring = buildRing(HOSTS, { minimumRingSize: entries, maximumRingSize: entries });
  const places = ring.entries;
  // And each entry's own hash, with those beside it.
  const own = new Uint32Array(6 * ring.entryCount);
  for (let entry = 0; entry < ring.entryCount; entry++) {
    const [lo, hi] = [places[3 * entry] as number, places[3 * entry + 1] as number];
    own.set([lo, hi, lo + 1, lo === 0xffffffff ? hi + 1 : hi, lo - 1, lo === 0 ? hi - 1 : hi], 6 * entry);
  }
  for (const asked of [hashes, own]) {
    const found = Int32Array.from({ length: asked.length / 2 }, (_, i) => {
      const [lo, hi] = [asked[2 * i] as number, asked[2 * i + 1] as number];
      let [low, high] = [0, ring.entryCount];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const here = places[3 * middle + 1] as number;
        if (here < hi || (here === hi && (places[3 * middle] as number) < lo)) low = middle + 1;
        else high = middle;
      }
      return places[3 * (low % ring.entryCount) + 2] as number;
    });
    expect(differences(hostsOfHashes(ring, asked), found)).toBe(0);
  }
});

it('fills Maglev tables of a million slots as its twin does, and finds millions of keys in them', () => {
  for (const tableSize of [65_537, 1_000_003]) {
    const table = buildMaglev(HOSTS, { tableSize });
    const slots = maglevSlots(HOSTS, { tableSize, sortByKey: true, singleHostShortcut: false });
    expect(differences(table.slots, slots)).toBe(0);
    // (hi mod n) · 2³² + lo stays below 2⁵³.
    const found = Int32Array.from({ length: KEYS }, (_, i) => {
      const [lo, hi] = [hashes[2 * i] as number, hashes[2 * i + 1] as number];
      return slots[((hi % tableSize) * 2 ** 32 + lo) % tableSize] as number;
    });
    expect(differences(hostsOfHashes(table, hashes), found)).toBe(0);
  }
});
