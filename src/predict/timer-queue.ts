import { addTo, smallest } from '../core/lists.js';
import type { Micros } from '../core/units.js';

/** Virtual time, and callbacks at moments of it. */
export class TimerQueue {
  nowUs: Micros = 0;
  private readonly due = new Map<Micros, (() => void)[]>();

  /** Infinity: nothing is due any more. */
  get nextUs(): Micros {
    return smallest(this.due.keys());
  }

  at(timeUs: Micros, callback: () => void): void {
    addTo(this.due, timeUs, callback);
  }

  /** Runs the callbacks that are due now, in order of insertion. @returns false where there were none. */
  run(): boolean {
    const callbacks = this.due.get(this.nowUs);
    this.due.delete(this.nowUs);
    for (const callback of callbacks ?? []) callback();
    return callbacks !== undefined;
  }
}
