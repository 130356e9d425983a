import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import { NO_ROWS, type PhaseView, type RowStates, RowStatesWriter } from '../result/phases.js';
import type { WorldSettings } from '../settings/world.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { factsNow } from './facts-now.js';
import { slowStartFacts } from './slow-start-fact.js';

/** What the balancers of clusters see; the first worker of the first proxy represents all of them. */
export class ClusterViews {
  /** Shared by all clusters: most of them are small. */
  private readonly writer = new RowStatesWriter();

  constructor(
    private readonly scenario: WorldSettings,
    private readonly proxies: readonly Proxy[],
  ) {}

  /** What the balancers of `cluster` see at this moment, and why; undefined: there is no proxy. */
  view({ index, present, log }: ClusterWorld, nowUs: Micros): PhaseView | undefined {
    const cluster = this.proxies[0]?.clusterAt(index);
    if (cluster === undefined) return undefined;
    const facts = [...factsNow(this.scenario, this.proxies, index), ...slowStartFacts(cluster, nowUs)];
    if (!present) return { states: NO_ROWS, priorities: [], facts };
    const description = cluster.balancerOf(0).describe();
    return {
      states: this.statesOf(cluster, log.current.states),
      priorities: description.priorities.map((level) => ({
        priority: level.priority,
        healthy_load: level.healthyLoad,
        degraded_load: level.degradedLoad,
        panic: level.panic,
        healthy: level.healthy,
        degraded: level.degraded,
        total: level.hosts,
      })),
      facts,
    };
  }

  /** The hosts that some proxy lists. */
  *listedHosts({ index }: ClusterWorld): Iterable<readonly Host[]> {
    for (const proxy of this.proxies) yield* proxy.clusterAt(index).upstream.priorities.hostsByPriority();
  }

  beginPhase({ index }: ClusterWorld): void {
    for (const proxy of this.proxies) proxy.clusterAt(index).recorder.beginPhase();
  }

  /** Records the state of each row's host. Of several hosts with one row the first is shown. */
  private statesOf({ world, upstream }: ProxyCluster, before: RowStates): RowStates {
    const { writer } = this;
    const known = world.rows.rows;
    writer.begin(known.length);
    for (const hosts of upstream.priorities.hostsByPriority()) {
      for (let at = 0; at < hosts.length; at++) {
        const host = hosts[at] as Host;
        const { index, weight, health } = host;
        const row = known[index];
        if (row !== undefined) {
          row.weight = weight;
          row.health = health;
          row.transportSocket = host.transportSocket;
        }
        writer.add(index, weight, health);
      }
    }
    return writer.end(before);
  }
}
