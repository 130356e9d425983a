import { assert } from '../core/assert.js';
import { compareBytes } from '../core/byte-order.js';
import type { Micros } from '../core/units.js';
import { type CourseGrid, CourseRecorder, defaultGrid, requestedGrid } from '../result/course.js';
import type { DetectionResult, NoticeResult } from '../result/run-result.js';
import { endOf, type WorldSettings } from '../settings/world.js';
import type { HealthCheck } from '../settings/cluster-settings.js';
import type { Cause } from '../upstream/cause.js';
import { ClusterManager, type ClusterManagerListener } from '../upstream/cluster-manager.js';
import type { Connection } from '../upstream/connection-pool.js';
import { ClusterWorld } from './cluster-world.js';
import { Environment } from './environment.js';
import { Journal } from './journal.js';
import { type FleetFacts, Proxy } from './proxy.js';
import type { Server } from './servers/server.js';
import { ClusterViews } from './cluster-views.js';

export interface WorldOptions {
  /**
   * How long before time 0 the proxy's timers began: those of health checks, of outlier detection, of name resolution and
   * of the cleanup of original destinations. Default 0. Needed for recordings, where the proxy had started before.
   */
  readonly timersAheadUs?: Micros | undefined;
  /** Length of the intervals of the course over time; default: chosen to suit the run. */
  readonly everyUs?: Micros | undefined;
}

/** With more clusters than this, the course of each is recorded only on request. */
const CLUSTERS_WITH_COURSE = 20;

function courseGrid(settings: WorldSettings, clusters: number, everyUs: Micros | undefined): CourseGrid | undefined {
  if (everyUs !== undefined) return requestedGrid(everyUs);
  return clusters > CLUSTERS_WITH_COURSE ? undefined : defaultGrid(endOf(settings));
}

/** Everything in a run besides traffic: virtual time, the proxies with their clusters, the simulated servers. */
export class World extends Environment implements ClusterManagerListener<ClusterWorld> {
  readonly manager: ClusterManager<ClusterWorld>;
  readonly proxies: readonly Proxy[];
  readonly journal: Journal;
  /** Clusters that have traffic from time 0 on. */
  private readonly busy: ReadonlySet<string>;
  private readonly proxyIndices: ReadonlyMap<string, number>;

  constructor(settings: WorldSettings, options: WorldOptions = {}) {
    super(settings, options.timersAheadUs ?? 0);
    this.busy = busyFromTheStart(settings);
    this.manager = new ClusterManager(
      settings,
      (...cluster) => new ClusterWorld(...cluster),
      this,
      (timeUs, callback) => this.timers.at(timeUs, callback),
      this,
    );
    const grid = courseGrid(settings, this.clusters.length, options.everyUs);
    if (grid !== undefined) for (const cluster of this.clusters) cluster.course = new CourseRecorder(grid, this);
    const proxies: Proxy[] = [];
    this.proxies = proxies;
    this.journal = new Journal(this, new ClusterViews(settings, proxies, this.servers));
    const facts = factsOf(settings);
    for (const spec of settings.proxies) {
      for (let instance = 1; instance <= spec.count; instance++) {
        const name = spec.count === 1 ? spec.name : `${spec.name}-${instance}`;
        proxies.push(new Proxy(name, spec, this, this.journal, this.clusters, facts, proxies.length));
      }
    }
    this.proxyIndices = new Map(
      // The name of a group of instances refers to its first.
      [...proxies.entries()].reverse().flatMap(([index, proxy]) => [
        [proxy.spec.name, index],
        [proxy.name, index],
      ]),
    );
    const byName = [...this.clusters].sort((a, b) => compareBytes(a.name, b.name));
    for (const cluster of byName) if (cluster.present) this.start(cluster);
    // A cluster without hosts was never announced, and a local cluster that came later has changed what the others do.
    const hasLocals = settings.proxies.some(({ localClusterName }) => localClusterName !== undefined);
    for (const cluster of this.clusters)
      if (hasLocals || cluster.log.current.priorities.length === 0) this.journal.startPhase(cluster, []);
  }

  get clusters(): readonly ClusterWorld[] {
    return this.manager.clusters;
  }

  startsBusy(cluster: ClusterWorld): boolean {
    return this.isStarting && this.busy.has(cluster.name);
  }

  proxyAt(index: number): Proxy {
    return this.proxies[index] as Proxy;
  }

  proxyIndex(name: string): number {
    const index = this.proxyIndices.get(name);
    assert(index !== undefined, `no proxy ${name}`);
    return index;
  }

  clusterIndex(name: string): number {
    return this.manager.named(name).index;
  }

  assigned(cluster: ClusterWorld, causes: readonly Cause[]): void {
    const { nowUs, proxies } = this;
    for (const proxy of proxies) proxy.clusterAt(cluster.index).upstream.apply(cluster.assignment, nowUs, causes);
    this.journal.markRemoved(cluster);
  }

  expired(cluster: ClusterWorld, causes: readonly Cause[]): void {
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).upstream.expire(this.nowUs, causes);
    this.journal.markRemoved(cluster);
  }

  clustersDiscovered(): void {
    for (const proxy of this.proxies) proxy.cds?.received(this.nowUs);
  }

  clusterReady(cluster: ClusterWorld, cause: Cause, isUpdate: boolean, waited: boolean): void {
    const { journal, proxies } = this;
    if (waited) journal.log({ kind: 'cluster', cluster: cluster.name, fact: { kind: 'ready', after: cause.fact } });
    for (const proxy of proxies) proxy.replace(cluster, isUpdate);
    this.start(cluster);
    journal.markRemoved(cluster);
    for (const proxy of proxies) {
      proxy.clusterAt(cluster.index).parts.aggregate?.refresh();
      proxy.updateAggregates(cluster, [cause]);
    }
    journal.startPhase(cluster, [cause]);
  }

  clusterRemoved(cluster: ClusterWorld, cause: Cause): void {
    const { journal, proxies } = this;
    for (const proxy of proxies) proxy.remove(cluster);
    journal.markRemoved(cluster);
    journal.startPhase(cluster, [cause]);
    for (const proxy of proxies) proxy.updateAggregates(cluster, [cause]);
  }

  /** The cluster gets its first hosts. */
  private start(cluster: ClusterWorld): void {
    this.isStarting = true;
    const isUnassigned = cluster.type === 'EDS' && this.manager.isUnassigned(cluster);
    if (cluster.isAssigned && !isUnassigned) this.manager.deliver(cluster);
    else for (const proxy of this.proxies) proxy.clusterAt(cluster.index).start(isUnassigned);
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).started();
    this.isStarting = false;
  }

  /** Detections of failures of a cluster's hosts in `proxies`; none without health checks and outlier detection. */
  detectionsOf(cluster: ClusterWorld, proxies: readonly Proxy[]): DetectionResult[] {
    const { healthChecks, outlierDetection } = cluster.settings;
    if (healthChecks.length === 0 && outlierDetection === undefined) return [];
    const names = new Set(proxies.map(({ name }) => name));
    const ours = ({ proxy }: NoticeResult): boolean => names.has(proxy);
    return this.journal.detections
      .results(cluster.name, cluster.servers, checksTakeUs(healthChecks), this.nowUs)
      .map((one) => ({ ...one, seen: one.seen.filter(ours), back: one.back.filter(ours) }));
  }

  /** The connections of all proxies to each of these servers, found in one pass. */
  connectionsTo(servers: readonly Server[]): ReadonlyMap<Server, readonly Connection[]> {
    const found = new Map(servers.map((server) => [server, [] as Connection[]]));
    if (found.size === 0) return found;
    for (const proxy of this.proxies) {
      for (const { pools, world } of proxy.clusters) {
        for (const pool of pools.all()) {
          for (const connection of pool.connections) {
            const row = connection.row === -1 ? pool.host.index : connection.row;
            found.get(this.servers.at(world.serverOfRow(row)))?.push(connection);
          }
        }
      }
    }
    return found;
  }
}

/** How long the quickest of these takes at most to notice a host that fails, without its jitter. */
function checksTakeUs(checks: readonly HealthCheck[]): Micros | undefined {
  if (checks.length === 0) return undefined;
  return Math.min(
    ...checks.map(({ intervalUs, timeoutUs, unhealthyThreshold }) => intervalUs * unhealthyThreshold + timeoutUs),
  );
}

function factsOf({ clusters, proxies, timeline }: WorldSettings): FleetFacts {
  const actions = timeline.map(({ action }) => action);
  const updates = actions.flatMap((action) => (action.kind === 'update_cluster' ? [action.cluster] : []));
  return {
    proxies: proxies.reduce((sum, { count }) => sum + count, 0),
    usesCds: updates.length > 0 || actions.some(({ kind }) => kind === 'remove_cluster'),
    hasAggregates: [...clusters, ...updates].some(({ kind }) => kind === 'AGGREGATE'),
  };
}

/**
 * Time 0 is a moment in the life of a proxy, not its start: clusters with traffic from then on are taken to have had some
 * before, so `interval` applies to their health checks, not `no_traffic_interval`.
 */
function busyFromTheStart({ workloads, requests }: WorldSettings): ReadonlySet<string> {
  const routed = workloads.filter(({ startUs }) => startUs === 0).flatMap(({ route }) => route);
  const single = requests.filter(({ atUs }) => atUs === 0);
  return new Set([...routed, ...single].map(({ cluster }) => cluster));
}
