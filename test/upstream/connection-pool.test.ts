import { describe, expect, it } from 'vitest';
import { ConnectionStats } from '../../src/core/generated/counts.js';
import { Host, NOWHERE } from '../../src/host/host.js';
import { DEFAULT_LIMITS } from '../../src/config/to-settings.js';
import type { CircuitBreakerLimits } from '../../src/settings/cluster-settings.js';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.js';
import { type Connection, type PoolProtocol, ConnectionPool } from '../../src/upstream/connection-pool.js';

const HTTP1: PoolProtocol = {
  http2: false,
  streamsPerConnection: 1,
  requestsPerConnection: Infinity,
  limitsRequests: true,
  limitsConnections: true,
  countsActiveOverflow: true,
  closedWhileReadingIsError: true,
  preconnectRatio: 1,
  predictiveRatio: 1,
  idleUs: Infinity,
  ageUs: Infinity,
};
const HTTP2: PoolProtocol = { ...HTTP1, http2: true, streamsPerConnection: 2 };

/** A pool whose world does nothing by itself. */
class Bench {
  readonly host = new Host({
    address: '10.0.0.1:80',
    hostname: '',
    weight: 1,
    locality: NOWHERE,
    metadata: {},
    flags: 0,
  });
  readonly stats = new ConnectionStats();
  readonly connecting: Connection[] = [];
  readonly sent = new Map<number, Connection>();
  readonly refused: [number, string][] = [];
  readonly pool: ConnectionPool;
  private readonly callbacks: (() => void)[] = [];
  readonly events = {
    connect: (connection: Connection) => void this.connecting.push(connection),
    ready: (request: number, connection: Connection) => void this.sent.set(request, connection),
    refused: (request: number, why: string) => void this.refused.push([request, why]),
    later: (callback: () => void) => void this.callbacks.push(callback),
    nowUs: 0,
    after: () => undefined,
  };

  constructor(protocol: Partial<PoolProtocol> = {}, limits: Partial<CircuitBreakerLimits> = {}) {
    const breaker = new CircuitBreaker({ ...DEFAULT_LIMITS, ...limits }, { number: () => undefined }, 'c', 'default');
    this.pool = new ConnectionPool(this.host, { ...HTTP1, ...protocol }, breaker, this.stats, this.events);
  }

  /** Sends a request where a connection is free. */
  send(request: number): 'sent' | 'pending' | 'overflow' | 'too-many-active' {
    const outcome = this.pool.request(request);
    if (typeof outcome === 'string') return outcome;
    this.sent.set(request, outcome);
    return 'sent';
  }

  /** The connections that were asked for are made. */
  connect(): void {
    for (const connection of this.connecting.splice(0)) this.pool.connected(connection);
  }

  end(request: number, reusable = true): void {
    this.pool.ended(this.connectionOf(request), reusable);
    this.sent.delete(request);
  }

  connectionOf(request: number): Connection {
    const connection = this.sent.get(request);
    if (connection === undefined) throw new Error(`request ${request} is not sent`);
    return connection;
  }

  /** The end of the instant. */
  settle(): void {
    for (const callback of this.callbacks.splice(0)) callback();
  }
}

describe('a pool', () => {
  it('opens a connection for each waiting request, and hands out the one used last', () => {
    const bench = new Bench();
    expect([bench.send(1), bench.send(2)]).toEqual(['pending', 'pending']);
    bench.connect();
    expect([...bench.sent.keys()]).toEqual([1, 2]);
    const last = bench.connectionOf(1);
    bench.end(2);
    bench.end(1);
    expect(bench.send(3)).toBe('sent');
    expect(bench.connectionOf(3)).toBe(last);
    expect(bench.stats).toMatchObject({ upstreamCxTotal: 2, upstreamRqPendingTotal: 2, upstreamRqPendingActive: 0 });
  });

  it('never refuses a host its first connection, and counts the refusal all the same', () => {
    const bench = new Bench({}, { maxConnections: 0 });
    bench.send(1);
    bench.send(2);
    expect(bench.connecting).toHaveLength(1);
    expect(bench.stats).toMatchObject({ upstreamCxOverflow: 2, upstreamCxTotal: 1 });
  });

  it('hands out what comes free at one instant together: one more refusal, not one for each', () => {
    const bench = new Bench({}, { maxConnections: 3, maxPendingRequests: 4 });
    for (let request = 1; request <= 3; request++) bench.send(request);
    bench.connect();
    const outcomes = [4, 5, 6, 7, 8].map((request) => bench.send(request));
    expect(outcomes).toEqual(['pending', 'pending', 'pending', 'pending', 'overflow']);
    expect(bench.stats.upstreamCxOverflow).toBe(4);
    for (const request of [1, 2, 3]) bench.end(request);
    bench.settle();
    expect([...bench.sent.keys()]).toEqual([4, 5, 6]);
    expect(bench.stats.upstreamCxOverflow).toBe(5);
  });

  it('tells the limit of requests from the limit of those that wait', () => {
    const bench = new Bench({}, { maxRequests: 1, maxPendingRequests: 2 });
    expect([1, 2, 3].map((request) => bench.send(request))).toEqual(['pending', 'pending', 'overflow']);
    bench.connect();
    expect(bench.refused).toEqual([[2, 'overflow']]);
    expect(bench.stats).toMatchObject({ upstreamRqPendingOverflow: 1, upstreamRqActiveOverflow: 1 });
  });

  it('fails everything that waits with the connection that could not be made', () => {
    const bench = new Bench();
    bench.send(1);
    bench.send(2);
    const [first, second] = bench.connecting.splice(0);
    bench.pool.connectFailed(first as Connection, 'connect-timeout');
    expect(bench.refused).toEqual([
      [1, 'connect-timeout'],
      [2, 'connect-timeout'],
    ]);
    bench.pool.connected(second as Connection);
    expect(bench.stats).toMatchObject({ upstreamCxConnectFail: 1, upstreamCxConnectTimeout: 1, upstreamCxActive: 1 });
  });

  it('serves who waits after others have failed', () => {
    const bench = new Bench();
    for (const request of [1, 2, 3]) bench.send(request);
    const [first, second, third] = bench.connecting.splice(0);
    bench.pool.connected(first as Connection);
    bench.pool.connectFailed(second as Connection, 'connect-failure');
    expect(bench.refused.map(([request]) => request)).toEqual([2, 3]);
    bench.send(4);
    bench.pool.connected(third as Connection);
    expect([...bench.sent.keys()]).toEqual([1, 4]);
  });

  it('closes an HTTP/1 connection with the request it gives up, not an HTTP/2 one', () => {
    const http1 = new Bench();
    http1.send(1);
    http1.connect();
    http1.end(1, false);
    expect(http1.stats).toMatchObject({
      upstreamCxActive: 0,
      upstreamCxDestroyLocal: 1,
      upstreamCxDestroyLocalWithActiveRq: 1,
      upstreamCxDestroyWithActiveRq: 1,
    });
    const http2 = new Bench(HTTP2);
    http2.send(1);
    http2.connect();
    http2.end(1, false);
    expect(http2.stats).toMatchObject({ upstreamCxActive: 1, upstreamCxDestroy: 0, upstreamCxHttp2Total: 1 });
  });

  it('puts as many requests on an HTTP/2 connection as it takes', () => {
    const bench = new Bench(HTTP2);
    expect([1, 2, 3].map((request) => bench.send(request))).toEqual(['pending', 'pending', 'pending']);
    expect(bench.connecting).toHaveLength(2);
    bench.connect();
    expect(bench.connectionOf(1)).toBe(bench.connectionOf(2));
    expect(bench.connectionOf(3)).not.toBe(bench.connectionOf(1));
  });

  it('closes a connection after its last request', () => {
    const bench = new Bench({ requestsPerConnection: 2 });
    bench.send(1);
    bench.connect();
    bench.end(1);
    expect(bench.send(2)).toBe('sent');
    bench.end(2);
    expect(bench.stats).toMatchObject({ upstreamCxMaxRequests: 1, upstreamCxActive: 0, upstreamCxDestroyLocal: 1 });
    expect(bench.host.stats.cxActive).toBe(0);
    expect(bench.send(3)).toBe('pending');
  });

  it('puts nothing on an HTTP/2 connection that has had its requests, when it has room again', () => {
    const bench = new Bench({ ...HTTP2, requestsPerConnection: 3 });
    for (const request of [1, 2]) bench.send(request);
    bench.connect();
    bench.end(1);
    expect(bench.send(3)).toBe('sent');
    bench.end(2);
    expect([bench.send(4), bench.stats.upstreamCxActive]).toEqual(['pending', 2]);
  });

  it.each([
    ['is read', 0, 1],
    ['has been read', 1, undefined],
  ])(
    'of HTTP/2 breaks its protocol where an attempt is given up while the answer to another %s',
    (_, laterUs, errors) => {
      const bench = new Bench({ ...HTTP2, requestsPerConnection: 2 });
      for (const request of [1, 2]) bench.send(request);
      bench.connect();
      bench.end(1);
      bench.events.nowUs += laterUs;
      bench.end(2, false);
      expect(bench.stats).toMatchObject({ upstreamCxMaxRequests: 1, upstreamCxDestroyLocal: 1 });
      expect(bench.stats.upstreamCxProtocolError).toBe(errors);
    },
  );

  it('drains: idle connections close, busy ones after their request, waiting requests get new ones', () => {
    const bench = new Bench();
    bench.send(1);
    bench.send(2);
    bench.connect();
    bench.end(2);
    bench.pool.drain();
    expect(bench.stats).toMatchObject({ upstreamCxActive: 1, upstreamCxDestroyLocal: 1 });
    expect(bench.send(3)).toBe('pending');
    bench.end(1);
    expect(bench.stats).toMatchObject({
      upstreamCxActive: 1,
      upstreamCxDestroyLocal: 2,
      upstreamCxDestroyWithActiveRq: 0,
    });
    bench.connect();
    expect([...bench.sent.keys()]).toEqual([3]);
  });

  it.each([
    ['opens nothing for who waits until a connection has closed', false, 2],
    ['opens nothing for who gave up with the answer that closed it', true, 1],
  ])('that drains %s', (_, givesUp, connections) => {
    const bench = new Bench({}, { maxConnections: 1 });
    bench.send(1);
    bench.connect();
    bench.send(2);
    bench.pool.drain();
    expect(bench.stats).toMatchObject({ upstreamCxOverflow: 1, upstreamCxTotal: 1 });
    bench.end(1);
    if (givesUp) bench.pool.cancel(2);
    bench.settle();
    expect(bench.stats).toMatchObject({ upstreamCxOverflow: 1, upstreamCxTotal: connections });
  });

  it('puts nothing on a connection that drains, when it has room again', () => {
    const bench = new Bench(HTTP2);
    bench.send(1);
    bench.send(2);
    bench.connect();
    bench.pool.drain();
    bench.end(1);
    expect(bench.send(3)).toBe('pending');
    bench.end(2);
    expect(bench.stats).toMatchObject({ upstreamCxTotal: 2, upstreamCxActive: 1, upstreamCxDestroyLocal: 1 });
  });

  it('keeps a connection in the making while a request waits for it, and no longer', () => {
    const bench = new Bench();
    bench.send(1);
    bench.pool.drain();
    expect(bench.stats.upstreamCxActive).toBe(1);
    bench.pool.cancel(1);
    bench.pool.drain();
    expect(bench.stats.upstreamCxActive).toBe(0);
    // Whoever made it comes too late.
    bench.connect();
    expect(bench.stats).toMatchObject({ upstreamCxActive: 0, upstreamRqPendingActive: 0 });
  });
});

describe('preconnecting', () => {
  it('has so many connections for each open request, rounded up', () => {
    const bench = new Bench({ preconnectRatio: 1.5 });
    const connections = [0, 1, 2, 3].map((request) => {
      bench.send(request);
      bench.connect();
      return bench.pool.connections.size;
    });
    expect(connections).toEqual([2, 3, 5, 6]);
  });

  it('stays below the limit, and counts what it may not open', () => {
    const bench = new Bench({ preconnectRatio: 2 }, { maxConnections: 1 });
    bench.send(0);
    expect(bench.pool.connections.size).toBe(1);
    expect(bench.stats.upstreamCxOverflow).toBe(1);
  });
});
