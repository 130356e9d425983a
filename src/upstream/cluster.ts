import type { Locality } from '../host/host.js';
import { EDS_FLAGS, Host, edsHealthFlags, localityKey } from '../host/host.js';
import type { Struct } from '../core/json.js';
import { sameJson } from '../core/json.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { isModern } from '../core/version.js';
import { buildHostSet } from '../hostset/build-host-set.js';
import type { HostSet } from '../hostset/host-set.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { Assignment, EndpointState } from './assignment.js';
import { lbMetadata } from './assignment.js';
import type { ClusterManagerStats } from './merge-window.js';
import { MergeWindow } from './merge-window.js';

/** What the main thread of a proxy counts of a cluster's membership and updates. */
export interface MembershipStats {
  membershipChange: number;
  updateAttempt: number;
  updateSuccess: number;
  updateFailure: number;
  updateEmpty: number;
  updateNoRebuild: number;
  updateRejected: number;
}

export interface UpstreamClusterOptions {
  readonly name: string;
  readonly version: ProxyVersion;
  /** EDS keeps only the first mention of an address, and its updates are counted. */
  readonly discovery: 'STATIC' | 'EDS';
  readonly updateMergeWindowUs: Micros;
  /** The proxy's own cluster, which may use priority 0 only. */
  readonly isLocalCluster: boolean;
  /** Locality weights are kept only under `locality_weighted_lb_config`. */
  readonly localityWeighted: boolean;
  /** undefined: the node states no locality. */
  readonly nodeLocality: Locality | undefined;
  readonly managerStats: ClusterManagerStats;
  /** The main thread's balancer first, then one per worker. */
  readonly balancers: readonly LoadBalancer[];
}

/** What the outside has to do for a cluster. */
export interface UpstreamClusterEvents {
  /** A merged update of `priority` falls due at `dueUs`: call {@link UpstreamCluster.mergeDue} then. */
  readonly arm: (priority: number, dueUs: Micros) => void;
  /** The balancers hold new lists. `merged`: they waited for the merge window. */
  readonly delivered: (merged: boolean) => void;
  /** Hosts came to the cluster or left it; moving between priorities is neither. */
  readonly membership: (added: readonly Host[], removed: readonly Host[]) => void;
  /** A host object was created or got another place: its `index` has to be set. */
  readonly placed: (host: Host, priority: number) => void;
}

interface Level {
  hosts: readonly Host[];
  localityWeights: ReadonlyMap<string, number> | undefined;
  hostSet: HostSet | undefined;
}

interface LevelUpdate {
  readonly priority: number;
  readonly added: readonly Host[];
  readonly removed: readonly Host[];
}

/**
 * One cluster as one proxy knows it: the hosts of the main thread, and how changes reach the balancers.
 *
 * Hosts keep their identity (active requests, health, what policies remember of them) across updates by address. The
 * lists of the main thread change at once; those of the balancers at delivery, which the merge window may put off.
 */
export class UpstreamCluster {
  readonly membership: MembershipStats = {
    membershipChange: 0,
    updateAttempt: 0,
    updateSuccess: 0,
    updateFailure: 0,
    updateEmpty: 0,
    updateNoRebuild: 0,
    updateRejected: 0,
  };
  private readonly levels: Level[] = [];
  private readonly mergeWindow: MergeWindow;
  private overprovisioningFactor = 140;
  private weightedPriorityHealth = false;
  /** The first assignment is posted to the workers as it is: it passes no merge window and counts no update. */
  private initialised = false;

  constructor(
    private readonly options: UpstreamClusterOptions,
    private readonly events: UpstreamClusterEvents,
  ) {
    this.mergeWindow = new MergeWindow(options.updateMergeWindowUs, options.managerStats, -Infinity);
  }

  /** Lists of the main thread by priority; undefined for a level that never had a host. */
  get hostSets(): readonly (HostSet | undefined)[] {
    return this.levels.map((level) => level.hostSet);
  }

  get balancers(): readonly LoadBalancer[] {
    return this.options.balancers;
  }

  *hosts(): Iterable<{ readonly host: Host; readonly priority: number }> {
    for (const [priority, level] of this.levels.entries()) {
      for (const host of level.hosts) yield { host, priority };
    }
  }

  /** Takes in a whole assignment and delivers, or arms, what it changed. */
  apply(assignment: Assignment, nowUs: Micros): void {
    const { membership, options } = this;
    if (options.discovery === 'EDS') {
      membership.updateAttempt++;
      if (options.isLocalCluster && assignment.groups.some((group) => group.priority > 0)) {
        membership.updateRejected++;
        return;
      }
      membership.updateSuccess++;
    }
    const factorChanged =
      assignment.overprovisioningFactor !== this.overprovisioningFactor ||
      assignment.weightedPriorityHealth !== this.weightedPriorityHealth;
    this.overprovisioningFactor = assignment.overprovisioningFactor;
    this.weightedPriorityHealth = assignment.weightedPriorityHealth;

    const changes: LevelUpdate[] = [];
    const wanted = this.wantedEndpoints(assignment);
    const known = new KnownHosts(this.levels.map((level) => level.hosts));
    const plans = wanted.map((level, priority) => this.planLevel(level, priority, known));
    for (const [priority, plan] of plans.entries()) {
      const level = this.level(priority);
      const kept = new Set(plan.hosts);
      const removed = level.hosts.filter((host) => !kept.has(host));
      const weights = this.options.localityWeighted ? (wanted[priority] as WantedLevel).localityWeights : undefined;
      const weightsChanged = !sameWeights(level.localityWeights, weights);
      level.hosts = plan.hosts;
      level.localityWeights = weights;
      const moved = plan.added.length > 0 || removed.length > 0;
      if (!moved && !plan.changed && !weightsChanged && !(factorChanged && level.hosts.length > 0)) continue;
      if (moved) membership.membershipChange++;
      this.rebuild(priority);
      changes.push({ priority, added: plan.added, removed });
    }
    this.announceMembership(changes);
    if (changes.length === 0) {
      if (this.initialised || options.discovery === 'EDS') membership.updateNoRebuild++;
      this.initialised = true;
      return;
    }
    this.announce(changes, nowUs);
  }

  /**
   * The health of a host changed by itself: every priority is announced anew, each through its own merge window, as the
   * proxy does for each result of a health check and each ejection.
   */
  healthChanged(nowUs: Micros): void {
    const now: LevelUpdate[] = [];
    for (const [priority, level] of this.levels.entries()) {
      if (level.hostSet === undefined) continue;
      this.rebuild(priority);
      const wait = this.mergeWindow.update(priority, true, nowUs);
      if (wait === undefined) now.push({ priority, added: [], removed: [] });
      else if (wait.armed) this.events.arm(priority, wait.dueUs);
    }
    if (now.length > 0) this.deliver(now, false);
  }

  /** The timer that {@link UpstreamClusterEvents.arm} asked for has fired. */
  mergeDue(priority: number, nowUs: Micros): void {
    if (!this.mergeWindow.fire(priority, nowUs)) return;
    this.deliver([{ priority, added: [], removed: [] }], true);
  }

  private announceMembership(changes: readonly LevelUpdate[]): void {
    const added = new Set(changes.flatMap((change) => change.added));
    const removed = new Set(changes.flatMap((change) => change.removed));
    if (added.size === 0 && removed.size === 0) return;
    this.events.membership(
      [...added].filter((host) => !removed.has(host)),
      [...removed].filter((host) => !added.has(host)),
    );
  }

  private announce(changes: readonly LevelUpdate[], nowUs: Micros): void {
    if (!this.initialised) {
      this.initialised = true;
      this.deliver(changes, false);
      return;
    }
    if (isModern(this.options.version) && this.options.discovery === 'EDS') {
      this.mergeWindow.batch(
        this.levels.map((_, priority) => priority),
        nowUs,
      );
      this.deliver(changes, false);
      return;
    }
    const now: LevelUpdate[] = [];
    for (const change of changes) {
      const mergeable = change.added.length === 0 && change.removed.length === 0;
      const wait = this.mergeWindow.update(change.priority, mergeable, nowUs);
      if (wait === undefined) now.push(change);
      else if (wait.armed) this.events.arm(change.priority, wait.dueUs);
    }
    if (now.length > 0) this.deliver(now, false);
  }

  private deliver(changes: readonly LevelUpdate[], merged: boolean): void {
    for (const balancer of this.options.balancers) {
      for (const { priority, added, removed } of changes) {
        const hostSet = this.levels[priority]?.hostSet;
        if (hostSet !== undefined) balancer.update(hostSet, added, removed);
      }
    }
    this.events.delivered(merged);
  }

  private level(priority: number): Level {
    while (this.levels.length <= priority) {
      this.levels.push({ hosts: [], localityWeights: undefined, hostSet: undefined });
    }
    return this.levels[priority] as Level;
  }

  private rebuild(priority: number): void {
    const level = this.level(priority);
    level.hostSet = buildHostSet({
      priority,
      hosts: level.hosts,
      overprovisioningFactor: this.overprovisioningFactor,
      weightedPriorityHealth: this.weightedPriorityHealth,
      nodeLocality: this.options.nodeLocality,
      localityWeights: level.localityWeights,
    });
  }

  /** Endpoints per priority in the order of the assignment; levels that exist but are not mentioned become empty. */
  private wantedEndpoints(assignment: Assignment): WantedLevel[] {
    const wanted: WantedLevel[] = [];
    const last = assignment.groups.reduce((max, group) => Math.max(max, group.priority), this.levels.length - 1);
    for (let priority = 0; priority <= last; priority++) wanted.push({ endpoints: [], localityWeights: new Map() });
    const seen = new Set<string>();
    for (const group of assignment.groups) {
      const level = wanted[group.priority] as WantedLevel;
      if (group.placed && group.weight !== undefined) {
        level.localityWeights.set(localityKey(group.locality), group.weight);
      }
      for (const endpoint of group.endpoints) {
        if (this.options.discovery === 'EDS') {
          if (seen.has(endpoint.address)) continue;
          seen.add(endpoint.address);
        }
        level.endpoints.push({ endpoint, locality: group.locality });
      }
    }
    return wanted;
  }

  private planLevel(wanted: WantedLevel, priority: number, known: KnownHosts): LevelPlan {
    const hosts: Host[] = [];
    const added: Host[] = [];
    let changed = false;
    for (const { endpoint, locality } of wanted.endpoints) {
      const found = known.take(endpoint.address, priority, locality);
      if (found === undefined) {
        const host = this.createHost(endpoint, locality);
        this.events.placed(host, priority);
        hosts.push(host);
        added.push(host);
        continue;
      }
      if (this.updateHost(found.host, endpoint)) changed = true;
      hosts.push(found.host);
      if (found.priority !== priority) {
        this.events.placed(found.host, priority);
        added.push(found.host);
      }
    }
    return { hosts, added, changed };
  }

  private createHost(endpoint: EndpointState, locality: Locality): Host {
    return new Host({
      address: endpoint.address,
      hostname: endpoint.hostname,
      weight: endpoint.weight,
      locality,
      metadata: lbMetadata(endpoint.metadata) ?? {},
      flags: edsHealthFlags(endpoint.status, this.options.version),
    });
  }

  /** Updates a known host in place; true where its lists have to be made anew. */
  private updateHost(host: Host, endpoint: EndpointState): boolean {
    let changed = false;
    const metadata: Struct = lbMetadata(endpoint.metadata) ?? {};
    if (!sameJson(host.metadata, metadata)) {
      host.metadata = metadata;
      changed = true;
    }
    if (host.weight !== endpoint.weight) {
      host.weight = endpoint.weight;
      changed = true;
    }
    const before = host.health;
    host.flags = (host.flags & ~EDS_FLAGS) | edsHealthFlags(endpoint.status, this.options.version);
    // Only a change of class rebuilds: UNHEALTHY to DRAINING shows in nothing until the next update.
    return changed || host.health !== before;
  }
}

interface WantedLevel {
  readonly endpoints: { readonly endpoint: EndpointState; readonly locality: Locality }[];
  readonly localityWeights: Map<string, number>;
}

interface LevelPlan {
  readonly hosts: readonly Host[];
  readonly added: readonly Host[];
  /** Weight, metadata or class of health of a known host changed. */
  readonly changed: boolean;
}

interface KnownHost {
  readonly host: Host;
  readonly priority: number;
}

/** The hosts there are, by address; each is found once, first where it is wanted. */
class KnownHosts {
  private readonly byAddress = new Map<string, KnownHost[]>();

  constructor(levels: readonly (readonly Host[])[]) {
    for (const [priority, hosts] of levels.entries()) {
      for (const host of hosts) {
        const entry = { host, priority };
        const list = this.byAddress.get(host.address);
        if (list === undefined) this.byAddress.set(host.address, [entry]);
        else list.push(entry);
      }
    }
  }

  /** A host that changed its locality is a new host. */
  take(address: string, priority: number, locality: Locality): KnownHost | undefined {
    const list = this.byAddress.get(address);
    if (list === undefined) return undefined;
    const key = localityKey(locality);
    let at = list.findIndex((entry) => entry.priority === priority && localityKey(entry.host.locality) === key);
    if (at === -1) at = list.findIndex((entry) => localityKey(entry.host.locality) === key);
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }
}

function sameWeights(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.size !== b.size) return false;
  for (const [key, weight] of a) if (b.get(key) !== weight) return false;
  return true;
}
