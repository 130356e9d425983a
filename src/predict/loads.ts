import type { ProxyVersion } from '../core/version.js';
import { atLeast } from '../core/version.js';
import type { LevelView } from './level.js';

/** How requests are divided among priorities. */
export interface Loads {
  /** Percent by priority. */
  readonly healthy: readonly number[];
  readonly degraded: readonly number[];
  readonly panic: readonly boolean[];
}

export const NO_LOADS: Loads = { healthy: [], degraded: [], panic: [] };

/** Of 100 equally likely values, those from `from` up to `to` (exclusive) go to this priority. */
export interface PrioritySlice {
  readonly priority: number;
  readonly degraded: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Divides 100 percent among the priorities.
 *
 * Each priority can take on its available share times the overprovisioning factor, at most 100. Together they make up
 * the whole if they can; less than the whole is scaled up. Healthy hosts of all priorities are used before degraded ones
 * of any. What integer division leaves over goes to the first priority that has anything.
 *
 * @param threshold panic threshold in whole percent.
 * @param before    loads since the last update: one case leaves a part of them as it was.
 */
export function divideLoad(
  levels: readonly LevelView[],
  threshold: number,
  version: ProxyVersion,
  before: Loads,
): Loads {
  const reach = (part: (level: LevelView) => number): number[] =>
    levels.map((level) =>
      level.measure.total <= 0
        ? 0
        : Math.min(100, Math.floor((level.overprovisioningFactor * part(level)) / level.measure.total)),
    );
  const healthyReach = reach((level) => level.measure.healthy);
  const degradedReach = reach((level) => level.measure.degraded);
  const whole = Math.min(100, total(healthyReach) + total(degradedReach));
  const short = levels.map((level) => whole < 100 && availablePercent(level) < threshold);

  if (whole === 0) {
    // Nobody is available anywhere.
    if (!atLeast(version, '1.14')) {
      return onlyFirst(
        levels,
        levels.map((_, priority) => priority === 0),
      );
    }
    if (threshold === 0)
      return onlyFirst(
        levels,
        levels.map((_, priority) => before.panic[priority] ?? false),
      );
    return byHostCount(levels, short);
  }
  if (atLeast(version, '1.14') && short.every((panics) => panics)) return byHostCount(levels, short);

  let left = 100;
  const portion = (reaches: readonly number[]): number[] =>
    reaches.map((value) => {
      const load = Math.min(left, Math.floor((value * 100) / whole));
      left -= load;
      return load;
    });
  const healthy = portion(healthyReach);
  const degraded = portion(degradedReach);
  const firstHealthy = healthyReach.findIndex((value) => value > 0);
  const firstDegraded = degradedReach.findIndex((value) => value > 0);
  if (firstHealthy >= 0) healthy[firstHealthy] = (healthy[firstHealthy] ?? 0) + left;
  else if (firstDegraded >= 0) degraded[firstDegraded] = (degraded[firstDegraded] ?? 0) + left;
  return { healthy, degraded, panic: short };
}

/** Hosts of any use among those that count, in percent; panic counts hosts and never weighs them. */
export function availablePercent(level: LevelView): number {
  const counted = level.all.members.length - level.excluded;
  if (counted === 0) return 0;
  return (100 * level.healthy.members.length) / counted + (100 * level.degraded.members.length) / counted;
}

/** Priorities in the order in which a draw of 0 … 99 is held against their loads. */
export function slicesOf(loads: Loads): PrioritySlice[] {
  const slices: PrioritySlice[] = [];
  let from = 0;
  const cut = (list: readonly number[], degraded: boolean): void => {
    for (const [priority, load] of list.entries()) {
      const to = Math.min(100, from + load);
      if (to > from) slices.push({ priority, degraded, from, to });
      from = to;
    }
  };
  cut(loads.healthy, false);
  cut(loads.degraded, true);
  return slices;
}

function onlyFirst(levels: readonly LevelView[], panic: readonly boolean[]): Loads {
  return {
    healthy: levels.map((_, priority) => (priority === 0 ? 100 : 0)),
    degraded: levels.map(() => 0),
    panic,
  };
}

/** Total panic: every host counts, whatever its health. */
function byHostCount(levels: readonly LevelView[], panic: readonly boolean[]): Loads {
  const counts = levels.map((level) => level.all.members.length);
  const hosts = total(counts);
  if (hosts === 0) return onlyFirst(levels, panic);
  const healthy = counts.map((count) => Math.floor((100 * count) / hosts));
  const first = counts.findIndex((count) => count > 0);
  healthy[first] = (healthy[first] ?? 0) + 100 - total(healthy);
  return { healthy, degraded: levels.map(() => 0), panic };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
