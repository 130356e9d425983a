import { largest } from '../core/lists.js';
import type { ClusterResult } from '../result/run-result.js';

/** Possible ends of an axis, in percent. */
const ENDS = [1, 2, 5, 10, 20, 25, 30, 40, 50, 60, 80, 100];

/**
 * The share, 0–1, of the longest bar of a report: one for all of its tables, so that bars can be compared. Shares of hosts
 * in single phases are ignored: a longer bar is drawn full.
 */
export function barScale(clusters: readonly ClusterResult[]): number {
  const shares = clusters.flatMap(({ hosts, localities, priorities, subsets, members = [] }) =>
    // A single group has no table.
    [most(hosts), ...[localities, priorities, subsets, members].map((rows) => (rows.length < 2 ? 0 : most(rows)))],
  );
  return scaleFor(shares);
}

/** The next round share that is not below any of these. */
export function scaleFor(shares: readonly number[]): number {
  const percent = 100 * largest(shares, 0);
  return (ENDS.find((end) => percent <= end) ?? 100) / 100;
}

function most(rows: readonly { readonly share: number }[]): number {
  return rows.reduce((share, row) => Math.max(share, row.share), 0);
}
