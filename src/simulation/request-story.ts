import { type Micros, MICROS_PER_MILLI, MICROS_PER_SECOND, microsToSeconds } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { count, counted, millis, seconds } from '../core/words.js';
import type { Host } from '../host/host.js';
import type { PickRequest } from '../hostset/load-balancer.js';
import type { DecisionStep } from '../policy/decision-trace.js';
import { RecordedDraws } from '../random/recorded-draws.js';
import type { RequestOrigin, RequestRecord } from '../result/request-record.js';
import type { RetryPolicy, Workload } from '../scenario/model.js';
import type { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { ConnectionPool } from '../upstream/connection-pool.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { isOmitted } from '../upstream/retry-host-predicate.js';
import type { OpenRequest } from './open-requests.js';
import type { Server } from './server.js';

/** A step of a request. */
export interface StoryStep extends DecisionStep {
  readonly tUs: Micros;
  /** 0 for the first try. */
  readonly attempt: number;
  /** The 64-bit values that were drawn for it, decimal. */
  readonly draws: readonly string[];
}

/** The origin and the destination of a request. */
export interface StoryOrigin extends Omit<RequestOrigin, 'request'> {
  readonly tUs: Micros;
  readonly version: ProxyVersion;
}

/** The decision about a retry. */
export type RetryVerdict =
  | { readonly kind: 'not-covered' }
  | { readonly kind: 'used-up' }
  | { readonly kind: 'refused'; readonly allowed: number; readonly active: number; readonly budget: boolean }
  | { readonly kind: 'granted'; readonly waitUs: Micros; readonly requested: boolean };

/** Records everything that happens to one request of a run. It does not change the run. */
export class RequestStory {
  readonly steps: StoryStep[] = [];
  /** undefined: it has not ended, or not arrived. */
  end: RequestRecord | undefined = undefined;
  /** Its origin; undefined: it has not arrived. */
  origin: StoryOrigin | undefined = undefined;
  private readonly draws: string[] = [];
  private sentUs: Micros = 0;

  /** @param request its number: they are counted as they arrive, from 0. */
  constructor(
    readonly request: number,
    private readonly clock: { readonly nowUs: Micros },
  ) {}

  arrived(request: OpenRequest, origin: StoryOrigin, workload: Workload | undefined): void {
    const { routed, plan } = request;
    const { proxy } = origin;
    this.origin = origin;
    const route = workload?.route ?? [];
    const from = workload === undefined ? 'an explicit request' : `a request of ${workload.name}`;
    const weights = route.map(({ cluster, weight }) => `${cluster} ${weight}`).join(' : ');
    const how = route.length > 1 ? `, drawn by the weights ${weights}` : '';
    const times = [
      plan.timeoutUs > 0 ? `time-out ${ms(plan.timeoutUs)}` : 'no time-out',
      ...(plan.perTryUs > 0 ? [`${ms(plan.perTryUs)} a try`] : []),
      retriesText(plan.retryPolicy),
    ];
    this.record(request, {
      step: 'route',
      inputs: {
        cluster: routed.name,
        route: route.map(({ cluster, weight }) => ({ cluster, weight })),
        timeout_ms: plan.timeoutUs / MICROS_PER_MILLI,
        per_try_timeout_ms: plan.perTryUs / MICROS_PER_MILLI,
      },
      rule: 'A route leads to a cluster, or to one of several by weight; a request stays with the worker that accepted it.',
      outcome: `${from} at ${proxy}, worker ${request.worker}, goes to ${routed.name}${how} (${times.join(', ')})`,
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
      step: 'predicate',
      inputs: { host: host.address, rejected_by: by, host_selection_retry_max_attempts: again },
      rule: 'A retry asks the balancer again for a host that no retry_host_predicate rejects, up to host_selection_retry_max_attempts times; after that it takes what it gets.',
      outcome: `${by.join(' and ')} rejects ${host.address}: asked again, at most ${counted(again, 'time')}`,
    });
    return true;
  }

  /** The attempt requested a connection from the pool of its host. */
  pooled(
    request: OpenRequest,
    pool: ConnectionPool,
    breaker: CircuitBreaker,
    outcome: 'sent' | 'pending' | 'overflow' | 'too-many-active',
  ): void {
    const { connections, pendingRequests, requests } = breaker;
    const inputs = {
      connections_to_host: pool.connections.size,
      connections: connections.count,
      max_connections: connections.max,
      pending: pendingRequests.count,
      max_pending_requests: pendingRequests.max,
      active: requests.count,
      max_requests: requests.max,
    };
    const rule =
      'An idle connection to the host takes the request; without one it waits while one is opened, as circuit breakers allow.';
    const texts = {
      sent: `a connection to ${pool.host.address} is free${pool.protocol.limitsRequests ? ` (${ofLimit(inputs.active, 'active request', inputs.max_requests)})` : ''}`,
      pending: `no connection to ${pool.host.address} is free: it waits for one (${ofLimit(inputs.pending, 'request', inputs.max_pending_requests)} waiting, ${ofLimit(inputs.connections, 'connection', inputs.max_connections)})`,
      overflow: `${count(inputs.pending)} requests wait already, max_pending_requests is ${count(inputs.max_pending_requests)}: turned away with 503`,
      'too-many-active': `${count(inputs.active)} requests are active, max_requests is ${count(inputs.max_requests)}: turned away with 503`,
    };
    this.record(request, {
      step: outcome === 'sent' || outcome === 'pending' ? 'pool' : 'breaker',
      inputs,
      rule,
      outcome: texts[outcome],
    });
  }

  noHost(request: OpenRequest): void {
    this.record(request, {
      step: 'no host',
      inputs: {},
      rule: 'Without a host the proxy answers 503 (no healthy upstream), and does not retry.',
      outcome: 'the balancer has no host: 503',
    });
  }

  /** The attempt has its connection. */
  sent(request: OpenRequest, server: Server): void {
    const { clock } = this;
    this.sentUs = clock.nowUs;
    const { host, attemptedUs } = request;
    const waitedUs = clock.nowUs - attemptedUs;
    const waited = waitedUs > 0 ? `it has its connection after ${ms(waitedUs)} and` : 'it';
    const active = host?.activeRequests ?? 0;
    const lost = server.behavior.down === 'none' ? '' : '; the host is down, and no answer will come';
    const others = active > 1 ? `, which has ${counted(active - 1, 'other request')} open` : '';
    this.record(request, {
      step: 'sent',
      inputs: { waited_ms: waitedUs / MICROS_PER_MILLI, active_requests: active },
      rule: 'From now on it counts as an active request of the host, and the time of a try runs.',
      outcome: `${waited} is sent to ${server.address}${others}${lost}`,
    });
  }

  queued(request: OpenRequest, { behavior, queued, inService }: Server, full: boolean): void {
    const places = inService === 1 ? 'the only place of the host is' : `all ${count(inService)} places of the host are`;
    this.record(request, {
      step: 'queue',
      inputs: { in_service: inService, queued },
      rule: 'A host works on as many requests at once as its concurrency says; others wait in its queue, those that their proxies gave up among them, or are refused.',
      outcome: full
        ? `${places} taken and its queue is full: answered ${behavior.errorStatus} at once`
        : `${places} taken: it waits behind ${counted(queued, 'other')}`,
    });
  }

  served(request: OpenRequest, serviceUs: Micros, status: number): void {
    const waitedUs = this.clock.nowUs - this.sentUs;
    const after = waitedUs > 0 ? ` after ${ms(waitedUs)}` : '';
    this.record(request, {
      step: 'service',
      inputs: { service_ms: serviceUs / MICROS_PER_MILLI, status },
      rule: 'Service times, errors and wire times are drawn as the behaviour of the host says.',
      outcome: `the host begins on it${after}: it takes ${ms(serviceUs)} and answers ${status}`,
    });
  }

  answered(request: OpenRequest, status: number): void {
    this.record(request, {
      step: 'answer',
      inputs: { status },
      rule: 'The answer is counted for the host, and judged by the retry policy.',
      outcome: `the answer ${status} is there, ${ms(this.clock.nowUs - this.sentUs)} after it was sent`,
    });
  }

  /** The attempt ended without an answer. */
  failed(request: OpenRequest, how: 'connect-failure' | 'connect-timeout' | 'reset' | 'per-try-timeout'): void {
    const address = request.host?.address ?? 'its host';
    const { perTryUs } = request.plan;
    const texts = {
      'connect-failure': `${address} refuses the connection that it waited for`,
      'connect-timeout': `the connection to ${address} was not made within connect_timeout`,
      reset: `the connection to ${address} breaks`,
      'per-try-timeout': `per_try_timeout, ${ms(perTryUs)}, is over without an answer`,
    };
    this.record(request, {
      step: 'failure',
      inputs: { cause: how },
      rule: 'An attempt that fails without an answer may be retried.',
      outcome: texts[how],
    });
  }

  /** The retry policy evaluated the result of the attempt. */
  judged(request: OpenRequest, policy: RetryPolicy, outcome: AttemptOutcome, verdict: RetryVerdict): void {
    // A successful answer needs no explanation.
    if (verdict.kind === 'not-covered' && outcome.kind === 'status' && outcome.status < 400) return;
    const on = policy.retryOn.join(',');
    const what = outcome.kind === 'status' ? String(outcome.status) : outcome.kind;
    // It belongs to the attempt that ended, although the next one is counted already.
    const attempt = verdict.kind === 'granted' ? request.attempt - 1 : request.attempt;
    this.record(
      { attempt },
      {
        step: 'retry',
        inputs: { retry_on: on, num_retries: policy.numRetries, verdict: verdict.kind },
        rule: 'retry_on names what is worth another attempt, num_retries how many there may be, and a circuit breaker (max_retries or a retry budget) how many at once; before each comes a back-off.',
        outcome: verdictText(verdict, on, what, request.attempt, policy),
      },
    );
  }

  /** The request has ended. */
  over(request: OpenRequest, record: RequestRecord): void {
    this.end = record;
    const { status, outcome, latencyUs } = record;
    this.record(request, {
      step: 'end',
      inputs: { status, outcome },
      rule: 'The client has its answer, whoever gave it.',
      outcome: `the client has ${status} after ${ms(latencyUs)}${END[outcome]}`,
    });
  }

  timedOut(request: OpenRequest): void {
    this.record(request, {
      step: 'time-out',
      inputs: { timeout_ms: request.plan.timeoutUs / MICROS_PER_MILLI },
      rule: 'The time of a request includes all its attempts and waits; when it is over the proxy answers 504.',
      outcome: `its time of ${ms(request.plan.timeoutUs)} is over, ${ms(this.clock.nowUs - request.arrivedUs)} after it came`,
    });
  }

  private record({ attempt }: { readonly attempt: number }, step: DecisionStep): void {
    this.steps.push({ ...step, tUs: this.clock.nowUs, attempt, draws: this.draws.splice(0) });
  }
}

const END = {
  answered: '',
  no_host: ': no host was found',
  overflow: ': a circuit breaker was open',
  connect_failure: ': no connection could be made',
  reset: ': the connection broke',
  timeout: ': time was over',
  drop_overload: ': drop_overloads dropped it before anybody was asked',
  no_cluster: ': the proxy does not know the cluster',
} as const satisfies Record<RequestRecord['outcome'], string>;

function verdictText(
  verdict: RetryVerdict,
  on: string,
  what: string,
  attempt: number,
  { numRetries, retryHostPredicate, retryPriority }: RetryPolicy,
): string {
  switch (verdict.kind) {
    case 'not-covered':
      return `retry_on ${on} does not cover ${what}: no retry`;
    case 'used-up':
      return `retry_on ${on} covers ${what}, but num_retries ${numRetries} ${numRetries === 1 ? 'is' : 'are'} used up`;
    case 'refused': {
      const limit = verdict.budget ? 'the retry budget allows' : 'max_retries is';
      return `retry_on ${on} covers ${what}, but ${counted(verdict.active, 'retry', 'retries')} are under way and ${limit} ${count(verdict.allowed)}: refused`;
    }
    case 'granted': {
      const away = [
        ...retryHostPredicate.map(({ kind }) => kind),
        ...(retryPriority === undefined ? [] : ['retry_priority']),
      ];
      const keeps = away.length === 0 ? '' : `, and goes by ${away.join(', ')}`;
      const wait = verdict.requested ? 'as the answer asks for' : 'drawn from the back-off';
      return `retry_on ${on} covers ${what}: retry ${attempt} of ${numRetries} comes after ${ms(verdict.waitUs)}, ${wait}${keeps}`;
    }
  }
}

function retriesText(policy: RetryPolicy | undefined): string {
  if (policy === undefined || policy.numRetries === 0) return 'no retries';
  return `${counted(policy.numRetries, 'retry', 'retries')} on ${policy.retryOn.join(',')}`;
}

function ofLimit(current: number, noun: string, limit: number): string {
  return `${count(current)} of at most ${counted(limit, noun)}`;
}

function ms(us: Micros): string {
  return us < MICROS_PER_SECOND ? millis(us / MICROS_PER_MILLI) : seconds(microsToSeconds(us));
}
