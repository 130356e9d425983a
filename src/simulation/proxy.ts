import { noLoad, type PoolLoad } from '../upstream/connection-pool.js';
import { quirksOf } from '../core/version.js';
import type { Struct } from '../core/values.js';
import type { HostSet } from '../hostset/host-set.js';
import type { ClientPlace } from '../policy/client-subsets.js';
import type { RandomStream } from '../random/streams.js';
import type { ProxySpec } from '../settings/world.js';
import type { Cause } from '../upstream/cause.js';
import type { ClusterWorld, Environment } from './environment.js';
import type { Journal } from './journal.js';
import { ProxyCluster, type ProxySide } from './proxy-cluster.js';
import { RuntimeValues } from '../core/runtime-values.js';
import type { Micros } from '../core/units.js';
import { ClusterManagerStats } from '../core/generated/counts.js';

/** The clusters at time 0 are the first update; all changes of clusters at one later instant are one more. */
export class CdsUpdates {
  /** Attempted, each with success. */
  updates = 1;
  /** Updates with a new or changed cluster; those that only remove do not count. */
  configReload = 1;
  private receivedUs: Micros = -1;
  private appliedUs: Micros = -1;

  received(nowUs: Micros): void {
    if (this.receivedUs === nowUs) return;
    this.receivedUs = nowUs;
    this.updates++;
  }

  applied(nowUs: Micros): void {
    if (this.appliedUs === nowUs) return;
    this.appliedUs = nowUs;
    this.configReload++;
  }
}

export type FleetFacts = Readonly<{ proxies: number; usesCds: boolean; hasAggregates: boolean }>;

export class Proxy implements ProxySide {
  readonly managerStats = new ClusterManagerStats();
  readonly runtime = new RuntimeValues(this.spec.runtime);
  private readonly workerRandom: RandomStream = this.env.streams.stream(`workers/${this.name}`);
  readonly retryRandom: RandomStream = this.env.streams.stream(`retry/${this.name}`);
  /** undefined: its clusters never change. */
  readonly cds: CdsUpdates | undefined = this.facts.usesCds ? new CdsUpdates() : undefined;
  readonly nameInFleet: string | undefined = this.facts.proxies > 1 ? this.name : undefined;
  readonly place: ClientPlace;
  /** Clusters without the first results of their health checks; until all have them it takes no connections. */
  waiting = 0;
  readonly clusters: readonly ProxyCluster[];
  /** Connections of clients, by worker; what stands behind the point decides between workers with as many. */
  private readonly connections = Float64Array.from({ length: this.spec.workers }, () => this.workerRandom.uniform());
  private readonly startsClustersByName: boolean = quirksOf(this.spec.version).clustersStartByName;
  private readonly byName = new Map<string, ProxyCluster>();

  constructor(
    readonly name: string,
    readonly spec: ProxySpec,
    private readonly env: Environment,
    private readonly journal: Journal,
    clusters: readonly ClusterWorld[],
    private readonly facts: FleetFacts,
    client: number,
  ) {
    this.place = { client, clients: facts.proxies };
    this.clusters = clusters.map((cluster) => new ProxyCluster(env, journal, this, cluster));
    for (const cluster of this.clusters) this.byName.set(cluster.name, cluster);
    this.managerStats.clusterAdded = clusters.filter(({ present }) => present).length;
  }

  setRuntime(values: Struct): void {
    this.runtime.set(values);
    for (const cluster of this.clusters) cluster.runtimeChanged();
  }

  /** A client connects. @param drawn the worker that the kernel chooses. @returns the one that has the connection. */
  accept(drawn: number): number {
    const { connections, spec } = this;
    const worker = spec.exactBalance ? connections.indexOf(Math.min(...connections)) : drawn;
    connections[worker] = (connections[worker] ?? 0) + 1;
    return worker;
  }

  closed(worker: number): void {
    this.connections[worker] = (this.connections[worker] ?? 0) - 1;
  }

  clusterAt(index: number): ProxyCluster {
    return this.clusters[index] as ProxyCluster;
  }

  /** What a worker has to do, in all clusters. */
  loadOf(worker: number): PoolLoad {
    const load = noLoad();
    for (const { pools } of this.clusters) pools.addLoad(worker, load);
    return load;
  }

  clusterNamed(name: string): ProxyCluster | undefined {
    return this.byName.get(name);
  }

  /** The configuration of a cluster changed. @param isUpdate the proxy knew it before. */
  replace({ index }: ClusterWorld, isUpdate: boolean): void {
    this.cds?.applied(this.env.nowUs);
    const cluster = this.clusterAt(index);
    if (isUpdate) cluster.retire();
    cluster.replace(isUpdate);
    if (isUpdate) this.managerStats.clusterModified++;
    else this.managerStats.clusterAdded++;
    const hostSet = this.localHosts();
    if (!this.startsClustersByName && hostSet !== undefined && this.spec.localClusterName !== cluster.name)
      for (const balancer of cluster.parts.balancers) balancer.updateLocalCluster(hostSet);
  }

  remove({ index }: ClusterWorld): void {
    this.clusterAt(index).retire();
    this.managerStats.clusterRemoved++;
  }

  /** Priority 0 of the local cluster; undefined: there is none, or it has no hosts yet. */
  localHosts(): HostSet | undefined {
    const { localClusterName: name } = this.spec;
    return name === undefined ? undefined : this.clusterNamed(name)?.upstream.delivery.deliveredSets[0];
  }

  /** A new phase. */
  delivered(cluster: ProxyCluster, merged: boolean, causes: readonly Cause[]): void {
    if (this.spec.localClusterName === cluster.name) this.deliverLocal(cluster, causes);
    if (merged) this.journal.merged(cluster, causes);
    cluster.notePanic();
    this.journal.startPhase(cluster.world, causes);
    this.updateAggregates(cluster.world, causes);
  }

  /** Every other cluster that routes by zone is affected too. */
  private deliverLocal(local: ProxyCluster, causes: readonly Cause[]): void {
    const hostSet = local.upstream.priorities.hostSets[0];
    if (hostSet === undefined) return;
    for (const other of this.clusters) {
      if (other === local || (this.startsClustersByName && !other.hasStarted)) continue;
      for (const balancer of other.parts.balancers) balancer.updateLocalCluster(hostSet);
      if (other.routesByZone) this.journal.startPhase(other.world, causes);
    }
  }

  updateAggregates(member: ClusterWorld, causes: readonly Cause[]): void {
    if (!this.facts.hasAggregates) return;
    for (const cluster of this.clusters) {
      const { type, settings } = cluster.world;
      if (type !== 'AGGREGATE' || !settings.members.includes(member.name)) continue;
      cluster.parts.refreshAggregate();
      cluster.notePanic();
      this.journal.startPhase(cluster.world, causes);
    }
  }
}
