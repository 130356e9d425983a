import type { EventQueue } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';
import { EventKind } from './event-kind.js';

/** Rare one-shot callbacks at a virtual time: merge windows, time-outs, timeline entries. */
export class Timers {
  private readonly callbacks = new Map<number, () => void>();
  private nextId = 0;

  constructor(private readonly queue: EventQueue<EventKind>) {}

  at(timeUs: Micros, callback: () => void, kind: EventKind = EventKind.timer): void {
    const id = this.nextId++ | 0;
    this.callbacks.set(id, callback);
    this.queue.push(timeUs, kind, id);
  }

  fire(id: number): void {
    const callback = this.callbacks.get(id);
    this.callbacks.delete(id);
    callback?.();
  }
}
