import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/report/layout.js';
import { evenness, ringReport } from '../../src/report/ring-report.js';
import type { RingTableView, RingView } from '../../src/result/generated/ring-view.js';

const layout = { width: 80, bars: true, paint: PLAIN, all: false };

function tableOf(keyShares: readonly number[], weights: readonly number[] = keyShares.map(() => 1)): RingTableView {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const hosts = keyShares.map((share, index) => ({
    address: `10.0.0.${index + 1}:80`,
    entries: 10,
    share: 1 / keyShares.length,
    key_share: share,
    weight_share: (weights[index] ?? 0) / total,
  }));
  const entries = 10 * keyShares.length;
  return { priority: 0, size: entries, entries, min_hashes_per_host: 10, max_hashes_per_host: 10, hosts };
}

function view(tables: readonly RingTableView[], policy: RingView['policy'] = 'RING_HASH'): RingView {
  return { cluster: 'backend', policy, hash_function: 'XX_HASH', tables };
}

describe('evenness', () => {
  it('is the deviation from what the weights ask for', () => {
    // Shares 0.5 and 1.5 times the fair one: both are off by a half.
    expect(evenness(tableOf([0.25, 0.75]))).toEqual({ variation: 0.5, peak: 1.5, lowest: 0.5 });
    expect(evenness(tableOf([0.25, 0.75], [1, 3]))).toEqual({ variation: 0, peak: 1, lowest: 1 });
    expect(evenness(tableOf([]))).toBeUndefined();
  });
});

describe('the report on a ring', () => {
  it('says who owns how much and what to do', () => {
    expect(ringReport(view([tableOf([0.25, 0.75])]), layout)).toBe(`backend  RING_HASH · XX_HASH

2 hosts on a ring of 20 entries, 10 entries per host. The busiest host gets 1.50
times its fair share of the keys, the least busy 0.50 times.

  host         entries    keys  × fair  0 to 80 %
  10.0.0.1:80       10  25.0 %    0.50  ███████▌
  10.0.0.2:80       10  75.0 %    1.50  ██████████████████████▌

evenness  coefficient of variation 0.500, peak to mean 1.500
          That is what chance does with 10 entries per host. minimum_ring_size:
          1024 (512 per host; maximum_ring_size must allow it) would bring the
          deviation down to about 4.4 %; MAGLEV is even from the start.
`);
  });

  it('has nothing to advise where all is well', () => {
    expect(ringReport(view([tableOf([0.5, 0.5])], 'MAGLEV'), layout)).toContain('Even: ');
    expect(ringReport(view([tableOf([1])]), layout)).toContain('One host owns every key.');
  });

  it('tells priorities apart and speaks of empty tables', () => {
    const empty = { ...tableOf([]), priority: 1 };
    const text = ringReport(view([tableOf([0.5, 0.5]), empty]), layout);
    expect(text).toContain('priority 0: 2 hosts on a ring');
    expect(text).toContain('priority 1: no entries, since no host may be chosen.');
    expect(ringReport(view([]), layout)).toContain('No table: the cluster has no hosts.');
  });

  it('shows the extremes of many hosts', () => {
    const shares = Array.from({ length: 50 }, (_, index) => (index + 1) / 1275);
    const text = ringReport(view([tableOf(shares)]), layout);
    expect(text).toContain('… 42 hosts between (--all lists them)');
    expect(text).toMatch(/10\.0\.0\.50:80.*\n(.*\n){3}.*… 42 hosts/);
    expect(ringReport(view([tableOf(shares)]), { ...layout, all: true }).match(/^ {2}10\.0\.0\./gm)).toHaveLength(50);
  });
});
