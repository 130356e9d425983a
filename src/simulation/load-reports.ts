import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { LoadReport } from '../policy/load-report.js';
import { ClientSideWeights, type ClientSideWeightsConfig } from '../policy/client-side-weights.js';
import type { HostRow } from '../result/host-rows.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Environment } from './environment.js';

/** Weights that are updated from load reports from time to time. */
interface Listener {
  readonly updateUs: Micros;
  /** A change of hosts is an update too. */
  readonly followsHosts: boolean;
  readonly reported: (host: Host, report: LoadReport) => void;
  /** @returns whether weights changed, so that balancers must be refreshed. */
  readonly tick: () => boolean;
}

/** The load reports of a cluster's hosts in one proxy: the main thread applies them, by timers and with each change of hosts. */
export class LoadReports {
  private readonly listeners: Listener[] = [];
  private isStopped = false;

  /** @param balancers of all threads. */
  constructor(
    private readonly env: Environment,
    private readonly rows: readonly HostRow[],
    private readonly upstream: UpstreamCluster,
    private readonly balancers: readonly LoadBalancer[],
  ) {}

  /**
   * The weights of hosts follow their reports.
   *
   * @param isHeard false: no report arrives, as in the subsets of a 1.40.0, whose ticks make all hosts equal.
   */
  weighHosts(config: ClientSideWeightsConfig, isHeard: boolean): void {
    const weights = new ClientSideWeights<Host>(config);
    this.listen({
      updateUs: config.updateUs,
      followsHosts: true,
      reported: (host, report) => {
        if (isHeard) weights.reported(host, report, this.env.nowUs);
      },
      tick: () => this.reweigh(weights),
    });
  }

  /** The weights of localities follow the reports of their hosts. */
  weighLocalities(loads: LocalityLoads): void {
    this.listen({
      updateUs: loads.config.updateUs,
      followsHosts: false,
      reported: (host, report) => loads.reported(host, report, this.env.nowUs),
      tick: () => {
        loads.tick(this.upstream.priorities.hostSets, this.env.nowUs);
        return true;
      },
    });
  }

  /** An answer of the host carried a report. */
  reported(host: Host, report: LoadReport): void {
    for (const listener of this.listeners) listener.reported(host, report);
  }

  /** The main thread has new lists, with the weights of discovery. */
  listsMade(): void {
    for (const listener of this.listeners) if (listener.followsHosts) this.update(listener);
  }

  stop(): void {
    this.isStopped = true;
  }

  private listen(listener: Listener): void {
    this.listeners.push(listener);
    this.armIn(this.env.firstDelayUs(listener.updateUs), listener);
  }

  private armIn(delayUs: Micros, listener: Listener): void {
    this.env.timers.at(this.env.nowUs + delayUs, () => {
      if (this.isStopped) return;
      this.update(listener);
      this.armIn(listener.updateUs, listener);
    });
  }

  private update(listener: Listener): void {
    if (listener.tick()) for (const balancer of this.balancers) balancer.weightsChanged?.();
  }

  private reweigh(weights: ClientSideWeights<Host>): boolean {
    let changed = false;
    for (const hosts of this.upstream.priorities.hostsByPriority()) {
      const found = weights.weights(hosts, this.env.nowUs);
      for (const [index, host] of hosts.entries()) {
        const weight = found[index] as number;
        if (host.weight === weight) continue;
        host.weight = weight;
        changed = true;
        const row = this.rows[host.index];
        if (row !== undefined) row.weight = weight;
      }
    }
    return changed;
  }
}
