/**
 * Earliest-deadline-first schedule of weighted entries.
 *
 * Each entry is due 1 / weight after its last pick, so that in the long run it is picked in proportion to its weight,
 * and spread evenly. An entry's weight is read when it is queued: a change of weight acts from the entry's next turn.
 *
 * Source: the proxy's EDF scheduler. Order: by deadline, then first in, first out on exactly equal doubles. Draws: none.
 * Cost: one comparison a level per pick, O(log size).
 */
export interface EdfSchedule {
  /**
   * A tournament of all entries, two numbers each: when it is due, and its turn. At 0 the one that is due first, behind it who lost each
   * match: that at n is between the winners of those at 2n and 2n + 1; from `size` on these are entries themselves.
   */
  readonly records: Float64Array;
  readonly size: number;
  /** A power of two above `size`. A turn is stride × the entries queued before + the entry: the earlier wins a tie. */
  readonly stride: number;
  /** Deadline of the entry picked last. */
  now: number;
  /** Turn of entry 0, were it queued next. Exact to 2⁵³: 5 × 10¹¹ picks of 10,000 entries. */
  nextTurn: number;
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
  const { records, size, stride } = schedule;
  if (size === 0) return -1;
  const entry = entryOf(records[1] as number, stride);
  schedule.now = records[0] as number;
  let due = schedule.now + 1.0 / weightOf(context, entry);
  let turn = schedule.nextTurn + entry;
  schedule.nextTurn += stride;
  // Whoever is due first has won all of its matches: these alone are played again. Half of an even place, made even, is the match above.
  for (let at = (size + entry) & ~1; at > 0; at = (at >> 1) & ~1) {
    const otherDue = records[at] as number;
    if (otherDue > due) continue;
    const otherTurn = records[at + 1] as number;
    if (otherDue === due && otherTurn > turn) continue;
    records[at] = due;
    records[at + 1] = turn;
    due = otherDue;
    turn = otherTurn;
  }
  records[0] = due;
  records[1] = turn;
  return entry;
}

const entryOf = (turn: number, stride: number): number => turn - Math.floor(turn / stride) * stride;

/** The entries in the order in which they are due, with their deadlines; those that were peeked at come before. */
export function queued({ records, size, stride }: EdfSchedule): readonly QueuedEntry[] {
  return Array.from(
    { length: size },
    (_, match) => [records[2 * match] as number, records[2 * match + 1] as number] as const,
  )
    .sort(([a, turnA], [b, turnB]) => a - b || turnA - turnB)
    .map(([deadline, turn]) => ({ entry: entryOf(turn, stride), deadline }));
}

export type QueuedEntry = Readonly<{ entry: number; deadline: number }>;

/** @param deadlines of entries 0 … n − 1, which tie in this order. */
function scheduleOf(deadlines: Float64Array, now: number): EdfSchedule {
  const size = deadlines.length;
  const stride = 2 ** (32 - Math.clz32(size));
  const records = new Float64Array(2 * size);
  const winners = Int32Array.from({ length: 2 * size }, (_, place) => place - size);
  const enter = (match: number, entry: number): void => {
    records[2 * match] = deadlines[entry] as number;
    records[2 * match + 1] = entry * stride + entry;
  };
  for (let match = size - 1; match > 0; match--) {
    const [one, other] = [winners[2 * match] as number, winners[2 * match + 1] as number];
    const [a, b] = [deadlines[one] as number, deadlines[other] as number];
    const isFirst = a < b || (a === b && one < other);
    winners[match] = isFirst ? one : other;
    enter(match, isFirst ? other : one);
  }
  if (size > 0) enter(0, winners[1] as number);
  return { records, size, stride, now, nextTurn: size * stride, peeked: [] };
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
