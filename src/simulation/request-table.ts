import type { Host } from '../host/host.js';
import { Slots, grownBytes, grownDoubles, grownInts } from './columns.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RequestPlan } from './request-plan.js';
import type { RetryMemory } from './retry-memory.js';

/** What a request is doing, from the proxy's side. */
export const RequestState = {
  free: 0,
  /** Its attempt waits for a connection. */
  pending: 1,
  /** Its attempt is with a host. */
  sent: 2,
  /** Between two attempts. */
  backingOff: 3,
} as const;

/**
 * The requests that are open at the proxies, as columns: a request is a slot number, and no object is made for it.
 *
 * A slot is handed out again once its request is over; `ids` tells one user of a slot from the next.
 */
export class RequestTable {
  /** Number of the arrival, unique within a run. */
  ids = new Float64Array(256);
  arrivedUs = new Float64Array(256);
  /** When the current attempt began; kept for clusters with `track_timeout_budgets` only. */
  attemptedUs = new Float64Array(256);
  /** Where the plan says that there is a hash. */
  hashHi = new Float64Array(256);
  hashLo = new Float64Array(256);
  states = new Uint8Array(256);
  /** 1: arrived after the warm-up. */
  counted = new Uint8Array(256);
  /** 1: the current attempt waits, or waited, for a connection and counts as such at its host. */
  waiting = new Uint8Array(256);
  /** 1: holds one of the cluster's retries. */
  holdsRetry = new Uint8Array(256);
  /** Attempts before the current one. */
  attempts = new Int32Array(256);
  /** Who waits for the answer; -1: nobody. */
  senders = new Int32Array(256);
  proxies = new Int32Array(256);
  workers = new Int32Array(256);
  /** Phase of the current attempt's decision. */
  phases = new Int32Array(256);
  /** Slot of the current attempt among the exchanges; -1: none. */
  exchanges = new Int32Array(256);
  /** The cluster inside the proxy that has the request. */
  readonly upstreams: ProxyCluster[] = [];
  readonly plans: RequestPlan[] = [];
  /** Host of the current attempt. */
  readonly hosts: (Host | undefined)[] = [];
  readonly subsets: (string | undefined)[] = [];
  /** Row that the current attempt was sent to: its host may move to another one meanwhile. */
  rows = new Int32Array(256);
  /** Priority of the current attempt's host; kept under a `retry_priority` only. */
  priorities = new Int32Array(256);
  /** Of earlier attempts; before the first retry, those of whoever had the slot before. */
  readonly tried: (RetryMemory | undefined)[] = [];
  private readonly slots = new Slots();

  get open(): number {
    return this.slots.open;
  }

  get used(): number {
    return this.slots.used;
  }

  acquire(): number {
    const slot = this.slots.acquire();
    if (slot === this.ids.length) this.grow(slot * 2);
    if (slot === this.hosts.length) {
      // Without gaps, however late the slot is written to.
      this.hosts.push(undefined);
      this.subsets.push(undefined);
      this.tried.push(undefined);
    }
    return slot;
  }

  release(slot: number): void {
    this.states[slot] = RequestState.free;
    this.slots.release(slot);
  }

  isOpen(slot: number, id: number): boolean {
    return this.ids[slot] === id && this.states[slot] !== RequestState.free;
  }

  /** Whether attempt number `attempt` of request `id` goes on: it waits for a connection or is with its host. */
  isTrying(slot: number, id: number, attempt: number): boolean {
    return this.isOpen(slot, id) && this.attempts[slot] === attempt && this.states[slot] !== RequestState.backingOff;
  }

  private grow(size: number): void {
    this.ids = grownDoubles(this.ids, size);
    this.arrivedUs = grownDoubles(this.arrivedUs, size);
    this.attemptedUs = grownDoubles(this.attemptedUs, size);
    this.hashHi = grownDoubles(this.hashHi, size);
    this.hashLo = grownDoubles(this.hashLo, size);
    this.states = grownBytes(this.states, size);
    this.counted = grownBytes(this.counted, size);
    this.waiting = grownBytes(this.waiting, size);
    this.holdsRetry = grownBytes(this.holdsRetry, size);
    this.attempts = grownInts(this.attempts, size);
    this.senders = grownInts(this.senders, size);
    this.proxies = grownInts(this.proxies, size);
    this.workers = grownInts(this.workers, size);
    this.phases = grownInts(this.phases, size);
    this.rows = grownInts(this.rows, size);
    this.priorities = grownInts(this.priorities, size);
    this.exchanges = grownInts(this.exchanges, size);
  }
}
