import type { Micros } from '../core/units.js';
import type { ConnectionStats } from '../core/generated/counts.js';
import type { Host } from '../host/host.js';
import type { ConnectionSettings } from '../settings/cluster-settings.js';
import type { CircuitBreaker } from './circuit-breaker.js';

export interface PoolProtocol extends Pick<
  ConnectionSettings,
  'http2' | 'preconnectRatio' | 'predictiveRatio' | 'idleUs' | 'ageUs'
> {
  /** TCP, without HTTP: a connection serves one client. */
  readonly tcp?: true;
  /** Concurrent requests of a connection: 1 for HTTP/1. */
  readonly streamsPerConnection: number;
  /** Requests in total, after which the connection is closed; Infinity: no limit. */
  readonly requestsPerConnection: number;
  /** Its requests count against `max_requests`. */
  readonly limitsRequests: boolean;
  /** Its connections count against `max_connections`. */
  readonly limitsConnections: boolean;
  /** Since 1.40 a request rejected by `max_requests` has a counter of its own. */
  readonly countsActiveOverflow: boolean;
  /** One of HTTP/2 that closes while an answer is read is a protocol error. */
  readonly closedWhileReadingIsError: boolean;
}

export type ConnectionState = 'connecting' | 'open' | 'closed';

/** One connection to one host. There is one object per connection, never one per request. */
export class Connection {
  state: ConnectionState = 'connecting';
  /** Requests in flight on it. */
  streams = 0;
  taken = 0;
  /** Requests it may still take. */
  remaining: number;
  /** It takes no more requests, and closes after the last one in flight. */
  draining = false;
  /** Its host said so with an answer. */
  isAnnounced = false;
  /** Who closes it then. */
  closedBy: 'local' | 'remote' = 'local';
  idleSinceUs: Micros = 0;
  /** When a whole answer came while others were in flight: what ends with it ends while it is read. */
  readUs: Micros = -1;
  /** A timer looks after its being idle. */
  isWatched = false;
  /** For the connector's use: when the connection was requested. */
  sinceUs: Micros = 0;
  /** For the connector's use: the row of the address that it leads to, where that is not its host's own; else -1. */
  row = -1;
  /** Links of the pool's list of connections that can take a request: the one used before this one, and after it. */
  below: Connection | undefined = undefined;
  above: Connection | undefined = undefined;

  constructor(
    readonly pool: ConnectionPool,
    requests: number,
  ) {
    this.remaining = requests;
  }
}

export interface PoolEvents {
  /** Starts to connect; the outcome comes back as `connected` or `connectFailed`. */
  connect(connection: Connection): void;
  connected?(connection: Connection): void;
  /** It is closed. `made`: it had been established. */
  closed?(connection: Connection, made: boolean): void;
  ready(request: number, connection: Connection): void;
  /** A waiting request will get no connection. */
  refused(request: number, why: 'overflow' | 'connect-failure' | 'connect-timeout'): void;
  /** Calls back once everything else of this instant has happened. */
  later(callback: () => void): void;
  readonly nowUs: Micros;
  after(delayUs: Micros, callback: () => void): void;
}

/** No more connections than this are opened at a time; the next event opens more. */
export const CONNECTIONS_AT_ONCE = 3;

/** Requests that wait, those in flight, and how many more the connections take that are there or in the making. */
export const noLoad = () => ({ pending: 0, active: 0, free: 0 });

export type PoolLoad = ReturnType<typeof noLoad>;

/** Whether connections are to be opened ahead. @param incoming requests that are about to come. */
export const outgrows = ({ pending, active, free }: PoolLoad, ratio: number, incoming: number): boolean =>
  (pending + active + incoming) * ratio > free + active;

/**
 * The connections of one worker to one host at one routing priority.
 * A request takes an idle connection, the one used last first; without one it waits, and a connection is opened for it.
 * `max_pending_requests` is checked when it starts to wait, `max_requests` when it gets a connection, so a burst on a cold
 * pool meets the former first. If a connection cannot be made, everything that waits fails with it.
 */
export class ConnectionPool {
  /** Top of the stack of connections that can take a request, linked as each pushes and pops; undefined: none can. */
  idle: Connection | undefined = undefined;
  readonly connections = new Set<Connection>();
  private readonly waiting: number[] = [];
  private waitingFrom = 0;
  private connecting = 0;
  private serving = false;
  private servesLater = false;
  private readonly openNow = (): void => {
    if (this.pending > 0) this.openConnections();
  };
  private readonly serveNow = (): void => {
    this.servesLater = false;
    this.serveWaiting();
  };

  constructor(
    readonly host: Host,
    readonly protocol: PoolProtocol,
    private readonly breaker: CircuitBreaker,
    private readonly stats: ConnectionStats,
    private readonly events: PoolEvents,
  ) {}

  get pending(): number {
    return this.waiting.length - this.waitingFrom;
  }

  get isEmpty(): boolean {
    return this.connections.size === 0 && this.pending === 0;
  }

  /** @returns the connection of the request; `pending` while it waits for one; `overflow` where a limit rejects it. */
  request(request: number): Connection | 'pending' | 'overflow' | 'too-many-active' {
    const { idle } = this;
    if (idle !== undefined) {
      const attached = this.attach(idle);
      if (this.protocol.preconnectRatio > 1) this.openConnections();
      return attached ? idle : 'too-many-active';
    }
    if (this.breaker.pendingRequests.open) {
      this.stats.upstreamRqPendingOverflow++;
      return 'overflow';
    }
    this.waiting.push(request);
    this.breaker.pendingRequests.increment();
    this.stats.upstreamRqPendingTotal++;
    this.stats.upstreamRqPendingActive++;
    this.openConnections();
    return 'pending';
  }

  /** A request stops waiting; false where it was not waiting here. */
  cancel(request: number): boolean {
    const at = this.waiting.indexOf(request, this.waitingFrom);
    if (at === -1) return false;
    // Usually the request that has waited longest gives up first.
    if (at === this.waitingFrom) this.takeFirst();
    else this.waiting.splice(at, 1);
    this.noLongerPending();
    return true;
  }

  connected(connection: Connection): void {
    if (connection.state !== 'connecting') return;
    connection.state = 'open';
    this.connecting--;
    this.events.connected?.(connection);
    this.addReady(connection);
    const { ageUs } = this.protocol;
    if (ageUs < Infinity) this.events.after(ageUs, () => this.aged(connection));
    this.closeOnceIdle(connection);
    this.serveWaiting();
  }

  connectFailed(connection: Connection, why: 'connect-failure' | 'connect-timeout'): void {
    if (connection.state !== 'connecting') return;
    this.stats.upstreamCxConnectFail++;
    this.host.stats.cxConnectFail++;
    if (why === 'connect-timeout') this.stats.upstreamCxConnectTimeout++;
    this.close(connection, why === 'connect-failure' ? 'remote' : 'local');
    const failed = this.waiting.slice(this.waitingFrom);
    this.waiting.length = 0;
    this.waitingFrom = 0;
    for (const request of failed) {
      this.noLongerPending();
      this.stats.upstreamRqPendingFailureEject++;
      this.events.refused(request, why);
    }
  }

  /** A request on `connection` is over. `reusable`: its answer was complete. */
  ended(connection: Connection, reusable: boolean): void {
    const wasFull = connection.streams >= this.protocol.streamsPerConnection;
    // HTTP/1 cannot abandon a request without closing its connection.
    if (!reusable && !this.protocol.http2) this.close(connection, 'local');
    connection.streams--;
    if (reusable && connection.streams > 0) connection.readUs = this.events.nowUs;
    if (this.protocol.limitsRequests) this.breaker.requests.decrement();
    if (connection.state !== 'closed') {
      const spent = connection.streams === 0 && (connection.draining || connection.remaining === 0);
      const isRead = reusable || connection.readUs === this.events.nowUs;
      const isError = this.protocol.closedWhileReadingIsError && this.protocol.http2 && isRead;
      if (spent && isError && connection.closedBy === 'local' && !connection.isAnnounced)
        this.stats.upstreamCxProtocolError = (this.stats.upstreamCxProtocolError ?? 0) + 1;
      if (spent) this.close(connection, connection.remaining === 0 ? 'local' : connection.closedBy);
      else if (wasFull && !connection.draining && connection.remaining > 0) this.addReady(connection);
      if (connection.streams === 0) this.closeOnceIdle(connection);
    }
    if (this.pending === 0) return;
    const isClosed = connection.state === 'closed';
    // One of HTTP/1 closes once its answer was dealt with: what waited for that gave up.
    if (isClosed && reusable && !this.protocol.http2) this.events.later(this.openNow);
    else if (isClosed) this.openConnections();
    if (!this.protocol.http2) {
      // It looks for a connection after each whole answer, whether or not this one closes.
      if (!isClosed || (reusable && !connection.isAnnounced)) this.serveLater();
    } else if (!isClosed && !connection.draining && connection.remaining > 0) this.serveWaiting();
  }

  /** An idle one closes at once, a busy one after its requests. */
  private aged(connection: Connection): void {
    if (connection.state === 'closed' || connection.draining) return;
    this.stats.upstreamCxMaxDurationReached = (this.stats.upstreamCxMaxDurationReached ?? 0) + 1;
    this.retire(connection);
  }

  /** The host has said that it takes no more. */
  goAway(connection: Connection, withAnswer: boolean): void {
    // A GOAWAY behind the last answer comes too late.
    const isLate = withAnswer && this.protocol.http2 && connection.remaining === 0 && connection.streams === 1;
    if (connection.draining || isLate) return;
    connection.isAnnounced = withAnswer;
    this.stats.upstreamCxCloseNotify = (this.stats.upstreamCxCloseNotify ?? 0) + 1;
    this.retire(connection);
  }

  /** It takes no more requests, and closes with the last one. */
  retire(connection: Connection, by: 'local' | 'remote' = 'local'): void {
    connection.draining = true;
    connection.closedBy = by;
    this.removeReady(connection);
    if (connection.streams === 0) this.close(connection, by);
  }

  /** Has one timer for each connection, however often it is idle. */
  private closeOnceIdle(connection: Connection): void {
    const { idleUs } = this.protocol;
    if (idleUs === Infinity) return;
    connection.idleSinceUs = this.events.nowUs;
    if (!connection.isWatched) this.watch(connection, idleUs);
  }

  private watch(connection: Connection, forUs: Micros): void {
    connection.isWatched = true;
    this.events.after(forUs, () => {
      const leftUs = connection.idleSinceUs + this.protocol.idleUs - this.events.nowUs;
      connection.isWatched = false;
      if (connection.state === 'closed' || connection.streams > 0) return;
      if (leftUs > 0) {
        this.watch(connection, leftUs);
        return;
      }
      this.stats.upstreamCxIdleTimeout = (this.stats.upstreamCxIdleTimeout ?? 0) + 1;
      this.close(connection, 'local');
    });
  }

  /**
   * Takes no more requests on the connections there are: idle ones close at once, and so do those in the making unless a
   * request waits for them. Waiting requests get new ones.
   */
  drain(): void {
    for (const connection of this.connections) {
      if (connection.state === 'connecting') {
        if (this.pending === 0) this.close(connection, 'local');
        continue;
      }
      this.retire(connection);
    }
  }

  /** The connection is closed; the caller ends the requests on it. */
  close(connection: Connection, by: 'local' | 'remote'): void {
    if (connection.state === 'closed') return;
    const made = connection.state === 'open';
    if (!made) this.connecting--;
    connection.state = 'closed';
    this.events.closed?.(connection, made);
    this.removeReady(connection);
    this.connections.delete(connection);
    if (this.protocol.limitsConnections) this.breaker.connections.decrement();
    this.stats.upstreamCxActive--;
    this.host.stats.cxActive--;
    this.stats.upstreamCxDestroy++;
    if (by === 'local') this.stats.upstreamCxDestroyLocal++;
    else this.stats.upstreamCxDestroyRemote++;
    if (connection.streams === 0) return;
    this.stats.upstreamCxDestroyWithActiveRq++;
    if (by === 'local') this.stats.upstreamCxDestroyLocalWithActiveRq++;
    else this.stats.upstreamCxDestroyRemoteWithActiveRq++;
  }

  /** Adds its own to `sum`. */
  addLoad(sum: PoolLoad): PoolLoad {
    sum.pending += this.pending;
    for (const { streams, remaining, draining } of this.connections) {
      sum.active += streams;
      if (!draining) sum.free += Math.min(this.protocol.streamsPerConnection - streams, remaining);
    }
    return sum;
  }

  /** Nothing is opened ahead to a host that is not healthy. */
  private wantsConnection(ratio: number, incoming: number): boolean {
    const { pending, connecting, protocol } = this;
    if ((ratio === 1 && incoming === 0) || this.host.health !== 'healthy')
      return pending > connecting * Math.min(protocol.streamsPerConnection, protocol.requestsPerConnection);
    return outgrows(this.addLoad(noLoad()), ratio, incoming);
  }

  private openConnections(): void {
    let opened = 0;
    while (opened < CONNECTIONS_AT_ONCE && this.open()) opened++;
  }

  /** Opens a connection where one is wanted, as far as the limit allows; the first one is always allowed. @returns whether it was. */
  open(ratio: number = this.protocol.preconnectRatio, incoming = 0): boolean {
    if (!this.wantsConnection(ratio, incoming)) return false;
    const { limitsConnections } = this.protocol;
    const admitted = !limitsConnections || this.breaker.admitsConnection(this.host.stats.cxActive);
    if (!admitted) this.stats.upstreamCxOverflow++;
    if (!admitted && this.connections.size > 0) return false;
    const connection = new Connection(this, this.protocol.requestsPerConnection);
    this.connections.add(connection);
    this.connecting++;
    if (limitsConnections) this.breaker.connections.increment();
    this.stats.upstreamCxTotal++;
    this.stats.upstreamCxActive++;
    this.host.stats.cxTotal++;
    this.host.stats.cxActive++;
    if (this.protocol.http2) this.stats.upstreamCxHttp2Total++;
    else if (this.protocol.tcp !== true) this.stats.upstreamCxHttp1Total++;
    this.events.connect(connection);
    return admitted;
  }

  /** HTTP/1 connections freed at one instant are assigned after it: a new request may take one before those waiting. */
  private serveLater(): void {
    if (this.servesLater) return;
    this.servesLater = true;
    this.events.later(this.serveNow);
  }

  private serveWaiting(): void {
    // A host that answers at once frees its connection within this loop, which then continues with it.
    if (this.serving) return;
    this.serving = true;
    for (;;) {
      const connection = this.idle;
      if (connection === undefined || this.pending === 0) break;
      const request = this.takeFirst();
      this.noLongerPending();
      if (this.attach(connection)) this.events.ready(request, connection);
      else this.events.refused(request, 'overflow');
    }
    this.serving = false;
    if (this.pending > 0) this.openConnections();
  }

  /** Puts one more request on an open connection; false where `max_requests` does not admit it. */
  private attach(connection: Connection): boolean {
    const { requests } = this.breaker;
    if (this.protocol.limitsRequests) {
      if (requests.open) {
        if (this.protocol.countsActiveOverflow) this.stats.upstreamRqActiveOverflow++;
        else this.stats.upstreamRqPendingOverflow++;
        return false;
      }
      requests.increment();
    }
    connection.streams++;
    connection.taken++;
    const isLast = --connection.remaining === 0;
    if (isLast) this.stats.upstreamCxMaxRequests++;
    if (isLast || connection.streams >= this.protocol.streamsPerConnection) this.removeReady(connection);
    return true;
  }

  private addReady(connection: Connection): void {
    const { idle } = this;
    connection.below = idle;
    if (idle !== undefined) idle.above = connection;
    this.idle = connection;
  }

  private removeReady(connection: Connection): void {
    const { above, below } = connection;
    if (above !== undefined) above.below = below;
    else if (this.idle === connection) this.idle = below;
    else return;
    if (below !== undefined) below.above = above;
    connection.above = undefined;
    connection.below = undefined;
  }

  /** Removes the request that has waited longest; there is one. */
  private takeFirst(): number {
    const request = this.waiting[this.waitingFrom++] as number;
    if (this.waitingFrom === this.waiting.length || this.waitingFrom > 1024) {
      this.waiting.splice(0, this.waitingFrom);
      this.waitingFrom = 0;
    }
    return request;
  }

  private noLongerPending(): void {
    this.breaker.pendingRequests.decrement();
    this.stats.upstreamRqPendingActive--;
  }
}
