import type { Cluster } from '../config/types.js';
import { loadBalancerConfig } from '../config/lb.js';
import { effectiveAssignment } from '../config/cluster-rules.js';
import { assert } from '../core/assert.js';
import { EventQueue } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { Clock, LbStats, LoadBalancer } from '../hostset/load-balancer.js';
import { emptyLbStats } from '../hostset/load-balancer.js';
import { TableCache } from '../hostset/table-cache.js';
import type { Random64 } from '../random/random64.js';
import { ScriptedRandom } from '../random/scripted.js';
import { RandomStreams } from '../random/streams.js';
import { ClusterRecorder } from '../result/cluster-recorder.js';
import { HostRows } from '../result/host-rows.js';
import type { PhaseView } from '../result/phases.js';
import { PhaseLog } from '../result/phases.js';
import type { ProxySpec, Scenario } from '../scenario/model.js';
import { RequestStats } from '../stats/request-stats.js';
import type { Assignment } from '../upstream/assignment.js';
import { EMPTY_ASSIGNMENT, readAssignment } from '../upstream/assignment.js';
import { UpstreamCluster } from '../upstream/cluster.js';
import type { ClusterManagerStats } from '../upstream/merge-window.js';
import { emptyClusterManagerStats } from '../upstream/merge-window.js';
import { RuntimeValues } from './runtime.js';
import { Servers } from './servers.js';
import { Timers } from './timers.js';
import { viewOf } from './view.js';

const DEFAULT_MERGE_WINDOW_US = 1_000_000;

/** One cluster of the scenario, as the world outside the proxies sees it. */
export class ClusterWorld {
  readonly rows = new HostRows();
  readonly log: PhaseLog;
  /** What discovery says now. */
  assignment: Assignment;
  private causes: string[] = [];
  private causesDelivered = false;
  private readonly serverIndices: number[] = [];

  constructor(
    readonly index: number,
    readonly config: Cluster,
    assignment: Assignment,
    view: PhaseView,
  ) {
    this.assignment = assignment;
    this.log = new PhaseLog(view);
  }

  get name(): string {
    return this.config.name;
  }

  /** A timeline entry changed what discovery says: the cause of the next delivery. */
  addCause(label: string): void {
    if (this.causesDelivered) this.causes = [];
    this.causesDelivered = false;
    this.causes.push(label);
  }

  /** Why balancers hold new lists; undefined at the start. */
  causeOfDelivery(merged: boolean): string | undefined {
    this.causesDelivered = true;
    if (this.causes.length === 0) return merged ? 'merged update' : undefined;
    return this.causes.join('; ') + (merged ? ', delivered after the merge window' : '');
  }

  serverOfRow(row: number): number {
    return this.serverIndices[row] as number;
  }

  setServer(row: number, server: number): void {
    this.serverIndices[row] = server;
  }
}

/** One cluster inside one proxy. */
export class ProxyCluster {
  readonly recorder = new ClusterRecorder();

  constructor(
    readonly world: ClusterWorld,
    readonly lb: LoadBalancerConfig,
    readonly lbStats: LbStats,
    readonly upstream: UpstreamCluster,
    private readonly workers: readonly LoadBalancer[],
    private readonly randoms: readonly Random64[],
    readonly requests: RequestStats,
  ) {}

  get name(): string {
    return this.world.name;
  }

  balancerOf(worker: number): LoadBalancer {
    return this.workers[worker] as LoadBalancer;
  }

  randomOf(worker: number): Random64 {
    return this.randoms[worker] as Random64;
  }
}

/** One proxy: its clusters, its runtime, what its cluster manager counts. */
export class Proxy {
  readonly managerStats: ClusterManagerStats = emptyClusterManagerStats();
  readonly runtime: RuntimeValues;
  readonly clusters: ProxyCluster[] = [];

  constructor(
    readonly name: string,
    readonly spec: ProxySpec,
  ) {
    this.runtime = new RuntimeValues(spec.runtime);
  }

  get specName(): string {
    return this.spec.name;
  }

  get share(): number {
    return this.spec.share;
  }

  get workers(): number {
    return this.spec.workers;
  }

  clusterAt(index: number): ProxyCluster {
    return this.clusters[index] as ProxyCluster;
  }
}

/**
 * Everything there is in a run besides traffic: virtual time, the proxies with their clusters, the simulated servers.
 */
export class World implements Clock {
  nowUs: Micros = 0;
  readonly queue = new EventQueue();
  readonly timers = new Timers(this.queue);
  readonly streams: RandomStreams;
  readonly servers: Servers;
  readonly clusters: readonly ClusterWorld[];
  readonly proxies: readonly Proxy[];
  /** Threads and proxies that see the same hosts share their tables. */
  private readonly tables = new TableCache();
  private readonly clusterIndices: ReadonlyMap<string, number>;
  private readonly proxyIndices: ReadonlyMap<string, number>;

  constructor(readonly scenario: Scenario) {
    this.streams = new RandomStreams(scenario.seed);
    this.servers = new Servers(scenario.behavior, this.streams);
    const emptyView: PhaseView = { rows: [], priorities: [], reasons: [] };
    this.clusters = scenario.clusters.map(
      (cluster, index) => new ClusterWorld(index, cluster, firstAssignment(cluster, scenario), emptyView),
    );
    this.clusterIndices = new Map(this.clusters.map((cluster) => [cluster.name, cluster.index]));
    this.proxies = scenario.proxies.flatMap((spec) => this.createInstances(spec));
    this.proxyIndices = new Map(
      // The name of a group of instances stands for its first.
      [...this.proxies.entries()].reverse().flatMap(([index, proxy]) => [
        [proxy.specName, index],
        [proxy.name, index],
      ]),
    );
    for (const cluster of this.clusters) {
      this.deliver(cluster);
      // A cluster without hosts is never announced, but its first phase has to be described.
      this.cut(cluster, undefined);
    }
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
    const index = this.clusterIndices.get(name);
    assert(index !== undefined, `no cluster ${name}`);
    return index;
  }

  /** The clusters that an assignment of this name is for: by cluster name, or by the EDS service name. */
  clustersAssignedBy(name: string): readonly ClusterWorld[] {
    return this.clusters.filter(({ config }) => assignmentName(config) === name);
  }

  /** Hands the cluster's assignment to every proxy. */
  deliver(cluster: ClusterWorld): void {
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).upstream.apply(cluster.assignment, this.nowUs);
    this.markRemoved(cluster);
  }

  private createInstances(spec: ProxySpec): Proxy[] {
    const proxies: Proxy[] = [];
    for (let instance = 1; instance <= spec.count; instance++) {
      const proxy = new Proxy(spec.count === 1 ? spec.name : `${spec.name}-${instance}`, spec);
      for (const cluster of this.clusters) {
        proxy.clusters.push(this.createCluster(proxy, cluster));
        proxy.managerStats.clusterAdded++;
      }
      proxies.push(proxy);
    }
    return proxies;
  }

  private createCluster(proxy: Proxy, cluster: ClusterWorld): ProxyCluster {
    const { spec } = proxy;
    const { config } = cluster;
    const lb = loadBalancerConfig(config, spec.version);
    const stats = emptyLbStats();
    const requests = new RequestStats();
    const randoms: Random64[] = [];
    // The main thread holds a balancer of its own, which takes in every update and never picks.
    const balancers: LoadBalancer[] = [];
    for (let thread = 0; thread <= spec.workers; thread++) {
      const stream = this.streams.stream(`balancer/${proxy.name}/${thread}/${cluster.name}`);
      if (thread > 0) randoms.push(stream);
      const random = spec.initRandom === undefined ? stream : new ScriptedRandom(spec.initRandom);
      const hasLocalCluster = spec.localClusterName !== undefined && spec.localClusterName !== cluster.name;
      balancers.push(
        createLoadBalancer(lb, {
          random,
          runtime: proxy.runtime,
          clock: this,
          stats,
          hasLocalCluster,
          activity: requests,
          tables: this.tables,
        }),
      );
    }
    const upstream = new UpstreamCluster(
      {
        name: cluster.name,
        version: spec.version,
        discovery: config.type === 'EDS' ? 'EDS' : 'STATIC',
        updateMergeWindowUs: config.commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_WINDOW_US,
        isLocalCluster: spec.localClusterName === cluster.name,
        localityWeighted: lb.localityWeighted,
        nodeLocality: spec.node?.locality,
        managerStats: proxy.managerStats,
        balancers,
      },
      {
        arm: (priority, dueUs) => this.timers.at(dueUs, () => upstream.mergeDue(priority, this.nowUs)),
        delivered: (merged) => this.delivered(proxy, cluster, merged),
        placed: (host, priority) => this.place(cluster, host, priority),
      },
    );
    return new ProxyCluster(cluster, lb, stats, upstream, balancers.slice(1), randoms, requests);
  }

  /** Gives a host its row and its server. */
  private place(cluster: ClusterWorld, host: Host, priority: number): void {
    const row = cluster.rows.indexOf(host, priority);
    host.index = row;
    const { address, hostname, locality, metadata } = host;
    const server = this.servers.indexAt({ address, hostname, cluster: cluster.name, priority, locality, metadata });
    cluster.setServer(row, server);
    host.activeRequests += this.servers.at(server).behavior.initialActiveRequests;
  }

  /** Balancers of `proxy` hold new lists of `cluster`: a new phase, and news for those that route by zone. */
  private delivered(proxy: Proxy, cluster: ClusterWorld, merged: boolean): void {
    if (proxy.spec.localClusterName === cluster.name) this.deliverLocal(proxy, cluster);
    this.cut(cluster, cluster.causeOfDelivery(merged));
  }

  private deliverLocal(proxy: Proxy, local: ClusterWorld): void {
    const hostSet = proxy.clusterAt(local.index).upstream.hostSets[0];
    if (hostSet === undefined) return;
    for (const other of proxy.clusters) {
      if (other.world === local) continue;
      for (const balancer of other.upstream.balancers) balancer.updateLocalCluster(hostSet);
    }
  }

  private cut(cluster: ClusterWorld, cause: string | undefined): void {
    const first = this.proxies[0];
    if (first === undefined) return;
    if (!cluster.log.cut(this.nowUs, cause, viewOf(first.clusterAt(cluster.index)))) return;
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).recorder.beginPhase();
  }

  /** Rows that no proxy lists any more are kept, with the time they left. */
  private markRemoved(cluster: ClusterWorld): void {
    const listed = new Set<number>();
    for (const proxy of this.proxies) {
      for (const { host } of proxy.clusterAt(cluster.index).upstream.hosts()) listed.add(host.index);
    }
    for (const [index, row] of cluster.rows.rows.entries()) {
      if (listed.has(index)) row.removedAtUs = undefined;
      else row.removedAtUs ??= this.nowUs;
    }
  }
}

function firstAssignment(cluster: Cluster, scenario: Scenario): Assignment {
  const named =
    cluster.type === 'EDS' ? scenario.assignments.get(assignmentName(cluster)) : effectiveAssignment(cluster);
  return named === undefined ? EMPTY_ASSIGNMENT : readAssignment(named);
}

/** What discovery calls the cluster's endpoints: its service name where it has one. */
function assignmentName(cluster: Cluster): string {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? cluster.name : service;
}
