import type { OutlierDetection } from '../config/types.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import { OutlierDetector } from '../upstream/outlier-detector.js';
import type { OutlierStats } from '../upstream/outlier-stats.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import type { World } from './world.js';

/**
 * Outlier detection of one cluster in one proxy: feeds the detector with what happens to requests, keeps its interval,
 * and has every ejection announced.
 *
 * A worker only notices; the main thread acts a moment later, which is the next event of the same instant.
 */
export class Outliers {
  readonly detector: OutlierDetector;
  private stopped = false;

  /** @param changed the health of a host changed, and why: its lists have to be made and announced anew. */
  constructor(
    private readonly world: World,
    proxy: Proxy,
    cluster: ClusterWorld,
    config: OutlierDetection,
    readonly stats: OutlierStats,
    changed: (host: Host, why: string) => void,
  ) {
    const random = world.streams.stream(`outlier/${proxy.name}/${cluster.name}`);
    this.detector = new OutlierDetector(config, proxy.spec.version, proxy.runtime, random, stats, {
      ejected: (host, cause) => {
        const text = `${host.address} ejected, ${cause}`;
        world.noticed(proxy, cluster, host, `ejected, ${cause}`);
        world.log({ kind: 'ejection', cluster: cluster.name, proxy: proxy.name, host: host.address, text });
        changed(host, text);
      },
      unejected: (host, cause) => {
        const why = cause === 'ejection_time_over' ? 'its ejection is over' : 'a health check passed';
        const text = `${host.address} back: ${why}`;
        world.noticed(proxy, cluster, host, why);
        world.log({ kind: 'unejection', cluster: cluster.name, proxy: proxy.name, host: host.address, text });
        changed(host, text);
      },
    });
    this.scheduleSweep(world.firstDelayUs(this.detector.intervalUs));
  }

  hostsAdded(hosts: readonly Host[]): void {
    for (const host of hosts) this.detector.addHost(host);
  }

  hostsRemoved(hosts: readonly Host[]): void {
    for (const host of hosts) this.detector.removeHost(host);
  }

  /** The cluster is replaced or removed, and with it all its hosts. */
  stop(hosts: readonly Host[]): void {
    this.stopped = true;
    this.hostsRemoved(hosts);
  }

  answered(host: Host, status: number): void {
    this.handle(host, this.detector.reportStatus(host, status));
  }

  connected(host: Host): void {
    this.handle(host, this.detector.reportEvent(host, 'LOCAL_ORIGIN_CONNECT_SUCCESS'));
  }

  connectFailed(host: Host): void {
    this.handle(host, this.detector.reportEvent(host, 'LOCAL_ORIGIN_CONNECT_FAILED'));
  }

  timedOut(host: Host): void {
    this.handle(host, this.detector.reportEvent(host, 'LOCAL_ORIGIN_TIMEOUT', 504));
  }

  healthCheckPassed(host: Host): void {
    this.detector.activeHealthCheckSucceeded(host, this.world.nowUs);
  }

  private handle(host: Host, detections: number): void {
    if (detections === 0) return;
    const { world, detector } = this;
    world.timers.at(world.nowUs, () => detector.handleDetections(host, detections, world.nowUs));
  }

  private scheduleSweep(inUs: Micros): void {
    const { world, detector } = this;
    world.timers.at(world.nowUs + inUs, () => {
      if (this.stopped) return;
      detector.sweep(world.nowUs);
      this.scheduleSweep(detector.intervalUs);
    });
  }
}
