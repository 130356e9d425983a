import type { TableEntry, TablePolicy, WeightedHosts } from '../../src/policy/policy-kinds.js';
import type { U64 } from '../../src/core/u64.js';
import { toBigInt } from '../../src/core/u64.js';
import { xxhash64 } from '../../src/hash/text-hashes.js';
import { utf8 } from '../../src/hash/bytes.js';
import type { ListedTables, Walk } from '../../src/testing/index.js';

/** Tables written down from their papers, with nothing of ours but the hash, and the mistakes that one can make. */

export interface PlainTable {
  readonly counts: readonly number[];
  readonly entries: readonly TableEntry[];
  /** Of the entries of a ring. */
  readonly places: readonly bigint[];
}

const listed = (policy: TablePolicy<null, PlainTable>): ListedTables<null, PlainTable> => ({
  policy,
  config: null,
  entriesPerHost: ({ counts }) => counts,
  entries: ({ entries }) => entries,
});

export function pointOf(key: string, index: number): U64 {
  return xxhash64(utf8(`${key}_${String(index)}`));
}

export interface RingMistakes {
  readonly point?: typeof pointOf;
  readonly order?: (a: bigint, b: bigint) => number;
  /** Whether an entry owns this hash. */
  readonly owns?: (entry: bigint, hash: bigint) => boolean;
  readonly closes?: boolean;
  readonly retries?: boolean;
}

const ENTRIES = 256;

/** Karger et al., "Consistent Hashing and Random Trees", STOC 1997: points in proportion to weights; the next one is asked. */
export function plainRing(mistakes: RingMistakes = {}): ListedTables<null, PlainTable> {
  const { point = pointOf, closes = true, retries = true } = mistakes;
  const order = mistakes.order ?? ((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const owns = mistakes.owns ?? ((entry, hash) => entry >= hash);
  return listed({
    name: 'RING_HASH',
    build({ keys, weights }) {
      const counts = Array.from(weights, (weight) => Math.max(1, Math.round(ENTRIES * weight)));
      const entries = keys
        .flatMap((key, host) =>
          Array.from({ length: counts[host] ?? 0 }, (_, index) => ({ at: toBigInt(point(key, index)), host })),
        )
        .sort((a, b) => order(a.at, b.at));
      return {
        counts,
        entries: entries.map(({ at, host }) => ({ position: String(at), host })),
        places: entries.map(({ at }) => at),
      };
    },
    choose({ entries, places }, hi, lo, attempt) {
      if (entries.length === 0) return -1;
      let found = firstOwner(places, (entry) => owns(entry, toBigInt({ hi, lo })));
      if (found === entries.length) found = closes ? 0 : entries.length - 1;
      return entries[(found + (retries ? attempt : 0)) % entries.length]?.host ?? -1;
    },
  });
}

function firstOwner(places: readonly bigint[], owns: (entry: bigint) => boolean): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (owns(places[middle] ?? 0n)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function walkOf(key: string, slots: number): Walk {
  const [one, other] = [0, 1].map((lo) => toBigInt(xxhash64(utf8(key), { hi: 0, lo }))) as [bigint, bigint];
  return { offset: Number(one % BigInt(slots)), skip: Number(other % BigInt(slots - 1)) + 1 };
}

export interface MaglevMistakes {
  readonly walk?: typeof walkOf;
  /** The slot that a hash is looked up in. */
  readonly slotOf?: (hash: bigint, slots: bigint) => bigint;
  readonly retries?: boolean;
}

const SLOTS = 251;

/** Eisenbud et al., NSDI 2016, §3.4, its pseudo-code; a host of half the weight sits out every other turn. */
export function plainMaglev(mistakes: MaglevMistakes = {}): ListedTables<null, PlainTable> {
  const { walk = walkOf, slotOf = (hash, slots) => hash % slots, retries = true } = mistakes;
  return listed({
    name: 'MAGLEV',
    build: (hosts) => fill(hosts, walk),
    choose({ entries }, hi, lo, attempt) {
      if (entries.length === 0) return -1;
      const hash = BigInt.asUintN(64, toBigInt({ hi, lo }) + (retries ? 0x9e3779b97f4a7c15n * BigInt(attempt) : 0n));
      return entries[Number(slotOf(hash, BigInt(entries.length)))]?.host ?? -1;
    },
  });
}

function fill({ keys, weights, maxWeight }: WeightedHosts, walk: typeof walkOf): PlainTable {
  const counts = keys.map(() => 0);
  if (keys.length === 0) return { counts, entries: [], places: [] };
  const walks = keys.map((key) => walk(key, SLOTS));
  const next = keys.map(() => 0);
  const due = keys.map(() => 0);
  const slots: number[] = [];
  for (let taken = 0; taken < SLOTS;) {
    for (const host of keys.keys()) {
      due[host] = (due[host] ?? 0) + (weights[host] ?? 0);
      // The first turn is everybody's.
      if (due[host] < maxWeight - 1e-9 && (counts[host] ?? 0) > 0) continue;
      due[host] -= maxWeight;
      const { offset = 0, skip = 1 } = walks[host] ?? {};
      let slot = 0;
      do {
        slot = (offset + (next[host] ?? 0) * skip) % SLOTS;
        next[host] = (next[host] ?? 0) + 1;
      } while (slots[slot] !== undefined);
      slots[slot] = host;
      counts[host] = (counts[host] ?? 0) + 1;
      taken++;
      if (taken === SLOTS) break;
    }
  }
  return { counts, entries: slots.map((host, slot) => ({ position: String(slot), host })), places: [] };
}
