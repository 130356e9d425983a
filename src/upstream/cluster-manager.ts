import { effectiveAssignment } from '../config/assignment-rules.js';
import { defaultOf } from '../config/defaults.js';
import { discoveryType, serviceName } from '../config/discovery.js';
import { readAssignment } from '../config/to-settings.js';
import type { Cluster } from '../config/types.js';
import { assert } from '../core/assert.js';
import type { Clock } from '../core/environment.js';
import type { Struct } from '../core/json-value.js';
import type { Action } from '../settings/timeline-entry.js';
import type { Scenario } from '../scenario/model.js';
import { type Assignment, EMPTY_ASSIGNMENT } from '../settings/assignment.js';
import type { Cause } from './cause.js';
import type { Schedule } from './discovery/discovery.js';
import { actOnEndpoints, type EndpointAction } from './endpoint-action.js';
import type { ManagedCluster } from './managed-cluster.js';

const DEFAULT_INITIAL_FETCH_TIMEOUT_US = defaultOf('core.ConfigSource', 'initial_fetch_timeout');

/** Called with what the config sources send; the optional ones where clusters themselves may change. */
export interface ClusterManagerListener<C extends ManagedCluster> {
  /** Discovery sends the assignment of a cluster. */
  assigned(cluster: C, causes: readonly Cause[]): void;
  /** Its assignment has become too old. */
  expired(cluster: C, causes: readonly Cause[]): void;
  /** An update of the clusters (CDS) has arrived. */
  clustersDiscovered?(): void;
  /**
   * A new cluster, or a new version of one, is ready and in use from now on.
   *
   * @param isUpdate there was one before.
   * @param waited   it was warming before.
   */
  clusterReady?(cluster: C, cause: Cause, isUpdate: boolean, waited: boolean): void;
  clusterRemoved?(cluster: C, cause: Cause): void;
}

type MakeCluster<C> = (index: number, config: Cluster, assignment: Assignment, present: boolean) => C;

/**
 * The clusters and their endpoints: clusters that are added and removed (CDS), their warming, their assignments (EDS) and
 * the age of those. Config sources send the same to all proxies at the same time, so one manager serves all of them.
 */
export class ClusterManager<C extends ManagedCluster> {
  readonly clusters: readonly C[];
  private readonly byName: ReadonlyMap<string, C>;
  /** What EDS said last, by cluster or service name. */
  private readonly assignments = new Map<string, Assignment>();
  /** Updated clusters that are not ready yet, by name. */
  private readonly warming = new Map<string, { readonly config: Cluster; readonly label: string }>();
  /** Clusters whose endpoints changed since they were last delivered. */
  private readonly touched = new Set<C>();

  constructor(
    scenario: Pick<Scenario, 'clusters' | 'absentClusters' | 'timeline' | 'assignments'>,
    make: MakeCluster<C>,
    private readonly clock: Clock,
    private readonly schedule: Schedule,
    private readonly listener: ClusterManagerListener<C>,
  ) {
    for (const [name, assignment] of scenario.assignments) this.assignments.set(name, readAssignment(assignment));
    this.clusters = clustersOf(scenario).map(({ config, present }, index) =>
      make(index, config, this.assignmentFor(config) ?? EMPTY_ASSIGNMENT, present),
    );
    this.byName = new Map(this.clusters.map((cluster) => [cluster.name, cluster]));
  }

  named(name: string): C {
    const cluster = this.byName.get(name);
    assert(cluster !== undefined, `no cluster ${name}`);
    return cluster;
  }

  /** EDS has not sent an assignment of the cluster yet. */
  isUnassigned({ config }: ManagedCluster): boolean {
    return this.assignmentFor(config) === undefined;
  }

  // --- endpoints -----------------------------------------------------------------------------------------------------

  /**
   * Applies what the timeline changes of endpoints; {@link deliverChanged} sends it to the proxies.
   *
   * @returns true where it concerned a cluster.
   */
  act(action: EndpointAction | Extract<Action, { readonly kind: 'assign' }>, label: string): boolean {
    const clusters = action.kind === 'assign' ? this.assign(action) : actOnEndpoints(action, this.clusters);
    // One entry is one cause, however many clusters it changes: a change of the local cluster affects the others too.
    const cause: Cause = { fact: { kind: 'timeline', entry: label } };
    for (const cluster of clusters) {
      cluster.addCause(cause);
      this.touched.add(cluster);
    }
    return clusters.length > 0;
  }

  /** Sends what changed since the last time, as one update of each cluster. */
  deliverChanged(): void {
    for (const cluster of this.clusters) if (this.touched.has(cluster)) this.deliver(cluster);
    this.touched.clear();
  }

  /** Sends the cluster's assignment to every proxy. */
  deliver(cluster: C): void {
    if (!cluster.present || !cluster.isAssigned) return;
    if (cluster.type === 'EDS') {
      this.assignments.set(cluster.serviceName, cluster.assignment);
      this.age(cluster, cluster.assignment);
    }
    this.listener.assigned(cluster, cluster.takeCauses());
  }

  /** A whole new assignment; clusters that warm up may have waited for it. */
  private assign({ assignment: written }: Extract<Action, { readonly kind: 'assign' }>): C[] {
    const { clusterName: name } = written;
    const assignment = readAssignment(written);
    this.assignments.set(name, assignment);
    for (const { config, label } of this.warming.values())
      if (serviceName(config) === name) this.install(config, label);
    const clusters = this.clusters.filter((cluster) => cluster.isAssigned && cluster.serviceName === name);
    for (const cluster of clusters) cluster.assignment = assignment;
    return clusters;
  }

  /** EDS sends no more updates: an assignment with a lifetime is dropped when it is too old. */
  private age(cluster: C, assignment: Assignment): void {
    const { staleAfterUs } = assignment;
    if (staleAfterUs === Infinity) return;
    const { generation } = cluster;
    this.schedule(this.clock.nowUs + staleAfterUs, () => {
      if (cluster.assignment !== assignment || cluster.generation !== generation) return;
      cluster.assignment = EMPTY_ASSIGNMENT;
      this.assignments.set(cluster.serviceName, EMPTY_ASSIGNMENT);
      cluster.addCause({ fact: { kind: 'stale_assignment' } });
      this.listener.expired(cluster, cluster.takeCauses());
    });
  }

  /** undefined: EDS has not sent an assignment of the cluster yet. */
  private assignmentFor(config: Cluster): Assignment | undefined {
    if (discoveryType(config) === 'EDS') return this.assignments.get(serviceName(config));
    const own = effectiveAssignment(config);
    return own === undefined ? EMPTY_ASSIGNMENT : readAssignment(own);
  }

  // --- clusters ------------------------------------------------------------------------------------------------------

  /**
   * A new or changed cluster, as by CDS. It replaces the old one, which serves until the new one is ready: an EDS cluster
   * waits for its first assignment, no longer than `initial_fetch_timeout`.
   */
  update(config: Cluster, label: string): void {
    const cluster = this.named(config.name);
    this.listener.clustersDiscovered?.();
    // A cluster that did not change is no update.
    if (cluster.present && sameConfig(cluster.config, config) && !this.warming.has(config.name)) return;
    if (this.assignmentFor(config) !== undefined) {
      this.install(config, label);
      return;
    }
    const waiting = { config, label };
    this.warming.set(config.name, waiting);
    cluster.isWarming = true;
    const timeoutUs = config.edsClusterConfig?.edsConfig?.initialFetchTimeout ?? DEFAULT_INITIAL_FETCH_TIMEOUT_US;
    if (timeoutUs === 0) return;
    this.schedule(this.clock.nowUs + timeoutUs, () => {
      if (this.warming.get(config.name) === waiting) this.install(config, label);
    });
  }

  /** As by CDS: requests no longer find the cluster from now on; those in flight go on. */
  remove(name: string, label: string): void {
    this.listener.clustersDiscovered?.();
    this.warming.delete(name);
    const cluster = this.named(name);
    cluster.isWarming = false;
    if (!cluster.present) return;
    cluster.present = false;
    this.listener.clusterRemoved?.(cluster, { fact: { kind: 'timeline', entry: label } });
  }

  /** Puts a cluster that is ready into use. */
  private install(config: Cluster, label: string): void {
    const waited = this.warming.delete(config.name);
    const cluster = this.named(config.name);
    const isUpdate = cluster.present;
    cluster.isWarming = false;
    cluster.replace(config, this.assignmentFor(config) ?? EMPTY_ASSIGNMENT);
    const cause: Cause = { fact: { kind: 'timeline', entry: label } };
    cluster.addCause(cause);
    this.listener.clusterReady?.(cluster, cause, isUpdate, waited);
    cluster.takeCauses();
  }
}

/** Every cluster that requests may ask for; those that only `update_cluster` adds do not exist yet, absent ones never. */
function clustersOf({
  clusters,
  absentClusters,
  timeline,
}: Pick<Scenario, 'clusters' | 'absentClusters' | 'timeline'>) {
  const names = new Set(clusters.map(({ name }) => name));
  const later = timeline.flatMap(({ action }) => {
    if (action.kind !== 'update_cluster' || names.has(action.cluster.name)) return [];
    names.add(action.cluster.name);
    return [{ config: action.cluster, present: false }];
  });
  const never = absentClusters.filter(({ name }) => !names.has(name)).map((config) => ({ config, present: false }));
  return [...clusters.map((config) => ({ config, present: true })), ...later, ...never];
}

/** Two clusters as they were read are the same, field for field. */
function sameConfig(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameConfig((a as Struct)[key], (b as Struct)[key]));
}
