import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../src/analysis/interval.js';

describe('the interval of a mean', () => {
  it('is as wide as the values stray', () => {
    // s = 1, so that the half-width is t(2) / √3.
    expect(meanInterval([1, 2, 3])).toEqual({
      mean: 2,
      low: expect.closeTo(2 - 4.3027 / Math.sqrt(3), 4) as number,
      high: expect.closeTo(2 + 4.3027 / Math.sqrt(3), 4) as number,
    });
  });

  // Tables of the t distribution, two-sided 95 %: of values 0 and 1 in turn, s²/n is 1 / (4 (n − 1)) for even n.
  it.each([
    [2, 12.7062],
    [4, 3.1824],
    [10, 2.2622],
    [1000, 1.9623],
  ])('of %s values reaches as far as the table says', (count, t) => {
    const { mean, low } = meanInterval(Array.from({ length: count }, (_, index) => index % 2)) ?? { mean: 0, low: 0 };
    expect(mean).toBe(0.5);
    expect((mean - (low ?? 0)) * Math.sqrt(4 * (count - 1))).toBeCloseTo(t, 4);
  });

  it('is not known of one value, and of none there is nothing', () => {
    expect(meanInterval([5])).toEqual({ mean: 5, low: null, high: null });
    expect(meanInterval([])).toBeUndefined();
  });
});
