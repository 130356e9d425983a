import type { Runtime } from '../core/environment.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import { AggregateBalancer, type AggregateMember } from '../hostset/aggregate.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { ClusterWorld } from './cluster-world.js';

/** A cluster that may be a member. */
export interface MemberCluster {
  readonly world: ClusterWorld;
  readonly upstream: UpstreamCluster;
  balancerOf(worker: number): LoadBalancer;
}

/** One proxy's balancers of an aggregate cluster, one per worker. */
export class Aggregate {
  readonly balancers: readonly AggregateBalancer[];

  /** @param clusterOf finds the proxy's cluster of a name. */
  constructor(
    private readonly names: readonly string[],
    workers: number,
    config: LoadBalancerConfig,
    runtime: Runtime,
    private readonly clusterOf: (name: string) => MemberCluster | undefined,
  ) {
    this.balancers = Array.from(
      { length: workers },
      (_, worker) => new AggregateBalancer(config, { runtime }, () => this.members(worker)),
    );
  }

  /** Whether a cluster is one of its members. */
  uses(name: string): boolean {
    return this.names.includes(name);
  }

  /** The hosts or the balancer of a member changed. */
  refresh(): void {
    for (const balancer of this.balancers) balancer.refresh();
  }

  private members(worker: number): readonly AggregateMember[] {
    return this.names.flatMap((name): readonly AggregateMember[] => {
      const member = this.clusterOf(name);
      if (member?.world.present !== true) return [];
      const { upstream, world } = member;
      return [
        { name, index: world.index, hostSets: upstream.delivery.deliveredSets, balancer: member.balancerOf(worker) },
      ];
    });
  }
}
