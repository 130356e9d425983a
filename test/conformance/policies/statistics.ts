import type { LbStats } from '../../../src/hostset/load-balancer.js';
import type { Check } from '../check.js';
import { FormatError } from '../fields.js';

const NAMES: Readonly<Record<string, keyof LbStats>> = {
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
  'ring_hash_lb.size': 'ringHashSize',
  'ring_hash_lb.min_hashes_per_host': 'ringHashMinHashesPerHost',
  'ring_hash_lb.max_hashes_per_host': 'ringHashMaxHashesPerHost',
  'maglev_lb.min_entries_per_host': 'maglevMinEntriesPerHost',
  'maglev_lb.max_entries_per_host': 'maglevMaxEntriesPerHost',
};

/** @throws FormatError for a statistic that no balancer has. */
export function compareStats(
  check: Check,
  stats: LbStats,
  expected: ReadonlyMap<string, number> | undefined,
  where: string,
): void {
  for (const [name, value] of expected ?? []) {
    const field = NAMES[name];
    if (field === undefined) throw new FormatError(`${where}: unknown statistic ${JSON.stringify(name)}`);
    check.equal(`stats: ${name}`, stats[field] ?? 0, value, `${where}: ${name}`);
  }
}
