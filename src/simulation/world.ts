import { defaultOf } from '../config/defaults.js';
import type { Cluster } from '../config/types.js';
import { aggregated, discoveryType } from '../config/discovery.js';
import { effectiveAssignment } from '../config/cluster-rules.js';
import { assert } from '../core/assert.js';
import { EventQueue } from '../core/event-queue.js';
import type { Struct } from '../core/json.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { Clock } from '../hostset/load-balancer.js';
import { TableCache } from '../hostset/table-cache.js';
import { isTablePolicy } from '../policy/registry.js';
import { RandomStreams } from '../random/streams.js';
import type { DetectionResult, NoticeResult } from '../result/run-result.js';
import type { RunEvent } from '../result/event-log.js';
import { EventLog } from '../result/event-log.js';
import type { Cause, PhaseView } from '../result/phases.js';
import { NO_ROWS, RowStatesWriter } from '../result/phases.js';
import { ASSIGNMENT_TOO_OLD } from '../scenario/describe.js';
import type { ProxySpec, Scenario } from '../scenario/model.js';
import type { RequestStats } from '../stats/request-stats.js';
import type { Assignment } from '../upstream/assignment.js';
import { EMPTY_ASSIGNMENT, readAssignment } from '../upstream/assignment.js';
import type { Connection } from '../upstream/connection-pool.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import { logPanic } from './cluster-events.js';
import { ClusterWorld } from './cluster-world.js';
import { createParts } from './create-parts.js';
import { Detections } from './detections.js';
import { Proxy } from './proxy.js';
import { ProxyCluster } from './proxy-cluster.js';
import type { Server } from './server.js';
import { Servers } from './servers.js';
import { Timers } from './timers.js';
import { slowStartReason } from './slow-start-reason.js';
import { reasonsNow } from './reasons.js';
import { viewOf } from './view.js';

const DEFAULT_INITIAL_FETCH_TIMEOUT_US = defaultOf('core.ConfigSource', 'initial_fetch_timeout');

/** What a scenario does not say. */
export interface WorldOptions {
  /**
   * How long before time 0 the proxy's timers began: those of health checks, of outlier detection, of name resolution and
   * of the cleanup of original destinations. 0 unless said: a recording is of a proxy that had started before.
   */
  readonly timersAheadUs?: Micros | undefined;
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
  readonly events = new EventLog();
  readonly detections = new Detections();
  private readonly isFleet: boolean;
  /** Some cluster is one, at some time. */
  private readonly hasAggregates: boolean;
  /** Threads and proxies that see the same hosts share their tables. */
  readonly tables = new TableCache();
  private readonly timersAheadUs: Micros;
  /** One for all clusters: most of them are small. */
  private readonly rowStates = new RowStatesWriter();
  /** A cluster initialises: what takes time later takes none now. */
  private starting = false;
  /** Clusters that have traffic from time 0 on. */
  private readonly busy: ReadonlySet<string>;
  /** What EDS said last, by cluster or service name. */
  private readonly assigned = new Map<string, Assignment>();
  /** Updated clusters that are not ready yet, by name. */
  private readonly warming = new Map<string, { readonly config: Cluster; readonly label: string }>();
  private readonly clusterIndices: ReadonlyMap<string, number>;
  private readonly proxyIndices: ReadonlyMap<string, number>;

  constructor(
    readonly scenario: Scenario,
    options: WorldOptions = {},
  ) {
    this.timersAheadUs = options.timersAheadUs ?? 0;
    this.hasAggregates = configsOf(scenario).some((config) => aggregated(config) !== undefined);
    this.isFleet = scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1;
    this.streams = new RandomStreams(scenario.seed);
    this.servers = new Servers(scenario.behavior, this.streams);
    this.resolver = new Resolver(scenario.dns);
    this.busy = busyFromTheStart(scenario);
    const emptyView: PhaseView = { states: NO_ROWS, priorities: [], reasons: [] };
    for (const [name, assignment] of scenario.assignments) this.assigned.set(name, readAssignment(assignment));
    this.clusters = clustersOf(scenario).map(
      ({ config, present }, index) =>
        new ClusterWorld(index, config, this.assignmentFor(config) ?? EMPTY_ASSIGNMENT, emptyView, present),
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
    for (const cluster of this.clusters) if (cluster.present) this.start(cluster);
    // A cluster without hosts was never announced, and a local cluster that came later has changed what the others do.
    const hasLocals = scenario.proxies.some(({ localClusterName }) => localClusterName !== undefined);
    for (const cluster of this.clusters)
      if (hasLocals || cluster.log.current.priorities.length === 0) this.cut(cluster, []);
  }

  /** When something is due next that began with the proxy and comes each `intervalUs`. */
  firstDelayUs(intervalUs: Micros): Micros {
    return this.nowUs > 0 || intervalUs <= 0 ? intervalUs : intervalUs - (this.timersAheadUs % intervalUs);
  }

  /** A cluster initialises: what it learns now is no news. */
  get isStarting(): boolean {
    return this.starting;
  }

  /** The cluster initialises, and has traffic from time 0 on. */
  startsBusy(cluster: ClusterWorld): boolean {
    return this.starting && this.busy.has(cluster.name);
  }

  /** What the result shall tell of. Nothing is told of a cluster that initialises. */
  log(event: RunEvent): void {
    if (!this.starting) this.events.add(event, this.nowUs);
  }

  /** What became of failures of a cluster's hosts, as `proxies` saw it; nothing where nobody watches them. */
  detectionsOf(cluster: ClusterWorld, proxies: readonly Proxy[]): DetectionResult[] {
    const { healthChecks, outlierDetection } = cluster.config;
    if (healthChecks.length === 0 && outlierDetection === undefined) return [];
    const names = new Set(proxies.map(({ name }) => name));
    const ours = ({ proxy }: NoticeResult): boolean => names.has(proxy);
    return this.detections
      .results(cluster.name, cluster.servers)
      .map((one) => ({ ...one, seen: one.seen.filter(ours), back: one.back.filter(ours) }));
  }

  /** A proxy changed its mind about a host: why, for people. */
  noticed(proxy: Proxy, cluster: ClusterWorld, host: Host, by: string): void {
    this.detections.noticed(cluster.serverOfRow(host.index), !host.isUnhealthy, {
      cluster: cluster.name,
      proxy: proxy.name,
      atUs: this.nowUs,
      by,
    });
  }

  /** The name of a proxy, where there are several. */
  nameInFleet(proxy: Proxy): string | undefined {
    return this.isFleet ? proxy.name : undefined;
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

  /** A whole new assignment of this name; clusters that warm up may have waited for it. */
  assign(name: string, assignment: Assignment): readonly ClusterWorld[] {
    this.assigned.set(name, assignment);
    for (const { config, label } of this.warming.values()) {
      if (assignmentName(config) === name) this.install(config, label);
    }
    const clusters = this.clustersAssignedBy(name);
    for (const cluster of clusters) cluster.assignment = assignment;
    return clusters;
  }

  /**
   * A new or changed cluster, as by CDS. It takes the place of the old one, which serves until the new one is ready: an
   * EDS cluster waits for its first assignment, no longer than `initial_fetch_timeout`.
   */
  updateCluster(config: Cluster, label: string): void {
    const cluster = this.clusters[this.clusterIndex(config.name)] as ClusterWorld;
    for (const proxy of this.proxies) proxy.cds?.received(this.nowUs);
    // A cluster that is as it was is no update.
    if (cluster.present && sameConfig(cluster.config, config) && !this.warming.has(config.name)) return;
    if (discoveryType(config) !== 'EDS' || this.assignmentFor(config) !== undefined) {
      this.install(config, label);
      return;
    }
    const waiting = { config, label };
    this.warming.set(config.name, waiting);
    cluster.isWarming = true;
    const timeoutUs = config.edsClusterConfig?.edsConfig?.initialFetchTimeout ?? DEFAULT_INITIAL_FETCH_TIMEOUT_US;
    if (timeoutUs === 0) return;
    this.timers.at(this.nowUs + timeoutUs, () => {
      if (this.warming.get(config.name) === waiting) this.install(config, label);
    });
  }

  /** As by CDS: requests to the cluster find none from now on, those that are open go on. */
  removeCluster(name: string, label: string): void {
    for (const proxy of this.proxies) proxy.cds?.received(this.nowUs);
    this.warming.delete(name);
    const cluster = this.clusters[this.clusterIndex(name)] as ClusterWorld;
    cluster.isWarming = false;
    if (!cluster.present) return;
    cluster.present = false;
    for (const proxy of this.proxies) {
      proxy.clusterAt(cluster.index).retire();
      proxy.managerStats.clusterRemoved++;
    }
    this.markRemoved(cluster);
    const cause = { text: label };
    this.cut(cluster, [cause]);
    for (const proxy of this.proxies) this.tellAggregates(proxy, cluster, [cause]);
  }

  /** Puts a cluster that is ready into its place. */
  private install(config: Cluster, label: string): void {
    const waited = this.warming.delete(config.name);
    const cluster = this.clusters[this.clusterIndex(config.name)] as ClusterWorld;
    cluster.isWarming = false;
    if (waited) this.log({ kind: 'cluster', cluster: config.name, text: `${label}: ready` });
    const modified = cluster.present;
    cluster.replace(config, this.assignmentFor(config) ?? EMPTY_ASSIGNMENT);
    for (const proxy of this.proxies) {
      proxy.cds?.applied(this.nowUs);
      const inProxy = proxy.clusterAt(cluster.index);
      if (modified) inProxy.retire();
      inProxy.replace(createParts(this, proxy, cluster, modified ? inProxy : undefined));
      if (modified) proxy.managerStats.clusterModified++;
      else proxy.managerStats.clusterAdded++;
      this.tellLocalCluster(proxy, inProxy);
    }
    const cause: Cause = { text: label };
    cluster.addCause(cause);
    this.start(cluster);
    cluster.takeCauses();
    this.markRemoved(cluster);
    for (const proxy of this.proxies) {
      proxy.clusterAt(cluster.index).aggregate?.refresh();
      this.tellAggregates(proxy, cluster, [cause]);
    }
    this.cut(cluster, [cause]);
  }

  /** The cluster learns of its first hosts. */
  private start(cluster: ClusterWorld): void {
    this.starting = true;
    const unassigned = cluster.type === 'EDS' && this.assignmentFor(cluster.config) === undefined;
    if (cluster.isAssigned && !unassigned) this.deliver(cluster);
    else for (const proxy of this.proxies) startDiscovery(proxy.clusterAt(cluster.index), unassigned);
    // Every host has had its first results.
    for (const proxy of this.proxies) {
      const { upstream, checks } = proxy.clusterAt(cluster.index);
      if (checks !== undefined) upstream.ready();
    }
    this.starting = false;
  }

  /** New balancers of a cluster are told where the local cluster's hosts are. */
  private tellLocalCluster(proxy: Proxy, { name, upstream }: ProxyCluster): void {
    const { localClusterName } = proxy.spec;
    if (localClusterName === undefined || localClusterName === name) return;
    const hostSet = proxy.clusterAt(this.clusterIndex(localClusterName)).upstream.hostSets[0];
    if (hostSet === undefined) return;
    for (const balancer of upstream.balancers) balancer.updateLocalCluster(hostSet);
  }

  /** undefined: EDS has said nothing of the cluster yet. */
  private assignmentFor(config: Cluster): Assignment | undefined {
    if (discoveryType(config) === 'EDS') return this.assigned.get(assignmentName(config));
    const own = effectiveAssignment(config);
    return own === undefined ? EMPTY_ASSIGNMENT : readAssignment(own);
  }

  /** Hands the cluster's assignment to every proxy. */
  deliver(cluster: ClusterWorld): void {
    if (!cluster.present || !cluster.isAssigned) return;
    if (cluster.type === 'EDS') {
      this.assigned.set(assignmentName(cluster.config), cluster.assignment);
      this.ageAssignment(cluster, cluster.assignment);
    }
    this.toAll(cluster, ({ upstream }) => upstream.apply(cluster.assignment, this.nowUs));
  }

  /** Tells every proxy what became of the cluster's assignment, and why. */
  private toAll(cluster: ClusterWorld, tell: (inProxy: ProxyCluster) => void): void {
    const causes = cluster.takeCauses();
    for (const proxy of this.proxies) {
      const inProxy = proxy.clusterAt(cluster.index);
      inProxy.causes.during(causes, () => tell(inProxy));
    }
    this.markRemoved(cluster);
  }

  /** EDS says nothing new: an assignment of which that is known is dropped when it is too old. */
  private ageAssignment(cluster: ClusterWorld, assignment: Assignment): void {
    const { staleAfterUs } = assignment;
    if (staleAfterUs === Infinity) return;
    const { generation } = cluster;
    this.timers.at(this.nowUs + staleAfterUs, () => {
      if (cluster.assignment !== assignment || cluster.generation !== generation) return;
      cluster.assignment = EMPTY_ASSIGNMENT;
      this.assigned.set(assignmentName(cluster.config), EMPTY_ASSIGNMENT);
      cluster.addCause({ text: ASSIGNMENT_TOO_OLD });
      this.toAll(cluster, ({ upstream }) => upstream.expire(this.nowUs));
    });
  }

  /** The connections of all proxies to each of these servers: all of them are found in one walk. */
  connectionsTo(servers: readonly Server[]): ReadonlyMap<Server, readonly Connection[]> {
    const found = new Map(servers.map((server) => [server, [] as Connection[]]));
    if (found.size === 0) return found;
    for (const proxy of this.proxies) {
      for (const cluster of proxy.clusters) {
        for (const pool of cluster.allPools()) {
          for (const connection of pool.connections) {
            const row = connection.row === -1 ? pool.host.index : connection.row;
            found.get(this.servers.at(cluster.world.serverOfRow(row)))?.push(connection);
          }
        }
      }
    }
    return found;
  }

  private createInstances(spec: ProxySpec): Proxy[] {
    const proxies: Proxy[] = [];
    for (let instance = 1; instance <= spec.count; instance++) {
      const name = spec.count === 1 ? spec.name : `${spec.name}-${instance}`;
      const proxy = new Proxy(name, spec, this.streams.stream(`retry/${name}`), usesCds(this.scenario));
      for (const cluster of this.clusters) {
        proxy.clusters.push(new ProxyCluster(createParts(this, proxy, cluster, undefined)));
        if (cluster.present) proxy.managerStats.clusterAdded++;
      }
      proxies.push(proxy);
    }
    return proxies;
  }

  /** Gives a host its row and its server; `requests` counts those that are open there from the start. */
  place(cluster: ClusterWorld, host: Host, priority: number, requests: RequestStats): void {
    const row = cluster.rows.indexOf(host, priority);
    const isNew = host.index === -1;
    host.index = row;
    const { address, hostname, locality, metadata } = host;
    const server = this.servers.indexAt({ address, hostname, cluster: cluster.name, priority, locality, metadata });
    cluster.setServer(row, server);
    if (!isNew) return;
    const { initialActiveRequests } = this.servers.at(server).behavior;
    host.activeRequests += initialActiveRequests;
    requests.heldOpen += initialActiveRequests;
  }

  /** Balancers of `proxy` hold new lists of `cluster`: a new phase, and news for those that route by zone. */
  delivered(proxy: Proxy, cluster: ClusterWorld, merged: boolean, causes: readonly Cause[]): void {
    if (proxy.spec.localClusterName === cluster.name) this.deliverLocal(proxy, cluster, causes);
    if (merged) {
      const text = `out of the merge window: ${causes.map((cause) => cause.text).join('; ')}`;
      this.log({ kind: 'delivery', cluster: cluster.name, proxy: proxy.name, text });
    }
    logPanic(this, proxy, cluster);
    this.cut(cluster, causes);
    this.tellAggregates(proxy, cluster, causes);
  }

  /** The aggregates of a proxy that use a cluster whose hosts, or whose balancers, are others now. */
  private tellAggregates(proxy: Proxy, member: ClusterWorld, causes: readonly Cause[]): void {
    if (!this.hasAggregates) return;
    for (const { aggregate, world } of proxy.clusters) {
      if (aggregate?.uses(member.name) !== true) continue;
      aggregate.refresh();
      logPanic(this, proxy, world);
      this.cut(world, causes);
    }
  }

  /** Every other cluster of the proxy that routes by zone sees something new too. */
  private deliverLocal(proxy: Proxy, local: ClusterWorld, causes: readonly Cause[]): void {
    const hostSet = proxy.clusterAt(local.index).upstream.hostSets[0];
    if (hostSet === undefined) return;
    for (const other of proxy.clusters) {
      if (other.world === local) continue;
      for (const balancer of other.upstream.balancers) balancer.updateLocalCluster(hostSet);
      if (routesByZone(other)) this.cut(other.world, causes);
    }
  }

  cut(cluster: ClusterWorld, causes: readonly Cause[]): void {
    const first = this.proxies[0];
    if (first === undefined) return;
    const view = viewOf(first.clusterAt(cluster.index), this.rowStates);
    const reasons = [
      ...reasonsNow(this.scenario, this.proxies, cluster.index),
      ...slowStartReason(first.clusterAt(cluster.index), this.nowUs),
    ];
    if (!cluster.log.cut(this.nowUs, causes, { ...view, reasons })) return;
    for (const proxy of this.proxies) proxy.clusterAt(cluster.index).recorder.beginPhase();
  }

  /** Rows that no proxy lists any more are kept, with the time they left. */
  markRemoved(cluster: ClusterWorld): void {
    const { rows } = cluster.rows;
    const listed = new Uint8Array(rows.length);
    for (const proxy of this.proxies) {
      for (const hosts of proxy.clusterAt(cluster.index).upstream.hostsByPriority()) {
        for (const host of hosts) listed[host.index] = 1;
      }
    }
    rows.forEach((row, index) => {
      if (listed[index] === 1) row.removedAtUs = undefined;
      else row.removedAtUs ??= this.nowUs;
    });
  }
}

/** Hosts on demand have no zones, and hashes are the same in each of them. */
function routesByZone({ world, lb }: ProxyCluster): boolean {
  return world.type !== 'ORIGINAL_DST' && world.type !== 'AGGREGATE' && !isTablePolicy(lb.lbPolicy);
}

/** Every cluster that there is at some time; those that only `update_cluster` brings are not there yet. */
function clustersOf(scenario: Scenario): readonly { readonly config: Cluster; readonly present: boolean }[] {
  const names = new Set(scenario.clusters.map(({ name }) => name));
  const later: { readonly config: Cluster; readonly present: boolean }[] = [];
  for (const { action } of scenario.timeline) {
    if (action.kind !== 'update_cluster' || names.has(action.cluster.name)) continue;
    names.add(action.cluster.name);
    later.push({ config: action.cluster, present: false });
  }
  return [...scenario.clusters.map((config) => ({ config, present: true })), ...later];
}

/** Of every cluster, at any time. */
function configsOf({ clusters, timeline }: Scenario): readonly Cluster[] {
  return [...clusters, ...timeline.flatMap(({ action }) => (action.kind === 'update_cluster' ? [action.cluster] : []))];
}

function usesCds({ timeline }: Scenario): boolean {
  return timeline.some(({ action }) => action.kind === 'update_cluster' || action.kind === 'remove_cluster');
}

/**
 * Time 0 is a moment in the life of a proxy, not its birth: clusters that have traffic from then on are taken to have had
 * some before, so their health checks keep to `interval` rather than to `no_traffic_interval`.
 */
function busyFromTheStart({ workloads, requests }: Scenario): ReadonlySet<string> {
  const routed = workloads.filter(({ startUs }) => startUs === 0).flatMap(({ route }) => route);
  const single = requests.filter(({ atUs }) => atUs === 0);
  return new Set([...routed, ...single].map(({ cluster }) => cluster));
}

/** Two clusters as they were read are the same, field for field. */
function sameConfig(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameConfig((a as Struct)[key], (b as Struct)[key]));
}

/** What discovery calls the cluster's endpoints: its service name where it has one. */
function assignmentName(cluster: Cluster): string {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? cluster.name : service;
}

function startDiscovery({ discovery, upstream }: ProxyCluster, unassigned: boolean): void {
  // The wait for a first assignment is over without one.
  if (unassigned) upstream.askedInVain();
  discovery?.start();
}
