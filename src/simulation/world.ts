import type { Cluster } from '../config/types.js';
import type { DiscoveryType } from '../config/discovery.js';
import { discoveryType } from '../config/discovery.js';
import { loadBalancerConfig } from '../config/lb.js';
import { effectiveAssignment } from '../config/cluster-rules.js';
import { assert } from '../core/assert.js';
import { EventQueue } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';
import { isModern } from '../core/version.js';
import type { Host } from '../host/host.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import type { Clock, LoadBalancer } from '../hostset/load-balancer.js';
import { emptyLbStats } from '../hostset/load-balancer.js';
import { TableCache } from '../hostset/table-cache.js';
import type { Random64 } from '../random/random64.js';
import { ScriptedRandom } from '../random/scripted.js';
import { RandomStreams } from '../random/streams.js';
import type { PhaseView } from '../result/phases.js';
import type { ProxySpec, Scenario } from '../scenario/model.js';
import { RequestStats } from '../stats/request-stats.js';
import { emptyOutlierStats } from '../upstream/outlier-stats.js';
import type { Assignment } from '../upstream/assignment.js';
import { EMPTY_ASSIGNMENT, readAssignment } from '../upstream/assignment.js';
import type { UpstreamClusterOptions } from '../upstream/cluster.js';
import { UpstreamCluster } from '../upstream/cluster.js';
import type { Connection } from '../upstream/connection-pool.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import { StrictDnsDiscovery } from '../upstream/discovery/strict-dns.js';
import { ClusterWorld } from './cluster-world.js';
import { Connector } from './connector.js';
import { Outliers } from './outliers.js';
import { fleetReasons } from './fleet-reasons.js';
import { Proxy } from './proxy.js';
import { ProxyCluster } from './proxy-cluster.js';
import type { Server } from './server.js';
import { Servers } from './servers.js';
import { Timers } from './timers.js';
import { viewOf } from './view.js';

const DEFAULT_MERGE_WINDOW_US = 1_000_000;

/** What a scenario does not say. */
export interface WorldOptions {
  /**
   * When the first sweep of outlier detection comes, as a part of its interval, above 0 and up to 1 (the default). A
   * proxy's sweeps count from its start, which a recording of one does not tell.
   */
  readonly firstSweep?: number | undefined;
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
  readonly resolver: Resolver;
  readonly clusters: readonly ClusterWorld[];
  readonly proxies: readonly Proxy[];
  /** A request that waited for a connection has one. */
  onConnectionReady: (request: number, connection: Connection) => void = () => undefined;
  /** A request that waited for a connection gets none. */
  onConnectionRefused: (request: number, why: 'overflow' | 'connect-failure' | 'connect-timeout') => void = () =>
    undefined;
  /** Threads and proxies that see the same hosts share their tables. */
  private readonly tables = new TableCache();
  private readonly clusterIndices: ReadonlyMap<string, number>;
  private readonly proxyIndices: ReadonlyMap<string, number>;

  constructor(
    readonly scenario: Scenario,
    private readonly options: WorldOptions = {},
  ) {
    this.streams = new RandomStreams(scenario.seed);
    this.servers = new Servers(scenario.behavior, this.streams);
    this.resolver = new Resolver(scenario.dns);
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
      if (cluster.isAssigned) this.deliver(cluster);
      else for (const proxy of this.proxies) proxy.clusterAt(cluster.index).discovery?.start();
      // A cluster without hosts is never announced, but its first phase has to be described.
      this.cut(cluster, undefined);
    }
    // A local cluster that came later has changed what the others do.
    for (const cluster of this.clusters) this.cut(cluster, undefined);
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
    return this.clusters.filter((cluster) => cluster.isAssigned && assignmentName(cluster.config) === name);
  }

  /** Hands the cluster's assignment to every proxy. */
  deliver(cluster: ClusterWorld): void {
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).upstream.apply(cluster.assignment, this.nowUs);
    this.markRemoved(cluster);
  }

  /** The idle connections to a server that stopped listening are gone; those in use break with what they carry. */
  closeConnections(server: Server): void {
    for (const proxy of this.proxies) {
      for (const cluster of proxy.clusters) {
        for (const pool of cluster.allPools()) {
          for (const connection of [...pool.connections]) {
            const row = connection.row === -1 ? pool.host.index : connection.row;
            if (cluster.world.serverOfRow(row) !== server.index) continue;
            if (connection.state === 'open') pool.close(connection, 'remote');
          }
        }
      }
    }
  }

  private createInstances(spec: ProxySpec): Proxy[] {
    const proxies: Proxy[] = [];
    for (let instance = 1; instance <= spec.count; instance++) {
      const name = spec.count === 1 ? spec.name : `${spec.name}-${instance}`;
      const proxy = new Proxy(name, spec, this.streams.stream(`retry/${name}`));
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
        discovery: deliveryOf(cluster.type),
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
        members: (added, removed) => {
          outliers?.hostsRemoved(removed);
          outliers?.hostsAdded(added);
        },
        placed: (host, priority) => this.place(cluster, host, priority),
      },
    );
    const discovery = this.createDiscovery(proxy, cluster, upstream);
    const connector = new Connector(this, cluster);
    const outliers =
      config.outlierDetection === undefined
        ? undefined
        : new Outliers(
            this,
            proxy,
            cluster,
            config.outlierDetection,
            emptyOutlierStats(),
            (host) => upstream.healthChanged(host, this.nowUs),
            this.options.firstSweep ?? 1,
          );
    const created = new ProxyCluster({
      world: cluster,
      lb,
      lbStats: stats,
      upstream,
      balancers: balancers.slice(1),
      randoms,
      requests,
      runtime: proxy.runtime,
      discovery,
      pools: {
        connect: (connection) => connector.connect(connection),
        ready: (request, connection) => this.onConnectionReady(request, connection),
        refused: (request, why) => this.onConnectionRefused(request, why),
      },
    });
    created.outliers = outliers;
    return created;
  }

  /** What keeps the proxy's view of a cluster up to date where nobody assigns its hosts. */
  private createDiscovery(proxy: Proxy, cluster: ClusterWorld, upstream: UpstreamCluster): Discovery | undefined {
    const { config, type } = cluster;
    const failure = config.dnsFailureRefreshRate;
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return undefined;
    const options = {
      version: proxy.spec.version,
      assignment: cluster.assignment,
      stats: upstream.membership,
      family: config.dnsLookupFamily,
      refreshUs: config.dnsRefreshRate,
      failure:
        failure === undefined
          ? undefined
          : { baseIntervalUs: failure.baseInterval, maxIntervalUs: failure.maxInterval },
      respectTtl: config.respectDnsTtl,
      modern: isModern(proxy.spec.version),
    };
    const env: DnsEnvironment = {
      resolver: this.resolver,
      clock: this,
      schedule: (timeUs, callback) => this.timers.at(timeUs, callback),
      random: (name) => this.streams.stream(`dns/${proxy.name}/${cluster.name}/${name}`),
    };
    const apply = (assignment: Assignment): void => {
      upstream.apply(assignment, this.nowUs);
      this.markRemoved(cluster);
    };
    const answeredInVain = (): void => upstream.setInitialised();
    if (type === 'STRICT_DNS') {
      return new StrictDnsDiscovery(options, env, {
        answeredInVain,
        resolved: (assignment, cause) => {
          if (cause !== undefined && this.nowUs > 0) cluster.addCause(cause);
          apply(assignment);
        },
      });
    }
    return new LogicalDnsDiscovery(options, env, {
      answeredInVain,
      found: apply,
      moved: (address, cause) => {
        upstream.moveLogicalHost(address);
        this.markRemoved(cluster);
        this.cut(cluster, cause);
      },
    });
  }

  /** Gives a host its row and its server. */
  private place(cluster: ClusterWorld, host: Host, priority: number): void {
    const row = cluster.rows.indexOf(host, priority);
    const isNew = host.index === -1;
    host.index = row;
    const { address, hostname, locality, metadata } = host;
    const server = this.servers.indexAt({ address, hostname, cluster: cluster.name, priority, locality, metadata });
    cluster.setServer(row, server);
    if (isNew) host.activeRequests += this.servers.at(server).behavior.initialActiveRequests;
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
    const view = viewOf(first.clusterAt(cluster.index));
    const reasons = fleetReasons(this.proxies, cluster.index, view.reasons);
    if (!cluster.log.cut(this.nowUs, cause, { ...view, reasons })) return;
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
    discoveryType(cluster) === 'EDS' ? scenario.assignments.get(assignmentName(cluster)) : effectiveAssignment(cluster);
  return named === undefined ? EMPTY_ASSIGNMENT : readAssignment(named);
}

function deliveryOf(type: DiscoveryType): UpstreamClusterOptions['discovery'] {
  switch (type) {
    case 'STATIC':
    case 'EDS':
      return type;
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return 'DNS';
    case 'ORIGINAL_DST':
      return 'ON_DEMAND';
  }
}

/** What discovery calls the cluster's endpoints: its service name where it has one. */
function assignmentName(cluster: Cluster): string {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? cluster.name : service;
}
