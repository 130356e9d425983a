import { quirksOf } from '../core/quirks.js';
import type { LbStats } from '../hostset/lb-stats.js';
import type { ProxyVersion } from '../core/version.js';
import { TABLE_POLICIES } from '../policy/registry.js';
import type { RequestStats, StatusCounts } from './request-stats.js';
import { answerCategories } from './request-stats.js';

/** Names with their values, as on the admin page. */
export interface StatValues {
  readonly counters: Record<string, number>;
  readonly gauges: Record<string, number>;
}

/** Counters of membership and discovery; the field names are the proxy's in camelCase. */
export interface MembershipCounters {
  readonly membershipChange: number;
  readonly updateAttempt: number;
  readonly updateSuccess: number;
  readonly updateFailure: number;
  readonly updateEmpty: number;
  readonly updateNoRebuild: number;
  readonly updateRejected: number;
  readonly assignmentStale: number;
  readonly assignmentTimeoutReceived: number;
  readonly initFetchTimeout: number;
  readonly maxHostWeight: number;
}

export interface MembershipGauges {
  readonly total: number;
  readonly healthy: number;
  readonly degraded: number;
  readonly excluded: number;
}

/** The name of a cluster in statistics: `:` would end a name in some sinks. */
export function statName(name: string): string {
  return name.replaceAll(':', '_');
}

/** What {@link writeClusterStats} reads of one cluster in one proxy. */
export interface ClusterCounts {
  readonly version: ProxyVersion;
  /** Zone of the proxy; '' where its node states none. */
  readonly fromZone: string;
  readonly isEds: boolean;
  /** The gauge of surplus hosts of `single_host_per_subset` exists. */
  readonly gaugesDuplicates: boolean;
  readonly requests: RequestStats;
  readonly lb: LbStats;
  readonly membership: MembershipCounters;
  readonly members: MembershipGauges;
}

/** Writes the statistics of one cluster under the proxy's names after `cluster.<name>.` */
export function writeClusterStats(into: StatValues, counts: ClusterCounts): void {
  const { requests, lb, membership, members } = counts;
  const counter = (stat: string, value: number): void => {
    into.counters[stat] = value;
  };
  const gauge = (stat: string, value: number | undefined): void => {
    if (value !== undefined) into.gauges[stat] = value;
  };

  for (const [statistic, value] of Object.entries(lb.policy)) counter(`lb_policy.${statistic}`, value);
  counter('upstream_rq_total', requests.upstreamRqTotal);
  counter('upstream_rq_timeout', requests.upstreamRqTimeout);
  counter('upstream_cx_none_healthy', requests.upstreamCxNoneHealthy);
  counter('upstream_rq_per_try_timeout', requests.upstreamRqPerTryTimeout);
  counter('upstream_rq_cancelled', requests.upstreamRqCancelled);
  counter('upstream_rq_tx_reset', requests.upstreamRqTxReset);
  for (const { prefix: category, places } of answerCategories(requests, counts.fromZone)) {
    writeStatuses(into.counters, category, requests.answersOf(places));
  }
  counter('upstream_rq_completed', requests.completed);
  writeStatuses(into.counters, 'retry.', requests.retriedByStatus);
  gauge('upstream_rq_active', requests.upstreamRqActive + requests.heldOpen);

  counter('membership_change', membership.membershipChange);
  counter('update_attempt', membership.updateAttempt);
  counter('update_success', membership.updateSuccess);
  counter('update_failure', membership.updateFailure);
  counter('update_empty', membership.updateEmpty);
  counter('update_no_rebuild', membership.updateNoRebuild);
  if (counts.isEds) {
    counter('update_rejected', membership.updateRejected);
    counter('assignment_stale', membership.assignmentStale);
    counter('assignment_timeout_received', membership.assignmentTimeoutReceived);
    counter('init_fetch_timeout', membership.initFetchTimeout);
  }
  gauge('membership_total', members.total);
  gauge('membership_healthy', members.healthy);
  gauge('membership_degraded', members.degraded);
  gauge('membership_excluded', members.excluded);
  gauge('max_host_weight', membership.maxHostWeight);

  counter('lb_healthy_panic', lb.lbHealthyPanic);
  counter('lb_local_cluster_not_ok', lb.lbLocalClusterNotOk);
  counter('lb_recalculate_zone_structures', lb.lbRecalculateZoneStructures);
  counter('lb_zone_cluster_too_small', lb.lbZoneClusterTooSmall);
  counter('lb_zone_no_capacity_left', lb.lbZoneNoCapacityLeft);
  if (!quirksOf(counts.version).pairsZonesByName) counter('lb_zone_number_differs', lb.lbZoneNumberDiffers);
  counter('lb_zone_routing_all_directly', lb.lbZoneRoutingAllDirectly);
  counter('lb_zone_routing_sampled', lb.lbZoneRoutingSampled);
  counter('lb_zone_routing_cross_zone', lb.lbZoneRoutingCrossZone);
  counter('lb_subsets_created', lb.lbSubsetsCreated);
  counter('lb_subsets_removed', lb.lbSubsetsRemoved);
  counter('lb_subsets_selected', lb.lbSubsetsSelected);
  counter('lb_subsets_fallback', lb.lbSubsetsFallback);
  counter('lb_subsets_fallback_panic', lb.lbSubsetsFallbackPanic);
  gauge('lb_subsets_active', lb.lbSubsetsActive);
  if (counts.gaugesDuplicates) {
    gauge('lb_subsets_single_host_per_subset_duplicate', lb.lbSubsetsSingleHostPerSubsetDuplicate);
  }
  for (const { name, statNames } of TABLE_POLICIES) {
    const gauges = lb.tables[name];
    if (statNames.size !== undefined) gauge(statNames.size, gauges?.size);
    if (statNames.minPerHost !== undefined) gauge(statNames.minPerHost, gauges?.minPerHost);
    if (statNames.maxPerHost !== undefined) gauge(statNames.maxPerHost, gauges?.maxPerHost);
  }
}

/** `upstream_rq_503`, `upstream_rq_5xx` and the sum of all, for each status that occurred. */
function writeStatuses(counters: Record<string, number>, prefix: string, byStatus: StatusCounts): void {
  const completed = `${prefix}upstream_rq_completed`;
  for (const { status, count } of byStatus.sorted()) {
    counters[completed] = (counters[completed] ?? 0) + count;
    counters[`${prefix}upstream_rq_${status}`] = count;
    const family = `${prefix}upstream_rq_${Math.floor(status / 100)}xx`;
    counters[family] = (counters[family] ?? 0) + count;
  }
}

/** Writes plain counts under their names: `upstreamCxTotal` becomes `<prefix>upstream_cx_total`. */
export function writeCounts(into: Record<string, number>, counts: Readonly<Record<string, number>>, prefix = ''): void {
  for (const field of Object.keys(counts)) into[prefix + snakeCase(field)] = counts[field] as number;
}

const inSnakeCase = new Map<string, string>();

/** Cached: the same few fields for each cluster. */
function snakeCase(field: string): string {
  let name = inSnakeCase.get(field);
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    inSnakeCase.set(field, name);
  }
  return name;
}
