import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { LevelView } from './level-view.js';
import { sizeOf } from './level-view.js';
import { sum } from '../core/lists.js';

/** How requests are divided among priorities. */
export interface Loads {
  /** Percent by priority. */
  readonly healthy: readonly number[];
  readonly degraded: readonly number[];
  readonly panic: readonly boolean[];
  /** What all priorities together can carry, at most 100 percent. */
  readonly whole: number;
}

export const NO_LOADS: Loads = { healthy: [], degraded: [], panic: [], whole: 0 };

/** Of 100 equally likely values, those from `from` up to `to` (exclusive) go to this priority. */
export interface PrioritySlice {
  readonly priority: number;
  readonly degraded: boolean;
  readonly from: number;
  readonly to: number;
}

/** What every priority can carry, with overprovisioning, in percent up to 100. */
export function availableOf(levels: readonly LevelView[]): Pick<Loads, 'healthy' | 'degraded'> {
  const reach = (part: (level: LevelView) => number): number[] =>
    levels.map((level) =>
      level.measure.total <= 0
        ? 0
        : Math.min(100, Math.floor((level.overprovisioningFactor * part(level)) / level.measure.total)),
    );
  return { healthy: reach(({ measure }) => measure.healthy), degraded: reach(({ measure }) => measure.degraded) };
}

/**
 * Divides 100 percent among the priorities.
 *
 * Each priority can carry its available share times the overprovisioning factor, at most 100. If together they carry less
 * than 100, loads are scaled up. Healthy hosts of all priorities are used before degraded ones of any. The rest from
 * integer division goes to the first priority that has any load.
 *
 * @param threshold panic threshold in whole percent.
 * @param before    loads since the last update: one case keeps a part of them.
 */
export function divideLoad(
  levels: readonly LevelView[],
  threshold: number,
  version: ProxyVersion,
  before: Loads,
): Loads {
  const { healthy: healthyReach, degraded: degradedReach } = availableOf(levels);
  const whole = Math.min(100, sum(healthyReach) + sum(degradedReach));
  const short = levels.map((level) => whole < 100 && availablePercent(level) < threshold);

  if (whole === 0 && !quirksOf(version).totalPanicMovesLoad) {
    return onlyFirst(
      levels,
      levels.map((_, priority) => (priority === 0 ? threshold > 0 : (before.panic[priority] ?? false))),
    );
  }
  if (whole === 0 && threshold === 0) {
    return onlyFirst(
      levels,
      levels.map((_, priority) => before.panic[priority] ?? false),
    );
  }
  if (quirksOf(version).totalPanicMovesLoad && short.every((panics) => panics))
    return byHostCount(levels, short, whole);
  if (whole === 0) {
    // With weighted health, there may be too many hosts to panic, yet too light to carry a percent: loads do not change.
    const kept = (loads: readonly number[]): number[] => levels.map((_, priority) => loads[priority] ?? 0);
    const [healthy, degraded] = [kept(before.healthy), kept(before.degraded)];
    // Draws beyond all loads go to the first priority.
    if (healthy.length > 0) healthy[0] = (healthy[0] ?? 0) + Math.max(0, 100 - sum(healthy) - sum(degraded));
    return { healthy, degraded, panic: short, whole };
  }

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
  return { healthy, degraded, panic: short, whole };
}

/** Available hosts among those that count, in percent; panic counts hosts, never weights. */
export function availablePercent(level: LevelView): number {
  const counted = sizeOf(level.all) - level.excluded;
  if (counted === 0) return 0;
  return (100 * sizeOf(level.healthy)) / counted + (100 * sizeOf(level.degraded)) / counted;
}

/** Priorities in the order in which a draw of 0 … 99 is compared with their loads. */
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
  // Without any load the first one is chosen, in vain.
  if (from < 100) slices.push({ priority: 0, degraded: false, from, to: 100 });
  return slices;
}

function onlyFirst(levels: readonly LevelView[], panic: readonly boolean[]): Loads {
  return {
    healthy: levels.map((_, priority) => (priority === 0 ? 100 : 0)),
    degraded: levels.map(() => 0),
    panic,
    whole: 0,
  };
}

/** Total panic: every host counts, whatever its health. */
function byHostCount(levels: readonly LevelView[], panic: readonly boolean[], whole: number): Loads {
  const counts = levels.map((level) => sizeOf(level.all));
  const hosts = sum(counts);
  if (hosts === 0) return onlyFirst(levels, panic);
  const healthy = counts.map((count) => Math.floor((100 * count) / hosts));
  const first = counts.findIndex((count) => count > 0);
  healthy[first] = (healthy[first] ?? 0) + 100 - sum(healthy);
  return { healthy, degraded: levels.map(() => 0), panic, whole };
}
