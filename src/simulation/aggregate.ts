import { aggregated } from '../config/discovery.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { AggregateMember } from '../hostset/aggregate.js';
import { AggregateBalancer } from '../hostset/aggregate.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';

/** One proxy's balancers of an aggregate cluster, one a worker. */
export class Aggregate {
  readonly balancers: readonly AggregateBalancer[];

  constructor(
    private readonly proxy: Proxy,
    private readonly cluster: ClusterWorld,
    config: LoadBalancerConfig,
  ) {
    const workers = Array.from({ length: proxy.spec.workers }, (_, worker) => worker);
    this.balancers = workers.map((worker) => new AggregateBalancer(config, proxy, () => this.members(worker)));
  }

  /** Whether a cluster is one of its members. */
  uses(name: string): boolean {
    return this.names.includes(name);
  }

  /** A member has other hosts, or another balancer. */
  refresh(): void {
    for (const balancer of this.balancers) balancer.refresh();
  }

  private get names(): readonly string[] {
    return aggregated(this.cluster.config) ?? [];
  }

  private members(worker: number): readonly AggregateMember[] {
    const byName = new Map(this.proxy.clusters.map((cluster) => [cluster.name, cluster]));
    return this.names.flatMap((name): readonly AggregateMember[] => {
      const member = byName.get(name);
      if (member?.world.present !== true) return [];
      const { upstream, world } = member;
      return [{ name, index: world.index, hostSets: upstream.deliveredSets, balancer: member.balancerOf(worker) }];
    });
  }
}
