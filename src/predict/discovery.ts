import { addressText } from '../config/address.js';
import { metadataEntry } from '../config/core.js';
import type { Cluster, ClusterLoadAssignment, LbEndpoint } from '../config/types.js';
import { compareBytes } from '../core/byte-order.js';
import { sameJson } from '../core/json.js';
import type { Struct } from '../core/json.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { localityKey, NOWHERE } from '../host/host.js';
import type { Action, Selector } from '../scenario/model.js';
import { LB_NAMESPACE } from '../scenario/metadata.js';
import { hostPredicate } from '../scenario/selector.js';

/** One (priority, locality, address): what a report has one line for. */
export interface Row {
  readonly index: number;
  readonly address: string;
  readonly hostname: string;
  readonly priority: number;
  readonly locality: Locality;
}

/** A host as every proxy knows it. Its weight and metadata are seen at once, its place in lists only at deliveries. */
export interface Member {
  readonly row: Row;
  readonly place: Place;
  weight: number;
  status: HealthStatus;
  metadata: Struct;
  /** Requests that are open from the start and never end. */
  active: number;
}

/** A locality, numbered. */
export interface Place {
  readonly id: number;
  readonly key: string;
  readonly locality: Locality;
}

/** One mention of an endpoint in what discovery says now. */
interface Mention {
  readonly address: string;
  readonly hostname: string;
  weight: number;
  status: HealthStatus;
  metadata: Struct;
  /** undefined: an address that an earlier mention already took. */
  member: Member | undefined;
}

interface MentionGroup {
  readonly priority: number;
  readonly place: Place;
  /** Only an entry with a `locality` message has a weight that counts. */
  readonly placed: boolean;
  readonly weight: number | undefined;
  mentions: Mention[];
}

/** The hosts of one priority as the main thread of a proxy lists them since its last rebuild. */
export interface LevelSnapshot {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  readonly members: readonly Member[];
  /** Parallel to `members`. */
  readonly statuses: readonly HealthStatus[];
  /** Localities in order of (region, zone, sub_zone); only those with hosts. */
  readonly places: readonly Place[];
  /** Parallel to `members`: index into `places`. */
  readonly placeOf: Int32Array;
  /** By place id; undefined unless localities are weighted. */
  readonly placeWeights: ReadonlyMap<number, number> | undefined;
}

/** What one update of a cluster changed. */
export interface LevelChange {
  readonly priority: number;
  /** Somebody was added or removed. */
  readonly moved: boolean;
}

/**
 * What discovery says of one cluster over time, and the lists that follow from it. All proxies hear it at once, so there
 * is one of these for all of them; when their balancers hear it is another matter.
 */
export class Discovery {
  readonly rows: Row[] = [];
  readonly levels: (LevelSnapshot | undefined)[] = [];
  private groups: MentionGroup[] = [];
  private overprovisioningFactor = 140;
  private weightedPriorityHealth = false;
  private readonly rowOfKey = new Map<string, Row>();
  private readonly places = new Map<string, Place>();
  private readonly changedMentions = new Set<Mention>();
  private membershipChanged = false;
  /** Weights or metadata of members changed since this was last cleared. */
  membersTouched = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly localityWeighted: boolean,
    private readonly activeOf: (row: Row, metadata: Struct) => number,
  ) {}

  get name(): string {
    return this.cluster.name;
  }

  /** Every member of every priority. */
  forEachMember(visit: (member: Member) => void): void {
    for (const level of this.levels) level?.members.forEach(visit);
  }

  /** A whole assignment replaces what was known. */
  assign(assignment: ClusterLoadAssignment): void {
    const { policy } = assignment;
    this.overprovisioningFactor = policy?.overprovisioningFactor ?? 140;
    this.weightedPriorityHealth = policy?.weightedPriorityHealth ?? false;
    this.groups = assignment.endpoints.map((group) => ({
      priority: group.priority,
      place: this.placeOf(group.locality ?? NOWHERE),
      placed: group.locality !== undefined,
      weight: group.loadBalancingWeight,
      mentions: group.lbEndpoints.map(mention),
    }));
    this.membershipChanged = true;
  }

  /**
   * Takes in one discovery action of the timeline.
   *
   * @returns whether it concerns this cluster.
   */
  act(action: Action): boolean {
    switch (action.kind) {
      case 'set_health':
        return this.edit(action.hosts, (endpoint) => (endpoint.status = action.status));
      case 'set_weight':
        return this.edit(action.hosts, (endpoint) => (endpoint.weight = action.weight));
      case 'set_metadata': {
        const metadata = metadataEntry({ filterMetadata: action.metadata }, LB_NAMESPACE);
        return this.edit(action.hosts, (endpoint) => (endpoint.metadata = metadata));
      }
      case 'remove_hosts':
        return this.remove(action.hosts);
      case 'add_hosts':
        if (action.cluster !== this.name) return false;
        this.add(action.priority, action.locality, action.endpoints);
        return true;
      case 'assign': {
        const wanted = this.cluster.edsClusterConfig?.serviceName ?? '';
        if (action.assignment.clusterName !== (wanted === '' ? this.name : wanted)) return false;
        this.assign(action.assignment);
        return true;
      }
      case 'dns':
      case 'update_cluster':
      case 'remove_cluster':
      case 'set_behavior':
      case 'set_rate':
      case 'set_runtime':
      case 'note':
        return false;
    }
  }

  /** Works out what the actions since the last call changed for the main thread; its lists are new afterwards. */
  commit(): LevelChange[] {
    const changes = this.membershipChanged ? this.commitMembership() : this.commitMentions();
    this.membershipChanged = false;
    this.changedMentions.clear();
    return changes;
  }

  private edit(selector: Selector, change: (mention: Mention) => unknown): boolean {
    let found = false;
    this.select(selector, (endpoint) => {
      found = true;
      change(endpoint);
      this.changedMentions.add(endpoint);
    });
    return found;
  }

  private remove(selector: Selector): boolean {
    const gone = new Set<Mention>();
    this.select(selector, (endpoint) => gone.add(endpoint));
    if (gone.size === 0) return false;
    for (const group of this.groups) group.mentions = group.mentions.filter((endpoint) => !gone.has(endpoint));
    this.membershipChanged = true;
    return true;
  }

  private add(priority: number, locality: Locality | undefined, endpoints: readonly LbEndpoint[]): void {
    const place = this.placeOf(locality ?? NOWHERE);
    const mentions = endpoints.map(mention);
    const group = this.groups.find((known) => known.priority === priority && known.place === place);
    if (group === undefined) {
      this.groups.push({ priority, place, placed: locality !== undefined, weight: undefined, mentions });
    } else {
      group.mentions.push(...mentions);
    }
    this.membershipChanged = true;
  }

  private select(selector: Selector, visit: (endpoint: Mention) => void): void {
    const means = hostPredicate(selector);
    const cluster = this.name;
    for (const { priority, place, mentions } of this.groups) {
      const { locality } = place;
      for (const endpoint of mentions) {
        const { address, hostname, metadata } = endpoint;
        if (means({ address, hostname, cluster, priority, locality, metadata })) visit(endpoint);
      }
    }
  }

  /** Nobody came or went: only the levels of changed endpoints can need new lists. */
  private commitMentions(): LevelChange[] {
    const changed = new Set<number>();
    for (const endpoint of this.changedMentions) {
      const { member } = endpoint;
      if (member !== undefined && this.update(member, endpoint)) changed.add(member.row.priority);
    }
    return [...changed]
      .sort((a, b) => a - b)
      .map((priority) => {
        const before = this.levels[priority];
        if (before !== undefined) {
          const statuses = before.members.map((member) => member.status);
          this.levels[priority] = { ...before, statuses };
        }
        return { priority, moved: false };
      });
  }

  private commitMembership(): LevelChange[] {
    const wanted = this.wantedLevels();
    const known = new Map<string, Member[]>();
    for (const level of this.levels) {
      for (const member of level?.members ?? []) {
        const key = memberKey(member.row.address, member.place);
        const list = known.get(key);
        if (list === undefined) known.set(key, [member]);
        else list.push(member);
      }
    }
    const plans = wanted.map((level, priority) => {
      let changed = false;
      let added = false;
      const members = level.mentions.map(({ endpoint, place }) => {
        const member = take(known.get(memberKey(endpoint.address, place)), priority);
        if (member === undefined) {
          added = true;
          return (endpoint.member = this.create(endpoint, priority, place));
        }
        if (this.update(member, endpoint)) changed = true;
        if (member.row.priority === priority) return (endpoint.member = member);
        // Lists that were handed out still know it by its old row.
        added = true;
        return (endpoint.member = { ...member, row: this.rowOf(endpoint, priority, place) });
      });
      return { members, changed, added };
    });
    const changes: LevelChange[] = [];
    for (const [priority, { members, changed, added }] of plans.entries()) {
      const before = this.levels[priority];
      const kept = new Set(members);
      const removed = (before?.members ?? []).some((member) => !kept.has(member));
      const placeWeights = this.localityWeighted ? wanted[priority]?.placeWeights : undefined;
      const sameWeights = sameMaps(before?.placeWeights, placeWeights);
      const samePolicy =
        before !== undefined &&
        before.overprovisioningFactor === this.overprovisioningFactor &&
        before.weightedPriorityHealth === this.weightedPriorityHealth;
      const moved = added || removed;
      if (!moved && !changed && sameWeights && (samePolicy || members.length === 0)) continue;
      this.levels[priority] = this.snapshot(priority, members, placeWeights);
      changes.push({ priority, moved });
    }
    return changes;
  }

  private snapshot(
    priority: number,
    members: readonly Member[],
    placeWeights: ReadonlyMap<number, number> | undefined,
  ): LevelSnapshot {
    const places = [...new Set(members.map((member) => member.place))].sort((a, b) => comparePlaces(a, b));
    const indexOf = new Map(places.map((place, index) => [place, index]));
    return {
      priority,
      overprovisioningFactor: this.overprovisioningFactor,
      weightedPriorityHealth: this.weightedPriorityHealth,
      members,
      statuses: members.map((member) => member.status),
      places,
      placeOf: Int32Array.from(members, (member) => indexOf.get(member.place) ?? 0),
      placeWeights,
    };
  }

  /** Every priority up to the last that was ever mentioned; discovery of endpoints keeps an address's first mention. */
  private wantedLevels(): { mentions: { endpoint: Mention; place: Place }[]; placeWeights: Map<number, number> }[] {
    const last = this.groups.reduce((max, group) => Math.max(max, group.priority), this.levels.length - 1);
    const wanted = Array.from({ length: last + 1 }, () => ({
      mentions: [] as { endpoint: Mention; place: Place }[],
      placeWeights: new Map<number, number>(),
    }));
    const unique = this.cluster.type === 'EDS' ? new Set<string>() : undefined;
    for (const { priority, place, placed, weight, mentions } of this.groups) {
      const level = wanted[priority];
      if (level === undefined) continue;
      if (placed && weight !== undefined) level.placeWeights.set(place.id, weight);
      for (const endpoint of mentions) {
        if (unique?.has(endpoint.address) === true) {
          endpoint.member = undefined;
          continue;
        }
        unique?.add(endpoint.address);
        level.mentions.push({ endpoint, place });
      }
    }
    return wanted;
  }

  private create(endpoint: Mention, priority: number, place: Place): Member {
    const row = this.rowOf(endpoint, priority, place);
    const { weight, status, metadata } = endpoint;
    return { row, place, weight, status, metadata, active: this.activeOf(row, metadata) };
  }

  /** True where the member's lists have to be made anew: between two kinds of unhealthy there is no difference. */
  private update(member: Member, endpoint: Mention): boolean {
    const { weight, status, metadata } = endpoint;
    const touched = member.weight !== weight || !sameJson(member.metadata, metadata);
    const changed = touched || availability(member.status) !== availability(status);
    if (touched) this.membersTouched = true;
    member.weight = weight;
    member.metadata = metadata;
    member.status = status;
    return changed;
  }

  private rowOf(endpoint: Mention, priority: number, place: Place): Row {
    const key = `${priority}\u0000${endpoint.address}\u0000${place.id}`;
    let row = this.rowOfKey.get(key);
    if (row === undefined) {
      const { address, hostname } = endpoint;
      row = { index: this.rows.length, address, hostname, priority, locality: place.locality };
      this.rows.push(row);
      this.rowOfKey.set(key, row);
    }
    return row;
  }

  private placeOf(locality: Locality): Place {
    const key = localityKey(locality);
    let place = this.places.get(key);
    if (place === undefined) {
      place = { id: this.places.size, key, locality };
      this.places.set(key, place);
    }
    return place;
  }
}

/** 0 healthy, 1 degraded, 2 unhealthy: what an endpoint's status in discovery makes of it. */
export function availability(status: HealthStatus): 0 | 1 | 2 {
  switch (status) {
    case 'UNKNOWN':
    case 'HEALTHY':
      return 0;
    case 'DEGRADED':
      return 1;
    case 'UNHEALTHY':
    case 'DRAINING':
    case 'TIMEOUT':
      return 2;
  }
}

function mention(endpoint: LbEndpoint): Mention {
  const { address } = endpoint.endpoint;
  return {
    address: addressText(address),
    hostname: endpoint.endpoint.hostname,
    weight: endpoint.loadBalancingWeight ?? 1,
    status: endpoint.healthStatus,
    metadata: metadataEntry(endpoint.metadata, LB_NAMESPACE),
    member: undefined,
  };
}

function memberKey(address: string, place: Place): string {
  return `${address}\u0000${place.id}`;
}

/** The first of that priority, else the first. */
function take(list: Member[] | undefined, priority: number): Member | undefined {
  if (list === undefined) return undefined;
  const same = list.findIndex((member) => member.row.priority === priority);
  return list.splice(Math.max(same, 0), 1)[0];
}

function comparePlaces({ locality: a }: Place, { locality: b }: Place): number {
  return compareBytes(a.region, b.region) || compareBytes(a.zone, b.zone) || compareBytes(a.subZone, b.subZone);
}

const NO_WEIGHTS: ReadonlyMap<number, number> = new Map();

/** A level that is only now heard of had no weights. */
function sameMaps(a = NO_WEIGHTS, b = NO_WEIGHTS): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
