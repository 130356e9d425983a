import { sum, entryOf } from '../core/values.js';
import { microsToSeconds } from '../core/units.js';
import { buildClusterResult, phaseEnd } from '../result/build-result.js';
import { ClusterRecorder } from '../result/cluster-recorder.js';
import { type ClusterOverview, clustersOnDemand, panicsUnderLoad, spanOf } from '../result/cluster-overview.js';
import type { ExpectedCluster } from '../result/expected.js';
import { countFailures } from '../result/failures.js';
import type { Phase } from '../result/phases.js';
import type * as runResult from '../result/run-result.js';
import { takesConnections, versionsOf, trafficEndOf } from '../settings/world.js';
import type { ClusterWorld } from './environment.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { runFacts } from './run-facts/run-facts.js';
import type { World } from './world.js';
import { lbPolicyName } from '../policy/registry.js';
import { DurationRecorder } from '../result/latency.js';
import { type StatPiece, statsOfPieces } from '../result/stat-pieces.js';
import { statsFilter } from '../stats/matcher.js';
import { existingStats } from '../stats/store.js';
import * as clusterStats from './stats/cluster-stats.js';

export interface ShownOptions {
  /** Clusters in results; undefined: all. */
  readonly reported: ReadonlySet<string> | undefined;
  /** IP addresses of hosts that were given without any. */
  readonly madeUpHosts: ReadonlySet<string>;
  /** What was predicted of a cluster for the whole fleet, by its number. */
  readonly expectedOf: (cluster: number) => ExpectedCluster | undefined;
}

/** What is known so far of a run. @param finished otherwise the result is marked partial. */
export function worldResult(
  world: World,
  counts: Pick<runResult.WorldResult, 'totals' | 'failures'>,
  finished: boolean,
  shown: ShownOptions,
): runResult.WorldResult {
  const { journal, proxies, settings, nowUs } = world;
  // After the end they are read on demand.
  const settled = <T extends object>(onDemand: T): T => (finished ? onDemand : { ...onDemand });
  const clustersOf = (some: readonly Proxy[]) => settled(clusterResults(world, shown, some));
  const statsOf = (some: readonly Proxy[]) => settled(totalStats(some));
  const part = (proxy: Proxy): runResult.ProxyResult => ({ clusters: clustersOf([proxy]), stats: statsOf([proxy]) });
  return {
    seed: settings.seed,
    ...versionsOf(settings),
    duration_s: microsToSeconds(nowUs),
    ...(finished ? {} : { partial: true }),
    ...counts,
    clusters: clustersOf(proxies),
    // With one proxy these would be the same numbers again.
    proxies: proxies.length === 1 ? {} : Object.fromEntries(proxies.map((one) => [one.name, part(one)])),
    stats: statsOf(proxies),
    events: journal.events.results(),
    ...(journal.events.omitted > 0 && { events_omitted: journal.events.omitted }),
  };
}

/** What some proxies did in each cluster, by its name: read on demand from the proxies, which must not continue before. */
function clusterResults(
  world: World,
  shown: ShownOptions,
  proxies: readonly Proxy[],
): Record<string, runResult.ClusterResult> {
  const { reported, madeUpHosts, expectedOf } = shown;
  const clusters = world.clusters.filter(({ name }) => reported?.has(name) !== false);
  return clustersOnDemand(
    clusters.map((cluster) => ({
      name: cluster.name,
      overview: () => overview(world, cluster, proxies),
      result: () => clusterResult(world, cluster, expectedOf(cluster.index), madeUpHosts, proxies),
    })),
  );
}

function overview(world: World, cluster: ClusterWorld, proxies: readonly Proxy[]): ClusterOverview {
  const recorded = proxies.map((proxy) => proxy.clusterAt(cluster.index).recorder.phases);
  const counts = recorded.flat();
  const phases = phasesOf(cluster, world);
  const inPanic = phases.flatMap(({ fromUs, priorities }, index) => {
    const isBusy = recorded.some((of) => (of[index]?.requests ?? 0) > 0);
    if (!isBusy || !priorities.some(panicsUnderLoad)) return [];
    return [{ from_s: microsToSeconds(fromUs), to_s: microsToSeconds(phaseEnd(phases, index, world.nowUs)) }];
  });
  return {
    requests: sum(counts.map(({ requests }) => requests)),
    failed: sum(counts.map(({ failures }) => countFailures(failures))),
    panic: spanOf(inPanic),
    hasCourse: proxies.length === world.proxies.length && cluster.course !== undefined,
    ...(takesConnections(world.settings, cluster.name) && { over_tcp: true }),
  };
}

/** A phase that begins as the run ends is left out, unless a decision was made at that very instant. */
function phasesOf({ log, index }: ClusterWorld, { proxies, nowUs }: World): readonly Phase[] {
  const { phases } = log;
  const last = phases.length - 1;
  const isLong = last === 0 || log.current.fromUs < nowUs;
  const isBusy = proxies.some((proxy) => proxy.clusterAt(index).recorder.isBusyIn(last));
  return isLong || isBusy ? phases : phases.slice(0, last);
}

function clusterResult(
  world: World,
  cluster: ClusterWorld,
  expected: ExpectedCluster | undefined,
  madeUpHosts: ReadonlySet<string>,
  proxies: readonly Proxy[],
): runResult.ClusterResult {
  const clusters = proxies.map((proxy) => proxy.clusterAt(cluster.index));
  const isPart = proxies.length < world.proxies.length;
  const result = buildClusterResult(
    {
      policy: cluster.settings.policyName,
      members: cluster.type === 'AGGREGATE' ? cluster.settings.members : undefined,
      rows: cluster.rows.rows,
      phases: phasesOf(cluster, world),
      warmupUs: world.settings.warmupUs,
      endUs: world.nowUs,
      trafficEndUs: trafficEndOf(world.settings),
      proxies: world.proxies.length,
      mergeWindow: mergeWindowOf(clusters),
      detections: world.detectionsOf(cluster, proxies),
      hasSocketMatches: cluster.settings.transportSocketMatches.length > 0,
      table: clusters[0] && tableOf(clusters[0]),
      madeUpHosts,
      // For the whole fleet only, as the course is.
      expected: isPart ? undefined : expected,
      course: isPart ? undefined : cluster.course,
      origins: isPart ? [] : clusters.map(({ recorder, proxy }) => ({ locality: proxy.spec.node?.locality, recorder })),
    },
    ClusterRecorder.sum(clusters.map(({ recorder }) => recorder)),
  );
  const facts = runFacts({ settings: world.settings, world: cluster, proxies, clusters, result });
  return Object.assign(result, { facts }, takesConnections(world.settings, cluster.name) && { over_tcp: true });
}

/** The merge windows of one cluster in some proxies; undefined where no update was delayed. */
function mergeWindowOf(clusters: readonly ProxyCluster[]) {
  const putOff = sum(clusters.map(({ upstream }) => upstream.membership.updatesPutOff));
  const deliveries = sum(clusters.map(({ upstream }) => upstream.membership.updatesMerged));
  const pending = sum(clusters.map(({ upstream }) => upstream.delivery.pending));
  if (putOff === 0) return undefined;
  return { updates_put_off: putOff, deliveries, updates_saved: putOff - deliveries - pending };
}

function tableOf(cluster: ProxyCluster): runResult.TableResult | undefined {
  const policy = lbPolicyName(cluster.lb.lbPolicy);
  const gauges = cluster.lbStats.tables[policy];
  if (gauges === undefined) return undefined;
  const { size, minPerHost, maxPerHost } = gauges;
  return { policy, size, min_hashes_per_host: minPerHost, max_hashes_per_host: maxPerHost };
}

/** What the matchers allow: counters summed, histograms combined, gauges of the first; read lazily: no proxy may continue before. */
export function totalStats(proxies: readonly Proxy[]): runResult.StatsResult {
  const [first, ...more] = proxies;
  if (first === undefined) return { counters: {}, gauges: {}, histograms: {} };
  return statsOfPieces({
    *counters() {
      if (more.length === 0) {
        yield* existing(first, 'counters');
        return;
      }
      const values: Record<string, number> = {};
      for (const proxy of proxies)
        for (const piece of existing(proxy, 'counters')) clusterStats.addCounters(values, piece.values, piece.prefix);
      yield { prefix: '', values };
    },
    gauges: () => existing(first, 'gauges'),
    *histograms() {
      const clusters = clusterStats.presentClusters(first);
      if (more.length > 0 || clusterStats.namesMayClash(clusters)) {
        const sources = proxies.map((proxy) => [proxy, clusterStats.presentClusters(proxy)] as const);
        yield { prefix: '', values: histogramsOf(sources) };
        return;
      }
      for (const sharing of clusterStats.byStatPrefix(clusters).values())
        yield { prefix: '', values: histogramsOf([[first, sharing]]) };
    },
  });
}

function* existing(proxy: Proxy, part: 'counters' | 'gauges'): Generator<StatPiece<number>> {
  const matcher = proxy.spec.statsConfig?.statsMatcher;
  const exists = statsFilter(matcher);
  const clusters = clusterStats.presentClusters(proxy);
  const isClear = !clusterStats.namesMayClash(clusters);
  for (const piece of isClear
    ? clusterStats.statPieces(proxy, clusters, part)
    : [{ prefix: '', ...clusterStats.collectStats(proxy) }]) {
    const { prefix } = piece;
    const values = piece[part];
    yield { prefix, values: matcher === undefined ? values : existingStats(values, (name) => exists(prefix + name)) };
  }
}

function histogramsOf(
  sources: readonly (readonly [Proxy, readonly ProxyCluster[]])[],
): Record<string, runResult.HistogramResult> {
  const all = new Map<string, { readonly values: DurationRecorder[]; readonly unit: number }>();
  for (const [proxy, clusters] of sources) {
    const exists = statsFilter(proxy.spec.statsConfig?.statsMatcher);
    for (const cluster of clusters) {
      for (const { stat, values, unit } of cluster.histograms.all()) {
        const name = clusterStats.statPrefix(cluster) + stat;
        if (!exists(name)) continue;
        entryOf(all, name, () => ({ values: [], unit })).values.push(values);
      }
    }
  }
  const results: Record<string, runResult.HistogramResult> = {};
  for (const [name, { values, unit }] of all) {
    const histogram = DurationRecorder.sum(values).histogram(unit);
    if (histogram !== undefined) results[name] = histogram;
  }
  return results;
}
