import type { Host } from '../host/host.js';
import type { ClientSideWeightsConfig, LoadReport } from '../policy/client-side-weights.js';
import { ClientSideWeights } from '../policy/client-side-weights.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { ClusterWorld } from './cluster-world.js';
import type { World } from './world.js';

/** One proxy's weights of a cluster's hosts by their load reports: a timer of the main thread works them out. */
export class LoadReports {
  private readonly weights: ClientSideWeights<Host>;
  private isStopped = false;

  constructor(
    private readonly world: World,
    private readonly cluster: ClusterWorld,
    private readonly config: ClientSideWeightsConfig,
    private readonly upstream: () => UpstreamCluster,
  ) {
    this.weights = new ClientSideWeights(config);
  }

  start(): void {
    this.armIn(this.world.firstDelayUs(this.config.updateUs));
  }

  stop(): void {
    this.isStopped = true;
  }

  /** An answer of the host carried a report. */
  reported(host: Host, report: LoadReport): void {
    this.weights.reported(host, report, this.world.nowUs);
  }

  private armIn(delayUs: number): void {
    this.world.timers.at(this.world.nowUs + delayUs, () => this.tick());
  }

  private tick(): void {
    if (this.isStopped) return;
    const upstream = this.upstream();
    let changed = false;
    for (const hosts of upstream.hostsByPriority()) {
      const weights = this.weights.weights(hosts, this.world.nowUs);
      for (const [index, host] of hosts.entries()) {
        const weight = weights[index] as number;
        if (host.weight === weight) continue;
        host.weight = weight;
        changed = true;
        const row = this.cluster.rows.rows[host.index];
        if (row !== undefined) row.weight = weight;
      }
    }
    if (changed) for (const balancer of upstream.balancers) balancer.weightsChanged?.();
    this.armIn(this.config.updateUs);
  }
}
