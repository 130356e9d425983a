import type { Micros } from '../../core/units.js';
import type { Connection } from '../../upstream/connection-pool.js';
import type { Server } from './server.js';

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

export type ExchangeState = (typeof ExchangeState)[keyof typeof ExchangeState];

/**
 * An attempt at a host. It outlives its request if the proxy gives up: the host works on, and the answer is discarded.
 *
 * `Request` is what the proxy's side knows of it.
 */
export class Exchange<Request> {
  state: ExchangeState = ExchangeState.free;
  /** A queued event still refers to it: its slot must not be reused yet. */
  awaited = false;
  /** HTTP status of the answer. */
  status = 0;
  /** Time on the wire still to come back. */
  returnUs: Micros = 0;
  /** Service time set by the request; -1: the host's own. */
  serviceUs: Micros = -1;
  /** Kept only where hosts are asked how busy they are: when it reached its host, and what that had to do then. */
  reachedUs: Micros = 0;
  inFlightThen = -1;
  /** The next exchange in the host's queue; of a free one, the next free one. */
  behind: Exchange<Request> | undefined = undefined;

  /**
   * @param slot    its index among the exchanges.
   * @param request undefined once the proxy has given up.
   */
  constructor(
    readonly slot: number,
    public request: Request | undefined,
    public server: Server,
    public connection: Connection,
  ) {}
}

/** All attempts at hosts; objects are reused, as those of open requests are. */
export class Exchanges<Request> {
  /** All slots ever used. */
  readonly slots: Exchange<Request>[] = [];
  /** The one freed last, which is used next. */
  private free: Exchange<Request> | undefined = undefined;

  at(slot: number): Exchange<Request> {
    return this.slots[slot] as Exchange<Request>;
  }

  /** The exchanges of each of these servers, found in one pass, in the order of their slots. */
  of(servers: readonly Server[]): ReadonlyMap<Server, readonly Exchange<Request>[]> {
    const found = new Map(servers.map((server) => [server, [] as Exchange<Request>[]]));
    if (found.size === 0) return found;
    for (const exchange of this.slots) {
      if (exchange.state !== ExchangeState.free) found.get(exchange.server)?.push(exchange);
    }
    return found;
  }

  acquire(request: Request, server: Server, connection: Connection): Exchange<Request> {
    const exchange = this.free;
    if (exchange === undefined) {
      const first = new Exchange<Request>(this.slots.length, request, server, connection);
      this.slots.push(first);
      return first;
    }
    this.free = exchange.behind;
    exchange.behind = undefined;
    exchange.request = request;
    exchange.server = server;
    exchange.connection = connection;
    return exchange;
  }

  release(exchange: Exchange<Request>): void {
    exchange.state = ExchangeState.free;
    exchange.behind = this.free;
    this.free = exchange;
  }
}
