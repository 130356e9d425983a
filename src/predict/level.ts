import type { Struct } from '../core/json.js';
import type { ProxyVersion } from '../core/version.js';
import { isModern } from '../core/version.js';
import type { Locality } from '../host/host.js';
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

/** One priority as a balancer of one proxy holds it since its last delivery. */
export interface LevelView extends Lists {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  /** The load counts weight instead of hosts. */
  readonly weightedHealth: boolean;
  /** Hosts, healthy, degraded: in hosts, or in weight where health is weighted; excluded hosts taken off the first. */
  readonly measure: { readonly total: number; readonly healthy: number; readonly degraded: number };
  /** The node's own first, where it has hosts. */
  readonly places: readonly PlaceLists[];
  readonly hasLocalPlace: boolean;
  /** Parallel to `places`; undefined: localities have no weights. */
  readonly placeWeights: readonly number[] | undefined;
  /** Parallel to `all.members`. */
  readonly metadata: readonly Struct[];
  /** Parallel to `all.members`: bits 1 degraded, 2 unhealthy, 4 excluded. */
  readonly states: Uint8Array;
  /** Parallel to `all.members`: index into `places`. */
  readonly placeIndex: Int32Array;
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
  const placeIndex = new Int32Array(members.length);
  for (let i = 0; i < members.length; i++) {
    const status = statuses[i] ?? 'UNKNOWN';
    // Draining was one way of being unhealthy; the modern proxy also leaves such hosts out of every denominator.
    states[i] = availability(status) | (status === 'DRAINING' && isModern(version) ? EXCLUDED : 0);
    const place = snapshot.placeOf[i] as number;
    placeIndex[i] = local <= 0 || place > local ? place : place === local ? 0 : place + 1;
  }
  const { placeWeights: weights } = snapshot;
  return buildLevel({
    priority: snapshot.priority,
    overprovisioningFactor: snapshot.overprovisioningFactor,
    weightedHealth: snapshot.weightedPriorityHealth && isModern(version),
    members,
    states,
    placeIndex,
    places: ordered,
    hasLocalPlace: local >= 0,
    placeWeights: weights === undefined ? undefined : ordered.map((place) => weights.get(place.id) ?? 0),
    metadata: members.map((member) => member.metadata),
  });
}

interface LevelParts {
  readonly priority: number;
  readonly overprovisioningFactor: number;
  readonly weightedHealth: boolean;
  readonly members: readonly Member[];
  readonly states: Uint8Array;
  readonly placeIndex: Int32Array;
  readonly places: readonly Place[];
  readonly hasLocalPlace: boolean;
  readonly placeWeights: readonly number[] | undefined;
  readonly metadata: readonly Struct[];
}

function buildLevel(parts: LevelParts): LevelView {
  const { members, states, placeIndex, places } = parts;
  const level = new Collector();
  const collectors = places.map(() => new Collector());
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    level.add(member, states[i] as number);
    if (places.length > 1) collectors[placeIndex[i] as number]?.add(member, states[i] as number);
  }
  const lists = level.lists();
  const { all, healthy, degraded, excluded } = lists;
  const measure = parts.weightedHealth
    ? {
        total: sum(all) - members.reduce((w, m, i) => w + ((states[i] as number) & EXCLUDED ? m.weight : 0), 0),
        healthy: sum(healthy),
        degraded: sum(degraded),
      }
    : {
        total: members.length - excluded,
        healthy: healthy.members.length,
        degraded: degraded.members.length,
      };
  return {
    ...lists,
    priority: parts.priority,
    overprovisioningFactor: parts.overprovisioningFactor,
    weightedHealth: parts.weightedHealth,
    measure,
    places: places.map((place, i) => ({ ...(places.length === 1 ? lists : (collectors[i] ?? level).lists()), place })),
    hasLocalPlace: parts.hasLocalPlace,
    placeWeights: parts.placeWeights,
    metadata: parts.metadata,
    states,
    placeIndex,
  };
}

/** A level's hosts that `keep` keeps. All localities stay, in their order, even where nobody is left. */
export function filterLevel(
  level: LevelView,
  keep: (metadata: Struct) => boolean,
  placeWeights: (counts: readonly number[]) => readonly number[] | undefined,
): LevelView {
  const kept: number[] = [];
  for (let i = 0; i < level.metadata.length; i++) if (keep(level.metadata[i] as Struct)) kept.push(i);
  const counts = level.places.map(() => 0);
  for (const i of kept) {
    const place = level.placeIndex[i] as number;
    counts[place] = (counts[place] as number) + 1;
  }
  return buildLevel({
    priority: level.priority,
    overprovisioningFactor: level.overprovisioningFactor,
    weightedHealth: level.weightedHealth,
    members: kept.map((i) => level.all.members[i] as Member),
    states: Uint8Array.from(kept, (i) => level.states[i] as number),
    placeIndex: Int32Array.from(kept, (i) => level.placeIndex[i] as number),
    places: level.places.map(({ place }) => place),
    hasLocalPlace: level.hasLocalPlace,
    placeWeights: placeWeights(counts),
    metadata: kept.map((i) => level.metadata[i] as Struct),
  });
}

function sum(group: HostGroup): number {
  return group.weights.reduce((total, weight) => total + weight, 0);
}

class Collector {
  private readonly all: Member[] = [];
  private readonly healthy: Member[] = [];
  private readonly degraded: Member[] = [];
  private excluded = 0;

  add(member: Member, state: number): void {
    this.all.push(member);
    if ((state & 3) === 0) this.healthy.push(member);
    else if ((state & 3) === 1) this.degraded.push(member);
    if ((state & EXCLUDED) !== 0) this.excluded++;
  }

  lists(): Lists {
    return {
      all: group(this.all),
      healthy: group(this.healthy),
      degraded: group(this.degraded),
      excluded: this.excluded,
    };
  }
}

function group(members: readonly Member[]): HostGroup {
  return { members, weights: Float64Array.from(members, (member) => member.weight) };
}
