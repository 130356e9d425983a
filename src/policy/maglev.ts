import { assert } from '../core/assert.js';
import { mod, TWO_32 } from '../core/u64.js';
import { compareBytes, utf8 } from '../hash/bytes.js';
import { xxhash64 } from '../hash/xxhash64.js';
import type { HostIndex } from './list-policy.js';
import type { TablePolicy, WeightedHosts } from './table-policy.js';

export interface MaglevTableConfig {
  /** Slots: a prime, 65537 by default, 5000011 at most. */
  readonly tableSize: number;
  /** Hosts take turns in the byte order of their keys (since 1.27), not in the order of the list. */
  readonly sortByKey: boolean;
  /** One host alone gets no table, and gauges of 1 (since 1.40). */
  readonly singleHostShortcut: boolean;
}

/** What the proxy shows as `maglev_lb.min_entries_per_host` and `.max_entries_per_host`. */
export interface MaglevGauges {
  readonly minEntriesPerHost: number;
  readonly maxEntriesPerHost: number;
}

/** A filled Maglev table. Plain data; never changes. */
export interface MaglevTable {
  /** Host index per slot: `slots[hash mod slots.length]` is the chosen host. Empty without hosts. */
  readonly slots: Uint32Array;
  /** Shape [hosts]: how many slots each host has. */
  readonly entriesPerHost: Uint32Array;
  /** undefined without hosts: the proxy then leaves the gauges as they were. */
  readonly gauges: MaglevGauges | undefined;
}

/** Turns that are looked at together. */
const BLOCK = 32;
const SEED_0 = { hi: 0, lo: 0 };
const SEED_1 = { hi: 0, lo: 1 };

/**
 * MAGLEV: each host walks the table along its own permutation, in turns as its weight allows, and takes the first free slot.
 *
 * Draws: none. Cost: O(M log M) expected to build for M slots, O(1) to choose; 4 bytes a slot.
 * Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, §3.4; weights and the
 * order of hosts as the proxy does them.
 */
export const maglev: TablePolicy<MaglevTableConfig, MaglevTable> = {
  name: 'MAGLEV',

  /** @throws AssertionError if the table's size is no prime: users are told when their configuration is read. */
  build(hosts: WeightedHosts, config: MaglevTableConfig): MaglevTable {
    const { tableSize } = config;
    assert(isPrime(tableSize), `a Maglev table needs a prime size, not ${tableSize}`);
    const hostCount = hosts.keys.length;
    const entriesPerHost = new Uint32Array(hostCount);
    if (hostCount === 0) return { slots: new Uint32Array(0), entriesPerHost, gauges: undefined };
    const slots = new Uint32Array(hostCount === 1 && config.singleHostShortcut ? 1 : tableSize);
    if (hostCount === 1) entriesPerHost[0] = slots.length;
    else fill(slots, entriesPerHost, hosts, config.sortByKey);
    return { slots, entriesPerHost, gauges: gaugesOf(entriesPerHost, tableSize) };
  },

  choose(table: MaglevTable, hashHi: number, hashLo: number, attempt: number): HostIndex {
    const { slots } = table;
    if (slots.length === 0) return -1;
    if (attempt === 0) return slots[mod(hashHi, hashLo, slots.length)] as number;
    // hash ^ (2⁶⁴ − attempt): a retry starts from another hash.
    const hi = (hashHi ^ 0xffffffff) >>> 0;
    const lo = (hashLo ^ (TWO_32 - attempt)) >>> 0;
    return slots[mod(hi, lo, slots.length)] as number;
  },
};

/** Trial division: at most 1118 steps for the largest table. */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2 || (value > 2 && value % 2 === 0)) return false;
  for (let divisor = 3; divisor * divisor <= value; divisor += 2) if (value % divisor === 0) return false;
  return true;
}

function fill(slots: Uint32Array, entriesPerHost: Uint32Array, hosts: WeightedHosts, sortByKey: boolean): void {
  const tableSize = slots.length;
  const keys = hosts.keys.map(utf8);
  const order = keys.map((_, host) => host);
  if (sortByKey) order.sort((a, b) => compareBytes(keys[a] as Uint8Array, keys[b] as Uint8Array));
  // Everything below is indexed by turn, not by host: the walk reads it in one sweep per round.
  const hostOfTurn = Uint32Array.from(order);
  const weights = Float64Array.from(order, (host) => hosts.weights[host] as number);
  const targets = new Float64Array(order.length);
  const positions = new Uint32Array(order.length);
  const skips = new Uint32Array(order.length);
  order.forEach((host, turn) => {
    const key = keys[host] as Uint8Array;
    const offset = xxhash64(key, SEED_0);
    const skip = xxhash64(key, SEED_1);
    positions[turn] = mod(offset.hi, offset.lo, tableSize);
    skips[turn] = mod(skip.hi, skip.lo, tableSize - 1) + 1;
  });
  const { maxWeight } = hosts;
  // One bit a slot stays in the cache where the slots themselves would not.
  const taken = new Uint32Array((tableSize >>> 5) + 1);
  // The round of each turn's next slot, and the earliest of every block of turns: beside one heavy host, a thousand light
  // ones are not asked in every round. Round one serves everybody, however small a weight.
  const due = new Float64Array(order.length).fill(1);
  const blockDue = new Float64Array(Math.ceil(order.length / BLOCK)).fill(1);
  let free = tableSize;
  for (let round = 1; free > 0; round++) {
    for (let block = 0; block < blockDue.length && free > 0; block++) {
      if ((blockDue[block] as number) > round) continue;
      const end = Math.min(order.length, (block + 1) * BLOCK);
      let earliest = Infinity;
      for (let turn = block * BLOCK; turn < end && free > 0; turn++) {
        let next = due[turn] as number;
        if (next <= round) {
          const slot = freeSlot(taken, positions[turn] as number, skips[turn] as number, tableSize);
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

/**
 * The first round after `round` that serves a host: the proxy skips it while `round * weight < target`, in doubles.
 * The division may miss by a rounding error, the comparison decides.
 */
function nextRound(round: number, weight: number, target: number): number {
  if ((round + 1) * weight >= target) return round + 1;
  const estimate = target / weight;
  // No table takes so many rounds, and doubles of this size do not count up by one.
  if (estimate > Number.MAX_SAFE_INTEGER) return Infinity;
  let next = Math.max(round + 2, Math.floor(estimate) - 1);
  while (next * weight < target) next++;
  return next;
}

function gaugesOf(entriesPerHost: Uint32Array, tableSize: number): MaglevGauges {
  return {
    minEntriesPerHost: entriesPerHost.reduce((min, count) => Math.min(min, count), tableSize),
    maxEntriesPerHost: entriesPerHost.reduce((max, count) => Math.max(max, count), 0),
  };
}
