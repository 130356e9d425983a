import type { Host } from '../host/host.js';

/** Where a request is between being sent and being forgotten. */
export const RequestState = {
  free: 0,
  /** On its way to the host. */
  travelling: 1,
  /** Waiting in the host's queue. */
  queued: 2,
  inService: 3,
  /** The answer is on its way back. */
  returning: 4,
  /** No answer will come: the host hangs, or the connection is gone. */
  lost: 5,
} as const;

export type RequestState = (typeof RequestState)[keyof typeof RequestState];

/**
 * The requests that are open, as columns: a request is a slot number, and no object is made for it.
 *
 * A slot is handed out again once its request is over and no event names it; `ids` tells one user of a slot from the
 * next.
 */
export class RequestTable {
  /** Number of the arrival, unique within a run. */
  ids = new Float64Array(256);
  arrivedUs = new Float64Array(256);
  /** Time on the wire still to come back, in µs. */
  returnUs = new Float64Array(256);
  /** Service time that an explicit request brings along; -1: the host's own. */
  serviceUs = new Float64Array(256);
  states = new Uint8Array(256);
  /** 1: the client has its answer, be it that the proxy gave up; the host may still be at it. */
  over = new Uint8Array(256);
  /** 1: an event in the queue still names the slot, which may therefore not be handed out again. */
  awaited = new Uint8Array(256);
  /** 1: arrived after the warm-up. */
  counted = new Uint8Array(256);
  statuses = new Uint16Array(256);
  /** Workload number; -1 for explicit requests. */
  workloads = new Int32Array(256);
  /** User of a closed workload; -1 elsewhere. */
  users = new Int32Array(256);
  /** 0: none. */
  timeoutsUs = new Float64Array(256);
  proxies = new Int32Array(256);
  clusters = new Int32Array(256);
  rows = new Int32Array(256);
  servers = new Int32Array(256);
  readonly hosts: (Host | undefined)[] = [];
  readonly subsets: (string | undefined)[] = [];
  /** Requests that hold a slot. */
  open = 0;
  /** One past the highest slot ever used. */
  used = 0;
  private free = new Int32Array(256);
  private freeCount = 0;

  acquire(): number {
    this.open++;
    if (this.freeCount > 0) return this.free[--this.freeCount] as number;
    if (this.used === this.ids.length) this.grow();
    return this.used++;
  }

  release(slot: number): void {
    this.states[slot] = RequestState.free;
    this.hosts[slot] = undefined;
    this.subsets[slot] = undefined;
    this.free[this.freeCount++] = slot;
    this.open--;
  }

  private grow(): void {
    const size = this.ids.length * 2;
    const double = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(size);
      larger.set(old);
      return larger;
    };
    const int = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const larger = new Int32Array(size);
      larger.set(old);
      return larger;
    };
    const byte = (old: Uint8Array): Uint8Array<ArrayBuffer> => {
      const larger = new Uint8Array(size);
      larger.set(old);
      return larger;
    };
    this.ids = double(this.ids);
    this.arrivedUs = double(this.arrivedUs);
    this.returnUs = double(this.returnUs);
    this.serviceUs = double(this.serviceUs);
    this.timeoutsUs = double(this.timeoutsUs);
    this.states = byte(this.states);
    this.over = byte(this.over);
    this.awaited = byte(this.awaited);
    this.counted = byte(this.counted);
    const statuses = new Uint16Array(size);
    statuses.set(this.statuses);
    this.statuses = statuses;
    this.workloads = int(this.workloads);
    this.users = int(this.users);
    this.proxies = int(this.proxies);
    this.clusters = int(this.clusters);
    this.rows = int(this.rows);
    this.servers = int(this.servers);
    this.free = int(this.free);
  }
}
