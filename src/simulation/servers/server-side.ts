import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { AnswerListener } from '../../policy/answers.js';
import { whole } from '../../random/samplers.js';
import type { Connection } from '../../upstream/connection-pool.js';
import { EventKind } from '../timers.js';
import { Exchanges, ExchangeState, type OpenExchange, type OpenRequest } from './open-requests.js';
import type { RequestStory } from '../request-story.js';
import type { Server } from './server.js';
import { SharedService } from './shared-service.js';
import type { ScriptedAnswer } from '../../settings/world.js';
import type { World } from '../world.js';

export interface ExchangeEvents {
  answered(exchange: OpenExchange, request: OpenRequest): void;
  /** @param isRefused its stream alone: the connection goes on. */
  reset(exchange: OpenExchange, request: OpenRequest, isRefused?: boolean): void;
}

/** The servers' side of every attempt. One event per step that takes time, and none where an idle host answers at once. */
export class ServerSide {
  readonly exchanges = new Exchanges();

  constructor(
    private readonly world: World,
    private readonly events: ExchangeEvents,
    /** Records the story of one request; undefined: not requested. */
    private readonly story: RequestStory | undefined,
  ) {}

  /** @param script undefined: all is the host's own. @returns the exchange, which may be over already if everything happens at once. */
  send(request: OpenRequest, server: Server, connection: Connection, script: ScriptedAnswer | undefined): OpenExchange {
    const exchange = this.exchanges.acquire(request, server, connection);
    const isLost = server.isDown;
    exchange.state = isLost ? ExchangeState.lost : ExchangeState.travelling;
    exchange.awaited = false;
    exchange.script = script;
    exchange.key = request.key;
    exchange.size = request.size;
    exchange.end = connection.pool.protocol.tcp === true ? 'never' : server.drawConnectionEnd();
    exchange.inFlightThen = -1;
    exchange.returnUs = 0;
    if (server.isRemote && !isLost) this.travel(exchange, server.wireUs(request.upstream.zone, request.host));
    return exchange;
  }

  private travel(exchange: OpenExchange, wireUs: Micros): void {
    const outUs = Math.floor(wireUs / 2);
    exchange.returnUs = wireUs - outUs;
    if (outUs > 0) this.await(exchange, this.world.nowUs + outUs, EventKind.hostArrival);
  }

  /** An exchange of {@link send} without wire time: it is at its host. */
  start(exchange: OpenExchange): void {
    if (exchange.state === ExchangeState.travelling && !exchange.awaited) this.serve(exchange);
  }

  /** The host works on. */
  abandon(exchange: OpenExchange): void {
    exchange.request = undefined;
    this.releaseIfLost(exchange);
  }

  /** The question and the answer take half a round trip each and no room in the queue; who is down does not answer. */
  probe(server: Server, host: Host, zone: string, listener: AnswerListener): void {
    const { nowUs, timers } = this.world;
    const wireUs = server.wireUs(zone, host, 'probes');
    const reachedUs = nowUs + Math.floor(wireUs / 2);
    const reach = (): void => {
      if (server.isDown) return;
      const answer = server.answerProbe();
      if (reachedUs === nowUs + wireUs) listener.probed?.(host, answer);
      else timers.at(nowUs + wireUs, () => listener.probed?.(host, answer), EventKind.probe);
    };
    timers.at(reachedUs, reach, EventKind.probe);
  }

  /** The event of {@link EventKind.hostArrival}. */
  reachHost(slot: number): void {
    const exchange = this.exchanges.at(slot);
    exchange.awaited = false;
    if (exchange.state === ExchangeState.lost) this.releaseIfLost(exchange);
    else this.serve(exchange);
  }

  /** The event of {@link EventKind.response}: a host is done, or its answer has come back. @param slot below 0: see {@link awaitShared}. */
  respond(slot: number): void {
    if (slot < 0) {
      this.endShared(this.world.servers.at(-1 - slot));
      return;
    }
    const exchange = this.exchanges.at(slot);
    exchange.awaited = false;
    if (exchange.state === ExchangeState.lost) this.releaseIfLost(exchange);
    else if (exchange.state === ExchangeState.inService) this.endService(exchange);
    else this.answer(exchange);
  }

  private endService(exchange: OpenExchange): void {
    const { server } = exchange;
    server.serve(server.inService - 1, this.world.nowUs);
    this.sendBack(exchange);
    this.serveQueue(server);
  }

  private endShared(server: Server): void {
    const { nowUs } = this.world;
    const { shared } = server;
    if (shared?.timerUs !== nowUs) return;
    shared.pass(nowUs, server.behavior.concurrency);
    for (let slot = shared.takeDone(); slot >= 0; slot = shared.takeDone()) this.endService(this.exchanges.at(slot));
    shared.timerUs = Infinity;
    this.awaitShared(server, shared);
  }

  /** One timer for all: it comes again where others have come in the meantime. */
  private awaitShared({ index }: Server, shared: SharedService): void {
    const { nextUs } = shared;
    if (nextUs >= shared.timerUs) return;
    shared.timerUs = nextUs;
    this.world.queue.push(nextUs, EventKind.response, -1 - index);
  }

  /** If it refuses, open exchanges break at once; if it hangs, they get no answer. @param busyWith see {@link Exchanges.of}. */
  serverWentDown(server: Server, busyWith: readonly OpenExchange[], how: 'refuse' | 'hang'): void {
    server.serve(0, this.world.nowUs);
    server.shared?.clear();
    while (server.queued > 0) server.dequeue();
    for (const exchange of busyWith) {
      const { state, request } = exchange;
      // Another break may have ended it.
      if (state === ExchangeState.free) continue;
      // Exchanges that hung break now.
      if (state === ExchangeState.lost && how === 'hang') continue;
      exchange.state = ExchangeState.lost;
      if (request !== undefined && how === 'refuse') this.events.reset(exchange, request);
      else this.releaseIfLost(exchange);
    }
  }

  /** Also where its behaviour has changed, and with it the pace of those that share it. */
  serveQueue(server: Server): void {
    const { shared } = server;
    if (shared !== undefined && shared.size > 0) {
      shared.pass(this.world.nowUs, server.behavior.concurrency);
      this.awaitShared(server, shared);
    }
    while (server.queued > 0 && !server.busy) this.beginService(this.exchanges.at(server.dequeue().slot));
  }

  private serve(exchange: OpenExchange): void {
    const { server, connection } = exchange;
    if (exchange.end === 'early') connection.pool.goAway(connection, false);
    if (server.latencies !== undefined) {
      exchange.reachedUs = this.world.nowUs;
      exchange.inFlightThen = server.inFlight;
    }
    if (!server.busy) {
      this.beginService(exchange);
      return;
    }
    const { request } = exchange;
    if (request !== undefined && this.story?.request === request.id)
      this.story.queued(request, server, server.queueFull);
    if (server.queueFull) {
      exchange.status = server.behavior.errorStatus;
      this.sendBack(exchange);
      return;
    }
    exchange.state = ExchangeState.queued;
    server.enqueue(exchange);
  }

  private beginService(exchange: OpenExchange): void {
    const { server, script } = exchange;
    const serviceUs = script?.serviceUs ?? drawServiceUs(exchange);
    exchange.status = script?.status ?? server.drawStatus();
    const { request } = exchange;
    if (request !== undefined && this.story?.request === request.id)
      this.story.served(request, server, serviceUs, exchange.status);
    if (serviceUs === 0) {
      this.sendBack(exchange);
      return;
    }
    server.serve(server.inService + 1, this.world.nowUs);
    exchange.state = ExchangeState.inService;
    if (!server.shares) {
      this.await(exchange, this.world.nowUs + serviceUs, EventKind.response);
      return;
    }
    const shared = (server.shared ??= new SharedService());
    shared.pass(this.world.nowUs, server.behavior.concurrency);
    shared.add(exchange.slot, serviceUs);
    this.awaitShared(server, shared);
  }

  private sendBack(exchange: OpenExchange): void {
    exchange.state = ExchangeState.returning;
    exchange.server.answers(exchange.status);
    if (exchange.inFlightThen >= 0) {
      exchange.server.latencies?.answered(exchange.inFlightThen, this.world.nowUs - exchange.reachedUs);
      exchange.inFlightThen = -1;
    }
    const { returnUs } = exchange;
    if (returnUs > 0) this.await(exchange, this.world.nowUs + returnUs, EventKind.response);
    else this.answer(exchange);
  }

  private answer(exchange: OpenExchange): void {
    const { request } = exchange;
    if (request !== undefined && exchange.end === 'never') this.events.answered(exchange, request);
    else if (request !== undefined) this.answerAndClose(exchange, request);
    this.exchanges.release(exchange);
  }

  /** Without a word it ends for all that are on it. */
  private answerAndClose(exchange: OpenExchange, request: OpenRequest): void {
    const { connection, end } = exchange;
    if (end === 'announced') connection.pool.goAway(connection, true);
    if (end === 'silent') connection.pool.retire(connection, 'remote');
    const isRefused = end === 'refused' && connection.pool.protocol.http2;
    if (end === 'instead' || end === 'refused') this.events.reset(exchange, request, isRefused);
    else this.events.answered(exchange, request);
    if (end === 'announced' || end === 'early' || isRefused || !connection.pool.protocol.http2) return;
    for (const one of this.exchanges.slots)
      if (one.connection === connection && one.request?.exchange === one) this.events.reset(one, one.request);
  }

  private await(exchange: OpenExchange, timeUs: Micros, kind: EventKind): void {
    exchange.awaited = true;
    this.world.queue.push(timeUs, kind, exchange.slot);
  }

  /** Frees the slot once neither a request nor an event refers to it. */
  private releaseIfLost(exchange: OpenExchange): void {
    if (exchange.state !== ExchangeState.lost) return;
    if (exchange.request === undefined && !exchange.awaited) this.exchanges.release(exchange);
  }
}

function drawServiceUs({ server, key, size }: OpenExchange): Micros {
  const us = server.drawServiceUs(key);
  return size === 1 ? us : whole(us * size);
}
