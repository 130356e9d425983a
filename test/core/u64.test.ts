import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, fromBigInt, mod, parse, toBigInt, toDecimal } from '../../src/core/u64.js';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('u64', () => {
  it('takes remainders exactly, for any divisor that fits a double', () => {
    fc.assert(
      fc.property(
        u64,
        fc.oneof(
          fc.integer({ min: 1, max: 3_000_000 }),
          fc.maxSafeNat().map((n) => n + 1),
        ),
        (value, n) => {
          const { hi, lo } = fromBigInt(value);
          expect(mod(hi, lo, n)).toBe(Number(value % BigInt(n)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('takes remainders exactly where one step is just enough and just not', () => {
    const worst = fromBigInt(2n ** 64n - 1n);
    for (const n of [2097151, 2097152, 2097153, 4398046511103, 4398046511104, 4398046511105]) {
      expect(mod(worst.hi, worst.lo, n)).toBe(Number((2n ** 64n - 1n) % BigInt(n)));
    }
  });

  it('compares, prints and reads as BigInt does', () => {
    fc.assert(
      fc.property(u64, u64, (a, b) => {
        const left = fromBigInt(a);
        const right = fromBigInt(b);
        expect(Math.sign(compare(left.hi, left.lo, right.hi, right.lo))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(toDecimal(left.hi, left.lo)).toBe(a.toString());
        expect(parse(a.toString())).toEqual(left);
        expect(parse(`0x${a.toString(16)}`)).toEqual(left);
        expect(toBigInt(left)).toBe(a);
      }),
    );
  });

  it('refuses what is no 64-bit integer', () => {
    for (const text of ['', '-1', '1.5', '1e3', '18446744073709551616', ' 1', '0x'])
      expect(parse(text)).toBeUndefined();
  });
});
