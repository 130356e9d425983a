/** Consistent hashing: tables that are built from hosts and map a hash to a host, one at a time or many at once. */
import * as args from '../core/arguments.js';
import { entryOf } from '../core/values.js';
import type { U64 } from '../core/u64.js';
import { keptArcs, keptSlots } from '../policy/kept-keys.js';
import { isPrime } from '../core/divisors.js';
import { maglev, type MaglevTable, type MaglevTableConfig } from '../policy/maglev.js';
import { type RingEntry, ringEntry, ringHash, type RingHashConfig, type RingTable } from '../policy/ring-hash.js';
import type { HostIndex, WeightedHosts } from '../policy/policy-kinds.js';
import { LB_DEFAULTS } from '../core/defaults.js';
import { optionsIn } from '../core/options.js';
import { MaglevOptions, RingOptions } from './generated/picker-options.js';

/** The proxy's default is its limit as well. */
const LARGEST_RING = LB_DEFAULTS.maximumRingSize;
/** The proxy's limit for Maglev tables. */
const LARGEST_TABLE = 5_000_011;

const WEIGHTED_HOSTS = args.madeBy('weightedHosts', 'keys', 'weights', 'minWeight', 'maxWeight');
const RING_OPTIONS = optionsIn(RingOptions);
const MAGLEV_OPTIONS = optionsIn(MaglevOptions);
const RING_TABLE = args.madeBy('buildRing', 'entryCount');
const MAGLEV_TABLE = args.madeBy('buildMaglev', 'slots');
const TABLE = args.must(
  'what buildRing or buildMaglev returns',
  (value) => typeof value === 'object' && value !== null && ('slots' in value || 'entryCount' in value),
);

/**
 * Builds a ketama ring: host h contributes the hashes of `<key>_0`, `<key>_1` … as many as its weight says.
 *
 * Cost: O(n) expected for n entries, in WebAssembly; 14 bytes an entry. Source: Karger et al., STOC 1997; sizes and
 * roundings as the proxy's `RING_HASH`.
 *
 * @param config default: 1024 entries or a few more, so that hosts of equal weight have equally many; xxHash64.
 * @throws RangeError for sizes other than whole numbers of 0 … 8388608, or a minimum above the maximum.
 */
export function buildRing(hosts: WeightedHosts, config: Partial<RingHashConfig> = {}): RingTable {
  args.demand('buildRing', ['hosts', hosts, WEIGHTED_HOSTS], ['config', config, RING_OPTIONS]);
  const {
    minimumRingSize = LB_DEFAULTS.minimumRingSize,
    maximumRingSize = LARGEST_RING,
    hashFunction = 'XX_HASH',
  } = config;
  for (const size of [minimumRingSize, maximumRingSize]) {
    if (Number.isInteger(size) && size >= 0 && size <= LARGEST_RING) continue;
    throw new RangeError(`a ring has 0 to ${LARGEST_RING} entries, not ${String(size)}`);
  }
  if (minimumRingSize > maximumRingSize)
    throw new RangeError(`minimumRingSize ${minimumRingSize} is above maximumRingSize ${maximumRingSize}`);
  return ringHash.build(hosts, { minimumRingSize, maximumRingSize, hashFunction });
}

/**
 * The host of a hash: that of the first entry at or after it, on a closed circle. O(1) expected.
 *
 * @param attempt 0; a retry passes 1, 2 … and gets the next entries in turn, which may belong to the same host.
 * @returns index into the ring's hosts; -1: there are none.
 */
export function ringHost(ring: RingTable, hash: U64, attempt = 0): HostIndex {
  // A look-up takes 10 ns: what is good is told in place, without asking what kind of object there is.
  if ((ring as Partial<RingTable> | undefined)?.entryCount === undefined || !args.isU64(hash))
    args.demand('ringHost', ['ring', ring, RING_TABLE], ['hash', hash, args.U64_HALVES]);
  return ringHash.choose(ring, hash.hi, hash.lo, attempt);
}

/** All entries of a ring, ascending by hash. */
export const ringEntries = args.checked('ringEntries', entriesOf, { ring: RING_TABLE });

function* entriesOf(ring: RingTable): Iterable<RingEntry> {
  for (let entry = 0; entry < ring.entryCount; entry++) yield ringEntry(ring, entry);
}

/** The part of all 2⁶⁴ hashes that each host owns, 0–1: lengths of arcs, not numbers of entries. Shape [hosts]. */
export const ringShares = args.checked('ringShares', (ring: RingTable) => ringHash.keyShares(ring), {
  ring: RING_TABLE,
});

/**
 * Fills a Maglev table: hosts take turns, each the first free slot of a permutation of its own, as often as weights say.
 *
 * Cost: O(M log M) expected for M slots; 4 bytes a slot. Source: Eisenbud et al., NSDI 2016, §3.4; weights and the order of
 * turns as the proxy's `MAGLEV`.
 *
 * @param config default: 65537 slots, turns by the byte order of keys, a whole table also for a single host.
 * @throws RangeError for a size that is not a prime of 2 … 5000011.
 */
export function buildMaglev(hosts: WeightedHosts, config: Partial<MaglevTableConfig> = {}): MaglevTable {
  args.demand('buildMaglev', ['hosts', hosts, WEIGHTED_HOSTS], ['config', config, MAGLEV_OPTIONS]);
  const { tableSize = LB_DEFAULTS.maglevTableSize, sortByKey = true, singleHostShortcut = false } = config;
  if (!isPrime(tableSize) || tableSize > LARGEST_TABLE)
    throw new RangeError(`a Maglev table has a prime number of slots up to ${LARGEST_TABLE}, not ${String(tableSize)}`);
  return maglev.build(hosts, { tableSize, sortByKey, singleHostShortcut });
}

/** As {@link ringHost}: the host in slot `hash mod slots`; a retry looks at another slot. */
export function maglevHost(table: MaglevTable, hash: U64, attempt = 0): HostIndex {
  if ((table as Partial<MaglevTable> | undefined)?.slots === undefined || !args.isU64(hash))
    args.demand('maglevHost', ['table', table, MAGLEV_TABLE], ['hash', hash, args.U64_HALVES]);
  return maglev.choose(table, hash.hi, hash.lo, attempt);
}

/** As {@link ringShares}. */
export const maglevShares = args.checked('maglevShares', (table: MaglevTable) => maglev.keyShares(table), {
  table: MAGLEV_TABLE,
});

/**
 * The part of all 2⁶⁴ hashes, 0–1, that changes its host from one table to the other. Exact: every arc or slot is looked
 * at.
 *
 * @param keysBefore keys of the hosts, in the order the table was built of; equal keys are the same host.
 * @throws RangeError for a ring beside a Maglev table, or Maglev tables of different sizes, which cannot be compared.
 */
export const movedKeys = args.checked('movedKeys', movedBetween, {
  before: TABLE,
  keysBefore: args.TEXTS,
  after: TABLE,
  keysAfter: args.TEXTS,
});

function movedBetween(
  before: RingTable | MaglevTable,
  keysBefore: readonly string[],
  after: RingTable | MaglevTable,
  keysAfter: readonly string[],
): number {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => entryOf(numbers, key, () => numbers.size);
  const [hostsBefore, hostsAfter] = [keysBefore.map(numberOf), keysAfter.map(numberOf)];
  if ('slots' in before && 'slots' in after) {
    if (before.size !== after.size) throw new RangeError(`tables of ${before.size} and ${after.size} slots`);
    return 1 - keptMaglev(before, hostsBefore, after, hostsAfter);
  }
  if ('entryCount' in before && 'entryCount' in after) {
    // Arcs are summed in doubles: a rounding error of 0 must not count.
    const moved = 1 - keptArcs(before, hostsBefore, after, hostsAfter);
    return moved < 1e-12 ? 0 : moved;
  }
  throw new RangeError('a ring and a Maglev table divide the hashes in ways that cannot be compared');
}

/** Without hosts a table has no slots, with the shortcut for one host a single one. */
function keptMaglev(
  before: MaglevTable,
  hostsBefore: readonly number[],
  after: MaglevTable,
  hostsAfter: readonly number[],
): number {
  if (before.slots.length === 0 || after.slots.length === 0) return before.slots.length === after.slots.length ? 1 : 0;
  return keptSlots(spread(before), hostsBefore, spread(after), hostsAfter);
}

function spread(table: MaglevTable): MaglevTable {
  const { slots, size } = table;
  return slots.length === size ? table : { ...table, slots: new Uint32Array(size).fill(slots[0] ?? 0) };
}

const HASHES = args.must('what hashKeys returns', (value) => value instanceof Uint32Array);
const HOSTS = args.must('what hostsOfHashes returns', (value) => value instanceof Int32Array);

/**
 * The host of each hash, as `ringHost` and `maglevHost` find it: index into the table's hosts, -1 where there are none.
 *
 * @param hashes shape [n, 2]: low half, high half, as `hashKeys` gives them.
 */
export function hostsOfHashes(table: RingTable | MaglevTable, hashes: Uint32Array): Int32Array {
  args.demand('hostsOfHashes', ['table', table, TABLE], ['hashes', hashes, HASHES]);
  const hosts = new Int32Array(hashes.length >> 1);
  // Two loops: each calls one policy, which the engine can then put in its place.
  if ('slots' in table) {
    for (let i = 0; i < hosts.length; i++)
      hosts[i] = maglev.choose(table, hashes[2 * i + 1] as number, hashes[2 * i] as number, 0);
  } else {
    for (let i = 0; i < hosts.length; i++)
      hosts[i] = ringHash.choose(table, hashes[2 * i + 1] as number, hashes[2 * i] as number, 0);
  }
  return hosts;
}

/**
 * How many keys go from which host to which: the matrix of a disruption.
 *
 * Example: 3 hosts, the last of which leaves; its two keys go one to each
 *     hostsBefore [0, 1, 2, 2], hostsAfter [0, 1, 0, 1] of 2 hosts → [1, 0, 0, 1, 1, 1]
 *
 * @param hostsBefore the host of each key, 0 … `countBefore` − 1; a key without a host, -1, counts nowhere.
 * @param hostsAfter parallel to it.
 * @returns shape [countBefore, countAfter].
 * @throws RangeError for lists of different lengths.
 */
export const moveMatrix = args.checked(
  'moveMatrix',
  (hostsBefore: Int32Array, countBefore: number, hostsAfter: Int32Array, countAfter: number): Uint32Array => {
    if (hostsBefore.length !== hostsAfter.length)
      throw new RangeError(`hosts of ${hostsBefore.length} keys before, and of ${hostsAfter.length} after`);
    const matrix = new Uint32Array(countBefore * countAfter);
    for (let key = 0; key < hostsBefore.length; key++) {
      const [from, to] = [hostsBefore[key] as number, hostsAfter[key] as number];
      if (from >= 0 && to >= 0) matrix[from * countAfter + to] = (matrix[from * countAfter + to] as number) + 1;
    }
    return matrix;
  },
  { hostsBefore: HOSTS, countBefore: args.INDEX, hostsAfter: HOSTS, countAfter: args.INDEX },
);
