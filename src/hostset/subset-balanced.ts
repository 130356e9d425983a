import { type Decision, type LoadBalancer, type PickRequest, resetDecision } from './load-balancer.js';
import type { HostSet } from './host-set.js';
import { SubsetEntry } from './subset-entry.js';
import { noZoneCounts } from './subset-stats.js';

/** One subset with its balancer: it has its own levels, panic and policy state. */
export class BalancedSubset extends SubsetEntry {
  /** undefined: no host has created it yet; or `singleHost`, where the first host of the lowest level answers. */
  inner: LoadBalancer | undefined;
  /** By priority: the lists that were delivered last. */
  readonly levels: (HostSet | undefined)[] = [];
  readonly zoneCounts = noZoneCounts();
  /** Hosts in all levels that were delivered, whatever their health. */
  hostCount = 0;

  choose(request: PickRequest, decision: Decision): void {
    if (this.inner === undefined) this.chooseFirst(request, decision);
    else this.inner.choose(request, decision);
  }

  /** `single_host_per_subset`: no policy and no health, the first host of the lowest level that has one. */
  private chooseFirst(request: PickRequest, decision: Decision): void {
    resetDecision(decision);
    for (const level of this.levels) {
      const host = level?.hosts[0];
      if (level === undefined || host === undefined) continue;
      decision.host = host;
      decision.priority = level.priority;
      if (request.trace !== undefined) request.trace({ kind: 'only_host', inputs: { host: host.address } });
      return;
    }
  }

  /** The first host of the lowest level that has one is unhealthy at this moment. */
  get firstIsUnhealthy(): boolean {
    for (const level of this.levels) {
      const host = level?.hosts[0];
      if (host !== undefined) return host.isUnhealthy;
    }
    return false;
  }
}
