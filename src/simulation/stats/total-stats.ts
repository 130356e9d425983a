import { entryOf } from '../../core/lists.js';
import { DurationRecorder } from '../../result/latency.js';
import type { HistogramResult, StatsResult } from '../../result/run-result.js';
import { type StatPiece, statsOfPieces } from '../../result/stat-pieces.js';
import { statsFilter } from '../../stats/matcher.js';
import { existingStats } from '../../stats/store.js';
import {
  addCounters,
  byStatPrefix,
  collectStats,
  namesMayClash,
  presentClusters,
  statPieces,
  statPrefix,
} from './cluster-stats.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';

/**
 * All statistics that the matchers of some proxies allow, by name: counters are summed, histograms combined, gauges are
 * those of the first proxy. They are read lazily from the proxies, which must not continue before.
 */
export function totalStats(proxies: readonly Proxy[]): StatsResult {
  const [first, ...more] = proxies;
  if (first === undefined) return { counters: {}, gauges: {}, histograms: {} };
  return statsOfPieces({
    *counters() {
      if (more.length === 0) {
        yield* existing(first, 'counters');
        return;
      }
      const values: Record<string, number> = {};
      for (const proxy of proxies) {
        for (const piece of existing(proxy, 'counters')) addCounters(values, piece.values, piece.prefix);
      }
      yield { prefix: '', values };
    },
    gauges: () => existing(first, 'gauges'),
    *histograms() {
      const clusters = presentClusters(first);
      if (more.length > 0 || namesMayClash(clusters)) {
        yield { prefix: '', values: histogramsOf(proxies.map((proxy) => [proxy, presentClusters(proxy)])) };
        return;
      }
      for (const sharing of byStatPrefix(clusters).values()) {
        yield { prefix: '', values: histogramsOf([[first, sharing]]) };
      }
    },
  });
}

/** The statistics that the proxy's matcher allows. */
function* existing(proxy: Proxy, part: 'counters' | 'gauges'): Generator<StatPiece<number>> {
  const matcher = proxy.spec.statsConfig?.statsMatcher;
  const exists = statsFilter(matcher);
  const clusters = presentClusters(proxy);
  const isClear = !namesMayClash(clusters);
  for (const piece of isClear ? statPieces(proxy, clusters, part) : [{ prefix: '', ...collectStats(proxy) }]) {
    const { prefix } = piece;
    const values = piece[part];
    yield { prefix, values: matcher === undefined ? values : existingStats(values, (name) => exists(prefix + name)) };
  }
}

function histogramsOf(
  sources: readonly (readonly [Proxy, readonly ProxyCluster[]])[],
): Record<string, HistogramResult> {
  const all = new Map<string, { readonly values: DurationRecorder[]; readonly unit: number }>();
  for (const [proxy, clusters] of sources) {
    const exists = statsFilter(proxy.spec.statsConfig?.statsMatcher);
    for (const cluster of clusters) {
      for (const { stat, values, unit } of cluster.histograms.all()) {
        const name = statPrefix(cluster) + stat;
        if (!exists(name)) continue;
        entryOf(all, name, () => ({ values: [], unit })).values.push(values);
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
