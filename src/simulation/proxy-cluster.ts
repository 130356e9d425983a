import { quirksOf } from '../core/version.js';
import type { Micros } from '../core/units.js';
import { ConnectionStats, MembershipStats, RetryStats } from '../core/generated/counts.js';
import { HealthFlag, type Host } from '../host/host.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import { LbStats } from '../hostset/lb-stats.js';
import { isTablePolicy } from '../policy/registry.js';
import type { Random64 } from '../random/random64.js';
import { ClusterRecorder } from '../result/cluster-recorder.js';
import { type RequestSpec, zoneOf } from '../settings/world.js';
import { selectableHost } from '../settings/selector.js';
import { RequestStats } from '../stats/request-stats.js';
import { type Cause, type Happening, NO_CAUSES, type OutlierCause, type UnejectionCause } from '../upstream/cause.js';
import { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import { type PoolEvents, type PoolProtocol } from '../upstream/connection-pool.js';
import { ClusterHistograms } from './stats/cluster-histograms.js';
import { type ClusterListener, type ClusterParts, createParts, type ProxyContext } from './cluster-parts.js';
import type { ClusterWorld, Environment } from './environment.js';
import { Connector } from './servers/connector.js';
import { EventKind } from './timers.js';
import { HostPools } from './servers/host-pools.js';
import type { Journal } from './journal.js';

type Priority = RequestSpec['priority'];

export interface ProxySide extends ProxyContext {
  /** Its name where there are several proxies. */
  readonly nameInFleet: string | undefined;
  /** `merged`: the lists waited for the merge window. */
  delivered(cluster: ProxyCluster, merged: boolean, causes: readonly Cause[]): void;
  waiting: number;
}

/**
 * One cluster inside one proxy: its hosts, balancers, checks, connections and circuit breakers, and what is counted of it.
 * It gets the results of health checks and outlier detection, rebuilds its lists, and notifies the proxy when balancers
 * have them. An update of the cluster replaces its {@link ClusterParts}; requests in flight go on.
 */
export class ProxyCluster implements ClusterListener {
  readonly recorder = new ClusterRecorder(this.world.course);
  /** The proxy's; empty: none. */
  readonly zone = zoneOf(this.proxy.spec);
  /** Requests of clients that keep their connections, by worker. */
  readonly sentByWorker: number[] = [];
  /** It has had its first hosts, or learnt that there are none: from then on its balancers hear of the local cluster's. */
  hasStarted = false;
  readonly pools = new HostPools(this);
  requests = new RequestStats(this.env.zones);
  lbStats = new LbStats();
  connections = new ConnectionStats();
  membership = new MembershipStats();
  retryStats = new RetryStats();

  tracksTimeoutBudgets: boolean = this.world.settings.tracksTimeoutBudgets;

  /** Made on demand: many clusters have no traffic of one priority. */
  private readonly breakers: Partial<Record<Priority, CircuitBreaker>> = {};
  /** By priority. */
  private readonly panics: boolean[] = [];
  parts: ClusterParts = createParts(this.env, this.journal, this.proxy, this, undefined);
  poolEvents: PoolEvents = new Connector(this.env, this, this.parts.info.connectTimeoutUs);
  histograms: ClusterHistograms = this.createHistograms();

  constructor(
    private readonly env: Environment,
    private readonly journal: Journal,
    readonly proxy: ProxySide,
    readonly world: ClusterWorld,
  ) {}

  // --- its life ----------------------------------------------------------------------------------------------------

  /** Discovers hosts that are not assigned. @param isUnassigned the wait for a first assignment is over without one. */
  start(isUnassigned: boolean): void {
    if (isUnassigned) this.upstream.assignmentUnavailable();
    this.parts.discovery?.start();
  }

  /** It has its first hosts; each of those of a checked cluster has had its first results. */
  started(): void {
    this.hasStarted = true;
    const { checks } = this.parts;
    if (checks !== undefined && checks.awaited > 0) this.proxy.waiting++;
    else if (checks !== undefined) this.upstream.ready();
  }

  firstChecksDone(): void {
    this.upstream.ready();
    this.proxy.waiting--;
  }

  /** The cluster is replaced or removed: its updates stop, and its connections take no more requests. */
  retire(): void {
    this.hasStarted = false;
    this.parts.discovery?.stop();
    const hosts = [...this.upstream.priorities.hosts()].map(({ host }) => host);
    this.parts.outliers?.stop(hosts);
    this.parts.loadReports?.stop();
    this.parts.checks?.hostsRemoved(hosts);
    this.upstream.retire();
    this.pools.abandon();
  }

  /**
   * Applies another configuration, with new balancers and hosts; requests in flight go on, and so do counters (but see
   * {@link RequestStats}), unless the cluster was removed in between: its statistics were removed with it.
   */
  replace(isUpdate: boolean): void {
    const { settings } = this.world;
    if (!isUpdate) {
      const requests = new RequestStats(this.env.zones);
      requests.succeed(this.requests);
      this.requests = requests;
      this.lbStats = new LbStats();
      this.connections = new ConnectionStats();
      this.membership = new MembershipStats();
      this.retryStats = new RetryStats();
      const { onSample, onRestart } = this.histograms;
      this.histograms = this.createHistograms();
      this.histograms.onSample = onSample;
      this.histograms.onRestart = onRestart;
    }
    this.parts = createParts(this.env, this.journal, this.proxy, this, isUpdate ? this.parts : undefined);
    this.poolEvents = new Connector(this.env, this, this.parts.info.connectTimeoutUs);
    this.breakers.DEFAULT?.setLimits(settings.breakers.DEFAULT);
    this.breakers.HIGH?.setLimits(settings.breakers.HIGH);
    this.tracksTimeoutBudgets = settings.tracksTimeoutBudgets;
    if (isUpdate) this.requests.update();
  }

  private createHistograms(): ClusterHistograms {
    const { countsRequestsPerConnection } = quirksOf(this.proxy.spec.version);
    return new ClusterHistograms(this.requests, this.zone, countsRequestsPerConnection);
  }

  // --- what it is made of --------------------------------------------------------------------------------------------

  get name(): string {
    return this.world.name;
  }

  get proxyName(): string {
    return this.proxy.name;
  }

  get lb(): LoadBalancerConfig {
    return this.parts.info.lb;
  }

  get upstream(): UpstreamCluster {
    return this.parts.upstream;
  }

  balancerOf(worker: number): LoadBalancer {
    return this.parts.workerBalancers[worker] as LoadBalancer;
  }

  randomOf(worker: number): Random64 {
    return this.parts.randoms[worker] as Random64;
  }

  /** Hosts on demand have no zones, and hashing ignores zones. */
  get routesByZone(): boolean {
    const { type } = this.world;
    return type !== 'ORIGINAL_DST' && type !== 'AGGREGATE' && !isTablePolicy(this.lb.lbPolicy);
  }

  // --- its hosts -----------------------------------------------------------------------------------------------------

  hostAtPriority(host: Host, priority: number): void {
    const { env, world } = this;
    const row = world.rows.indexOf(host, priority);
    const isNew = host.index === -1;
    host.index = row;
    host.zoneIndex = env.zones.indexOf(host.locality.zone);
    const server = env.servers.of(selectableHost(host, world.name, priority));
    world.servers[row] = server;
    if (!isNew) return;
    const { initialActiveRequests } = server.behavior;
    host.activeRequests += initialActiveRequests;
    this.requests.heldOpen += initialActiveRequests;
  }

  kept(hosts: readonly Host[]): void {
    this.journal.kept(this.world, hosts);
  }

  members(added: readonly Host[], removed: readonly Host[]): void {
    const { env, world } = this;
    const { checks, loadReports, outliers } = this.parts;
    outliers?.hostsRemoved(removed);
    outliers?.hostsAdded(added);
    checks?.hostsRemoved(removed);
    checks?.hostsAdded(added, env.isStarting);
    loadReports?.members(added, removed);
    this.journal.members(this, added, removed);
    this.pools.membersChanged(removed, world.settings.closeConnectionsOnHostSetChange);
  }

  listsMade(): void {
    this.parts.loadReports?.listsMade();
  }

  checked(host: Host, changed: boolean, passed: boolean): void {
    this.upstream.priorities.changed(host);
    if (changed) {
      this.healthChanged(host, this.journal.checked(this, host, passed));
      if ((host.flags & HealthFlag.FAILED_ACTIVE_HC) !== 0) this.drain(host);
    }
    if (passed) this.parts.outliers?.healthCheckPassed(host);
  }

  excluding(): void {
    this.upstream.priorities.makeLists();
  }

  ejected(host: Host, cause: OutlierCause): void {
    this.healthChanged(host, this.journal.ejected(this, host, cause));
    this.drain(host);
  }

  private drain(host: Host): void {
    this.pools.drain(host);
    if (this.world.settings.closeConnectionsOnHostHealthFailure) this.env.onHangUp(host);
  }

  unejected(host: Host, cause: UnejectionCause): void {
    const { outliers } = this.parts;
    if (outliers !== undefined) this.healthChanged(host, this.journal.unejected(this, host, outliers.detector, cause));
  }

  private healthChanged(host: Host, why: Happening): void {
    const { env } = this;
    this.upstream.healthChanged(host, env.nowUs, env.isStarting ? NO_CAUSES : this.causesOf(why));
  }

  causesOf(fact: Happening): readonly Cause[] {
    return [{ fact, proxy: this.proxy.nameInFleet }];
  }

  // --- its lists -----------------------------------------------------------------------------------------------------

  arm(priority: number, dueUs: Micros): void {
    const { env, upstream } = this;
    env.timers.at(dueUs, () => upstream.delivery.mergeDue(priority, env.nowUs));
  }

  later(callback: () => void): void {
    const { env, parts } = this;
    if (env.isStarting) {
      callback();
      return;
    }
    const unlessReplaced = (): void => {
      if (this.parts === parts) callback();
    };
    env.timers.at(env.nowUs, unlessReplaced, EventKind.healthResult);
  }

  delivered(merged: boolean, _priorities: readonly number[], causes: readonly Cause[]): void {
    this.proxy.delivered(this, merged, causes);
  }

  notePanic(): void {
    const { journal, panics } = this;
    if (this.world.type === 'ORIGINAL_DST') return;
    const levels = this.parts.balancers[0]?.describe().priorities ?? [];
    for (const level of levels) {
      const { priority, panic } = level;
      if ((panics[priority] ?? false) === panic) continue;
      panics[priority] = panic;
      journal.panic(this, level, levels.length > 1);
    }
  }

  // --- its traffic ---------------------------------------------------------------------------------------------------

  get upstreamRqActive(): number {
    return this.requests.upstreamRqActive + this.requests.heldOpen;
  }

  /** The cluster has sent a request, so `interval` applies to checks, no longer `no_traffic_interval`. */
  get hasTraffic(): boolean {
    return this.connections.upstreamCxTotal > 0 || this.env.startsBusy(this.world);
  }

  get protocol(): PoolProtocol {
    return this.parts.info.protocol;
  }

  /** Whether the next request is dropped before a host is chosen, by `drop_overloads`. */
  dropsNext(worker: number): boolean {
    const { dropRatio } = this.upstream.delivery;
    return dropRatio > 0 && this.parts.dropStream(worker).uniform() < dropRatio;
  }

  breakerOf(priority: Priority): CircuitBreaker {
    return (this.breakers[priority] ??= this.createBreaker(priority));
  }

  private createBreaker(priority: Priority): CircuitBreaker {
    const { journal, world, proxy } = this;
    const { breakers, name } = world.settings;
    const key = priority === 'DEFAULT' ? 'default' : 'high';
    return new CircuitBreaker(breakers[priority], proxy.runtime, name, key, (limit, reached) =>
      journal.limit(this, priority, limit, reached),
    );
  }

  runtimeChanged(): void {
    this.breakers.DEFAULT?.readRuntime();
    this.breakers.HIGH?.readRuntime();
  }
}
