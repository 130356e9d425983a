import { describe, expect, it } from 'vitest';
import { addAll, largest, smallest } from '../../src/core/values.js';

describe('lists of any length', () => {
  const long = Array.from({ length: 500_000 }, (_, index) => (index * 7919) % 500_000);

  it('are added to others and looked through, however long', () => {
    const into = [-1];
    addAll(into, long);
    expect(into).toHaveLength(1 + long.length);
    expect(into.at(-1)).toBe(long.at(-1));
    expect(largest(long)).toBe(499_999);
    expect(smallest(long)).toBe(0);
  });

  it('have a bound where they are empty', () => {
    expect([largest([], 0), smallest([], 1)]).toEqual([0, 1]);
    expect([largest([-3], 0), smallest([3], 1)]).toEqual([0, 1]);
    expect([largest([]), smallest([])]).toEqual([-Infinity, Infinity]);
  });
});
