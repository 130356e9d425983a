import { sum } from '../core/lists.js';
import { degradedHosts, effectiveLocalityWeights, healthyHosts } from '../hostset/locality-weights.js';
import type { LevelView } from './level-view.js';

/**
 * Portions by locality under locality_weighted_lb_config; undefined where no schedule exists and the whole level is
 * picked from.
 */
export function localitySplit(level: LevelView, degraded: boolean): readonly number[] | undefined {
  const effective = effectiveLocalityWeights(level, degraded ? degradedHosts : healthyHosts);
  const whole = sum(effective ?? []);
  return effective?.map((weight) => weight / whole);
}
