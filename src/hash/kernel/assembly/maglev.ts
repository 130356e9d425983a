/**
 * Fills a Maglev table: hashes the hosts' keys to the walks that they take over the slots, then lets the hosts take turns,
 * each the first slot of its walk that is free. test/support/maglev-twin.ts has it in plain steps.
 *
 * From INPUT on: the weight of each host, what each turn has reached (f64 each), when it is due, where its walk stands, how far
 * it steps, what undoes a step, where the key of each host ends, the host of each turn, room to sort them, the slots of each
 * host (u32 each), when the earliest of each block of turns is due, the last free slots, one bit for each taken slot, the slots
 * (u32), and the keys.
 */
import { ensure, INPUT } from './layout';
import { sortByText, textEnd, textStart } from './text-order';
import { xxHash64 } from './xxhash64';

/** Turns that are looked at together: beside one heavy host, a thousand light ones are not visited in every round. */
const BLOCK_TURNS: u32 = 32;
/** No table takes so many rounds. */
const NEVER: u32 = u32.MAX_VALUE;

let turns: u32 = 0;
let tableSize: u32 = 0;
let blocks: u32 = 0;
let free: u32 = 0;
/** When no more slots are free, they are listed: half of all steps of walks would be looking for these. */
let few: u32 = 0;
let most: f64 = 0;
let round: u32 = 0;
let targets: usize = 0;
let due: usize = 0;
let positions: usize = 0;
let skips: usize = 0;
let inverses: usize = 0;
let keyEnds: usize = 0;
let hostOfTurn: usize = 0;
let spareTurns: usize = 0;
let counts: usize = 0;
let blockDue: usize = 0;
let lastFree: usize = 0;
let taken: usize = 0;
let slots: usize = 0;
let keys: usize = 0;

/** Input, f64 each: the weight of each host. */
export function hostWeightsAddress(): usize {
  return INPUT;
}

/** Input, u32 each: where the key of each host ends; it begins where the one before it ends. */
export function hostKeyEndsAddress(): usize {
  return keyEnds;
}

/** Input: the keys, one behind the other. */
export function hostKeysAddress(): usize {
  return keys;
}

/** Result, u32 each: how many slots each host took. */
export function slotCountsAddress(): usize {
  return counts;
}

/** Result, u32 each: the host that took each slot; u32.MAX_VALUE: it is free. */
export function slotsAddress(): usize {
  return slots;
}

/**
 * Starts a table: makes room for its input and its slots.
 *
 * @param hostCount at least one.
 * @param keyBytes at least the length of all keys.
 * @param maxWeight the largest weight.
 */
export function startTable(hostCount: u32, slotCount: u32, keyBytes: u32, maxWeight: f64): void {
  turns = hostCount;
  tableSize = slotCount;
  blocks = (turns + BLOCK_TURNS - 1) / BLOCK_TURNS;
  free = slotCount;
  few = <u32>Math.sqrt(slotCount);
  most = maxWeight;
  round = 0;
  const column = (<usize>turns) << 2;
  targets = INPUT + (column << 1);
  due = targets + (column << 1);
  positions = due + column;
  skips = positions + column;
  inverses = skips + column;
  keyEnds = inverses + column;
  hostOfTurn = keyEnds + column;
  spareTurns = hostOfTurn + column;
  counts = spareTurns + column;
  blockDue = counts + column;
  lastFree = blockDue + ((<usize>blocks) << 2);
  taken = lastFree + ((<usize>few) << 2);
  const takenBytes = ((<usize>tableSize >> 5) + 1) << 2;
  slots = taken + takenBytes;
  keys = slots + ((<usize>tableSize) << 2);
  ensure(keys + keyBytes + 8);
  memory.fill(targets, 0, column << 1);
  memory.fill(inverses, 0, column);
  memory.fill(counts, 0, column);
  memory.fill(taken, 0, takenBytes);
  memory.fill(slots, 0xff, (<usize>tableSize) << 2);
}

/** Hosts take turns as listed, or by the bytes of their keys, equal keys as listed. */
export function orderTurns(byKey: bool): void {
  for (let turn: u32 = 0; turn < turns; turn++) store<u32>(hostOfTurn + ((<usize>turn) << 2), turn);
  if (byKey) hostOfTurn = sortByText(hostOfTurn, spareTurns, turns, keys, keyEnds);
}

/** Where each walk begins and how far it steps, from the keys. Every host has a turn in round one. */
export function startWalks(): void {
  for (let turn: u32 = 0; turn < turns; turn++) {
    const at = (<usize>turn) << 2;
    const host = load<u32>(hostOfTurn + at);
    const from = textStart(keys, keyEnds, host);
    const length = <u32>(textEnd(keys, keyEnds, host) - from);
    store<u32>(positions + at, <u32>(xxHash64(from, length, 0) % tableSize));
    store<u32>(skips + at, <u32>(xxHash64(from, length, 1) % (tableSize - 1)) + 1);
    store<u32>(due + at, 1);
  }
  for (let at = blockDue, end = blockDue + ((<usize>blocks) << 2); at < end; at += 4) store<u32>(at, 1);
}

/** Further rounds, until at most so many slots are free. */
export function fillTable(rest: u32): void {
  while (free > rest) {
    round++;
    for (let block: u32 = 0; block < blocks && free > 0; block++) {
      if (load<u32>(blockDue + ((<usize>block) << 2)) <= round) fillBlock(block, round);
    }
  }
}

/** The turns of a block in one round. Exported as is countBlock: called often, it is soon optimised. */
export function fillBlock(block: u32, round: u32): void {
  let earliest: u32 = NEVER;
  const end = min<u32>(turns, (block + 1) * BLOCK_TURNS);
  for (let turn = block * BLOCK_TURNS; turn < end && free > 0; turn++) {
    const at = (<usize>turn) << 2;
    let next = load<u32>(due + at);
    if (next <= round) {
      const host = load<u32>(hostOfTurn + at);
      takeSlot(turn, host);
      const target = load<f64>(targets + (at << 1)) + most;
      store<f64>(targets + (at << 1), target);
      next = nextRound(round, load<f64>(INPUT + ((<usize>host) << 3)), target);
      store<u32>(due + at, next);
    }
    earliest = min(earliest, next);
  }
  store<u32>(blockDue + ((<usize>block) << 2), earliest);
}

@inline
function takeSlot(turn: u32, host: u32): void {
  const at = (<usize>turn) << 2;
  const slot = free > few ? walk(at) : nearest(at);
  const byte = taken + (<usize>slot >> 3);
  store<u8>(byte, load<u8>(byte) | (1 << (<u8>slot & 7)));
  store<u32>(positions + at, slot);
  store<u32>(slots + ((<usize>slot) << 2), host);
  const count = counts + ((<usize>host) << 2);
  store<u32>(count, load<u32>(count) + 1);
  free--;
  if (free == few) listFree();
}

@inline
function isSet(bits: usize, slot: u32): bool {
  return <bool>((load<u8>(bits + (<usize>slot >> 3)) >> (slot & 7)) & 1);
}

/** The next free slot of a walk, step by step. */
@inline
function walk(at: usize): u32 {
  // Globals are loaded again in each step of a loop.
  const bits = taken;
  const size = tableSize;
  const skip = load<u32>(skips + at);
  const step = skip - size;
  let slot = load<u32>(positions + at);
  while (isSet(bits, slot)) {
    // Whether it passes the end is chance: a mask costs less than a jump that was guessed wrong.
    const past = slot + step;
    const on = slot + skip;
    slot = select<u32>(on, past, on < size);
  }
  return slot;
}

function listFree(): void {
  let to = lastFree;
  for (let slot: u32 = 0; slot < tableSize; slot++) {
    if (isSet(taken, slot)) continue;
    store<u32>(to, slot);
    to += 4;
  }
}

/**
 * The same of the last free slots: the one of the fewest steps, which are (slot − position) / skip modulo the table's size, a
 * prime. The slot leaves the list.
 */
function nearest(at: usize): u32 {
  let inverse: u64 = load<u32>(inverses + at);
  if (inverse == 0) {
    inverse = inverseOf(load<u32>(skips + at));
    store<u32>(inverses + at, <u32>inverse);
  }
  const size: u64 = tableSize;
  const back = size - load<u32>(positions + at);
  let found = lastFree;
  let least = size;
  const end = lastFree + ((<usize>free) << 2);
  for (let here = lastFree; here < end; here += 4) {
    const steps = ((load<u32>(here) + back) * inverse) % size;
    if (steps >= least) continue;
    least = steps;
    found = here;
  }
  const slot = load<u32>(found);
  store<u32>(found, load<u32>(end - 4));
  return slot;
}

/** skip⁻¹ modulo the table's size n: skipⁿ⁻² by Fermat. */
function inverseOf(skip: u64): u64 {
  const size: u64 = tableSize;
  let result: u64 = 1 % size;
  let power = skip;
  for (let bits = size - 2; bits > 0; bits >>= 1) {
    if (bits & 1) result = (result * power) % size;
    power = (power * power) % size;
  }
  return result;
}

/**
 * The first round after `round` that serves a host: the proxy skips it while `round * weight < target`, in doubles. The
 * division may be off by a rounding error, so the comparison decides.
 */
@inline
function nextRound(round: u32, weight: f64, target: f64): u32 {
  if (<f64>(round + 1) * weight >= target) return round + 1;
  const estimate = target / weight;
  if (!(estimate < <f64>(NEVER >> 1))) return NEVER;
  let next = max<u32>(round + 2, max<u32>(1, <u32>estimate) - 1);
  while (<f64>next * weight < target) next++;
  return next;
}
