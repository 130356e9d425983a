import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { AnswerListener } from '../../policy/answers.js';
import { Deadline } from '../deadlines.js';
import type { Exchange } from './exchanges.js';
import type { ProxyCluster } from '../proxy-cluster.js';
import type { RequestPlan } from '../request-plan.js';
import type { RetryMemory } from '../retry-memory.js';

/** What a request is doing, from the proxy's side. */
export const RequestState = {
  free: 0,
  /** Its attempt waits for a connection. */
  pending: 1,
  /** Its attempt is with a host. */
  sent: 2,
  /** Between two attempts. */
  backingOff: 3,
} as const;

export type RequestState = (typeof RequestState)[keyof typeof RequestState];

/** An open request at a proxy. The object is reused for a later request: `id` distinguishes them. */
export class OpenRequest {
  /** Number of the arrival, unique within a run. */
  id = -1;
  state: RequestState = RequestState.free;
  arrivedUs: Micros = 0;
  /** Arrived after the warm-up. */
  counted = false;
  /** The sender that waits for the answer; -1: none. */
  sender = -1;
  proxy = 0;
  worker = 0;
  /** The key that was hashed, if needed; empty: no key and no hash. */
  key: string | undefined = undefined;
  /** If it names its hosts: how many names its attempts have used. */
  namesUsed = 0;
  /** Where the plan says that there is a hash. */
  hashHi = 0;
  hashLo = 0;
  /** Version of the cluster when it arrived. */
  version = 0;
  /** Attempts before the current one. */
  attempt = 0;
  /** When the current attempt began. */
  attemptedUs: Micros = 0;
  /** Phase of the current attempt's decision, in the cluster of its host. */
  phase = 0;
  /** The same in the cluster that the request was sent to. */
  routedPhase = 0;
  /** The cluster that it was sent to: an aggregate passes it on to another. */
  routed: ProxyCluster;
  /** Host of the current attempt. */
  host: Host | undefined = undefined;
  /** Priority of that host; kept under a `retry_priority` only. */
  priority = 0;
  subset: string | undefined = undefined;
  /** Who wants to hear how the current attempt ends. */
  listener: AnswerListener | undefined = undefined;
  /** The current attempt waits, or waited, for a connection and counts as such at its host. */
  waiting = false;
  /** The current attempt at the host. */
  exchange: OpenExchange | undefined = undefined;
  /** Row that the current attempt is counted for: its host may move to another one in the meantime. */
  row = 0;
  /** Holds one of the cluster's retries. */
  holdsRetry = false;
  /** Its deadline, and that of the current attempt. */
  readonly deadline = new Deadline<OpenRequest>(this);
  readonly tryDeadline = new Deadline<OpenRequest>(this);
  /** If free: the next free one. */
  nextFree: OpenRequest | undefined = undefined;
  /** Of earlier attempts; undefined before the first retry. */
  tried: RetryMemory | undefined = undefined;

  /**
   * @param slot     its index among the open requests.
   * @param plan     what it shares with other requests.
   * @param upstream the cluster inside the proxy whose host has the current attempt.
   */
  constructor(
    readonly slot: number,
    public plan: RequestPlan,
    public upstream: ProxyCluster,
  ) {
    this.routed = upstream;
  }

  /** A reused object keeps nothing of the request before. */
  renew(plan: RequestPlan, upstream: ProxyCluster): void {
    this.plan = plan;
    this.upstream = upstream;
    this.routed = upstream;
    this.attempt = 0;
    this.namesUsed = 0;
    this.attemptedUs = 0;
    this.phase = 0;
    this.routedPhase = 0;
    this.host = undefined;
    this.priority = 0;
    this.subset = undefined;
    this.listener = undefined;
    this.waiting = false;
    this.exchange = undefined;
    this.row = 0;
    this.holdsRetry = false;
    this.tried = undefined;
  }

  isOpenAs(id: number): boolean {
    return this.id === id && this.state !== RequestState.free;
  }

  /** Whether attempt number `attempt` of request `id` goes on: it waits for a connection or is with its host. */
  isTrying(id: number, attempt: number): boolean {
    return this.isOpenAs(id) && this.attempt === attempt && this.state !== RequestState.backingOff;
  }
}

/** An attempt at a host. */
export type OpenExchange = Exchange<OpenRequest>;

/**
 * The open requests at the proxies. Objects are reused, so there are only as many as were ever open at one time: some
 * hundred for a million requests.
 */
export class OpenRequests {
  /** All slots ever used. */
  readonly slots: OpenRequest[] = [];
  /** How many are open. */
  open = 0;
  /** The slot freed last, which is used next. */
  private free: OpenRequest | undefined = undefined;

  at(slot: number): OpenRequest {
    return this.slots[slot] as OpenRequest;
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
