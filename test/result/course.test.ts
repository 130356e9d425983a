import { describe, expect, it } from 'vitest';
import type { CourseGrid } from '../../src/result/course.js';
import { requestedGrid, CourseRecorder, defaultGrid, MAX_INTERVALS } from '../../src/result/course.js';

const SECOND = 1_000_000;
const ROWS = [0, 1].map((index) => ({ index, address: `10.0.0.${String(index)}:80`, priority: 0 }));

function recorder(grid: CourseGrid): { readonly course: CourseRecorder; readonly clock: { nowUs: number } } {
  const clock = { nowUs: 0 };
  return { course: new CourseRecorder(grid, clock), clock };
}

describe('the intervals of a run', () => {
  it('are about 60, of an even length', () => {
    const lengths = [60, 30, 20, 100, 3600, 0.001, 0].map((endS) => defaultGrid(endS * SECOND).everyUs);
    expect(lengths).toEqual([1_000_000, 500_000, 500_000, 2_000_000, 100_000_000, 20, 1]);
  });

  it('count what happened in them, and what was open as they ended', () => {
    const { course, clock } = recorder(requestedGrid(SECOND));
    course.chosen(0);
    course.chosen(1);
    clock.nowUs = 1_500_000;
    course.attemptEnded();
    course.ended(1_500_000, undefined);
    course.ejected(1);
    clock.nowUs = 3_000_000;
    course.withoutHost(true);
    course.ended(0, 'no_host');
    course.attemptEnded();
    course.ended(3_000_000, 'timeout');
    const { intervals, hosts } = course.result(3_500_000, ROWS);
    expect(
      intervals.map(({ from_s, to_s, requests, failures, in_flight, ejected }) => ({
        from_s,
        to_s,
        requests,
        failures,
        in_flight,
        ejected,
      })),
    ).toEqual([
      { from_s: 0, to_s: 1, requests: 2, failures: {}, in_flight: 2, ejected: 0 },
      { from_s: 1, to_s: 2, requests: 0, failures: {}, in_flight: 1, ejected: 1 },
      { from_s: 2, to_s: 3, requests: 0, failures: {}, in_flight: 1, ejected: 1 },
      { from_s: 3, to_s: 3.5, requests: 1, failures: { no_host: 1, timeout: 1 }, in_flight: 0, ejected: 1 },
    ]);
    expect(intervals.map(({ latency_ms: { max } }) => max)).toEqual([null, 1500, null, 3000]);
    expect(hosts?.map(({ requests }) => requests)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
  });

  it('are no more than are kept: the last goes on to the end', () => {
    const { course, clock } = recorder({ everyUs: SECOND, most: 3, cells: 100 });
    for (clock.nowUs = 0; clock.nowUs < 10 * SECOND; clock.nowUs += SECOND) course.chosen(0);
    const { intervals } = course.result(10 * SECOND, ROWS);
    expect(intervals.map(({ from_s, to_s, requests }) => [from_s, to_s, requests])).toEqual([
      [0, 1, 1],
      [1, 2, 1],
      [2, 10, 8],
    ]);
    expect(requestedGrid(1).most).toBe(MAX_INTERVALS);
  });

  it('give up the counts of hosts where hosts times intervals are too many, and nothing else', () => {
    const { course, clock } = recorder({ everyUs: SECOND, most: 100, cells: 10 });
    for (clock.nowUs = 0; clock.nowUs < 20 * SECOND; clock.nowUs += SECOND) course.chosen(1);
    const { intervals, hosts } = course.result(20 * SECOND, ROWS);
    expect(hosts).toBeUndefined();
    expect(intervals.map(({ requests }) => requests)).toEqual(new Array(20).fill(1));
  });
});
