import { describe, expect, it } from 'vitest';
import { hashString } from '../../src/hash/text-hashes.js';
import { maglev, type MaglevTable } from '../../src/policy/maglev.js';
import { ringHash, type RingTable } from '../../src/policy/ring-hash.js';
import {
  buildsPureTables,
  fillsItsSlots,
  keysFollowEntries,
  type LawOptions,
  type ListedTables,
  looksUpItsHosts,
  placesItsPoints,
  reachesEveryEntry,
  retriesElsewhere,
  type TableKind,
  walksItsRing,
  type WeightedHosts,
  weightedHosts,
} from '../../src/testing/index.js';
import { compareBytes } from '../../src/core/byte-order.js';
import { reasonOf } from './falsified.js';
import type { MaglevMistakes, PlainTable, RingMistakes } from './plain-tables.js';
import { plainMaglev, plainRing, pointOf, walkOf } from './plain-tables.js';

/** Tables that pass every law that looks at hosts alone, and are wrong; and right ones, which no law may fail. */

const inOrder = (keys: readonly string[]): number[] => [...keys.keys()];
const byKey = (keys: readonly string[]): number[] =>
  inOrder(keys).sort((a, b) => compareBytes(keys[a] ?? '', keys[b] ?? ''));

function holdsForAll<Config, Table>(subject: ListedTables<Config, Table>, kind: TableKind): void {
  it('builds pure tables', () => buildsPureTables(subject));
  it('looks up its hosts', () => looksUpItsHosts(subject));
  it('gives keys to its entries', () => keysFollowEntries(subject, kind));
  it('reaches every entry', () => reachesEveryEntry(subject));
  it('leads a further attempt elsewhere', () => retriesElsewhere(subject));
}

describe.each(['XX_HASH', 'MURMUR_HASH_2'] as const)('our ring by %s', (hashFunction) => {
  const config = { minimumRingSize: 256, maximumRingSize: 8388608, hashFunction };
  const entriesPerHost = (table: RingTable): Uint32Array => table.entriesPerHost;
  const subject = { policy: ringHash, config, entriesPerHost, entries: (table: RingTable) => ringHash.entries(table) };
  holdsForAll(subject, 'points');
  it('walks its ring upwards', () => walksItsRing(subject));
  it('places the points of its hosts', () => {
    placesItsPoints(subject, (key, index) => hashString(`${key}_${String(index)}`, hashFunction));
  });
});

describe.each(['1.17', '1.40'] as const)('our Maglev table at %s', (version) => {
  const config = maglev.configOf({ maglev: { tableSize: 251 } }, version);
  const entriesPerHost = (table: MaglevTable): Uint32Array => table.entriesPerHost;
  const subject = { policy: maglev, config, entriesPerHost, entries: (table: MaglevTable) => maglev.entries(table) };
  holdsForAll(subject, 'slots');
  it('fills its slots in turns', () => fillsItsSlots(subject, walkOf, config.sortByKey ? byKey : inOrder));
});

const SEARCH: LawOptions = { seed: 1 };

describe('a law of tables fails a ring', () => {
  const low = (key: string, index: number): { hi: number; lo: number } => ({ ...pointOf(key, index), hi: 0 });

  it('whose hash lost its high word', async () => {
    const wrong = plainRing({ point: low });
    expect(await reasonOf(() => keysFollowEntries(wrong, 'points'))).toMatch(/^host \d has (0|4000) of 4000 keys/);
    expect(await reasonOf(() => placesItsPoints(wrong, pointOf, SEARCH))).toMatch(/has no entry at/);
    expect(() => walksItsRing(wrong, SEARCH)).not.toThrow();
  });

  it('with all points in one half of the circle', async () => {
    const half = plainRing({
      point: (key, index) => ({ ...pointOf(key, index), hi: pointOf(key, index).hi >>> 1 }),
    });
    expect(await reasonOf(() => keysFollowEntries(half, 'points'))).toMatch(/^host \d has \d+ of 4000 keys/);
  });

  it.each<[string, RingMistakes, RegExp]>([
    ['that takes the entry after the one that a hash meets', { owns: (at, hash) => at > hash }, /^hash \d+ gives host/],
    ['whose entries stand as text', { order: (a, b) => (String(a) < String(b) ? -1 : 1) }, /^hash \d+ gives host/],
  ])('%s', async (_, mistakes, reason) => {
    expect(await reasonOf(() => reachesEveryEntry(plainRing(mistakes), SEARCH))).toMatch(reason);
    expect(() => looksUpItsHosts(plainRing(mistakes), SEARCH)).not.toThrow();
  });

  it.each<[string, RingMistakes, RegExp]>([
    ['whose entries stand as text', { order: (a, b) => (String(a) < String(b) ? -1 : 1) }, /stands behind that at/],
    ['that does not close', { closes: false }, /^hash \d+, attempt \d, gives host/],
    ['that does not hear of retries', { retries: false }, /attempt [12], gives host/],
  ])('%s, by its walk', async (_, mistakes, reason) => {
    expect(await reasonOf(() => walksItsRing(plainRing(mistakes), SEARCH))).toMatch(reason);
  });
});

describe('a law of tables fails what is counted', () => {
  it('where a host has one entry more than its table', async () => {
    const wrong = { ...plainRing(), entriesPerHost: ({ counts }: PlainTable) => counts.map((count) => count + 1) };
    expect(await reasonOf(() => reachesEveryEntry(wrong, SEARCH))).toMatch(/entries in the list, and .* are counted$/);
  });
});

describe('a law of tables fails a Maglev table', () => {
  const config = maglev.configOf({ maglev: { tableSize: 251 } }, '1.40');
  const ours = {
    policy: maglev,
    config,
    entriesPerHost: (table: MaglevTable): Uint32Array => table.entriesPerHost,
    entries: (table: MaglevTable) => maglev.entries(table),
  };

  it('whose hosts all take as many turns, whatever they weigh', async () => {
    const flat = {
      ...ours,
      policy: { ...maglev, build: ({ keys }: WeightedHosts) => maglev.build(weightedHosts(keys), config) },
    };
    const weighted = { ...SEARCH, weighted: true };
    expect(await reasonOf(() => fillsItsSlots(flat, walkOf, byKey, weighted))).toMatch(/^slot \d+ has host \d+, and/);
    expect(() => fillsItsSlots(flat, walkOf, byKey, SEARCH)).not.toThrow();
    fillsItsSlots(ours, walkOf, byKey, { weighted: true });
  });

  it.each<[string, MaglevMistakes['walk']]>([
    ['that has all walks start at slot 0', (key, slots) => ({ ...walkOf(key, slots), offset: 0 })],
    ['that takes slots one after the other', (key, slots) => ({ ...walkOf(key, slots), skip: 1 })],
    [
      'that hashes with one seed for both',
      (key, slots) => {
        const hash = toBigIntOf(key);
        return { offset: Number(hash % BigInt(slots)), skip: Number(hash % BigInt(slots - 1)) + 1 };
      },
    ],
  ])('%s', async (_, walk) => {
    const wrong = plainMaglev({ ...(walk && { walk }) });
    expect(await reasonOf(() => fillsItsSlots(wrong, walkOf, inOrder, SEARCH))).toMatch(/^slot \d+ has host \d+, and/);
    expect(() => reachesEveryEntry(wrong, SEARCH)).not.toThrow();
  });

  it('that never reads slot 0', async () => {
    const wrong = plainMaglev({ slotOf: (hash, slots) => (hash % (slots - 1n)) + 1n });
    expect(await reasonOf(() => reachesEveryEntry(wrong, SEARCH))).toMatch(/^hash \d+ gives host/);
  });

  it('that does not hear of retries', async () => {
    const wrong = plainMaglev({ retries: false });
    expect(await reasonOf(() => retriesElsewhere(wrong, SEARCH))).toMatch(/^eight further attempts/);
    expect(await reasonOf(() => retriesElsewhere(plainRing({ retries: false }), SEARCH))).toMatch(/^eight further/);
  });

  it('that gives one slot in ten of a host to another', async () => {
    const wrong = plainMaglev({ slotOf: (hash, slots) => (hash % 10n === 0n ? 0n : hash % slots) });
    expect(await reasonOf(() => keysFollowEntries(wrong, 'slots'))).toMatch(/what is seen is \d+ % too much$/);
  });
});

function toBigIntOf(key: string): bigint {
  const { hi, lo } = pointOf(key, 0);
  return BigInt(hi) * 4294967296n + BigInt(lo);
}
