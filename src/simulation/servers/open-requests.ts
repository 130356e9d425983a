import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { AnswerListener } from '../../policy/answers.js';
import { Deadline } from '../deadlines.js';
import type { PhaseCounts } from '../../result/cluster-recorder.js';
import type { ProxyCluster } from '../proxy-cluster.js';
import type { RequestPlan } from '../request-plan.js';
import type { ConnectionEnd } from '../../settings/behavior.js';
import type { RetryPolicy, ScriptedAnswer } from '../../settings/world.js';
import type { Connection } from '../../upstream/connection-pool.js';
import { PreviousPriorities } from '../../upstream/retry.js';
import type { Server } from './server.js';

/** `outrun`: its newest attempt has failed, and earlier ones go on beside it. */
export const RequestState = { free: 0, pending: 1, sent: 2, backingOff: 3, outrun: 4 } as const;

export type RequestState = (typeof RequestState)[keyof typeof RequestState];

export class RetryMemory {
  /** Oldest first. */
  readonly hosts: Host[] = [];
  readonly priorities: PreviousPriorities | undefined;

  constructor({ retryPriority }: RetryPolicy) {
    this.priorities = retryPriority && new PreviousPriorities(retryPriority.updateFrequency);
  }

  attempted(host: Host, priority: number): void {
    this.hosts.push(host);
    this.priorities?.attempted(priority);
  }
}

/** Of nearly all requests. */
const NO_ASIDES: OpenRequest[] = [];

/** An open request at a proxy. The object is reused for a later request: `id` distinguishes them. */
export class OpenRequest {
  /** Number of the arrival, unique within a run. */
  id = -1;
  state: RequestState = RequestState.free;
  arrivedUs: Micros = 0;
  /** It arrived after the warm-up. */
  counted = false;
  /** The sender that waits for the answer; -1: none. */
  sender = -1;
  proxy = 0;
  worker = 0;
  /** The key that was hashed, if needed; empty: no key and no hash. */
  key: string | undefined = undefined;
  /** Times the work of a plain request. */
  size = 1;
  /** If it names its hosts: how many names its attempts have used. */
  namesUsed = 0;
  /** Where the plan says that there is a hash. */
  hashHi = 0;
  hashLo = 0;
  /** Version of the cluster when it arrived. */
  version = 0;
  /** Attempts before the current one. */
  attempt = 0;
  attemptedUs: Micros = 0;
  /** Phase of the current attempt's decision, in the cluster of its host. */
  phase: PhaseCounts = this.upstream.recorder.phase;
  /** The same in the cluster that the request was sent to. */
  routedPhase: PhaseCounts = this.phase;
  /** The cluster that it was sent to: an aggregate passes it on to another. */
  routed: ProxyCluster = this.upstream;
  host: Host | undefined = undefined;
  /** Priority of that host; kept under a `retry_priority` only. */
  priority = 0;
  subset: string | undefined = undefined;
  listener: AnswerListener | undefined = undefined;
  /** The current attempt waits, or waited, for a connection and counts as such at its host. */
  waiting = false;
  exchange: OpenExchange | undefined = undefined;
  /** Row that the current attempt is counted for: its host may move to another one in the meantime. */
  row = 0;
  holdsRetry = false;
  readonly deadline = new Deadline<OpenRequest>(this);
  readonly tryDeadline = new Deadline<OpenRequest>(this);
  /** If free: the next free one. */
  nextFree: OpenRequest | undefined = undefined;
  /** Of earlier attempts; undefined before the first retry. */
  tried: RetryMemory | undefined = undefined;
  /** Earlier attempts that a per-try timeout has hit and that go on, under `hedge_on_per_try_timeout`. */
  asides: OpenRequest[] = NO_ASIDES;
  /** The request of which this is such an attempt. */
  main: OpenRequest | undefined = undefined;

  /** @param upstream the cluster inside the proxy whose host has the current attempt. */
  constructor(
    readonly slot: number,
    public plan: RequestPlan,
    public upstream: ProxyCluster,
  ) {}

  /** A reused object keeps nothing of the request before. */
  renew(plan: RequestPlan, upstream: ProxyCluster): void {
    this.plan = plan;
    this.upstream = upstream;
    this.routed = upstream;
    this.attempt = 0;
    this.namesUsed = 0;
    this.attemptedUs = 0;
    this.phase = this.routedPhase = upstream.recorder.phase;
    this.host = undefined;
    this.priority = 0;
    this.subset = undefined;
    this.listener = undefined;
    this.waiting = false;
    this.exchange = undefined;
    this.row = 0;
    this.holdsRetry = false;
    this.tried = undefined;
    this.asides = NO_ASIDES;
    this.main = undefined;
  }

  /** The attempt of another request object becomes the current one of this. */
  takeAttempt(from: OpenRequest): void {
    this.upstream = from.upstream;
    this.attemptedUs = from.attemptedUs;
    this.phase = from.phase;
    this.routedPhase = from.routedPhase;
    this.host = from.host;
    this.priority = from.priority;
    this.subset = from.subset;
    this.listener = from.listener;
    this.row = from.row;
    this.exchange = from.exchange;
    if (this.exchange !== undefined) this.exchange.request = this;
    this.state = RequestState.sent;
  }

  isOpenAs(id: number): boolean {
    return this.id === id && this.state !== RequestState.free;
  }

  /** Whether attempt number `attempt` of request `id` goes on: it waits for a connection or is with its host. */
  isTrying(id: number, attempt: number): boolean {
    const { state } = this;
    return (
      this.id === id && this.attempt === attempt && (state === RequestState.pending || state === RequestState.sent)
    );
  }
}

/** Objects are reused: there are only as many as were ever open at one time, some hundred for a million requests. */
export class OpenRequests {
  readonly slots: OpenRequest[] = [];
  open = 0;
  private free: OpenRequest | undefined = undefined;

  at(slot: number): OpenRequest {
    return this.slots[slot] as OpenRequest;
  }

  /** The attempt of a request goes on beside its next one, which is counted already. */
  setAside(request: OpenRequest): void {
    const aside = this.acquire(request.plan, request.routed);
    aside.id = request.id;
    aside.attempt = request.attempt - 1;
    aside.proxy = request.proxy;
    aside.worker = request.worker;
    aside.counted = request.counted;
    aside.version = request.version;
    aside.takeAttempt(request);
    aside.main = request;
    request.asides = [...request.asides, aside];
    request.exchange = undefined;
  }

  acquire(plan: RequestPlan, upstream: ProxyCluster): OpenRequest {
    const request = this.free;
    this.open++;
    if (request === undefined) {
      const first = new OpenRequest(this.slots.length, plan, upstream);
      this.slots.push(first);
      return first;
    }
    this.free = request.nextFree;
    request.renew(plan, upstream);
    return request;
  }

  release(request: OpenRequest): void {
    request.state = RequestState.free;
    request.nextFree = this.free;
    this.free = request;
    this.open--;
  }
}

/** Where an attempt is, from the host's side. */
export const ExchangeState = {
  free: 0,
  travelling: 1,
  queued: 2,
  inService: 3,
  returning: 4,
  /** No answer will come: the host hangs, or the connection is gone. */
  lost: 5,
} as const;

export type ExchangeState = (typeof ExchangeState)[keyof typeof ExchangeState];

/** An attempt at a host. It outlives its request if the proxy gives up: the host works on, and the answer is discarded. */
export class OpenExchange {
  state: ExchangeState = ExchangeState.free;
  /** A queued event still refers to it: its slot must not be reused yet. */
  awaited = false;
  status = 0;
  /** What its host does with the connection. */
  end: ConnectionEnd = 'never';
  /** Time on the wire still to come back. */
  returnUs: Micros = 0;
  /** What the request sets of its answer; undefined: nothing. */
  script: ScriptedAnswer | undefined = undefined;
  /** Which the host may have in its cache. */
  key: string | undefined = undefined;
  /** Times the work of a plain request. */
  size = 1;
  /** Kept only where hosts are asked how busy they are: when it reached its host, and what that had to do then. */
  reachedUs: Micros = 0;
  inFlightThen = -1;
  /** The next exchange in the host's queue; of a free one, the next free one. */
  behind: OpenExchange | undefined = undefined;

  /** @param request undefined once the proxy has given up. */
  constructor(
    readonly slot: number,
    public request: OpenRequest | undefined,
    public server: Server,
    public connection: Connection,
  ) {}
}

export class Exchanges {
  readonly slots: OpenExchange[] = [];
  private free: OpenExchange | undefined = undefined;

  at(slot: number): OpenExchange {
    return this.slots[slot] as OpenExchange;
  }

  /** The exchanges of each of these servers, found in one pass, in the order of their slots. */
  of(servers: readonly Server[]): ReadonlyMap<Server, readonly OpenExchange[]> {
    const found = new Map(servers.map((server) => [server, [] as OpenExchange[]]));
    if (found.size === 0) return found;
    for (const exchange of this.slots)
      if (exchange.state !== ExchangeState.free) found.get(exchange.server)?.push(exchange);
    return found;
  }

  acquire(request: OpenRequest, server: Server, connection: Connection): OpenExchange {
    const exchange = this.free;
    if (exchange === undefined) {
      const first = new OpenExchange(this.slots.length, request, server, connection);
      this.slots.push(first);
      return first;
    }
    this.free = exchange.behind;
    exchange.behind = undefined;
    exchange.request = request;
    exchange.server = server;
    exchange.connection = connection;
    return exchange;
  }

  release(exchange: OpenExchange): void {
    exchange.state = ExchangeState.free;
    exchange.behind = this.free;
    this.free = exchange;
  }
}
