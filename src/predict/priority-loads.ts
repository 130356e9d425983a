import { sum } from '../core/lists.js';
import type { PriorityLoad } from '../hostset/priority-load.js';

/** Of 100 equally likely values, those from `from` up to `to` (exclusive) go to this priority. */
export interface PrioritySlice {
  readonly priority: number;
  readonly degraded: boolean;
  readonly from: number;
  readonly to: number;
}

/** Priorities in the order in which a draw of 0 … 99 is compared with their loads. */
export function slicesOf({ healthy: [first = 0, ...others], degraded }: PriorityLoad): PrioritySlice[] {
  const slices: PrioritySlice[] = [];
  let from = 0;
  const add = (list: readonly number[], isDegraded: boolean): void => {
    for (const [priority, load] of list.entries()) {
      const to = Math.min(100, from + load);
      if (to > from) slices.push({ priority, degraded: isDegraded, from, to });
      from = to;
    }
  };
  // Draws beyond all loads go to the first priority, also where it has no load and no host.
  add([first + Math.max(0, 100 - first - sum(others) - sum(degraded)), ...others], false);
  add(degraded, true);
  return slices;
}
