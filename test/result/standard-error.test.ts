import { describe, expect, test } from 'vitest';
import { standardError, standardErrorsOff } from '../../src/result/expected.js';

describe('standard error', () => {
  test('of independent draws is that of a coin', () => {
    expect(standardError({ variance: 0.25, granularity: 0 }, 100)).toBeCloseTo(0.05, 12);
    expect(standardErrorsOff({ share: 0.5, variance: 0.25, granularity: 0 }, 0.6, 100)).toBeCloseTo(2, 12);
  });

  test('of a rotation falls with the number of requests, not with its root', () => {
    expect(standardError({ variance: 0, granularity: 0.5 }, 100)).toBeCloseTo(0.005, 12);
    expect(standardError({ variance: 0, granularity: 0.5 }, 10000)).toBeCloseTo(0.00005, 12);
  });

  test('what is certain may not deviate at all, but for rounding', () => {
    const never = { share: 0, variance: 0, granularity: 0 };
    expect(standardErrorsOff(never, 0, 1000)).toBe(0);
    expect(standardErrorsOff(never, 1e-12, 1000)).toBe(0);
    expect(standardErrorsOff(never, 0.001, 1000)).toBe(Infinity);
    expect(standardErrorsOff({ ...never, share: 1 }, 0.999, 1000)).toBe(-Infinity);
  });

  test('without requests nothing deviates', () => {
    expect(standardErrorsOff({ share: 0.5, variance: 0.25, granularity: 0 }, 0, 0)).toBe(0);
  });
});
