import { quirksOf } from '../core/quirks.js';
import type { Micros } from '../core/units.js';
import type { Host, Locality } from '../host/host.js';
import { HealthFlag, NOWHERE, hasFlags } from '../host/host.js';
import { buildHostSet, sameHosts } from '../hostset/build-host-set.js';
import type { HostSet } from '../hostset/host-set.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { Assignment, EndpointState, NameAnswer } from './assignment.js';
import { EMPTY_ASSIGNMENT, localityWeights } from './assignment.js';
import type { MembershipEvents, MembershipRules } from './host-reconciler.js';
import { HostReconciler } from './host-reconciler.js';
import type { MembershipStats } from './membership-stats.js';
import { emptyMembershipStats } from './membership-stats.js';
import type { ClusterManagerStats } from './merge-window.js';
import { MergeWindow } from './merge-window.js';
import { TransportSocketMatcher } from './transport-socket.js';

export interface UpstreamClusterOptions extends MembershipRules {
  readonly name: string;
  readonly updateMergeWindowUs: Micros;
  /** The proxy's own cluster, which may use priority 0 only. */
  readonly isLocalCluster: boolean;
  /** Locality weights are kept only under `locality_weighted_lb_config`. */
  readonly localityWeighted: boolean;
  /** Hosts are divided into subsets. Default false. */
  readonly hasSubsets?: boolean;
  /** undefined: the node states no locality. */
  readonly nodeLocality: Locality | undefined;
  /**
   * Discovery is delivered whole and at once instead of through the merge window. Default: on the modern proxy, whose
   * runtime can switch it off.
   */
  readonly deliversBatches?: () => boolean;
  /** The most that may be dropped now, 0–1. Default: nothing is dropped, as before 1.40. */
  readonly dropLimit?: () => number;
  readonly managerStats: ClusterManagerStats;
  /** Chooses the transport sockets of hosts; default: all have the cluster's own. */
  readonly transportSockets?: TransportSocketMatcher;
  /** What was counted of the cluster that this one replaces; counting goes on there. */
  readonly membership?: MembershipStats | undefined;
  /** The main thread's balancer first, then one per worker. */
  readonly balancers: readonly LoadBalancer[];
}

/** What the outside has to do for a cluster. */
export interface UpstreamClusterEvents extends MembershipEvents {
  /** A merged update of `priority` falls due at `dueUs`: call {@link UpstreamCluster.mergeDue} then. */
  readonly arm: (priority: number, dueUs: Micros) => void;
  /** The balancers hold new lists of these priorities. `merged`: they waited for the merge window. */
  readonly delivered: (merged: boolean, priorities: readonly number[]) => void;
  /**
   * Calls back when the main thread is done with what else happens at this instant: what workers take over from it, they
   * find as it is by then. Default: at once.
   */
  readonly later?: (callback: () => void) => void;
  /** An update of `priority` is put off. */
  readonly waits?: (priority: number) => void;
  /** Hosts joined or left the cluster; those that only changed their priority did neither. */
  readonly members?: (added: readonly Host[], removed: readonly Host[]) => void;
}

interface Level {
  hosts: readonly Host[];
  localityWeights: ReadonlyMap<string, number> | undefined;
  /**
   * Hosts of the last lists, in their order, which an update that changed nothing does not change; undefined: there never
   * were any.
   */
  listed: readonly Host[] | undefined;
  /** Of `listed`; stale where they were asked for since, see {@link UpstreamCluster.makeLists}. */
  hostSet: HostSet | undefined;
  isStale: boolean;
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
  readonly membership: MembershipStats;
  readonly transportSockets: TransportSocketMatcher;
  private readonly reconciler: HostReconciler;
  private readonly levels: Level[] = [];
  /** STRICT_DNS: by the endpoint of the assignment that is the name, in the order of its last answer. */
  private readonly hostsOfName = new Map<EndpointState, readonly Host[]>();
  private readonly mergeWindow: MergeWindow;
  private readonly delivered: (HostSet | undefined)[] = [];
  private overprovisioningFactor = 140;
  /** As discovery said last; the workers hear of it with the next delivery, whatever else that brings. */
  private wantedDropRatio = 0;
  private droppedRatio = 0;
  private weightedPriorityHealth = false;
  /** The first assignment is posted to the workers as it is: it passes no merge window and counts no update. */
  private initialised: boolean;

  constructor(
    private readonly options: UpstreamClusterOptions,
    private readonly events: UpstreamClusterEvents,
  ) {
    this.mergeWindow = new MergeWindow(options.updateMergeWindowUs, options.managerStats, -Infinity);
    this.membership = options.membership ?? emptyMembershipStats();
    this.transportSockets = options.transportSockets ?? new TransportSocketMatcher([]);
    this.reconciler = new HostReconciler(options, this.transportSockets, events);
    this.initialised = options.discovery === 'ON_DEMAND';
  }

  /** Lists by priority as the workers' balancers hold them; none of a priority that none was delivered of. */
  get deliveredSets(): readonly (HostSet | undefined)[] {
    return this.delivered;
  }

  /** Lists of the main thread by priority; undefined for a level that never had a host. */
  get hostSets(): readonly (HostSet | undefined)[] {
    this.makeLists();
    return this.levels.map((level) => level.hostSet);
  }

  /** Deliveries that wait for the end of the merge window. */
  get pendingDeliveries(): number {
    return this.mergeWindow.pending;
  }

  /** Part of the requests that the workers drop. */
  get dropRatio(): number {
    return this.droppedRatio;
  }

  get balancers(): readonly LoadBalancer[] {
    return this.options.balancers;
  }

  /** The hosts of the main thread. */
  hostsByPriority(): readonly (readonly Host[])[] {
    return this.levels.map(({ hosts }) => hosts);
  }

  *hosts(): Iterable<{ readonly host: Host; readonly priority: number }> {
    for (const [priority, level] of this.levels.entries()) {
      for (const host of level.hosts) yield { host, priority };
    }
  }

  /** Takes in a whole assignment and delivers, or arms, what it changed. */
  apply(assignment: Assignment, nowUs: Micros): void {
    const { membership, options } = this;
    const isEds = options.discovery === 'EDS';
    if (isEds) membership.updateAttempt++;
    if (options.isLocalCluster && assignment.groups.some((group) => group.priority > 0)) {
      membership.updateRejected++;
      return;
    }
    if (assignment.isRejected && options.dropLimit !== undefined) {
      membership.updateRejected++;
      this.setInitialised();
      return;
    }
    if (isEds) membership.updateSuccess++;
    if (isEds && assignment.staleAfterUs !== Infinity) membership.assignmentTimeoutReceived++;
    this.takeOver(assignment, nowUs);
  }

  /** The assignment has become too old: as if discovery had named no host. */
  expire(nowUs: Micros): void {
    this.membership.assignmentStale++;
    this.takeOver(EMPTY_ASSIGNMENT, nowUs);
  }

  private takeOver(assignment: Assignment, nowUs: Micros): void {
    const factorChanged = this.setFactors(assignment);
    const changes: LevelUpdate[] = [];
    const before = this.hostsByPriority();
    const plans = this.reconciler.plan(
      assignment,
      this.levels.map(({ hosts, listed = [] }) => ({ hosts, listed })),
    );
    for (const [priority, plan] of plans.entries()) {
      const level = this.level(priority);
      const removed = sameHosts(level.hosts, plan.hosts) ? [] : without(level.hosts, plan.hosts);
      const weights = this.options.localityWeighted ? plan.localityWeights : undefined;
      const weightsChanged = !sameWeights(level.localityWeights, weights);
      level.hosts = plan.hosts;
      level.localityWeights = weights;
      const moved = plan.added.length > 0 || removed.length > 0;
      if (!moved && !plan.changed && !weightsChanged && !(factorChanged && level.hosts.length > 0)) continue;
      changes.push({ priority, added: plan.added, removed });
    }
    if (this.options.discovery === 'EDS') this.membership.maxHostWeight = largestWeight(plans.at(-1)?.hosts ?? []);
    this.takeIn(changes, before, nowUs);
  }

  /** One name of a STRICT_DNS cluster was answered; the hosts of the other names are as they were. */
  applyName({ assignment, group, name, endpoints }: NameAnswer, nowUs: Micros): void {
    this.setFactors(assignment);
    const before = this.hostsByPriority();
    const known = this.hostsOfName.get(name) ?? [];
    const { hosts, added, changed } = this.reconciler.planName(group, endpoints, known);
    const removed = without(known, hosts);
    this.hostsOfName.set(name, hosts);
    this.membership.maxHostWeight = largestWeight(hosts);
    if (added.length === 0 && removed.length === 0 && !changed) {
      this.takeIn([], before, nowUs);
      return;
    }
    const { priority } = group;
    const groups = assignment.groups.filter((one) => one.priority === priority);
    const level = this.level(priority);
    level.localityWeights = this.options.localityWeighted ? localityWeights(groups) : undefined;
    level.hosts = groups.flatMap((one) => one.endpoints.flatMap((each) => this.hostsOfName.get(each) ?? []));
    this.takeIn([{ priority, added, removed }], before, nowUs);
  }

  /** LOGICAL_DNS has found its one host, which takes the place of the one there is. */
  setLogicalHost({ assignment, group, endpoints: [endpoint] }: NameAnswer, nowUs: Micros): void {
    if (endpoint === undefined) return;
    this.setFactors(assignment);
    const before = this.hostsByPriority();
    const socket = this.reconciler.socketOf(endpoint, group.metadata);
    const host = this.reconciler.createHost(endpoint, group.locality, undefined, socket);
    this.events.placed(host, 0);
    const level = this.level(0);
    const removed = level.hosts;
    level.localityWeights = this.options.localityWeighted ? localityWeights([group]) : undefined;
    level.hosts = [host];
    this.takeIn([{ priority: 0, added: [host], removed }], before, nowUs);
  }

  /** Up to 1.38 the one host of a LOGICAL_DNS cluster moves to another address, and no balancer hears of it. */
  moveLogicalHost(address: string): void {
    const host = this.levels[0]?.hosts[0];
    if (host === undefined) return;
    host.address = address;
    this.events.placed(host, 0);
  }

  /** Discovery is about to change hosts. @returns true where the factors were others before. */
  private setFactors({ overprovisioningFactor, weightedPriorityHealth, dropRatio }: Assignment): boolean {
    this.makeLists();
    this.wantedDropRatio = Math.min(dropRatio, this.options.dropLimit?.() ?? 0);
    if (!this.initialised) this.droppedRatio = this.wantedDropRatio;
    const same =
      overprovisioningFactor === this.overprovisioningFactor && weightedPriorityHealth === this.weightedPriorityHealth;
    this.overprovisioningFactor = overprovisioningFactor;
    this.weightedPriorityHealth = weightedPriorityHealth;
    return !same;
  }

  /** Discovery changed the hosts of these priorities: makes their lists anew and announces them. */
  private takeIn(changes: readonly LevelUpdate[], before: readonly (readonly Host[])[], nowUs: Micros): void {
    const { membership, options } = this;
    if (changes.length === 0) {
      if (this.initialised || options.discovery !== 'STATIC') membership.updateNoRebuild++;
      if (options.healthChecked !== true) this.initialised = true;
      return;
    }
    let moved = false;
    for (const { priority, added, removed } of changes) {
      if (added.length > 0 || removed.length > 0) {
        membership.membershipChange++;
        moved = true;
      }
      this.rebuild(priority, this.level(priority).hosts);
    }
    this.announce(changes, nowUs);
    if (moved) this.tellMembers(before);
  }

  /**
   * Active health checking or outlier detection changed the flags of `host`. The lists of every priority are made anew
   * and announced, each through its own merge window: one call per host, since each change is an update of its own.
   *
   * A host that discovery has dropped leaves the cluster if active health checking has failed it; that of a DNS name
   * leaves when its name is answered next.
   */
  healthChanged(host: Host, nowUs: Micros): void {
    const leaves = this.options.discovery !== 'STRICT_DNS' && hasFlags(host, GONE_WHEN_FAILED);
    const changes: LevelUpdate[] = [];
    for (const [priority, level] of this.levels.entries()) {
      // In the order of the last build: an update that changed nothing did not reorder the lists either.
      const hosts = level.listed ?? level.hosts;
      const removed = leaves && hosts.includes(host) ? [host] : [];
      if (removed.length > 0) this.membership.membershipChange++;
      const others = (list: readonly Host[]): readonly Host[] =>
        removed.length > 0 ? list.filter((one) => one !== host) : list;
      level.hosts = others(level.hosts);
      this.rebuild(priority, others(hosts));
      changes.push({ priority, added: [], removed });
    }
    if (this.initialised) this.announceThroughWindow(changes, nowUs);
    if (leaves) this.events.members?.([], [host]);
  }

  /**
   * Every host of a health-checked cluster has had its first result, so the workers may know of the cluster. What
   * changed until then was not announced and counts no update.
   */
  ready(): void {
    if (this.initialised) return;
    this.initialised = true;
    const changes = [...this.levels.entries()].filter(([, level]) => level.listed !== undefined);
    if (changes.length === 0) return;
    this.deliverFirst(changes.map(([priority, level]) => ({ priority, added: level.hosts, removed: [] })));
  }

  /** A host for an address that is none yet (ORIGINAL_DST); {@link addOnDemand} makes it a member. */
  createOnDemand(endpoint: EndpointState): Host {
    const socket = this.reconciler.socketOf(endpoint, undefined);
    const host = this.reconciler.createHost(endpoint, NOWHERE, undefined, socket);
    this.events.placed(host, 0);
    return host;
  }

  addOnDemand(host: Host, nowUs: Micros): void {
    this.changeOnDemand([...this.level(0).hosts, host], [host], [], nowUs);
  }

  /** Hosts that nobody asks for any more. */
  removeOnDemand(gone: ReadonlySet<Host>, nowUs: Micros): void {
    const left = this.level(0).hosts.filter((host) => !gone.has(host));
    this.changeOnDemand(left, [], [...gone], nowUs);
  }

  private changeOnDemand(
    hosts: readonly Host[],
    added: readonly Host[],
    removed: readonly Host[],
    nowUs: Micros,
  ): void {
    this.level(0).hosts = hosts;
    this.membership.membershipChange++;
    this.rebuild(0, hosts);
    this.announce([{ priority: 0, added, removed }], nowUs);
    this.events.members?.(added, removed);
  }

  /**
   * The cluster is replaced or removed: it has no hosts any more, updates that wait for the merge window are dropped, and
   * its balancers give back what gauges hold of them.
   */
  retire(): void {
    this.mergeWindow.drop();
    this.levels.length = 0;
    this.delivered.length = 0;
    this.hostsOfName.clear();
    for (const balancer of this.options.balancers) balancer.destroy?.();
  }

  /** EDS was asked for the cluster, and said nothing for as long as the proxy waits. */
  askedInVain(): void {
    this.membership.updateAttempt++;
    this.membership.initFetchTimeout++;
    this.setInitialised();
  }

  /** Waiting for a first update is over, though it brought no hosts: whatever comes now is an update. */
  setInitialised(): void {
    this.initialised = true;
  }

  /** The timer that {@link UpstreamClusterEvents.arm} asked for has fired. */
  mergeDue(priority: number, nowUs: Micros): void {
    if (!this.mergeWindow.fire(priority, nowUs)) return;
    this.membership.updatesMerged++;
    this.deliver([{ priority, added: [], removed: [] }], true);
  }

  private announce(changes: readonly LevelUpdate[], nowUs: Micros): void {
    if (!this.initialised) {
      if (this.options.healthChecked !== true) this.deliverFirst(changes);
      return;
    }
    if (this.isBatched()) {
      this.mergeWindow.batch(
        changes.map(({ priority }) => priority),
        nowUs,
      );
      this.deliver(changes, false);
      return;
    }
    this.announceThroughWindow(changes, nowUs);
  }

  /** Whole assignments go out at once; the timeline's assignments of a STATIC cluster are like those of EDS. */
  private isBatched(): boolean {
    const { discovery, version, deliversBatches } = this.options;
    if (discovery !== 'EDS' && discovery !== 'STATIC') return false;
    return deliversBatches?.() ?? quirksOf(version).batchesDiscovery;
  }

  private announceThroughWindow(changes: readonly LevelUpdate[], nowUs: Micros): void {
    const now: LevelUpdate[] = [];
    for (const change of changes) {
      const mergeable = change.added.length === 0 && change.removed.length === 0;
      const wait = this.mergeWindow.update(change.priority, mergeable, nowUs);
      if (wait === undefined) {
        now.push(change);
        continue;
      }
      this.membership.updatesPutOff++;
      this.events.waits?.(change.priority);
      if (wait.armed) this.events.arm(change.priority, wait.dueUs);
    }
    if (now.length > 0) this.deliver(now, false);
  }

  /** The workers hear of the cluster for the first time. */
  private deliverFirst(changes: readonly LevelUpdate[]): void {
    this.initialised = true;
    for (const { priority } of changes) this.tellMainThread(priority);
    this.deliver(changes, false);
  }

  private deliver(changes: readonly LevelUpdate[], merged: boolean): void {
    const [main, ...workers] = this.options.balancers;
    if (main?.adopt !== undefined) {
      const takeOver = (): void => {
        this.noteDelivered(this.levels.keys());
        for (const worker of workers) worker.adopt?.(main);
        this.events.delivered(merged, [...this.levels.keys()]);
      };
      if (this.events.later === undefined) takeOver();
      else this.events.later(takeOver);
      return;
    }
    this.makeLists();
    for (const balancer of this.options.balancers) {
      for (const { priority, added, removed } of changes) {
        const hostSet = this.levels[priority]?.hostSet;
        if (hostSet !== undefined) balancer.update(hostSet, added, removed);
      }
    }
    this.noteDelivered(changes.map(({ priority }) => priority));
    this.events.delivered(
      merged,
      changes.map(({ priority }) => priority),
    );
  }

  private noteDelivered(priorities: Iterable<number>): void {
    this.droppedRatio = this.wantedDropRatio;
    for (const priority of priorities) {
      while (this.delivered.length <= priority) this.delivered.push(undefined);
      this.delivered[priority] = this.levels[priority]?.hostSet;
    }
  }

  /** Where the main thread builds for all threads it does so before anything is delivered. */
  private tellMainThread(priority: number): void {
    const [main] = this.options.balancers;
    if (main?.adopt === undefined) return;
    this.makeLists();
    const hostSet = this.levels[priority]?.hostSet;
    if (hostSet !== undefined) main.update(hostSet, [], []);
  }

  private level(priority: number): Level {
    while (this.levels.length <= priority) {
      this.levels.push({
        hosts: [],
        localityWeights: undefined,
        listed: undefined,
        hostSet: undefined,
        isStale: false,
      });
    }
    return this.levels[priority] as Level;
  }

  /** The lists of a priority are to be made anew, of these hosts as they are now. */
  private rebuild(priority: number, hosts: readonly Host[]): void {
    const level = this.level(priority);
    level.listed = hosts;
    level.isStale = true;
    if (this.initialised) this.tellMainThread(priority);
  }

  /**
   * Makes the lists that were asked for, if nobody has looked at them yet: of a thousand hosts that fail at one instant
   * the merge window lets one through, and the others need no lists of their own. Due before anything changes in a host
   * that asks for no new lists.
   */
  makeLists(): void {
    for (const [priority, level] of this.levels.entries()) {
      if (!level.isStale) continue;
      level.isStale = false;
      level.hostSet = buildHostSet({
        priority,
        hosts: level.listed ?? [],
        overprovisioningFactor: this.overprovisioningFactor,
        weightedPriorityHealth: this.weightedPriorityHealth,
        nodeLocality: this.options.nodeLocality,
        localityWeights: level.localityWeights,
        before: level.hostSet,
        tellsChanges: this.options.hasSubsets === true,
      });
    }
  }

  private tellMembers(before: readonly (readonly Host[])[]): void {
    if (this.events.members === undefined) return;
    const [earlier, now] = [before.flat(), this.hostsByPriority().flat()];
    const added = without(now, earlier);
    const removed = without(earlier, now);
    if (added.length > 0 || removed.length > 0) this.events.members(added, removed);
  }
}

function largestWeight(hosts: readonly Host[]): number {
  return hosts.reduce((max, { weight }) => Math.max(max, weight), 1);
}

function without(hosts: readonly Host[], others: readonly Host[]): Host[] {
  const gone = new Set(others);
  return hosts.filter((host) => !gone.has(host));
}

const GONE_WHEN_FAILED = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.PENDING_DYNAMIC_REMOVAL;
const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

/** A level that is only now heard of had no weights. */
function sameWeights(a = NO_WEIGHTS, b = NO_WEIGHTS): boolean {
  if (a.size !== b.size) return false;
  for (const [key, weight] of a) if (b.get(key) !== weight) return false;
  return true;
}
