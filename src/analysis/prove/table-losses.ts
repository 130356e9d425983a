import { countsOf, groupBy, largest, sameItems, smallest, sum } from '../../core/values.js';
import { sortRing } from '../../hash/kernel/ring-kernel.js';
import { lowerBound, planRing, type RingHashConfig } from '../../policy/ring-hash.js';
import { entryShares } from '../../predict/hash-table.js';
import type { Hashes } from '../../predict/request-hashes.js';
import type { WeightedHosts } from '../../policy/policy-kinds.js';
import { isOver, type Member } from './list-overload.js';

/** Requests that a table divides; without keys each draws its hash. */
export interface HashedPart {
  /** Of the requests that the table's balancer gets, relative to others. */
  readonly portion: number;
  readonly keys: { readonly hashes: Hashes; readonly portions: Float64Array } | undefined;
}

/** Requests that a host gets once others are lost. */
interface Gain {
  readonly weight: number;
  /** Hosts that all have to be lost for that, by place. */
  readonly before: readonly number[];
}

type Ring = ReturnType<RingLosses['sorted']>;

/** A host that is to get enough when so many of each kind are lost. */
interface Aim {
  readonly place: number;
  readonly counts: readonly number[];
  readonly ring: Ring;
  /** What it has of the ring, for its capacity. */
  readonly load: number;
  readonly isEnough: (share: number) => boolean;
  /** Whether it gets enough when these are lost, where the ring leaves it open. */
  readonly confirms: (places: readonly number[]) => boolean;
}

/** Steps of one search, after which it is given up; a few losses are searched to the end. */
const MOST_STEPS = 20_000;
const FEW_LOSSES = 3;
const FOR_FEW = 50;
const SHORT_LOOK = 100;
/** Entries of all rings that it looks at, and pairs of hosts and rings. */
const MOST_ENTRIES = 4e6;
const MOST_AIMS = 5000;
/** Entries of a ring, and what a host may get, that take as long as a step. */
const ENTRIES_PER_STEP = 50;
const GAINS_PER_STEP = 50;
/** What sums of weights are off by, in entries. */
const ROUNDING = 1e-6;

/**
 * Losses of a ring. How many entries each host has that is left follows from how many are lost of each kind, by weight and
 * locality, and not from which: so a ring of all hosts with so many entries tells of all such losses. What ends at an entry of a
 * lost host goes on to the next one, and to get it a host needs all those before it lost.
 *
 * Where rounding gives some one entry more, which depends on their places among those that are left, a host counts with the most
 * entries and all others with the fewest: it gets no more than that. Whether it does get enough is then asked of each loss.
 */
export class RingLosses {
  /** Of each member, from 0. */
  private readonly kinds: readonly number[];
  /** Places that can be lost, by kind. */
  private readonly losable: readonly (readonly number[])[];
  /** Steps that are left. */
  private left = 0;

  /**
   * @param members of the table, in its order. @param keys what it hashes of each. @param kinds of each, by weight and locality.
   * @param without weights of those that are left, in their order, when these places are lost.
   */
  constructor(
    private readonly members: readonly Member[],
    private readonly keys: readonly string[],
    kinds: readonly string[],
    private readonly without: (places: ReadonlySet<number>) => Pick<WeightedHosts, 'weights' | 'minWeight'>,
    private readonly config: RingHashConfig,
    private readonly parts: readonly HashedPart[],
  ) {
    const weightAt = (place: number): number => members[place]?.weight ?? 0;
    // Losses of the heaviest come first.
    const order = [...members.keys()].sort((a, b) => weightAt(b) - weightAt(a));
    const places = groupBy(order, (place) => kinds[place]);
    this.kinds = kinds.map((kind) => [...places.keys()].indexOf(kind));
    this.losable = [...places.values()].map((own) => own.filter((place) => members[place]?.state === 'losable'));
  }

  /**
   * Rows of a loss of so many hosts with which one that is left is above its capacity; undefined: there is none.
   *
   * @param residues hashes mod 100 that reach the table. @param perSecond requests of its balancer.
   * @returns `unknown` where the search would take too long.
   */
  find(lost: number, residues: Uint8Array, perSecond: number): readonly number[] | 'unknown' | undefined {
    const { members, losable, kinds } = this;
    if (members.length <= lost) return undefined;
    const hashes = sum(this.parts.map(({ keys }) => keys?.hashes.count ?? 0));
    const patience = lost <= FEW_LOSSES ? FOR_FEW : 1;
    const aims: Aim[] = [];
    let entries = 0;
    let isCut = false;
    for (const counts of countsOf(losable, lost)) {
      const [most, fewest] = this.entriesOf(counts);
      entries += sum(most) + hashes;
      isCut = entries > MOST_ENTRIES || aims.length > MOST_AIMS * patience;
      if (isCut) break;
      const ring = this.sorted(most, residues, fewest);
      for (const [place, { state, capacity }] of members.entries()) {
        const kind = kinds[place] as number;
        const others = (losable[kind]?.length ?? 0) - (state === 'losable' ? 1 : 0);
        if (state === 'dead' || capacity === Infinity || others < (counts[kind] as number)) continue;
        const isEnough = (share: number): boolean => isOver(share, perSecond, capacity);
        const confirms: Aim['confirms'] = (lost) => isEnough(shareOf(place, this.ringWithout(lost, residues)));
        aims.push({ place, counts, ring, load: shareOf(place, ring) / capacity, isEnough, confirms });
      }
    }
    aims.sort((a, b) => b.load - a.load);
    const look = (aim: Aim): ReturnType<RingLosses['find']> => {
      const free = losable.flatMap((own, kind) => (aim.counts[kind] === 0 ? [] : own.filter((at) => at !== aim.place)));
      const gains = this.gainsOf(aim.place, aim.ring, lost).filter(({ before }) =>
        before.every((at) => aim.counts[kinds[at] as number] !== 0),
      );
      const found = this.search(gains, free, [], 0, aim);
      if (found === undefined) return this.left < 0 ? 'unknown' : undefined;
      // More losses take nothing away where entries stay as many.
      const all = aim.counts.flatMap((count, kind) => {
        const own = (losable[kind] ?? []).filter((at) => at !== aim.place);
        return [...new Set([...own.filter((at) => found.includes(at)), ...own])].slice(0, count);
      });
      return all.map((at) => (members[at] as Member).row);
    };
    const unsure: Aim[] = [];
    let steps = MOST_STEPS * patience;
    // A short look at each first: where many choices will do, one is found soon.
    for (const aim of aims) {
      this.left = SHORT_LOOK;
      const own = look(aim);
      if (own === 'unknown') unsure.push(aim);
      else if (own !== undefined) return own;
      steps -= SHORT_LOOK - this.left;
      if (steps >= 0) continue;
      isCut = true;
      break;
    }
    this.left = MOST_STEPS * patience;
    for (const aim of unsure) {
      const own = look(aim);
      if (own !== undefined) return own;
    }
    return isCut ? 'unknown' : undefined;
  }

  /** The most entries of each host, and the fewest, when so many of each kind are lost. */
  private entriesOf(counts: readonly number[]): readonly [Uint32Array, Uint32Array] {
    const { members, kinds, losable } = this;
    const gone = new Set(counts.flatMap((count, kind) => losable[kind]?.slice(0, count) ?? []));
    const left = [...members.keys()].filter((place) => !gone.has(place));
    const weighted = this.without(gone);
    const { entriesPerHost, scale } = planRing(weighted, this.config);
    const ofEach = (of: (kind: number) => number): Uint32Array => Uint32Array.from(kinds, of);
    // Hosts of one weight have the same entries in the same order, whichever are left.
    if (losable.length === 1) return [ofEach(() => largest(entriesPerHost)), ofEach(() => smallest(entriesPerHost))];
    const wanted = losable.map((_, kind) => {
      const at = left.findIndex((place) => kinds[place] === kind);
      return at < 0 ? 1 : scale * (weighted.weights[at] as number);
    });
    return [
      ofEach((kind) => Math.floor((wanted[kind] as number) + 1 + ROUNDING)),
      ofEach((kind) => Math.ceil((wanted[kind] as number) - 1 - ROUNDING)),
    ];
  }

  /** The ring of those that are left. */
  private ringWithout(places: readonly number[], residues: Uint8Array): Ring {
    const gone = new Set(places);
    const { entriesPerHost } = planRing(this.without(gone), this.config);
    let at = 0;
    const numbers = this.keys.map((_, place) => (gone.has(place) ? 0 : (entriesPerHost[at++] as number)));
    this.left -= sum(entriesPerHost) / ENTRIES_PER_STEP;
    return this.sorted(Uint32Array.from(numbers), residues);
  }

  /** Branch and bound: what takes several losses counts for each of them in part, so that no choice gains more than its parts. */
  private search(
    gains: readonly Gain[],
    free: readonly number[],
    chosen: readonly number[],
    gained: number,
    aim: Aim,
  ): readonly number[] | undefined {
    this.left -= 1 + gains.length / GAINS_PER_STEP;
    if (this.left < 0) return undefined;
    const lost = sum(aim.counts) - chosen.length;
    const own = gained + sum(gains.map(({ weight, before }) => (before.length === 0 ? weight : 0)));
    if (aim.isEnough(own) && (aim.ring.isExact || (lost === 0 && aim.confirms(chosen)))) return chosen;
    if (lost === 0) return undefined;
    const open = gains.filter(({ before }) => before.length > 0 && before.length <= lost);
    const credits = new Map<number, number>();
    for (const { weight, before } of open)
      for (const at of before) credits.set(at, (credits.get(at) ?? 0) + weight / before.length);
    const best = [...credits].sort((a, b) => b[1] - a[1]);
    if (!aim.isEnough(own + sum(best.slice(0, lost).map(([, credit]) => credit)))) return undefined;
    const [next] = best[0] ?? free;
    if (next === undefined) return undefined;
    const kind = this.kinds[next];
    const isLast = chosen.filter((at) => this.kinds[at] === kind).length + 1 === aim.counts[kind as number];
    const stays = (at: number): boolean => isLast && at !== next && this.kinds[at] === kind;
    const without = open
      .map(({ weight, before }) => ({ weight, before: before.filter((at) => at !== next) }))
      .filter(({ before }) => !before.some(stays));
    const rest = free.filter((at) => at !== next);
    const found = this.search(
      without,
      rest.filter((at) => !stays(at)),
      [...chosen, next],
      own,
      aim,
    );
    if (found !== undefined) return found;
    const others = open.filter(({ before }) => !before.includes(next));
    return this.search(others, rest, chosen, own, aim);
  }

  /** What a host has, and what it gets from the hosts before each of its entries. */
  private gainsOf(place: number, { entries, entryCount, places, weights, spare }: Ring, lost: number): Gain[] {
    const gains: Gain[] = [];
    for (const own of places[place] ?? []) {
      gains.push({ weight: weights[own] as number, before: [] });
      const before: number[] = [];
      for (let step = 1; step < entryCount; step++) {
        const at = (own - step + entryCount) % entryCount;
        const host = entries[3 * at + 2] as number;
        if (host === place) break;
        if (spare[at] === 0 && !before.includes(host)) {
          if (before.length === lost || this.members[host]?.state !== 'losable') break;
          before.push(host);
        }
        const weight = weights[at] as number;
        if (weight > 0) gains.push({ weight, before: [...before] });
      }
    }
    return gains;
  }

  /**
   * A ring with the entries of each host, and what ends at each, as a part of the balancer's requests.
   *
   * @param fewest entries of each host that are there in any case. Default: all.
   */
  private sorted(numbers: Uint32Array, residues: Uint8Array, fewest = numbers) {
    const { keys, config } = this;
    const { hashFunction } = config;
    const sorted = sortRing({ keys, entries: numbers, hashFunction });
    const entryCount = sorted.entries.length / 3;
    const places: number[][] = keys.map(() => []);
    for (let entry = 0; entry < entryCount; entry++) places[sorted.entries[3 * entry + 2] as number]?.push(entry);
    const isExact = sameItems(fewest, numbers);
    const certain = isExact ? sorted : sortRing({ keys, entries: fewest, hashFunction });
    /** 1: an entry may be missing. */
    const spare = new Uint8Array(entryCount);
    for (let entry = 0, at = 0; entry < entryCount; entry++) {
      const isSame = [0, 1, 2].every((part) => sorted.entries[3 * entry + part] === certain.entries[3 * at + part]);
      if (isSame) at++;
      else spare[entry] = 1;
    }
    const weights = new Float64Array(entryCount);
    const ring = { ...sorted, entryCount, places, weights, spare, isExact };
    const whole = sum(this.parts.map(({ portion }) => portion));
    const add = (entry: number, weight: number): void => {
      weights[entry] = (weights[entry] as number) + weight;
    };
    for (const { portion, keys: hashed } of this.parts) {
      const part = portion / whole;
      if (hashed === undefined) {
        for (const [entry, share] of entryShares(ring, residues).entries()) add(entry, part * share);
        continue;
      }
      const { pairs, residues: own } = hashed.hashes;
      for (const [index, weight] of hashed.portions.entries()) {
        if (residues[own[index] as number] === 0) continue;
        const entry = lowerBound(ring, pairs[2 * index + 1] as number, pairs[2 * index] as number);
        add(entry % entryCount, weight * part);
      }
    }
    return ring;
  }
}

const shareOf = (place: number, { places, weights }: Ring): number =>
  sum((places[place] ?? []).map((at) => weights[at] as number));
