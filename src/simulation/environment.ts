import type { Clock } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { TableCache } from '../hostset/table-cache.js';
import type { RandomStreams } from '../random/streams.js';
import type { Zones } from '../stats/request-stats.js';
import type { Connection, PoolEvents } from '../upstream/connection-pool.js';
import type { Resolver } from '../upstream/discovery/resolver.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Servers } from './servers/servers.js';
import type { Timers } from './timers.js';

/** What proxies and their clusters need from the run. */
export interface Environment extends Clock {
  readonly timers: Timers;
  readonly streams: RandomStreams;
  readonly servers: Servers;
  readonly resolver: Resolver;
  /** Threads and proxies that see the same hosts share their tables. */
  readonly tables: TableCache;
  readonly zones: Zones;
  /** A cluster initialises: nothing takes time yet, and nothing is recorded as an event. */
  readonly isStarting: boolean;
  /** The cluster initialises, and has traffic from time 0 on. */
  startsBusy(cluster: ClusterWorld): boolean;
  /** Time until the next tick of a timer that started with the proxy and fires each `intervalUs`. */
  firstDelayUs(intervalUs: Micros): Micros;
  /** A waiting request got a connection. */
  onConnectionReady(request: number, connection: Connection): void;
  /** A waiting request gets no connection. */
  onConnectionRefused: PoolEvents['refused'];
}
