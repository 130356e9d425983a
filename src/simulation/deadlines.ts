import type { Micros } from '../core/units.js';
import type { Timers } from './timers.js';

/**
 * The time-outs of all requests that wait equally long: since they start in order, they end in order, so a queue and a
 * single timer do, where a heap would hold an event per request.
 */
export class Deadlines {
  private dues = new Float64Array(64);
  private ids = new Float64Array(64);
  private slots = new Int32Array(64);
  private head = 0;
  private length = 0;
  private armed = false;

  /**
   * @param isOpen  whether the request `id` still waits in `slot`.
   * @param expire  called for each request whose time is over.
   */
  constructor(
    private readonly timeoutUs: Micros,
    private readonly timers: Timers,
    private readonly isOpen: (slot: number, id: number) => boolean,
    private readonly expire: (slot: number) => void,
  ) {}

  add(slot: number, id: number, nowUs: Micros): void {
    this.dropFinished();
    if (this.length === this.slots.length) this.grow();
    const at = (this.head + this.length++) & (this.slots.length - 1);
    this.dues[at] = nowUs + this.timeoutUs;
    this.ids[at] = id;
    this.slots[at] = slot;
    this.arm();
  }

  private dropFinished(): void {
    while (this.length > 0 && !this.isOpen(this.slots[this.head] as number, this.ids[this.head] as number)) {
      this.removeHead();
    }
  }

  private removeHead(): void {
    this.head = (this.head + 1) & (this.slots.length - 1);
    this.length--;
  }

  private arm(): void {
    if (this.armed || this.length === 0) return;
    this.armed = true;
    const due = this.dues[this.head] as number;
    this.timers.at(due, () => {
      this.armed = false;
      this.fire(due);
    });
  }

  private fire(nowUs: Micros): void {
    this.dropFinished();
    while (this.length > 0 && (this.dues[this.head] as number) <= nowUs) {
      const slot = this.slots[this.head] as number;
      this.removeHead();
      this.expire(slot);
      this.dropFinished();
    }
    this.arm();
  }

  private grow(): void {
    const size = this.slots.length * 2;
    const mask = this.slots.length - 1;
    const dues = new Float64Array(size);
    const ids = new Float64Array(size);
    const slots = new Int32Array(size);
    for (let i = 0; i < this.length; i++) {
      const from = (this.head + i) & mask;
      dues[i] = this.dues[from] as number;
      ids[i] = this.ids[from] as number;
      slots[i] = this.slots[from] as number;
    }
    this.dues = dues;
    this.ids = ids;
    this.slots = slots;
    this.head = 0;
  }
}
