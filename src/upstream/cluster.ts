import type { Locality } from '../host/host.js';
import { NOWHERE, EDS_FLAGS, HealthFlag, Host, edsHealthFlags, localityKey } from '../host/host.js';
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
import { DEFAULT_MATCH, TransportSocketMatcher } from './transport-socket.js';

/** What the main thread of a proxy counts of a cluster's membership and updates. */
export interface MembershipStats {
  membershipChange: number;
  updateAttempt: number;
  updateSuccess: number;
  updateFailure: number;
  updateEmpty: number;
  updateNoRebuild: number;
  updateRejected: number;
  /** Waits for a first assignment that came to nothing. */
  initFetchTimeout: number;
  /** Updates of a priority that had to wait for the merge window. */
  updatesPutOff: number;
  /** What went out of the merge window. */
  updatesMerged: number;
  /** Gauge of clusters with discovery: the largest weight, at least 1, in the level processed last. */
  maxHostWeight: number;
}

export function emptyMembershipStats(): MembershipStats {
  return {
    membershipChange: 0,
    updateAttempt: 0,
    updateSuccess: 0,
    updateFailure: 0,
    updateEmpty: 0,
    updateNoRebuild: 0,
    updateRejected: 0,
    initFetchTimeout: 0,
    updatesPutOff: 0,
    updatesMerged: 0,
    maxHostWeight: 0,
  };
}

export interface UpstreamClusterOptions {
  readonly name: string;
  readonly version: ProxyVersion;
  /**
   * EDS keeps only the first mention of an address, and its updates are counted. DNS hosts are told apart by their name
   * as well, and who resolves them counts the queries. ON_DEMAND has no first update to wait for.
   */
  readonly discovery: 'STATIC' | 'EDS' | 'DNS' | 'ON_DEMAND';
  readonly updateMergeWindowUs: Micros;
  /** The proxy's own cluster, which may use priority 0 only. */
  readonly isLocalCluster: boolean;
  /** Locality weights are kept only under `locality_weighted_lb_config`. */
  readonly localityWeighted: boolean;
  /** undefined: the node states no locality. */
  readonly nodeLocality: Locality | undefined;
  /**
   * Hosts are checked actively: new ones are failed until a check says otherwise, and one that discovery drops stays
   * while its checks are good. Nothing reaches the balancers before {@link UpstreamCluster.ready}. Default false.
   */
  readonly healthChecked?: boolean;
  /** `ignore_new_hosts_until_first_hc`: new hosts of a checked cluster are excluded too. Default false. */
  readonly ignoreNewHostsUntilFirstHc?: boolean;
  /** `drain_connections_on_host_removal`: hosts that discovery drops leave at once, checks or not. Default false. */
  readonly drainConnectionsOnHostRemoval?: boolean;
  /**
   * Discovery is delivered whole and at once instead of through the merge window. Default: on the modern proxy, whose
   * runtime can switch it off.
   */
  readonly deliversBatches?: () => boolean;
  readonly managerStats: ClusterManagerStats;
  /** Chooses the transport sockets of hosts; default: all have the cluster's own. */
  readonly transportSockets?: TransportSocketMatcher;
  /** What was counted of the cluster that this one replaces; counting goes on there. */
  readonly membership?: MembershipStats | undefined;
  /** The main thread's balancer first, then one per worker. */
  readonly balancers: readonly LoadBalancer[];
}

/** What the outside has to do for a cluster. */
export interface UpstreamClusterEvents {
  /** A merged update of `priority` falls due at `dueUs`: call {@link UpstreamCluster.mergeDue} then. */
  readonly arm: (priority: number, dueUs: Micros) => void;
  /** The balancers hold new lists of these priorities. `merged`: they waited for the merge window. */
  readonly delivered: (merged: boolean, priorities: readonly number[]) => void;
  /** An update of `priority` is put off. */
  readonly waits?: (priority: number) => void;
  /** A host object was created or got another place: its `index` has to be set. */
  readonly placed: (host: Host, priority: number) => void;
  /** Hosts joined or left the cluster; those that only changed their priority did neither. */
  readonly members?: (added: readonly Host[], removed: readonly Host[]) => void;
  /** Discovery dropped these hosts, which stay until a health check fails them. */
  readonly kept?: (hosts: readonly Host[]) => void;
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
  readonly membership: MembershipStats;
  readonly transportSockets: TransportSocketMatcher;
  /** The whole metadata of the hosts that discovery brought. */
  private readonly metadata = new WeakMap<Host, EndpointState['metadata']>();
  /** Endpoints of the last update. */
  private endpoints: ReadonlySet<EndpointState> = new Set();
  private readonly levels: Level[] = [];
  private readonly mergeWindow: MergeWindow;
  private overprovisioningFactor = 140;
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
    this.initialised = options.discovery === 'ON_DEMAND';
  }

  /** Lists of the main thread by priority; undefined for a level that never had a host. */
  get hostSets(): readonly (HostSet | undefined)[] {
    return this.levels.map((level) => level.hostSet);
  }

  /** Deliveries that wait for the end of the merge window. */
  get pendingDeliveries(): number {
    return this.mergeWindow.pending;
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
    const before = new Set([...this.hosts()].map(({ host }) => host));
    const wanted = this.wantedEndpoints(assignment);
    const sockets = this.chooseSockets(wanted);
    const known = new KnownHosts(this.levels.map((level) => level.hosts));
    const plans = this.keepHealthy(
      wanted,
      wanted.map((level, priority) => this.planLevel(level, priority, known, sockets)),
    );
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
      this.rebuild(priority, plan.hosts);
      changes.push({ priority, added: plan.added, removed });
    }
    if (options.discovery === 'EDS') {
      membership.maxHostWeight = (plans.at(-1)?.hosts ?? []).reduce((max, { weight }) => Math.max(max, weight), 1);
    }
    if (changes.length === 0) {
      if (this.initialised || options.discovery !== 'STATIC') membership.updateNoRebuild++;
      if (options.healthChecked !== true) this.initialised = true;
      return;
    }
    this.announce(changes, nowUs);
    this.tellMembers(before);
  }

  /**
   * Active health checking or outlier detection changed the flags of `host`. The lists of every priority are made anew
   * and announced, each through its own merge window: one call per host, since each change is an update of its own.
   *
   * A host that discovery has dropped leaves the cluster if active health checking has failed it.
   */
  healthChanged(host: Host, nowUs: Micros): void {
    const leaves = hasFlags(host, GONE_WHEN_FAILED);
    const changes: LevelUpdate[] = [];
    for (const [priority, level] of this.levels.entries()) {
      // In the order of the last build: an update that changed nothing did not reorder the lists either.
      const hosts = level.hostSet?.hosts ?? level.hosts;
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
    const changes = [...this.levels.entries()].filter(([, level]) => level.hostSet !== undefined);
    if (changes.length === 0) return;
    this.deliver(
      changes.map(([priority, level]) => ({ priority, added: level.hosts, removed: [] })),
      false,
    );
  }

  /** The one host of a LOGICAL_DNS cluster is at another address; no balancer hears of it. */
  moveLogicalHost(address: string): void {
    const host = this.levels[0]?.hosts[0];
    if (host === undefined) return;
    host.address = address;
    this.events.placed(host, 0);
  }

  /** A host for an address that is none yet (ORIGINAL_DST); {@link addOnDemand} makes it a member. */
  createOnDemand(endpoint: EndpointState): Host {
    const host = this.createHost(endpoint, NOWHERE, undefined, this.transportSockets.choose(endpoint.metadata));
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
      if (this.options.healthChecked === true) return;
      this.initialised = true;
      this.deliver(changes, false);
      return;
    }
    if (this.isBatched()) {
      const pending = this.mergeWindow.batch([...this.levels.keys()], nowUs);
      const late = pending.filter((level) => changes.every(({ priority }) => priority !== level));
      const all = [...changes, ...late.map((priority) => ({ priority, added: [], removed: [] }))];
      this.deliver(
        all.sort((a, b) => a.priority - b.priority),
        false,
      );
      return;
    }
    this.announceThroughWindow(changes, nowUs);
  }

  /** Whole assignments go out at once; the timeline's assignments of a STATIC cluster are like those of EDS. */
  private isBatched(): boolean {
    const { discovery, version, deliversBatches } = this.options;
    if (discovery !== 'EDS' && discovery !== 'STATIC') return false;
    return deliversBatches?.() ?? isModern(version);
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

  private deliver(changes: readonly LevelUpdate[], merged: boolean): void {
    for (const balancer of this.options.balancers) {
      for (const { priority, added, removed } of changes) {
        const hostSet = this.levels[priority]?.hostSet;
        if (hostSet !== undefined) balancer.update(hostSet, added, removed);
      }
    }
    this.events.delivered(
      merged,
      changes.map(({ priority }) => priority),
    );
  }

  private level(priority: number): Level {
    while (this.levels.length <= priority) {
      this.levels.push({ hosts: [], localityWeights: undefined, hostSet: undefined });
    }
    return this.levels[priority] as Level;
  }

  private rebuild(priority: number, hosts: readonly Host[]): void {
    const level = this.level(priority);
    level.hostSet = buildHostSet({
      priority,
      hosts,
      overprovisioningFactor: this.overprovisioningFactor,
      weightedPriorityHealth: this.weightedPriorityHealth,
      nodeLocality: this.options.nodeLocality,
      localityWeights: level.localityWeights,
      before: level.hostSet,
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

  /** An answer of DNS brings the endpoints of one name; those of the other names are as they were. */
  private chooseSockets(wanted: readonly WantedLevel[]): ReadonlyMap<EndpointState, string> {
    const endpoints = new Set(wanted.flatMap((level) => level.endpoints.map(({ endpoint }) => endpoint)));
    const isNew = (endpoint: EndpointState): boolean =>
      this.options.discovery !== 'DNS' || !this.endpoints.has(endpoint);
    const chosen = [...endpoints].filter(isNew).map((endpoint): [EndpointState, string] => {
      return [endpoint, this.transportSockets.choose(endpoint.metadata)];
    });
    this.endpoints = endpoints;
    return new Map(chosen);
  }

  private planLevel(
    wanted: WantedLevel,
    priority: number,
    known: KnownHosts,
    sockets: ReadonlyMap<EndpointState, string>,
  ): LevelPlan {
    const hosts: Host[] = [];
    const added: Host[] = [];
    const relocated = new Set<string>();
    let changed = false;
    for (const { endpoint, locality } of wanted.endpoints) {
      const checkPort = this.options.healthChecked === true ? endpoint.healthCheckPort : ANY_PORT;
      const hostname = this.options.discovery === 'DNS' ? endpoint.hostname : undefined;
      const found = known.take(endpoint.address, priority, locality, checkPort, hostname);
      if (found === undefined) {
        const former = known.find(endpoint.address);
        if (former !== undefined && localityKey(former.locality) !== localityKey(locality)) {
          relocated.add(endpoint.address);
        }
        const host = this.createHost(endpoint, locality, former, sockets.get(endpoint) ?? DEFAULT_MATCH);
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
    return { hosts, added, changed, relocated };
  }

  /**
   * With active health checking, hosts that discovery no longer names stay, behind the others, until a check fails them
   * (those that failed already, or that discovery called ill, go at once; being ejected as an outlier is no reason).
   */
  private keepHealthy(wanted: readonly WantedLevel[], plans: readonly LevelPlan[]): readonly LevelPlan[] {
    const { healthChecked, drainConnectionsOnHostRemoval } = this.options;
    if (healthChecked !== true || drainConnectionsOnHostRemoval === true) return plans;
    const named = new Set(wanted.flatMap((level) => level.endpoints.map(({ endpoint }) => endpoint.address)));
    const placed = new Set(plans.flatMap((plan) => plan.hosts));
    return plans.map((plan, priority) => {
      const fresh = new Set(plan.added.map(({ address }) => address));
      const kept = (this.levels[priority]?.hostSet?.hosts ?? []).filter((host) => {
        if (placed.has(host) || plan.relocated.has(host.address)) return false;
        // It lives on in another level, or as another host there.
        if (named.has(host.address) && !fresh.has(host.address)) return false;
        return (host.flags & ILL) === 0;
      });
      const dropped = kept.filter((host) => !hasFlags(host, HealthFlag.PENDING_DYNAMIC_REMOVAL));
      for (const host of dropped) host.flags |= HealthFlag.PENDING_DYNAMIC_REMOVAL;
      if (dropped.length > 0) this.events.kept?.(dropped);
      return kept.length === 0 ? plan : { ...plan, hosts: [...plan.hosts, ...kept] };
    });
  }

  /** @param former the host that had the address until now. */
  private createHost(
    endpoint: EndpointState,
    locality: Locality,
    former: Host | undefined,
    transportSocket: string,
  ): Host {
    const host = new Host({
      address: endpoint.address,
      hostname: endpoint.hostname,
      weight: endpoint.weight,
      locality,
      metadata: lbMetadata(endpoint.metadata) ?? {},
      flags: edsHealthFlags(endpoint.status, this.options.version) | this.firstCheckFlags(endpoint, former),
      healthCheckPort: endpoint.healthCheckPort,
    });
    host.transportSocket = transportSocket;
    this.metadata.set(host, endpoint.metadata);
    return host;
  }

  /** What active health checking is taken to say of a new host. */
  private firstCheckFlags(endpoint: EndpointState, former: Host | undefined): number {
    const { healthChecked, ignoreNewHostsUntilFirstHc, version } = this.options;
    if (healthChecked !== true) return 0;
    // The modern proxy does not forget what it knows of a host because its locality is another one.
    if (isModern(version) && former !== undefined && former.healthCheckPort === endpoint.healthCheckPort) {
      return former.flags & KEPT_ON_MOVE;
    }
    return HealthFlag.FAILED_ACTIVE_HC | (ignoreNewHostsUntilFirstHc === true ? HealthFlag.PENDING_ACTIVE_HC : 0);
  }

  private tellMembers(before: ReadonlySet<Host>): void {
    if (this.events.members === undefined) return;
    const after = new Set([...this.hosts()].map(({ host }) => host));
    const added = [...after].filter((host) => !before.has(host));
    const removed = [...before].filter((host) => !after.has(host));
    if (added.length > 0 || removed.length > 0) this.events.members(added, removed);
  }

  /** Updates a known host in place; true where its lists have to be made anew. */
  private updateHost(host: Host, endpoint: EndpointState): boolean {
    let changed = false;
    if (!sameJson(this.metadata.get(host) ?? {}, endpoint.metadata)) {
      this.metadata.set(host, endpoint.metadata);
      host.metadata = lbMetadata(endpoint.metadata) ?? {};
      // In the v2 era a host kept the socket it began with.
      if (isModern(this.options.version)) host.transportSocket = this.transportSockets.choose(endpoint.metadata);
      changed = true;
    }
    if (host.weight !== endpoint.weight) {
      host.weight = endpoint.weight;
      changed = true;
    }
    const before = host.health;
    host.flags =
      (host.flags & ~(EDS_FLAGS | HealthFlag.PENDING_DYNAMIC_REMOVAL)) |
      edsHealthFlags(endpoint.status, this.options.version);
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
  /** Addresses whose host was in another locality until now. */
  readonly relocated: ReadonlySet<string>;
}

/** Hosts that discovery dropped do not outlive these. */
const ILL = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.FAILED_EDS_HEALTH | HealthFlag.EDS_STATUS_DRAINING;
const GONE_WHEN_FAILED = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.PENDING_DYNAMIC_REMOVAL;
const KEPT_ON_MOVE =
  HealthFlag.FAILED_ACTIVE_HC |
  HealthFlag.DEGRADED_ACTIVE_HC |
  HealthFlag.PENDING_ACTIVE_HC |
  HealthFlag.ACTIVE_HC_TIMEOUT;

function hasFlags(host: Host, flags: number): boolean {
  return (host.flags & flags) === flags;
}

/** Where nobody checks, it does not matter on which port. */
const ANY_PORT = 'any';

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

  /**
   * A host that changed its locality, or the port of its health checks, is a new host.
   *
   * @param hostname tells hosts of one address apart, which then stay in their priority; undefined: it does not.
   */
  take(
    address: string,
    priority: number,
    locality: Locality,
    checkPort: number | undefined | typeof ANY_PORT,
    hostname: string | undefined,
  ): KnownHost | undefined {
    const list = this.byAddress.get(address);
    if (list === undefined) return undefined;
    const key = localityKey(locality);
    const fits = ({ host }: KnownHost): boolean =>
      localityKey(host.locality) === key &&
      (checkPort === ANY_PORT || host.healthCheckPort === checkPort) &&
      (hostname === undefined || host.hostname === hostname);
    let at = list.findIndex((entry) => entry.priority === priority && fits(entry));
    if (at === -1 && hostname === undefined) at = list.findIndex(fits);
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  /** A host of this address that nobody took. */
  find(address: string): Host | undefined {
    return this.byAddress.get(address)?.[0]?.host;
  }
}

const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

/** A level that is only now heard of had no weights. */
function sameWeights(a = NO_WEIGHTS, b = NO_WEIGHTS): boolean {
  if (a.size !== b.size) return false;
  for (const [key, weight] of a) if (b.get(key) !== weight) return false;
  return true;
}
