import { entryOf } from '../../core/values.js';
import type { ConnectionStats } from '../../core/generated/counts.js';
import type { Host } from '../../host/host.js';
import type { RequestSpec } from '../../settings/world.js';
import { POOLS_OF_WORKER, type RequestPlan } from '../request-plan.js';
import type { CircuitBreaker } from '../../upstream/circuit-breaker.js';
import * as connectionPool from '../../upstream/connection-pool.js';

export interface PoolParts {
  readonly protocol: connectionPool.PoolProtocol;
  readonly connections: ConnectionStats;
  readonly poolEvents: connectionPool.PoolEvents;
  breakerOf(priority: RequestSpec['priority']): CircuitBreaker;
}

type PoolPlan = Pick<RequestPlan, 'priority' | 'tcp' | 'pool'>;

/** Where the cluster's hosts are asked over TCP. */
const overTcp = (protocol: connectionPool.PoolProtocol): connectionPool.PoolProtocol => ({
  ...protocol,
  tcp: true,
  http2: false,
  streamsPerConnection: 1,
  limitsRequests: false,
  limitsConnections: true,
});

/** One per worker, protocol, routing priority and host. */
export class HostPools {
  /** By host; one map per worker, protocol and routing priority, up to the highest ever used. */
  private readonly pools: Map<Host, connectionPool.ConnectionPool>[] = [];
  /** Hosts that left with requests in flight. */
  private readonly abandoned = new Set<Host>();
  /** For each of these maps, the pool used last at each row: almost always the right one. */
  private readonly recent: (connectionPool.ConnectionPool | undefined)[][] = [];

  constructor(private readonly parts: PoolParts) {}

  of(host: Host, worker: number, plan: PoolPlan): connectionPool.ConnectionPool {
    const index = POOLS_OF_WORKER * worker + plan.pool;
    const pool = this.recent[index]?.[host.index];
    return pool?.host === host ? pool : this.find(index, host, plan);
  }

  private find(index: number, host: Host, { priority, tcp }: PoolPlan): connectionPool.ConnectionPool {
    for (let used = this.pools.length; used <= index; used++) {
      this.pools.push(new Map());
      this.recent.push([]);
    }
    const pools = this.pools[index] as Map<Host, connectionPool.ConnectionPool>;
    const pool = entryOf(pools, host, () => {
      const { protocol, connections, poolEvents } = this.parts;
      const breaker = this.parts.breakerOf(priority);
      const own = tcp === undefined ? protocol : overTcp(protocol);
      return new connectionPool.ConnectionPool(host, own, breaker, connections, poolEvents);
    });
    (this.recent[index] as (connectionPool.ConnectionPool | undefined)[])[host.index] = pool;
    return pool;
  }

  /** Connections to hosts that left take no more requests. @param drainsAll none does: `close_connections_on_host_set_change`. */
  membersChanged(removed: readonly Host[], drainsAll: boolean): void {
    const left = new Set(removed);
    for (const pools of this.pools) {
      for (const [host, pool] of pools) {
        const gone = left.has(host);
        if (gone || drainsAll) pool.drain();
        if (gone) this.abandoned.add(host);
        // A pool may outlast its host, but not its last request.
        if (pool.isEmpty && this.abandoned.has(host)) pools.delete(host);
      }
    }
    for (const host of this.abandoned) if (this.pools.every((pools) => !pools.has(host))) this.abandoned.delete(host);
  }

  /** A health check failed a host, or it was ejected: its connections take no more requests; new ones are made. */
  drain(host: Host): void {
    for (const pools of this.pools) pools.get(host)?.drain();
  }

  abandon(): void {
    for (const pool of this.all()) {
      pool.drain();
      this.abandoned.add(pool.host);
    }
  }

  /** Some worker has a connection to the host, or a request that waits for one. */
  isConnected(host: Host): boolean {
    return this.pools.some((pools) => pools.get(host)?.isEmpty === false);
  }

  addLoad(worker: number, sum: connectionPool.PoolLoad): void {
    for (const pools of this.pools.slice(POOLS_OF_WORKER * worker, POOLS_OF_WORKER * (worker + 1)))
      for (const pool of pools.values()) pool.addLoad(sum);
  }

  *all(): Iterable<connectionPool.ConnectionPool> {
    for (const pools of this.pools) yield* pools.values();
  }
}
