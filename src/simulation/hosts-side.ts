import { EventKind } from '../core/event-queue.js';
import type { Connection } from '../upstream/connection-pool.js';
import { ExchangeState, ExchangeTable } from './exchange-table.js';
import type { Server } from './server.js';
import type { World } from './world.js';

/** What becomes of an attempt at its host, told to the proxy's side. */
export interface ExchangeEvents {
  /** The answer of `exchange` has arrived. */
  readonly answered: (exchange: number, request: number, status: number) => void;
  /** The connection broke under `exchange`. */
  readonly reset: (exchange: number, request: number) => void;
}

/**
 * The hosts' side of every attempt: the wire, the queue, the service, the answer.
 *
 * One event per step that takes time, and none where an idle host answers at once.
 */
export class HostsSide {
  readonly exchanges = new ExchangeTable();

  constructor(
    private readonly world: World,
    private readonly events: ExchangeEvents,
  ) {}

  /**
   * Sends a request to a host.
   *
   * @param serviceUs service time that the request brings along; -1: the host's own.
   * @returns the exchange, which may be over already if everything happens at once.
   */
  send(request: number, server: Server, connection: Connection, serviceUs: number): number {
    const { exchanges, world } = this;
    const exchange = exchanges.acquire();
    exchanges.requests[exchange] = request;
    exchanges.servers[exchange] = server.index;
    exchanges.awaited[exchange] = 0;
    exchanges.serviceUs[exchange] = serviceUs;
    exchanges.connections[exchange] = connection;
    exchanges.states[exchange] = server.behavior.down === 'none' ? ExchangeState.travelling : ExchangeState.lost;
    if (server.behavior.down !== 'none') return exchange;
    const wireUs = server.drawWireUs();
    const outUs = Math.floor(wireUs / 2);
    exchanges.returnUs[exchange] = wireUs - outUs;
    if (outUs > 0) this.await(exchange, world.nowUs + outUs, EventKind.hostArrival);
    return exchange;
  }

  /** An exchange that {@link send} started has nothing to wait for on its way: it is at its host. */
  start(exchange: number): void {
    const { exchanges } = this;
    if (exchanges.states[exchange] !== ExchangeState.travelling || exchanges.awaited[exchange] === 1) return;
    this.serve(exchange, this.world.servers.at(exchanges.servers[exchange] as number));
  }

  /** The proxy gives up; the host works on. */
  abandon(exchange: number): void {
    const { exchanges } = this;
    exchanges.requests[exchange] = -1;
    this.releaseIfLost(exchange);
  }

  /** The event of {@link EventKind.hostArrival}. */
  reachHost(exchange: number): void {
    const { exchanges } = this;
    exchanges.awaited[exchange] = 0;
    if (exchanges.states[exchange] === ExchangeState.lost) {
      this.releaseIfLost(exchange);
      return;
    }
    this.serve(exchange, this.world.servers.at(exchanges.servers[exchange] as number));
  }

  /** The event of {@link EventKind.response}: a host is done, or its answer has come back. */
  respond(exchange: number): void {
    const { exchanges, world } = this;
    exchanges.awaited[exchange] = 0;
    const state = exchanges.states[exchange];
    if (state === ExchangeState.lost) {
      this.releaseIfLost(exchange);
      return;
    }
    if (state !== ExchangeState.inService) {
      this.answer(exchange);
      return;
    }
    const server = world.servers.at(exchanges.servers[exchange] as number);
    server.inService--;
    this.sendBack(exchange);
    this.serveQueue(server);
  }

  /** A server stopped: refusing, it breaks what is open at once; hanging, it never answers it. */
  serverWentDown(server: Server, how: 'refuse' | 'hang'): void {
    const { exchanges } = this;
    server.inService = 0;
    while (server.queue.length > 0) server.queue.shift();
    for (let exchange = 0; exchange < exchanges.used; exchange++) {
      const state = exchanges.states[exchange];
      if (state === ExchangeState.free || exchanges.servers[exchange] !== server.index) continue;
      // What hung before breaks now.
      if (state === ExchangeState.lost && how === 'hang') continue;
      exchanges.states[exchange] = ExchangeState.lost;
      const request = exchanges.requests[exchange] as number;
      if (request >= 0 && how === 'refuse') this.events.reset(exchange, request);
      else this.releaseIfLost(exchange);
    }
  }

  /** A server has room for those who wait: it serves more at once than before. */
  serveQueue(server: Server): void {
    while (server.queue.length > 0 && !server.busy) this.beginService(server.queue.shift(), server);
  }

  private serve(exchange: number, server: Server): void {
    const { exchanges } = this;
    if (!server.busy) {
      this.beginService(exchange, server);
      return;
    }
    if (server.queueFull) {
      exchanges.statuses[exchange] = server.behavior.errorStatus;
      this.sendBack(exchange);
      return;
    }
    exchanges.states[exchange] = ExchangeState.queued;
    server.queue.push(exchange);
  }

  private beginService(exchange: number, server: Server): void {
    const { exchanges } = this;
    const ownUs = exchanges.serviceUs[exchange] as number;
    const serviceUs = ownUs >= 0 ? ownUs : server.drawServiceUs();
    exchanges.statuses[exchange] = server.drawStatus();
    if (serviceUs === 0) {
      this.sendBack(exchange);
      return;
    }
    server.inService++;
    exchanges.states[exchange] = ExchangeState.inService;
    this.await(exchange, this.world.nowUs + serviceUs, EventKind.response);
  }

  private sendBack(exchange: number): void {
    const { exchanges } = this;
    exchanges.states[exchange] = ExchangeState.returning;
    const returnUs = exchanges.returnUs[exchange] as number;
    if (returnUs > 0) this.await(exchange, this.world.nowUs + returnUs, EventKind.response);
    else this.answer(exchange);
  }

  private answer(exchange: number): void {
    const { exchanges } = this;
    const request = exchanges.requests[exchange] as number;
    if (request >= 0) this.events.answered(exchange, request, exchanges.statuses[exchange] as number);
    exchanges.release(exchange);
  }

  private await(exchange: number, timeUs: number, kind: EventKind): void {
    this.exchanges.awaited[exchange] = 1;
    this.world.queue.push(timeUs, kind, exchange);
  }

  /** Gives the slot back once neither a request nor an event refers to it. */
  private releaseIfLost(exchange: number): void {
    const { exchanges } = this;
    if (exchanges.states[exchange] !== ExchangeState.lost) return;
    if (exchanges.requests[exchange] === -1 && exchanges.awaited[exchange] === 0) exchanges.release(exchange);
  }
}
