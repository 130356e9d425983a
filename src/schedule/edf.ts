/**
 * Earliest-deadline-first schedule of weighted entries.
 *
 * Each entry is due 1 / weight after its last pick, so that in the long run it is picked in proportion to its weight,
 * and spread evenly. An entry's weight is read when it is queued: a change of weight acts from the entry's next turn.
 *
 * Source: the proxy's EDF scheduler. Order: by deadline, then first in, first out on exactly equal doubles. Draws: none.
 * Cost: one sift-down per pick, O(log size).
 */
export interface EdfSchedule {
  /** A binary min-heap in three columns: deadline, order of insertion, entry. */
  readonly deadlines: Float64Array;
  readonly orders: Float64Array;
  readonly entries: Int32Array;
  size: number;
  /** Deadline of the entry picked last. */
  now: number;
  /** Insertions so far. */
  nextOrder: number;
  /** Entries that were peeked at and not yet picked, oldest first. */
  readonly peeked: number[];
}

/** Weight, > 0, of an entry of the schedule that `context` describes. A plain function, so that a pick allocates nothing. */
export type WeightOf<Context> = (context: Context, entry: number) => number;

/** Takes the entry that is due and queues it again with its current weight. @returns -1 from an empty schedule. */
export const pick = <Context>(schedule: EdfSchedule, weightOf: WeightOf<Context>, context: Context): number =>
  schedule.peeked.length > 0 ? (schedule.peeked.shift() as number) : advance(schedule, weightOf, context);

/** Returns the entry after those already peeked at; the next picks return the same entries in the same order. */
export function peek<Context>(schedule: EdfSchedule, weightOf: WeightOf<Context>, context: Context): number {
  const entry = advance(schedule, weightOf, context);
  if (entry >= 0) schedule.peeked.push(entry);
  return entry;
}

function advance<Context>(schedule: EdfSchedule, weightOf: WeightOf<Context>, context: Context): number {
  if (schedule.size === 0) return -1;
  const entry = schedule.entries[0] as number;
  const now = schedule.deadlines[0] as number;
  schedule.now = now;
  put(schedule, 0, now + 1.0 / weightOf(context, entry), schedule.nextOrder++, entry);
  return entry;
}

/**
 * Puts an entry at a place of the heap, in place of what is there: that place sinks to the bottom, one comparison a level,
 * and what is put there rises, mostly not far, as it is due late.
 */
function put(schedule: EdfSchedule, place: number, deadline: number, order: number, entry: number): void {
  const { deadlines, orders, entries, size } = schedule;
  let at = place;
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    const right = child + 1;
    if (right < size) {
      const one = deadlines[child] as number;
      const other = deadlines[right] as number;
      // Either is as likely, and a guessed jump is dearer than a sum.
      if (one === other) child += +((orders[right] as number) < (orders[child] as number));
      else child += +(other < one);
    }
    deadlines[at] = deadlines[child] as number;
    orders[at] = orders[child] as number;
    entries[at] = entries[child] as number;
    at = child;
  }
  while (at > place) {
    const parent = (at - 1) >> 1;
    const above = deadlines[parent] as number;
    if (above < deadline || (above === deadline && (orders[parent] as number) < order)) break;
    deadlines[at] = above;
    orders[at] = orders[parent] as number;
    entries[at] = entries[parent] as number;
    at = parent;
  }
  deadlines[at] = deadline;
  orders[at] = order;
  entries[at] = entry;
}

/** The entries in the order in which they are due, with their deadlines; those that were peeked at come before. */
export function queued({ deadlines, orders, entries, size }: EdfSchedule): readonly QueuedEntry[] {
  const indices = [...Array(size).keys()];
  const at = (column: Float64Array, index: number): number => column[index] as number;
  indices.sort((a, b) => at(deadlines, a) - at(deadlines, b) || at(orders, a) - at(orders, b));
  return indices.map((index) => ({ entry: entries[index] as number, deadline: at(deadlines, index) }));
}

export type QueuedEntry = Readonly<{ entry: number; deadline: number }>;

/** @param deadlines of entries 0 … n − 1, which tie in this order. */
function scheduleOf(deadlines: Float64Array, now: number): EdfSchedule {
  const size = deadlines.length;
  const [orders, entries] = [new Float64Array(size), new Int32Array(size)];
  for (let entry = 0; entry < size; entry++) orders[entry] = entries[entry] = entry;
  const schedule: EdfSchedule = { deadlines, orders, entries, size, now, nextOrder: size, peeked: [] };
  for (let at = (size >> 1) - 1; at >= 0; at--) put(schedule, at, deadlines[at] as number, at, at);
  return schedule;
}

/** The v2 era's start: entries 0 … count − 1 queued in order, then `picks` of them taken. */
export function createByPicking<Context>(
  count: number,
  weightOf: WeightOf<Context>,
  context: Context,
  picks: number,
): EdfSchedule {
  const deadlines = new Float64Array(count);
  for (let entry = 0; entry < count; entry++) deadlines[entry] = 1.0 / weightOf(context, entry);
  const schedule = scheduleOf(deadlines, 0);
  for (let i = 0; i < picks; i++) pick(schedule, weightOf, context);
  return schedule;
}

/** The proxy limits the picks it skips, so that their products with weights stay exact enough. */
const MAX_PICKS = 429496729;
/** Added to weights by the proxy when it skips picks; it shifts what would be exact ties. */
const EPSILON = 1e-13;

/**
 * The modern start (1.30 and later): entries 0 … count − 1 as if `picks` had been taken already, in O(count). Each
 * first gets the whole picks of its share; the few that are left by rounding are taken one by one. The first deadlines
 * carry the epsilon even for `picks` = 0, so equal deadlines of the older start may fall in another order here.
 * @param picks an unsigned 32-bit integer, taken modulo 429496729.
 */
export function createWithPicks<Context>(
  count: number,
  weightOf: WeightOf<Context>,
  context: Context,
  picks: number,
): EdfSchedule {
  const skipped = picks % MAX_PICKS;
  const weights = new Float64Array(count);
  let total = 0;
  for (let entry = 0; entry < count; entry++) {
    const weight = weightOf(context, entry) + EPSILON;
    weights[entry] = weight;
    total += weight;
  }

  const deadlines = new Float64Array(count);
  let now = 0;
  let taken = 0;
  for (let entry = 0; entry < count; entry++) {
    const weight = weights[entry] as number;
    let turns = Math.trunc((weight * skipped) / total);
    // Rounding may have given it a turn that is not over yet.
    if (turns > 0 && turns / weight >= skipped / total) turns -= 1;
    deadlines[entry] = (turns + 1) / weight;
    now = Math.max(now, turns / weight);
    taken += turns;
  }
  const schedule = scheduleOf(deadlines, now);
  for (; taken < skipped && count > 0; taken++) pick(schedule, weightOf, context);
  return schedule;
}
