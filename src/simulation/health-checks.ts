import type { Runtime } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import { durationSampler, type DurationSampler } from '../random/distributions.js';
import type { Behavior } from '../settings/behavior.js';
import type { HealthCheck } from '../settings/cluster-settings.js';
import {
  checkResult,
  type CheckResult,
  type HealthCheckStats,
  HealthChecker,
  type HealthCheckEvents,
} from '../upstream/health-checker.js';
import type { ClusterWorld, Environment } from './environment.js';
import { EventKind } from './timers.js';

/**
 * A check takes one round trip on the wire and no time at the host. At time 0 every host has had one result of each
 * checker, which took no time; the next checks come one interval later.
 */
export class HealthChecks {
  private readonly checker: HealthChecker;
  private readonly configs: readonly HealthCheck[] = this.cluster.settings.healthChecks;
  private readonly wires = new Map<Host, { readonly of: Behavior['networkLatency']; readonly draw: DurationSampler }>();

  /** @param events called with results; `hasTraffic`: the cluster ever had an upstream connection. */
  constructor(
    private readonly env: Environment,
    private readonly proxy: { readonly name: string; readonly version: ProxyVersion; readonly runtime: Runtime },
    private readonly cluster: ClusterWorld,
    readonly stats: HealthCheckStats,
    events: HealthCheckEvents & { readonly hasTraffic: boolean },
  ) {
    const random = env.streams.stream(`health-checks/${proxy.name}/${cluster.name}`);
    const { version, runtime } = proxy;
    this.checker = new HealthChecker(this.configs, version, runtime, random, stats, () => events.hasTraffic, events);
  }

  /** @param starting the cluster initialises: results come at once, as if the proxy had waited for them. */
  hostsAdded(hosts: readonly Host[], starting: boolean): void {
    for (const host of hosts) {
      if (host.healthCheckPort === 'none') continue;
      for (const [checker, delayUs] of this.checker.addHost(host).entries()) {
        if (!starting) this.schedule(host, checker, delayUs);
        else if (this.checker.beginCheck(host)) this.end(host, checker, this.outcome(host, checker), true);
      }
    }
  }

  hostsRemoved(hosts: readonly Host[]): void {
    for (const host of hosts) {
      this.checker.removeHost(host);
      this.wires.delete(host);
    }
  }

  /** The answer to a request may carry the header that fails its host at once. */
  answered(host: Host): void {
    if (this.behaviorOf(host).immediateHealthCheckFail) this.checker.onPassiveFailure(host, true, this.env.nowUs);
  }

  private schedule(host: Host, checker: number, delayUs: Micros): void {
    this.env.timers.at(this.env.nowUs + Math.floor(delayUs), () => this.check(host, checker));
  }

  private check(host: Host, checker: number): void {
    const { env } = this;
    if (!this.checker.beginCheck(host)) return;
    const result = this.outcome(host, checker);
    const timeoutUs = this.checker.timeoutUs(checker);
    const takesUs = result === 'timeout' ? timeoutUs : result === 'network' ? 0 : this.drawWireUs(host);
    const late = takesUs > timeoutUs;
    env.timers.at(
      env.nowUs + Math.floor(Math.min(takesUs, timeoutUs)),
      () => this.end(host, checker, late ? 'timeout' : result),
      EventKind.healthResult,
    );
  }

  private end(host: Host, checker: number, result: CheckResult, isFirst = false): void {
    const { env } = this;
    const delayUs = this.checker.onResult(host, checker, result, env.nowUs)?.nextDelayUs;
    if (delayUs !== undefined) this.schedule(host, checker, isFirst ? env.firstDelayUs(delayUs) : delayUs);
  }

  private outcome(host: Host, checker: number): CheckResult {
    const { down, healthCheck, immediateHealthCheckFail } = this.behaviorOf(host);
    const answer = down === 'none' ? healthCheck : down;
    return checkResult((this.configs[checker] as HealthCheck).protocol, answer, immediateHealthCheckFail);
  }

  private behaviorOf(host: Host): Behavior {
    return this.cluster.serverOf(host.index).behavior;
  }

  /** Checks have their own stream: they must not change the draws of requests. */
  private drawWireUs(host: Host): Micros {
    const { networkLatency } = this.behaviorOf(host);
    let wire = this.wires.get(host);
    if (wire?.of !== networkLatency) {
      const name = `check-wire/${this.proxy.name}/${this.cluster.name}/${host.address}`;
      wire = { of: networkLatency, draw: durationSampler(networkLatency, () => this.env.streams.stream(name)) };
      this.wires.set(host, wire);
    }
    return wire.draw();
  }
}
