import type { Struct } from '../core/json.js';
import type { ProxyVersion } from '../core/version.js';
import { isModern } from '../core/version.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';
import type { LevelSnapshot, Member, Place } from './discovery.js';
import { availability } from './discovery.js';

/** Hosts that a policy picks from, as they were when they were handed to the balancer. */
export interface HostGroup {
  readonly members: readonly Member[];
  /** Weights at the delivery: they decide whether a list is scheduled by weight at all. */
  readonly weights: Float64Array;
}

/** The hosts of a priority, or of one locality of it, by what they can be used for. */
export interface Lists {
  readonly all: HostGroup;
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  /** Hosts that no denominator counts. */
  readonly excluded: number;
}

export interface PlaceLists extends Lists {
  readonly place: Place;
}

/** What a level is made of; the lists parallel to `members` are as they were at the delivery. */
interface LevelParts {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  /** The load counts weight instead of hosts. */
  readonly weightedHealth: boolean;
  readonly members: readonly Member[];
  readonly weights: Float64Array;
  /** Bits 1 degraded, 2 unhealthy, 4 excluded. */
  readonly states: Uint8Array;
  readonly metadata: readonly Struct[];
  /** Index into `places`. */
  readonly placeIndex: Int32Array;
  /** The node's own first, where it has hosts. */
  readonly placeOrder: readonly Place[];
  readonly hasLocalPlace: boolean;
  /** Parallel to `places`; undefined: localities have no weights. */
  readonly placeWeights: readonly number[] | undefined;
}

/** One priority as a balancer of one proxy holds it since its last delivery. */
export class LevelView implements Lists {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  readonly hasLocalPlace: boolean;
  readonly placeWeights: readonly number[] | undefined;
  readonly all: HostGroup;
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  readonly excluded: number;
  /** Hosts, healthy, degraded: in hosts, or in weight where health is weighted; excluded hosts taken off the first. */
  readonly measure: { readonly total: number; readonly healthy: number; readonly degraded: number };
  private placeLists: readonly PlaceLists[] | undefined;

  constructor(private readonly parts: LevelParts) {
    const { members, states, weights } = parts;
    this.priority = parts.priority;
    this.overprovisioningFactor = parts.overprovisioningFactor;
    this.hasLocalPlace = parts.hasLocalPlace;
    this.placeWeights = parts.placeWeights;
    const { all, healthy, degraded, excluded } = wholeLists(parts);
    this.all = all;
    this.healthy = healthy;
    this.degraded = degraded;
    this.excluded = excluded;
    const measured = (group: HostGroup): number => (parts.weightedHealth ? sum(group.weights) : group.members.length);
    let left = 0;
    for (let i = 0; i < members.length; i++) {
      if (((states[i] as number) & EXCLUDED) !== 0) left += parts.weightedHealth ? (weights[i] as number) : 1;
    }
    this.measure = { total: measured(this.all) - left, healthy: measured(healthy), degraded: measured(degraded) };
  }

  get placeCount(): number {
    return this.parts.placeOrder.length;
  }

  /** Lists by locality, made when they are first asked for: without zones and locality weights nobody does. */
  get places(): readonly PlaceLists[] {
    const { parts } = this;
    if (this.placeLists === undefined) {
      const indices = parts.placeOrder.map((): number[] => []);
      parts.placeIndex.forEach((place, i) => indices[place]?.push(i));
      this.placeLists = parts.placeOrder.map((place, index) => ({ ...partLists(parts, indices[index] ?? []), place }));
    }
    return this.placeLists;
  }

  get metadata(): readonly Struct[] {
    return this.parts.metadata;
  }

  /** The hosts that `keep` keeps. All localities stay, in their order, even where nobody is left. */
  filter(
    keep: (metadata: Struct) => boolean,
    placeWeights: (counts: readonly number[]) => readonly number[] | undefined,
  ): LevelView {
    const { parts } = this;
    const kept: number[] = [];
    for (let i = 0; i < parts.metadata.length; i++) if (keep(parts.metadata[i] as Struct)) kept.push(i);
    const counts = parts.placeOrder.map(() => 0);
    for (const i of kept) {
      const place = parts.placeIndex[i] as number;
      counts[place] = (counts[place] as number) + 1;
    }
    return new LevelView({
      ...parts,
      members: kept.map((i) => parts.members[i] as Member),
      weights: Float64Array.from(kept, (i) => parts.weights[i] as number),
      states: Uint8Array.from(kept, (i) => parts.states[i] as number),
      metadata: kept.map((i) => parts.metadata[i] as Struct),
      placeIndex: Int32Array.from(kept, (i) => parts.placeIndex[i] as number),
      placeWeights: placeWeights(counts),
    });
  }
}

const EXCLUDED = 4;

/** How a proxy of this version and place sees a snapshot at the moment it is delivered. */
export function viewLevel(
  snapshot: LevelSnapshot,
  version: ProxyVersion,
  nodeLocality: Locality | undefined,
): LevelView {
  const { members, statuses, places } = snapshot;
  const local = nodeLocality === undefined ? -1 : places.findIndex((place) => place.key === localityKey(nodeLocality));
  const ordered =
    local <= 0 ? places : [...places.filter((_, i) => i === local), ...places.filter((_, i) => i !== local)];
  const states = new Uint8Array(members.length);
  const weights = new Float64Array(members.length);
  const metadata = members.map((member) => member.metadata);
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    const status = statuses[i] as HealthStatus;
    weights[i] = member.weight;
    // Draining was one way of being unhealthy; the modern proxy also leaves such hosts out of every denominator.
    states[i] = availability(status) | (status === 'DRAINING' && isModern(version) ? EXCLUDED : 0);
  }
  const { placeWeights } = snapshot;
  return new LevelView({
    priority: snapshot.priority,
    overprovisioningFactor: snapshot.overprovisioningFactor,
    weightedHealth: snapshot.weightedPriorityHealth && isModern(version),
    members,
    weights,
    states,
    metadata,
    placeIndex:
      local <= 0
        ? snapshot.placeOf
        : snapshot.placeOf.map((place) => (place > local ? place : place === local ? 0 : place + 1)),
    placeOrder: ordered,
    hasLocalPlace: local >= 0,
    placeWeights: placeWeights === undefined ? undefined : ordered.map((place) => placeWeights.get(place.id) ?? 0),
  });
}

/** The lists of a whole level. */
function wholeLists({ members, weights, states }: LevelParts): Lists {
  const all = { members, weights };
  return listsOf(all, (i) => states[i] as number);
}

/** The lists of the hosts at `indices`. */
function partLists({ members, weights, states }: LevelParts, indices: readonly number[]): Lists {
  const all = {
    members: indices.map((i) => members[i] as Member),
    weights: Float64Array.from(indices, (i) => weights[i] as number),
  };
  return listsOf(all, (i) => states[indices[i] as number] as number);
}

function listsOf(all: HostGroup, stateOf: (index: number) => number): Lists {
  const healthy = new Collector(all);
  const degraded = new Collector(all);
  let excluded = 0;
  for (let i = 0; i < all.members.length; i++) {
    const state = stateOf(i);
    if ((state & 3) === 0) healthy.add(i);
    else if ((state & 3) === 1) degraded.add(i);
    if ((state & EXCLUDED) !== 0) excluded++;
  }
  return { all, healthy: healthy.group(), degraded: degraded.group(), excluded };
}

/** Takes hosts out of a list. */
class Collector {
  private readonly members: Member[] = [];
  private readonly weights: Float64Array;

  constructor(private readonly from: HostGroup) {
    this.weights = new Float64Array(from.members.length);
  }

  add(index: number): void {
    this.weights[this.members.length] = this.from.weights[index] as number;
    this.members.push(this.from.members[index] as Member);
  }

  group(): HostGroup {
    const { members, from } = this;
    if (members.length === from.members.length) return from;
    return { members, weights: this.weights.slice(0, members.length) };
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
