import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { Decision } from '../hostset/load-balancer.js';
import type { AnswerOutcome } from '../policy/answers.js';
import { causeOf } from '../result/failures.js';
import { latencyOf, type RequestOutcome } from '../result/request-record.js';
import { INTERNAL, NO_ORIGIN, originOf } from '../stats/request-stats.js';
import { type Connection, CONNECTIONS_AT_ONCE, outgrows } from '../upstream/connection-pool.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { Deadlines } from './deadlines.js';
import type { Measurements } from './stats/measurements.js';
import { type ExchangeEvents, ServerSide } from './servers/server-side.js';
import { HostPicker, rowOf } from './host-picker.js';
import { type OpenExchange, type OpenRequest, OpenRequests, RequestState } from './servers/open-requests.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { Mirrors } from './mirrors.js';
import { keepCookies, percentOfTimeout, type RequestPlan, type TcpPlan } from './request-plan.js';
import type { RequestStory } from './request-story.js';
import { Retries } from './retries.js';
import { TrafficCounts } from './stats/traffic-counts.js';
import { type TrafficHooks, TrafficRecords } from './stats/traffic-records.js';
import type { ScriptedAnswer } from '../settings/world.js';
import { EventKind } from './timers.js';
import type { World } from './world.js';

/** HTTP statuses that the proxy itself answers with. */
const OK = 200;
const NO_ANSWER = 503;
const TIMED_OUT = 504;

const NO_HEADERS = {};

/** The proxies' side of every request. This is the hot path: objects are reused, and draws follow the proxy's order. */
export class Router implements ExchangeEvents {
  readonly counts = new TrafficCounts();
  readonly requests = new OpenRequests();

  lastEndUs: Micros = 0;
  /** Called with the sender of each finished request, if one waits for it. */
  onEnded: (sender: number, arrivedUs: Micros) => void = () => undefined;
  private arrivals = 0;
  private copies = 0;
  private readonly mirrors = new Mirrors(this.world);
  /** The row of the host whose answer is being passed on. */
  private answeringRow = -1;
  private readonly warmupUs: Micros = this.world.settings.warmupUs;

  private readonly picker: HostPicker;
  private readonly records: TrafficRecords;
  readonly hosts = new ServerSide(this.world, this, this.story);
  private readonly requestDeadlines = new Deadlines<OpenRequest>(this.world.timers, (request) =>
    this.expireRequest(request),
  );
  private readonly tryDeadlines = new Deadlines<OpenRequest>(this.world.timers, (request) => this.expireTry(request));
  private readonly retries = new Retries(
    this.world,
    this.counts.totals,
    (request) => this.attempt(request),
    this.story,
  );

  /** @param measurements undefined where nothing is measured. */
  constructor(
    private readonly world: World,
    workloadNames: readonly string[],
    private readonly measurements: Measurements | undefined,
    private readonly hooks: TrafficHooks,
    /** Records the story of one request; undefined: not requested. */
    readonly story: RequestStory | undefined,
  ) {
    this.records = new TrafficRecords(world, workloadNames);
    this.picker = new HostPicker(world, this.retries, measurements, hooks, this.records, this.story);
    world.onConnectionReady = (slot, connection) => this.send(this.requests.at(slot), connection);
    world.onConnectionRefused = (slot, why) => this.refused(this.requests.at(slot), why);
    world.onHangUp = (host) => this.hangUp(host);
  }

  /**
   * @param sender the sender that waits for the answer; -1: none.
   * @param hi     hash of the request where the plan says that it has one, else 0.
   * @param key    the key that was hashed, where the plan needs it; empty: none.
   */
  route(
    plan: RequestPlan,
    proxy: number,
    worker: number,
    sender: number,
    hi: number,
    lo: number,
    key: string | undefined,
  ): void {
    const { world } = this;
    const side = world.proxyAt(proxy);
    if (side.waiting > 0) {
      // Nobody listens yet: no proxy hears of it.
      if (sender !== -1) this.onEnded(sender, world.nowUs);
      return;
    }
    const request = this.requests.acquire(plan, side.clusterAt(plan.cluster));
    const id = plan.mirrorOf === undefined ? this.arrivals++ : -1 - this.copies++;
    request.id = id;
    request.arrivedUs = world.nowUs;
    request.counted = world.nowUs >= this.warmupUs;
    request.sender = sender;
    request.proxy = proxy;
    request.worker = plan.tcp === undefined ? worker : side.accept(worker);
    request.hashHi = hi;
    request.hashLo = lo;
    request.key = key;
    request.size = plan.size === undefined ? 1 : plan.size();
    request.version = request.upstream.requests.begin();
    this.counts.arrived(request);
    this.storyOf(request)?.arrived(request, this.records.arrived(request), world.settings.workloads[plan.workload]);
    this.attempt(request);
    if (plan.timeoutUs > 0 && request.isOpenAs(id))
      this.requestDeadlines.add(request.deadline, plan.timeoutUs, world.nowUs);
  }

  countOpen(): number {
    let open = 0;
    for (const { state, counted, main, plan } of this.requests.slots)
      if (state !== RequestState.free && counted && main === undefined && plan.mirrorOf === undefined) open++;
    return open;
  }

  /** undefined for all requests but the one of which everything is told. */
  private storyOf({ id }: OpenRequest): RequestStory | undefined {
    const { story } = this;
    return story !== undefined && story.request === id ? story : undefined;
  }

  // --- an attempt --------------------------------------------------------------------------------------------------

  private attempt(request: OpenRequest): void {
    const { decision } = this.picker;
    const { routed, plan } = request;
    request.upstream = routed;
    if (!routed.world.present) {
      // Answered before any choice: no attempt, and no count of the cluster.
      if (request.attempt === 0) this.measurements?.firstAttempt(routed.world.name, null);
      request.phase = routed.recorder.phase;
      this.end(request, NO_ANSWER, 'no_cluster');
      return;
    }
    if (request.attempt === 0 && routed.dropsNext(request.worker)) {
      this.measurements?.firstAttempt(routed.world.name, null);
      request.phase = routed.recorder.phase;
      this.finish(request, NO_ANSWER, NO_ORIGIN, 'drop_overload');
      return;
    }
    if (plan.tcp !== undefined && routed.breakerOf(plan.priority).connections.open) {
      routed.connections.upstreamCxOverflow++;
      request.phase = request.routedPhase = routed.recorder.phase;
      this.overflowed(request, false);
      return;
    }
    request.state = RequestState.pending;
    this.picker.choose(request);
    // After the choice: one of an original destination may add a host, which begins a phase.
    const { upstream } = request;
    request.phase = upstream.recorder.phase;
    request.routedPhase = routed.recorder.phase;
    const { host } = decision;
    if (decision.probes.length > 0) this.probe(upstream, decision);
    if (host === undefined) {
      this.noHost(request);
      return;
    }
    const { proxy, worker, attempt } = request;
    request.host = host;
    request.subset = decision.subset;
    request.listener = decision.listener;
    request.attemptedUs = this.world.nowUs;
    const pool = upstream.pools.of(host, request.worker, plan);
    if (pool.protocol.predictiveRatio > 1) this.openAhead(request, pool.protocol.predictiveRatio);
    const connection = pool.request(request.slot);
    if (this.story !== undefined) {
      const outcome = typeof connection === 'string' ? connection : 'sent';
      this.storyOf(request)?.pooled(request, pool, upstream.breakerOf(plan.priority), outcome);
    }
    // The type is checked first: comparing an object with a string would be a call.
    if (typeof connection !== 'string') {
      this.send(request, connection);
    } else if (connection === 'pending') {
      request.waiting = true;
      host.pendingRequests++;
      request.row = host.index;
      this.counts.chosen(request);
    } else {
      // Nothing is copied of what is rejected at once.
      this.overflowed(request, connection === 'too-many-active');
      return;
    }
    if (attempt === 0 && plan.mirrors.length > 0) this.copy(request, proxy, worker);
  }

  /** Opens connections to the hosts that come next. */
  private openAhead({ proxy, routed, worker, plan }: OpenRequest, ratio: number): void {
    for (let opened = 0; opened < CONNECTIONS_AT_ONCE; opened++) {
      const host = outgrows(this.world.proxyAt(proxy).loadOf(worker), ratio, 1) && this.picker.peek(routed, worker);
      if (!host || !routed.pools.of(host, worker, plan).open(ratio, 1)) return;
    }
  }

  /** Copies follow the first attempt, whatever becomes of it later on. */
  private copy(request: OpenRequest, proxy: number, worker: number): void {
    for (const { plan, hash } of this.mirrors.of(request, this.world.proxyAt(proxy)))
      this.route(plan, proxy, worker, -1, hash?.hi ?? 0, hash?.lo ?? 0, undefined);
  }

  private probe({ world: cluster, zone }: ProxyCluster, { probes, listener }: Decision): void {
    if (listener === undefined) return;
    for (const host of probes) this.hosts.probe(cluster.serverOf(host.index), host, zone, listener);
  }

  private send(request: OpenRequest, connection: Connection): void {
    const { upstream } = request;
    const host = request.host as Host;
    const { perTryUs } = request.plan;
    const row = rowOf(host, connection);
    if (request.waiting) {
      // It is counted already.
      this.counts.moved(request, row);
      this.stopWaiting(request, host);
      request.row = row;
    } else {
      request.row = row;
      this.counts.chosen(request);
    }
    host.activeRequests++;
    host.stats.rqTotal++;
    upstream.requests.upstreamRqTotal++;
    upstream.requests.upstreamRqActive++;
    request.state = RequestState.sent;
    upstream.parts.outliers?.happened(
      host,
      request.plan.tcp === undefined ? 'LOCAL_ORIGIN_CONNECT_SUCCESS' : 'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL',
    );
    const server = upstream.world.serverOf(row);
    const exchange = this.hosts.send(request, server, connection, scriptedAnswer(request));
    request.exchange = exchange;
    this.storyOf(request)?.sent(request, server);
    if (perTryUs === 0) {
      this.hosts.start(exchange);
      return;
    }
    const { id, attempt } = request;
    this.hosts.start(exchange);
    // The time of a try starts when it has its connection.
    if (request.isTrying(id, attempt)) this.tryDeadlines.add(request.tryDeadline, perTryUs, this.world.nowUs);
  }

  // --- how attempts end --------------------------------------------------------------------------------------------

  private noHost(request: OpenRequest): void {
    this.storyOf(request)?.noHost(request);
    request.upstream.requests.upstreamCxNoneHealthy++;
    this.counts.foundNoHost(request);
    this.finish(request, NO_ANSWER, NO_ORIGIN, 'no_host');
  }

  /** A circuit breaker rejected the attempt. @param connected it had a connection: its host gets the failure. */
  private overflowed(request: OpenRequest, connected: boolean): void {
    this.tryEnded(request);
    this.counts.overflowed(request);
    const host = request.host as Host;
    this.stopWaiting(request, host);
    if (connected) host.stats.rqError++;
    this.afterAttempt(request, { kind: 'overflow' }, connected ? originOf(host) : NO_ORIGIN, 'overflow');
  }

  private refused(request: OpenRequest, why: 'overflow' | 'connect-failure' | 'connect-timeout'): void {
    const { upstream } = request;
    const host = request.host as Host;
    if (why === 'overflow') {
      const pool = upstream.pools.of(host, request.worker, request.plan);
      this.storyOf(request)?.pooled(request, pool, upstream.breakerOf(request.plan.priority), 'too-many-active');
      this.overflowed(request, true);
      return;
    }
    this.storyOf(request)?.failed(request, why);
    this.stopWaiting(request, host);
    // It failed before it was sent; it is counted for its host.
    this.counts.attemptFailed(request);
    this.tryEnded(request);
    const { tcp } = request.plan;
    const isLate = tcp !== undefined && why === 'connect-timeout';
    upstream.parts.outliers?.happened(host, isLate ? 'LOCAL_ORIGIN_TIMEOUT' : 'LOCAL_ORIGIN_CONNECT_FAILED');
    this.notifyBalancer(request, 'connect_failure');
    if (tcp === undefined) host.stats.rqError++;
    else if (this.connectAgain(request, tcp)) return;
    this.afterAttempt(request, { kind: 'connect-failure' }, originOf(host), 'connect_failure');
  }

  // --- connections over TCP ------------------------------------------------------------------------------------------

  /** Another attempt begins anew, with the choice of the cluster. */
  private connectAgain(request: OpenRequest, { again: draw, maxConnectAttempts }: TcpPlan): boolean {
    const { cluster, metadataMatch } = draw();
    const routed = this.world.proxyAt(request.proxy).clusterAt(cluster);
    const { connections } = routed;
    if (request.attempt + 1 >= maxConnectAttempts) {
      connections.upstreamCxConnectAttemptsExceeded = (connections.upstreamCxConnectAttemptsExceeded ?? 0) + 1;
      return false;
    }
    request.routed.requests.ended(request.version);
    request.plan = { ...request.plan, cluster, metadataMatch };
    request.routed = routed;
    request.version = routed.requests.begin();
    request.attempt++;
    request.state = RequestState.backingOff;
    const { id } = request;
    // At once, but after all else that was refused meanwhile.
    const again = (): void => {
      if (request.isOpenAs(id)) this.attempt(request);
    };
    this.world.timers.at(this.world.nowUs, again, EventKind.connected);
    return true;
  }

  /** A connection closes. @param by the client's end counts as the host's, which closes in turn. */
  private closed(request: OpenRequest, exchange: OpenExchange, by: 'local' | 'remote', outcome: RequestOutcome): void {
    const host = request.host as Host;
    const isWhole = outcome === 'answered';
    exchange.connection.pool.close(exchange.connection, by);
    this.leaveHost(request, exchange, host, false);
    this.hosts.abandon(exchange);
    this.notifyBalancer(request, isWhole ? 'success' : 'reset');
    this.answeringRow = request.row;
    if (isWhole) this.counts.answered(request, this.world.nowUs - request.arrivedUs, false);
    else this.counts.attemptFailed(request);
    this.end(request, isWhole ? OK : NO_ANSWER, outcome);
  }

  private hangUp(host: Host): void {
    for (const exchange of this.hosts.exchanges.slots) {
      const { request } = exchange;
      if (request?.exchange === exchange && request.host === host && request.plan.tcp !== undefined)
        this.closed(request, exchange, 'local', 'reset');
    }
  }

  answered(exchange: OpenExchange, request: OpenRequest): void {
    if (request.plan.tcp !== undefined) {
      this.closed(request, exchange, 'remote', 'answered');
      return;
    }
    const { status } = exchange;
    const { upstream, row } = request;
    const host = request.host as Host;
    this.storyOf(request)?.answered(request, status);
    this.leaveHost(request, exchange, host, true);
    this.tryEnded(request);
    upstream.parts.outliers?.answered(host, status);
    const { checks, loadReports } = upstream.parts;
    if (request.listener !== undefined) this.notifyBalancer(request, status < 500 ? 'success' : 'error');
    checks?.answered(host);
    const outcome = request.plan.retryPolicy && this.outcomeOf(request, status, row);
    const retried = outcome !== undefined && this.retry(request, outcome);
    // The proxy reads no report of an answer that it does not pass on.
    if (!retried && (loadReports ?? request.listener) !== undefined) this.takeReport(exchange, request, host);
    if (retried || status >= 500) host.stats.rqError++;
    else host.stats.rqSuccess++;
    if (retried || (outcome !== undefined && !this.isFinal(request, outcome))) this.counts.attemptFailed(request);
    else this.passOn(this.rejoined(request), status);
  }

  private passOn(request: OpenRequest, status: number): void {
    const latencyUs = this.world.nowUs - request.arrivedUs;
    const origin = originOf(request.host as Host);
    request.routed.histograms.requestTime(origin | senderOf(request), latencyUs);
    this.counts.answered(request, latencyUs, status >= 500);
    this.answeringRow = request.row;
    this.finish(request, status, origin, 'answered');
  }

  private takeReport({ server }: OpenExchange, { upstream, listener }: OpenRequest, host: Host): void {
    const { loadReports } = upstream.parts;
    if (loadReports === undefined && listener?.reported === undefined) return;
    const report = server.loadReport(this.world.nowUs);
    if (report === undefined) return;
    loadReports?.reported(host, report);
    listener?.reported?.(host, report);
  }

  private notifyBalancer({ attemptedUs, host, listener }: OpenRequest, outcome: AnswerOutcome): void {
    listener?.answered?.(host as Host, this.world.nowUs - attemptedUs, outcome);
  }

  private outcomeOf({ upstream }: OpenRequest, status: number, row: number): AttemptOutcome {
    const { errorHeaders } = upstream.world.serverOf(row).behavior;
    return { kind: 'status', status, headers: status < 400 ? NO_HEADERS : errorHeaders };
  }

  // --- hedging: attempts side by side --------------------------------------------------------------------------------

  /** Whether the end of an attempt ends its request: a failure does not while others go on, which then decide. */
  private isFinal(request: OpenRequest, outcome: AttemptOutcome): boolean {
    const { main = request } = request;
    if (!request.plan.hedges) return true;
    const isLast = main !== request && main.state === RequestState.outrun;
    if (main.asides.length <= Number(isLast)) return true;
    if (outcome.kind === 'status' && !this.retries.covers(main, outcome)) return true;
    if (main !== request) this.leave(request, main);
    else {
      request.state = RequestState.outrun;
      this.tryDeadlines.remove(request.tryDeadline);
    }
    return false;
  }

  private leave(aside: OpenRequest, main: OpenRequest): void {
    main.asides = main.asides.filter((one) => one !== aside);
    this.requests.release(aside);
  }

  /** The end of an earlier attempt is that of its request; the current one is given up. @returns the request. */
  private rejoined(aside: OpenRequest): OpenRequest {
    const { main } = aside;
    if (main === undefined) return aside;
    if (main.state === RequestState.backingOff) main.attempt--;
    else if (main.state !== RequestState.outrun) this.cancel(main);
    main.takeAttempt(aside);
    this.retries.release(main);
    this.leave(aside, main);
    return main;
  }

  /** Without an answer: nobody waits for it any longer. */
  private cancel(request: OpenRequest): void {
    const { upstream, exchange } = request;
    const host = request.host as Host;
    if (exchange === undefined) {
      upstream.pools.of(host, request.worker, request.plan).cancel(request.slot);
      this.stopWaiting(request, host);
      upstream.requests.upstreamRqCancelled++;
      return;
    }
    if (exchange.connection.pool.protocol.http2) upstream.requests.upstreamRqTxReset++;
    this.leaveHost(request, exchange, host, false);
    this.hosts.abandon(exchange);
  }

  reset(exchange: OpenExchange, request: OpenRequest, isRefused = false): void {
    if (request.plan.tcp !== undefined) {
      this.closed(request, exchange, 'remote', 'reset');
      return;
    }
    const { upstream } = request;
    const host = request.host as Host;
    const { connection } = exchange;
    this.storyOf(request)?.failed(request, 'reset');
    if (!isRefused) connection.pool.close(connection, 'remote');
    this.leaveHost(request, exchange, host, isRefused);
    this.tryEnded(request);
    this.hosts.abandon(exchange);
    host.stats.rqError++;
    // As the proxy counts it: each request on an HTTP/2 connection that broke, and none on HTTP/1.
    if (connection.pool.protocol.http2 && !isRefused) upstream.connections.upstreamRqPendingFailureEject++;
    this.counts.attemptFailed(request);
    upstream.parts.outliers?.happened(host, 'LOCAL_ORIGIN_CONNECT_FAILED');
    this.notifyBalancer(request, 'reset');
    this.afterAttempt(request, { kind: isRefused ? 'refused-stream' : 'reset' }, originOf(host), 'reset');
  }

  private expireTry(request: OpenRequest): void {
    if (request.plan.hedges) {
      request.upstream.parts.outliers?.happened(request.host as Host, 'LOCAL_ORIGIN_TIMEOUT', TIMED_OUT);
      if (this.retries.retry(request, { kind: 'per-try-timeout' }, true)) this.requests.setAside(request);
      return;
    }
    request.routed.requests.upstreamRqPerTryTimeout++;
    this.storyOf(request)?.failed(request, 'per-try-timeout');
    // The end of the request's own time is nothing that the try would count.
    this.tryEnded(request);
    this.afterAttempt(request, { kind: 'per-try-timeout' }, this.abandon(request), 'timeout');
  }

  private expireRequest(request: OpenRequest): void {
    const { exchange, plan } = request;
    if (plan.tcp !== undefined && exchange !== undefined) {
      this.closed(request, exchange, 'local', 'answered');
      return;
    }
    this.storyOf(request)?.timedOut(request);
    for (const aside of request.asides) {
      aside.routed.requests.upstreamRqTimeout++;
      aside.routed.requests.countAnswer(this.abandon(aside) | senderOf(request), TIMED_OUT, aside.version);
      this.leave(aside, request);
    }
    if (request.state === RequestState.backingOff || request.state === RequestState.outrun) {
      // No host is to blame: the caller gets an answer, the cluster counts nothing.
      this.end(request, TIMED_OUT, 'timeout');
      return;
    }
    request.routed.requests.upstreamRqTimeout++;
    this.finish(request, TIMED_OUT, this.abandon(request), 'timeout');
  }

  /** @returns {@link originOf} the host that the attempt waited for; without a connection no host is blamed. */
  private abandon(request: OpenRequest): number {
    const host = request.host as Host;
    const isSent = request.exchange !== undefined;
    this.cancel(request);
    this.counts.attemptFailed(request);
    if (!isSent) return NO_ORIGIN;
    host.stats.rqTimeout++;
    host.stats.rqError++;
    if (!outlivesTry(request)) request.upstream.parts.outliers?.happened(host, 'LOCAL_ORIGIN_TIMEOUT', TIMED_OUT);
    this.notifyBalancer(request, 'timeout');
    return originOf(host);
  }

  /** For `track_timeout_budgets`: the part of its time that the attempt took. */
  private tryEnded({ routed, plan, attemptedUs }: OpenRequest): void {
    if (!routed.tracksTimeoutBudgets) return;
    const percent = percentOfTimeout(this.world.nowUs - attemptedUs, plan.perTryUs);
    routed.histograms.record('upstream_rq_timeout_budget_per_try_percent_used', percent);
  }

  private stopWaiting(request: OpenRequest, host: Host): void {
    if (!request.waiting) return;
    request.waiting = false;
    host.pendingRequests--;
  }

  /** The host is no longer busy with the attempt, as far as the proxy knows. */
  private leaveHost(request: OpenRequest, exchange: OpenExchange, host: Host, reusable: boolean): void {
    const { connection } = exchange;
    host.activeRequests--;
    request.upstream.requests.upstreamRqActive--;
    request.exchange = undefined;
    connection.pool.ended(connection, reusable);
  }

  private afterAttempt(request: OpenRequest, outcome: AttemptOutcome, origin: number, ended: RequestOutcome): void {
    if (!this.retry(request, outcome)) this.fail(request, outcome, origin, ended);
  }

  /** An attempt that has no answer counts as one, though others go on. */
  private fail(request: OpenRequest, outcome: AttemptOutcome, origin: number, ended: RequestOutcome): void {
    const { routed, version } = request;
    const status = ended === 'timeout' ? TIMED_OUT : NO_ANSWER;
    if (this.isFinal(request, outcome)) this.finish(this.rejoined(request), status, origin, ended);
    else routed.requests.countAnswer(origin, status, version);
  }

  private retry(request: OpenRequest, outcome: AttemptOutcome): boolean {
    const retried = request.main === undefined && this.retries.retry(request, outcome);
    if (retried) this.tryDeadlines.remove(request.tryDeadline);
    return retried;
  }

  // --- the end -----------------------------------------------------------------------------------------------------

  private finish(request: OpenRequest, status: number, origin: number, outcome: RequestOutcome): void {
    if (request.plan.tcp === undefined)
      request.routed.requests.countAnswer(origin | senderOf(request), status, request.version);
    this.end(request, status, outcome);
  }

  private end(request: OpenRequest, status: number, outcome: RequestOutcome): void {
    const { world } = this;
    const { routed, arrivedUs } = request;
    this.retries.release(request);
    if (request.plan.hedges) {
      for (const aside of request.asides) {
        this.cancel(aside);
        this.requests.release(aside);
      }
    }
    const waitedUs = world.nowUs - arrivedUs;
    if (routed.tracksTimeoutBudgets && (outcome === 'answered' || outcome === 'timeout')) {
      const percent = percentOfTimeout(waitedUs, request.plan.timeoutUs);
      routed.histograms.record('upstream_rq_timeout_budget_percent_used', percent);
    }
    const success = status < 500;
    const latencyUs = latencyOf(outcome, waitedUs);
    this.counts.ended(request, success, outcome, latencyUs);
    if (this.measurements !== undefined && request.counted && request.plan.mirrorOf === undefined)
      this.measurements.ended(request.plan.cluster, success ? undefined : causeOf(outcome), latencyUs, arrivedUs);
    this.lastEndUs = world.nowUs;
    if (this.hooks.onRequest !== undefined && request.plan.mirrorOf === undefined)
      this.hooks.onRequest(this.records.ended(request, status, outcome, this.answeringRow));
    this.storyOf(request)?.over(request, this.records.ended(request, status, outcome, this.answeringRow));
    const { sender, plan } = request;
    if (outcome === 'answered' && plan.setCookies.length > 0) keepCookies(plan, world.nowUs);
    if (plan.tcp !== undefined) world.proxyAt(request.proxy).closed(request.worker);
    this.requestDeadlines.remove(request.deadline);
    this.tryDeadlines.remove(request.tryDeadline);
    this.requests.release(request);
    routed.requests.ended(request.version);
    if (sender !== -1) this.onEnded(sender, arrivedUs);
  }
}

/** A hedged attempt whose own time is over, which detectors have heard of. */
const outlivesTry = ({ plan, tryDeadline }: OpenRequest): boolean =>
  plan.hedges && plan.perTryUs > 0 && tryDeadline.line === undefined;

/** Who sent it, as a part of {@link originOf}: copies come from the proxy itself. */
const senderOf = ({ plan }: OpenRequest): number => (plan.mirrorOf === undefined ? 0 : INTERNAL);

/** What the request itself says of this attempt: of those after the last one, what it says of that. */
function scriptedAnswer({ plan, attempt }: OpenRequest): ScriptedAnswer | undefined {
  if (plan.tcp !== undefined) return { serviceUs: plan.tcp.lifetimeUs(), status: OK };
  return plan.answers && (plan.answers[attempt] ?? plan.answers.at(-1));
}
