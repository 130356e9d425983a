import { isModern } from '../core/version.js';
import type { PickRequest } from '../hostset/load-balancer.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { backOffUs, wouldRetry } from '../upstream/retry.js';
import { isOmitted } from '../upstream/retry-host-predicate.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RequestPlan } from './request-plan.js';
import type { RequestTable } from './request-table.js';
import { RequestState } from './request-table.js';
import { RetryMemory, RetryRules } from './retry-memory.js';
import type { World } from './world.js';

/** Decides whether a failed attempt is followed by another one, and waits until it is time for it. */
export class Retries {
  private readonly rules = new RetryRules();

  /**
   * @param totals  counts the retries of requests that count.
   * @param attempt sends the next attempt of a request on its way.
   */
  constructor(
    private readonly world: World,
    private readonly requests: RequestTable,
    private readonly totals: { retries: number },
    private readonly attempt: (slot: number) => void,
  ) {}

  /** Schedules another attempt if the retry policy and the circuit breaker allow one. */
  retry(slot: number, upstream: ProxyCluster, outcome: AttemptOutcome): boolean {
    const { requests, world } = this;
    const plan = requests.plans[slot] as RequestPlan;
    const { retryPolicy: policy } = plan;
    if (policy === undefined) return false;
    const { retryStats } = upstream;
    const { retries } = upstream.breakerOf(plan.priority);
    const proxy = world.proxyAt(requests.proxies[slot] as number);
    const { version } = proxy.spec;
    const worthwhile = wouldRetry(this.rules.conditionsOf(plan, policy, version), outcome);
    if (!worthwhile && requests.holdsRetry[slot] === 1) retryStats.upstreamRqRetrySuccess++;
    this.release(slot, upstream);
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
    if (attempt === 1) requests.tried[slot] = new RetryMemory(policy);
    const host = requests.hosts[slot];
    if (host !== undefined) requests.tried[slot]?.attempted(host, requests.priorities[slot] as number);
    requests.states[slot] = RequestState.backingOff;
    requests.attempts[slot] = attempt;
    const modern = isModern(version);
    const waitUs = backOffUs(attempt, policy.retryBackOff, proxy.runtime, proxy.retryRandom, modern);
    const id = requests.ids[slot] as number;
    world.timers.at(world.nowUs + waitUs, () => {
      if (requests.isOpen(slot, id) && requests.attempts[slot] === attempt) this.attempt(slot);
    });
    return true;
  }

  /** A retry keeps away from hosts and priorities as its policy says. */
  constrain(slot: number, pick: PickRequest): void {
    const { retryPolicy } = this.requests.plans[slot] as RequestPlan;
    const tried = this.requests.tried[slot];
    if (retryPolicy === undefined || tried === undefined) return;
    const { retryHostPredicate, hostSelectionRetryMaxAttempts } = retryPolicy;
    if (retryHostPredicate.length > 0) {
      pick.hostSelectionRetryCount = hostSelectionRetryMaxAttempts;
      pick.rejects = (host) => isOmitted(retryHostPredicate, host, tried.hosts);
    }
    const { priorities } = tried;
    if (priorities !== undefined) pick.priorityLoad = (availability) => priorities.loadFor(availability);
  }

  /** First attempts go wherever the balancer likes. */
  unconstrain(pick: PickRequest): void {
    pick.hostSelectionRetryCount = 0;
    pick.rejects = undefined;
    pick.priorityLoad = undefined;
  }

  /** The request holds a retry of the cluster's no longer. */
  release(slot: number, upstream: ProxyCluster): void {
    const { requests } = this;
    if (requests.holdsRetry[slot] === 0) return;
    requests.holdsRetry[slot] = 0;
    upstream.breakerOf((requests.plans[slot] as RequestPlan).priority).retries.decrement();
  }
}
