import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import { type StatValues, type Stat, type StatsSnapshot, StatsStore, gaugeIsSet } from '../../stats/store.js';
import type { DashboardCluster } from '../../stats/dashboard.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';
import { collectStats, statPrefix } from './cluster-stats.js';
import type { World } from '../world.js';

export interface ProxyFlush {
  /** Index among the instances. */
  readonly proxy: number;
  readonly snapshot: StatsSnapshot;
  /** In the order of the scenario; made on demand. */
  readonly dashboard: () => readonly DashboardCluster[];
}

export interface StatsObserver {
  readonly onFlush: (flush: ProxyFlush) => void;
  /** One value of a histogram, as it occurs; whole ms. */
  readonly onSample?: (proxy: number, stat: Stat, value: number, timeUs: Micros) => void;
}

interface Source {
  readonly proxy: Proxy;
  readonly store: StatsStore;
  readonly intervalUs: Micros;
  /** Clusters that had statistics at the last flush. */
  active: ReadonlySet<ProxyCluster>;
  nextUs: Micros;
}

/** Flushes before anything else of an instant, and once more at the end. It only reads counters, so it does not change the run. */
export class StatsFeed {
  nextUs: Micros = Infinity;
  private readonly sources: readonly Source[];

  constructor(
    world: World,
    private readonly observer: StatsObserver,
  ) {
    this.sources = world.proxies.map((proxy, index) => {
      const store = new StatsStore(proxy.spec.statsConfig, proxy.spec.version);
      for (const cluster of proxy.clusters) {
        let { settings } = cluster.world;
        let prefix = statPrefix(cluster);
        cluster.histograms.onSample = (name, value) => {
          if (settings !== cluster.world.settings) {
            // An update may have changed the alt_stat_name.
            ({ settings } = cluster.world);
            prefix = statPrefix(cluster);
          }
          const stat = store.sample(prefix + name, value);
          if (stat !== undefined) this.observer.onSample?.(index, stat, value, world.nowUs);
        };
        cluster.histograms.onRestart = () => {
          const prefix = statPrefix(cluster);
          const sharing = proxy.clusters.filter((one) => statPrefix(one) === prefix);
          const times = sharing.flatMap(({ histograms }) => histograms.all().map(({ stat }) => prefix + stat));
          store.forget(prefix, new Set([...Object.keys(collectStats(proxy, sharing).counters), ...times]));
        };
      }
      const { statsFlushIntervalUs: intervalUs } = proxy.spec;
      return { proxy, store, active: new Set(), intervalUs, nextUs: intervalUs };
    });
    this.schedule();
  }

  flushDue(): void {
    const nowUs = this.nextUs;
    for (const [index, source] of this.sources.entries()) {
      if (source.nextUs !== nowUs) continue;
      source.nextUs += source.intervalUs;
      this.flush(index, source, nowUs);
    }
    this.schedule();
  }

  /** Makes the flushes due before the end, and a last one of each proxy, as a proxy does when it shuts down. */
  finish(endUs: Micros): void {
    while (this.nextUs < endUs) this.flushDue();
    for (const [index, source] of this.sources.entries()) this.flush(index, source, endUs);
    this.nextUs = Infinity;
  }

  private schedule(): void {
    this.nextUs = this.sources.reduce((least, source) => Math.min(least, source.nextUs), Infinity);
  }

  /** Its histograms as of the last flush. */
  look(proxy: number, nowUs: Micros): StatsSnapshot {
    const source = this.sources[proxy] as Source;
    return source.store.look(nowUs, valuesOf(source, countingOf(source), nowUs), gaugeIsSet);
  }

  private flush(index: number, source: Source, nowUs: Micros): void {
    const { store } = source;
    const clusters = countingOf(source);
    source.active = new Set(clusters.filter(({ world, requests }) => world.present || requests.upstreamRqActive > 0));
    const values = valuesOf(source, clusters, nowUs);
    const snapshot = store.flush(nowUs, values, gaugeIsSet);
    this.observer.onFlush({
      proxy: index,
      snapshot,
      dashboard: () =>
        clusters.map((cluster): DashboardCluster => {
          const prefix = statPrefix(cluster);
          const times = snapshot.histograms.find(({ stat }) => stat.name === `${prefix}upstream_rq_time`);
          // Times are attributed by tag: a name that the tag truncates gets none.
          const tag = times?.stat.tagged.tags.find(({ name }) => name === 'proxy.cluster_name');
          return {
            name: cluster.name,
            // A statistic that the matcher rejects counts as 0.
            stat: (name) =>
              (store.stat(prefix + name) && (values.counters[prefix + name] ?? values.gauges[prefix + name])) ?? 0,
            maxPendingRequests: cluster.breakerOf('DEFAULT').pendingRequests.max,
            times: tag?.value === cluster.name ? times?.interval : undefined,
          };
        }),
    });
  }
}

/** The statistics of a cluster end with it: once more after it was removed and its last request has ended. */
const countingOf = ({ proxy, active }: Source): readonly ProxyCluster[] =>
  proxy.clusters.filter((cluster) => cluster.world.present || active.has(cluster));

function valuesOf({ proxy }: Source, clusters: readonly ProxyCluster[], nowUs: Micros): StatValues {
  const values: StatValues = collectStats(proxy, clusters);
  values.gauges['server.live'] = 1;
  values.gauges['server.uptime'] = Math.floor(nowUs / MICROS_PER_SECOND);
  return values;
}
