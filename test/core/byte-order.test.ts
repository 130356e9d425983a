import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes } from '../../src/core/byte-order.js';

describe('compareBytes', () => {
  it('orders as the UTF-8 bytes do, also where UTF-16 would not', () => {
    const [beyond, last] = ['😀', '￿'];
    expect([beyond, last].sort()).toEqual([beyond, last]);
    expect([beyond, last].sort(compareBytes)).toEqual([last, beyond]);
    const anyText = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('puts a beginning before what it begins', () => {
    expect(compareBytes('ab', 'abc')).toBeLessThan(0);
    expect(compareBytes('', '')).toBe(0);
  });
});
