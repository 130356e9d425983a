import { describe, expect, test } from 'vitest';
import { splitBetween } from '../../src/predict/split-between.js';
import { standardError, standardErrorsOff } from '../../src/result/expected.js';
import type { PredictedPhase } from '../../src/predict/prediction.js';

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

describe('the split of several phases', () => {
  const phase = (from: number, to: number, requests: number, share: number): PredictedPhase => {
    const locality = { region: '', zone: 'a', sub_zone: '' };
    const portion = { share, variance: share * (1 - share), granularity: 0 };
    return {
      from_s: from,
      to_s: to,
      causes: [],
      facts: [],
      method: 'exact',
      requests,
      hosts: [{ address: '10.0.0.1:80', priority: 0, locality, weight: 1, health: 'healthy', ...portion }],
      localities: [{ locality, share }],
      priorities: [{ priority: 0, share }],
      subsets: [],
      no_host: { share: 1 - share, variance: share * (1 - share), granularity: 0 },
    };
  };
  const phases = [phase(0, 1, 100, 1), phase(1, 3, 300, 0.5), phase(3, 4, 100, 0)];

  test('is mixed by their requests', () => {
    const split = splitBetween({ phases }, 0, 3);
    expect(split).toMatchObject({ method: 'exact', requests: 400 });
    expect(split?.hosts).toMatchObject([{ share: 0.625, variance: 0.625 * 0.375 }]);
    expect(split?.no_host?.share).toBeCloseTo(0.375, 12);
    expect(split?.priorities).toEqual([{ priority: 0, share: 0.625 }]);
  });

  test('is that of the phase where there is only one', () => {
    expect(splitBetween({ phases }, 1, 3)).toBe(phases[1]);
  });

  test('is unknown where phases are cut', () => {
    expect(splitBetween({ phases }, 0, 2)).toBeUndefined();
    expect(splitBetween({ phases }, 0.5, 3)).toBeUndefined();
    expect(splitBetween({ phases }, 4, 5)).toBeUndefined();
  });

  test('is none where one of them is', () => {
    const lost: PredictedPhase = { ...phase(3, 4, 1, 0), method: 'none', obstacle: { kind: 'slow_start' }, hosts: [] };
    expect(splitBetween({ phases: [phase(0, 3, 1, 1), lost] }, 0, 4)).toMatchObject({
      method: 'none',
      obstacle: { kind: 'slow_start' },
    });
  });
});
