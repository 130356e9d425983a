import { assert } from '../core/assert.js';
import type { Clock } from '../core/environment.js';
import type { Struct } from '../core/values.js';
import type { Assignment, EndpointGroup, EndpointState } from '../settings/assignment.js';
import { addEndpoints, EMPTY_ASSIGNMENT, lbMetadata, mapEndpoints } from '../settings/assignment.js';
import type { ClusterSettings, ClusterKind } from '../settings/cluster-settings.js';
import { addressPredicate, hostPredicate, type Selector } from '../settings/selector.js';
import { type Action, actionsOf, type WorldSettings } from '../settings/world.js';
import type { Cause } from './cause.js';
import type { Schedule } from './discovery/discovery.js';

/** One cluster as its config sources describe it, the same for all proxies. */
export class ManagedCluster {
  /** A new version of it waits for its first hosts. */
  isWarming = false;
  generation = 0;
  private readonly causes: Cause[] = [];

  constructor(
    readonly index: number,
    /** Changes when the cluster is replaced. */
    public settings: ClusterSettings,
    public assignment: Assignment,
    public present = true,
  ) {}

  get type(): ClusterKind {
    return this.settings.kind;
  }

  get isAssigned(): boolean {
    return this.type === 'STATIC' || this.type === 'EDS';
  }

  get name(): string {
    return this.settings.name;
  }

  get serviceName(): string {
    return this.settings.serviceName;
  }

  replace(settings: ClusterSettings, assignment: Assignment): void {
    this.settings = settings;
    this.assignment = assignment;
    this.present = true;
    this.generation++;
  }

  addCause(cause: Cause): void {
    this.causes.push(cause);
  }

  takeCauses(): readonly Cause[] {
    return this.causes.splice(0);
  }
}

/** Called with what the config sources send; the optional ones where clusters themselves may change. */
export interface ClusterManagerListener<C extends ManagedCluster> {
  assigned(cluster: C, causes: readonly Cause[]): void;
  expired(cluster: C, causes: readonly Cause[]): void;
  clustersDiscovered?(): void;
  /** A cluster is ready and in use from now on. @param isUpdate there was one before. @param waited it was warming. */
  clusterReady?(cluster: C, cause: Cause, isUpdate: boolean, waited: boolean): void;
  clusterRemoved?(cluster: C, cause: Cause): void;
}

type MakeCluster<C> = (index: number, settings: ClusterSettings, assignment: Assignment, present: boolean) => C;

export type EndpointAction = Extract<
  Action,
  { readonly kind: 'set_health' | 'set_weight' | 'set_metadata' | 'remove_hosts' | 'add_hosts' }
>;

type AssignAction = Extract<Action, { readonly kind: 'assign' }>;

/** Clusters (CDS) and endpoints (EDS). Config sources send the same to all proxies at the same time: one manager serves all. */
export class ClusterManager<C extends ManagedCluster> {
  readonly clusters: readonly C[];
  private readonly byName: ReadonlyMap<string, C>;
  /** What EDS said last, by cluster or service name. */
  private readonly assignments: Map<string, Assignment>;
  /** Updated clusters that are not ready yet, by name. */
  private readonly warming = new Map<string, { readonly settings: ClusterSettings; readonly label: string }>();
  /** Clusters whose endpoints changed since they were last delivered. */
  private readonly touched = new Set<C>();

  constructor(
    world: Pick<WorldSettings, 'clusters' | 'absentClusters' | 'timeline' | 'assignments'>,
    make: MakeCluster<C>,
    private readonly clock: Clock,
    private readonly schedule: Schedule,
    private readonly listener: ClusterManagerListener<C>,
  ) {
    this.assignments = new Map(world.assignments);
    this.clusters = clustersOf(world).map(({ settings, present }, index) =>
      make(index, settings, this.assignmentFor(settings) ?? EMPTY_ASSIGNMENT, present),
    );
    this.byName = new Map(this.clusters.map((cluster) => [cluster.name, cluster]));
  }

  named(name: string): C {
    const cluster = this.byName.get(name);
    assert(cluster !== undefined, `no cluster ${name}`);
    return cluster;
  }

  /** EDS has not sent an assignment of the cluster yet. */
  isUnassigned({ settings }: ManagedCluster): boolean {
    return this.assignmentFor(settings) === undefined;
  }

  // --- endpoints -----------------------------------------------------------------------------------------------------

  /** Applies what the timeline changes; {@link deliverChanged} sends it. @returns whether it concerned a cluster. */
  act(action: EndpointAction | AssignAction, label: string): boolean {
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

  deliver(cluster: C): void {
    if (!cluster.present || !cluster.isAssigned) return;
    if (cluster.type === 'EDS') {
      this.assignments.set(cluster.serviceName, cluster.assignment);
      this.age(cluster, cluster.assignment);
    }
    this.listener.assigned(cluster, cluster.takeCauses());
  }

  /** A whole new assignment; clusters that warm up may have waited for it. */
  private assign({ name, assignment }: AssignAction): C[] {
    this.assignments.set(name, assignment);
    for (const { settings, label } of this.warming.values())
      if (settings.serviceName === name) this.install(settings, label);
    const clusters = this.clusters.filter((cluster) => cluster.isAssigned && cluster.serviceName === name);
    // The same one again is a new one: the age of the old one no longer counts.
    for (const cluster of clusters) cluster.assignment = { ...assignment };
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
  private assignmentFor({ kind, serviceName, assignment }: ClusterSettings): Assignment | undefined {
    return kind === 'EDS' ? this.assignments.get(serviceName) : assignment;
  }

  // --- clusters ------------------------------------------------------------------------------------------------------

  /**
   * A new or changed cluster, as by CDS. It replaces the old one, which serves until the new one is ready: an EDS cluster
   * waits for its first assignment, no longer than `initial_fetch_timeout`.
   */
  update(settings: ClusterSettings, label: string): void {
    const { name, initialFetchTimeoutUs: timeoutUs } = settings;
    const cluster = this.named(name);
    this.listener.clustersDiscovered?.();
    // A cluster that did not change is no update.
    const isSame = sameMessage(cluster.settings.message, settings.message);
    if (cluster.present && isSame && !this.warming.has(name)) return;
    if (this.assignmentFor(settings) !== undefined) {
      this.install(settings, label);
      return;
    }
    const waiting = { settings, label };
    this.warming.set(name, waiting);
    cluster.isWarming = true;
    if (timeoutUs === 0) return;
    this.schedule(this.clock.nowUs + timeoutUs, () => {
      if (this.warming.get(name) === waiting) this.install(settings, label);
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

  private install(settings: ClusterSettings, label: string): void {
    const waited = this.warming.delete(settings.name);
    const cluster = this.named(settings.name);
    const isUpdate = cluster.present;
    cluster.isWarming = false;
    cluster.replace(settings, this.assignmentFor(settings) ?? EMPTY_ASSIGNMENT);
    const cause: Cause = { fact: { kind: 'timeline', entry: label } };
    cluster.addCause(cause);
    this.listener.clusterReady?.(cluster, cause, isUpdate, waited);
    cluster.takeCauses();
  }
}

/** Every cluster that requests may ask for; those that only `update_cluster` adds do not exist yet, absent ones never. */
function clustersOf(world: Pick<WorldSettings, 'clusters' | 'absentClusters' | 'timeline'>) {
  const { clusters, absentClusters, timeline } = world;
  const names = new Set(clusters.map(({ name }) => name));
  const others = [...actionsOf(timeline, 'update_cluster').map(({ cluster }) => cluster), ...absentClusters];
  const notYet = others.filter(({ name }) => !names.has(name) && names.add(name));
  return [
    ...clusters.map((settings) => ({ settings, present: true })),
    ...notYet.map((settings) => ({ settings, present: false })),
  ];
}

function sameMessage(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameMessage((a as Struct)[key], (b as Struct)[key]));
}

/** Applies `action` to the assignments of these clusters. @returns the clusters whose assignment changed. */
function actOnEndpoints<C extends ManagedCluster>(action: EndpointAction, clusters: readonly C[]): C[] {
  if (action.kind === 'add_hosts') {
    const { cluster: name, priority, locality, endpoints: added } = action;
    const wanted = clusters.filter((cluster) => cluster.name === name);
    for (const cluster of wanted) cluster.assignment = addEndpoints(cluster.assignment, priority, locality, added);
    return wanted;
  }
  // What is set has the name that it has in an endpoint.
  const { kind, hosts, ...change } = action;
  return edit(clusters, hosts, kind === 'remove_hosts' ? undefined : change);
}

/** @param change of each such endpoint; undefined removes them. */
function edit<C extends ManagedCluster>(
  clusters: readonly C[],
  selector: Selector,
  change: Partial<EndpointState> | undefined,
): C[] {
  const matches = hostPredicate(selector);
  const { address: text } = selector;
  const only = text === undefined ? undefined : { text, isMeant: addressPredicate(text) };
  return clusters.filter((cluster) => {
    if (!cluster.isAssigned) return false;
    const { name, assignment } = cluster;
    const changed = (endpoint: EndpointState, { priority, locality }: EndpointGroup): EndpointState | undefined => {
      const { address, hostname } = endpoint;
      const metadata = lbMetadata(endpoint.metadata);
      const host = { address, hostname, cluster: name, priority, locality, metadata };
      return matches(host) ? change && { ...endpoint, ...change } : endpoint;
    };
    cluster.assignment = mapEndpoints(assignment, changed, only);
    return cluster.assignment !== assignment;
  });
}
