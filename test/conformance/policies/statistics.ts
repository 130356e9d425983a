import type { LbStats } from '../../../src/hostset/lb-stats.js';
import { TABLE_POLICIES } from '../../../src/policy/registry.js';
import type { Check } from '../check.js';
import { FormatError } from '../fields.js';

const NAMES: Readonly<Record<string, Exclude<keyof LbStats, 'tables'>>> = {
  lb_healthy_panic: 'lbHealthyPanic',
  lb_local_cluster_not_ok: 'lbLocalClusterNotOk',
  lb_recalculate_zone_structures: 'lbRecalculateZoneStructures',
  lb_zone_cluster_too_small: 'lbZoneClusterTooSmall',
  lb_zone_no_capacity_left: 'lbZoneNoCapacityLeft',
  lb_zone_number_differs: 'lbZoneNumberDiffers',
  lb_zone_routing_all_directly: 'lbZoneRoutingAllDirectly',
  lb_zone_routing_sampled: 'lbZoneRoutingSampled',
  lb_zone_routing_cross_zone: 'lbZoneRoutingCrossZone',
  lb_subsets_active: 'lbSubsetsActive',
  lb_subsets_created: 'lbSubsetsCreated',
  lb_subsets_removed: 'lbSubsetsRemoved',
  lb_subsets_selected: 'lbSubsetsSelected',
  lb_subsets_fallback: 'lbSubsetsFallback',
  lb_subsets_fallback_panic: 'lbSubsetsFallbackPanic',
  lb_subsets_single_host_per_subset_duplicate: 'lbSubsetsSingleHostPerSubsetDuplicate',
};

const GAUGES = new Map(
  TABLE_POLICIES.flatMap(({ name, statNames }) =>
    (['size', 'minPerHost', 'maxPerHost'] as const).map(
      (gauge) => [statNames[gauge], (stats: LbStats) => stats.tables[name]?.[gauge]] as const,
    ),
  ),
);

/** @throws FormatError for a statistic that no balancer has. */
export function compareStats(
  check: Check,
  stats: LbStats,
  expected: ReadonlyMap<string, number> | undefined,
  where: string,
): void {
  for (const [name, value] of expected ?? []) {
    const field = NAMES[name];
    const gauge = GAUGES.get(name);
    if (field === undefined && gauge === undefined)
      throw new FormatError(`${where}: unknown statistic ${JSON.stringify(name)}`);
    check.equal(
      `stats: ${name}`,
      (field === undefined ? gauge?.(stats) : stats[field]) ?? 0,
      value,
      `${where}: ${name}`,
    );
  }
}
