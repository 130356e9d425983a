import { entryOf } from '../core/lists.js';
import { quirksOf } from '../core/quirks.js';
import type { LbStats } from '../hostset/lb-stats.js';
import type { ProxyVersion } from '../core/version.js';
import { TABLE_POLICIES } from '../policy/registry.js';
import type { MembershipStats } from './membership-stats.js';
import { answerCategories, type RequestStats, type StatusCounts } from './request-stats.js';

/** Names with their values, as on the admin page. */
export interface StatValues {
  readonly counters: Record<string, number>;
  readonly gauges: Record<string, number>;
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
  readonly membership: MembershipStats;
  /** How many hosts it has, and of each health. */
  readonly members: Readonly<Record<'total' | 'healthy' | 'degraded' | 'excluded', number>>;
}

/** Writes the statistics of one cluster under the proxy's names after `cluster.<name>.` */
export function writeClusterStats(into: StatValues, counts: ClusterCounts): void {
  const { requests, lb, members } = counts;
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
  for (const { prefix: category, origins } of answerCategories(requests, counts.fromZone)) {
    writeStatuses(into.counters, category, requests.answersOf(origins));
  }
  counter('upstream_rq_completed', requests.completed);
  writeStatuses(into.counters, 'retry.', requests.retriedByStatus);
  gauge('upstream_rq_active', requests.upstreamRqActive + requests.heldOpen);

  // Members that no statistic shows, and those that only EDS has.
  const { updatesPutOff, updatesMerged, maxHostWeight, ...membership } = counts.membership;
  const { updateRejected, assignmentStale, assignmentTimeoutReceived, initFetchTimeout, ...always } = membership;
  writeCounts(into.counters, always);
  if (counts.isEds) {
    writeCounts(into.counters, { updateRejected, assignmentStale, assignmentTimeoutReceived, initFetchTimeout });
  }
  writeCounts(into.gauges, members, 'membership_');
  gauge('max_host_weight', maxHostWeight);

  const { tables, policy, lbSubsetsActive, lbSubsetsSingleHostPerSubsetDuplicate, ...balancing } = lb;
  const { lbZoneNumberDiffers, ...byName } = balancing;
  writeCounts(into.counters, quirksOf(counts.version).pairsZonesByName ? byName : balancing);
  writeCounts(into.gauges, { lbSubsetsActive });
  if (counts.gaugesDuplicates) writeCounts(into.gauges, { lbSubsetsSingleHostPerSubsetDuplicate });
  for (const { name, statNames } of TABLE_POLICIES) {
    const gauges = tables[name];
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
  return entryOf(inSnakeCase, field, () => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
