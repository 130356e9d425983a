import { assert } from '../core/assert.js';
import { compareBytes } from '../core/byte-order.js';
import { mod } from '../core/u64.js';
import { xxhash64String } from '../hash/xxhash64.js';
import { gaugesOf, type MaglevTable, type MaglevTableConfig } from './maglev-table.js';
import { maglev } from './maglev.js';
import type { WeightedHosts } from './table-policy.js';

/** A slot that has become free, and the pick that reaches it next. */
interface FreeSlot {
  readonly slot: number;
  pick: number;
  /** Picks that reach it although they did not walk past it in the full table. Ascending. */
  readonly behind: number[];
}

/** With this many slots, remembering the picks that walked past each of them takes too much memory. */
const MOST_SLOTS = 1 << 20;
/** The work grows with the square of the slots that one host frees; from here on a full build is faster. */
const MOST_FREE = 150;

/**
 * The tables that result from one table when one of its hosts leaves; all hosts have the same weight.
 *
 * Hosts pick in turn: pick number t is that of turn t mod n. Without one host, a pick takes another slot only if it walked
 * past one that is free now. It then frees its own, for the first later pick that walked past that one, and so on: a few
 * hundred of 65,537 picks in a table of a thousand hosts. Slots that are free at the end go to further picks.
 */
export class MaglevWithout {
  private readonly whole: MaglevTable;
  private readonly hostOfTurn: Uint32Array;
  /** By turn: where its walk starts, and how far it steps. */
  private readonly offsets: Uint32Array;
  private readonly skips: Uint32Array;
  private readonly turnOfHost: Uint32Array;
  /** By turn: the inverse of a step of its walk. */
  private readonly inverses: Float64Array;
  /** Slot by pick. */
  private readonly picked: Uint32Array;
  /** Picks that walked past each slot, ascending, one slot after the other; `passedFrom[slot]` is where they begin. */
  private readonly passed: Uint32Array;
  private readonly passedFrom: Uint32Array;

  constructor(
    hosts: WeightedHosts,
    private readonly config: MaglevTableConfig,
  ) {
    assert(MaglevWithout.takes(hosts, config), 'not a table for this: ask first whether it takes it');
    const { tableSize } = config;
    this.whole = maglev.build(hosts, config);
    this.hostOfTurn = turnsOf(hosts.keys, config.sortByKey);
    this.turnOfHost = new Uint32Array(this.hostOfTurn.length);
    this.hostOfTurn.forEach((host, turn) => (this.turnOfHost[host] = turn));
    const walks = Array.from(this.hostOfTurn, (host) => maglevWalk(hosts.keys[host] as string, tableSize));
    this.offsets = Uint32Array.from(walks, ({ offset }) => offset);
    this.skips = Uint32Array.from(walks, ({ skip }) => skip);
    this.inverses = Float64Array.from(this.skips, (skip) => inverseModulo(skip, tableSize));
    this.picked = this.inOrder();
    this.passedFrom = new Uint32Array(tableSize + 1);
    this.walkAgain((slot) => {
      this.passedFrom[slot + 1] = (this.passedFrom[slot + 1] as number) + 1;
    });
    for (let slot = 0; slot < tableSize; slot++) {
      this.passedFrom[slot + 1] = (this.passedFrom[slot + 1] as number) + (this.passedFrom[slot] as number);
    }
    this.passed = new Uint32Array(this.passedFrom[tableSize] as number);
    const next = this.passedFrom.slice();
    this.walkAgain((slot, pick) => {
      const index = next[slot] as number;
      this.passed[index] = pick;
      next[slot] = index + 1;
    });
  }

  /** Whether this works for the hosts of a table, is faster than a build, and one of them can leave. */
  static takes({ keys, weights }: WeightedHosts, { tableSize }: MaglevTableConfig): boolean {
    if (keys.length <= 2 || tableSize > MOST_SLOTS || tableSize > MOST_FREE * keys.length) return false;
    return weights.every((weight) => weight === weights[0]);
  }

  /** The table as a build without this host returns it. @param host index into the hosts. */
  without(host: number): MaglevTable {
    const { slots: before, entriesPerHost: entriesBefore } = this.whole;
    const slots = before.slice();
    for (let slot = 0; slot < slots.length; slot++) {
      const own = slots[slot] as number;
      if (own > host) slots[slot] = own - 1;
    }
    const entriesPerHost = entriesBefore.filter((_, own) => own !== host);
    const gone = this.turnOfHost[host] as number;
    const assign = (slot: number, turn: number): void => {
      const to = this.hostOfTurn[turn] as number;
      slots[slot] = to > host ? to - 1 : to;
    };
    this.assignFree(this.settle(gone, assign), gone, (slot, turn) => {
      assign(slot, turn);
      const to = slots[slot] as number;
      entriesPerHost[to] = (entriesPerHost[to] as number) + 1;
    });
    return { size: this.whole.size, slots, entriesPerHost, gauges: gaugesOf(entriesPerHost, this.config.tableSize) };
  }

  /** Lets picks take slots that became free earlier in their walk. @returns the slots that no pick takes. */
  private settle(gone: number, give: (slot: number, turn: number) => void): number[] {
    const { picked } = this;
    const count = this.turnOfHost.length;
    const waiting: FreeSlot[] = [];
    const left: number[] = [];
    const wait = (free: FreeSlot): void => {
      free.pick = this.nextOf(free, gone);
      if (free.pick >= picked.length) left.push(free.slot);
      else push(waiting, free);
    };
    for (let pick = gone; pick < picked.length; pick += count) {
      wait({ slot: picked[pick] as number, pick, behind: [] });
    }
    for (let next = pop(waiting); next !== undefined; next = pop(waiting)) {
      const { pick } = next;
      const turn = pick % count;
      // Of several free slots it takes the one that it reaches first, and reaches the others when it picks again.
      let taken = next;
      const others: FreeSlot[] = [];
      while (waiting[0]?.pick === pick) {
        const other = pop(waiting) as FreeSlot;
        const isNearer = this.stepsTo(turn, other.slot) < this.stepsTo(turn, taken.slot);
        others.push(isNearer ? taken : other);
        if (isNearer) taken = other;
      }
      give(taken.slot, turn);
      wait({ slot: picked[pick] as number, pick, behind: [pick + count] });
      for (const other of others) {
        if (other.behind[0] === pick) other.behind.shift();
        other.behind.push(pick + count);
        wait(other);
      }
    }
    return left;
  }

  /** Turns continue after the last pick, until every slot has a host again. */
  private assignFree(left: number[], gone: number, give: (slot: number, turn: number) => void): void {
    const count = this.turnOfHost.length;
    for (let pick = this.picked.length; left.length > 0; pick++) {
      const turn = pick % count;
      if (turn === gone) continue;
      let nearest = 0;
      for (let index = 1; index < left.length; index++) {
        if (this.stepsTo(turn, left[index] as number) < this.stepsTo(turn, left[nearest] as number)) nearest = index;
      }
      give(left[nearest] as number, turn);
      left[nearest] = left[left.length - 1] as number;
      left.pop();
    }
  }

  /** The first pick after the slot's own that reaches a free slot; Infinity: none. */
  private nextOf({ slot, pick, behind }: FreeSlot, gone: number): number {
    const count = this.turnOfHost.length;
    const end = this.passedFrom[slot + 1] as number;
    for (let index = this.passedFrom[slot] as number; index < end; index++) {
      const passer = this.passed[index] as number;
      if (passer > pick && passer % count !== gone) return Math.min(passer, behind[0] ?? Infinity);
    }
    return behind[0] ?? Infinity;
  }

  /** The slots in the order in which they were picked: each host's in the order of its walk, the hosts in turn. */
  private inOrder(): Uint32Array {
    const count = this.turnOfHost.length;
    const own = Array.from({ length: count }, (): { readonly slot: number; readonly steps: number }[] => []);
    this.whole.slots.forEach((host, slot) => {
      const turn = this.turnOfHost[host] as number;
      own[turn]?.push({ slot, steps: this.stepsTo(turn, slot) });
    });
    const picked = new Uint32Array(this.whole.slots.length);
    own.forEach((picks, turn) => {
      picks.sort((a, b) => a.steps - b.steps);
      picks.forEach(({ slot }, round) => (picked[round * count + turn] = slot));
    });
    return picked;
  }

  /** Follows all walks, pick after pick, and reports each slot that was taken already. */
  private walkAgain(pass: (slot: number, pick: number) => void): void {
    const { picked } = this;
    const { offsets, skips } = this;
    const { tableSize } = this.config;
    const positions = offsets.slice();
    for (let pick = 0, turn = 0; pick < picked.length; pick++, turn = turn + 1 === skips.length ? 0 : turn + 1) {
      const skip = skips[turn] as number;
      const found = picked[pick] as number;
      let slot = positions[turn] as number;
      while (slot !== found) {
        pass(slot, pick);
        slot += skip;
        if (slot >= tableSize) slot -= tableSize;
      }
      slot += skip;
      positions[turn] = slot >= tableSize ? slot - tableSize : slot;
    }
  }

  /** How many steps of a walk lead to a slot: a division modulo the prime. Products stay below 2⁵³. */
  private stepsTo(turn: number, slot: number): number {
    const { tableSize } = this.config;
    const product = (slot - (this.offsets[turn] as number) + tableSize) * (this.inverses[turn] as number);
    return product - Math.floor(product / tableSize) * tableSize;
  }
}

/** 1 / value modulo a prime, by Euclid's extended algorithm. @param value 1 … prime − 1 */
function inverseModulo(value: number, prime: number): number {
  let [rest, other] = [prime, value];
  let [factor, otherFactor] = [0, 1];
  while (other > 0) {
    const quotient = Math.floor(rest / other);
    [rest, other] = [other, rest - quotient * other];
    [factor, otherFactor] = [otherFactor, factor - quotient * otherFactor];
  }
  return factor < 0 ? factor + prime : factor;
}

/** A binary heap: the earliest pick is first. */
function push(heap: FreeSlot[], free: FreeSlot): void {
  let at = heap.length;
  heap.push(free);
  while (at > 0) {
    const above = (at - 1) >>> 1;
    if ((heap[above] as FreeSlot).pick <= free.pick) break;
    heap[at] = heap[above] as FreeSlot;
    at = above;
  }
  heap[at] = free;
}

function pop(heap: FreeSlot[]): FreeSlot | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && (heap[below + 1] as FreeSlot).pick < (heap[below] as FreeSlot).pick) below++;
    if ((heap[below] as FreeSlot).pick >= last.pick) break;
    heap[at] = heap[below] as FreeSlot;
    at = below;
  }
  heap[at] = last;
  return first;
}

const SEED_1 = { hi: 0, lo: 1 };

/** Where a host's walk over the slots begins, and how far each of its steps goes. */
export function maglevWalk(key: string, tableSize: number): { readonly offset: number; readonly skip: number } {
  const [offset, skip] = [xxhash64String(key), xxhash64String(key, SEED_1)];
  return { offset: mod(offset.hi, offset.lo, tableSize), skip: mod(skip.hi, skip.lo, tableSize - 1) + 1 };
}

/** The host of each turn of a round: by the bytes of their keys, equal keys as listed, or all as listed. */
export function turnsOf(keys: readonly string[], sortByKey: boolean): Uint32Array {
  const hosts = Uint32Array.from(keys.keys());
  const compare = (a: number, b: number): number => compareBytes(keys[a] as string, keys[b] as string) || a - b;
  // Mostly they are in order.
  return !sortByKey || hosts.every((host) => host === 0 || compare(host - 1, host) <= 0) ? hosts : hosts.sort(compare);
}
