import { assert } from '../core/assert.js';
import type { Walks } from './maglev-walks.js';
import { inverseModulo, isPrime, Permutations } from './maglev-walks.js';
import type { PolicyTable, TableGauges, WeightedHosts } from './table-policy.js';

/** Turns that are looked at together. */
const BLOCK = 32;

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

/** Builds one table after another. Where hosts come and go, the permutations of those that stay are not hashed again. */
export class MaglevBuilder {
  private readonly permutations: Permutations;

  /** @throws AssertionError if the table's size is no prime. */
  constructor(private readonly config: MaglevTableConfig) {
    const { tableSize, sortByKey } = config;
    assert(isPrime(tableSize), `a Maglev table needs a prime size, not ${tableSize}`);
    this.permutations = new Permutations(tableSize, sortByKey);
  }

  /** As the policy builds it, with the builder's configuration, whatever was built before. */
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
