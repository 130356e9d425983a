import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';
import type { Discovery } from './discovery.js';
import type { LevelSnapshot } from './level-snapshot.js';
import type { Member, Place } from './member.js';
import { DEGRADED, DRAINING, UNHEALTHY } from './member.js';

/** Hosts that a policy picks from, as they were when they were handed to the balancer. */
export interface HostGroup {
  readonly columns: LevelSnapshot;
  /** Positions in the columns, ascending. */
  readonly at: Uint32Array;
}

/** The hosts of a priority, or of one locality of it, by what they can be used for. */
export interface Lists {
  readonly all: HostGroup;
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  /** How many hosts no denominator counts. */
  readonly excluded: number;
}

export interface PlaceLists extends Lists {
  readonly place: Place;
}

/** What the hosts of a level are, for a proxy of some version in some place. */
interface LevelParts {
  readonly columns: LevelSnapshot;
  /** Of a host's state: what leaves it out of every denominator. */
  readonly excludedBit: number;
  /** The node's own first, where it has hosts. */
  readonly places: readonly Place[];
  /** From a place of the columns to one of `places`. */
  readonly orderOf: Int32Array;
  readonly hasLocalPlace: boolean;
  readonly liveWeights: (columns: LevelSnapshot) => Float64Array;
}

/** One priority, or a subset's part of it, as a balancer of one proxy holds it since its last delivery. */
export class LevelView implements Lists {
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  readonly excluded: number;
  /** Hosts, healthy, degraded: in hosts, or in weight where health is weighted; excluded hosts taken off the first. */
  readonly measure: { readonly total: number; readonly healthy: number; readonly degraded: number };
  private placeLists: readonly PlaceLists[] | undefined;

  /**
   * @param all          whom the view is of.
   * @param placeWeights parallel to `places`; undefined: localities have no weights.
   */
  constructor(
    private readonly parts: LevelParts,
    readonly all: HostGroup,
    readonly placeWeights: readonly number[] | undefined,
    readonly overprovisioningFactor = parts.columns.overprovisioningFactor,
  ) {
    const { columns, excludedBit } = parts;
    const { healthy, degraded, excluded } = listsOf(all, excludedBit);
    this.healthy = healthy;
    this.degraded = degraded;
    this.excluded = excluded;
    if (!columns.weightedPriorityHealth) {
      const total = all.at.length - excluded;
      this.measure = { total, healthy: healthy.at.length, degraded: degraded.at.length };
      return;
    }
    let total = 0;
    for (const i of all.at) {
      if (((columns.states[i] as number) & excludedBit) === 0) total += columns.weights[i] as number;
    }
    this.measure = { total, healthy: weightOf(healthy), degraded: weightOf(degraded) };
  }

  get priority(): number {
    return this.parts.columns.priority;
  }

  get hasLocalPlace(): boolean {
    return this.parts.hasLocalPlace;
  }

  get placeCount(): number {
    return this.parts.places.length;
  }

  get columns(): LevelSnapshot {
    return this.parts.columns;
  }

  /** Lists by locality, made when they are first asked for: without zones and locality weights nobody does. */
  get places(): readonly PlaceLists[] {
    if (this.placeLists !== undefined) return this.placeLists;
    const { columns, places, orderOf, excludedBit } = this.parts;
    const { placeOf } = columns;
    const { at } = this.all;
    const sizes = placeSizes(this.parts, at);
    const positions = Array.from(sizes, (size) => new Uint32Array(size));
    sizes.fill(0);
    for (let index = 0; index < at.length; index++) {
      const i = at[index] as number;
      const place = orderOf[placeOf[i] as number] as number;
      const next = sizes[place] as number;
      (positions[place] as Uint32Array)[next] = i;
      sizes[place] = next + 1;
    }
    this.placeLists = places.map((place, index) => {
      const all = { columns, at: positions[index] as Uint32Array };
      return { place, all, ...listsOf(all, excludedBit) };
    });
    return this.placeLists;
  }

  /** Weights of the columns' members as they are now: hosts are shared, so that all balancers see a new weight at once. */
  get weightsNow(): Float64Array {
    return this.parts.liveWeights(this.parts.columns);
  }

  /**
   * The hosts at some positions. All localities stay, in their order, even where nobody is left.
   *
   * @param placeWeights           from the number of hosts in each locality, for those who ask.
   * @param overprovisioningFactor percent.
   */
  filter(
    at: Uint32Array,
    placeWeights: (counts: () => readonly number[]) => readonly number[] | undefined,
    overprovisioningFactor: number,
  ): LevelView {
    const { columns } = this.parts;
    return new LevelView(
      this.parts,
      { columns, at },
      placeWeights(() => [...placeSizes(this.parts, at)]),
      overprovisioningFactor,
    );
  }
}

/** How many of the hosts at some positions are in each locality. */
function placeSizes({ columns, places, orderOf }: LevelParts, at: Uint32Array): Uint32Array {
  const sizes = new Uint32Array(places.length);
  const { placeOf } = columns;
  for (let index = 0; index < at.length; index++) {
    const place = orderOf[placeOf[at[index] as number] as number] as number;
    sizes[place] = (sizes[place] as number) + 1;
  }
  return sizes;
}

/** How a proxy of this version and place sees the last snapshot of a priority at the moment it is delivered. */
export function viewLevel(
  columns: LevelSnapshot,
  version: ProxyVersion,
  nodeLocality: Locality | undefined,
  discovery: Discovery,
): LevelView {
  const { places, placeWeights } = columns;
  const own = nodeLocality === undefined ? -1 : places.findIndex((place) => place.key === localityKey(nodeLocality));
  const ordered = own <= 0 ? places : [...places.filter((_, i) => i === own), ...places.filter((_, i) => i !== own)];
  const { weightsVersion } = discovery;
  const parts = {
    columns,
    // Draining was one way of being unhealthy; the modern proxy also leaves such hosts out of every denominator.
    excludedBit: quirksOf(version).drainingIsExcluded ? DRAINING : 0,
    places: ordered,
    orderOf: Int32Array.from(places, (place) => ordered.indexOf(place)),
    hasLocalPlace: own >= 0,
    liveWeights: ({ members, weights }: LevelSnapshot) =>
      discovery.weightsVersion === weightsVersion ? weights : weightsOf(members),
  };
  const weights = placeWeights === undefined ? undefined : ordered.map((place) => placeWeights.get(place.id) ?? 0);
  return new LevelView(parts, { columns, at: columns.everybody }, weights);
}

function weightsOf(members: readonly Member[]): Float64Array {
  const weights = new Float64Array(members.length);
  for (let index = 0; index < members.length; index++) weights[index] = (members[index] as Member).weight;
  return weights;
}

export function sizeOf({ at }: HostGroup): number {
  return at.length;
}

export function memberAt({ columns, at }: HostGroup, index: number): Member {
  return columns.members[at[index] as number] as Member;
}

/** Sum of the weights as they were delivered. */
export function weightOf({ columns, at }: HostGroup): number {
  const { weights } = columns;
  let sum = 0;
  for (let index = 0; index < at.length; index++) sum += weights[at[index] as number] as number;
  return sum;
}

function listsOf(all: HostGroup, excludedBit: number): Omit<Lists, 'all'> {
  const { columns, at } = all;
  const { states } = columns;
  let healthyCount = 0;
  let degradedCount = 0;
  let excluded = 0;
  for (let index = 0; index < at.length; index++) {
    const state = states[at[index] as number] as number;
    if ((state & (DEGRADED | UNHEALTHY)) === 0) healthyCount++;
    else if ((state & UNHEALTHY) === 0) degradedCount++;
    if ((state & excludedBit) !== 0) excluded++;
  }
  if (healthyCount === at.length) return { healthy: all, degraded: { columns, at: NOBODY }, excluded };
  const healthy = new Uint32Array(healthyCount);
  const degraded = degradedCount === 0 ? NOBODY : new Uint32Array(degradedCount);
  healthyCount = 0;
  degradedCount = 0;
  for (let index = 0; index < at.length; index++) {
    const i = at[index] as number;
    const state = states[i] as number;
    if ((state & (DEGRADED | UNHEALTHY)) === 0) healthy[healthyCount++] = i;
    else if ((state & UNHEALTHY) === 0) degraded[degradedCount++] = i;
  }
  return { healthy: { columns, at: healthy }, degraded: { columns, at: degraded }, excluded };
}

const NOBODY = new Uint32Array(0);
