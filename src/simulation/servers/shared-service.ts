import { EventQueue } from '../../core/event-queue.js';
import type { Micros } from '../../core/units.js';

/** A millionth of a µs is rounding. */
const ROUNDING_US = 1e-6;

/**
 * Processor sharing: each of n requests at a server of concurrency c advances at the pace min(1, c/n).
 *
 * Virtual time passes at that pace, the same for all of them, so that a request is done a service time after it came
 * however often the pace changes: the next one to end stays the next one, and only it needs a timer.
 *
 * Source: Kleinrock, "Time-shared systems: a theoretical treatment", 1967. Cost: O(log n) a request.
 */
export class SharedService {
  /** Slots by the virtual time at which each is done. */
  private ends = new EventQueue(undefined, 16);
  private virtualUs = 0;
  private sinceUs: Micros = 0;
  private concurrency = 1;
  /** When the timer is due that counts; Infinity: none. Others were overtaken, and mean nothing. */
  timerUs: Micros = Infinity;

  get size(): number {
    return this.ends.size;
  }

  /** Time has passed as it was; from now on as `concurrency` has it. Comes before every change. */
  pass(nowUs: Micros, concurrency: number): void {
    this.virtualUs = this.size === 0 ? 0 : this.virtualUs + (nowUs - this.sinceUs) * this.pace;
    this.sinceUs = nowUs;
    this.concurrency = concurrency;
  }

  add(slot: number, serviceUs: Micros): void {
    this.ends.push(this.virtualUs + serviceUs, 0, slot);
  }

  /** Takes out a request that is done; -1: none is. */
  takeDone(): number {
    if (this.ends.nextUs > this.virtualUs + ROUNDING_US) return -1;
    this.ends.pop();
    return this.ends.payload;
  }

  /** When the next one is done if nothing changes, as a whole µs; Infinity: there is none. */
  get nextUs(): Micros {
    const leftUs = this.ends.nextUs - this.virtualUs;
    return leftUs === Infinity ? Infinity : this.sinceUs + Math.ceil(leftUs / this.pace - ROUNDING_US);
  }

  clear(): void {
    while (this.ends.pop());
  }

  private get pace(): number {
    return Math.min(1, this.concurrency / this.size);
  }
}
