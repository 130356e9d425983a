import type { Clock } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { TableCache } from '../hostset/table-cache.js';
import type { RandomStreams } from '../random/streams.js';
import type { Connection, PoolEvents } from '../upstream/connection-pool.js';
import type { Resolver } from '../upstream/discovery/resolver.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Servers } from './servers.js';
import type { Timers } from './timers.js';

/** What proxies and their clusters find around them. */
export interface Environment extends Clock {
  readonly timers: Timers;
  readonly streams: RandomStreams;
  readonly servers: Servers;
  readonly resolver: Resolver;
  /** Threads and proxies that see the same hosts share their tables. */
  readonly tables: TableCache;
  /** A cluster initialises: what takes time later takes none now, and what it learns is no news. */
  readonly isStarting: boolean;
  /** The cluster initialises, and has traffic from time 0 on. */
  startsBusy(cluster: ClusterWorld): boolean;
  /** When something is due next that began with the proxy and comes each `intervalUs`. */
  firstDelayUs(intervalUs: Micros): Micros;
  /** A request that waited for a connection has one. */
  onConnectionReady(request: number, connection: Connection): void;
  /** A request that waited for a connection gets none. */
  onConnectionRefused: PoolEvents['refused'];
}
