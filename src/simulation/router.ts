import type { Struct } from '../core/json.js';
import { toDecimal } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import { isModern } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { Decision, PickRequest } from '../hostset/load-balancer.js';
import { emptyDecision } from '../hostset/load-balancer.js';
import { ScriptedRandom } from '../random/scripted.js';
import type { DecisionRecord } from '../result/decision-record.js';
import type { RequestOutcome, RequestRecord } from '../result/request-record.js';
import type { Totals } from '../result/run-result.js';
import { localityResult } from '../result/run-result.js';
import type { RequestSpec, RetryPolicy } from '../scenario/model.js';
import { NO_PLACE, placeOf } from '../stats/request-stats.js';
import type { Connection } from '../upstream/connection-pool.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { backOffUs, wouldRetry } from '../upstream/retry.js';
import { isOmitted } from '../upstream/retry-host-predicate.js';
import { Deadlines } from './deadlines.js';
import type { ExpectationTrackers } from './expectations.js';
import { HostsSide } from './hosts-side.js';
import { percentOfTimeout, perTryTimeoutUs } from './timeout-budget.js';
import { RequestState, RequestTable } from './request-table.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { RetryMemory, RetryRules } from './retry-memory.js';
import type { World } from './world.js';

/** What the caller of a run wants to hear while it goes on. */
export interface TrafficHooks {
  /** Each decision, as it is made. */
  readonly onDecision?: ((record: DecisionRecord) => void) | undefined;
  /** Each request, when it is over. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** HTTP statuses that the proxy itself answers with. */
const NO_ANSWER = 503;
const TIMED_OUT = 504;

const NO_HEADERS = {};

/**
 * The proxies' side of every request: choose a host, get a connection, wait for the answer, perhaps try again.
 *
 * This is the hot path: columns instead of objects, and the balancer's draws in the proxy's order.
 */
export class Router {
  readonly totals: Totals = {
    requests: 0,
    success: 0,
    failed: 0,
    in_flight: 0,
    no_healthy_upstream: 0,
    overflow: 0,
    retries: 0,
  };
  readonly requests = new RequestTable();
  readonly hosts: HostsSide;
  /** When the last request ended. */
  lastEndUs: Micros = 0;
  /** Called with the sender of each request that is over. */
  onEnded: (sender: number, arrivedUs: Micros) => void = () => undefined;
  /** Arrivals so far. */
  private arrivals = 0;
  private tries = 0;
  /** The row of the host whose answer is being passed on. */
  private answeringRow = -1;
  private readonly warmupUs: Micros;
  private readonly decision: Decision = emptyDecision();
  private readonly pick: PickRequest;
  private readonly retryRules = new RetryRules();
  private readonly requestDeadlines: Deadlines;
  private readonly tryDeadlines: Deadlines;

  constructor(
    private readonly world: World,
    private readonly workloadNames: readonly string[],
    private readonly expectations: ExpectationTrackers,
    private readonly hooks: TrafficHooks,
  ) {
    this.warmupUs = world.scenario.warmupUs;
    this.pick = {
      random: new ScriptedRandom([]),
      hasHash: false,
      hashHi: 0,
      hashLo: 0,
      metadataMatch: undefined,
      headers: undefined,
      hostSelectionRetryCount: 0,
      rejects: undefined,
      priorityLoad: undefined,
    };
    this.hosts = new HostsSide(world, {
      answered: (exchange, request, status) => this.answered(exchange, request, status),
      reset: (exchange, request) => this.reset(exchange, request),
    });
    this.requestDeadlines = new Deadlines(world.timers, (slot) => this.expireRequest(slot));
    this.tryDeadlines = new Deadlines(world.timers, (slot) => this.expireTry(slot));
    world.onConnectionReady = (request, connection) => this.send(request, connection);
    world.onConnectionRefused = (request, why) => this.refused(request, why);
  }

  // --- a new request, step by step ---------------------------------------------------------------------------------

  /** A request arrives at a proxy; the setters complete it, {@link route} sends it on its way. */
  open(spec: RequestSpec, cluster: number, proxy: number, worker: number, metadataMatch: Struct | undefined): number {
    const { requests, world } = this;
    const slot = requests.acquire();
    const counted = world.nowUs >= this.warmupUs;
    requests.ids[slot] = this.arrivals++;
    requests.arrivedUs[slot] = world.nowUs;
    requests.serviceUs[slot] = -1;
    requests.counted[slot] = counted ? 1 : 0;
    requests.holdsRetry[slot] = 0;
    requests.attempts[slot] = 0;
    requests.proxies[slot] = proxy;
    requests.workers[slot] = worker;
    requests.clusters[slot] = cluster;
    requests.upstreams[slot] = world.proxyAt(proxy).clusterAt(cluster);
    requests.exchanges[slot] = -1;
    requests.states[slot] = RequestState.pending;
    requests.specs[slot] = spec;
    requests.matches[slot] = metadataMatch;
    if (counted) this.totals.requests++;
    return slot;
  }

  setHash(slot: number, hasHash: boolean, hi: number, lo: number): void {
    const { requests } = this;
    requests.hasHash[slot] = hasHash ? 1 : 0;
    requests.hashHi[slot] = hi;
    requests.hashLo[slot] = lo;
  }

  setSender(slot: number, workload: number, sender: number): void {
    this.requests.workloads[slot] = workload;
    this.requests.senders[slot] = sender;
  }

  /** What explicit requests may bring along: the values their decisions draw, and how long the host takes. */
  setScript(slot: number, script: ScriptedRandom | undefined, serviceUs: Micros | undefined): void {
    this.requests.scripts[slot] = script;
    this.requests.serviceUs[slot] = serviceUs ?? -1;
  }

  route(slot: number): void {
    const { requests } = this;
    const id = requests.ids[slot] as number;
    const spec = requests.specs[slot] as RequestSpec;
    this.attempt(slot);
    if (spec.timeoutUs > 0 && requests.isOpen(slot, id)) {
      this.requestDeadlines.add(slot, spec.timeoutUs, this.world.nowUs);
    }
  }

  /** Requests that count and are open. */
  countOpen(): number {
    const { requests } = this;
    let open = 0;
    for (let slot = 0; slot < requests.used; slot++) {
      if (requests.states[slot] !== RequestState.free && requests.counted[slot] === 1) open++;
    }
    return open;
  }

  // --- an attempt --------------------------------------------------------------------------------------------------

  private attempt(slot: number): void {
    const { requests, decision } = this;
    const upstream = this.upstreamOf(slot);
    if (!upstream.world.present) {
      // Answered before there is anything to choose from: no attempt, and nothing that the cluster would count.
      if (requests.attempts[slot] === 0) this.expectations.firstAttempt(null);
      this.end(slot, upstream, NO_ANSWER, 'no_cluster');
      return;
    }
    const spec = requests.specs[slot] as RequestSpec;
    requests.tries[slot] = this.tries++;
    requests.states[slot] = RequestState.pending;
    this.choose(slot, upstream, spec);
    const { host } = decision;
    if (host === undefined) {
      this.nobody(slot, upstream);
      return;
    }
    requests.hosts[slot] = host;
    requests.subsets[slot] = decision.subset;
    requests.phases[slot] = upstream.recorder.phase;
    if (upstream.tracksTimeoutBudgets) requests.attemptedUs[slot] = this.world.nowUs;
    const pool = upstream.poolFor(host, requests.workers[slot] as number, spec.priority);
    const connection = pool.request(slot);
    if (connection === 'overflow' || connection === 'too-many-active') {
      this.overflowed(slot, upstream, connection === 'overflow' ? NO_PLACE : placeOf(host));
      return;
    }
    if (connection === 'pending') {
      requests.waiting[slot] = 1;
      host.pendingRequests++;
    } else {
      this.send(slot, connection);
    }
  }

  /** Asks the worker's balancer; the outcome is in `this.decision`. */
  private choose(slot: number, upstream: ProxyCluster, spec: RequestSpec): void {
    const { requests, pick, decision } = this;
    const worker = requests.workers[slot] as number;
    const attempt = requests.attempts[slot] as number;
    pick.random = requests.scripts[slot] ?? upstream.randomOf(worker);
    pick.hasHash = requests.hasHash[slot] === 1;
    pick.hashHi = requests.hashHi[slot] as number;
    pick.hashLo = requests.hashLo[slot] as number;
    pick.metadataMatch = requests.matches[slot];
    pick.headers = spec.headers;
    pick.hostSelectionRetryCount = 0;
    pick.rejects = undefined;
    pick.priorityLoad = undefined;
    if (attempt > 0 && spec.retryPolicy !== undefined) this.rememberTried(slot, spec.retryPolicy);
    upstream.balancerOf(worker).choose(pick, decision);
    const { host } = decision;
    if (spec.retryPolicy?.retryPriority !== undefined) requests.priorities[slot] = decision.priority;
    if (this.hooks.onDecision !== undefined) this.report(slot, upstream);
    if (attempt === 0) this.expectations.firstAttempt(host?.address ?? null);
    if (requests.counted[slot] === 1) {
      // Only in panic are unhealthy hosts picked on purpose.
      if (host?.isUnhealthy === true && !decision.panic) upstream.recorder.knownBad++;
      const row = host === undefined ? -1 : this.rowAhead(slot, upstream, host, spec);
      this.expectations.decided(requests.clusters[slot] as number, row, this.world.nowUs);
    }
  }

  /** Only retries keep away from hosts and priorities. */
  private rememberTried(slot: number, { retryHostPredicate, hostSelectionRetryMaxAttempts }: RetryPolicy): void {
    const tried = this.requests.tried[slot];
    const { pick } = this;
    if (retryHostPredicate.length > 0) {
      pick.hostSelectionRetryCount = hostSelectionRetryMaxAttempts;
      pick.rejects = (host) => isOmitted(retryHostPredicate, host, tried?.hosts ?? []);
    }
    const priorities = tried?.priorities;
    if (priorities !== undefined) pick.priorityLoad = (availability) => priorities.loadFor(availability);
  }

  /** The row that the attempt will count for: a logical host's idle connection may lead to an address of before. */
  private rowAhead(slot: number, upstream: ProxyCluster, host: Host, spec: RequestSpec): number {
    if (!(upstream.discovery instanceof LogicalDnsDiscovery)) return host.index;
    const next = upstream.poolFor(host, this.requests.workers[slot] as number, spec.priority).idle;
    return next === undefined ? host.index : rowOf(host, next);
  }

  /** The attempt has a connection. */
  private send(slot: number, connection: Connection): void {
    const { requests, world } = this;
    const upstream = this.upstreamOf(slot);
    const host = requests.hosts[slot] as Host;
    this.stopWaiting(slot, host);
    host.activeRequests++;
    host.stats.rqTotal++;
    upstream.requests.upstreamRqTotal++;
    upstream.requests.upstreamRqActive++;
    const row = rowOf(host, connection);
    requests.rows[slot] = row;
    if (requests.counted[slot] === 1) {
      upstream.recorder.sent(requests.phases[slot] as number, row, requests.subsets[slot]);
    }
    requests.states[slot] = RequestState.sent;
    upstream.outliers?.connected(host);
    const server = world.servers.at(upstream.world.serverOfRow(row));
    const exchange = this.hosts.send(slot, server, connection, requests.serviceUs[slot] as number);
    requests.exchanges[slot] = exchange;
    const perTryUs = perTryTimeoutUs(requests.specs[slot] as RequestSpec);
    const tryId = requests.tries[slot] as number;
    this.hosts.start(exchange);
    // The time of a try counts from when it has its connection.
    if (perTryUs > 0 && this.isCurrent(slot, tryId)) this.tryDeadlines.add(slot, perTryUs, world.nowUs);
  }

  // --- how attempts end --------------------------------------------------------------------------------------------

  /** The balancer found nobody. */
  private nobody(slot: number, upstream: ProxyCluster): void {
    upstream.requests.upstreamCxNoneHealthy++;
    if (this.requests.counted[slot] === 1) {
      upstream.recorder.noHost();
      this.totals.no_healthy_upstream++;
    }
    this.finish(slot, upstream, NO_ANSWER, NO_PLACE, 'no_host');
  }

  /**
   * A circuit breaker turned the attempt away.
   *
   * @param place where its host is, if it had a connection already; see {@link placeOf}.
   */
  private overflowed(slot: number, upstream: ProxyCluster, place: number): void {
    this.tryEnded(slot, upstream);
    if (this.requests.counted[slot] === 1) {
      upstream.recorder.overflow(this.requests.phases[slot] as number);
      this.totals.overflow++;
    }
    this.finish(slot, upstream, NO_ANSWER, place, 'overflow');
  }

  /** The attempt waited for a connection in vain. */
  private refused(slot: number, why: 'overflow' | 'connect-failure' | 'connect-timeout'): void {
    const { requests } = this;
    const upstream = this.upstreamOf(slot);
    const host = requests.hosts[slot] as Host;
    this.stopWaiting(slot, host);
    if (why === 'overflow') {
      this.overflowed(slot, upstream, placeOf(host));
      return;
    }
    this.countUnsent(slot, upstream, host);
    this.tryEnded(slot, upstream);
    host.stats.rqError++;
    upstream.outliers?.connectFailed(host);
    this.afterAttempt(slot, upstream, { kind: 'connect-failure' }, NO_ANSWER, placeOf(host), 'connect_failure');
  }

  /** The host's answer is here. */
  private answered(exchange: number, slot: number, status: number): void {
    const { requests } = this;
    const upstream = this.upstreamOf(slot);
    const host = requests.hosts[slot] as Host;
    const row = requests.rows[slot] as number;
    this.leaveHost(slot, exchange, upstream, host, true);
    this.tryEnded(slot, upstream);
    upstream.outliers?.answered(host, status);
    if (upstream.checks !== undefined && this.failsAtOnce(upstream, host)) upstream.checks.failedByAnswer(host);
    const retried = this.retries(slot, upstream, status, row);
    if (retried || status >= 500) host.stats.rqError++;
    else host.stats.rqSuccess++;
    const latencyUs = this.world.nowUs - (requests.arrivedUs[slot] as number);
    const place = placeOf(host);
    if (!retried) upstream.histograms.requestTime(place, latencyUs);
    if (requests.counted[slot] === 1) {
      const subset = requests.subsets[slot];
      if (retried) upstream.recorder.failed(row, subset);
      else upstream.recorder.answered(row, subset, latencyUs, status >= 500);
    }
    if (!retried) {
      this.answeringRow = row;
      this.finish(slot, upstream, status, place, 'answered');
    }
  }

  /** The host's answers carry the header that fails it at once. */
  private failsAtOnce(upstream: ProxyCluster, host: Host): boolean {
    return this.world.servers.at(upstream.world.serverOfRow(host.index)).behavior.immediateHealthCheckFail;
  }

  /** Whether an answered attempt is followed by another one, which is then on its way. */
  private retries(slot: number, upstream: ProxyCluster, status: number, row: number): boolean {
    const { retryPolicy } = this.requests.specs[slot] as RequestSpec;
    if (retryPolicy === undefined) return false;
    const { errorHeaders } = this.world.servers.at(upstream.world.serverOfRow(row)).behavior;
    return this.retry(slot, upstream, { kind: 'status', status, headers: status < 400 ? NO_HEADERS : errorHeaders });
  }

  /** The connection broke under the attempt. */
  private reset(exchange: number, slot: number): void {
    const { requests } = this;
    const upstream = this.upstreamOf(slot);
    const host = requests.hosts[slot] as Host;
    const connection = this.hosts.exchanges.connections[exchange] as Connection;
    connection.pool.close(connection, 'remote');
    this.leaveHost(slot, exchange, upstream, host, false);
    this.tryEnded(slot, upstream);
    this.hosts.abandon(exchange);
    host.stats.rqError++;
    // As the proxy counts it: each request on an HTTP/2 connection that broke, and none on HTTP/1.
    if (connection.pool.http2) upstream.connections.upstreamRqPendingFailureEject++;
    if (requests.counted[slot] === 1) upstream.recorder.failed(requests.rows[slot] as number, requests.subsets[slot]);
    upstream.outliers?.connectFailed(host);
    this.afterAttempt(slot, upstream, { kind: 'reset' }, NO_ANSWER, placeOf(host), 'reset');
  }

  private expireTry(slot: number): void {
    const upstream = this.upstreamOf(slot);
    upstream.requests.upstreamRqPerTryTimeout++;
    const place = this.giveUp(slot, upstream);
    this.afterAttempt(slot, upstream, { kind: 'per-try-timeout' }, TIMED_OUT, place, 'timeout');
  }

  private expireRequest(slot: number): void {
    const upstream = this.upstreamOf(slot);
    if (this.requests.states[slot] === RequestState.backingOff) {
      // Nobody is to blame: the caller is told, the cluster counts nothing.
      this.end(slot, upstream, TIMED_OUT, 'timeout');
      return;
    }
    upstream.requests.upstreamRqTimeout++;
    this.finish(slot, upstream, TIMED_OUT, this.giveUp(slot, upstream), 'timeout');
  }

  /**
   * The proxy stops waiting for the connection or the answer of the current attempt.
   *
   * @returns the place of the host that kept it waiting; as long as there is no connection, no host is blamed.
   */
  private giveUp(slot: number, upstream: ProxyCluster): number {
    const { requests } = this;
    this.tryEnded(slot, upstream);
    const host = requests.hosts[slot] as Host;
    if (requests.states[slot] === RequestState.pending) {
      const priority = (requests.specs[slot] as RequestSpec).priority;
      upstream.poolFor(host, requests.workers[slot] as number, priority).cancel(slot);
      this.stopWaiting(slot, host);
      this.countUnsent(slot, upstream, host);
      upstream.requests.upstreamRqCancelled++;
      return NO_PLACE;
    }
    const exchange = requests.exchanges[slot] as number;
    const connection = this.hosts.exchanges.connections[exchange] as Connection;
    this.leaveHost(slot, exchange, upstream, host, false);
    this.hosts.abandon(exchange);
    host.stats.rqTimeout++;
    host.stats.rqError++;
    if (connection.pool.http2) upstream.requests.upstreamRqTxReset++;
    if (requests.counted[slot] === 1) upstream.recorder.failed(requests.rows[slot] as number, requests.subsets[slot]);
    upstream.outliers?.timedOut(host);
    return placeOf(host);
  }

  /** Of `track_timeout_budgets`: which part of its time the attempt took. */
  private tryEnded(slot: number, upstream: ProxyCluster): void {
    if (!upstream.tracksTimeoutBudgets) return;
    const { requests } = this;
    const spec = requests.specs[slot] as RequestSpec;
    const usedUs = this.world.nowUs - (requests.attemptedUs[slot] as number);
    upstream.histograms.tryBudgetUsed(percentOfTimeout(usedUs, perTryTimeoutUs(spec)));
  }

  /** The attempt failed before it was sent; it still counts as one that was meant for its host. */
  private countUnsent(slot: number, upstream: ProxyCluster, host: Host): void {
    const { requests } = this;
    if (requests.counted[slot] === 0) return;
    const subset = requests.subsets[slot];
    upstream.recorder.sent(requests.phases[slot] as number, host.index, subset);
    upstream.recorder.failed(host.index, subset);
  }

  private stopWaiting(slot: number, host: Host): void {
    if (this.requests.waiting[slot] === 0) return;
    this.requests.waiting[slot] = 0;
    host.pendingRequests--;
  }

  /** The host is no longer busy with the attempt, as far as the proxy knows. */
  private leaveHost(slot: number, exchange: number, upstream: ProxyCluster, host: Host, reusable: boolean): void {
    host.activeRequests--;
    upstream.requests.upstreamRqActive--;
    this.requests.exchanges[slot] = -1;
    const connection = this.hosts.exchanges.connections[exchange] as Connection;
    connection.pool.ended(connection, reusable);
  }

  // --- retries, and the end ----------------------------------------------------------------------------------------

  private afterAttempt(
    slot: number,
    upstream: ProxyCluster,
    outcome: AttemptOutcome,
    status: number,
    place: number,
    ended: RequestOutcome,
  ): void {
    if (!this.retry(slot, upstream, outcome)) this.finish(slot, upstream, status, place, ended);
  }

  /** Schedules another attempt if the retry policy and the circuit breaker allow one. */
  private retry(slot: number, upstream: ProxyCluster, outcome: AttemptOutcome): boolean {
    const { requests, world } = this;
    const spec = requests.specs[slot] as RequestSpec;
    const policy = spec.retryPolicy;
    if (policy === undefined) return false;
    const { retryStats } = upstream;
    const { retries } = upstream.breakerOf(spec.priority);
    const proxy = world.proxyAt(requests.proxies[slot] as number);
    const { version } = proxy.spec;
    const worthwhile = wouldRetry(this.retryRules.conditionsOf(spec, policy, version), outcome);
    if (!worthwhile && requests.holdsRetry[slot] === 1) retryStats.upstreamRqRetrySuccess++;
    this.releaseRetry(slot, upstream);
    if (!worthwhile) return false;
    const attempt = (requests.attempts[slot] as number) + 1;
    if (attempt > policy.numRetries) {
      retryStats.upstreamRqRetryLimitExceeded++;
      return false;
    }
    if (!retries.canCreate()) {
      retryStats.upstreamRqRetryOverflow++;
      return false;
    }
    retries.increment();
    requests.holdsRetry[slot] = 1;
    retryStats.upstreamRqRetry++;
    retryStats.upstreamRqRetryBackoffExponential++;
    if (outcome.kind === 'status') upstream.requests.countRetriedStatus(outcome.status);
    if (requests.counted[slot] === 1) this.totals.retries++;
    requests.states[slot] = RequestState.backingOff;
    this.tryDeadlines.remove(slot);
    requests.attempts[slot] = attempt;
    const host = requests.hosts[slot];
    if (host !== undefined) {
      (requests.tried[slot] ??= new RetryMemory(policy)).attempted(host, requests.priorities[slot] as number);
    }
    const modern = isModern(version);
    const waitUs = backOffUs(attempt, policy.retryBackOff, proxy.runtime, proxy.retryRandom, modern);
    const id = requests.ids[slot] as number;
    world.timers.at(world.nowUs + waitUs, () => {
      if (requests.isOpen(slot, id) && requests.attempts[slot] === attempt) this.attempt(slot);
    });
    return true;
  }

  private releaseRetry(slot: number, upstream: ProxyCluster): void {
    if (this.requests.holdsRetry[slot] === 0) return;
    this.requests.holdsRetry[slot] = 0;
    upstream.breakerOf((this.requests.specs[slot] as RequestSpec).priority).retries.decrement();
  }

  /** The client has its answer, which the cluster counts. */
  private finish(slot: number, upstream: ProxyCluster, status: number, place: number, outcome: RequestOutcome): void {
    upstream.requests.countAnswer(place, status);
    this.end(slot, upstream, status, outcome);
  }

  private end(slot: number, upstream: ProxyCluster, status: number, outcome: RequestOutcome): void {
    const { requests, totals, world } = this;
    const arrivedUs = requests.arrivedUs[slot] as number;
    this.releaseRetry(slot, upstream);
    // Of `track_timeout_budgets`: which part of its time the request took, if an answer or the end of that time ended it.
    if (upstream.tracksTimeoutBudgets && (outcome === 'answered' || outcome === 'timeout')) {
      const { timeoutUs } = requests.specs[slot] as RequestSpec;
      upstream.histograms.requestBudgetUsed(percentOfTimeout(world.nowUs - arrivedUs, timeoutUs));
    }
    if (requests.counted[slot] === 1) {
      if (status < 500) totals.success++;
      else totals.failed++;
      this.expectations.ended(requests.clusters[slot] as number, status, world.nowUs - arrivedUs, arrivedUs);
    }
    if (world.nowUs > this.lastEndUs) this.lastEndUs = world.nowUs;
    if (this.hooks.onRequest !== undefined) this.reportEnd(slot, upstream, status, outcome);
    const sender = requests.senders[slot] as number;
    this.requestDeadlines.remove(slot);
    this.tryDeadlines.remove(slot);
    requests.release(slot);
    this.onEnded(sender, arrivedUs);
  }

  // --- helpers -----------------------------------------------------------------------------------------------------

  private isCurrent(slot: number, tryId: number): boolean {
    const { requests } = this;
    const state = requests.states[slot];
    return requests.tries[slot] === tryId && state !== RequestState.free && state !== RequestState.backingOff;
  }

  private upstreamOf(slot: number): ProxyCluster {
    return this.requests.upstreams[slot] as ProxyCluster;
  }

  private report(slot: number, upstream: ProxyCluster): void {
    const { decision, pick, requests } = this;
    const { host } = decision;
    this.hooks.onDecision?.({
      request: requests.ids[slot] as number,
      attempt: requests.attempts[slot] as number,
      tUs: this.world.nowUs,
      proxy: this.world.proxyAt(requests.proxies[slot] as number).name,
      worker: requests.workers[slot] as number,
      workload: this.workloadNames[requests.workloads[slot] as number] ?? null,
      cluster: upstream.name,
      hash: pick.hasHash ? toDecimal(pick.hashHi, pick.hashLo) : null,
      host: host?.address ?? null,
      priority: host === undefined ? null : decision.priority,
      locality: host === undefined ? null : localityResult(host.locality),
      subset: decision.subset ?? null,
      panic: decision.panic,
    });
  }

  private reportEnd(slot: number, upstream: ProxyCluster, status: number, outcome: RequestOutcome): void {
    const { requests, world } = this;
    const arrivedUs = requests.arrivedUs[slot] as number;
    // The next attempt is counted from the start of its back-off; its decision comes after that.
    const decided = outcome !== 'no_cluster' && requests.states[slot] !== RequestState.backingOff;
    this.hooks.onRequest?.({
      request: requests.ids[slot] as number,
      tUs: arrivedUs,
      latencyUs: world.nowUs - arrivedUs,
      proxy: world.proxyAt(requests.proxies[slot] as number).name,
      worker: requests.workers[slot] as number,
      workload: this.workloadNames[requests.workloads[slot] as number] ?? null,
      cluster: upstream.name,
      hash:
        requests.hasHash[slot] === 1
          ? toDecimal(requests.hashHi[slot] as number, requests.hashLo[slot] as number)
          : null,
      outcome,
      status,
      attempts: (requests.attempts[slot] as number) + (decided ? 1 : 0),
      host: outcome === 'answered' ? (upstream.world.rows.rows[this.answeringRow]?.address ?? null) : null,
    });
  }
}

/** The row that a request counts for: its host's, or the address that a logical host had when it was connected. */
function rowOf(host: Host, connection: Connection): number {
  return connection.row === -1 ? host.index : connection.row;
}
