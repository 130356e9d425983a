import { entryOf, largest, smallest, sum } from '../../core/values.js';
import { TWO_32 } from '../../core/u64.js';
import { sortRing } from '../../hash/kernel/ring-kernel.js';
import { lowerBound, planRing, ringEntry, type RingHashConfig } from '../../policy/ring-hash.js';
import type { Hashes } from '../../predict/request-hashes.js';
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

/** Steps of one search, and entries that it looks at, after which it is given up. */
const MOST_STEPS = 20_000;
const SHORT_LOOK = 100;
const MOST_ENTRIES = 4e6;

/**
 * Losses of a ring of hosts of one weight. How many entries each host has that is left follows from how many are lost, and not from
 * which: so a ring of all hosts with so many entries tells of all such losses. What ends at an entry of a lost host goes on to the
 * next one, and to get it a host needs all those before it lost.
 *
 * Where rounding gives some one entry more, which depends on their places among those that are left, a host counts with the most
 * entries and all others with the fewest: it gets no more than that.
 */
export class RingLosses {
  private readonly rings = new Map<string, Ring>();
  /** Steps that are left. */
  private left = 0;

  /** @param members of the table, in its order. @param keys what it hashes of each. */
  constructor(
    private readonly members: readonly Member[],
    private readonly keys: readonly string[],
    private readonly config: RingHashConfig,
    private readonly parts: readonly HashedPart[],
  ) {}

  /**
   * Rows of a loss of so many hosts with which one that is left may be above its capacity; undefined: there is none.
   *
   * @param residues hashes mod 100 that reach the table. @param perSecond requests of its balancer.
   * @returns `unknown` where the search would take too long.
   */
  find(lost: number, residues: Uint8Array, perSecond: number): readonly number[] | 'unknown' | undefined {
    const { members } = this;
    const answering = members.length - lost;
    if (answering === 0) return undefined;
    const share = 1 / answering;
    const plan = planRing({ weights: new Float64Array(answering).fill(share), minWeight: share }, this.config);
    const [fewest, most] = [smallest(plan.entriesPerHost), largest(plan.entriesPerHost)];
    const rings = fewest === most ? 1 : members.length;
    const hashes = sum(this.parts.map(({ keys }) => keys?.hashes.count ?? 0));
    if (fewest === 0 || (most * members.length + hashes) * rings > MOST_ENTRIES) return 'unknown';
    const look = (place: number): ReturnType<RingLosses['find']> => {
      const ring = this.ringOf(fewest, most, place, residues);
      const { capacity } = members[place] as Member;
      const gains = this.gainsOf(place, ring, lost);
      const found = this.search(gains, lost, 0, (weight) => isOver(weight, perSecond, capacity));
      if (this.left < 0) return 'unknown';
      if (found === undefined) return undefined;
      const others = [...members.keys()].filter((at) => at !== place && members[at]?.state === 'losable');
      const all = [...new Set([...found, ...others])].slice(0, lost).map((at) => members[at] as Member);
      if (all.length < lost) return undefined;
      if (fewest < most && !isOver(this.shareOf(place, all, plan.entriesPerHost, residues), perSecond, capacity))
        return 'unknown';
      return all.map(({ row }) => row);
    };
    const unsure: number[] = [];
    // A short look at each first: where many choices will do, one is found soon.
    for (const [place, { state, capacity }] of members.entries()) {
      if (state === 'dead' || capacity === Infinity) continue;
      this.left = SHORT_LOOK;
      const own = look(place);
      if (own === 'unknown') unsure.push(place);
      else if (own !== undefined) return own;
    }
    this.left = MOST_STEPS;
    for (const place of unsure) {
      const own = look(place);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  /** Branch and bound: what takes several losses counts for each of them in part, so that no choice gains more than its parts. */
  private search(
    gains: readonly Gain[],
    lost: number,
    gained: number,
    isEnough: (weight: number) => boolean,
  ): readonly number[] | undefined {
    if (--this.left < 0) return undefined;
    const own = gained + sum(gains.map(({ weight, before }) => (before.length === 0 ? weight : 0)));
    if (isEnough(own)) return [];
    const open = gains.filter(({ before }) => before.length > 0 && before.length <= lost);
    const credits = new Map<number, number>();
    for (const { weight, before } of open)
      for (const at of before) credits.set(at, (credits.get(at) ?? 0) + weight / before.length);
    const best = [...credits].sort((a, b) => b[1] - a[1]);
    const [first] = best;
    if (first === undefined || !isEnough(own + sum(best.slice(0, lost).map(([, credit]) => credit)))) return undefined;
    const [chosen] = first;
    const without = open.map(({ weight, before }) => ({ weight, before: before.filter((at) => at !== chosen) }));
    const found = this.search(without, lost - 1, own, isEnough);
    if (found !== undefined) return [chosen, ...found];
    const others = open.filter(({ before }) => !before.includes(chosen));
    return this.search(others, lost, own, isEnough);
  }

  /** What a host has, and what it gets from the hosts before each of its entries. */
  private gainsOf(place: number, { entries, entryCount, places, weights }: Ring, lost: number): Gain[] {
    const gains: Gain[] = [];
    for (const own of places[place] ?? []) {
      gains.push({ weight: weights[own] as number, before: [] });
      const before: number[] = [];
      for (let step = 1; step < entryCount; step++) {
        const at = (own - step + entryCount) % entryCount;
        const host = entries[3 * at + 2] as number;
        if (host === place) break;
        if (!before.includes(host)) {
          if (before.length === lost || this.members[host]?.state !== 'losable') break;
          before.push(host);
        }
        const weight = weights[at] as number;
        if (weight > 0) gains.push({ weight, before: [...before] });
      }
    }
    return gains;
  }

  /** One host has `most` entries, all others have the fewest. */
  private ringOf(fewest: number, most: number, place: number, residues: Uint8Array): Ring {
    const { keys, rings } = this;
    return entryOf(rings, `${fewest} ${most} ${fewest === most ? '' : place} ${residues.join('')}`, () => {
      const entries = new Uint32Array(keys.length).fill(fewest);
      entries[place] = most;
      return this.sorted(keys, entries, residues);
    });
  }

  /** What a host gets of the ring of those that are left. @param entries of each of these. */
  private shareOf(place: number, lost: readonly Member[], entries: Uint32Array, residues: Uint8Array): number {
    const gone = new Set(lost);
    const left = [...this.members.keys()].filter((at) => !gone.has(this.members[at] as Member));
    const keys = left.map((at) => this.keys[at] as string);
    const { places, weights } = this.sorted(keys, entries, residues);
    return sum((places[left.indexOf(place)] ?? []).map((at) => weights[at] as number));
  }

  /** A ring with the entries of each host, and what ends at each, as a part of the balancer's requests. */
  private sorted(keys: readonly string[], numbers: Uint32Array, residues: Uint8Array) {
    const sorted = sortRing({ keys, entries: numbers, hashFunction: this.config.hashFunction });
    const entryCount = sorted.entries.length / 3;
    const places: number[][] = keys.map(() => []);
    for (let entry = 0; entry < entryCount; entry++) places[sorted.entries[3 * entry + 2] as number]?.push(entry);
    const weights = new Float64Array(entryCount);
    const ring = { ...sorted, entryCount, places, weights };
    const whole = sum(this.parts.map(({ portion }) => portion));
    const add = (entry: number, weight: number): void => {
      weights[entry] = (weights[entry] as number) + weight;
    };
    for (const { portion, keys: hashed } of this.parts) {
      const part = portion / whole;
      if (hashed === undefined) {
        const each = (part * sum(residues)) / 100 / (TWO_32 * TWO_32);
        for (let entry = 0; entry < entryCount; entry++) {
          const [here, before] = [ringEntry(ring, entry), ringEntry(ring, (entry || entryCount) - 1)];
          const around = entry === 0 ? TWO_32 : 0;
          add(entry, ((here.hi - before.hi + around) * TWO_32 + (here.lo - before.lo)) * each);
        }
        continue;
      }
      const { halves, residues: own } = hashed.hashes;
      for (const [index, weight] of hashed.portions.entries()) {
        if (residues[own[index] as number] === 0) continue;
        const entry = lowerBound(ring, halves[2 * index] as number, halves[2 * index + 1] as number);
        add(entry % entryCount, weight * part);
      }
    }
    return ring;
  }
}
