import type { Runtime } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { RandomStream } from '../random/streams.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { OutlierDetection } from '../settings/cluster-settings.js';
import type { OriginEvent } from '../upstream/outlier-cause.js';
import { OutlierDetector, type OutlierEvents } from '../upstream/outlier-detector.js';
import type { OutlierStats } from '../upstream/outlier-stats.js';
import type { Environment } from './environment.js';

/** A worker only detects; the main thread ejects a moment later, in the next event of the same instant. */
export class Outliers {
  readonly detector: OutlierDetector;
  private stopped = false;

  constructor(
    private readonly env: Environment,
    stream: string,
    config: OutlierDetection,
    version: ProxyVersion,
    runtime: Runtime,
    readonly stats: OutlierStats,
    events: OutlierEvents,
  ) {
    let random: RandomStream | undefined;
    const draws = (): RandomStream => (random ??= env.streams.stream(stream));
    this.detector = new OutlierDetector(config, version, runtime, draws, stats, events);
    this.scheduleSweep(env.firstDelayUs(this.detector.intervalUs));
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

  /** @param status that the proxy answers with instead of the host. */
  happened(host: Host, event: OriginEvent, status?: number): void {
    this.handle(host, this.detector.reportEvent(host, event, status));
  }

  healthCheckPassed(host: Host): void {
    this.detector.activeHealthCheckSucceeded(host, this.env.nowUs);
  }

  private handle(host: Host, detections: number): void {
    if (detections === 0) return;
    const { env, detector } = this;
    env.timers.at(env.nowUs, () => detector.handleDetections(host, detections, env.nowUs));
  }

  private scheduleSweep(inUs: Micros): void {
    const { env, detector } = this;
    env.timers.at(env.nowUs + inUs, () => {
      if (this.stopped) return;
      detector.sweep(env.nowUs);
      this.scheduleSweep(detector.intervalUs);
    });
  }
}
