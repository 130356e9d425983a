import { expect, it } from 'vitest';
import { type DurationDistribution, longestOf, meanOf } from '../../src/random/distributions.js';
import { durationSampler } from '../../src/random/samplers.js';
import { RandomStreams } from '../../src/random/streams.js';

const DRAWS = 400_000;

/** With the standard deviation of each, in parts of the mean. */
const CASES: readonly (readonly [DurationDistribution, number])[] = [
  [{ kind: 'exponential', mean: 10_000 }, 1],
  [{ kind: 'erlang', mean: 10_000, stages: 4 }, 0.5],
  [
    {
      kind: 'hyperexponential',
      branches: [
        { mean: 2000, weight: 9 },
        { mean: 82_000, weight: 1 },
      ],
    },
    Math.sqrt((2 * (0.9 * 4 + 0.1 * 6724)) / 100 - 1),
  ],
  [{ kind: 'weibull', scale: 5000, shape: 0.5 }, Math.sqrt(5)],
  [{ kind: 'weibull', scale: 10_000, shape: 2 }, Math.sqrt(4 / Math.PI - 1)],
];

it.each(CASES)('mean, deviation and longest of $kind', (distribution, deviation) => {
  const draw = durationSampler(distribution, () => new RandomStreams('7').stream('test'));
  const values = Float64Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / DRAWS;
  expect(Math.abs(mean / meanOf(distribution) - 1)).toBeLessThan((5 * deviation) / Math.sqrt(DRAWS));
  expect(Math.sqrt(squares) / mean / deviation).toBeCloseTo(1, 1);
  expect(values.filter((value) => value > longestOf(distribution)).length).toBeLessThan(6);
  expect(values.reduce((most, value) => Math.max(most, value), 0)).toBeGreaterThan(longestOf(distribution) / 2);
});

it('the mean of Weibull durations is exact where it has a simple form', () => {
  expect(meanOf({ kind: 'weibull', scale: 1000, shape: 1 })).toBeCloseTo(1000, 8);
  expect(meanOf({ kind: 'weibull', scale: 1000, shape: 0.25 })).toBeCloseTo(24_000, 7);
  expect(meanOf({ kind: 'weibull', scale: 1000, shape: 2 })).toBeCloseTo(500 * Math.sqrt(Math.PI), 8);
});
