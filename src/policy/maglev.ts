import { assert } from '../core/assert.js';
import { quirksOf } from '../core/quirks.js';
import { mod, TWO_32 } from '../core/u64.js';
import { compareBytes, utf8 } from '../hash/bytes.js';
import { xxhash64String } from '../hash/xxhash64.js';
import type { DecisionTrace } from './decision-trace.js';
import { slotStep } from './table-steps.js';
import type { HostIndex } from './list-policy.js';
import type { PolicyTable, ProxyTablePolicy, TableGauges, WeightedHosts } from './table-policy.js';

export interface MaglevTableConfig {
  /** Slots: a prime, 65537 by default, 5000011 at most. */
  readonly tableSize: number;
  /** Hosts take turns in the byte order of their keys (since 1.27), not in the order of the list. */
  readonly sortByKey: boolean;
  /** One host alone gets no table, and gauges of 1 (since 1.40). */
  readonly singleHostShortcut: boolean;
}

/** A filled Maglev table. Plain data; never changes. */
export interface MaglevTable extends PolicyTable {
  /** Host index per slot: `slots[hash mod slots.length]` is the chosen host. Empty without hosts. */
  readonly slots: Uint32Array;
}

/** Settings of a cluster. */
export interface MaglevConfig {
  /** A prime up to 5000011. */
  readonly tableSize: number;
}

/** Slots of every table before its size could be configured (1.16). */
const FIXED_TABLE_SIZE = 65537;
/** Memory of one slot. */
const SLOT_BYTES = 4;
/** Turns that are looked at together. */
const BLOCK = 32;
const SEED_1 = { hi: 0, lo: 1 };

/**
 * MAGLEV: each host walks the table along its own permutation, in turns as its weight allows, and takes the first free slot.
 *
 * Draws: none. Cost: O(M log M) expected to build for M slots, O(1) to choose; 4 bytes a slot.
 * maglev-twin.ts has it in plain steps, with an example.
 *
 * Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, §3.4; weights and the
 * order of hosts as the proxy does them.
 */
export const maglev: ProxyTablePolicy<{ readonly maglev: MaglevConfig }, MaglevTableConfig, MaglevTable> = {
  name: 'MAGLEV',
  kind: 'table',
  usesWeights: true,
  looksAtLoad: false,
  drawsHosts: false,
  hears: [],
  noun: 'table',
  entriesVary: false,
  hashFunctions: ['XX_HASH'],
  statNames: { minPerHost: 'maglev_lb.min_entries_per_host', maxPerHost: 'maglev_lb.max_entries_per_host' },

  configOf({ maglev: { tableSize } }, version) {
    const { knowsBalanceSettings, maglevSortsHosts, maglevSparesOneHost } = quirksOf(version);
    return {
      tableSize: knowsBalanceSettings ? tableSize : FIXED_TABLE_SIZE,
      sortByKey: maglevSortsHosts,
      singleHostShortcut: maglevSparesOneHost,
    };
  },

  builder(config) {
    const builder = new MaglevBuilder(config);
    return (hosts) => builder.build(hosts);
  },

  ignoresHostOrder: (config) => config.sortByKey,
  hashFunction: () => 'XX_HASH',
  tableBytes: (config) => config.tableSize * SLOT_BYTES,

  /** @throws AssertionError if the table's size is no prime: users are told when their configuration is read. */
  build(hosts: WeightedHosts, config: MaglevTableConfig): MaglevTable {
    return new MaglevBuilder(config).build(hosts);
  },

  choose(table: MaglevTable, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex {
    const { slots } = table;
    if (slots.length === 0) return -1;
    if (attempt === 0) {
      const slot = mod(hashHi, hashLo, slots.length);
      if (trace !== undefined) trace(slotStep(slot, slots.length));
      return slots[slot] as number;
    }
    // hash ^ (2⁶⁴ − attempt): a retry starts from another hash.
    const hi = (hashHi ^ 0xffffffff) >>> 0;
    const lo = (hashLo ^ (TWO_32 - attempt)) >>> 0;
    return slots[mod(hi, lo, slots.length)] as number;
  },

  /** All slots own equally many hashes. */
  keyShares({ entriesPerHost }) {
    const total = entriesPerHost.reduce((sum, entries) => sum + entries, 0);
    return Float64Array.from(entriesPerHost, (entries) => (total === 0 ? 0 : entries / total));
  },

  *entries({ slots }) {
    for (const [slot, host] of slots.entries()) yield { position: String(slot), host };
  },
};

/** Trial division: at most 1118 steps for the largest table. */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2 || (value > 2 && value % 2 === 0)) return false;
  for (let divisor = 3; divisor * divisor <= value; divisor += 2) if (value % divisor === 0) return false;
  return true;
}

/** Where a host's walk over the slots begins, and how far each of its steps goes. */
export function maglevWalk(key: string, tableSize: number): { readonly offset: number; readonly skip: number } {
  const [offset, skip] = [xxhash64String(key), xxhash64String(key, SEED_1)];
  return { offset: mod(offset.hi, offset.lo, tableSize), skip: mod(skip.hi, skip.lo, tableSize - 1) + 1 };
}

/** Builds one table after another. Where hosts come and go, the permutations of those that stay are not hashed again. */
export class MaglevBuilder {
  private readonly permutations: Permutations;

  /** @throws AssertionError if the table's size is no prime. */
  constructor(private readonly config: MaglevTableConfig) {
    const { tableSize, sortByKey } = config;
    assert(isPrime(tableSize), `a Maglev table needs a prime size, not ${tableSize}`);
    this.permutations = new Permutations(tableSize, sortByKey);
  }

  /** As {@link maglev}.build with the builder's configuration, whatever was built before. */
  build(hosts: WeightedHosts): MaglevTable {
    const { tableSize, singleHostShortcut } = this.config;
    const hostCount = hosts.keys.length;
    const entriesPerHost = new Uint32Array(hostCount);
    if (hostCount === 0) return { slots: new Uint32Array(0), size: tableSize, entriesPerHost, gauges: undefined };
    const slots = new Uint32Array(hostCount === 1 && singleHostShortcut ? 1 : tableSize);
    if (hostCount === 1) entriesPerHost[0] = slots.length;
    else fill(slots, entriesPerHost, hosts, this.permutations.of(hosts.keys));
    return { slots, size: tableSize, entriesPerHost, gauges: gaugesOf(entriesPerHost, tableSize) };
  }
}

/** The walks of a table's hosts, in the order of their turns. */
export interface Walks {
  readonly hostOfTurn: Uint32Array;
  /** Where each walk starts. */
  readonly offsets: Uint32Array;
  readonly skips: Uint32Array;
}

/** How the hosts of a table walk it, each along its own permutation. */
export function maglevWalks(keys: readonly string[], { tableSize, sortByKey }: MaglevTableConfig): Walks {
  return new Permutations(tableSize, sortByKey).of(keys);
}

interface Permutation {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly skip: number;
  /** Rank of the key among all known keys, where hosts take turns by key. */
  rank: number;
}

/** Permutations of recently used keys. */
class Permutations {
  private readonly byKey = new Map<string, Permutation>();
  private last: { readonly keys: readonly string[]; readonly own: readonly Permutation[] } = { keys: [], own: [] };

  constructor(
    private readonly tableSize: number,
    private readonly sortByKey: boolean,
  ) {}

  of(keys: readonly string[]): Walks {
    const own = this.lookUp(keys);
    const hosts = keys.length;
    const hostOfTurn = this.sortByKey ? this.byRank(own) : Uint32Array.from(own.keys());
    const offsets = new Uint32Array(hosts);
    const skips = new Uint32Array(hosts);
    for (let turn = 0; turn < hosts; turn++) {
      const { offset, skip } = own[hostOfTurn[turn] as number] as Permutation;
      offsets[turn] = offset;
      skips[turn] = skip;
    }
    return { hostOfTurn, offsets, skips };
  }

  /** A counting sort: hosts of one key stay in the order of the list. */
  private byRank(own: readonly Permutation[]): Uint32Array {
    const starts = new Uint32Array(this.byKey.size + 1);
    for (const { rank } of own) starts[rank + 1] = (starts[rank + 1] as number) + 1;
    for (let rank = 1; rank < starts.length; rank++) {
      starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number);
    }
    const order = new Uint32Array(own.length);
    own.forEach(({ rank }, host) => {
      const place = starts[rank] as number;
      order[place] = host;
      starts[rank] = place + 1;
    });
    return order;
  }

  private lookUp(keys: readonly string[]): readonly Permutation[] {
    const { byKey } = this;
    const before = byKey.size;
    const { keys: lastKeys, own: lastOwn } = this.last;
    let next = 0;
    const own = keys.map((key) => {
      // The keys are mostly those of the last table, without one that has left.
      if (lastKeys[next] !== key && lastKeys[next + 1] === key) next++;
      const known = lastKeys[next] === key ? lastOwn[next++] : byKey.get(key);
      return known ?? this.add(key);
    });
    this.last = { keys, own };
    const grown = byKey.size > before;
    // Keys of hosts that left long ago are dropped.
    if (grown && byKey.size > 2 * keys.length) {
      byKey.clear();
      keys.forEach((key, host) => byKey.set(key, own[host] as Permutation));
    }
    if (grown && this.sortByKey) {
      const sorted = [...byKey.values()].sort((a, b) => compareBytes(a.bytes, b.bytes));
      sorted.forEach((permutation, rank) => (permutation.rank = rank));
    }
    return own;
  }

  private add(key: string): Permutation {
    const { tableSize } = this;
    const permutation = { bytes: utf8(key), ...maglevWalk(key, tableSize), rank: 0 };
    this.byKey.set(key, permutation);
    return permutation;
  }
}

function fill(slots: Uint32Array, entriesPerHost: Uint32Array, hosts: WeightedHosts, walks: Walks): void {
  const tableSize = slots.length;
  // Everything below is indexed by turn, not by host: the walk reads it in one sweep per round.
  const { hostOfTurn, offsets: positions, skips } = walks;
  const turns = hostOfTurn.length;
  const weights = new Float64Array(turns);
  for (let turn = 0; turn < turns; turn++) weights[turn] = hosts.weights[hostOfTurn[turn] as number] as number;
  const targets = new Float64Array(turns);
  const { maxWeight } = hosts;
  // One bit a slot stays in the cache where the slots themselves would not.
  const taken = new Uint32Array((tableSize >>> 5) + 1);
  // The round of each turn's next slot, and the earliest of every block of turns: beside one heavy host, a thousand light
  // ones are not visited in every round. Every host has a turn in round one, however small its weight.
  const due = new Float64Array(turns).fill(1);
  const blockDue = new Float64Array(Math.ceil(turns / BLOCK)).fill(1);
  let free = tableSize;
  // While the table fills up, a walk meets more and more taken slots. Once the M / F steps to one of F free slots exceed F,
  // the nearest free slot is computed instead.
  const few = Math.floor(Math.sqrt(tableSize));
  let left: FreeSlots | undefined;
  for (let round = 1; free > 0; round++) {
    for (let block = 0; block < blockDue.length && free > 0; block++) {
      if ((blockDue[block] as number) > round) continue;
      const end = Math.min(turns, (block + 1) * BLOCK);
      let earliest = Infinity;
      for (let turn = block * BLOCK; turn < end && free > 0; turn++) {
        let next = due[turn] as number;
        if (next <= round) {
          const [from, skip] = [positions[turn] as number, skips[turn] as number];
          if (free <= few) left ??= new FreeSlots(taken, tableSize, free);
          const slot = left === undefined ? freeSlot(taken, from, skip, tableSize) : left.take(from, skip);
          taken[slot >>> 5] = (taken[slot >>> 5] as number) | (1 << (slot & 31));
          positions[turn] = slot;
          const host = hostOfTurn[turn] as number;
          slots[slot] = host;
          entriesPerHost[host] = (entriesPerHost[host] as number) + 1;
          free--;
          const target = (targets[turn] as number) + maxWeight;
          targets[turn] = target;
          next = nextRound(round, weights[turn] as number, target);
          due[turn] = next;
        }
        if (next < earliest) earliest = next;
      }
      blockDue[block] = earliest;
    }
  }
}

/** The first slot from `slot` on, in steps of `skip`, that is not taken. */
function freeSlot(taken: Uint32Array, slot: number, skip: number, tableSize: number): number {
  while (((taken[slot >>> 5] as number) >>> (slot & 31)) & 1) {
    slot += skip;
    if (slot >= tableSize) slot -= tableSize;
  }
  return slot;
}

/** The last free slots of a table. */
class FreeSlots {
  private readonly slots: Uint32Array;
  private count = 0;

  constructor(
    taken: Uint32Array,
    private readonly tableSize: number,
    free: number,
  ) {
    this.slots = new Uint32Array(free);
    for (let slot = 0; slot < tableSize; slot++) {
      if ((((taken[slot >>> 5] as number) >>> (slot & 31)) & 1) === 0) this.slots[this.count++] = slot;
    }
  }

  /**
   * Takes the first free slot of a walk from `from` in steps of `skip`, as {@link freeSlot} does.
   *
   * From there to slot s it is (s − from) / skip steps, a division modulo the prime. Products stay below 2⁵³.
   */
  take(from: number, skip: number): number {
    const { slots, tableSize } = this;
    const inverse = inverseModulo(skip, tableSize);
    let nearest = 0;
    let fewest = Infinity;
    for (let index = 0; index < this.count; index++) {
      const product = ((slots[index] as number) - from + tableSize) * inverse;
      // Equal to `%`: the quotient is below 2²⁴, so that rounding cannot change its integer part.
      const steps = product - Math.floor(product / tableSize) * tableSize;
      if (steps >= fewest) continue;
      fewest = steps;
      nearest = index;
    }
    const slot = slots[nearest] as number;
    this.count--;
    slots[nearest] = slots[this.count] as number;
    return slot;
  }
}

/** 1 / value modulo a prime, by Euclid's extended algorithm. @param value 1 … prime − 1 */
export function inverseModulo(value: number, prime: number): number {
  let [rest, other] = [prime, value];
  let [factor, otherFactor] = [0, 1];
  while (other > 0) {
    const quotient = Math.floor(rest / other);
    [rest, other] = [other, rest - quotient * other];
    [factor, otherFactor] = [otherFactor, factor - quotient * otherFactor];
  }
  return factor < 0 ? factor + prime : factor;
}

/**
 * The first round after `round` that serves a host: the proxy skips it while `round * weight < target`, in doubles. The
 * division may be off by a rounding error, so the comparison decides.
 */
function nextRound(round: number, weight: number, target: number): number {
  if ((round + 1) * weight >= target) return round + 1;
  const estimate = target / weight;
  // No table takes so many rounds, and doubles of this size cannot be incremented by one.
  if (estimate > Number.MAX_SAFE_INTEGER) return Infinity;
  let next = Math.max(round + 2, Math.floor(estimate) - 1);
  while (next * weight < target) next++;
  return next;
}

export function gaugesOf(entriesPerHost: Uint32Array, tableSize: number): TableGauges {
  return {
    size: tableSize,
    minPerHost: entriesPerHost.reduce((min, count) => Math.min(min, count), tableSize),
    maxPerHost: entriesPerHost.reduce((max, count) => Math.max(max, count), 0),
  };
}
