import { isModern } from '../core/version.js';
import { gaugesDuplicates } from '../hostset/subset-selectors.js';
import { DurationRecorder } from '../result/latency.js';
import type { HistogramResult, MergeWindowResult, StatsResult, TableResult } from '../result/run-result.js';
import type { StatValues } from '../stats/cluster-counters.js';
import { statName, writeClusterStats, writeCounts } from '../stats/cluster-counters.js';
import { statsFilter } from '../stats/matcher.js';
import { existingStats } from '../stats/store.js';
import { OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { writeHealthCheckStats } from '../upstream/health-check-stats.js';
import { writeOutlierStats } from '../upstream/outlier-stats.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** `cluster.<name>.`, where the name is `alt_stat_name` if there is one. */
export function statPrefix(cluster: ProxyCluster): string {
  const { altStatName } = cluster.world.config;
  return `cluster.${statName(altStatName === '' ? cluster.name : altStatName)}.`;
}

/** All statistics of one proxy that its matcher lets be, by their names. */
export function proxyStats(proxy: Proxy): StatsResult {
  const { counters, gauges } = existing(proxy, collectStats(proxy));
  return { counters, gauges, histograms: histogramResults([proxy]) };
}

/** Of several proxies together: counters are summed, histograms hold the values of all, gauges are the first one's. */
export function totalStats(proxies: readonly Proxy[]): StatsResult {
  const [only, ...more] = proxies;
  if (only !== undefined && more.length === 0) return proxyStats(only);
  const each = proxies.map((proxy) => existing(proxy, collectStats(proxy)));
  const counters: Record<string, number> = {};
  for (const stats of each) addCounters(counters, stats.counters);
  return { counters, gauges: each[0]?.gauges ?? {}, histograms: histogramResults(proxies) };
}

function histogramResults(proxies: readonly Proxy[]): Record<string, HistogramResult> {
  const all = new Map<string, { readonly values: DurationRecorder[]; readonly unit: number }>();
  for (const proxy of proxies) {
    const exists = statsFilter(proxy.spec.statsConfig?.statsMatcher);
    for (const cluster of presentClusters(proxy)) {
      for (const { stat, values, unit } of cluster.histograms.all()) {
        const name = statPrefix(cluster) + stat;
        if (!exists(name)) continue;
        const known = all.get(name);
        if (known === undefined) all.set(name, { values: [values], unit });
        else known.values.push(values);
      }
    }
  }
  const results: Record<string, HistogramResult> = {};
  for (const [name, { values, unit }] of all) {
    const histogram = DurationRecorder.sum(values).histogram(unit);
    if (histogram !== undefined) results[name] = histogram;
  }
  return results;
}

/** What the proxy's matcher lets be. */
function existing(proxy: Proxy, stats: StatValues): StatValues {
  const matcher = proxy.spec.statsConfig?.statsMatcher;
  if (matcher === undefined) return stats;
  const exists = statsFilter(matcher);
  return { counters: existingStats(stats.counters, exists), gauges: existingStats(stats.gauges, exists) };
}

/**
 * Counters and gauges of one proxy, by their names, whether or not its matcher lets them be. Clusters of one
 * `alt_stat_name` count together; of their gauges, what the last one set is what shows.
 *
 * @param clusters those that count; else those that there are: the statistics of a cluster end with it.
 */
export function collectStats(proxy: Proxy, clusters = presentClusters(proxy)): StatValues {
  const all: StatValues = { counters: {}, gauges: {} };
  const prefixes = new Set<string>();
  for (const cluster of clusters) {
    const isShared = prefixes.has(statPrefix(cluster));
    const stats = isShared ? { counters: {}, gauges: {} } : all;
    prefixes.add(statPrefix(cluster));
    let total = 0;
    let healthy = 0;
    let degraded = 0;
    let excluded = 0;
    for (const hostSet of cluster.upstream.hostSets) {
      total += hostSet?.hosts.length ?? 0;
      healthy += hostSet?.healthy.length ?? 0;
      degraded += hostSet?.degraded.length ?? 0;
      excluded += hostSet?.excluded.length ?? 0;
    }
    const prefix = statPrefix(cluster);
    const { version } = proxy.spec;
    writeClusterStats(stats, prefix, {
      version,
      fromZone: proxy.spec.node?.locality?.zone ?? '',
      isEds: cluster.world.type === 'EDS',
      gaugesDuplicates: cluster.lb.subset !== undefined && gaugesDuplicates(cluster.lb.subset, version),
      requests: cluster.requests,
      lb: cluster.lbStats,
      membership: cluster.upstream.membership,
      members: { total, healthy, degraded, excluded },
    });
    if (cluster.checks !== undefined) writeHealthCheckStats(stats, prefix, cluster.checks.stats);
    if (cluster.outliers !== undefined) writeOutlierStats(stats, prefix, version, cluster.outliers.stats);
    writeTraffic(stats, prefix, cluster, isModern(version));
    if (isShared) {
      addCounters(all.counters, stats.counters);
      Object.assign(all.gauges, stats.gauges);
    }
  }
  const manager = proxy.managerStats;
  all.counters['cluster_manager.cluster_added'] = manager.clusterAdded;
  all.counters['cluster_manager.cluster_modified'] = manager.clusterModified;
  all.counters['cluster_manager.cluster_removed'] = manager.clusterRemoved;
  all.counters['cluster_manager.cluster_updated'] = manager.clusterUpdated;
  all.counters['cluster_manager.cluster_updated_via_merge'] = manager.clusterUpdatedViaMerge;
  all.counters['cluster_manager.update_merge_cancelled'] = manager.updateMergeCancelled;
  all.counters['cluster_manager.update_out_of_merge_window'] = manager.updateOutOfMergeWindow;
  all.gauges['cluster_manager.warming_clusters'] = proxy.clusters.filter(({ world }) => world.isWarming).length;
  all.gauges['cluster_manager.active_clusters'] = presentClusters(proxy).length;
  if (proxy.cds !== undefined) {
    const { updateAttempt, updateSuccess, configReload } = proxy.cds;
    const counts = { updateAttempt, updateSuccess, updateFailure: 0, updateRejected: 0, configReload };
    writeCounts(all.counters, 'cluster_manager.cds.', counts);
  }
  return all;
}

function presentClusters(proxy: Proxy): readonly ProxyCluster[] {
  return proxy.clusters.filter(({ world }) => world.present);
}

/** Connections, retries and circuit breakers. */
function writeTraffic(stats: StatValues, prefix: string, cluster: ProxyCluster, modern: boolean): void {
  const { upstreamCxActive, upstreamRqPendingActive, upstreamRqActiveOverflow, ...counters } = cluster.connections;
  writeCounts(stats.counters, prefix, counters);
  if (modern) writeCounts(stats.counters, prefix, { upstreamRqActiveOverflow });
  writeCounts(stats.gauges, prefix, { upstreamCxActive, upstreamRqPendingActive });
  writeCounts(stats.counters, prefix, { ...cluster.retryStats });
  for (const [match, chosen] of cluster.upstream.transportSockets.counts) {
    stats.counters[`${prefix}${match}.total_match_count`] = chosen;
  }
  const { discovery } = cluster;
  stats.counters[`${prefix}original_dst_host_invalid`] =
    discovery instanceof OriginalDstDiscovery ? discovery.originalDstHostInvalid : 0;
  stats.gauges[`${prefix}warming_state`] = Number(cluster.world.isWarming);
  for (const priority of ['DEFAULT', 'HIGH'] as const) {
    const { connections, pendingRequests, requests, retries } = cluster.breakerOf(priority);
    const at = `${prefix}circuit_breakers.${priority.toLowerCase()}.`;
    stats.gauges[`${at}cx_open`] = Number(connections.open);
    stats.gauges[`${at}rq_pending_open`] = Number(pendingRequests.open);
    stats.gauges[`${at}rq_open`] = Number(requests.open);
    stats.gauges[`${at}rq_retry_open`] = Number(retries.open);
    if (!cluster.tracksRemaining(priority)) continue;
    stats.gauges[`${at}remaining_cx`] = connections.remaining;
    stats.gauges[`${at}remaining_pending`] = pendingRequests.remaining;
    stats.gauges[`${at}remaining_rq`] = requests.remaining;
    stats.gauges[`${at}remaining_retries`] = retries.remaining;
  }
}

/** What the merge windows of `proxies` did for one cluster; undefined where no update was put off. */
export function mergeWindowOf(
  proxies: readonly Proxy[],
  cluster: number,
): Omit<MergeWindowResult, 'requests_to_known_bad'> | undefined {
  let putOff = 0;
  let deliveries = 0;
  let pending = 0;
  for (const proxy of proxies) {
    const { upstream } = proxy.clusterAt(cluster);
    putOff += upstream.membership.updatesPutOff;
    deliveries += upstream.membership.updatesMerged;
    pending += upstream.pendingDeliveries;
  }
  if (putOff === 0) return undefined;
  return { updates_put_off: putOff, deliveries, updates_saved: putOff - deliveries - pending };
}

function addCounters(into: Record<string, number>, counters: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(counters)) into[name] = (into[name] ?? 0) + value;
}

/** Size and evenness of a hashing policy's table, as the proxy's gauges tell them. */
export function tableOf(cluster: ProxyCluster): TableResult | undefined {
  const { lb, lbStats } = cluster;
  if (lb.lbPolicy === 'RING_HASH' && lbStats.ringHashSize !== undefined) {
    return {
      policy: 'RING_HASH',
      size: lbStats.ringHashSize,
      min_hashes_per_host: lbStats.ringHashMinHashesPerHost ?? 0,
      max_hashes_per_host: lbStats.ringHashMaxHashesPerHost ?? 0,
    };
  }
  if (lb.lbPolicy === 'MAGLEV' && lbStats.maglevMaxEntriesPerHost !== undefined) {
    return {
      policy: 'MAGLEV',
      size: lb.maglev.tableSize,
      min_hashes_per_host: lbStats.maglevMinEntriesPerHost ?? 0,
      max_hashes_per_host: lbStats.maglevMaxEntriesPerHost,
    };
  }
  return undefined;
}
