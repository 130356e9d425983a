import { assert } from '../core/assert.js';
import { compareBytes } from '../core/byte-order.js';
import { type Micros, MICROS_PER_MILLI, microsToSeconds } from '../core/units.js';
import { type CourseGrid, CourseRecorder, defaultGrid, requestedGrid } from '../result/course.js';
import type { DetectionResult, NoticeResult, HostTruth } from '../result/run-result.js';
import { actionsOf, endOf, hasSizes, type WorldSettings, metadataCriteria } from '../settings/world.js';
import type { HealthCheck } from '../settings/cluster-settings.js';
import type { Cause } from '../upstream/cause.js';
import { ClusterManager, type ClusterManagerListener } from '../upstream/cluster-manager.js';
import type { Connection } from '../upstream/connection-pool.js';
import { type CheckRecord, ClusterWorld, Environment } from './environment.js';
import { Journal } from './journal.js';
import { type FleetFacts, Proxy } from './proxy.js';
import type { Server } from './servers/server.js';
import { entryOf, sameItems, smallest, sum } from '../core/values.js';
import type { Host } from '../host/host.js';
import { type HostService, NO_ROWS, type PhaseView, type RowStates } from '../result/phases.js';
import { RowStatesWriter, statesAfter } from '../result/phases.js';
import { capacityOf, mayFail } from '../settings/behavior.js';
import { meanOf } from '../random/distributions.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { slowStartPart } from '../policy/slow-start.js';
import type { SlowStartFact } from '../result/generated/facts.js';
import type { SubsetDescription } from '../hostset/generated/descriptions.js';
import * as subsetPlan from '../hostset/subset/subset-plan.js';
import type { SplitFact } from '../hostset/generated/split-facts.js';
import { factsAcross, splitFacts } from '../hostset/split-facts.js';
import { subsetFacts } from '../hostset/subset/subset-facts.js';

export interface WorldOptions {
  /**
   * How long before time 0 the proxy's timers began: those of health checks, of outlier detection, of name resolution and
   * of the cleanup of original destinations. Default 0. Needed for recordings, where the proxy had started before.
   */
  readonly timersAheadUs?: Micros | undefined;
  /** Length of the intervals of the course over time; default: chosen to suit the run. */
  readonly everyUs?: Micros | undefined;
  /** Called at the begin of each health check. */
  readonly onCheck?: ((check: CheckRecord) => void) | undefined;
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
  /** Shared by all clusters: most of them are small. */
  private readonly writer = new RowStatesWriter();
  private readonly busy: ReadonlySet<string>;
  /** Requests may be many, and each phase asks. */
  private readonly isSized: boolean = hasSizes(this.settings);
  private readonly proxyIndices: ReadonlyMap<string, number>;

  constructor(settings: WorldSettings, options: WorldOptions = {}) {
    super(settings, options.timersAheadUs ?? 0);
    this.busy = busyFromTheStart(settings);
    this.onCheck = options.onCheck;
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
    this.journal = new Journal(this);
    const facts = fleetFacts(settings);
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
    const before = [...this.listedHosts(cluster)];
    for (const proxy of proxies) proxy.clusterAt(cluster.index).upstream.apply(cluster.assignment, nowUs, causes);
    // Most updates change hosts and no list of them.
    if (!sameItems(before, [...this.listedHosts(cluster)])) this.journal.markRemoved(cluster);
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
      proxy.clusterAt(cluster.index).parts.refreshAggregate();
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
    const servers = new Set(cluster.servers.map(({ index }) => index));
    const ours = ({ proxy }: NoticeResult): boolean => names.has(proxy);
    return this.journal.detections
      .results(cluster.name, servers, checksTakeUs(healthChecks), this.nowUs)
      .map((one) => ({ ...one, seen: one.seen.filter(ours), back: one.back.filter(ours) }));
  }

  connectionsTo(servers: readonly Server[]): ReadonlyMap<Server, readonly Connection[]> {
    const found = new Map(servers.map((server) => [server, [] as Connection[]]));
    if (found.size === 0) return found;
    for (const proxy of this.proxies) {
      for (const { pools, world } of proxy.clusters) {
        for (const pool of pools.all()) {
          for (const connection of pool.connections) {
            const row = connection.row === -1 ? pool.host.index : connection.row;
            found.get(world.serverOf(row))?.push(connection);
          }
        }
      }
    }
    return found;
  }

  // --- what the journal records --------------------------------------------------------------------------------------

  /** The first worker of the first proxy represents all balancers; undefined: there is no proxy. */
  view({ index, present, log }: ClusterWorld, served?: ReadonlySet<Server>): PhaseView | undefined {
    const cluster = this.proxies[0]?.clusterAt(index);
    if (cluster === undefined) return undefined;
    const facts = [...factsNow(this.settings, this.proxies, index), ...slowStartFacts(cluster, this.nowUs)];
    if (!present) return { states: NO_ROWS, priorities: [], facts };
    const description = cluster.balancerOf(0).describe();
    return {
      states: this.statesOf(cluster, log.current.states, served),
      priorities: description.priorities.map((level) => ({
        priority: level.priority,
        healthy_load: level.healthyLoad,
        degraded_load: level.degradedLoad,
        panic: level.panic,
        healthy: level.healthy,
        degraded: level.degraded,
        total: level.hosts,
      })),
      facts,
    };
  }

  *listedHosts({ index }: ClusterWorld): Iterable<readonly Host[]> {
    for (const proxy of this.proxies) yield* proxy.clusterAt(index).upstream.priorities.hostsByPriority();
  }

  beginPhase({ index }: ClusterWorld): void {
    for (const proxy of this.proxies) proxy.clusterAt(index).recorder.beginPhase();
  }

  /** Records the state of each row's host. Of several hosts with one row the first is shown. */
  private statesOf({ parts, world, upstream }: ProxyCluster, before: RowStates, served = NO_SERVERS): RowStates {
    const { servers, writer } = this;
    const known = world.rows.rows;
    const lists = upstream.priorities.hostsByPriority();
    // Reports change the weights of rows as well, in whatever proxy.
    const isPlain = parts.loadReports === undefined && before.rows.length === sum(lists.map(({ length }) => length));
    const changed = isPlain ? upstream.priorities.takeChanged(known.length, servers.hosts, servers.paces) : undefined;
    const isAsked = changed === undefined || served.size > 0;
    const serviceOf = servers.behaviors.isIdeal || !isAsked ? undefined : servicesOf(world, this.isSized);
    if (changed !== undefined && served.size <= FEW_SERVERS) {
      for (const host of changed) noteHost(known, host);
      const rows = [...served].flatMap((server) => rowsOf(world.servers, server));
      return statesAfter(before, changed, new Map(rows.map((row) => [row, serviceOf?.(row).truth])));
    }
    writer.begin(known.length);
    for (const hosts of lists) {
      for (let at = 0; at < hosts.length; at++) {
        const host = hosts[at] as Host;
        noteHost(known, host);
        writer.add(host.index, host.weight, host.health, serviceOf?.(host.index));
      }
    }
    return writer.end(before);
  }
}

/** More of them are not looked for one by one. */
const FEW_SERVERS = 8;
const NO_SERVERS: ReadonlySet<Server> = new Set();

function rowsOf(servers: readonly Server[], server: Server): number[] {
  const rows: number[] = [];
  for (let row = servers.indexOf(server); row >= 0; row = servers.indexOf(server, row + 1)) rows.push(row);
  return rows;
}

/** In its row: what it is now. */
function noteHost(rows: ClusterWorld['rows']['rows'], { index, weight, health, transportSocket }: Host): void {
  const row = rows[index];
  if (row === undefined) return;
  row.weight = weight;
  row.health = health;
  row.transportSocket = transportSocket;
}

/** How long the quickest of these takes at most to notice a host that fails, without its jitter. */
function checksTakeUs(checks: readonly HealthCheck[]): Micros | undefined {
  if (checks.length === 0) return undefined;
  return Math.min(
    ...checks.map(({ intervalUs, timeoutUs, unhealthyThreshold }) => intervalUs * unhealthyThreshold + timeoutUs),
  );
}

function fleetFacts({ clusters, proxies, timeline }: WorldSettings): FleetFacts {
  const updates = actionsOf(timeline, 'update_cluster').map(({ cluster }) => cluster);
  return {
    proxies: proxies.reduce((sum, { count }) => sum + count, 0),
    usesCds: updates.length > 0 || actionsOf(timeline, 'remove_cluster').length > 0,
    hasAggregates: [...clusters, ...updates].some(({ kind }) => kind === 'AGGREGATE'),
  };
}

/**
 * Time 0 is a moment in the life of a proxy, not its start: clusters with traffic from then on are taken to have had some
 * before, so `interval` applies to their health checks, not `no_traffic_interval`.
 */
function busyFromTheStart({ proxies, workloads, requests }: WorldSettings): ReadonlySet<string> {
  if (proxies.some(({ at }) => at === 'birth')) return new Set();
  const routed = workloads.filter(({ startUs }) => startUs === 0).flatMap(({ route }) => route);
  const single = requests.filter(({ atUs }) => atUs === 0);
  return new Set([...routed, ...single].map(({ cluster }) => cluster));
}

/** Over all kinds of proxies. */
function factsNow(settings: WorldSettings, proxies: readonly Proxy[], index: number): SplitFact[] {
  const kinds = new Map<string, readonly SplitFact[]>();
  // The first of a kind represents it.
  for (const proxy of proxies) entryOf(kinds, proxy.spec.name, () => factsOf(settings, proxy.clusterAt(index)));
  return factsAcross(kinds);
}

function factsOf(settings: WorldSettings, cluster: ProxyCluster): SplitFact[] {
  const { world, lb, parts } = cluster;
  const { subset: divided } = parts.info;
  if (!world.present) return [{ kind: 'no_hosts', of: 'unknown_cluster' }];
  // Hosts on demand are not balanced.
  if (world.type === 'ORIGINAL_DST') return [];
  // The main thread's balancer sees what the workers see.
  const description = cluster.parts.balancers[0]?.describe();
  if (description === undefined) return [];
  if (divided === undefined) return splitFacts(description, lb);
  const candidatesOf = subsetPlan.subsetRules(divided, subsetPlan.readSelectors(divided, lb.version));
  const subsets = new Map((description.subsets ?? []).map((subset) => [subset.subset, subset]));
  const found = (candidate: subsetPlan.SubsetCandidate): SubsetDescription | undefined =>
    subsets.get(subsetPlan.candidateName(candidate));
  const answers = ({ name }: subsetPlan.PlanStep): boolean => {
    const subset = subsets.get(name);
    return subset !== undefined && subset.hosts > 0 && !subset.passedOver;
  };
  return subsetFacts(metadataCriteria(settings, cluster.name), divided, {
    candidates: (metadata) => candidatesOf(metadata, answers),
    hostsOf: (candidate) => found(candidate)?.hosts ?? 0,
    factsOf: (candidate) => {
      const balancer = found(candidate)?.balancer;
      return balancer === undefined ? [] : splitFacts(balancer, lb);
    },
  });
}

/** The hosts in slow start now, and their part of the weight over time. If all started together, no share changes. */
function slowStartFacts({ lb, upstream, proxy }: ProxyCluster, nowUs: Micros): SlowStartFact[] {
  const { slowStart } = lb;
  if (slowStart === undefined) return [];
  const windowUs = slowStart.windowMs * MICROS_PER_MILLI;
  const since: Micros[] = [];
  const growing: { readonly address: string; readonly sinceUs: Micros }[] = [];
  for (const { host } of upstream.priorities.hosts()) {
    if (host.health !== 'healthy') continue;
    const sinceUs = host.lastHealthCheckPassUs ?? -Infinity;
    since.push(sinceUs);
    if (nowUs - sinceUs < windowUs) growing.push({ address: host.address, sinceUs });
  }
  const [newest] = growing.sort((a, b) => b.sinceUs - a.sinceUs);
  if (newest === undefined || (growing.length === since.length && new Set(since).size === 1)) return [];
  const part = (atUs: Micros): number =>
    slowStartPart(slowStart, proxy.runtime, Math.floor((atUs - newest.sinceUs) / MICROS_PER_MILLI));
  const fullUs = newest.sinceUs + windowUs;
  const halfUs = nowUs + (fullUs - nowUs) / 2;
  return [
    {
      kind: 'slow_start',
      hosts: growing.length,
      newest: newest.address,
      part: part(nowUs),
      half_part: part(halfUs),
      half_s: microsToSeconds(Math.round(halfUs)),
      full_s: microsToSeconds(Math.round(fullUs)),
    },
  ];
}

/** Slower than the fastest host of the cluster by this factor. */
const SLOWER = 3;

/** How the hosts of a cluster serve, by row. */
function servicesOf(world: ClusterWorld, isSized: boolean): (row: number) => HostService {
  const { connectTimeoutUs } = world.settings.connections;
  // Most neighbours have it from one rule.
  const times = world.servers.map(({ behavior }) => behavior.serviceTime);
  const fastestUs = smallest(times.filter((time, row) => time !== times[row - 1]).map(meanOf));
  return (row) => {
    const server = world.serverOf(row);
    const { behavior } = server;
    // Nobody waits until a connection to it is made.
    const isBlackHole = behavior.down === 'none' && meanOf(behavior.connectTime) >= connectTimeoutUs;
    const capacity = isSized ? Infinity : capacityOf(behavior);
    return { truth: isBlackHole ? 'hangs' : truthOf(server, SLOWER * fastestUs), capacity };
  };
}

/** The host's own time: who is far away is not slow. */
const serviceUs = ({ behavior }: Server): number => meanOf(behavior.serviceTime);

function truthOf(server: Server, slowUs: number): HostTruth | undefined {
  const { behavior, hasRecovered } = server;
  if (behavior.down !== 'none') return behavior.down === 'hang' ? 'hangs' : 'dead';
  if (mayFail(behavior)) return 'failing';
  if (serviceUs(server) >= slowUs && slowUs > 0) return 'slow';
  return hasRecovered ? 'back' : undefined;
}
