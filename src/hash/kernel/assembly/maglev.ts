/**
 * Fills a Maglev table: hashes the hosts' keys to the walks that they take over the slots, then lets the hosts take turns,
 * each the first slot of its walk that is free. maglev-twin.ts has it in plain steps.
 *
 * From INPUT on: the weight of each turn (f64), what it has reached (f64), when it is due, where its walk stands, how far it
 * steps, where its key ends, its host (u32 each), the slots of each host, when the earliest of each block of turns is due, one
 * bit for each taken slot, the slots (u32), and the keys.
 */
import { ensure, INPUT } from './layout';
import { xxHash64 } from './xxhash64';

/** Turns that are looked at together: beside one heavy host, a thousand light ones are not visited in every round. */
const BLOCK_TURNS: u32 = 32;
/** No table takes so many rounds. */
const NEVER: u32 = u32.MAX_VALUE;

let turns: u32 = 0;
let tableSize: u32 = 0;
let blocks: u32 = 0;
let free: u32 = 0;
let most: f64 = 0;
let targets: usize = 0;
let due: usize = 0;
let positions: usize = 0;
let skips: usize = 0;
let keyEnds: usize = 0;
let hostOfTurn: usize = 0;
let counts: usize = 0;
let blockDue: usize = 0;
let taken: usize = 0;
let slots: usize = 0;
let keys: usize = 0;

/** Input, f64 each: the weight of the host of each turn. */
export function turnWeightsAddress(): usize {
  return INPUT;
}

/** Input, u32 each: where the key of each turn ends; it begins where the one before it ends. */
export function turnKeyEndsAddress(): usize {
  return keyEnds;
}

/** Input: the keys, one behind the other. */
export function turnKeysAddress(): usize {
  return keys;
}

/** Input, u32 each: the host of each turn. */
export function turnHostsAddress(): usize {
  return hostOfTurn;
}

/** Result, u32 each: how many slots each host took. */
export function slotCountsAddress(): usize {
  return counts;
}

/** Result, u32 each: the host that took each slot. */
export function slotsAddress(): usize {
  return slots;
}

/**
 * Starts a table: makes room for its input and its slots.
 *
 * @param turnCount hosts, at least one.
 * @param keyBytes at least the length of all keys.
 * @param maxWeight the largest weight.
 */
export function startTable(turnCount: u32, slotCount: u32, keyBytes: u32, maxWeight: f64): void {
  turns = turnCount;
  tableSize = slotCount;
  blocks = (turns + BLOCK_TURNS - 1) / BLOCK_TURNS;
  free = slotCount;
  most = maxWeight;
  const column = (<usize>turns) << 2;
  targets = INPUT + (column << 1);
  due = targets + (column << 1);
  positions = due + column;
  skips = positions + column;
  keyEnds = skips + column;
  hostOfTurn = keyEnds + column;
  counts = hostOfTurn + column;
  blockDue = counts + column;
  taken = blockDue + ((<usize>blocks) << 2);
  const takenBytes = ((<usize>tableSize >> 5) + 1) << 2;
  slots = taken + takenBytes;
  keys = slots + ((<usize>tableSize) << 2);
  ensure(keys + keyBytes + 8);
  memory.fill(targets, 0, column << 1);
  memory.fill(counts, 0, column);
  memory.fill(taken, 0, takenBytes);
}

/** Where each walk begins and how far it steps, from the keys. Every host has a turn in round one. */
export function startWalks(): void {
  let from = keys;
  for (let turn: u32 = 0; turn < turns; turn++) {
    const at = (<usize>turn) << 2;
    const end = keys + load<u32>(keyEnds + at);
    const length = <u32>(end - from);
    store<u32>(positions + at, <u32>(xxHash64(from, length, 0) % tableSize));
    store<u32>(skips + at, <u32>(xxHash64(from, length, 1) % (tableSize - 1)) + 1);
    store<u32>(due + at, 1);
    from = end;
  }
  for (let at = blockDue; at < taken; at += 4) store<u32>(at, 1);
}

/** Rounds, until the table is full. */
export function fillTable(): void {
  for (let round: u32 = 1; free > 0; round++) {
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
      takeSlot(turn);
      const target = load<f64>(targets + (at << 1)) + most;
      store<f64>(targets + (at << 1), target);
      next = nextRound(round, load<f64>(INPUT + (at << 1)), target);
      store<u32>(due + at, next);
    }
    earliest = min(earliest, next);
  }
  store<u32>(blockDue + ((<usize>block) << 2), earliest);
}

@inline
function takeSlot(turn: u32): void {
  const at = (<usize>turn) << 2;
  const skip = load<u32>(skips + at);
  let slot = load<u32>(positions + at);
  let word = taken + ((<usize>slot >> 5) << 2);
  let bits = load<u32>(word);
  while ((bits >> (slot & 31)) & 1) {
    slot += skip;
    if (slot >= tableSize) slot -= tableSize;
    word = taken + ((<usize>slot >> 5) << 2);
    bits = load<u32>(word);
  }
  store<u32>(word, bits | (1 << (slot & 31)));
  store<u32>(positions + at, slot);
  const host = load<u32>(hostOfTurn + at);
  store<u32>(slots + ((<usize>slot) << 2), host);
  const count = counts + ((<usize>host) << 2);
  store<u32>(count, load<u32>(count) + 1);
  free--;
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
