import { entryOf } from '../core/values.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { PickRequest } from '../hostset/load-balancer.js';
import type { RetryPolicy } from '../settings/world.js';
import type { AttemptOutcome, RetryConditions } from '../upstream/retry.js';
import { backOffUs, isOmitted, rateLimitedBackOffUs, retryConditions, wouldRetry } from '../upstream/retry.js';
import type { RequestPlan } from './request-plan.js';
import { type OpenRequest, RequestState, RetryMemory } from './servers/open-requests.js';
import type { RequestStory, RetryVerdict } from './request-story.js';
import type { World } from './world.js';

export class Retries {
  private readonly conditions = new Map<ProxyVersion, WeakMap<RequestPlan, RetryConditions>>();

  /** @param attempt sends the next attempt of a request. */
  constructor(
    private readonly world: World,
    private readonly totals: { retries: number },
    private readonly attempt: (request: OpenRequest) => void,
    /** Records the story of one request; undefined: not requested. */
    private readonly story: RequestStory | undefined,
  ) {}

  /** @param hedges the attempt goes on meanwhile: any condition of `retry_on` will do. */
  retry(request: OpenRequest, outcome: AttemptOutcome, hedges = false): boolean {
    const { world } = this;
    const { plan, routed: upstream } = request;
    const { retryPolicy: policy } = plan;
    if (policy === undefined) return false;
    const { retryStats } = upstream;
    const { retries } = upstream.breakerOf(plan.priority);
    const proxy = world.proxyAt(request.proxy);
    const { version } = proxy.spec;
    const conditions = this.conditionsOf(plan, policy, version);
    const worthwhile = hedges ? conditions.retryOn.length > 0 : wouldRetry(conditions, outcome);
    if (!worthwhile && request.attempt > 0) retryStats.upstreamRqRetrySuccess++;
    this.release(request);
    if (!worthwhile) return this.judged(request, policy, outcome, { verdict: 'not-covered' });
    const attempt = request.attempt + 1;
    if (attempt > policy.numRetries) {
      retryStats.upstreamRqRetryLimitExceeded++;
      return this.judged(request, policy, outcome, { verdict: 'used-up' });
    }
    if (retries.open) {
      retryStats.upstreamRqRetryOverflow++;
      const { budget, count: active, max: allowed } = retries;
      if (request.counted) upstream.recorder.retryRefused(allowed, budget);
      const by = budget === undefined ? 'max_retries' : 'budget';
      return this.judged(request, policy, outcome, { verdict: 'refused', allowed, active, by });
    }
    retries.increment();
    request.holdsRetry = true;
    const { countsRetriesWhenSent } = quirksOf(version);
    if (outcome.kind === 'status') upstream.requests.retriedByStatus.add(outcome.status, request.version);
    if (request.counted) this.totals.retries++;
    if (attempt === 1) request.tried = new RetryMemory(policy);
    const { host } = request;
    if (host !== undefined) request.tried?.attempted(host, request.priority);
    request.state = RequestState.backingOff;
    request.attempt = attempt;
    const requestedUs =
      outcome.kind === 'status' && policy.rateLimitedBackOff !== undefined
        ? rateLimitedBackOffUs(outcome.headers, policy.rateLimitedBackOff, proxy.retryRandom)
        : undefined;
    const count = (): void => {
      retryStats.upstreamRqRetry++;
      if (requestedUs === undefined) retryStats.upstreamRqRetryBackoffExponential++;
      else retryStats.upstreamRqRetryBackoffRatelimited++;
    };
    if (!countsRetriesWhenSent) count();
    const waitUs = requestedUs ?? backOffUs(attempt, policy, proxy.runtime, proxy.retryRandom, quirksOf(version));
    const wait = requestedUs === undefined ? 'drawn' : 'asked_for';
    const wait_ms = waitUs / MICROS_PER_MILLI;
    const given = { retry: attempt, wait_ms, wait, goes_on: hedges } as const;
    const granted = this.judged(request, policy, outcome, { verdict: 'granted', ...given });
    const { id } = request;
    world.timers.at(world.nowUs + waitUs, () => {
      if (!request.isOpenAs(id) || request.attempt !== attempt) return;
      if (countsRetriesWhenSent) count();
      this.attempt(request);
    });
    return granted;
  }

  /** Whether the policy takes the outcome for a failure, retries left or not. */
  covers({ plan, proxy }: OpenRequest, outcome: AttemptOutcome): boolean {
    const { retryPolicy: policy } = plan;
    const { version } = this.world.proxyAt(proxy).spec;
    return policy !== undefined && wouldRetry(this.conditionsOf(plan, policy, version), outcome);
  }

  private conditionsOf(plan: RequestPlan, policy: RetryPolicy, version: ProxyVersion): RetryConditions {
    const known = entryOf(this.conditions, version, () => new WeakMap<RequestPlan, RetryConditions>());
    return entryOf(known, plan, () => retryConditions(policy, plan.headers, quirksOf(version)));
  }

  /** Tells the story of it. @returns whether there is a retry. */
  private judged(request: OpenRequest, policy: RetryPolicy, outcome: AttemptOutcome, verdict: RetryVerdict): boolean {
    if (this.story?.request === request.id) this.story.judged(request, policy, outcome, verdict);
    return verdict.verdict === 'granted';
  }

  constrain(request: OpenRequest, pick: PickRequest): void {
    const { retryPolicy } = request.plan;
    const { tried } = request;
    if (retryPolicy === undefined || tried === undefined) return;
    const { retryHostPredicate, hostSelectionRetryMaxAttempts } = retryPolicy;
    if (retryHostPredicate.length > 0) {
      pick.hostSelectionRetryCount = hostSelectionRetryMaxAttempts;
      pick.rejects = (host) => isOmitted(retryHostPredicate, host, tried.hosts);
    }
    const { priorities } = tried;
    if (priorities !== undefined) pick.priorityLoad = (availability) => priorities.loadFor(availability);
  }

  /** First attempts have no such restriction. */
  unconstrain(pick: PickRequest): void {
    pick.hostSelectionRetryCount = 0;
    pick.rejects = undefined;
    pick.priorityLoad = undefined;
  }

  release(request: OpenRequest): void {
    if (!request.holdsRetry) return;
    request.holdsRetry = false;
    request.routed.breakerOf(request.plan.priority).retries.decrement();
  }
}
