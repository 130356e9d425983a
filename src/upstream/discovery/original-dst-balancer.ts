import type { Host } from '../../host/host.js';
import { type BalancerDescription, describePriority } from '../../hostset/describe.js';
import type { HostSet } from '../../hostset/host-set.js';
import { type Decision, type LoadBalancer, type PickRequest, resetDecision } from '../../hostset/load-balancer.js';
import { emptyPriorityState } from '../../hostset/priority-load.js';

const NO_HEADERS: Readonly<Record<string, string>> = {};

/**
 * The balancer that an ORIGINAL_DST cluster provides (ORIGINAL_DST_LB, CLUSTER_PROVIDED): the request names its host, so
 * there is nothing to choose. Health plays no part.
 */
export class OriginalDstBalancer implements LoadBalancer {
  private hostSet: HostSet | undefined;

  constructor(private readonly hostFor: (headers: Readonly<Record<string, string>>) => Host | undefined) {}

  update(hostSet: HostSet): void {
    this.hostSet = hostSet;
  }

  updateLocalCluster(): void {
    // Zones matter only to balancers that choose.
  }

  choose(request: PickRequest, decision: Decision): void {
    resetDecision(decision);
    const host = this.hostFor(request.headers ?? NO_HEADERS);
    if (host === undefined) return;
    decision.host = host;
    decision.priority = 0;
  }

  describe(): BalancerDescription {
    const state = { ...emptyPriorityState(), load: { healthy: [100], degraded: [0] }, panic: [false] };
    const { hostSet } = this;
    return {
      panicThreshold: 0,
      normalizedTotal: 100,
      priorities: hostSet === undefined ? [] : [describePriority(hostSet, state)],
      zone: undefined,
    };
  }
}
