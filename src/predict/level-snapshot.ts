import { compareBytes } from '../core/byte-order.js';
import type { Struct } from '../core/json.js';
import type { Member, Place } from './member.js';
import { stateOf } from './member.js';

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
  /** {@link stateOf} each member. */
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

/** What holds for a whole level. */
type LevelHead = Pick<LevelSnapshot, 'priority' | 'overprovisioningFactor' | 'weightedPriorityHealth' | 'placeWeights'>;

export function emptyLevel(priority: number): LevelSnapshot {
  const head = { priority, overprovisioningFactor: 140, weightedPriorityHealth: false, placeWeights: undefined };
  return snapshotOf(head, []);
}

/** Members are what they are now; they learn where they stand. */
export function snapshotOf(head: LevelHead, members: readonly Member[]): LevelSnapshot {
  const size = members.length;
  const rows = new Uint32Array(size);
  const everybody = new Uint32Array(size);
  const states = new Uint8Array(size);
  const weights = new Float64Array(size);
  const metadata = new Array<Struct>(size);
  const found = new Set<Place>();
  for (let position = 0; position < size; position++) {
    const member = members[position] as Member;
    member.position = position;
    rows[position] = member.row.index;
    everybody[position] = position;
    states[position] = stateOf(member.status);
    weights[position] = member.weight;
    metadata[position] = member.metadata;
    found.add(member.place);
  }
  const places = [...found].sort(comparePlaces);
  const indexOf = new Map(places.map((place, index) => [place, index]));
  const placeOf = new Int32Array(size);
  for (let position = 0; position < size; position++) {
    placeOf[position] = indexOf.get((members[position] as Member).place) ?? 0;
  }
  const columns = {
    rows,
    sharesRows: hasTwice(rows),
    everybody,
    states,
    weights,
    evenWeights: isEven(weights),
    metadata,
  };
  return { ...head, members, ...columns, places, placeOf };
}

/** The snapshot with some of its members as they are now. */
export function snapshotAfter(before: LevelSnapshot, changed: Iterable<Member>): LevelSnapshot {
  const states = before.states.slice();
  let { weights } = before;
  let metadata: Struct[] | undefined;
  for (const member of changed) {
    const { position } = member;
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
  return { ...before, states, weights, evenWeights, metadata: metadata ?? before.metadata };
}

function isEven(weights: Float64Array): boolean {
  const first = weights[0];
  for (let index = 1; index < weights.length; index++) if (weights[index] !== first) return false;
  return true;
}

function hasTwice(rows: Uint32Array): boolean {
  let highest = 0;
  for (let index = 0; index < rows.length; index++) highest = Math.max(highest, rows[index] as number);
  const seen = new Uint8Array(highest + 1);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    if (seen[row] === 1) return true;
    seen[row] = 1;
  }
  return false;
}

function comparePlaces({ locality: a }: Place, { locality: b }: Place): number {
  return compareBytes(a.region, b.region) || compareBytes(a.zone, b.zone) || compareBytes(a.subZone, b.subZone);
}
