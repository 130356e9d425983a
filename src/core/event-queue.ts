import { assert } from './assert.js';

const SEQUENCE_LIMIT = 2 ** 38;
const ORDER_LIMIT = 2 ** 12;
const KIND_UNIT = SEQUENCE_LIMIT * ORDER_LIMIT;

/**
 * The future events of a simulation: a 4-ary heap on typed arrays, ordered by (time, kind, order, sequence).
 * Kind, order and sequence are packed into one double (3 + 12 + 38 bits), so that two comparisons decide. Nothing is
 * allocated per event, and the order of simultaneous events is the same in every run.
 */
export class EventQueue<Kind extends number = number> {
  /** Infinity where there is no event, so that no child is ever missing. */
  private times = new Float64Array(this.room).fill(Infinity);
  private ranks = new Float64Array(this.room);
  private payloads = new Int32Array(this.room);
  private sequence = 0;
  private count = 0;
  /** The top event was removed, its slot is still empty: mostly a handler schedules the next one, which sifts down from there. */
  private hollow = false;
  /**
   * One event of `asideKind` is kept beside the heap: where half of all events are of one kind, and each schedules the next
   * one, it is stored and removed with one comparison. Infinity: none is.
   */
  private asideUs = Infinity;
  private asideRank = 0;
  private asidePayload = 0;

  /** The event that {@link pop} took out last. */
  timeUs = 0;
  kind = 0 as Kind;
  payload = 0;

  /**
   * @param asideKind the kind that is kept beside the heap; undefined: none.
   * @param room      for this many events at first, more than 4; it doubles when they do not fit.
   */
  constructor(
    private readonly asideKind?: Kind,
    private readonly room = 1024,
  ) {}

  get size(): number {
    return this.count - (this.hollow ? 1 : 0) + (this.asideUs === Infinity ? 0 : 1);
  }

  /** Time of the next event; Infinity if there is none. */
  get nextUs(): number {
    if (this.hollow) this.fill();
    const firstUs = this.times[0] as number;
    return firstUs < this.asideUs ? firstUs : this.asideUs;
  }

  /**
   * @param timeUs  virtual time, whole µs; finite.
   * @param payload what the handler of `kind` needs, as a 32-bit integer.
   * @param order   0 … 4095: earlier among events of the same time and kind.
   */
  push(timeUs: number, kind: Kind, payload: number, order = 0): void {
    assert(this.sequence < SEQUENCE_LIMIT, 'a run of more than 2^38 events');
    const rank = kind * KIND_UNIT + Math.min(order, ORDER_LIMIT - 1) * SEQUENCE_LIMIT + this.sequence++;
    if (kind === this.asideKind && this.asideUs === Infinity) {
      this.asideUs = timeUs;
      this.asideRank = rank;
      this.asidePayload = payload;
      return;
    }
    if (this.hollow) {
      this.hollow = false;
      this.siftDown(timeUs, rank, payload);
      return;
    }
    if (this.count + 4 > this.times.length) this.grow();
    const { times, ranks, payloads } = this;
    let at = this.count++;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const parentTime = times[parent] as number;
      if (parentTime < timeUs || (parentTime === timeUs && (ranks[parent] as number) < rank)) break;
      times[at] = parentTime;
      ranks[at] = ranks[parent] as number;
      payloads[at] = payloads[parent] as number;
      at = parent;
    }
    times[at] = timeUs;
    ranks[at] = rank;
    payloads[at] = payload;
  }

  /** Removes the first event into `timeUs`, `kind` and `payload`; false if there is none. */
  pop(): boolean {
    if (this.hollow) this.fill();
    const firstUs = this.times[0] as number;
    const { asideUs } = this;
    if (asideUs <= firstUs && (asideUs < firstUs || this.asideRank < (this.ranks[0] as number))) {
      if (asideUs === Infinity) return false;
      this.timeUs = asideUs;
      this.kind = this.asideKind as Kind;
      this.payload = this.asidePayload;
      this.asideUs = Infinity;
      return true;
    }
    if (firstUs === Infinity) return false;
    this.timeUs = firstUs;
    // Multiplying by a power of two is exact.
    this.kind = Math.floor((this.ranks[0] as number) * (1 / KIND_UNIT)) as Kind;
    this.payload = this.payloads[0] as number;
    this.hollow = true;
    return true;
  }

  /** The last event takes the empty place at the top. */
  private fill(): void {
    const { times } = this;
    this.hollow = false;
    const last = --this.count;
    const timeUs = times[last] as number;
    times[last] = Infinity;
    if (last > 0) this.siftDown(timeUs, this.ranks[last] as number, this.payloads[last] as number);
  }

  private siftDown(time: number, rank: number, payload: number): void {
    const { times, ranks, payloads, count } = this;
    let at = 0;
    for (;;) {
      // The earliest of four children. Written out: a loop costs twice the time.
      let least = (at << 2) + 1;
      if (least >= count) break;
      let leastTime = times[least] as number;
      const second = least + 1;
      const secondTime = times[second] as number;
      const third = least + 2;
      const thirdTime = times[third] as number;
      const fourth = least + 3;
      const fourthTime = times[fourth] as number;
      if (secondTime <= leastTime && (secondTime < leastTime || (ranks[second] as number) < (ranks[least] as number))) {
        least = second;
        leastTime = secondTime;
      }
      if (thirdTime <= leastTime && (thirdTime < leastTime || (ranks[third] as number) < (ranks[least] as number))) {
        least = third;
        leastTime = thirdTime;
      }
      if (fourthTime <= leastTime && (fourthTime < leastTime || (ranks[fourth] as number) < (ranks[least] as number))) {
        least = fourth;
        leastTime = fourthTime;
      }
      if (leastTime >= time && (leastTime > time || (ranks[least] as number) > rank)) break;
      times[at] = leastTime;
      ranks[at] = ranks[least] as number;
      payloads[at] = payloads[least] as number;
      at = least;
    }
    times[at] = time;
    ranks[at] = rank;
    payloads[at] = payload;
  }

  private grow(): void {
    const { times, ranks, payloads } = this;
    const size = times.length * 2;
    this.times = new Float64Array(size).fill(Infinity);
    this.times.set(times);
    this.ranks = new Float64Array(size);
    this.ranks.set(ranks);
    this.payloads = new Int32Array(size);
    this.payloads.set(payloads);
  }
}
