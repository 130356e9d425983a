import { toDecimal, TWO_32, type U64 } from '../core/u64.js';
import type { HashFunction } from '../hash/text-hashes.js';
import { sortRing, type SortedRing } from '../hash/kernel/ring-kernel.js';
import { FACTS } from './generated/policy-facts.js';
import type {
  DecisionTrace,
  HostIndex,
  PolicyTable,
  ProxyTablePolicy,
  TableGauges,
  WeightedHosts,
} from './policy-kinds.js';

export interface RingHashConfig {
  /** Default 1024. */
  readonly minimumRingSize: number;
  /** Default and limit 8388608; not below the minimum. */
  readonly maximumRingSize: number;
  readonly hashFunction: HashFunction;
}

/** A built ring. Plain data; never changes. */
export interface RingTable extends SortedRing, PolicyTable {
  readonly entryCount: number;
}

/** Memory of one entry: a hash, its host, and its part of the index. */
const ENTRY_BYTES = 14;

/**
 * RING_HASH: a ketama ring. Hashes of `<key>_<i>` lie on a circle; a request goes to the first entry at or after its hash.
 * Example: three hosts, a ring of 9 entries, the circle from 0 to 100 %
 *     9.5 %  10.0.0.1:80  owns the 49.9 % up to here
 *     9.5 %  10.0.0.3:80  owns the  0.0 % up to here
 *    23.9 %  10.0.0.2:80  owns the 14.4 % up to here
 *    39.6 %  10.0.0.1:80  owns the 15.7 % up to here
 *    43.9 %  10.0.0.2:80  owns the  4.3 % up to here
 *    45.6 %  10.0.0.3:80  owns the  1.7 % up to here
 *    45.7 %  10.0.0.1:80  owns the  0.1 % up to here
 *    56.6 %  10.0.0.2:80  owns the 10.9 % up to here
 *    59.5 %  10.0.0.3:80  owns the  2.9 % up to here
 * A hash at 50 % goes to 10.0.0.2:80. In all the hosts own 66 %, 30 %, 5 %: few entries are uneven.
 * Draws: none. Cost: O(n) expected to build, O(1) expected to choose; 14 bytes an entry.
 * Source: the proxy's ring hash load balancer; Karger et al., "Consistent Hashing and Random Trees", STOC 1997.
 */
export const ringHash: ProxyTablePolicy<{ readonly ringHash: RingHashConfig }, RingHashConfig, RingTable> = {
  ...FACTS.RING_HASH,

  configOf: (settings) => settings.ringHash,
  ignoresHostOrder: () => true,
  hashFunction: (config) => config.hashFunction,
  tableBytes: (config) => config.minimumRingSize * ENTRY_BYTES,

  build(hosts: WeightedHosts, config: RingHashConfig): RingTable {
    const { entriesPerHost, gauges } = planRing(hosts, config);
    const ring = sortRing({ keys: hosts.keys, entries: entriesPerHost, hashFunction: config.hashFunction });
    return { ...ring, size: gauges?.size ?? 0, entryCount: ring.entries.length / 3, entriesPerHost, gauges };
  },

  choose(table: RingTable, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex {
    const { entryCount } = table;
    if (entryCount === 0) return -1;
    const entry = lowerBound(table, hashHi, hashLo);
    // After the last entry the circle closes. Retries take the next entries in turn; these may belong to the same host.
    const found = ((entry === entryCount ? 0 : entry) + attempt) % entryCount;
    if (trace !== undefined) {
      const { hi, lo } = ringEntry(table, found);
      const position = toDecimal(hi, lo);
      const wrapped = entry === entryCount;
      trace({ kind: 'ring', inputs: { entry: found, entries: entryCount, position, wrapped } });
    }
    return table.entries[3 * found + 2] as number;
  },

  /** Sum of the arcs that end at a host's entries: their number does not tell their length. */
  keyShares(table) {
    const { entryCount, entriesPerHost } = table;
    const shares = new Float64Array(entriesPerHost.length);
    if (entryCount === 0) return shares;
    // The first entry also owns what lies after the last one.
    let before = positionOf(table, entryCount - 1) - 1;
    for (let entry = 0; entry < entryCount; entry++) {
      const here = positionOf(table, entry);
      const { host } = ringEntry(table, entry);
      shares[host] = (shares[host] as number) + (here - before);
      before = here;
    }
    return shares;
  },

  *entries(table) {
    for (let entry = 0; entry < table.entryCount; entry++) {
      const { hi, lo, host } = ringEntry(table, entry);
      yield { position: toDecimal(hi, lo), host };
    }
  },
};

/** Where an entry lies on the circle, 0–1. */
export const positionOf = ({ entries }: RingTable, entry: number): number =>
  ((entries[3 * entry + 1] as number) + (entries[3 * entry] as number) / TWO_32) / TWO_32;

/** One entry of a ring: its hash, and whose it is. */
export interface RingEntry extends U64 {
  readonly host: HostIndex;
}

/** @param entry 0 … n − 1, in ring order. */
export const ringEntry = ({ entries }: Pick<RingTable, 'entries'>, entry: number): RingEntry => ({
  hi: entries[3 * entry + 1] as number,
  lo: entries[3 * entry] as number,
  host: entries[3 * entry + 2] as number,
});

/**
 * How many entries each host gets. The scale makes the lightest host's share of it a whole number, so that hosts of
 * equal weight have equally many entries, unless that exceeds the maximum. The sums are the proxy's, in its order,
 * rounding errors included: they decide whether a host gets one more entry, and whether the ring becomes one longer
 * than planned.
 */
export function planRing(
  hosts: Pick<WeightedHosts, 'weights' | 'minWeight'>,
  config: Pick<RingHashConfig, 'minimumRingSize' | 'maximumRingSize'>,
): { entriesPerHost: Uint32Array; scale: number; gauges: TableGauges | undefined } {
  const hostCount = hosts.weights.length;
  const entriesPerHost = new Uint32Array(hostCount);
  if (hostCount === 0) return { entriesPerHost, scale: 0, gauges: undefined };
  const { minWeight } = hosts;
  const scale = Math.min(Math.ceil(minWeight * config.minimumRingSize) / minWeight, config.maximumRingSize);
  const size = Math.ceil(scale);
  let current = 0;
  let target = 0;
  let min = size;
  let max = 0;
  for (let host = 0; host < hostCount; host++) {
    target += scale * (hosts.weights[host] as number);
    // The proxy adds entries one by one while current < target.
    const entries = Math.max(0, Math.ceil(target) - current);
    current += entries;
    entriesPerHost[host] = entries;
    min = Math.min(min, entries);
    max = Math.max(max, entries);
  }
  return { entriesPerHost, scale, gauges: { size, minPerHost: min, maxPerHost: max } };
}

/** First entry whose hash is at least the given one; n if there is none. */
export function lowerBound(ring: SortedRing & { readonly entryCount: number }, hashHi: number, hashLo: number): number {
  const { entries, index, indexShift, entryCount } = ring;
  const slot = hashHi >>> indexShift;
  let low = index[slot] as number;
  if (low + 4 <= entryCount) {
    // Which of the two or so entries of a slot it is, is chance: four comparisons that are added cost less than a jump that
    // was guessed wrong.
    const at = 3 * low + 1;
    const below =
      +((entries[at] as number) < hashHi) +
      +((entries[at + 3] as number) < hashHi) +
      +((entries[at + 6] as number) < hashHi) +
      +((entries[at + 9] as number) < hashHi);
    low += below;
    if (below < 4 && (entries[3 * low + 1] as number) !== hashHi) return low;
  }
  let high = index[slot + 1] as number;
  // Hosts that share a key can crowd one slot; a binary search keeps even that logarithmic.
  while (high - low > 4) {
    const middle = (low + high) >>> 1;
    if (isBelow(entries, middle, hashHi, hashLo)) low = middle + 1;
    else high = middle;
  }
  while (low < high && isBelow(entries, low, hashHi, hashLo)) low++;
  return low;
}

function isBelow(entries: Uint32Array, entry: number, hashHi: number, hashLo: number): boolean {
  const hi = entries[3 * entry + 1] as number;
  return hi < hashHi || (hi === hashHi && (entries[3 * entry] as number) < hashLo);
}
