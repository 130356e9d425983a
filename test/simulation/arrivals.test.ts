import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomStreams } from '../../src/random/streams.js';
import type { Arrivals } from '../../src/settings/world.js';
import { type ArrivalProcess, arrivalProcess } from '../../src/simulation/arrivals.js';
import { run } from '../support/run.js';

const SECOND = 1_000_000;

function process(arrivals: Exclude<Arrivals, { kind: 'closed' }>, startUs = 0, seed = '1'): ArrivalProcess {
  return arrivalProcess(arrivals, startUs, new RandomStreams(seed).stream('arrivals/test'));
}

function until(arrivals: ArrivalProcess, endUs: number): number[] {
  const times: number[] = [];
  for (let at = arrivals.next(); at < endUs; at = arrivals.next()) times.push(at);
  return times;
}

describe('arrivals', () => {
  it('sends constant traffic at start + k/rate, rounded but never drifting', () => {
    const arrivals = process({ kind: 'constant', perSecond: 3 }, 500);
    expect(until(arrivals, 500 + SECOND)).toEqual([500, 333_833, 667_167]);
    const thirds = process({ kind: 'constant', perSecond: 3 });
    for (let k = 0; k < 3_000_000; k++) thirds.next();
    expect(thirds.next()).toBe(1_000_000 * SECOND);
  });

  it('sends Poisson traffic at its rate: within 5 standard deviations', () => {
    const count = until(process({ kind: 'poisson', perSecond: 1000 }), 100 * SECOND).length;
    expect(Math.abs(count - 100_000)).toBeLessThan(5 * Math.sqrt(100_000));
  });

  it('follows a ramp: the count is the area under the rate, within 5 standard deviations', () => {
    const points = [
      { atUs: 10 * SECOND, perSecond: 100 },
      { atUs: 20 * SECOND, perSecond: 900 },
      { atUs: 30 * SECOND, perSecond: 0 },
    ];
    const times = until(process({ kind: 'ramp', points }), 60 * SECOND);
    const within = (from: number, to: number, area: number): void => {
      const count = times.filter((at) => at >= from * SECOND && at < to * SECOND).length;
      expect(Math.abs(count - area)).toBeLessThanOrEqual(5 * Math.sqrt(area));
    };
    within(0, 10, 1000);
    within(10, 15, 1500);
    within(15, 20, 3500);
    within(20, 30, 4500);
    within(30, 60, 0);
  });

  it('plays a trace from its start on', () => {
    expect(until(process({ kind: 'trace', file: 't.csv', timesUs: [1, 5, 5, 9] }, 5), SECOND)).toEqual([5, 5, 9]);
  });

  it('sends nothing at rate 0 until the rate changes', () => {
    const arrivals = process({ kind: 'constant', perSecond: 0 });
    expect(arrivals.next()).toBe(Infinity);
    arrivals.setRate(2, 7 * SECOND);
    expect(arrivals.next()).toBe(7 * SECOND);
    expect(arrivals.next()).toBe(7.5 * SECOND);
  });

  it('goes through the rest of a gap at the new rate, however often that changes', () => {
    const arrivals = process({ kind: 'constant', perSecond: 1 });
    expect([arrivals.next(), arrivals.next()]).toEqual([0, SECOND]);
    arrivals.setRate(2, 0.5 * SECOND);
    expect([arrivals.next(), arrivals.next()]).toEqual([0.75 * SECOND, 1.25 * SECOND]);
    arrivals.setRate(0, SECOND);
    expect(arrivals.next()).toBe(Infinity);
    arrivals.setRate(4, 5 * SECOND);
    expect(arrivals.next()).toBe(5.125 * SECOND);
    expect(arrivals.next()).toBe(5.375 * SECOND);
    for (const at of [5.2, 5.25, 5.3]) {
      arrivals.setRate(4, at * SECOND);
      expect(arrivals.next()).toBe(5.375 * SECOND);
    }
  });

  it('never goes back in time, and depends on nothing but its stream', () => {
    const any = fc.oneof(
      fc.record({ kind: fc.constant('poisson' as const), perSecond: fc.integer({ min: 1, max: 100_000 }) }),
      fc.record({ kind: fc.constant('constant' as const), perSecond: fc.integer({ min: 1, max: 100_000 }) }),
      fc.record({
        kind: fc.constant('ramp' as const),
        points: fc
          .uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 })
          .map((seconds) => seconds.sort((a, b) => a - b))
          .map((seconds) => seconds.map((at, index) => ({ atUs: at * SECOND, perSecond: 1 + index * 50 }))),
      }),
    );
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: SECOND }), (arrivals, startUs) => {
        const first = process(arrivals, startUs);
        const again = process(arrivals, startUs);
        let last = startUs;
        for (let i = 0; i < 200; i++) {
          const at = first.next();
          expect(at).toBe(again.next());
          expect(at).toBeGreaterThanOrEqual(last);
          if (at !== Infinity) last = at;
        }
      }),
    );
  });
});

describe('a user who waits for each answer', () => {
  const times = async (thinkTime: string | undefined, serviceTime: string): Promise<readonly number[]> => {
    const seen: number[] = [];
    await run(
      {
        duration: '3ms',
        clusters: [{ name: 'c' }],
        endpoints: { c: ['10.0.0.1:80'] },
        behavior: [{ hosts: {}, service_time: serviceTime }],
        workloads: [{ cluster: 'c', arrivals: { closed: { users: 1, think_time: thinkTime } }, stop: '2ms' }],
      },
      { onDecision: ({ tUs }) => void seen.push(tUs) },
    );
    return seen;
  };

  it('thinks, then sends again', async () => {
    expect(await times('1ms', '0ms')).toEqual([0, 1000]);
    expect(await times('500us', '250us')).toEqual([0, 750, 1500]);
    expect(await times('0ms', '750us')).toEqual([0, 750, 1500]);
    expect(await times(undefined, '750us')).toEqual([0, 750, 1500]);
    // Not for ever at one instant.
    expect((await times('0ms', '0ms')).slice(0, 4)).toEqual([0, 100, 200, 300]);
  });
});
