import { describe, expect, it } from 'vitest';
import { coverageOf, POLICIES } from './coverage.js';

/** `npm run judge` takes five times as many. */
const TESTS = 2000;

describe('bounds at a chance of a thousandth', () => {
  it.each(Object.entries(POLICIES))('%s: right proxies fail no more often', async (_, policy) => {
    const { failed, narrower, tests } = await coverageOf(policy, TESTS);
    expect(tests).toBeGreaterThan(0.95 * TESTS);
    // Two are promised of two thousand; more than nine of them come by chance once in ten thousand.
    expect(failed).toBeLessThanOrEqual(9);
    // Nor far more seldom: the next closer bounds would be too close.
    expect(failed + narrower).toBeGreaterThan(0);
  });
});
