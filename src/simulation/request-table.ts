import type { Struct } from '../core/json.js';
import type { Host } from '../host/host.js';
import type { ScriptedRandom } from '../random/scripted.js';
import type { RequestSpec } from '../scenario/model.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RetryMemory } from './retry-memory.js';
import { Slots, grownBytes, grownDoubles, grownInts } from './columns.js';

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
  /** Service time that an explicit request brings along; -1: the host's own. */
  serviceUs = new Float64Array(256);
  hashHi = new Float64Array(256);
  hashLo = new Float64Array(256);
  hasHash = new Uint8Array(256);
  states = new Uint8Array(256);
  /** 1: arrived after the warm-up. */
  counted = new Uint8Array(256);
  /** 1: the current attempt waits, or waited, for a connection and counts as such at its host. */
  waiting = new Uint8Array(256);
  /** 1: holds one of the cluster's retries. */
  holdsRetry = new Uint8Array(256);
  /** Attempts before the current one. */
  attempts = new Int32Array(256);
  /** Unique number of the current attempt: timers of earlier ones find another. */
  tries = new Float64Array(256);
  /** Workload number; -1 for explicit requests. */
  workloads = new Int32Array(256);
  senders = new Int32Array(256);
  proxies = new Int32Array(256);
  workers = new Int32Array(256);
  clusters = new Int32Array(256);
  /** Phase of the current attempt's decision. */
  phases = new Int32Array(256);
  /** Slot of the current attempt among the exchanges; -1: none. */
  exchanges = new Int32Array(256);
  /** The cluster inside the proxy that has the request. */
  readonly upstreams: (ProxyCluster | undefined)[] = [];
  readonly specs: (RequestSpec | undefined)[] = [];
  readonly matches: (Struct | undefined)[] = [];
  readonly scripts: (ScriptedRandom | undefined)[] = [];
  /** Host of the current attempt. */
  readonly hosts: (Host | undefined)[] = [];
  readonly subsets: (string | undefined)[] = [];
  /** Row that the current attempt was sent to: its host may move to another one meanwhile. */
  rows = new Int32Array(256);
  /** Priority of the current attempt's host; kept under a `retry_priority` only. */
  priorities = new Int32Array(256);
  /** Of earlier attempts; undefined before the first retry. */
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
    return slot;
  }

  release(slot: number): void {
    this.states[slot] = RequestState.free;
    this.hosts[slot] = undefined;
    this.subsets[slot] = undefined;
    this.tried[slot] = undefined;
    this.scripts[slot] = undefined;
    this.slots.release(slot);
  }

  isOpen(slot: number, id: number): boolean {
    return this.ids[slot] === id && this.states[slot] !== RequestState.free;
  }

  private grow(size: number): void {
    this.ids = grownDoubles(this.ids, size);
    this.arrivedUs = grownDoubles(this.arrivedUs, size);
    this.attemptedUs = grownDoubles(this.attemptedUs, size);
    this.serviceUs = grownDoubles(this.serviceUs, size);
    this.hashHi = grownDoubles(this.hashHi, size);
    this.hashLo = grownDoubles(this.hashLo, size);
    this.hasHash = grownBytes(this.hasHash, size);
    this.states = grownBytes(this.states, size);
    this.counted = grownBytes(this.counted, size);
    this.waiting = grownBytes(this.waiting, size);
    this.holdsRetry = grownBytes(this.holdsRetry, size);
    this.attempts = grownInts(this.attempts, size);
    this.tries = grownDoubles(this.tries, size);
    this.workloads = grownInts(this.workloads, size);
    this.senders = grownInts(this.senders, size);
    this.proxies = grownInts(this.proxies, size);
    this.workers = grownInts(this.workers, size);
    this.clusters = grownInts(this.clusters, size);
    this.phases = grownInts(this.phases, size);
    this.rows = grownInts(this.rows, size);
    this.priorities = grownInts(this.priorities, size);
    this.exchanges = grownInts(this.exchanges, size);
  }
}
