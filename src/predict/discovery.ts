import type { Cluster, ClusterLoadAssignment } from '../config/types.js';
import { metadataEntry } from '../config/core.js';
import { sameJson } from '../core/json.js';
import type { Struct } from '../core/json.js';
import type { Micros } from '../core/units.js';
import type { Action, Selector } from '../scenario/model.js';
import { LB_NAMESPACE } from '../scenario/metadata.js';
import type { LevelSnapshot } from './level-snapshot.js';
import { snapshotAfter, snapshotOf } from './level-snapshot.js';
import type { Member, Place, Row } from './member.js';
import { availability } from './member.js';
import type { Mention } from './mentions.js';
import { Mentions } from './mentions.js';

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
  /** The health of members changed since this was last cleared. */
  healthTouched = false;
  /** How long what discovery says holds. */
  staleAfterUs: Micros = Infinity;
  /** Grows when weights change. */
  weightsVersion = 0;
  /** Grows when hosts come, go or change their metadata. */
  membersVersion = 0;
  private readonly said: Mentions;
  /** By place, for each priority, and address. */
  private readonly rowOfAddress: Map<Place, Map<string, Row>>[] = [];
  private readonly changedMentions = new Set<Mention>();
  private membershipChanged = false;
  /** How often membership changed. */
  private memberships = 0;
  /** Since the last snapshot of their level. */
  private readonly changedMembers = new Set<Member>();

  constructor(
    private readonly cluster: Cluster,
    private readonly localityWeighted: boolean,
    /** It is the proxies' own cluster, which may use priority 0 only: an assignment beyond it is rejected whole. */
    private readonly isLocalCluster: boolean,
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
    this.staleAfterUs = assignment.policy?.endpointStaleAfter ?? Infinity;
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

  /** What discovery says now mentions a priority beyond 0. */
  get isBeyondPriority0(): boolean {
    return this.said.groups.some(({ priority }) => priority > 0);
  }

  /** The proxies take nothing of what discovery says now. */
  get isRejected(): boolean {
    return this.isLocalCluster && this.isBeyondPriority0;
  }

  /**
   * Works out what the actions since the last call changed for the main thread; its lists are new afterwards. What is
   * rejected changes nothing, and is part of the next update.
   */
  commit(): LevelChange[] {
    if (this.isRejected) return [];
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
    for (const mention of this.changedMentions) {
      const { member } = mention;
      if (member !== undefined && this.update(member, mention)) changed.add(member.row.priority);
    }
    return [...changed]
      .sort((a, b) => a - b)
      .map((priority) => {
        const before = this.levels[priority];
        if (before !== undefined) this.levels[priority] = snapshotAfter(before, this.takeChanged(before));
        return { priority, moved: false };
      });
  }

  /** Members of a level that changed since its last snapshot, which knows them from now on. */
  private takeChanged({ members }: LevelSnapshot): Member[] {
    const taken = [...this.changedMembers].filter((member) => members[member.position] === member);
    for (const member of taken) this.changedMembers.delete(member);
    return taken;
  }

  private commitMembership(): LevelChange[] {
    const wanted = this.wantedLevels();
    this.memberships++;
    const orphans = this.orphansOf(wanted);
    const changes: LevelChange[] = [];
    for (const [priority, { mentions, placeWeights }] of wanted.entries()) {
      const before = this.levels[priority];
      let changed = false;
      let added = false;
      const members: Member[] = [];
      for (const mention of mentions) {
        let { member } = mention;
        if (member !== undefined) {
          if (this.changedMentions.has(mention) && this.update(member, mention)) changed = true;
          members.push(member);
          continue;
        }
        member = take(orphans.get(memberKey(mention)), priority);
        if (member === undefined) {
          added = true;
          member = this.create(mention);
        } else {
          if (this.update(member, mention)) changed = true;
          if (member.row.priority !== priority) {
            // Lists that were handed out still know it by its old row.
            added = true;
            member = { ...member, row: this.rowOf(mention) };
          }
        }
        member.lastListed = this.memberships;
        mention.member = member;
        members.push(member);
      }
      const removed = before?.members.some(({ lastListed }) => lastListed !== this.memberships) ?? false;
      const weights = this.localityWeighted ? placeWeights : undefined;
      const { overprovisioningFactor, weightedPriorityHealth } = this.said;
      const samePolicy =
        before?.overprovisioningFactor === overprovisioningFactor &&
        before.weightedPriorityHealth === weightedPriorityHealth;
      const moved = added || removed;
      if (moved) this.membersVersion++;
      if (!moved && !changed && sameMaps(before?.placeWeights, weights) && (samePolicy || members.length === 0))
        continue;
      const head = { priority, overprovisioningFactor, weightedPriorityHealth, placeWeights: weights };
      this.levels[priority] = snapshotOf(head, members);
      for (const member of this.changedMembers)
        if (members[member.position] === member) this.changedMembers.delete(member);
      changes.push({ priority, moved });
    }
    return changes;
  }

  /** Members whose mention is gone, by what a new one can know them by. Those that are mentioned as before are listed. */
  private orphansOf(wanted: readonly WantedLevel[]): ReadonlyMap<string, Member[]> {
    let strangers = 0;
    for (const { mentions } of wanted) {
      for (const { member } of mentions) {
        if (member === undefined) strangers++;
        else member.lastListed = this.memberships;
      }
    }
    const orphans = new Map<string, Member[]>();
    if (strangers === 0) return orphans;
    for (const level of this.levels) {
      for (const member of level?.members ?? []) {
        if (member.lastListed === this.memberships) continue;
        const key = memberKey({ address: member.row.address, place: member.place });
        const list = orphans.get(key);
        if (list === undefined) orphans.set(key, [member]);
        else list.push(member);
      }
    }
    return orphans;
  }

  /** Every priority up to the last that was ever mentioned; discovery of endpoints keeps an address's first mention. */
  private wantedLevels(): WantedLevel[] {
    const { groups, addressCount } = this.said;
    const last = groups.reduce((max, group) => Math.max(max, group.priority), this.levels.length - 1);
    const wanted = Array.from({ length: last + 1 }, () => ({
      mentions: [] as Mention[],
      placeWeights: new Map<number, number>(),
    }));
    const known = this.cluster.type === 'EDS' ? new Uint8Array(addressCount) : undefined;
    for (const { priority, place, placed, weight, mentions } of groups) {
      const level = wanted[priority];
      if (level === undefined) continue;
      if (placed && weight !== undefined) level.placeWeights.set(place.id, weight);
      for (const mention of mentions) {
        if (known?.[mention.addressNumber] === 1) {
          mention.member = undefined;
          continue;
        }
        if (known !== undefined) known[mention.addressNumber] = 1;
        level.mentions.push(mention);
      }
    }
    return wanted;
  }

  private create(mention: Mention): Member {
    const row = this.rowOf(mention);
    const { place, weight, status, metadata } = mention;
    const active = this.activeOf(row, metadata);
    return { row, place, weight, status, metadata, active, position: 0, lastListed: this.memberships };
  }

  /** True where the member's lists have to be made anew: between two kinds of unhealthy there is no difference. */
  private update(member: Member, { weight, status, metadata }: Mention): boolean {
    const sameWeight = member.weight === weight;
    const sameMetadata = sameJson(member.metadata, metadata);
    const changed = !sameWeight || !sameMetadata || availability(member.status) !== availability(status);
    if (!sameWeight) this.weightsVersion++;
    if (!sameMetadata) this.membersVersion++;
    if (!sameWeight || !sameMetadata) this.membersTouched = true;
    member.weight = weight;
    if (!sameMetadata) member.metadata = metadata;
    if (member.status !== status) this.healthTouched = true;
    if (changed || member.status !== status) this.changedMembers.add(member);
    member.status = status;
    return changed;
  }

  private rowOf({ address, hostname, priority, place }: Mention): Row {
    const byPlace = (this.rowOfAddress[priority] ??= new Map<Place, Map<string, Row>>());
    let known = byPlace.get(place);
    if (known === undefined) byPlace.set(place, (known = new Map<string, Row>()));
    let row = known.get(address);
    if (row === undefined) {
      row = { index: this.rows.length, address, hostname, priority, locality: place.locality };
      this.rows.push(row);
      known.set(address, row);
    }
    return row;
  }
}

interface WantedLevel {
  readonly mentions: readonly Mention[];
  readonly placeWeights: ReadonlyMap<number, number>;
}

function memberKey({ address, place }: Pick<Mention, 'address' | 'place'>): string {
  return `${address}\u0000${place.id}`;
}

/** The first of that priority, else the first. */
function take(list: Member[] | undefined, priority: number): Member | undefined {
  if (list === undefined) return undefined;
  const same = list.findIndex((member) => member.row.priority === priority);
  return list.splice(Math.max(same, 0), 1)[0];
}

const NO_WEIGHTS: ReadonlyMap<number, number> = new Map();

/** A level that is only now heard of had no weights. */
function sameMaps(a = NO_WEIGHTS, b = NO_WEIGHTS): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
