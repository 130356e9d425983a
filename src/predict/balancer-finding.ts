import { type BalancerDescription, describePriority } from '../hostset/describe.js';
import { effectiveLocalityWeights, healthyHosts } from '../hostset/locality-weights.js';
import { emptyTable } from '../hostset/normalized-weights.js';
import { normalizedTotal } from '../hostset/priority-load.js';
import { type Balancer, isHashPolicy, type PickContext } from './balancer.js';

/** The state of a balancer, for the sentences that explain its split. */
export function findingOf(
  { config, levels, state, threshold, zones }: Balancer,
  { zonesEnabled, localPanic }: Pick<PickContext, 'zonesEnabled' | 'localPanic'>,
): BalancerDescription {
  const { localityWeighted } = config;
  const hashes = isHashPolicy(config);
  return {
    panicThreshold: threshold,
    normalizedTotal: normalizedTotal(state),
    priorities: levels.map((level) =>
      describePriority(level, state, {
        localitySchedule:
          localityWeighted && !hashes
            ? { healthy: effectiveLocalityWeights(level, healthyHosts), degraded: undefined }
            : undefined,
        tableWeights: localityWeighted && hashes && level.localities.length > 1 ? level.localityWeights : undefined,
        emptyTable: localityWeighted && hashes ? emptyTable(level, state.panic[level.priority] === true) : undefined,
      }),
    ),
    zone: zones?.finding,
    zonePicks: zones && { enabledPercent: zonesEnabled, localClusterInPanic: localPanic },
  };
}
