import { describe, expect, it } from 'vitest';
import { meanInterval, studentQuantile } from '../../src/analysis/compare/interval.js';

describe("Student's quantile", () => {
  // Tables of the t distribution, two-sided 95 % and 99 %.
  it.each([
    [0.975, 1, 12.7062],
    [0.975, 2, 4.3027],
    [0.975, 3, 3.1824],
    [0.975, 4, 2.7764],
    [0.975, 9, 2.2622],
    [0.975, 10, 2.2281],
    [0.975, 30, 2.0423],
    [0.975, 999, 1.9623],
    [0.995, 5, 4.0321],
  ])('at %s with %s degrees of freedom is %s', (probability, degrees, value) => {
    expect(studentQuantile(probability, degrees)).toBeCloseTo(value, 4);
  });
});

describe('the interval of a mean', () => {
  it('is as wide as the values stray', () => {
    // s = 1, so that the half-width is t(2) / √3.
    expect(meanInterval([1, 2, 3])).toEqual({
      mean: 2,
      low: expect.closeTo(2 - 4.3027 / Math.sqrt(3), 4) as number,
      high: expect.closeTo(2 + 4.3027 / Math.sqrt(3), 4) as number,
    });
  });

  it('is not known of one value, and of none there is nothing', () => {
    expect(meanInterval([5])).toEqual({ mean: 5, low: null, high: null });
    expect(meanInterval([])).toBeUndefined();
  });
});
