import { hasFlags, type HealthCheckPort, HealthFlag, type Host, localityKey, type Locality } from '../host/host.js';
import { sum, addTo } from '../core/values.js';
import { quirksOf } from '../core/version.js';
import { HostsByAddress } from '../hostset/hosts-by-address.js';
import { type Assignment, type EndpointGroup, type EndpointState } from '../settings/assignment.js';
import { localityWeights, rowsThatDiffer } from '../settings/assignment.js';
import type { EndpointHosts, MembershipRules } from './endpoint-hosts.js';
import { DEFAULT_MATCH } from './transport-socket.js';

/** Without health checks the port of the checks does not matter. */
export const ANY_PORT = 'any';

export type ExistingHost = Readonly<{ host: Host; priority: number }>;

type CheckPort = HealthCheckPort | typeof ANY_PORT;

/** The hosts of a cluster before an update. Each can be taken once; those of the wanted priority are preferred. */
export class ExistingHosts {
  /** By priority: how many were taken in order, before any host was looked for by address. */
  private readonly taken: number[] = this.levels.map(() => 0);
  /** Hosts not taken yet; built when a host is first not found in order. */
  private byAddress: Map<string, ExistingHost[]> | undefined;
  /** A host of {@link find} was asked for: another has its address from now on. */
  isReplaced = false;

  /** @param found these alone are known; absent: all hosts are. */
  constructor(
    private readonly levels: readonly (readonly Host[])[],
    found?: HostsByAddress,
  ) {
    if (found !== undefined) this.byAddress = this.indexOf((host) => found.find(host.address)?.host === host);
  }

  /** All hosts of a priority, as long as none was looked for by address; they are taken then. */
  takeLevel(priority: number): void {
    this.taken[priority] = this.levels[priority]?.length ?? 0;
  }

  get isSearched(): boolean {
    return this.byAddress !== undefined;
  }

  /** The next host of the priority in order, if it is the wanted one: most updates move no host. */
  takeInPlace(address: string, locality: Locality, checkPort: CheckPort, priority: number): ExistingHost | undefined {
    if (this.byAddress !== undefined) return undefined;
    const next = this.taken[priority] ?? 0;
    const host = this.levels[priority]?.[next];
    if (host?.address !== address || !fits(host, locality, checkPort)) return undefined;
    this.taken[priority] = next + 1;
    return { host, priority };
  }

  /** Takes a host by address. A host whose locality changed, or the port of its health checks, counts as a new host. */
  take(address: string, locality: Locality, checkPort: CheckPort, priority: number): ExistingHost | undefined {
    const list = this.index().get(address);
    if (list === undefined) return undefined;
    let at = list.findIndex((entry) => entry.priority === priority && fits(entry.host, locality, checkPort));
    if (at === -1) at = list.findIndex(({ host }) => fits(host, locality, checkPort));
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  /** A host of this address that is not taken yet, to make another of. */
  find(address: string): Host | undefined {
    const host = this.index().get(address)?.[0]?.host;
    if (host !== undefined) this.isReplaced = true;
    return host;
  }

  private index(): ReadonlyMap<string, ExistingHost[]> {
    return (this.byAddress ??= this.indexOf(() => true));
  }

  private indexOf(isKnown: (host: Host) => boolean): Map<string, ExistingHost[]> {
    const byAddress = new Map<string, ExistingHost[]>();
    for (const [priority, hosts] of this.levels.entries()) {
      for (const host of hosts.slice(this.taken[priority]))
        if (isKnown(host)) addTo(byAddress, host.address, { host, priority });
    }
    return byAddress;
  }
}

export const fits = (host: Host, locality: Locality, checkPort: CheckPort): boolean =>
  (host.locality === locality || localityKey(host.locality) === localityKey(locality)) &&
  (checkPort === ANY_PORT || host.healthCheckPort === checkPort);

export interface MembershipEvents {
  /** A host object was created, or moved to another priority or locality: its `index` has to be set. */
  hostAtPriority(host: Host, priority: number): void;
  /** Discovery dropped these hosts, which stay until a health check fails them. */
  kept?(hosts: readonly Host[]): void;
}

/** Endpoints of one locality, as discovery has them: those of a large cluster are not copied. */
type EndpointsOfLocality = Pick<EndpointGroup, 'locality' | 'metadata' | 'endpoints'>;

type NamedHosts = Readonly<{ lists: readonly (readonly EndpointState[])[]; hosts: readonly Host[] }>;

type WantedPriority = Readonly<{ groups: EndpointsOfLocality[]; localityWeights: ReadonlyMap<string, number> }>;

/** What an update does to one list of hosts: those of a priority, or those of a DNS name. */
export interface ListPlan {
  readonly hosts: readonly Host[];
  readonly added: readonly Host[];
  /** Weight, metadata or class of health of a known host changed. */
  readonly changed: boolean;
  /** These are the hosts of before, and none of them weighs otherwise. */
  readonly keepsWeights?: boolean;
  /** Addresses whose host was in another locality until now. */
  readonly relocated: ReadonlySet<string>;
}

/** Hosts that discovery dropped leave, health checks or not. */
const ILL = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.FAILED_EDS_HEALTH | HealthFlag.EDS_STATUS_DRAINING;

const NO_ADDRESSES: ReadonlySet<string> = new Set();

/** Known hosts are updated in place, others are made; those that are no longer named go, or stay while their health checks pass. */
export class HostReconciler {
  /** By priority: the lists of endpoints of the last assignment, and the host of each endpoint. */
  private readonly last: NamedHosts[] = [];
  /** Where a modern proxy looks for hosts; undefined: it finds all of them. */
  private byAddress: HostsByAddress | undefined;
  /** Of EDS: the lists of the last assignment, without what repeats an address. */
  private distinct: readonly (readonly EndpointState[])[] = [];

  constructor(
    private readonly options: MembershipRules,
    private readonly endpointHosts: EndpointHosts,
    private readonly events: MembershipEvents,
  ) {}

  /** @param levels every priority there is: the main thread's hosts before the update, and those of the last lists, maybe older. */
  plan(
    assignment: Assignment,
    levels: readonly { readonly hosts: readonly Host[]; readonly listed: readonly Host[] }[],
  ): readonly (ListPlan & { readonly localityWeights: ReadonlyMap<string, number> })[] {
    const wanted = this.wantedEndpoints(assignment, levels.length);
    const sockets = this.endpointHosts.chooseSockets(wanted.flatMap(({ groups }) => groups));
    const before = levels.map(({ hosts }) => hosts);
    if (this.byAddress?.size === sum(before.map(({ length }) => length))) this.byAddress = undefined;
    const known = new ExistingHosts(before, this.byAddress);
    const plans = wanted.map(({ groups, localityWeights }, priority) => {
      const plan =
        this.planInPlace(groups, priority, known, levels[priority]?.hosts) ??
        this.planList(groups, priority, known, sockets);
      this.last[priority] = { lists: groups.map(({ endpoints }) => endpoints), hosts: plan.hosts };
      return { ...plan, localityWeights };
    });
    if (known.isReplaced && this.losesHosts) this.byAddress ??= HostsByAddress.of(before);
    if (!this.keepsHealthy) return plans;
    const named = new Set<string>();
    for (const { groups } of wanted)
      for (const { endpoints } of groups) for (const one of endpoints) named.add(one.address);
    const assigned = new Set(plans.flatMap(({ hosts }) => hosts));
    return plans.map((plan, priority) => this.keepHealthy(plan, levels[priority]?.listed ?? [], assigned, named));
  }

  /** A DNS name with these hosts was answered; an address that another name has too is another host. */
  planName(
    { priority, locality, metadata }: EndpointGroup,
    answer: readonly EndpointState[],
    hosts: readonly Host[],
  ): ListPlan {
    const groups = [{ locality, metadata, endpoints: answer }];
    const levels: (readonly Host[])[] = Array.from({ length: priority }, () => []);
    const known = new ExistingHosts([...levels, hosts]);
    const plan = this.planList(groups, priority, known, this.endpointHosts.chooseSockets(groups));
    if (!this.keepsHealthy) return plan;
    return this.keepHealthy(plan, hosts, new Set(plan.hosts), new Set(answer.map(({ address }) => address)));
  }

  changed(priority: number, added: readonly Host[], removed: readonly Host[]): void {
    this.byAddress?.change(priority, added, removed);
  }

  private get losesHosts(): boolean {
    const { discovery, version } = this.options;
    return discovery === 'EDS' && quirksOf(version).findsFirstOfAddress;
  }

  /** Endpoints per priority in the order of the assignment; priorities that exist but are not in it become empty. */
  private wantedEndpoints(assignment: Assignment, levels: number): WantedPriority[] {
    const last = assignment.groups.reduce((max, group) => Math.max(max, group.priority), levels - 1);
    const all = assignment.groups.map(({ endpoints }) => endpoints);
    const lists = this.options.discovery === 'EDS' ? this.firstOfAddress(all) : all;
    return Array.from({ length: last + 1 }, (_, wanted) => {
      const groups = assignment.groups.flatMap((group, at) =>
        group.priority === wanted ? [{ ...group, endpoints: lists[at] ?? [] }] : [],
      );
      return { groups, localityWeights: localityWeights(groups) };
    });
  }

  /** Nearly every update names the addresses of the one before, each of them once. */
  private firstOfAddress(lists: readonly (readonly EndpointState[])[]): readonly (readonly EndpointState[])[] {
    const seen = new Set<string>();
    const isFirst = ({ address }: EndpointState): boolean => seen.size < seen.add(address).size;
    const isKnown = lists.every((list, at) => {
      const before = this.distinct[at] ?? [];
      return rowsThatDiffer(list, before)?.every((row) => list[row]?.address === before[row]?.address) === true;
    });
    return (this.distinct = isKnown ? lists : lists.map((list) => list.filter(isFirst)));
  }

  /** The same hosts in the same order, as nearly every update names them; undefined: it does not. */
  private planInPlace(
    wanted: readonly EndpointsOfLocality[],
    priority: number,
    known: ExistingHosts,
    hosts: readonly Host[] | undefined,
  ): ListPlan | undefined {
    const last = this.last[priority];
    if (hosts === undefined || last?.hosts !== hosts || known.isSearched) return undefined;
    if (this.options.reportsWeigh === true || wanted.length !== last.lists.length) return undefined;
    const others: { readonly host: Host; readonly endpoint: EndpointState }[] = [];
    let first = 0;
    for (const [at, { locality, endpoints }] of wanted.entries()) {
      const rows = rowsThatDiffer(endpoints, last.lists[at] ?? []);
      if (rows === undefined) return undefined;
      for (const row of rows) {
        const endpoint = endpoints[row] as EndpointState;
        const host = hosts[first + row];
        if (host?.address !== endpoint.address || !fits(host, locality, this.checkPortOf(endpoint))) return undefined;
        others.push({ host, endpoint });
      }
      first += endpoints.length;
    }
    known.takeLevel(priority);
    const keepsWeights = others.every(({ host, endpoint }) => host.weight === endpoint.weight);
    let changed = false;
    for (const { host, endpoint } of others) if (this.endpointHosts.update(host, endpoint)) changed = true;
    return { hosts, added: [], changed, keepsWeights, relocated: NO_ADDRESSES };
  }

  private checkPortOf({ healthCheckPort }: EndpointState): CheckPort {
    return this.options.healthChecked === true ? healthCheckPort : ANY_PORT;
  }

  private planList(
    wanted: readonly EndpointsOfLocality[],
    priority: number,
    known: ExistingHosts,
    sockets: ReadonlyMap<EndpointState, string>,
  ): ListPlan {
    const hosts: Host[] = [];
    const added: Host[] = [];
    const relocated = new Set<string>();
    let changed = false;
    for (const { locality, metadata, endpoints } of wanted) {
      // By index: an iterator would allocate an object for each step over a large list.
      for (let at = 0; at < endpoints.length; at++) {
        const endpoint = endpoints[at] as EndpointState;
        const checkPort = this.checkPortOf(endpoint);
        const found =
          known.takeInPlace(endpoint.address, locality, checkPort, priority) ??
          known.take(endpoint.address, locality, checkPort, priority);
        if (found === undefined) {
          const former = known.find(endpoint.address);
          if (former !== undefined && localityKey(former.locality) !== localityKey(locality))
            relocated.add(endpoint.address);
          const socket = sockets.get(endpoint) ?? DEFAULT_MATCH;
          const host = this.endpointHosts.create(endpoint, { locality, metadata }, socket, former);
          this.events.hostAtPriority(host, priority);
          hosts.push(host);
          added.push(host);
          continue;
        }
        if (this.endpointHosts.update(found.host, endpoint)) changed = true;
        hosts.push(found.host);
        if (found.priority !== priority) {
          this.events.hostAtPriority(found.host, priority);
          added.push(found.host);
        }
      }
    }
    return { hosts, added, changed, relocated };
  }

  /** Hosts that discovery no longer names may stay. */
  private get keepsHealthy(): boolean {
    const { healthChecked, drainConnectionsOnHostRemoval } = this.options;
    return healthChecked === true && drainConnectionsOnHostRemoval !== true;
  }

  /**
   * With active health checking, hosts that discovery no longer names stay, after the others, until a check fails them
   * (those that failed already, that discovery called ill, or that are not checked go at once; being ejected as an
   * outlier is no reason). `listed` are those until now, `assigned` and `named` those of this update, in whatever list.
   */
  private keepHealthy<Plan extends ListPlan>(
    plan: Plan,
    listed: readonly Host[],
    assigned: ReadonlySet<Host>,
    named: ReadonlySet<string>,
  ): Plan {
    const fresh = new Set(plan.added.map(({ address }) => address));
    const kept = listed.filter((host) => {
      if (assigned.has(host) || plan.relocated.has(host.address)) return false;
      // It lives on in another level, or as another host there.
      if (named.has(host.address) && !fresh.has(host.address)) return false;
      return (host.flags & ILL) === 0 && host.healthCheckPort !== 'none';
    });
    const dropped = kept.filter((host) => !hasFlags(host, HealthFlag.PENDING_DYNAMIC_REMOVAL));
    for (const host of dropped) host.flags |= HealthFlag.PENDING_DYNAMIC_REMOVAL;
    if (dropped.length > 0) this.events.kept?.(dropped);
    return kept.length === 0 ? plan : { ...plan, hosts: [...plan.hosts, ...kept] };
  }
}
