import type { LevelView, Lists } from './level-view.js';
import { sizeOf } from './level-view.js';

/**
 * Portions by locality under locality_weighted_lb_config; undefined where no schedule exists and the whole level is
 * picked from.
 */
export function localitySplit(level: LevelView, degraded: boolean): readonly number[] | undefined {
  const effective = effectiveWeights(level, degraded);
  const sum = (effective ?? []).reduce((total, weight) => total + weight, 0);
  return effective?.map((weight) => weight / sum);
}

/**
 * The effective weight of each locality: the whole weight while overprovisioning makes up for missing hosts, then reduced
 * in proportion. undefined: no locality has any.
 */
export function effectiveWeights(level: LevelView, degraded: boolean): readonly number[] | undefined {
  const { localityWeights } = level;
  if (localityWeights === undefined || localityWeights.length === 0) return undefined;
  const effective = level.localities.map((lists, index) => {
    const weight = localityWeights[index] ?? 0;
    return weight * Math.min(1, (level.overprovisioningFactor / 100) * eligiblePart(lists, degraded));
  });
  return effective.some((weight) => weight > 0) ? effective : undefined;
}

function eligiblePart(lists: Lists, degraded: boolean): number {
  const counted = sizeOf(lists.all) - lists.excluded;
  const eligible = sizeOf(degraded ? lists.degraded : lists.healthy);
  return counted <= 0 ? 0 : eligible / counted;
}
