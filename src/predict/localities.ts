import type { LevelView, PlaceLists } from './level.js';

/**
 * Portions by locality under locality_weighted_lb_config; undefined where no schedule exists and the whole level is
 * picked from.
 *
 * A locality keeps its whole weight while overprovisioning makes up for what is missing, then loses it in proportion.
 */
export function localitySplit(level: LevelView, degraded: boolean): readonly number[] | undefined {
  const { placeWeights } = level;
  if (placeWeights === undefined || placeWeights.length === 0) return undefined;
  const effective = level.places.map((lists, index) => {
    const weight = placeWeights[index] ?? 0;
    return weight * Math.min(1, (level.overprovisioningFactor / 100) * eligiblePart(lists, degraded));
  });
  const sum = effective.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? effective.map((weight) => weight / sum) : undefined;
}

function eligiblePart(lists: PlaceLists, degraded: boolean): number {
  const counted = lists.all.members.length - lists.excluded;
  const eligible = (degraded ? lists.degraded : lists.healthy).members.length;
  return counted <= 0 ? 0 : eligible / counted;
}
