import { type Micros, MICROS_PER_MILLI } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { PickRequest } from '../hostset/load-balancer.js';
import type { BalancerStep } from '../hostset/generated/balancer-steps.js';
import type { Step } from '../policy/generated/policy-steps.js';
import { RecordedDraws } from '../random/random64.js';
import type { RequestOrigin, RequestRecord } from '../result/request-record.js';
import type { RetryPolicy, Workload } from '../settings/world.js';
import type { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { ConnectionPool } from '../upstream/connection-pool.js';
import { type AttemptOutcome, isOmitted } from '../upstream/retry.js';
import type { OpenRequest } from './servers/open-requests.js';
import type { Server } from './servers/server.js';

/** One thing that happened to a request: its kind, and the numbers behind it. Times are in ms. */
export type RequestStep =
  | BalancerStep
  /** Its route: one cluster, or one of several by weight. `workload` null: an explicit request. */
  | Step<
      'route',
      {
        cluster: string;
        route: readonly Readonly<{ cluster: string; weight: number }>[];
        timeout_ms: number;
        per_try_timeout_ms: number;
        workload: string | null;
        proxy: string;
        worker: number;
        num_retries: number;
        retry_on: readonly string[];
        /** Of connections over TCP alone. */
        max_connect_attempts?: number;
      }
    >
  /** A retry asks the balancer again for a host that no predicate rejects. */
  | Step<'predicate', { host: string; rejected_by: readonly string[]; host_selection_retry_max_attempts: number }>
  /** What the pool of the host did with it. */
  | Step<
      'pool',
      {
        connections_to_host: number;
        connections: number;
        max_connections: number;
        pending: number;
        max_pending_requests: number;
        active: number;
        max_requests: number;
        /** Its requests count against `max_requests`. */
        limits_requests: boolean;
        host: string;
        outcome: 'sent' | 'pending' | 'overflow' | 'too-many-active';
      }
    >
  | Step<'no_host', Readonly<Record<string, never>>>
  /** `lost`: the host is down, and no answer will come. */
  | Step<'sent', { waited_ms: number; active_requests: number; host: string; lost: boolean }>
  /** All places of the host are taken; `refused_with`: its queue is full too. */
  | Step<'queue', { in_service: number; queued: number; refused_with?: number }>
  /** `beside`: others that share the host then. */
  | Step<'service', { service_ms: number; status: number; waited_ms: number; beside?: number }>
  | Step<'answer', { status: number; after_ms: number }>
  | Step<
      'failure',
      {
        cause: 'connect-failure' | 'connect-timeout' | 'reset' | 'per-try-timeout';
        host: string | null;
        per_try_timeout_ms: number;
      }
    >
  /** `result`: the status, or how the attempt ended without one. */
  | Step<'retry', RetryInputs & RetryVerdictInputs>
  | Step<'end', { status: number; outcome: RequestRecord['outcome']; latency_ms: number }>
  | Step<'time_out', { timeout_ms: number; after_ms: number }>;

export type RetryInputs = Readonly<{ retry_on: string; num_retries: number; result: string }>;

export type RetryVerdictInputs =
  | { readonly verdict: 'not-covered' | 'used-up' }
  | Readonly<{ verdict: 'refused'; allowed: number; active: number; by: 'budget' | 'max_retries' }>
  | ({ readonly verdict: 'granted' } & GrantedRetry);

export interface GrantedRetry {
  readonly retry: number;
  readonly wait_ms: number;
  readonly wait: 'asked_for' | 'drawn';
  /** The attempt before goes on beside it. */
  readonly goes_on: boolean;
  /** What keeps it away from where the attempts before went. */
  readonly goes_by: readonly string[];
}

/** The decision about a retry, without what its policy says. */
export type RetryVerdict =
  | Exclude<RetryVerdictInputs, { readonly verdict: 'granted' }>
  | ({ readonly verdict: 'granted' } & Omit<GrantedRetry, 'goes_by'>);

export type StoryStep = RequestStep & {
  readonly tUs: Micros;
  /** 0 for the first try. */
  readonly attempt: number;
  /** The 64-bit values that were drawn for it, decimal. */
  readonly draws: readonly string[];
};

export interface StoryOrigin extends Omit<RequestOrigin, 'request'> {
  readonly tUs: Micros;
  readonly version: ProxyVersion;
  /** It is a connection over TCP. */
  readonly over_tcp?: true;
}

/** It does not change the run. */
export class RequestStory {
  readonly steps: StoryStep[] = [];
  /** undefined: it has not ended, or not arrived. */
  end: RequestRecord | undefined = undefined;
  /** Its origin; undefined: it has not arrived. */
  origin: StoryOrigin | undefined = undefined;
  private readonly draws: string[] = [];
  /** By attempt. */
  private readonly sentUs: Micros[] = [];

  /** @param request its number: they are counted as they arrive, from 0. */
  constructor(
    readonly request: number,
    private readonly clock: { readonly nowUs: Micros },
  ) {}

  arrived(request: OpenRequest, origin: StoryOrigin, workload: Workload | undefined): void {
    const { routed, plan } = request;
    this.origin = origin;
    const route = workload?.route ?? [];
    this.record(request, {
      kind: 'route',
      inputs: {
        cluster: routed.name,
        route: route.map(({ cluster, weight }) => ({ cluster, weight })),
        timeout_ms: plan.timeoutUs / MICROS_PER_MILLI,
        per_try_timeout_ms: plan.perTryUs / MICROS_PER_MILLI,
        workload: workload?.name ?? null,
        proxy: origin.proxy,
        worker: request.worker,
        num_retries: plan.retryPolicy?.numRetries ?? 0,
        retry_on: plan.retryPolicy?.retryOn ?? [],
        ...(plan.tcp && { max_connect_attempts: plan.tcp.maxConnectAttempts }),
      },
    });
  }

  /** Before the balancer picks: it adds its own steps. @returns a function that ends this. */
  listen(request: OpenRequest, pick: PickRequest): () => void {
    const { rejects } = pick;
    pick.random = new RecordedDraws(pick.random, this.draws);
    pick.trace = (step) => this.record(request, step);
    if (rejects !== undefined) pick.rejects = (host) => this.rejected(request, host, pick, rejects(host));
    return () => {
      pick.trace = undefined;
    };
  }

  private rejected(request: OpenRequest, host: Host, pick: PickRequest, rejected: boolean): boolean {
    if (!rejected) return false;
    const { retryHostPredicate = [] } = request.plan.retryPolicy ?? {};
    const tried = request.tried?.hosts ?? [];
    const by = retryHostPredicate.filter((one) => isOmitted([one], host, tried)).map(({ kind }) => kind);
    const again = pick.hostSelectionRetryCount;
    this.record(request, {
      kind: 'predicate',
      inputs: { host: host.address, rejected_by: by, host_selection_retry_max_attempts: again },
    });
    return true;
  }

  pooled(
    request: OpenRequest,
    pool: ConnectionPool,
    breaker: CircuitBreaker,
    outcome: 'sent' | 'pending' | 'overflow' | 'too-many-active',
  ): void {
    const { connections, pendingRequests, requests } = breaker;
    this.record(request, {
      kind: 'pool',
      inputs: {
        connections_to_host: pool.connections.size,
        connections: connections.count,
        max_connections: connections.max,
        pending: pendingRequests.count,
        max_pending_requests: pendingRequests.max,
        active: requests.count,
        max_requests: requests.max,
        limits_requests: pool.protocol.limitsRequests,
        host: pool.host.address,
        outcome,
      },
    });
  }

  noHost(request: OpenRequest): void {
    this.record(request, { kind: 'no_host', inputs: {} });
  }

  sent(request: OpenRequest, server: Server): void {
    const { clock } = this;
    this.sentUs[request.attempt] = clock.nowUs;
    const { host, attemptedUs } = request;
    const waitedUs = clock.nowUs - attemptedUs;
    this.record(request, {
      kind: 'sent',
      inputs: {
        waited_ms: waitedUs / MICROS_PER_MILLI,
        active_requests: host?.activeRequests ?? 0,
        host: server.address,
        lost: server.behavior.down !== 'none',
      },
    });
  }

  queued(request: OpenRequest, { behavior, queued, inService }: Server, full: boolean): void {
    this.record(request, {
      kind: 'queue',
      inputs: { in_service: inService, queued, ...(full && { refused_with: behavior.errorStatus }) },
    });
  }

  served(request: OpenRequest, { shares, inService }: Server, serviceUs: Micros, status: number): void {
    const waited_ms = this.msSinceSent(request);
    const service_ms = serviceUs / MICROS_PER_MILLI;
    const beside = shares && inService > 0 && { beside: inService };
    this.record(request, { kind: 'service', inputs: { service_ms, status, waited_ms, ...beside } });
  }

  answered(request: OpenRequest, status: number): void {
    this.record(request, { kind: 'answer', inputs: { status, after_ms: this.msSinceSent(request) } });
  }

  failed(request: OpenRequest, how: 'connect-failure' | 'connect-timeout' | 'reset' | 'per-try-timeout'): void {
    this.record(request, {
      kind: 'failure',
      inputs: {
        cause: how,
        host: request.host?.address ?? null,
        per_try_timeout_ms: request.plan.perTryUs / MICROS_PER_MILLI,
      },
    });
  }

  judged(request: OpenRequest, policy: RetryPolicy, outcome: AttemptOutcome, verdict: RetryVerdict): void {
    // A successful answer needs no explanation, nor does a limit.
    const isPlain = outcome.kind === 'status' ? outcome.status < 400 : outcome.kind === 'overflow';
    if (verdict.verdict === 'not-covered' && isPlain) return;
    // It belongs to the attempt that ended, although the next one is counted already.
    const granted = verdict.verdict === 'granted';
    const attempt = granted ? request.attempt - 1 : request.attempt;
    const { retryOn, numRetries, retryHostPredicate, retryPriority } = policy;
    const result = outcome.kind === 'status' ? String(outcome.status) : outcome.kind;
    const why = { retry_on: retryOn.join(','), num_retries: numRetries, result };
    const predicates = retryHostPredicate.map(({ kind }) => kind);
    const goes_by = [...predicates, ...(retryPriority === undefined ? [] : ['retry_priority'])];
    const inputs = granted ? { ...why, ...verdict, goes_by } : { ...why, ...verdict };
    this.record({ attempt }, { kind: 'retry', inputs });
  }

  over(request: OpenRequest, record: RequestRecord): void {
    this.end = record;
    const { status, outcome, latencyUs } = record;
    this.record(request, { kind: 'end', inputs: { status, outcome, latency_ms: latencyUs / MICROS_PER_MILLI } });
  }

  timedOut(request: OpenRequest): void {
    this.record(request, {
      kind: 'time_out',
      inputs: {
        timeout_ms: request.plan.timeoutUs / MICROS_PER_MILLI,
        after_ms: (this.clock.nowUs - request.arrivedUs) / MICROS_PER_MILLI,
      },
    });
  }

  private msSinceSent({ attempt }: OpenRequest): number {
    return (this.clock.nowUs - (this.sentUs[attempt] ?? 0)) / MICROS_PER_MILLI;
  }

  private record({ attempt }: { readonly attempt: number }, step: RequestStep): void {
    this.steps.push({ ...step, tUs: this.clock.nowUs, attempt, draws: this.draws.splice(0) });
  }
}
