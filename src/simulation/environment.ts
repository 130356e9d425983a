import type { Clock } from '../core/environment.js';
import { EventQueue } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import { TableCache } from '../hostset/table-cache.js';
import { RandomStreams } from '../random/streams.js';
import type { WorldSettings } from '../settings/world.js';
import { Zones } from '../stats/request-stats.js';
import type { Connection, PoolEvents } from '../upstream/connection-pool.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import { EventKind, Timers } from './timers.js';
import { type Server, Servers } from './servers/server.js';
import type { CircuitBreakerLimit } from '../settings/cluster-settings.js';
import type { UnejectionCause } from '../upstream/cause.js';
import type { EjectionTime } from '../upstream/outlier-monitor.js';
import type { CourseRecorder } from '../result/course.js';
import { HostRows } from '../result/phase-hosts.js';
import { NO_ROWS, PhaseLog } from '../result/phases.js';
import { ManagedCluster } from '../upstream/cluster-manager.js';

export interface HostReturn {
  readonly address: string;
  readonly proxy: string;
  readonly ejectedAtUs: Micros;
  readonly backAtUs: Micros;
  readonly cause: UnejectionCause;
  readonly time: EjectionTime;
  /** Of the sweeps. */
  readonly intervalUs: Micros;
}

export class ClusterWorld extends ManagedCluster {
  readonly rows = new HostRows();
  readonly log = new PhaseLog({ states: NO_ROWS, priorities: [], facts: [] });
  /** Limits of its circuit breakers that were reached, those of high priority aside. */
  readonly limitsReached = new Set<CircuitBreakerLimit>();
  /** The first hosts that came back from an ejection. */
  readonly returns: HostReturn[] = [];
  /** undefined: not requested. */
  course: CourseRecorder | undefined;
  /** By row: the servers of all its hosts, now and before. */
  readonly servers: Server[] = [];

  serverOf(row: number): Server {
    return this.servers[row] as Server;
  }
}

export type CheckRecord = Readonly<{ tUs: Micros; host: string }>;

export abstract class Environment implements Clock {
  nowUs: Micros = 0;
  readonly queue = new EventQueue<EventKind>(EventKind.arrival);
  readonly timers = new Timers(this.queue);
  readonly streams = new RandomStreams(this.settings.seed);
  readonly servers = new Servers(this.settings.behavior, this.streams);
  readonly resolver = new Resolver(this.settings.dns);
  /** Threads and proxies that see the same hosts share their tables. */
  readonly tables = new TableCache();
  readonly zones = new Zones();
  /** A cluster initialises: nothing takes time yet, and nothing is recorded as an event. */
  isStarting = false;
  /** Called at the begin of each health check; undefined: nobody asks. */
  onCheck: ((check: CheckRecord) => void) | undefined = undefined;
  onConnectionReady: (request: number, connection: Connection) => void = () => undefined;
  onConnectionRefused: PoolEvents['refused'] = () => undefined;
  /** The host's connections over TCP close at once. */
  onHangUp: (host: Host) => void = () => undefined;

  /** @param timersAheadUs how long before time 0 the timers of proxies began. */
  constructor(
    readonly settings: WorldSettings,
    private readonly timersAheadUs: Micros,
  ) {}

  /** The cluster initialises, and has traffic from time 0 on. */
  abstract startsBusy(cluster: ClusterWorld): boolean;

  /** Time until the next tick of a timer that started with the proxy and fires each `intervalUs`. */
  firstDelayUs(intervalUs: Micros): Micros {
    return this.nowUs > 0 || intervalUs <= 0 ? intervalUs : intervalUs - (this.timersAheadUs % intervalUs);
  }
}
