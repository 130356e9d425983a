import { describe, expect, it } from 'vitest';
import { timingOf } from '../../src/result/timing.js';
import type { ClusterResult } from '../../src/result/run-result.js';
import { cluster, host, phase } from '../report/results.js';

const HOSTS = [host('10.0.0.1:80', 1)];

/** A cluster that was counted second by second, in which something happened at 21.5 s. */
function counted(): ClusterResult {
  const phases = [
    phase(0, 60, HOSTS, { happened: [{ kind: 'timeline', entry: 'zone a stops answering', at_s: 21.5 }] }),
  ];
  return cluster(HOSTS, { phases, course: { every_s: 1, intervals: [] } });
}

function seconds(amounts: Readonly<Record<number, number>>): { from_s: number; to_s: number; amount: number }[] {
  return Array.from({ length: 60 }, (_, at) => ({ from_s: at, to_s: at + 1, amount: amounts[at] ?? 0 }));
}

function from(first: number, last: number, amount: number): Record<number, number> {
  return Object.fromEntries(Array.from({ length: last - first + 1 }, (_, at) => [first + at, amount]));
}

describe('when something happened', () => {
  it('is a window from the moment that began it', () => {
    expect(timingOf(seconds(from(21, 26, 100)), counted(), 60)).toEqual({
      kind: 'window',
      from_s: 21.5,
      to_s: 27,
      nearly: false,
      bursts: 1,
    });
  });

  it('leaves out next to nothing, and says so', () => {
    const amounts = { 3: 1, ...from(30, 49, 200), 55: 2 };
    expect(timingOf(seconds(amounts), counted(), 60)).toMatchObject({ from_s: 30, to_s: 50, nearly: true });
    // Not what is a part of it.
    const more = { ...from(0, 9, 9), ...from(30, 31, 200) };
    expect(timingOf(seconds(more), counted(), 60)).toMatchObject({ from_s: 0, to_s: 32, nearly: false });
  });

  it('is bursts where some had to be expected in between, not where few are far apart', () => {
    const bursts = { ...from(10, 10, 50), ...from(20, 20, 50), ...from(30, 30, 50) };
    expect(timingOf(seconds(bursts), counted(), 60)).toMatchObject({ kind: 'bursts', bursts: 3, from_s: 10, to_s: 31 });
    expect(timingOf(seconds({ 10: 1, 14: 1, 20: 1, 30: 1 }), counted(), 60)).toMatchObject({
      kind: 'window',
      bursts: 1,
    });
  });

  it('is as many bursts as phases tell apart, where the seconds of a course are too coarse to', () => {
    const failing = (at: number) => phase(at, at + 0.25, HOSTS, { failed: 50 });
    const calm = (at: number) => phase(at + 0.25, at + 1, HOSTS);
    const phases = [0, 1, 2, 3].flatMap((at) => [failing(at), calm(at)]);
    const fine = cluster(HOSTS, { phases, course: { every_s: 1, intervals: [] } });
    expect(timingOf(seconds(from(0, 3, 50)), fine, 60)).toMatchObject({ kind: 'bursts', bursts: 4 });
  });

  it('is all the time, or not known where only the whole run was counted', () => {
    expect(timingOf(seconds(from(0, 58, 3)), counted(), 60).kind).toBe('throughout');
    const coarse = cluster(HOSTS, { phases: counted().phases });
    expect(timingOf([{ from_s: 0, to_s: 60, amount: 9 }], coarse, 60).kind).toBe('unknown');
  });
});
