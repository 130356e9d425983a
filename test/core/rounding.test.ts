import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOf, withoutNoise } from '../../src/core/rounding.js';

describe('sums without what doubles add', () => {
  it.each([
    [0.1 + 0.2, 0.3],
    [0.1 + 0.7, 0.8],
    [0.7 + 0.1 + 0.1 + 0.1, 1],
    [1 / 3, 1 / 3],
    [2 / 3, 2 / 3],
    [0.123456789012345, 0.123456789012345],
    [0, 0],
  ])('%d is %d', (sum, plain) => {
    expect(withoutNoise(sum)).toBe(plain);
  });

  it('leaves numbers that are not finite, or too large for digits after the point', () => {
    for (const value of [NaN, Infinity, -Infinity, 2 ** 53, 1e300]) expect(withoutNoise(value)).toBe(value);
  });

  it('moves nothing by more than rounding', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.abs(withoutNoise(value) - value)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(value)));
      }),
    );
  });

  it('makes no share of more than everything', () => {
    expect(shareOf(1.000000000000001)).toBe(1);
    expect(shareOf(1.0000001)).toBe(1);
  });
});
