import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpectedArrivals } from '../../src/scenario/check/expected-arrivals.js';
import { RandomStreams } from '../../src/random/streams.js';
import { arrivalProcess } from '../../src/simulation/arrivals.js';

const S = 1_000_000;

test('constant arrivals are counted exactly, rates that change included', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 3 * S }),
      fc.integer({ min: 0, max: 4 * S }),
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 0, max: 5 * S }),
      (perSecond, startUs, changeUs, later, untilUs) => {
        const arrivals = { kind: 'constant', perSecond } as const;
        const expected = new ExpectedArrivals(arrivals, startUs, 5 * S, [{ atUs: changeUs, perSecond: later }], false);
        const process = arrivalProcess(arrivals, startUs, new RandomStreams('1').stream('x'));
        const changed = Math.max(changeUs, startUs);
        let count = 0;
        let time = process.next();
        for (; time < Math.min(changed, untilUs); time = process.next()) count++;
        if (untilUs > changed) {
          process.setRate(later, changed);
          for (time = process.next(); time < untilUs; time = process.next()) count++;
        }
        expect(expected.before(untilUs)).toBe(count);
      },
    ),
  );
});

test('a ramp is the area under its rate', () => {
  const points = [
    { atUs: S, perSecond: 10 },
    { atUs: 3 * S, perSecond: 50 },
  ];
  const ramp = new ExpectedArrivals({ kind: 'ramp', points }, 0, 10 * S, [], false);
  expect(ramp.before(S)).toBeCloseTo(10, 9);
  expect(ramp.before(2 * S)).toBeCloseTo(10 + 20, 9);
  expect(ramp.before(3 * S)).toBeCloseTo(10 + 60, 9);
  expect(ramp.before(5 * S)).toBeCloseTo(10 + 60 + 100, 9);
});

test('Poisson arrivals have their mean, and none after they stop', () => {
  const poisson = new ExpectedArrivals(
    { kind: 'poisson', perSecond: 100 },
    S,
    3 * S,
    [{ atUs: 2 * S, perSecond: 10 }],
    false,
  );
  expect(poisson.before(S)).toBe(0);
  expect(poisson.before(2 * S)).toBeCloseTo(100, 9);
  expect(poisson.before(9 * S)).toBeCloseTo(110, 9);
});

test('a closed workload has a rate of its own only where answers take no time', () => {
  const closed = { kind: 'closed', users: 5, thinkTime: { kind: 'constant', value: S / 2 } } as const;
  expect(new ExpectedArrivals(closed, 0, 10 * S, [], false).before(2 * S)).toBe(20);
  expect(new ExpectedArrivals(closed, 0, 10 * S, [], true).before(2 * S)).toBeUndefined();
});
