import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Counts } from '../../src/result/failures.js';

it('counts as a map does, however large counts and numbers are', () => {
  const step = fc.record({
    index: fc.oneof(fc.nat(40), fc.nat(5000)),
    amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(2 ** 20, 2 ** 32 - 1, 2 ** 40)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const counts = new Counts();
      const expected = new Map<number, number>();
      for (const { index, amount } of steps) {
        counts.add(index, amount);
        expected.set(index, (expected.get(index) ?? 0) + amount);
      }
      const twice = new Counts();
      twice.addAll(counts);
      twice.addAll(counts);
      for (const [index, count] of expected) {
        expect(counts.of(index)).toBe(count);
        expect(twice.of(index)).toBe(2 * count);
        counts.add(index, -count);
        expect(counts.of(index)).toBe(0);
      }
      expect(counts.of(100_000)).toBe(0);
    }),
  );
});
