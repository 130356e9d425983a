import type { EventQueue } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';

/** Events of one instant are handled in this order, ties as scheduled; `arrivals` are further ordered by workload, in file order. */
export const EventKind = {
  /** Intervals, merge windows, time-outs. */
  timer: 0,
  timeline: 1,
  delivery: 2,
  healthResult: 3,
  /** A host is done with a request. */
  response: 4,
  hostArrival: 5,
  arrival: 6,
  /** A connection is made: only after all requests of an instant have arrived, so that a burst finds none. */
  connected: 7,
  /** A probe reaches a host or comes back: it counts all requests of the instant. */
  probe: 7,
} as const;

export type EventKind = (typeof EventKind)[keyof typeof EventKind];

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
