import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import xxhash from 'xxhash-wasm';
import type { XXHashAPI } from 'xxhash-wasm';
import { fromBigInt, toDecimal } from '../../src/core/u64.js';
import { xxhash64, xxhash64Chain, xxhash64String } from '../../src/hash/text-hashes.js';

let oracle: XXHashAPI;
beforeAll(async () => {
  oracle = await xxhash();
});

const decimal = ({ hi, lo }: { hi: number; lo: number }): string => toDecimal(hi, lo);

describe('xxhash64', () => {
  it.each([
    ['', '17241709254077376921'],
    ['foo', '3728699739546630719'],
    ['foo\nbar', '8917841378505826757'],
  ])('of %j is %s', (text, expected) => {
    expect(decimal(xxhash64String(text))).toBe(expected);
  });

  it('chains strings: each result is the seed of the next', () => {
    expect(decimal(xxhash64Chain(['foo', 'bar']))).toBe('17745830980996999794');
    expect(xxhash64Chain(['foo'])).toEqual(xxhash64String('foo'));
    expect(xxhash64Chain([])).toEqual({ hi: 0, lo: 0 });
  });

  it('hashes UTF-8, not UTF-16', () => {
    expect(xxhash64String('é€𝄞')).toEqual(
      xxhash64(Uint8Array.of(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9d, 0x84, 0x9e)),
    );
  });

  it('agrees with xxhash-wasm for every length from 0 to 300 and for any seed', () => {
    for (let length = 0; length <= 300; length++) {
      fc.assert(
        fc.property(
          fc.uint8Array({ minLength: length, maxLength: length, size: 'max' }),
          fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          (bytes, seed) => {
            expect(xxhash64(bytes, fromBigInt(seed))).toEqual(fromBigInt(oracle.h64Raw(bytes, seed)));
          },
        ),
        { numRuns: 4 },
      );
    }
  });

  it('agrees with xxhash-wasm where carries run: bytes and seeds of all ones', () => {
    for (let length = 0; length <= 130; length++) {
      const bytes = new Uint8Array(length).fill(0xff);
      for (const seed of [0n, 1n, 0xffffffffn, 0x100000000n, 2n ** 64n - 1n]) {
        expect(xxhash64(bytes, fromBigInt(seed))).toEqual(fromBigInt(oracle.h64Raw(bytes, seed)));
      }
    }
  });
});
