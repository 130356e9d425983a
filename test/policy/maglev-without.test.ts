import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maglev } from '../../src/policy/maglev.js';
import { MaglevWithout } from '../../src/policy/maglev-without.js';
import type { WeightedHosts } from '../../src/policy/table-policy.js';

function equals(keys: readonly string[]): WeightedHosts {
  const weight = 1 / keys.length;
  return { keys, weights: new Float64Array(keys.length).fill(weight), minWeight: weight, maxWeight: weight };
}

const keyLists = fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 7, maxLength: 40 });

describe('a Maglev table without one of its hosts', () => {
  it.each([
    [101, true],
    [101, false],
    [1009, true],
    [7, false],
  ])('is the table that is built without it: %s slots, sorted %s', (tableSize, sortByKey) => {
    const config = { tableSize, sortByKey, singleHostShortcut: true };
    fc.assert(
      fc.property(keyLists, fc.nat(), (keys, nth) => {
        const host = nth % keys.length;
        const found = new MaglevWithout(equals(keys), config).without(host);
        expect(found).toEqual(maglev.build(equals(keys.filter((_, own) => own !== host)), config));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('is it for every host of a large table, one after the other', () => {
    const config = { tableSize: 65537, sortByKey: true, singleHostShortcut: true };
    const keys = Array.from({ length: 500 }, (_, host) => `10.0.${host >> 8}.${host & 255}:80`);
    const tables = new MaglevWithout(equals(keys), config);
    for (const host of [0, 7, 250, 498, 499]) {
      expect(tables.without(host)).toEqual(maglev.build(equals(keys.filter((_, own) => own !== host)), config));
    }
  });

  it('takes hosts that share a key', () => {
    const config = { tableSize: 101, sortByKey: true, singleHostShortcut: true };
    const keys = ['a', 'b', 'a', 'c'];
    const tables = new MaglevWithout(equals(keys), config);
    for (const host of keys.keys()) {
      expect(tables.without(host)).toEqual(maglev.build(equals(keys.filter((_, own) => own !== host)), config));
    }
  });

  it('is not for hosts of different weights, nor for two, nor for few that leave thousands of slots', () => {
    const config = { tableSize: 101, sortByKey: true, singleHostShortcut: true };
    expect(MaglevWithout.takes({ ...equals(['a', 'b', 'c']), weights: Float64Array.of(0.5, 0.25, 0.25) }, config)).toBe(
      false,
    );
    expect(MaglevWithout.takes(equals(['a', 'b']), config)).toBe(false);
    expect(MaglevWithout.takes(equals(['a', 'b', 'c', 'd']), { ...config, tableSize: 65537 })).toBe(false);
  });
});
