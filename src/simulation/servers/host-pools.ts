import { entryOf } from '../../core/values.js';
import type { ConnectionStats } from '../../core/generated/counts.js';
import type { Host } from '../../host/host.js';
import type { RequestSpec } from '../../settings/world.js';
import type { CircuitBreaker } from '../../upstream/circuit-breaker.js';
import * as connectionPool from '../../upstream/connection-pool.js';

export interface PoolParts {
  readonly protocol: connectionPool.PoolProtocol;
  readonly connections: ConnectionStats;
  readonly poolEvents: connectionPool.PoolEvents;
  breakerOf(priority: RequestSpec['priority']): CircuitBreaker;
}

/** One per worker, routing priority and host. */
export class HostPools {
  /** By host; one map per worker and routing priority, up to the highest ever used. */
  private readonly pools: Map<Host, connectionPool.ConnectionPool>[] = [];
  /** Hosts that left with requests in flight. */
  private readonly abandoned = new Set<Host>();
  /** For each of these maps, the pool used last at each row: almost always the right one. */
  private readonly recent: (connectionPool.ConnectionPool | undefined)[][] = [];

  constructor(private readonly parts: PoolParts) {}

  of(host: Host, worker: number, priority: RequestSpec['priority']): connectionPool.ConnectionPool {
    const index = 2 * worker + (priority === 'HIGH' ? 1 : 0);
    const pool = this.recent[index]?.[host.index];
    return pool?.host === host ? pool : this.find(index, host, priority);
  }

  private find(index: number, host: Host, priority: RequestSpec['priority']): connectionPool.ConnectionPool {
    for (let used = this.pools.length; used <= index; used++) {
      this.pools.push(new Map());
      this.recent.push([]);
    }
    const pools = this.pools[index] as Map<Host, connectionPool.ConnectionPool>;
    const pool = entryOf(pools, host, () => {
      const { protocol, connections, poolEvents } = this.parts;
      return new connectionPool.ConnectionPool(host, protocol, this.parts.breakerOf(priority), connections, poolEvents);
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

  *all(): Iterable<connectionPool.ConnectionPool> {
    for (const pools of this.pools) yield* pools.values();
  }
}
