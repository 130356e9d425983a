import { isModern } from '../core/version.js';
import type { AttemptOutcome } from '../upstream/retry.js';
import { backOffUs, wouldRetry } from '../upstream/retry.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RequestPlan } from './request-plan.js';
import type { RequestTable } from './request-table.js';
import { RequestState } from './request-table.js';
import type { World } from './world.js';

/** Decides whether a failed attempt is followed by another one, and waits until it is time for it. */
export class Retries {
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
    const { retryPolicy: policy, priority } = requests.plans[slot] as RequestPlan;
    if (policy === undefined) return false;
    const { retryStats } = upstream;
    const { retries } = upstream.breakerOf(priority);
    const worthwhile = wouldRetry(policy, outcome);
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
    const host = requests.hosts[slot];
    const before = attempt === 1 ? [] : (requests.tried[slot] ?? []);
    requests.tried[slot] = host === undefined ? before : [...before, host];
    requests.states[slot] = RequestState.backingOff;
    requests.attempts[slot] = attempt;
    const proxy = world.proxyAt(requests.proxies[slot] as number);
    const modern = isModern(proxy.spec.version);
    const waitUs = backOffUs(attempt, policy.retryBackOff, proxy.runtime, proxy.retryRandom, modern);
    const id = requests.ids[slot] as number;
    world.timers.at(world.nowUs + waitUs, () => {
      if (requests.isOpen(slot, id) && requests.attempts[slot] === attempt) this.attempt(slot);
    });
    return true;
  }

  /** The request holds a retry of the cluster's no longer. */
  release(slot: number, upstream: ProxyCluster): void {
    const { requests } = this;
    if (requests.holdsRetry[slot] === 0) return;
    requests.holdsRetry[slot] = 0;
    upstream.breakerOf((requests.plans[slot] as RequestPlan).priority).retries.decrement();
  }
}
