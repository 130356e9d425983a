import type { Micros } from '../core/units.js';
import { ClusterManagerStats } from '../core/generated/counts.js';
import { MergeWindow } from '../upstream/merge-window.js';

/** A merge window, and its counters. */
export type CountedMergeWindow = Readonly<{ window: MergeWindow; stats: Readonly<ClusterManagerStats> }>;

/**
 * `update_merge_window` of one cluster: which updates are delivered at once, and which wait to be delivered together.
 *
 * @param windowUs µs, 0 or more: 0 delivers everything at once. The proxy's default is one second.
 * @param lastDeliveryUs when lists were delivered last. Default: never.
 * @throws RangeError for a negative or invalid window.
 */
export function mergeWindow(windowUs: Micros, lastDeliveryUs: Micros = -Infinity): CountedMergeWindow {
  if (!(windowUs >= 0)) throw new RangeError(`a merge window takes 0 µs or more, not ${String(windowUs)}`);
  const stats = new ClusterManagerStats();
  return { window: new MergeWindow(windowUs, stats, lastDeliveryUs), stats };
}
