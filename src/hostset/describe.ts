import type { PriorityDescription } from './generated/descriptions.js';
import type { LevelLists } from './host-set.js';
import { availablePercent, type PriorityState } from './priority-load.js';

/** Why nothing is routed by zone. */
export type ZoneOff =
  | { readonly gate: 'upstream-zones' | 'local-zones'; readonly zones: number; readonly needed: number }
  | { readonly gate: 'zone-number-differs'; readonly upstream_zones: number; readonly local_zones: number }
  | { readonly gate: 'cluster-too-small'; readonly healthy_hosts: number; readonly min_cluster_size: number }
  | {
      readonly gate:
        'not-computed' | 'no-local-hosts' | 'no-upstream-local-hosts' | 'routing-enabled' | 'local-cluster-in-panic';
    };

/** @param more what the balancer knows of the level besides. */
export function describePriority(
  hostSet: LevelLists,
  state: PriorityState,
  more: Partial<PriorityDescription> = {},
): PriorityDescription {
  const { priority } = hostSet;
  return {
    priority,
    hosts: hostSet.hosts.length,
    healthy: hostSet.healthy.length,
    degraded: hostSet.degraded.length,
    excluded: hostSet.excluded.length,
    measured: state.measured[priority] ?? { healthy: 0, degraded: 0, counted: 0 },
    byWeight: hostSet.weightedPriorityHealth,
    overprovisioningFactor: hostSet.overprovisioningFactor,
    healthyLoad: state.load.healthy[priority] ?? 0,
    degradedLoad: state.load.degraded[priority] ?? 0,
    panic: state.panic[priority] ?? false,
    availablePercent: availablePercent(hostSet),
    localitySchedule: undefined,
    tableWeights: undefined,
    emptyTable: undefined,
    table: undefined,
    ...more,
  };
}
