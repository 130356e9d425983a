import { entryOf } from '../core/lists.js';
import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { RetryPolicy } from '../settings/world.js';
import { PreviousPriorities, retryConditions, type RetryConditions } from '../upstream/retry.js';
import type { RequestPlan } from './request-plan.js';

/** What a request that is retried remembers of its attempts. */
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

/** The retry conditions of every kind of request, made once. */
export class RetryRules {
  private readonly known = new Map<ProxyVersion, WeakMap<RequestPlan, RetryConditions>>();

  conditionsOf(plan: RequestPlan, policy: RetryPolicy, version: ProxyVersion): RetryConditions {
    const known = entryOf(this.known, version, () => new WeakMap<RequestPlan, RetryConditions>());
    return entryOf(known, plan, () => retryConditions(policy, plan.headers, quirksOf(version)));
  }
}
