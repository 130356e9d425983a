import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, parse, toDecimal } from '../../src/core/u64.js';
import { hashString, xxhash64String } from '../../src/hash/text-hashes.js';
import type { RingHashConfig, RingTable } from '../../src/policy/ring-hash.js';
import { ringEntry, ringHash } from '../../src/policy/ring-hash.js';
import {
  buildsPureTables,
  dividesItsEntries,
  looksUpItsHosts,
  movesOnlyLostKeys,
  weightedHosts,
} from '../../src/testing/index.js';

const config = (changes: Partial<RingHashConfig> = {}): RingHashConfig => ({
  minimumRingSize: 1024,
  maximumRingSize: 8388608,
  hashFunction: 'XX_HASH',
  ...changes,
});

const addresses = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}:80`);

function chosen(table: RingTable, hash: string, attempt = 0): number {
  const { hi, lo } = parse(hash) ?? { hi: NaN, lo: NaN };
  return ringHash.choose(table, hi, lo, attempt);
}

describe('a ring of twelve entries', () => {
  const keys = [90, 91, 92, 93, 94, 95].map((port) => `127.0.0.1:${port}`);
  const table = ringHash.build(weightedHosts(keys), config({ minimumRingSize: 12 }));

  it('is the one the proxy builds', () => {
    const entries = Array.from({ length: table.entryCount }, (_, i) => ringEntry(table, i));
    expect(entries.map(({ hi, lo, host }) => [toDecimal(hi, lo), keys[host]])).toEqual([
      ['833437586790550860', '127.0.0.1:94'],
      ['928266305478181108', '127.0.0.1:92'],
      ['1033482794131418490', '127.0.0.1:90'],
      ['3551244743356806947', '127.0.0.1:95'],
      ['3851675632748031481', '127.0.0.1:93'],
      ['5583722120771150861', '127.0.0.1:91'],
      ['6311230543546372928', '127.0.0.1:91'],
      ['7700377290971790572', '127.0.0.1:93'],
      ['13144177310400110813', '127.0.0.1:95'],
      ['13444792449719432967', '127.0.0.1:92'],
      ['15516499411664133160', '127.0.0.1:94'],
      ['16117243373044804889', '127.0.0.1:90'],
    ]);
    expect(table.gauges).toEqual({ size: 12, minPerHost: 2, maxPerHost: 2 });
    expect([...table.entriesPerHost]).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it.each([
    ['0', 4],
    ['833437586790550860', 4],
    ['833437586790550861', 2],
    ['3551244743356806947', 5],
    ['3551244743356806948', 3],
    ['16117243373044804889', 0],
    // Past the last entry the circle closes.
    ['16117243373044804890', 4],
    ['18446744073709551615', 4],
  ])('gives hash %s to host %i', (hash, host) => {
    expect(chosen(table, hash)).toBe(host);
  });

  it('walks on from entry to entry with each attempt, and around', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 11, 12, 13].map((attempt) => chosen(table, '0', attempt))).toEqual([
      4, 2, 0, 5, 3, 1, 1, 0, 4, 2,
    ]);
    expect(chosen(table, '16117243373044804889', 1)).toBe(4);
  });
});

describe('planning a ring', () => {
  const gauges = (weights: readonly number[], minimumRingSize: number, maximumRingSize = 8388608): unknown[] => {
    const table = ringHash.build(
      weightedHosts(addresses(weights.length), weights),
      config({ minimumRingSize, maximumRingSize }),
    );
    const { size, minPerHost, maxPerHost } = table.gauges ?? {};
    return [table.entryCount, size, minPerHost, maxPerHost];
  };

  it('grows past the minimum until the lightest host has whole entries', () => {
    expect(gauges([1, 1], 3)).toEqual([4, 4, 2, 2]);
    expect(gauges([1, 2, 3], 6)).toEqual([6, 6, 1, 3]);
    expect(gauges([1, 2, 3], 7)).toEqual([12, 12, 2, 6]);
  });

  it('stops at the maximum, where some host may get nothing', () => {
    expect(gauges([1, 1, 1, 1], 2, 2)).toEqual([2, 2, 0, 1]);
    expect(gauges([1, 1], 1023, 1023)).toEqual([1023, 1023, 511, 512]);
  });

  it('can be one entry longer than its gauge: the running sum is of doubles', () => {
    expect(gauges([1, 5], 41, 41)).toEqual([42, 41, 7, 35]);
  });

  it('keeps the sums of the proxy: 1024 entries for 100 hosts become 1025', () => {
    expect(gauges(new Array<number>(100).fill(1), 1024, 1024)[0]).toBe(1025);
  });

  it('gives a host its share, less than one entry off', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 128 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.nat(3000),
        (weights, minimumRingSize, more) => {
          const hosts = weightedHosts(addresses(weights.length), weights);
          const table = ringHash.build(hosts, config({ minimumRingSize, maximumRingSize: minimumRingSize + more }));
          const { size = 0, minPerHost, maxPerHost } = table.gauges ?? {};
          expect(size).toBeGreaterThanOrEqual(minimumRingSize);
          expect(size).toBeLessThanOrEqual(minimumRingSize + more);
          expect(Math.abs(table.entryCount - size)).toBeLessThanOrEqual(1);
          hosts.weights.forEach((weight, host) => {
            // `size` is at most one above the scale, and the sums are off by a few units of the last place.
            const entries = table.entriesPerHost[host] as number;
            expect(entries).toBeGreaterThan((size - 1) * weight - 1.0001);
            expect(entries).toBeLessThan(size * weight + 1.0001);
          });
          expect(maxPerHost).toBe(Math.max(...table.entriesPerHost));
          expect(minPerHost).toBe(Math.min(...table.entriesPerHost));
        },
      ),
    );
  });
});

describe('any ring', () => {
  const anyHosts = fc
    .array(fc.record({ key: fc.string({ minLength: 1 }), weight: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((hosts) =>
      weightedHosts(
        hosts.map((host) => host.key),
        hosts.map((host) => host.weight),
      ),
    );
  const anyConfig = fc.record({
    minimumRingSize: fc.integer({ min: 1, max: 400 }),
    maximumRingSize: fc.integer({ min: 400, max: 600 }),
    hashFunction: fc.constantFrom('XX_HASH' as const, 'MURMUR_HASH_2' as const),
  });

  it('holds the hashes of its hosts, in order; equal hashes in the order of hosts', () => {
    fc.assert(
      fc.property(anyHosts, anyConfig, (hosts, ringConfig) => {
        const table = ringHash.build(hosts, ringConfig);
        const expected = hosts.keys
          .flatMap((key, host) =>
            Array.from({ length: table.entriesPerHost[host] as number }, (_, i) => ({
              ...hashString(`${key}_${i}`, ringConfig.hashFunction),
              host,
            })),
          )
          .sort((a, b) => compare(a.hi, a.lo, b.hi, b.lo));
        expect(Array.from({ length: table.entryCount }, (_, i) => ringEntry(table, i))).toEqual(expected);
      }),
    );
  });

  it('is found by the same entry as in a search from the start', () => {
    const half = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 0xffffffff));
    fc.assert(
      fc.property(
        anyHosts,
        anyConfig,
        half,
        half,
        fc.nat(700),
        fc.nat(),
        (hosts, ringConfig, hi, lo, attempt, near) => {
          const table = ringHash.build(hosts, ringConfig);
          const entries = Array.from({ length: table.entryCount }, (_, i) => ringEntry(table, i));
          const search = (hashHi: number, hashLo: number): number => {
            const found = entries.findIndex((entry) => compare(entry.hi, entry.lo, hashHi, hashLo) >= 0);
            return entries[((found < 0 ? 0 : found) + attempt) % entries.length]?.host ?? -1;
          };
          expect(ringHash.choose(table, hi, lo, attempt)).toBe(search(hi, lo));
          const at = ringEntry(table, near % table.entryCount);
          for (const nearLo of [at.lo, at.lo + 1, at.lo - 1].filter((value) => value >= 0 && value <= 0xffffffff)) {
            expect(ringHash.choose(table, at.hi, nearLo, attempt)).toBe(search(at.hi, nearLo));
          }
        },
      ),
    );
  });

  it('is found the same way where hosts share keys and one bucket is crowded', () => {
    const hosts = weightedHosts(Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 'a' : 'b')));
    const table = ringHash.build(hosts, config({ minimumRingSize: 900 }));
    expect(table.entryCount).toBe(900);
    for (let i = 0; i < table.entryCount; i++) {
      const { hi, lo, host } = ringEntry(table, i);
      // 'a' is host 0, 3, …; 'b' is host 1, 2, 4, …: the first of the equal run is the lowest of them.
      expect(ringHash.choose(table, hi, lo, 0)).toBe(host % 3 === 0 ? 0 : 1);
    }
  });

  it('is built the same again, from hosts that were left as they were', () => {
    fc.assert(
      fc.property(anyHosts, anyConfig, (hosts, ringConfig) => {
        const copy = structuredClone(hosts);
        const table = ringHash.build(hosts, ringConfig);
        expect(hosts).toEqual(copy);
        expect(ringHash.build(copy, ringConfig)).toEqual(table);
      }),
      { numRuns: 30 },
    );
  });

  it('moves the keys of a lost host and no others, as long as the hosts keep their number of entries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 60 }), fc.nat(), (count, each, any) => {
        const keys = addresses(count);
        const lost = any % count;
        const rest = keys.filter((_, host) => host !== lost);
        const before = ringHash.build(weightedHosts(keys), config({ minimumRingSize: each * count }));
        const after = ringHash.build(weightedHosts(rest), config({ minimumRingSize: each * (count - 1) }));
        fc.pre(before.gauges?.minPerHost === each && after.gauges?.minPerHost === each);
        fc.pre(before.gauges.maxPerHost === each && after.gauges.maxPerHost === each);
        for (let i = 0; i < 300; i++) {
          const { hi, lo } = xxhash64String(`user ${i}`);
          const was = ringHash.choose(before, hi, lo, 0);
          const is = rest[ringHash.choose(after, hi, lo, 0)];
          if (was === lost) expect(is).not.toBe(keys[lost]);
          else expect(is).toBe(keys[was]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the part of all hashes that each host owns', () => {
  it('ends at its entries, and is that of 20,000 hashes', () => {
    const hosts = weightedHosts(['a', 'b', 'c'], [1, 2, 5]);
    const table = ringHash.build(hosts, config({ minimumRingSize: 16 }));
    const shares = Array.from(ringHash.keyShares(table));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    const counts = shares.map(() => 0);
    // Evenly spaced: each host is off by no more than one hash at each end of each of its arcs.
    for (let i = 0; i < 20_000; i++) {
      const host = ringHash.choose(table, Math.floor(((i + 0.5) / 20_000) * 2 ** 32), 0, 0);
      counts[host] = (counts[host] ?? 0) + 1;
    }
    shares.forEach((share, host) => {
      expect(Math.abs((counts[host] ?? 0) - 20_000 * share)).toBeLessThanOrEqual(2 * (table.entriesPerHost[host] ?? 0));
    });
  });
});

describe('without hosts', () => {
  it('chooses nobody and shows no gauges', () => {
    const table = ringHash.build(weightedHosts([]), config());
    expect(ringHash.choose(table, 0, 0, 0)).toBe(-1);
    expect(ringHash.choose(table, 0xffffffff, 0xffffffff, 3)).toBe(-1);
    expect(table.entryCount).toBe(0);
    expect(table.gauges).toBeUndefined();
  });
});

describe('the laws of tables', () => {
  const entriesPerHost = (table: RingTable): ArrayLike<number> => table.entriesPerHost;
  const ring = { policy: ringHash, config: config({ minimumRingSize: 64 }), entriesPerHost };

  it('builds pure tables', () => buildsPureTables(ring));
  it('looks up its hosts', () => looksUpItsHosts(ring));
  // A host's entries are the whole numbers between two running sums; the ring may be one longer than they say.
  it('divides its entries by weight', () => dividesItsEntries(ring, (share) => 1 + share));
  it('moves only the keys of a lost host while the others keep their number of entries', () => {
    movesOnlyLostKeys(ring, (hosts) => config({ minimumRingSize: 16 * hosts, maximumRingSize: 16 * hosts }));
  });
});
