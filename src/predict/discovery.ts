import type { Cluster, ClusterLoadAssignment } from '../config/types.js';
import { compareBytes } from '../core/byte-order.js';
import { metadataEntry } from '../config/core.js';
import { sameJson } from '../core/json.js';
import type { Struct } from '../core/json.js';
import type { HealthStatus, Locality } from '../host/host.js';
import type { Action, Selector } from '../scenario/model.js';
import { LB_NAMESPACE } from '../scenario/metadata.js';
import type { Mention, Place } from './mentions.js';
import { Mentions } from './mentions.js';

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
  /** Where it stands in the last snapshot of its level. */
  position: number;
}

/** Bits of a host's state. Neither of the first two: healthy. */
export const DEGRADED = 1;
export const UNHEALTHY = 2;
export const DRAINING = 4;

/**
 * The hosts of one priority as the main thread of a proxy lists them since its last rebuild, in columns. A column is never
 * written to once it is part of a snapshot: the same column is the same values.
 */
export interface LevelSnapshot {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  readonly members: readonly Member[];
  /** Row of each member. */
  readonly rows: Uint32Array;
  /** Two members have one row: the same address twice in one locality. */
  readonly sharesRows: boolean;
  /** 0, 1, 2 … */
  readonly everybody: Uint32Array;
  /** {@link DEGRADED}, {@link UNHEALTHY}, {@link DRAINING}. */
  readonly states: Uint8Array;
  readonly weights: Float64Array;
  /** All weights are the same. */
  readonly evenWeights: boolean;
  readonly metadata: readonly Struct[];
  /** Localities in order of (region, zone, sub_zone); only those with hosts. */
  readonly places: readonly Place[];
  /** Index into `places`. */
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
  /** Weights or metadata of members changed since this was last cleared. */
  membersTouched = false;
  /** Grows when weights change. */
  weightsVersion = 0;
  /** Grows when hosts come, go or change their metadata. */
  membersVersion = 0;
  private readonly said: Mentions;
  private readonly rowOfKey = new Map<string, Row>();
  private memberOf = new Map<Mention, Member>();
  private readonly changedMentions = new Set<Mention>();
  private membershipChanged = false;
  /** Since the last snapshot of their level, with their positions in it. */
  private readonly changedMembers = new Map<Member, number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly localityWeighted: boolean,
    private readonly activeOf: (row: Row, metadata: Struct) => number,
  ) {
    this.said = new Mentions(cluster.name);
  }

  /** Every member of every priority. */
  forEachMember(visit: (member: Member) => void): void {
    for (const level of this.levels) level?.members.forEach(visit);
  }

  /** A whole assignment replaces what was known. */
  assign(assignment: ClusterLoadAssignment): void {
    this.said.assign(assignment);
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
        if (!this.said.remove(action.hosts)) return false;
        this.membershipChanged = true;
        return true;
      case 'add_hosts':
        if (action.cluster !== this.cluster.name) return false;
        this.said.add(action.priority, action.locality, action.endpoints);
        this.membershipChanged = true;
        return true;
      case 'assign': {
        const wanted = this.cluster.edsClusterConfig?.serviceName ?? '';
        if (action.assignment.clusterName !== (wanted === '' ? this.cluster.name : wanted)) return false;
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
    const found = this.said.select(selector);
    for (const endpoint of found) {
      change(endpoint);
      this.changedMentions.add(endpoint);
    }
    return found.length > 0;
  }

  /** Nobody came or went: only the levels of changed endpoints can need new lists. */
  private commitMentions(): LevelChange[] {
    const changed = new Set<number>();
    for (const endpoint of this.changedMentions) {
      const member = this.memberOf.get(endpoint);
      if (member !== undefined && this.update(member, endpoint)) changed.add(member.row.priority);
    }
    return [...changed]
      .sort((a, b) => a - b)
      .map((priority) => {
        const before = this.levels[priority];
        if (before !== undefined) this.levels[priority] = { ...before, ...this.columnsAfter(before) };
        return { priority, moved: false };
      });
  }

  /** Looks at those members only that changed since the level's last snapshot. */
  private columnsAfter(before: LevelSnapshot): LevelColumns {
    const states = before.states.slice();
    let { weights } = before;
    let metadata: Struct[] | undefined;
    for (const [member, position] of this.changedMembers) {
      if (before.members[position] !== member) continue;
      this.changedMembers.delete(member);
      states[position] = stateOf(member.status);
      if (member.weight !== weights[position]) {
        if (weights === before.weights) weights = before.weights.slice();
        weights[position] = member.weight;
      }
      if (member.metadata !== before.metadata[position]) {
        metadata ??= [...before.metadata];
        metadata[position] = member.metadata;
      }
    }
    const evenWeights = weights === before.weights ? before.evenWeights : isEven(weights);
    return { states, weights, evenWeights, metadata: metadata ?? before.metadata };
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
    const memberOf = new Map<Mention, Member>();
    const plans = wanted.map((level, priority) => {
      let changed = false;
      let added = false;
      const members = level.mentions.map(({ endpoint, place }) => {
        let member = take(known.get(memberKey(endpoint.address, place)), priority);
        if (member === undefined) {
          added = true;
          member = this.create(endpoint, priority, place);
        } else {
          if (this.update(member, endpoint)) changed = true;
          if (member.row.priority !== priority) {
            // Lists that were handed out still know it by its old row.
            added = true;
            member = { ...member, row: this.rowOf(endpoint, priority, place) };
          }
        }
        memberOf.set(endpoint, member);
        return member;
      });
      return { members, changed, added };
    });
    this.memberOf = memberOf;
    const changes: LevelChange[] = [];
    for (const [priority, { members, changed, added }] of plans.entries()) {
      const before = this.levels[priority];
      const kept = new Set(members);
      const removed = (before?.members ?? []).some((member) => !kept.has(member));
      const placeWeights = this.localityWeighted ? wanted[priority]?.placeWeights : undefined;
      const sameWeights = sameMaps(before?.placeWeights, placeWeights);
      const { overprovisioningFactor, weightedPriorityHealth } = this.said;
      const samePolicy =
        before?.overprovisioningFactor === overprovisioningFactor &&
        before.weightedPriorityHealth === weightedPriorityHealth;
      const moved = added || removed;
      if (moved) this.membersVersion++;
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
    const { overprovisioningFactor, weightedPriorityHealth } = this.said;
    const rows = Uint32Array.from(members, ({ row }) => row.index);
    members.forEach((member, position) => {
      member.position = position;
      this.changedMembers.delete(member);
    });
    return {
      priority,
      overprovisioningFactor,
      weightedPriorityHealth,
      members,
      rows,
      sharesRows: new Set(rows).size < rows.length,
      everybody: Uint32Array.from(members.keys()),
      places,
      placeOf: Int32Array.from(members, (member) => indexOf.get(member.place) ?? 0),
      placeWeights,
      ...columnsOf(members),
    };
  }

  /** Every priority up to the last that was ever mentioned; discovery of endpoints keeps an address's first mention. */
  private wantedLevels(): { mentions: { endpoint: Mention; place: Place }[]; placeWeights: Map<number, number> }[] {
    const { groups } = this.said;
    const last = groups.reduce((max, group) => Math.max(max, group.priority), this.levels.length - 1);
    const wanted = Array.from({ length: last + 1 }, () => ({
      mentions: [] as { endpoint: Mention; place: Place }[],
      placeWeights: new Map<number, number>(),
    }));
    const unique = this.cluster.type === 'EDS' ? new Set<string>() : undefined;
    for (const { priority, place, placed, weight, mentions } of groups) {
      const level = wanted[priority];
      if (level === undefined) continue;
      if (placed && weight !== undefined) level.placeWeights.set(place.id, weight);
      for (const endpoint of mentions) {
        if (unique?.has(endpoint.address) === true) continue;
        unique?.add(endpoint.address);
        level.mentions.push({ endpoint, place });
      }
    }
    return wanted;
  }

  private create(endpoint: Mention, priority: number, place: Place): Member {
    const row = this.rowOf(endpoint, priority, place);
    const { weight, status, metadata } = endpoint;
    return { row, place, weight, status, metadata, active: this.activeOf(row, metadata), position: 0 };
  }

  /** True where the member's lists have to be made anew: between two kinds of unhealthy there is no difference. */
  private update(member: Member, endpoint: Mention): boolean {
    const { weight, status, metadata } = endpoint;
    const sameWeight = member.weight === weight;
    const sameMetadata = sameJson(member.metadata, metadata);
    const changed = !sameWeight || !sameMetadata || availability(member.status) !== availability(status);
    if (!sameWeight) this.weightsVersion++;
    if (!sameMetadata) this.membersVersion++;
    if (!sameWeight || !sameMetadata) this.membersTouched = true;
    member.weight = weight;
    if (!sameMetadata) member.metadata = metadata;
    if (changed || member.status !== status) this.changedMembers.set(member, member.position);
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
}

/** 0 healthy, 1 degraded, 2 unhealthy: what an endpoint's status in discovery makes of it. */
export function availability(status: HealthStatus): 0 | 1 | 2 {
  switch (status) {
    case 'UNKNOWN':
    case 'HEALTHY':
      return 0;
    case 'DEGRADED':
      return DEGRADED;
    case 'UNHEALTHY':
    case 'DRAINING':
    case 'TIMEOUT':
      return UNHEALTHY;
  }
}

function stateOf(status: HealthStatus): number {
  return status === 'DRAINING' ? UNHEALTHY | DRAINING : availability(status);
}

type LevelColumns = Pick<LevelSnapshot, 'states' | 'weights' | 'evenWeights' | 'metadata'>;

/** What members are now. */
function columnsOf(members: readonly Member[]): LevelColumns {
  const weights = Float64Array.from(members, ({ weight }) => weight);
  return {
    states: Uint8Array.from(members, ({ status }) => stateOf(status)),
    weights,
    evenWeights: isEven(weights),
    metadata: members.map(({ metadata }) => metadata),
  };
}

function isEven(weights: Float64Array): boolean {
  const first = weights[0];
  return weights.every((weight) => weight === first);
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
