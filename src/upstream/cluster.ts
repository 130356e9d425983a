import { type Runtime, runtimeGuard, runtimeInteger } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import { quirksOf } from '../core/version.js';
import { hasFlags, HealthFlag, type Host, type Locality, NOWHERE } from '../host/host.js';
import { sameItems, without } from '../core/values.js';
import { MembershipStats } from '../core/generated/counts.js';
import type { Assignment, EndpointState, NameAnswer } from '../settings/assignment.js';
import { EMPTY_ASSIGNMENT, localityWeights } from '../settings/assignment.js';
import { type Cause, NO_CAUSES } from './cause.js';
import { Delivery, type DeliveryEvents, type DeliveryOptions, type LevelUpdate } from './delivery.js';
import { EndpointHosts, type MembershipRules } from './endpoint-hosts.js';
import { HostReconciler, type MembershipEvents } from './host-reconciler.js';
import { DEFAULT_OVERPROVISIONING_FACTOR } from '../hostset/host-set.js';
import { PrioritySet } from './priority-set.js';
import { TransportSocketMatcher } from './transport-socket.js';

export interface UpstreamClusterOptions extends MembershipRules, DeliveryOptions {
  /** The proxy's own cluster, which may use priority 0 only. */
  readonly isLocalCluster: boolean;
  /** Locality weights are kept only under `locality_weighted_lb_config`. */
  readonly localityWeighted: boolean;
  /** Hosts are divided into subsets. Default false. */
  readonly hasSubsets?: boolean;
  /** undefined: the node states no locality. */
  readonly nodeLocality: Locality | undefined;
  readonly runtime: Runtime;
  /** Chooses the transport sockets of hosts; default: all have the cluster's own. */
  readonly transportSockets?: TransportSocketMatcher;
  /** The counters of the cluster that this one replaces; counting continues there. */
  readonly membership?: MembershipStats | undefined;
}

/** Where it is off, discovery of a modern proxy goes through the merge window again. */
const BATCH_UPDATES = 'envoy.reloadable_features.enable_batch_aware_update';

export interface UpstreamClusterEvents extends MembershipEvents, DeliveryEvents {
  /** Hosts joined or left the cluster; those that only changed their priority did neither. */
  members(added: readonly Host[], removed: readonly Host[]): void;
  /** The main thread of a cluster that balances already has new lists, in hosts, weights or health; nothing is delivered yet. */
  listsMade?(): void;
}

/**
 * One cluster as one proxy knows it: the hosts of the main thread, and how changes reach the balancers. Hosts keep
 * their identity (active requests, health, what policies remember of them) across updates by address. The lists of the
 * main thread change at once; those of the balancers at delivery, which the merge window may put off.
 */
export class UpstreamCluster {
  readonly membership: MembershipStats = this.options.membership ?? new MembershipStats();
  readonly transportSockets: TransportSocketMatcher = this.options.transportSockets ?? new TransportSocketMatcher([]);
  readonly priorities = new PrioritySet(this.options.nodeLocality, this.options.hasSubsets === true);
  private readonly endpointHosts = new EndpointHosts(this.options, this.transportSockets, this.priorities);
  private readonly reconciler = new HostReconciler(this.options, this.endpointHosts, this.events);
  readonly delivery = new Delivery(this.priorities, this.options, this.membership, this.events);
  /** STRICT_DNS: by the endpoint of the assignment that is the name, in the order of its last answer. */
  private readonly hostsOfName = new Map<EndpointState, readonly Host[]>();
  /** The first assignment goes to the workers as it is: not through the merge window, and not counted as an update. */
  private initialised: boolean = this.options.discovery === 'ON_DEMAND';

  constructor(
    private readonly options: UpstreamClusterOptions,
    private readonly events: UpstreamClusterEvents,
  ) {}

  apply(assignment: Assignment, nowUs: Micros, causes = NO_CAUSES): void {
    const { membership, options } = this;
    const isEds = options.discovery === 'EDS';
    if (isEds) membership.updateAttempt++;
    if (options.isLocalCluster && assignment.groups.some((group) => group.priority > 0)) {
      membership.updateRejected++;
      return;
    }
    if (assignment.isRejected && this.dropLimit !== undefined) {
      membership.updateRejected++;
      this.setInitialised();
      return;
    }
    if (isEds) membership.updateSuccess++;
    if (isEds && assignment.staleAfterUs !== Infinity) membership.assignmentTimeoutReceived++;
    this.takeOver(assignment, nowUs, causes);
  }

  /** The assignment has become too old: the cluster has no hosts, as if discovery had named none. */
  expire(nowUs: Micros, causes = NO_CAUSES): void {
    this.membership.assignmentStale++;
    this.takeOver(EMPTY_ASSIGNMENT, nowUs, causes);
  }

  private takeOver(assignment: Assignment, nowUs: Micros, causes: readonly Cause[]): void {
    const { membership, options, priorities } = this;
    const factorChanged = this.setFactors(assignment);
    const changes: LevelUpdate[] = [];
    const before = this.priorities.hostsByPriority();
    const firstNew = this.announcesNew(assignment) ? Math.max(1, priorities.levels.length) : Infinity;
    const known = priorities.levels.map(({ hosts, listed = [] }) => ({ hosts, listed }));
    const plans = this.reconciler.plan(assignment, known);
    for (const [priority, plan] of plans.entries()) {
      const level = priorities.level(priority);
      // An equal list stays the same object, so that no reader has to compare it again.
      const hosts = sameItems(level.hosts, plan.hosts) ? level.hosts : plan.hosts;
      const removed = hosts === level.hosts ? [] : without(level.hosts, hosts);
      const weights = options.localityWeighted ? plan.localityWeights : undefined;
      const weightsChanged = !sameWeights(level.localityWeights, weights);
      level.hosts = hosts;
      level.localityWeights = weights;
      const moved = plan.added.length > 0 || removed.length > 0;
      if (!moved && !plan.changed && !weightsChanged && !factorChanged && priority < firstNew) continue;
      changes.push({ priority, added: plan.added, removed });
    }
    const last = plans.at(-1);
    if (options.discovery === 'EDS' && last?.keepsWeights !== true)
      membership.maxHostWeight = largestWeight(last?.hosts ?? []);
    this.takeIn(changes, before, nowUs, causes);
  }

  /** Whether priorities that are new are an update of their own: see `announcesNewPriorities` in `quirks.txt`. */
  private announcesNew({ weightedPriorityHealth, overprovisioningFactor }: Assignment): boolean {
    const { discovery, version } = this.options;
    if (discovery !== 'EDS' || !quirksOf(version).announcesNewPriorities) return false;
    return !weightedPriorityHealth || overprovisioningFactor !== DEFAULT_OVERPROVISIONING_FACTOR;
  }

  /** One name of a STRICT_DNS cluster was answered; the hosts of the other names are as they were. */
  applyName({ assignment, group, name, endpoints }: NameAnswer, nowUs: Micros, causes = NO_CAUSES): void {
    this.setFactors(assignment);
    const before = this.priorities.hostsByPriority();
    const known = this.hostsOfName.get(name) ?? [];
    const { hosts, added, changed } = this.reconciler.planName(group, endpoints, known);
    const removed = without(known, hosts);
    this.hostsOfName.set(name, hosts);
    this.membership.maxHostWeight = largestWeight(hosts);
    if (added.length === 0 && removed.length === 0 && !changed) {
      this.takeIn([], before, nowUs, causes);
      return;
    }
    const { priority } = group;
    const groups = assignment.groups.filter((one) => one.priority === priority);
    const level = this.priorities.level(priority);
    level.localityWeights = this.options.localityWeighted ? localityWeights(groups) : undefined;
    level.hosts = groups.flatMap((one) => one.endpoints.flatMap((each) => this.hostsOfName.get(each) ?? []));
    this.takeIn([{ priority, added, removed }], before, nowUs, causes);
  }

  /** LOGICAL_DNS has found its one host, which replaces the one before. */
  setLogicalHost({ assignment, group, endpoints: [endpoint] }: NameAnswer, nowUs: Micros, causes = NO_CAUSES): void {
    if (endpoint === undefined) return;
    this.setFactors(assignment);
    const before = this.priorities.hostsByPriority();
    const socket = this.endpointHosts.socketOf(endpoint, group.metadata);
    const host = this.endpointHosts.create(endpoint, { locality: group.locality }, socket);
    this.events.hostAtPriority(host, 0);
    const level = this.priorities.level(0);
    const removed = level.hosts;
    level.localityWeights = this.options.localityWeighted ? localityWeights([group]) : undefined;
    level.hosts = [host];
    this.takeIn([{ priority: 0, added: [host], removed }], before, nowUs, causes);
  }

  keepLogicalHost({ group, endpoints: [endpoint] }: NameAnswer): void {
    if (endpoint !== undefined) this.endpointHosts.socketOf(endpoint, group.metadata);
    this.membership.updateNoRebuild++;
  }

  /** Up to 1.38 the one host of a LOGICAL_DNS cluster moves to another address, and no balancer hears of it. */
  moveLogicalHost(address: string): void {
    const host = this.priorities.levels[0]?.hosts[0];
    if (host === undefined) return;
    host.address = address;
    // It has another row from now on.
    this.priorities.level(0).hosts = [host];
    this.events.hostAtPriority(host, 0);
  }

  /** Discovery is about to change hosts. @returns true where the overprovisioning factor changed. */
  private setFactors({ overprovisioningFactor, weightedPriorityHealth, dropRatio }: Assignment): boolean {
    this.priorities.makeLists();
    this.delivery.setDropRatio(Math.min(dropRatio, this.dropLimit ?? 0), !this.initialised);
    return this.priorities.setFactors(overprovisioningFactor, weightedPriorityHealth);
  }

  private takeIn(
    changes: readonly LevelUpdate[],
    before: readonly (readonly Host[])[],
    nowUs: Micros,
    causes: readonly Cause[],
  ): void {
    const { membership, options } = this;
    if (changes.length === 0) {
      if (this.initialised || options.discovery !== 'STATIC') membership.updateNoRebuild++;
      if (options.healthChecked !== true) this.initialised = true;
      return;
    }
    let moved = false;
    const isBatched = this.isBatched();
    for (const [index, { priority, added, removed }] of changes.entries()) {
      this.reconciler.changed(priority, added, removed);
      if (added.length > 0 || removed.length > 0) {
        membership.membershipChange++;
        moved = true;
      }
      this.list(priority, this.priorities.level(priority).hosts, isBatched && index < changes.length - 1);
    }
    this.announce(changes, causes, nowUs);
    if (moved) this.notifyMembers(before);
  }

  /**
   * Active health checking or outlier detection changed the flags of `host`. The lists of every priority are rebuilt
   * and announced, each through its own merge window: one call per host, since each change is an update of its own. A
   * host that discovery dropped leaves if active health checking has failed it; that of a DNS name at its next answer.
   */
  healthChanged(host: Host, nowUs: Micros, causes = NO_CAUSES): void {
    const leaves = this.options.discovery !== 'STRICT_DNS' && hasFlags(host, GONE_WHEN_FAILED);
    const changes: LevelUpdate[] = [];
    this.priorities.changed(host);
    for (const [priority, level] of this.priorities.levels.entries()) {
      // In the order of the last build: an update that changed nothing left the order of the lists alone.
      const hosts = level.listed ?? level.hosts;
      const removed = leaves && hosts.includes(host) ? [host] : [];
      if (removed.length > 0) this.membership.membershipChange++;
      this.reconciler.changed(priority, [], removed);
      const others = (list: readonly Host[]): readonly Host[] =>
        removed.length > 0 ? list.filter((one) => one !== host) : list;
      level.hosts = others(level.hosts);
      this.list(priority, others(hosts));
      changes.push({ priority, added: [], removed });
    }
    if (this.initialised) {
      this.events.listsMade?.();
      this.delivery.throughWindow(changes, causes, nowUs);
    }
    if (leaves) this.events.members([], [host]);
  }

  /**
   * Any number of hosts have other flags, or are no longer listed: balancers get all of it as one update.
   *
   * @param listed by priority; undefined: it is as it was.
   */
  relist(listed: readonly (readonly Host[] | undefined)[], nowUs: Micros): void {
    listed.forEach((hosts, priority) => {
      if (hosts !== undefined) this.list(priority, hosts, priority < listed.length - 1);
    });
    const changes = [...listed.keys()].map((priority) => ({ priority, added: [], removed: [] }));
    this.delivery.batch(changes, NO_CAUSES, nowUs);
  }

  /** Every checked host has had its first result: workers hear of the cluster. What changed until then is no update. */
  ready(): void {
    if (this.initialised) return;
    this.initialised = true;
    const changes = [...this.priorities.levels.entries()].flatMap(([priority, { hosts, listed }]) =>
      listed === undefined ? [] : [{ priority, added: hosts, removed: [] }],
    );
    if (changes.length > 0) this.delivery.first(changes, NO_CAUSES);
  }

  /** Makes a host for an address that has none yet (ORIGINAL_DST); {@link changeOnDemand} makes it a member. */
  createOnDemand(endpoint: EndpointState): Host {
    const socket = this.endpointHosts.socketOf(endpoint, undefined);
    const host = this.endpointHosts.create(endpoint, { locality: NOWHERE }, socket);
    this.events.hostAtPriority(host, 0);
    return host;
  }

  /** Requests ask for hosts, or no longer do. */
  changeOnDemand(added: readonly Host[], removed: readonly Host[], nowUs: Micros, causes: readonly Cause[]): void {
    const level = this.priorities.level(0);
    level.hosts = [...without(level.hosts, removed), ...added];
    this.membership.membershipChange++;
    this.list(0, level.hosts);
    this.announce([{ priority: 0, added, removed }], causes, nowUs);
    this.events.members(added, removed);
  }

  /** The cluster is replaced or removed: it loses its hosts; as for the rest see {@link Delivery.retire}. */
  retire(): void {
    this.priorities.clear();
    this.hostsOfName.clear();
    this.delivery.retire();
  }

  /** EDS sent no assignment of the cluster within the time that the proxy waits. */
  assignmentUnavailable(): void {
    this.membership.updateAttempt++;
    this.membership.initFetchTimeout++;
    this.setInitialised();
  }

  /** The wait for a first update is over although no hosts came: anything that comes now is an update. */
  setInitialised(): void {
    this.initialised = true;
  }

  private announce(changes: readonly LevelUpdate[], causes: readonly Cause[], nowUs: Micros): void {
    if (!this.initialised) {
      if (this.options.healthChecked === true) return;
      this.initialised = true;
      this.delivery.first(changes, causes);
      return;
    }
    this.events.listsMade?.();
    if (this.isBatched()) this.delivery.batch(changes, causes, nowUs);
    else this.delivery.throughWindow(changes, causes, nowUs);
  }

  /** Whole assignments go out at once; the timeline's assignments of a STATIC cluster are like those of EDS. */
  private isBatched(): boolean {
    const { discovery, version, runtime } = this.options;
    if (discovery !== 'EDS' && discovery !== 'STATIC') return false;
    return quirksOf(version).batchesDiscovery && runtimeGuard(runtime, BATCH_UPDATES, true);
  }

  /** The largest part that may be dropped now, 0–1; undefined: this proxy drops nothing. */
  private get dropLimit(): number | undefined {
    const { runtime, version } = this.options;
    if (!quirksOf(version).dropsOverload) return undefined;
    return Math.min(100, runtimeInteger(runtime, 'load_balancing_policy.drop_overload_limit', 100)) / 100;
  }

  /** Lists are to be rebuilt from these hosts as of now. @param more others of the batch follow: tables wait. */
  private list(priority: number, hosts: readonly Host[], more = false): void {
    this.priorities.list(priority, hosts);
    if (this.initialised) this.delivery.deliverToMainThread(priority, more);
  }

  private notifyMembers(before: readonly (readonly Host[])[]): void {
    const [earlier, now] = [before.flat(), this.priorities.hostsByPriority().flat()];
    const added = without(now, earlier);
    const removed = without(earlier, now);
    if (added.length > 0 || removed.length > 0) this.events.members(added, removed);
  }
}

function largestWeight(hosts: readonly Host[]): number {
  let most = 1;
  for (const { weight } of hosts) if (weight > most) most = weight;
  return most;
}

const GONE_WHEN_FAILED = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.PENDING_DYNAMIC_REMOVAL;
const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

/** A priority that is new had no weights. */
function sameWeights(a = NO_WEIGHTS, b = NO_WEIGHTS): boolean {
  if (a.size !== b.size) return false;
  for (const [key, weight] of a) if (b.get(key) !== weight) return false;
  return true;
}
