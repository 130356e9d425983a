import type { Cluster, Thresholds } from '../config/types.js';
import type { Runtime } from '../core/environment.js';
import { quirksOf } from '../core/quirks.js';
import type { Host } from '../host/host.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { LbStats, LoadBalancer } from '../hostset/load-balancer.js';
import type { RandomStream } from '../random/streams.js';
import type { Random64 } from '../random/random64.js';
import { ClusterRecorder } from '../result/cluster-recorder.js';
import type { RequestSpec } from '../scenario/model.js';
import type { RequestStats } from '../stats/request-stats.js';
import type { CircuitBreakerLimit, CircuitBreakerLimits } from '../upstream/circuit-breaker.js';
import { CircuitBreaker, DEFAULT_LIMITS, DEFAULT_RETRY_BUDGET } from '../upstream/circuit-breaker.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { ConnectionStats, PoolEvents, PoolProtocol } from '../upstream/connection-pool.js';
import { ConnectionPool } from '../upstream/connection-pool.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import { emptyRetryStats } from '../upstream/retry.js';
import type { Aggregate } from './aggregate.js';
import type { PendingCauses } from './causes.js';
import { ClusterHistograms } from './cluster-histograms.js';
import type { ClusterWorld } from './cluster-world.js';
import type { HealthChecks } from './health-checks.js';
import type { LoadReports } from './load-reports.js';
import type { Outliers } from './outliers.js';

type Priority = RequestSpec['priority'];

export interface ProxyClusterParts {
  readonly world: ClusterWorld;
  readonly lb: LoadBalancerConfig;
  readonly lbStats: LbStats;
  readonly upstream: UpstreamCluster;
  /** One per worker. */
  readonly balancers: readonly LoadBalancer[];
  readonly randoms: readonly Random64[];
  /** One per worker: which requests are dropped. */
  readonly dropStream: (worker: number) => RandomStream;
  readonly requests: RequestStats;
  readonly runtime: Runtime;
  readonly pools: PoolEvents;
  /** undefined: its hosts are assigned to it. */
  readonly discovery: Discovery | undefined;
  /** undefined: no outlier detection. */
  readonly outliers: Outliers | undefined;
  /** undefined: no active health checking. */
  readonly checks: HealthChecks | undefined;
  /** undefined: it has hosts of its own. */
  readonly aggregate: Aggregate | undefined;
  /** undefined: weights are as configured. */
  readonly loadReports: LoadReports | undefined;
  readonly connections: ConnectionStats;
  /** Zone of the proxy; '' where its node states none. */
  readonly fromZone: string;
  /** Why its balancers will hold other lists. */
  readonly causes: PendingCauses;
  /** A limit of a circuit breaker is reached, or no more. */
  readonly limitChanged: (priority: Priority, limit: CircuitBreakerLimit, reached: boolean) => void;
}

/** One cluster inside one proxy: its balancers, connections, circuit breakers, and what is counted of it. */
export class ProxyCluster {
  readonly recorder = new ClusterRecorder();
  histograms: ClusterHistograms;
  connections: ConnectionStats;
  retryStats = emptyRetryStats();
  readonly world: ClusterWorld;
  lb: LoadBalancerConfig;
  lbStats: LbStats;
  upstream: UpstreamCluster;
  requests: RequestStats;
  /** undefined: no health checks are configured. */
  checks: HealthChecks | undefined;
  /** undefined: no outlier detection is configured. */
  outliers: Outliers | undefined;
  /** Made when first asked for: many a cluster has no traffic of one priority. */
  private readonly breakers: Partial<Record<Priority, CircuitBreaker>> = {};
  /** By priority. */
  private readonly panics: boolean[] = [];
  /** `track_timeout_budgets` is on. */
  tracksTimeoutBudgets: boolean;
  private protocol: PoolProtocol;
  /** Connection pools by host; one map per worker and routing priority, up to the last that was ever asked for. */
  private readonly pools: Map<Host, ConnectionPool>[] = [];
  /** Hosts that left while requests to them were open. */
  private readonly abandoned = new Set<Host>();
  /** For each of these maps, the pool that was asked for last at each row: almost always the right one. */
  private readonly recent: (ConnectionPool | undefined)[][] = [];

  constructor(private parts: ProxyClusterParts) {
    const { world, lb, lbStats, upstream, requests } = parts;
    this.world = world;
    this.lb = lb;
    this.outliers = parts.outliers;
    this.checks = parts.checks;
    this.connections = parts.connections;
    this.lbStats = lbStats;
    this.upstream = upstream;
    this.requests = requests;
    this.histograms = histogramsOf(parts);
    const { config } = world;
    this.protocol = protocolOf(config, quirksOf(lb.version).countsActiveOverflow);
    this.tracksTimeoutBudgets = config.trackTimeoutBudgets;
  }

  /** The cluster is replaced or removed: its updates stop, and its connections take no more requests. */
  retire(): void {
    this.parts.discovery?.stop();
    const hosts = [...this.upstream.hosts()].map(({ host }) => host);
    this.outliers?.stop(hosts);
    this.parts.loadReports?.stop();
    this.checks?.hostsRemoved(hosts);
    this.upstream.retire();
    this.causes.drop();
    for (const pool of this.allPools()) {
      pool.drain();
      this.abandoned.add(pool.host);
    }
  }

  /**
   * Another configuration, with balancers and hosts of its own; what is in flight goes on, and so does what is counted
   * (but see {@link RequestStats}), unless the cluster was removed in between: its statistics went with it.
   */
  replace(parts: ProxyClusterParts): void {
    const isUpdate = parts.requests === this.requests;
    if (!isUpdate) {
      parts.requests.succeed(this.requests);
      this.requests = parts.requests;
      this.retryStats = emptyRetryStats();
      const { onSample, onRestart } = this.histograms;
      this.histograms = histogramsOf(parts);
      this.histograms.onSample = onSample;
      this.histograms.onRestart = onRestart;
    }
    this.connections = parts.connections;
    this.lbStats = parts.lbStats;
    this.parts = parts;
    this.lb = parts.lb;
    this.outliers = parts.outliers;
    this.checks = parts.checks;
    this.upstream = parts.upstream;
    const { config } = this.world;
    this.breakers.DEFAULT?.setLimits(limitsOf(config, 'DEFAULT'));
    this.breakers.HIGH?.setLimits(limitsOf(config, 'HIGH'));
    this.protocol = protocolOf(config, quirksOf(parts.lb.version).countsActiveOverflow);
    this.tracksTimeoutBudgets = config.trackTimeoutBudgets;
    if (isUpdate) this.requests.update();
  }

  get name(): string {
    return this.world.name;
  }

  balancerOf(worker: number): LoadBalancer {
    return this.parts.balancers[worker] as LoadBalancer;
  }

  randomOf(worker: number): Random64 {
    return this.parts.randoms[worker] as Random64;
  }

  /** The next request is dropped before anybody is asked, as `drop_overloads` says. */
  dropsNext(worker: number): boolean {
    const { dropRatio } = this.upstream;
    return dropRatio > 0 && this.parts.dropStream(worker).uniform() < dropRatio;
  }

  breakerOf(priority: Priority): CircuitBreaker {
    return (this.breakers[priority] ??= this.createBreaker(priority));
  }

  private createBreaker(priority: Priority): CircuitBreaker {
    const { config } = this.world;
    const key = priority === 'DEFAULT' ? 'default' : 'high';
    return new CircuitBreaker(limitsOf(config, priority), this.parts.runtime, config.name, key, (limit, reached) =>
      this.parts.limitChanged(priority, limit, reached),
    );
  }

  /** @returns true where it was otherwise before. */
  setPanic(priority: number, panic: boolean): boolean {
    const before = this.panics[priority] ?? false;
    this.panics[priority] = panic;
    return before !== panic;
  }

  get causes(): PendingCauses {
    return this.parts.causes;
  }

  get aggregate(): Aggregate | undefined {
    return this.parts.aggregate;
  }

  get loadReports(): LoadReports | undefined {
    return this.parts.loadReports;
  }

  get discovery(): Discovery | undefined {
    return this.parts.discovery;
  }

  /** Its one host goes by the address that DNS gave last, while connections lead to those of before. */
  get hasLogicalHost(): boolean {
    return this.parts.discovery instanceof LogicalDnsDiscovery;
  }

  runtimeChanged(): void {
    this.breakers.DEFAULT?.readRuntime();
    this.breakers.HIGH?.readRuntime();
  }

  /** `track_remaining` is set for `priority`. */
  tracksRemaining(priority: Priority): boolean {
    return thresholdsOf(this.world.config, priority)?.trackRemaining ?? false;
  }

  poolFor(host: Host, worker: number, priority: Priority): ConnectionPool {
    const index = 2 * worker + (priority === 'HIGH' ? 1 : 0);
    const pool = this.recent[index]?.[host.index];
    return pool?.host === host ? pool : this.findPool(index, host, priority);
  }

  private findPool(index: number, host: Host, priority: Priority): ConnectionPool {
    for (let used = this.pools.length; used <= index; used++) {
      this.pools.push(new Map());
      this.recent.push([]);
    }
    const pools = this.pools[index] as Map<Host, ConnectionPool>;
    let pool = pools.get(host);
    if (pool === undefined) {
      pool = new ConnectionPool(host, this.protocol, this.breakerOf(priority), this.connections, this.parts.pools);
      pools.set(host, pool);
    }
    (this.recent[index] as (ConnectionPool | undefined)[])[host.index] = pool;
    return pool;
  }

  /**
   * Hosts joined or left: connections to those that left take no more requests; under
   * `close_connections_on_host_set_change` no connection of the cluster does.
   */
  membersChanged(removed: readonly Host[]): void {
    const everybody = this.world.config.commonLbConfig?.closeConnectionsOnHostSetChange === true;
    const left = new Set(removed);
    for (const pools of this.pools) {
      for (const [host, pool] of pools) {
        const gone = left.has(host);
        if (gone || everybody) pool.drain();
        if (gone) this.abandoned.add(host);
        // A pool may outlast its host, but not its last request.
        if (pool.isEmpty && this.abandoned.has(host)) pools.delete(host);
      }
    }
    for (const host of this.abandoned) if (this.pools.every((pools) => !pools.has(host))) this.abandoned.delete(host);
  }

  /** Some worker has a connection to the host, or a request that waits for one. */
  isConnected(host: Host): boolean {
    return this.pools.some((pools) => pools.get(host)?.isEmpty === false);
  }

  /** A health check failed a host, or it was ejected: its connections take no more requests, new ones may do better. */
  hostFailed(host: Host): void {
    for (const pools of this.pools) pools.get(host)?.drain();
  }

  *poolsOfRow(row: number): Iterable<ConnectionPool> {
    for (const pools of this.pools) {
      for (const [host, pool] of pools) if (host.index === row) yield pool;
    }
  }

  *allPools(): Iterable<ConnectionPool> {
    for (const pools of this.pools) yield* pools.values();
  }
}

function histogramsOf({ requests, fromZone, lb }: ProxyClusterParts): ClusterHistograms {
  return new ClusterHistograms(requests, fromZone, quirksOf(lb.version).countsRequestsPerConnection);
}

/** Of several entries for one priority the first counts. */
function thresholdsOf(cluster: Cluster, priority: Priority): Thresholds | undefined {
  return cluster.circuitBreakers?.thresholds.find((entry) => entry.priority === priority);
}

function limitsOf(cluster: Cluster, priority: Priority): CircuitBreakerLimits {
  const thresholds = thresholdsOf(cluster, priority);
  if (thresholds === undefined) return DEFAULT_LIMITS;
  const { retryBudget } = thresholds;
  return {
    maxConnections: thresholds.maxConnections ?? DEFAULT_LIMITS.maxConnections,
    maxPendingRequests: thresholds.maxPendingRequests ?? DEFAULT_LIMITS.maxPendingRequests,
    maxRequests: thresholds.maxRequests ?? DEFAULT_LIMITS.maxRequests,
    maxRetries: thresholds.maxRetries ?? DEFAULT_LIMITS.maxRetries,
    retryBudget:
      retryBudget === undefined
        ? undefined
        : {
            budgetPercent: retryBudget.budgetPercent?.value ?? DEFAULT_RETRY_BUDGET.budgetPercent,
            minRetryConcurrency: retryBudget.minRetryConcurrency ?? DEFAULT_RETRY_BUDGET.minRetryConcurrency,
          },
  };
}

function protocolOf(cluster: Cluster, countsActiveOverflow: boolean): PoolProtocol {
  const http2 = cluster.http2ProtocolOptions;
  const limit = cluster.maxRequestsPerConnection ?? 0;
  return {
    http2: http2 !== undefined,
    streamsPerConnection: http2 === undefined ? 1 : (http2.maxConcurrentStreams ?? 2 ** 31 - 1),
    requestsPerConnection: limit === 0 ? Infinity : limit,
    countsActiveOverflow,
  };
}
