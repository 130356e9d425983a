import fc from 'fast-check';
import { ClusterManagerStats } from '../../src/core/generated/counts.js';
import { describe, expect, it } from 'vitest';
import { MergeWindow } from '../../src/upstream/merge-window.js';

const SECOND = 1_000_000;

describe('MergeWindow', () => {
  it('delivers the first update at once and the next one a whole window after it came', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(SECOND, stats, -Infinity);
    expect(window.update(0, true, 0)).toBeUndefined();
    expect(window.update(0, true, 400_000)).toEqual({ dueUs: 1_400_000, armed: true });
    // Later ones ride along; they do not push the timer back.
    expect(window.update(0, true, 900_000)).toEqual({ dueUs: 1_400_000, armed: false });
    expect(window.fire(0, 1_400_000)).toBe(true);
    expect(stats).toMatchObject({ clusterUpdated: 1, clusterUpdatedViaMerge: 1, updateOutOfMergeWindow: 1 });
  });

  it('delivers at once what comes a window after the last delivery, although a timer runs', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(SECOND, stats, 0);
    window.update(0, true, 400_000);
    expect(window.update(0, true, SECOND + 1000)).toBeUndefined();
    expect(stats).toMatchObject({ updateMergeCancelled: 1, updateOutOfMergeWindow: 1 });
    expect(window.fire(0, 1_400_000)).toBe(false);
  });

  it('lets an update through exactly one window later only if the window has passed', () => {
    const window = new MergeWindow(SECOND, new ClusterManagerStats(), 0);
    expect(window.update(0, true, SECOND)).toEqual({ dueUs: 2 * SECOND, armed: true });
    const other = new MergeWindow(SECOND, new ClusterManagerStats(), 0);
    expect(other.update(0, true, SECOND + 999)).toBeDefined();
    expect(other.update(0, true, SECOND + 1000)).toBeUndefined();
  });

  it('never holds back added or removed hosts, and drops what waited', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(SECOND, stats, 0);
    window.update(0, true, 10);
    expect(window.update(0, false, 20)).toBeUndefined();
    expect(stats.updateMergeCancelled).toBe(1);
    expect(window.fire(0, SECOND + 10)).toBe(false);
    expect(window.update(0, true, 30)).toEqual({ dueUs: SECOND + 30, armed: true });
  });

  it('keeps a window per priority', () => {
    const window = new MergeWindow(SECOND, new ClusterManagerStats(), 0);
    expect(window.update(0, true, 5)?.armed).toBe(true);
    expect(window.update(1, true, 6)?.dueUs).toBe(SECOND + 6);
  });

  it('counts no merging with a window of 0', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(0, stats, 0);
    for (let i = 0; i < 3; i++) expect(window.update(0, true, i)).toBeUndefined();
    expect(stats).toMatchObject({ clusterUpdated: 3, updateOutOfMergeWindow: 0, clusterUpdatedViaMerge: 0 });
  });

  it('sends a batch at once, with what waited in it', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(SECOND, stats, 0);
    window.update(0, true, 5);
    window.batch([0, 1], 10);
    expect(stats).toMatchObject({ clusterUpdated: 1, updateMergeCancelled: 1 });
    expect(window.fire(0, SECOND + 5)).toBe(false);
  });

  it('restarts with a batch the windows of the priorities that it changed, and no others', () => {
    const stats = new ClusterManagerStats();
    const window = new MergeWindow(SECOND, stats, 0);
    window.update(1, true, 5);
    window.batch([0], 2 * SECOND);
    expect(stats).toMatchObject({ clusterUpdated: 1, updateMergeCancelled: 0 });
    expect(window.update(0, true, 2 * SECOND + 10)?.armed).toBe(true);
    expect(window.update(2, true, 2 * SECOND + 10)).toBeUndefined();
    expect(window.fire(1, SECOND + 5)).toBe(true);
  });

  it('delivers every update within one window, whatever comes', () => {
    const step = fc.record({ gapUs: fc.integer({ min: 1, max: 2 * SECOND }), mergeable: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const window = new MergeWindow(SECOND, new ClusterManagerStats(), -Infinity);
        let nowUs = 0;
        let waitingSince: number | undefined;
        let dueUs: number | undefined;
        for (const { gapUs, mergeable } of steps) {
          nowUs += gapUs;
          if (dueUs !== undefined && dueUs <= nowUs) {
            expect(window.fire(0, dueUs)).toBe(true);
            expect(dueUs - (waitingSince ?? NaN)).toBe(SECOND);
            dueUs = undefined;
            waitingSince = undefined;
          }
          const wait = window.update(0, mergeable, nowUs);
          if (wait === undefined) {
            dueUs = undefined;
            waitingSince = undefined;
          } else {
            expect(mergeable).toBe(true);
            if (wait.armed) waitingSince = nowUs;
            dueUs = wait.dueUs;
          }
        }
      }),
    );
  });
});
