import { type ProxyVersion, quirksOf } from '../../core/version.js';
import { TABLE_POLICIES } from '../../policy/registry.js';
import { gaugesDuplicates } from '../../hostset/subset/subset-plan.js';
import { answerCategories, type StatusCounts } from '../../stats/request-stats.js';
import { type StatValues, writeCounts } from '../../stats/store.js';
import { OriginalDstDiscovery } from '../../upstream/discovery/original-dst.js';
import { writeHealthCheckStats } from '../../upstream/health-checker.js';
import { writeOutlierStats } from '../../upstream/outlier-detector.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';
import { groupBy, sum } from '../../core/values.js';

/** `cluster.<name>.` */
export const statPrefix = ({ world }: ProxyCluster): string => `cluster.${world.settings.statName}.`;

/**
 * Counters and gauges of one proxy, by their names, whether or not its matcher allows them. Clusters of one `alt_stat_name`
 * are counted together; of their gauges the value of the last one is shown.
 * @param clusters those to count; default: the existing ones, since the statistics of a cluster end with it.
 */
export function collectStats(proxy: Proxy, clusters = presentClusters(proxy)): StatValues {
  const all: StatValues = { counters: {}, gauges: {} };
  for (const { prefix, counters, gauges } of statPieces(proxy, clusters)) {
    for (const name of Object.keys(counters)) all.counters[prefix + name] = counters[name] as number;
    for (const name of Object.keys(gauges)) all.gauges[prefix + name] = gauges[name] as number;
  }
  return all;
}

/** Statistics by the rest of their names, after a common prefix. */
interface PrefixedStats extends StatValues {
  readonly prefix: string;
}

/**
 * The same in pieces without common names, unless {@link namesMayClash}: then the later one counts.
 * @param wanted only these remain valid after the next piece.
 */
export function* statPieces(
  proxy: Proxy,
  clusters = presentClusters(proxy),
  wanted?: keyof StatValues,
): Generator<PrefixedStats> {
  const scratch = {};
  for (const [prefix, sharing] of byStatPrefix(clusters)) {
    const piece = {
      prefix,
      counters: wanted === 'gauges' ? scratch : {},
      gauges: wanted === 'counters' ? scratch : {},
    };
    for (const [index, cluster] of sharing.entries()) {
      const stats: StatValues = index === 0 ? piece : { counters: {}, gauges: {} };
      writeCluster(stats, proxy, cluster);
      if (index === 0) continue;
      addCounters(piece.counters, stats.counters);
      Object.assign(piece.gauges, stats.gauges);
    }
    yield piece;
  }
  yield statsOfManager(proxy);
}

/** By the prefix of their statistics, which is mostly different for each. */
export const byStatPrefix = (clusters: readonly ProxyCluster[]): ReadonlyMap<string, readonly ProxyCluster[]> =>
  groupBy(clusters, statPrefix);

/** Of clusters `a` and `a.retry`, the name of the second is also the prefix of some statistics of the first. */
export function namesMayClash(clusters: readonly ProxyCluster[]): boolean {
  const prefixes = [...byStatPrefix(clusters).keys()].sort();
  return prefixes.some((prefix, index) => index > 0 && prefix.startsWith(prefixes[index - 1] as string));
}

/** By their names after `cluster.<name>.` */
function writeCluster(stats: StatValues, proxy: Proxy, cluster: ProxyCluster): void {
  const { version } = proxy.spec;
  const { checks, loadReports: { outOfBand } = {}, outliers } = cluster.parts;
  writeAnswers(stats, cluster);
  writeMembers(stats, cluster);
  writeBalancing(stats, cluster, version);
  if (checks !== undefined) writeHealthCheckStats(stats, checks.stats);
  if (outliers !== undefined) writeOutlierStats(stats, version, outliers.stats);
  if (outOfBand !== undefined) {
    const { ...reports } = outOfBand.stats;
    writeCounts(stats.counters, reports, 'lb_orca_oob.');
    stats.gauges['lb_orca_oob.active_sessions'] = outOfBand.sessions.size;
  }
  writeTraffic(stats, cluster, quirksOf(version).countsActiveOverflow);
}

function writeAnswers({ counters, gauges }: StatValues, { lbStats, requests, zone }: ProxyCluster): void {
  for (const [statistic, value] of Object.entries(lbStats.policy)) counters[`lb_policy.${statistic}`] = value;
  const { upstreamRqTotal, upstreamRqTimeout, upstreamCxNoneHealthy, upstreamRqPerTryTimeout } = requests;
  const { upstreamRqCancelled, upstreamRqTxReset } = requests;
  writeCounts(counters, { upstreamRqTotal, upstreamRqTimeout, upstreamCxNoneHealthy, upstreamRqPerTryTimeout });
  writeCounts(counters, { upstreamRqCancelled, upstreamRqTxReset });
  for (const { prefix, origins } of answerCategories(requests, zone))
    writeStatuses(counters, prefix, requests.answersOf(origins));
  counters['upstream_rq_completed'] = requests.completed;
  writeStatuses(counters, 'retry.', requests.retriedByStatus);
  gauges['upstream_rq_active'] = requests.upstreamRqActive + requests.heldOpen;
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

function writeMembers({ counters, gauges }: StatValues, { upstream, world }: ProxyCluster): void {
  // Members that no statistic shows, and those that only EDS has.
  const { updatesPutOff, updatesMerged, maxHostWeight, ...membership } = upstream.membership;
  const { updateRejected, assignmentStale, assignmentTimeoutReceived, initFetchTimeout, ...always } = membership;
  writeCounts(counters, always);
  if (world.type === 'EDS')
    writeCounts(counters, { updateRejected, assignmentStale, assignmentTimeoutReceived, initFetchTimeout });
  const { hostSets } = upstream.priorities;
  const count = (list: 'hosts' | 'healthy' | 'degraded' | 'excluded'): number =>
    sum(hostSets.map((hostSet) => hostSet?.[list].length ?? 0));
  const members = {
    total: count('hosts'),
    healthy: count('healthy'),
    degraded: count('degraded'),
    excluded: count('excluded'),
  };
  writeCounts(gauges, members, 'membership_');
  gauges['max_host_weight'] = maxHostWeight;
}

function writeBalancing({ counters, gauges }: StatValues, { lbStats, parts }: ProxyCluster, version: ProxyVersion) {
  const { tables, policy, lbSubsetsActive, lbSubsetsSingleHostPerSubsetDuplicate, ...balancing } = lbStats;
  const { lbZoneNumberDiffers, ...byName } = balancing;
  const { subset } = parts.info;
  writeCounts(counters, quirksOf(version).pairsZonesByName ? byName : balancing);
  writeCounts(gauges, { lbSubsetsActive });
  if (subset !== undefined && gaugesDuplicates(subset, version))
    writeCounts(gauges, { lbSubsetsSingleHostPerSubsetDuplicate });
  for (const { name, statNames } of TABLE_POLICIES) {
    for (const gauge of ['size', 'minPerHost', 'maxPerHost'] as const) {
      const [stat, value] = [statNames[gauge], tables[name]?.[gauge]];
      if (stat !== undefined && value !== undefined) gauges[stat] = value;
    }
  }
}

function statsOfManager(proxy: Proxy): PrefixedStats {
  const counters: Record<string, number> = {};
  const { ...updates } = proxy.managerStats;
  writeCounts(counters, updates);
  if (proxy.cds !== undefined) {
    const { updates: made, configReload } = proxy.cds;
    const counts = { updateAttempt: made, updateSuccess: made, updateFailure: 0, updateRejected: 0, configReload };
    writeCounts(counters, counts, 'cds.');
  }
  const gauges = {
    warming_clusters: proxy.clusters.filter(({ world }) => world.isWarming).length,
    active_clusters: presentClusters(proxy).length,
  };
  return { prefix: 'cluster_manager.', counters, gauges };
}

export const presentClusters = (proxy: Proxy): readonly ProxyCluster[] =>
  proxy.clusters.filter(({ world }) => world.present);

function writeTraffic({ counters, gauges }: StatValues, cluster: ProxyCluster, countsActiveOverflow: boolean): void {
  const { upstreamCxActive, upstreamRqPendingActive, upstreamRqActiveOverflow, ...counts } = cluster.connections;
  writeCounts(counters, counts);
  if (countsActiveOverflow) writeCounts(counters, { upstreamRqActiveOverflow });
  writeCounts(gauges, { upstreamCxActive, upstreamRqPendingActive });
  const { ...retries } = cluster.retryStats;
  writeCounts(counters, retries);
  for (const [match, chosen] of cluster.upstream.transportSockets.counts)
    counters[`${match}.total_match_count`] = chosen;
  const { discovery } = cluster.parts;
  counters['original_dst_host_invalid'] =
    discovery instanceof OriginalDstDiscovery ? discovery.originalDstHostInvalid : 0;
  gauges['warming_state'] = Number(cluster.world.isWarming);
  for (const [priority, names] of BREAKER_GAUGES) {
    const breaker = cluster.breakerOf(priority);
    for (const { resource, open } of names) gauges[open] = Number(breaker[resource].open);
    if (!cluster.world.settings.breakers[priority].trackRemaining) continue;
    for (const { resource, remaining } of names) gauges[remaining] = breaker[resource].remaining;
  }
}

const RESOURCES = [
  ['connections', 'cx_open', 'remaining_cx'],
  ['pendingRequests', 'rq_pending_open', 'remaining_pending'],
  ['requests', 'rq_open', 'remaining_rq'],
  ['retries', 'rq_retry_open', 'remaining_retries'],
] as const;

/** Look-ups are much faster with the same string objects each time. */
const BREAKER_GAUGES = (['DEFAULT', 'HIGH'] as const).map((priority) => {
  const at = `circuit_breakers.${priority.toLowerCase()}.`;
  const names = RESOURCES.map(([resource, open, left]) => ({ resource, open: at + open, remaining: at + left }));
  return [priority, names] as const;
});

export function addCounters(
  into: Record<string, number>,
  counters: Readonly<Record<string, number>>,
  prefix = '',
): void {
  for (const [name, value] of Object.entries(counters)) into[prefix + name] = (into[prefix + name] ?? 0) + value;
}
