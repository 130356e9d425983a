import type { Micros } from '../core/units.js';
import { grownDoubles, grownInts } from './columns.js';
import type { Timers } from './timers.js';

/** The slots that wait equally long, in the order in which they began to. */
interface Line {
  readonly timeoutUs: Micros;
  /** First and last slot; {@link NONE} where nobody waits. */
  head: number;
  tail: number;
  /** A timer runs; it may be one of a slot that has left meanwhile. */
  armed: boolean;
}

const NONE = -1;

/**
 * Time-outs of slots, at most one each. Those that wait equally long end in the order in which they began, so a linked
 * line and a single timer for each length do, where a heap would hold an event per request; who is done leaves the line
 * at once, so that it grows with what is open and not with what was ever sent.
 */
export class Deadlines {
  private readonly lines: Line[] = [];
  private readonly byTimeout = new Map<Micros, number>();
  /** Number of the line that was entered last: most requests have the same time-out. */
  private recent = NONE;
  /** By slot: the line it stands in, its neighbours there, and when its time is over. */
  private lineOf = new Int32Array(64).fill(NONE);
  private next = new Int32Array(64);
  private previous = new Int32Array(64);
  private dues = new Float64Array(64);

  /** @param expire called for each slot whose time is over; it has left its line. */
  constructor(
    private readonly timers: Timers,
    private readonly expire: (slot: number) => void,
  ) {}

  /** The time of `slot`, which stands in no line, is over `timeoutUs` from now. */
  add(slot: number, timeoutUs: Micros, nowUs: Micros): void {
    if (slot >= this.lineOf.length) this.grow(slot);
    const index = this.lines[this.recent]?.timeoutUs === timeoutUs ? this.recent : this.lineFor(timeoutUs);
    this.recent = index;
    const line = this.lines[index] as Line;
    this.lineOf[slot] = index;
    this.next[slot] = NONE;
    this.previous[slot] = line.tail;
    this.dues[slot] = nowUs + timeoutUs;
    if (line.tail === NONE) line.head = slot;
    else this.next[line.tail] = slot;
    line.tail = slot;
    if (!line.armed) this.arm(line);
  }

  /** `slot` waits no longer; nothing happens where it stands in no line. */
  remove(slot: number): void {
    if (slot >= this.lineOf.length) return;
    const index = this.lineOf[slot] as number;
    if (index === NONE) return;
    const line = this.lines[index] as Line;
    const next = this.next[slot] as number;
    const previous = this.previous[slot] as number;
    if (previous === NONE) line.head = next;
    else this.next[previous] = next;
    if (next === NONE) line.tail = previous;
    else this.previous[next] = previous;
    this.lineOf[slot] = NONE;
  }

  private lineFor(timeoutUs: Micros): number {
    let index = this.byTimeout.get(timeoutUs);
    if (index === undefined) {
      index = this.lines.length;
      this.lines.push({ timeoutUs, head: NONE, tail: NONE, armed: false });
      this.byTimeout.set(timeoutUs, index);
    }
    return index;
  }

  private arm(line: Line): void {
    line.armed = true;
    const due = this.dues[line.head] as number;
    this.timers.at(due, () => {
      line.armed = false;
      this.fire(line, due);
    });
  }

  private fire(line: Line, nowUs: Micros): void {
    while (line.head !== NONE && (this.dues[line.head] as number) <= nowUs) {
      const slot = line.head;
      this.remove(slot);
      this.expire(slot);
    }
    if (line.head !== NONE && !line.armed) this.arm(line);
  }

  private grow(slot: number): void {
    const size = 2 * slot;
    const { length } = this.lineOf;
    this.lineOf = grownInts(this.lineOf, size).fill(NONE, length);
    this.next = grownInts(this.next, size);
    this.previous = grownInts(this.previous, size);
    this.dues = grownDoubles(this.dues, size);
  }
}
