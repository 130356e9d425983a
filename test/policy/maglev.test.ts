import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBigInt } from '../../src/core/u64.js';
import { isPrime } from '../../src/core/divisors.js';
import { FREE_SLOT, fillMaglev } from '../../src/hash/kernel/maglev-kernel.js';
import { maglev, type MaglevTable, type MaglevTableConfig } from '../../src/policy/maglev.js';
import { maglevSlots } from '../support/maglev-twin.js';
import { buildsPureTables, dividesItsEntries, looksUpItsHosts, weightedHosts } from '../../src/testing/index.js';

const config = (changes: Partial<MaglevTableConfig> = {}): MaglevTableConfig => ({
  tableSize: 65537,
  sortByKey: true,
  singleHostShortcut: true,
  ...changes,
});

const PRIMES = [2, 3, 5, 7, 11, 17, 31, 97, 101, 251, 499, 997, 2003];
const keysOfPorts = (ports: readonly number[]): string[] => ports.map((port) => `127.0.0.1:${port}`);

const anyHosts = fc
  .uniqueArray(
    fc.record({ key: fc.string({ unit: 'binary', minLength: 1 }), weight: fc.integer({ min: 1, max: 30 }) }),
    { minLength: 2, maxLength: 25, selector: (host) => host.key },
  )
  .map((hosts) =>
    weightedHosts(
      hosts.map((host) => host.key),
      hosts.map((host) => host.weight),
    ),
  );

describe('a table of seven slots', () => {
  const keys = keysOfPorts([90, 91, 92, 93, 94, 95]);
  const table = maglev.build(weightedHosts(keys), config({ tableSize: 7 }));

  it('is the one the proxy fills', () => {
    expect([...table.slots]).toEqual([2, 4, 0, 1, 5, 0, 3]);
    expect([...table.entriesPerHost]).toEqual([2, 1, 1, 1, 1, 1]);
    expect(table.gauges).toMatchObject({ minPerHost: 1, maxPerHost: 2 });
  });

  it('is looked up by the hash modulo its size', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 10].map((hash) => maglev.choose(table, 0, hash, 0))).toEqual([
      2, 4, 0, 1, 5, 0, 3, 2, 1,
    ]);
    // 2⁶⁴ − 1 = 7 · 2635249153387078802 + 1.
    expect(maglev.choose(table, 0xffffffff, 0xffffffff, 0)).toBe(4);
  });

  it('is looked up by hash ^ (2⁶⁴ − attempt) in a retry', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 1, max: 1000 }), (hash, attempt) => {
        const { hi, lo } = fromBigInt(hash);
        const slot = Number((hash ^ (2n ** 64n - BigInt(attempt))) % 7n);
        expect(maglev.choose(table, hi, lo, attempt)).toBe(table.slots[slot]);
      }),
    );
  });
});

describe('any table', () => {
  it('that is not filled to the end has the slots of a full one, or free ones', () => {
    fc.assert(
      fc.property(anyHosts, fc.constantFrom(...PRIMES), fc.boolean(), (hosts, size, sortByKey) => {
        const recipe = { ...hosts, sortByKey };
        const copied = (slots: Uint32Array): Uint32Array => slots.slice();
        const full = fillMaglev(recipe, size, copied);
        const seen: number[] = [];
        const watched = fillMaglev(recipe, size, copied, (slots) => {
          seen.push(slots.filter((host) => host === FREE_SLOT).length);
          expect([...slots].every((host, slot) => host === FREE_SLOT || host === full[slot])).toBe(true);
          return false;
        });
        expect([seen[0], watched]).toEqual([size, full]);
        for (const [at, free] of seen.entries()) expect(free).toBeLessThanOrEqual(size >> at);
      }),
    );
  });

  it('is the one of the paper, with the proxy’s weights', () => {
    fc.assert(
      fc.property(anyHosts, fc.constantFrom(...PRIMES), (hosts, tableSize) => {
        for (const sortByKey of [false, true]) {
          const settings = config({ tableSize, sortByKey });
          expect([...maglev.build(hosts, settings).slots]).toEqual(maglevSlots(hosts, settings));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is that of the paper with many hosts, of very different weights and long keys, and with many slots', () => {
    const weight = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100_000 }));
    const host = fc.record({ key: fc.string({ maxLength: 70 }), weight });
    const lists = fc.uniqueArray(host, { minLength: 30, maxLength: 120, selector: ({ key }) => key });
    fc.assert(
      fc.property(lists, fc.constantFrom(101, 2003, 65537), (list, tableSize) => {
        const hosts = weightedHosts(
          list.map(({ key }) => key),
          list.map((each) => each.weight),
        );
        const settings = config({ tableSize });
        expect([...maglev.build(hosts, settings).slots]).toEqual(maglevSlots(hosts, settings));
      }),
      { numRuns: 30 },
    );
  });

  it('does not depend on the order of the list once hosts are sorted by key', () => {
    fc.assert(
      fc.property(anyHosts, fc.constantFrom(...PRIMES), fc.infiniteStream(fc.nat()), (hosts, tableSize, random) => {
        const order = hosts.keys
          .map((_, host) => ({ host, rank: random.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ host }) => host);
        const shuffled = {
          ...hosts,
          keys: order.map((host) => hosts.keys[host] as string),
          weights: Float64Array.from(order, (host) => hosts.weights[host] as number),
        };
        const names = [...maglev.build(hosts, config({ tableSize })).slots].map((host) => hosts.keys[host]);
        const again = [...maglev.build(shuffled, config({ tableSize })).slots].map((host) => shuffled.keys[host]);
        expect(again).toEqual(names);
      }),
      { numRuns: 60 },
    );
  });

  it('sorts by bytes: 10 before 2, upper case first, and UTF-8 where UTF-16 has another order', () => {
    // U+FF5E is one UTF-16 unit above the surrogates of U+10000, but three bytes below its four.
    const keys = ['\u{10000}', '～', 'a', 'Z', '10.0.0.2:80', '10.0.0.10:80'];
    const sorted = [...keys].reverse();
    for (const tableSize of [7, 101]) {
      const hosts = weightedHosts(keys);
      const table = maglev.build(hosts, config({ tableSize }));
      const inOrder = maglev.build(weightedHosts(sorted), config({ tableSize, sortByKey: false }));
      expect([...table.slots].map((host) => keys[host])).toEqual([...inOrder.slots].map((host) => sorted[host]));
    }
  });

  it('serves every host in round one, and gives each its share, but for a few slots', () => {
    fc.assert(
      fc.property(anyHosts, fc.constantFrom(...PRIMES), (hosts, tableSize) => {
        const table = maglev.build(hosts, config({ tableSize }));
        const counts = [...table.entriesPerHost];
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(tableSize);
        const served = counts.filter((count) => count > 0).length;
        expect(served).toBe(Math.min(tableSize, counts.length));
        const most = Math.max(...counts);
        counts.forEach((count, host) => {
          // Served in round r while (slots it has)·maxWeight <= r·weight: after r rounds it has r·pace + 1 slots at most,
          // and more than r·pace − 1. The heaviest host has r slots, or r − 1 where its summed target rounded up, and one
          // less for a last round cut short: r is `most` to `most + 2`.
          const pace = (hosts.weights[host] as number) / hosts.maxWeight;
          expect(count).toBeGreaterThan((most - 1) * pace - 1.0001);
          expect(count).toBeLessThan((most + 2) * pace + 1.0001);
        });
      }),
    );
  });

  it('counts what its slots say, and shows the extremes', () => {
    fc.assert(
      fc.property(anyHosts, fc.constantFrom(...PRIMES), (hosts, tableSize) => {
        const table = maglev.build(hosts, config({ tableSize }));
        const counts = hosts.keys.map((_, host) => table.slots.filter((slot) => slot === host).length);
        expect([...table.entriesPerHost]).toEqual(counts);
        expect(table.gauges).toMatchObject({
          minPerHost: Math.min(...counts),
          maxPerHost: Math.max(...counts),
        });
      }),
    );
  });

  it('is built the same again, from hosts that were left as they were', () => {
    const hosts = weightedHosts(keysOfPorts([3, 1, 2]), [5, 1, 9]);
    const copy = structuredClone(hosts);
    const table = maglev.build(hosts, config());
    expect(hosts).toEqual(copy);
    expect(maglev.build(copy, config())).toEqual(table);
  });

  it('gives a slot each to 1023 light hosts beside a heavy one', () => {
    const keys = keysOfPorts(Array.from({ length: 1024 }, (_, i) => i));
    const weights = keys.map((_, i) => (i === 0 ? 127 : 1 / 1024));
    const { entriesPerHost } = maglev.build(weightedHosts(keys, weights), config({ tableSize: 8191 }));
    expect([...entriesPerHost]).toEqual(keys.map((_, i) => (i === 0 ? 8191 - 1023 : 1)));
  });
});

describe('a host of next to no weight', () => {
  it.each([1e-9, 1e-16, 1e-30, Number.MIN_VALUE])('%d of the total still has one slot, and no more', (weight) => {
    const hosts = { keys: ['a', 'b'], weights: Float64Array.of(1, weight), minWeight: weight, maxWeight: 1 };
    expect([...maglev.build(hosts, config({ tableSize: 2003 })).entriesPerHost]).toEqual([2002, 1]);
  });
});

describe('one host', () => {
  const hosts = weightedHosts(['127.0.0.1:90']);

  it('needs no table where the proxy builds none, and shows 1', () => {
    const table = maglev.build(hosts, config({ tableSize: 7 }));
    expect(table.gauges).toMatchObject({ minPerHost: 1, maxPerHost: 1 });
    expect([0, 1, 6, 7].map((hash) => maglev.choose(table, hash, hash, 0))).toEqual([0, 0, 0, 0]);
    expect(maglev.choose(table, 5, 5, 3)).toBe(0);
  });

  it('fills the whole table before that', () => {
    const table = maglev.build(hosts, config({ tableSize: 7, singleHostShortcut: false }));
    expect([...table.slots]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(table.gauges).toMatchObject({ minPerHost: 7, maxPerHost: 7 });
  });
});

describe('without hosts', () => {
  it('chooses nobody and shows no gauges', () => {
    const table = maglev.build(weightedHosts([]), config());
    expect(maglev.choose(table, 1, 2, 0)).toBe(-1);
    expect(maglev.choose(table, 1, 2, 1)).toBe(-1);
    expect(table.gauges).toBeUndefined();
  });
});

describe('the size of a table', () => {
  it('is four bytes a slot', () => {
    const table = maglev.build(weightedHosts(['a', 'b']), config());
    expect(maglev.tableBytes(config())).toBe(table.slots.byteLength);
  });

  it.each([
    ['1.14', 65537],
    ['1.17', 251],
  ] as const)('at %s is %i where 251 is configured', (version, size) => {
    expect(maglev.configOf({ maglev: { tableSize: 251 } }, version).tableSize).toBe(size);
  });

  it('must be prime', () => {
    expect(() => maglev.build(weightedHosts(['a', 'b']), config({ tableSize: 8 }))).toThrow(/prime size, not 8/);
    expect([65537, 5000011, 2, 3].map(isPrime)).toEqual([true, true, true, true]);
    expect([0, 1, 4, 9, 65536, 5000009, 2.5, -7].map(isPrime)).toEqual(new Array(8).fill(false));
  });
});

describe('the laws of tables', () => {
  const entriesPerHost = (table: MaglevTable): ArrayLike<number> => table.entriesPerHost;
  const table = { policy: maglev, config: config({ tableSize: 1009 }), entriesPerHost };

  it('builds pure tables', () => buildsPureTables(table));
  it('looks up its hosts', () => looksUpItsHosts(table));
  // After r rounds a host of weight w has between r · w / max and one more; the last round may end anywhere.
  it('divides its slots by weight', () => {
    dividesItsEntries(table, (share, hosts, largest) => share / largest + Math.max(1, hosts * share));
  });
});
