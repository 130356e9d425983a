import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EdfSchedule } from '../../src/schedule/edf.js';
import { createByPicking, createWithPicks, peek, pick, queued } from '../../src/schedule/edf.js';

function weightAt(weights: readonly number[], entry: number): number {
  return weights[entry] ?? NaN;
}

function picks(schedule: EdfSchedule, weights: readonly number[], count: number): number[] {
  return Array.from({ length: count }, () => pick(schedule, weightAt, weights));
}

/** Turns that each entry has had, read from when it is due. */
function turnsOf(schedule: EdfSchedule, weights: readonly number[]): readonly number[] {
  const deadlines = new Map(queued(schedule).map(({ entry, deadline }) => [entry, deadline]));
  return weights.map((weight, entry) => Math.round((deadlines.get(entry) ?? NaN) * weight) - 1);
}

const someWeights = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 });

describe('a schedule', () => {
  it('of nobody gives nobody', () => {
    const schedule = createByPicking(0, weightAt, [], 0);
    expect(pick(schedule, weightAt, [])).toBe(-1);
    expect(peek(schedule, weightAt, [])).toBe(-1);
    expect(pick(createWithPicks(0, weightAt, [], 123), weightAt, [])).toBe(-1);
  });

  it('picks by deadline, first in first out on a tie', () => {
    // Deadlines 1, ½, ½: entries 1 and 2 tie at ½, all three at 1, in the order they were queued.
    const weights = [1, 2, 2];
    expect(picks(createByPicking(3, weightAt, weights, 0), weights, 10)).toEqual([1, 2, 0, 1, 2, 1, 2, 0, 1, 2]);
  });

  it('breaks those ties otherwise in the modern start, whose deadlines are early by an epsilon', () => {
    const weights = [1, 2];
    const swapped = [2, 1];
    const old = createByPicking(2, weightAt, weights, 0);
    const modern = createWithPicks(2, weightAt, weights, 0);
    expect(picks(old, weights, 6)).toEqual([1, 0, 1, 1, 0, 1]);
    expect(picks(modern, weights, 6)).toEqual([1, 0, 1, 1, 0, 1]);
    expect(picks(old, swapped, 8)).toEqual([1, 0, 1, 0, 0, 1, 0, 0]);
    expect(picks(modern, swapped, 8)).toEqual([1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('peeks at what the next picks will give', () => {
    fc.assert(
      fc.property(someWeights, fc.nat(9), (weights, ahead) => {
        const schedule = createByPicking(weights.length, weightAt, weights, 0);
        const peeked = Array.from({ length: ahead }, () => peek(schedule, weightAt, weights));
        expect(picks(schedule, weights, ahead)).toEqual(peeked);
      }),
    );
  });

  it('gives everybody within a period exactly its weight', () => {
    fc.assert(
      fc.property(someWeights, (weights) => {
        const period = weights.reduce((sum, weight) => sum + weight, 0);
        const counts = weights.map(() => 0);
        for (const entry of picks(createByPicking(weights.length, weightAt, weights, 0), weights, period)) {
          counts[entry] = (counts[entry] ?? 0) + 1;
        }
        // Rounding of 1/w may push the last turn of an entry just over the end of the period.
        counts.forEach((count, entry) => {
          expect(Math.abs(count - (weights[entry] ?? 0))).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it('gives who is due first, of all of them, whatever the weights become', () => {
    const change = fc.tuple(fc.nat(39), fc.double({ min: 1e-3, max: 1e3, noNaN: true }));
    fc.assert(
      fc.property(someWeights, fc.array(change, { maxLength: 200 }), (start, changes) => {
        const weights = [...start];
        const schedule = createByPicking(weights.length, weightAt, weights, 0);
        const line = weights.map((weight, entry) => ({ entry, due: 1 / weight, order: entry }));
        for (const [order, [changed, weight]] of changes.entries()) {
          weights[changed % weights.length] = weight;
          const first = line.reduce((a, b) => (b.due < a.due || (b.due === a.due && b.order < a.order) ? b : a));
          expect(pick(schedule, weightAt, weights)).toBe(first.entry);
          expect(schedule.now).toBe(first.due);
          Object.assign(first, { due: first.due + 1 / (weights[first.entry] ?? NaN), order: weights.length + order });
        }
      }),
    );
  });
});

describe('the modern start', () => {
  it('is where taking the picks would have led', () => {
    // Roots of primes: no two entries are ever due at the same time, so there is no tie for the epsilon to turn.
    const roots = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47].map(Math.sqrt);
    fc.assert(
      fc.property(fc.shuffledSubarray(roots, { minLength: 1 }), fc.nat(5000), (weights, skipped) => {
        const jumped = createWithPicks(weights.length, weightAt, weights, skipped);
        const walked = createByPicking(weights.length, weightAt, weights, skipped);
        expect(Math.abs(jumped.now - walked.now)).toBeLessThan(1e-5);
        expect(picks(jumped, weights, 100)).toEqual(picks(walked, weights, 100));
        expect(Math.abs(jumped.now - walked.now)).toBeLessThan(1e-5);
      }),
      { numRuns: 60 },
    );
  });

  it('gives nobody more than a turn more or less than taking the picks, ties or not', () => {
    fc.assert(
      fc.property(someWeights, fc.nat(2000), (weights, skipped) => {
        const jumped = turnsOf(createWithPicks(weights.length, weightAt, weights, skipped), weights);
        const walked = turnsOf(createByPicking(weights.length, weightAt, weights, skipped), weights);
        jumped.forEach((turns, entry) => {
          expect(Math.abs(turns - (walked[entry] ?? NaN))).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('takes back a turn that rounding gave too early: of three picks among 9 the one of weight 3 ends at 3/9', () => {
    const weights = [3, 2, 4];
    expect(picks(createWithPicks(3, weightAt, weights, 3), weights, 8)).toEqual([2, 0, 2, 1, 2, 0, 2, 0]);
  });

  it('gives whole turns at once: of six picks among 21, one each to those whose turn ends before 6/21', () => {
    const weights = [1, 4, 3, 5, 5, 3];
    const schedule = createWithPicks(6, weightAt, weights, 6);
    // Entries 1, 3 and 4 have had a turn (at 1/4, 1/5 and 1/5); 2 and 5 (at 1/3) and 3 (at 2/5) are picked. At 1 all but
    // entry 0, which has the epsilon, have been queued in the order of their turns before.
    expect(Array.from({ length: 15 }, () => pick(schedule, weightAt, weights))).toEqual([
      4, 1, 3, 4, 2, 5, 1, 3, 4, 0, 1, 2, 5, 3, 4,
    ]);
  });

  it('takes the seed modulo 429496729', () => {
    const weights = [6, 3, 1];
    const state = (picked: number): unknown => structuredClone(createWithPicks(3, weightAt, weights, picked));
    expect(state(429496729 + 17)).toEqual(state(17));
    expect(state(429496728)).not.toEqual(state(0));
  });

  it('reaches everybody: the first pick over the seeds of a period follows the weights', () => {
    const weights = [6, 3, 1];
    const first = Array.from({ length: 10 }, (_, seed) => {
      return pick(createWithPicks(3, weightAt, weights, seed), weightAt, weights);
    });
    expect([0, 1, 2].map((entry) => first.filter((other) => other === entry).length)).toEqual([6, 3, 1]);
  });

  it('leaves few picks to take one by one', () => {
    // A large seed must not cost a large loop: the order of insertions tells how many were taken.
    const weights = Array.from({ length: 100 }, (_, entry) => 1 + (entry % 7));
    const schedule = createWithPicks(100, weightAt, weights, 400_000_000);
    expect(schedule.nextTurn / schedule.stride - 100).toBeLessThanOrEqual(200);
  });
});

it('a schedule that starts in the middle stands at the deadline of its last pick', () => {
  const weights = [1, 2, 4];
  const [skipping, picking] = [createWithPicks, createByPicking].map((create) => create(3, weightAt, weights, 14));
  expect(picking?.now).toBe(2);
  expect(skipping?.now).toBeCloseTo(2);
});
