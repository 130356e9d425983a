import type { Clock } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { LoadReport } from '../policy/load-report.js';
import { ClientSideWeights, type ClientSideWeightsConfig } from '../policy/client-side-weights.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Environment } from './environment.js';

interface Listener {
  readonly updateUs: Micros;
  /** A change of hosts is an update too. */
  readonly followsHosts: boolean;
  readonly reported: (host: Host, report: LoadReport) => void;
  /** @returns whether weights changed, so that balancers must be refreshed. */
  readonly tick: () => boolean;
}

export class HostWeights {
  private readonly weights: ClientSideWeights<Host>;

  constructor(
    readonly config: ClientSideWeightsConfig,
    private readonly clock: Clock,
    private readonly rows: readonly HostRow[],
  ) {
    this.weights = new ClientSideWeights(config);
  }

  reported(host: Host, report: LoadReport): void {
    this.weights.reported(host, report, this.clock.nowUs);
  }

  /** Hosts of one priority have these weights from now on. @returns whether any of them is another one. */
  weigh(hosts: readonly Host[]): boolean {
    const found = this.weights.weights(hosts, this.clock.nowUs);
    let changed = false;
    for (const [index, host] of hosts.entries()) {
      const weight = found[index] as number;
      if (host.weight === weight) continue;
      host.weight = weight;
      changed = true;
      const row = this.rows[host.index];
      if (row !== undefined) row.weight = weight;
    }
    return changed;
  }
}

/** The main thread applies them, by timers and with each change of hosts. */
export class LoadReports {
  private readonly listeners: Listener[] = [];
  private isStopped = false;

  /** @param balancers of all threads. */
  constructor(
    private readonly env: Environment,
    private readonly upstream: UpstreamCluster,
    private readonly balancers: readonly LoadBalancer[],
  ) {}

  /** @param bySubset the balancers weigh the hosts of each subset, with their updates and when asked to. */
  weighHosts(weights: HostWeights, bySubset: boolean): void {
    this.listen({
      updateUs: weights.config.updateUs,
      followsHosts: !bySubset,
      reported: (host, report) => weights.reported(host, report),
      tick: () =>
        bySubset || this.upstream.priorities.hostsByPriority().filter((hosts) => weights.weigh(hosts)).length > 0,
    });
  }

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
}
