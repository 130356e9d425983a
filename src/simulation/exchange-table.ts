import type { Connection } from '../upstream/connection-pool.js';
import { Slots, grownBytes, grownDoubles, grownInts } from './columns.js';

/** Where an attempt is, from the host's side. */
export const ExchangeState = {
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

/**
 * Attempts that hosts are busy with, as columns. An attempt outlives its request where the proxy gave up on it: the
 * host works on, and nobody reads the answer.
 */
export class ExchangeTable {
  /** Slot of the request; -1: given up. */
  requests = new Int32Array(256);
  servers = new Int32Array(256);
  states = new Uint8Array(256);
  /** 1: an event in the queue still names the slot, which may therefore not be handed out again. */
  awaited = new Uint8Array(256);
  statuses = new Uint16Array(256);
  /** Time on the wire still to come back, in µs. */
  returnUs = new Float64Array(256);
  /** Service time that the request brought along; -1: the host's own. */
  serviceUs = new Float64Array(256);
  readonly connections: (Connection | undefined)[] = [];
  private readonly slots = new Slots();

  get open(): number {
    return this.slots.open;
  }

  get used(): number {
    return this.slots.used;
  }

  acquire(): number {
    const slot = this.slots.acquire();
    if (slot === this.requests.length) this.grow(slot * 2);
    return slot;
  }

  release(slot: number): void {
    this.states[slot] = ExchangeState.free;
    this.connections[slot] = undefined;
    this.slots.release(slot);
  }

  private grow(size: number): void {
    this.requests = grownInts(this.requests, size);
    this.servers = grownInts(this.servers, size);
    this.states = grownBytes(this.states, size);
    this.awaited = grownBytes(this.awaited, size);
    const statuses = new Uint16Array(size);
    statuses.set(this.statuses);
    this.statuses = statuses;
    this.returnUs = grownDoubles(this.returnUs, size);
    this.serviceUs = grownDoubles(this.serviceUs, size);
  }
}
