import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { Decision, PickRequest } from '../hostset/load-balancer.js';
import { emptyDecision } from '../hostset/load-balancer.js';
import { ScriptedRandom } from '../random/scripted.js';
import type { RequestOutcome } from '../result/request-record.js';
import type { Totals } from '../result/run-result.js';
import { NO_PLACE, placeOf } from '../stats/request-stats.js';
import type { Connection } from '../upstream/connection-pool.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { Deadlines } from './deadlines.js';
import type { ExpectationTrackers } from './expectations.js';
import { HostsSide } from './hosts-side.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RequestPlan } from './request-plan.js';
import { RequestState, RequestTable } from './request-table.js';
import { Retries } from './retries.js';
import { percentOfTimeout } from './timeout-budget.js';
import type { TrafficHooks } from './traffic-records.js';
import { TrafficRecords } from './traffic-records.js';
import type { World } from './world.js';

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
  /** Called with the sender of each request that is over, if somebody waits for it. */
  onEnded: (sender: number, arrivedUs: Micros) => void = () => undefined;
  /** Arrivals so far. */
  private arrivals = 0;
  /** The row of the host whose answer is being passed on. */
  private answeringRow = -1;
  private readonly warmupUs: Micros;
  private readonly decision: Decision = emptyDecision();
  private readonly pick: PickRequest;
  /** Whose request {@link pick} is about. */
  private pickedPlan: RequestPlan | undefined;
  private readonly requestDeadlines: Deadlines;
  private readonly tryDeadlines: Deadlines;
  private readonly retries: Retries;
  private readonly records: TrafficRecords;

  /** @param expectations undefined where nothing is expected. */
  constructor(
    private readonly world: World,
    workloadNames: readonly string[],
    private readonly expectations: ExpectationTrackers | undefined,
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
    this.retries = new Retries(world, this.requests, this.totals, (slot) => this.attempt(slot));
    this.records = new TrafficRecords(world, this.requests, workloadNames);
    world.onConnectionReady = (request, connection) => this.send(request, connection);
    world.onConnectionRefused = (request, why) => this.refused(request, why);
  }

  /**
   * A request arrives at a proxy and goes its way.
   *
   * @param sender who waits for the answer; -1: nobody.
   * @param hi     hash of the request where the plan says that it has one, else 0.
   */
  route(plan: RequestPlan, proxy: number, worker: number, sender: number, hi: number, lo: number): void {
    const { requests, world } = this;
    const slot = requests.acquire();
    const id = this.arrivals++;
    const counted = world.nowUs >= this.warmupUs;
    requests.ids[slot] = id;
    requests.arrivedUs[slot] = world.nowUs;
    requests.counted[slot] = counted ? 1 : 0;
    requests.holdsRetry[slot] = 0;
    requests.attempts[slot] = 0;
    requests.senders[slot] = sender;
    requests.proxies[slot] = proxy;
    requests.workers[slot] = worker;
    requests.upstreams[slot] = world.proxyAt(proxy).clusterAt(plan.cluster);
    requests.exchanges[slot] = -1;
    requests.states[slot] = RequestState.pending;
    requests.plans[slot] = plan;
    requests.hashHi[slot] = hi;
    requests.hashLo[slot] = lo;
    if (counted) this.totals.requests++;
    this.attempt(slot);
    if (plan.timeoutUs > 0 && requests.isOpen(slot, id)) this.requestDeadlines.add(slot, plan.timeoutUs, world.nowUs);
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
      if (requests.attempts[slot] === 0) this.expectations?.firstAttempt(null);
      requests.phases[slot] = upstream.recorder.phase;
      this.end(slot, upstream, NO_ANSWER, 'no_cluster');
      return;
    }
    const plan = requests.plans[slot] as RequestPlan;
    requests.states[slot] = RequestState.pending;
    this.choose(slot, upstream, plan);
    // After the choice: one of an original destination may add a host, which begins a phase.
    requests.phases[slot] = upstream.recorder.phase;
    const { host } = decision;
    if (host === undefined) {
      this.nobody(slot, upstream);
      return;
    }
    requests.hosts[slot] = host;
    requests.subsets[slot] = decision.subset;
    if (upstream.tracksTimeoutBudgets) requests.attemptedUs[slot] = this.world.nowUs;
    const pool = upstream.poolFor(host, requests.workers[slot] as number, plan.priority);
    const connection = pool.request(slot);
    // Told apart by type first: to compare an object with a text is a call.
    if (typeof connection !== 'string') {
      this.send(slot, connection);
    } else if (connection === 'pending') {
      requests.waiting[slot] = 1;
      host.pendingRequests++;
    } else {
      this.overflowed(slot, upstream, connection === 'overflow' ? NO_PLACE : placeOf(host));
    }
  }

  /** Asks the worker's balancer; the outcome is in `this.decision`. */
  private choose(slot: number, upstream: ProxyCluster, plan: RequestPlan): void {
    const { requests, pick, decision } = this;
    const worker = requests.workers[slot] as number;
    const attempt = requests.attempts[slot] as number;
    pick.random = plan.script ?? upstream.randomOf(worker);
    if (plan !== this.pickedPlan) this.pickFor(plan);
    if (plan.hashed) {
      pick.hashHi = requests.hashHi[slot] as number;
      pick.hashLo = requests.hashLo[slot] as number;
    }
    if (attempt > 0) this.retries.constrain(slot, pick);
    upstream.balancerOf(worker).choose(pick, decision);
    if (attempt > 0) this.retries.unconstrain(pick);
    const { host } = decision;
    const counted = requests.counted[slot] === 1;
    if (plan.remembersPriorities) requests.priorities[slot] = decision.priority;
    // Only in panic are unhealthy hosts picked on purpose.
    if (counted && host?.isUnhealthy === true && !decision.panic) upstream.recorder.knownBad++;
    if (this.hooks.onDecision !== undefined) this.hooks.onDecision(this.records.decision(slot, decision));
    if (this.expectations === undefined) return;
    if (attempt === 0) this.expectations.firstAttempt(host?.address ?? null);
    if (!counted) return;
    const row = host === undefined ? -1 : this.rowAhead(slot, upstream, host, plan);
    this.expectations.decided(plan.cluster, row, this.world.nowUs);
  }

  private pickFor(plan: RequestPlan): void {
    const { pick } = this;
    this.pickedPlan = plan;
    pick.hasHash = plan.hashed;
    pick.hashHi = 0;
    pick.hashLo = 0;
    pick.metadataMatch = plan.metadataMatch;
    pick.headers = plan.headers;
  }

  /** The row that the attempt will count for: a logical host's idle connection may lead to an address of before. */
  private rowAhead(slot: number, upstream: ProxyCluster, host: Host, plan: RequestPlan): number {
    if (!upstream.hasLogicalHost) return host.index;
    const next = upstream.poolFor(host, this.requests.workers[slot] as number, plan.priority).idle;
    return next === undefined ? host.index : rowOf(host, next);
  }

  /** The attempt has a connection. */
  private send(slot: number, connection: Connection): void {
    const { requests, world } = this;
    const upstream = this.upstreamOf(slot);
    const host = requests.hosts[slot] as Host;
    const { perTryUs, serviceUs } = requests.plans[slot] as RequestPlan;
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
    const exchange = this.hosts.send(slot, server, connection, serviceUs);
    requests.exchanges[slot] = exchange;
    if (perTryUs === 0) {
      this.hosts.start(exchange);
      return;
    }
    const id = requests.ids[slot] as number;
    const attempt = requests.attempts[slot] as number;
    this.hosts.start(exchange);
    // The time of a try counts from when it has its connection.
    if (requests.isTrying(slot, id, attempt)) this.tryDeadlines.add(slot, perTryUs, world.nowUs);
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
    const retried = this.retriesAnswer(slot, upstream, status, row);
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
  private retriesAnswer(slot: number, upstream: ProxyCluster, status: number, row: number): boolean {
    if ((this.requests.plans[slot] as RequestPlan).retryPolicy === undefined) return false;
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
    // The end of the request's own time is nothing that the try would count.
    this.tryEnded(slot, upstream);
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
    const host = requests.hosts[slot] as Host;
    if (requests.states[slot] === RequestState.pending) {
      const priority = (requests.plans[slot] as RequestPlan).priority;
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
    const { perTryUs } = requests.plans[slot] as RequestPlan;
    const usedUs = this.world.nowUs - (requests.attemptedUs[slot] as number);
    upstream.histograms.tryBudgetUsed(percentOfTimeout(usedUs, perTryUs));
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

  /** Whether there will be another attempt. */
  private retry(slot: number, upstream: ProxyCluster, outcome: AttemptOutcome): boolean {
    const retried = this.retries.retry(slot, upstream, outcome);
    if (retried) this.tryDeadlines.remove(slot);
    return retried;
  }

  // --- the end -----------------------------------------------------------------------------------------------------

  /** The client has its answer, which the cluster counts. */
  private finish(slot: number, upstream: ProxyCluster, status: number, place: number, outcome: RequestOutcome): void {
    upstream.requests.countAnswer(place, status);
    this.end(slot, upstream, status, outcome);
  }

  private end(slot: number, upstream: ProxyCluster, status: number, outcome: RequestOutcome): void {
    const { requests, totals, world } = this;
    const arrivedUs = requests.arrivedUs[slot] as number;
    this.retries.release(slot, upstream);
    // Of `track_timeout_budgets`: which part of its time the request took, if an answer or the end of that time ended it.
    if (upstream.tracksTimeoutBudgets && (outcome === 'answered' || outcome === 'timeout')) {
      const { timeoutUs } = requests.plans[slot] as RequestPlan;
      upstream.histograms.requestBudgetUsed(percentOfTimeout(world.nowUs - arrivedUs, timeoutUs));
    }
    if (requests.counted[slot] === 1) {
      const success = status < 500;
      if (success) totals.success++;
      else totals.failed++;
      const waitedUs = world.nowUs - arrivedUs;
      upstream.recorder.ended(requests.phases[slot] as number, waitedUs, success, outcome === 'answered');
      if (this.expectations !== undefined) {
        const { cluster } = requests.plans[slot] as RequestPlan;
        this.expectations.ended(cluster, status, waitedUs, arrivedUs);
      }
    }
    this.lastEndUs = world.nowUs;
    if (this.hooks.onRequest !== undefined) {
      this.hooks.onRequest(this.records.ended(slot, status, outcome, this.answeringRow));
    }
    const sender = requests.senders[slot] as number;
    this.requestDeadlines.remove(slot);
    this.tryDeadlines.remove(slot);
    requests.release(slot);
    if (sender !== -1) this.onEnded(sender, arrivedUs);
  }

  // --- helpers -----------------------------------------------------------------------------------------------------

  private upstreamOf(slot: number): ProxyCluster {
    return this.requests.upstreams[slot] as ProxyCluster;
  }
}

/** The row that a request counts for: its host's, or the address that a logical host had when it was connected. */
function rowOf(host: Host, connection: Connection): number {
  return connection.row === -1 ? host.index : connection.row;
}
