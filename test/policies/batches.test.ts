import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildMaglev,
  buildRing,
  hashKeys,
  hostsOfHashes,
  maglevHost,
  movedKeys,
  moveMatrix,
  ringHost,
  weightedHosts,
  xxhash64String,
} from '../../src/policies/index.js';

/** As one by one: shape [n, 2]. */
function hashesOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => {
    const { hi, lo } = xxhash64String(key);
    return [lo, hi];
  });
}

const fleet = (count: number) => weightedHosts(Array.from({ length: count }, (_, i) => `10.0.0.${i}:80`));

describe('a batch of keys', () => {
  it('has the hashes of its keys one by one, whatever their bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 10 }), (keys) => {
        expect([...hashKeys(keys)]).toEqual(hashesOf(keys));
      }),
    );
  });

  it('has them for keys longer than what goes into the kernel at a time, and for halves of a character', () => {
    for (const keys of [
      ['a', 'x'.repeat(200_000), 'b', 'ä'.repeat(70_000), 'x'.repeat(65_000), 'y'.repeat(600)],
      // Each is hashed alone, as U+FFFD; together they would be one character.
      ['\ud83d', '\ude00'],
    ]) {
      expect([...hashKeys(keys)]).toEqual(hashesOf(keys));
    }
  });

  it('has them for a hundred thousand keys of all lengths up to 130 bytes', () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(i % 120)}${i * 7919}`);
    const hashes = hashKeys(keys);
    const wrong = keys.findIndex((key, i) => {
      const { hi, lo } = xxhash64String(key);
      return hashes[2 * i] !== lo || hashes[2 * i + 1] !== hi;
    });
    expect(wrong).toBe(-1);
  });

  it('goes where each of its keys goes', () => {
    const hashes = hashKeys(Array.from({ length: 20_000 }, (_, i) => `user-${i}`));
    // Hosts that share a key crowd their entries.
    const crowded = weightedHosts(Array.from({ length: 60 }, () => '10.0.0.1:80'));
    for (const [hosts, entries] of [
      [fleet(3), 7],
      [fleet(10), 1024],
      [fleet(100), 65_536],
      [crowded, 1200],
    ] as const) {
      const ring = buildRing(hosts, { minimumRingSize: entries, maximumRingSize: entries });
      const table = buildMaglev(hosts, { tableSize: 4093 });
      const each = (of: (hash: { hi: number; lo: number }) => number): Int32Array =>
        Int32Array.from({ length: hashes.length / 2 }, (_, i) =>
          of({ lo: hashes[2 * i] ?? NaN, hi: hashes[2 * i + 1] ?? NaN }),
        );
      expect(hostsOfHashes(ring, hashes)).toEqual(each((hash) => ringHost(ring, hash)));
      expect(hostsOfHashes(table, hashes)).toEqual(each((hash) => maglevHost(table, hash)));
    }
  });

  it('has no host where there are none', () => {
    const nobody = weightedHosts([]);
    expect([...hostsOfHashes(buildRing(nobody), hashKeys(['a']))]).toEqual([-1]);
    expect([...hostsOfHashes(buildMaglev(nobody), hashKeys(['a']))]).toEqual([-1]);
  });
});

describe('the matrix of a disruption', () => {
  it('counts keys by where they were and are', () => {
    const matrix = moveMatrix(Int32Array.of(0, 1, 2, 2, -1), 3, Int32Array.of(0, 1, 0, 1, 0), 2);
    expect([...matrix]).toEqual([1, 0, 0, 1, 1, 1]);
  });

  it('agrees with the exact part of hashes that move', () => {
    const keys = 50_000;
    const hashes = hashKeys(Array.from({ length: keys }, (_, i) => `user-${i}`));
    const [before, after] = [fleet(5), fleet(4)];
    const [one, other] = [before, after].map((hosts) => buildRing(hosts, { minimumRingSize: 1024 })) as [
      ReturnType<typeof buildRing>,
      ReturnType<typeof buildRing>,
    ];
    const matrix = moveMatrix(hostsOfHashes(one, hashes), 5, hostsOfHashes(other, hashes), 4);
    const stayed = [0, 1, 2, 3].reduce((sum, host) => sum + (matrix[4 * host + host] ?? NaN), 0);
    const moved = movedKeys(one, before.keys, other, after.keys);
    const error = Math.sqrt((moved * (1 - moved)) / keys);
    expect(Math.abs(1 - stayed / keys - moved)).toBeLessThan(5 * error);
  });

  it('asks for hosts of the same keys', () => {
    expect(() => moveMatrix(new Int32Array(2), 1, new Int32Array(3), 1)).toThrow(
      'hosts of 2 keys before, and of 3 after',
    );
  });
});
