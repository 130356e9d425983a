import type { Micros } from '../core/units.js';
import type { Connection } from '../upstream/connection-pool.js';
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
 * An attempt that a host is busy with. It outlives its request where the proxy gave up on it: the host works on, and
 * nobody reads the answer.
 *
 * `Request` is what the proxy's side knows of it.
 */
export class Exchange<Request> {
  state: ExchangeState = ExchangeState.free;
  /** An event in the queue still names it: its place may not be handed out again. */
  awaited = false;
  /** HTTP status of the answer. */
  status = 0;
  /** Time on the wire still to come back. */
  returnUs: Micros = 0;
  /** Service time that the request brought along; -1: the host's own. */
  serviceUs: Micros = -1;
  /** Who waits behind it in the host's queue; of a free one, the next that is free. */
  behind: Exchange<Request> | undefined = undefined;

  /**
   * @param slot    its place among the exchanges.
   * @param request undefined once the proxy has given up.
   */
  constructor(
    readonly slot: number,
    public request: Request | undefined,
    public server: Server,
    public connection: Connection,
  ) {}
}

/** The attempts that hosts are busy with; made once and used again, as the open requests are. */
export class Exchanges<Request> {
  /** Every place that was ever taken. */
  readonly places: Exchange<Request>[] = [];
  /** The one given back last, which is taken next. */
  private free: Exchange<Request> | undefined = undefined;

  at(slot: number): Exchange<Request> {
    return this.places[slot] as Exchange<Request>;
  }

  /** What each of these servers is busy with: all of them are found in one walk, in the order of their places. */
  of(servers: readonly Server[]): ReadonlyMap<Server, readonly Exchange<Request>[]> {
    const found = new Map(servers.map((server) => [server, [] as Exchange<Request>[]]));
    if (found.size === 0) return found;
    for (const exchange of this.places) {
      if (exchange.state !== ExchangeState.free) found.get(exchange.server)?.push(exchange);
    }
    return found;
  }

  acquire(request: Request, server: Server, connection: Connection): Exchange<Request> {
    const exchange = this.free;
    if (exchange === undefined) {
      const first = new Exchange<Request>(this.places.length, request, server, connection);
      this.places.push(first);
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
