import type { Struct } from '../core/json.js';
import type { RandomStream } from '../random/streams.js';
import type { ProxySpec } from '../scenario/model.js';
import type { ClusterManagerStats } from '../upstream/merge-window.js';
import { emptyClusterManagerStats } from '../upstream/merge-window.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { CdsUpdates } from './cds-updates.js';
import { RuntimeValues } from './runtime.js';

/** One proxy: its clusters, its runtime, what its cluster manager counts. */
export class Proxy {
  readonly managerStats: ClusterManagerStats = emptyClusterManagerStats();
  readonly runtime: RuntimeValues;
  /** undefined: its clusters never change. */
  readonly cds: CdsUpdates | undefined;
  readonly clusters: ProxyCluster[] = [];

  constructor(
    readonly name: string,
    readonly spec: ProxySpec,
    /** Feeds the waits between retries. */
    readonly retryRandom: RandomStream,
    usesCds: boolean,
  ) {
    this.cds = usesCds ? new CdsUpdates() : undefined;
    this.runtime = new RuntimeValues(spec.runtime);
  }

  setRuntime(values: Struct): void {
    this.runtime.set(values);
    for (const cluster of this.clusters) cluster.runtimeChanged();
  }

  get specName(): string {
    return this.spec.name;
  }

  get share(): number {
    return this.spec.share;
  }

  get workers(): number {
    return this.spec.workers;
  }

  clusterAt(index: number): ProxyCluster {
    return this.clusters[index] as ProxyCluster;
  }
}
