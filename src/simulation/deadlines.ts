import { entryOf } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type { Timers } from './timers.js';

/** The deadlines of one length, in the order of their start. */
interface Line<Owner> {
  readonly timeoutUs: Micros;
  /** undefined where none waits. */
  first: Deadline<Owner> | undefined;
  last: Deadline<Owner> | undefined;
  /** A timer runs, possibly for a deadline that was cancelled in the meantime. */
  armed: boolean;
}

/** An entry of a line, reused again and again. */
export class Deadline<Owner> {
  dueUs: Micros = 0;
  /** undefined: it is in no line. */
  line: Line<Owner> | undefined = undefined;
  before: Deadline<Owner> | undefined = undefined;
  behind: Deadline<Owner> | undefined = undefined;

  constructor(readonly owner: Owner) {}
}

/**
 * Time-outs. Those of equal length end in the order of their start, so one linked line and one timer per length are enough,
 * where a heap would hold an event per request. A finished request leaves its line at once: lines grow with open requests,
 * not with all requests ever sent.
 */
export class Deadlines<Owner> {
  private readonly lines = new Map<Micros, Line<Owner>>();
  /** The line used last: most requests have the same time-out. */
  private recent: Line<Owner> | undefined = undefined;

  /** @param expire called for each owner whose time is over, after it left its line. */
  constructor(
    private readonly timers: Timers,
    private readonly expire: (owner: Owner) => void,
  ) {}

  /** Starts `deadline`, which is in no line: it ends `timeoutUs` from now. */
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
    // While a line fires, earlier ones may still be in it.
    if (!line.armed) this.arm(line, (line.first ?? deadline).dueUs);
  }

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
    const make = (): Line<Owner> => ({ timeoutUs, first: undefined, last: undefined, armed: false });
    return (this.recent = entryOf(this.lines, timeoutUs, make));
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
