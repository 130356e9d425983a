import type { Micros } from '../core/units.js';
import type { Timers } from './timers.js';

/** Those who wait equally long, in the order in which they began to. */
interface Line<Owner> {
  readonly timeoutUs: Micros;
  /** undefined where nobody waits. */
  first: Deadline<Owner> | undefined;
  last: Deadline<Owner> | undefined;
  /** A timer runs; it may be one of somebody who has left meanwhile. */
  armed: boolean;
}

/** When the time of `owner` is over; a place in a line, to be taken again and again. */
export class Deadline<Owner> {
  dueUs: Micros = 0;
  /** undefined: it waits for nothing. */
  line: Line<Owner> | undefined = undefined;
  before: Deadline<Owner> | undefined = undefined;
  behind: Deadline<Owner> | undefined = undefined;

  constructor(readonly owner: Owner) {}
}

/**
 * Time-outs. Those that wait equally long end in the order in which they began, so a linked line and a single timer for
 * each length do, where a heap would hold an event per request; who is done leaves the line at once, so that it grows
 * with what is open and not with what was ever sent.
 */
export class Deadlines<Owner> {
  private readonly lines = new Map<Micros, Line<Owner>>();
  /** The line that was entered last: most requests have the same time-out. */
  private recent: Line<Owner> | undefined = undefined;

  /** @param expire called for each owner whose time is over; it has left its line. */
  constructor(
    private readonly timers: Timers,
    private readonly expire: (owner: Owner) => void,
  ) {}

  /** The time of `deadline`, which stands in no line, is over `timeoutUs` from now. */
  add(deadline: Deadline<Owner>, timeoutUs: Micros, nowUs: Micros): void {
    const { recent } = this;
    const line = recent?.timeoutUs === timeoutUs ? recent : this.lineFor(timeoutUs);
    const { last } = line;
    deadline.dueUs = nowUs + timeoutUs;
    deadline.line = line;
    deadline.before = last;
    if (last === undefined) line.first = deadline;
    else last.behind = deadline;
    line.last = deadline;
    // While a line is fired, those before may still stand in it.
    if (!line.armed) this.arm(line, (line.first ?? deadline).dueUs);
  }

  /** `deadline` is no longer of interest; nothing happens where it stands in no line. */
  remove(deadline: Deadline<Owner>): void {
    const { line, before, behind } = deadline;
    if (line === undefined) return;
    if (before === undefined) line.first = behind;
    else before.behind = behind;
    if (behind === undefined) line.last = before;
    else behind.before = before;
    deadline.line = undefined;
    deadline.behind = undefined;
  }

  private lineFor(timeoutUs: Micros): Line<Owner> {
    let line = this.lines.get(timeoutUs);
    if (line === undefined) {
      line = { timeoutUs, first: undefined, last: undefined, armed: false };
      this.lines.set(timeoutUs, line);
    }
    this.recent = line;
    return line;
  }

  private arm(line: Line<Owner>, dueUs: Micros): void {
    line.armed = true;
    this.timers.at(dueUs, () => {
      line.armed = false;
      this.fire(line, dueUs);
    });
  }

  private fire(line: Line<Owner>, nowUs: Micros): void {
    while (line.first !== undefined && line.first.dueUs <= nowUs) {
      const { first } = line;
      this.remove(first);
      this.expire(first.owner);
    }
    if (line.first !== undefined && !line.armed) this.arm(line, line.first.dueUs);
  }
}
