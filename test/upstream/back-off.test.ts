import { describe, expect, it } from 'vitest';
import { ScriptedRandom } from '../../src/random/random64.js';
import { jitteredBackOffMs } from '../../src/upstream/back-off.js';
import { PreviousPriorities } from '../../src/upstream/retry.js';

describe('the back-off', () => {
  /** The longest wait before each attempt: one millisecond below the bound, by the largest value that there is to draw. */
  function longest(baseMs: number, maxMs: number, backOffDoubles: boolean): readonly number[] {
    return [1, 2, 3, 4].map((attempt) => {
      const drawn = [...Array(maxMs + 1).keys()].map((lo) =>
        jitteredBackOffMs(attempt, baseMs, maxMs, new ScriptedRandom([{ hi: 0, lo }]), { backOffDoubles }),
      );
      return Math.max(...drawn);
    });
  }

  it('doubles its bound up to the longest interval', () => {
    expect(longest(25, 60, true)).toEqual([24, 49, 59, 59]);
    expect(longest(25, 100, true)).toEqual([24, 49, 99, 99]);
  });
});

describe('previous_priorities', () => {
  it('counts all priorities again once each has been tried', () => {
    const available = { health: [100, 100], degradedHealth: [0, 0], load: { healthy: [100, 0], degraded: [0, 0] } };
    const previous = new PreviousPriorities(1);
    const healthy = [0, 1, 0].map((priority) => {
      previous.attempted(priority);
      return previous.loadFor(available).healthy;
    });
    expect(healthy).toEqual([
      [0, 100],
      [100, 0],
      [0, 100],
    ]);
    // Priority 0 has none: all that can be tried is tried.
    const other = { health: [50, 50], degradedHealth: [0, 0], load: { healthy: [0, 100], degraded: [0, 0] } };
    const again = new PreviousPriorities(2);
    for (const priority of [0, 1]) again.attempted(priority);
    expect(again.loadFor(other).healthy).toEqual([50, 50]);
  });
});
