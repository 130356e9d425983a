import type { BalancerFinding } from '../hostset/reasons.js';
import type { Balancer, PickContext } from './balancer.js';
import { isHashPolicy } from './balancer.js';
import { sizeOf } from './level-view.js';
import { availablePercent } from './priority-loads.js';
import { effectiveWeights } from './locality-split.js';

/** The state of a balancer, for the sentences that explain its split. */
export function findingOf(
  { config, levels, loads, threshold, zones }: Balancer,
  { zonesEnabled, localPanic }: Pick<PickContext, 'zonesEnabled' | 'localPanic'>,
): BalancerFinding {
  return {
    panicThreshold: threshold,
    normalizedTotal: loads.whole,
    priorities: levels.map((level, priority) => ({
      priority,
      hosts: sizeOf(level.all),
      healthy: sizeOf(level.healthy),
      degraded: sizeOf(level.degraded),
      excluded: level.excluded,
      overprovisioningFactor: level.overprovisioningFactor,
      healthyLoad: loads.healthy[priority] ?? 0,
      degradedLoad: loads.degraded[priority] ?? 0,
      panic: loads.panic[priority] ?? false,
      availablePercent: availablePercent(level),
      localitySchedule:
        config.localityWeighted && !isHashPolicy(config) ? { healthy: effectiveWeights(level, false) } : undefined,
      tableWeights:
        config.localityWeighted && isHashPolicy(config) && level.localities.length > 1
          ? level.localityWeights
          : undefined,
    })),
    zone: zones?.finding,
    zonePicks: zones && { enabledPercent: zonesEnabled, localClusterInPanic: localPanic },
  };
}
