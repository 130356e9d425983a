import type { Runtime } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { HealthCheckStats } from '../core/generated/counts.js';
import type { Host } from '../host/host.js';
import { durationSampler, type DurationSampler } from '../random/samplers.js';
import { type Behavior, seenFrom } from '../settings/behavior.js';
import type { HealthCheck } from '../settings/cluster-settings.js';
import { type ProxySpec, zoneOf } from '../settings/world.js';
import type { CheckResult, HealthCheckEvents } from '../upstream/health-checker.js';
import { checkResult, HealthChecker } from '../upstream/health-checker.js';
import { ipOf, withPort } from '../core/ip.js';
import { selectableHost } from '../settings/selector.js';
import type { ClusterWorld, Environment } from './environment.js';
import type { Server } from './servers/server.js';
import { EventKind } from './timers.js';

/**
 * A check takes one round trip on the wire and no time at the host. At time 0 every host has had one result of each
 * checker, which took no time; the next checks come one interval later. At the birth of a proxy its first checks begin then.
 */
export class HealthChecks {
  private readonly checker: HealthChecker;
  private readonly configs: readonly HealthCheck[] = this.cluster.settings.healthChecks;
  /** First results that the start of the proxy waits for. */
  awaited = 0;
  private readonly wires = new Map<Host, { readonly of: Behavior['networkLatency']; readonly draw: DurationSampler }>();

  /** @param events called with results; `hasTraffic`: the cluster ever had an upstream connection. */
  constructor(
    private readonly env: Environment,
    private readonly proxy: { readonly name: string; readonly spec: ProxySpec; readonly runtime: Runtime },
    private readonly cluster: ClusterWorld,
    readonly stats: HealthCheckStats,
    private readonly events: HealthCheckEvents & { readonly hasTraffic: boolean; firstChecksDone(): void },
  ) {
    const random = env.streams.stream(`health-checks/${proxy.name}/${cluster.name}`);
    const { spec, runtime } = proxy;
    const hasTraffic = (): boolean => events.hasTraffic;
    this.checker = new HealthChecker(this.configs, spec.version, runtime, random, stats, hasTraffic, events);
  }

  /** @param starting the cluster initialises: results come at once, unless the proxy is seen to wait for them. */
  hostsAdded(hosts: readonly Host[], starting: boolean): void {
    const firstDone = (): void => {
      if (--this.awaited === 0) this.events.firstChecksDone();
    };
    const isBirth = starting && this.proxy.spec.at === 'birth' && this.env.nowUs === 0;
    for (const host of hosts) {
      if (host.healthCheckPort === 'none') continue;
      for (const [checker, delayUs] of this.checker.addHost(host).entries()) {
        if (isBirth) this.awaited++;
        if (isBirth) this.schedule(host, checker, delayUs, firstDone);
        else if (!starting) this.schedule(host, checker, delayUs);
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

  private schedule(host: Host, checker: number, delayUs: Micros, done?: () => void): void {
    this.env.timers.at(this.env.nowUs + Math.floor(delayUs), () => this.check(host, checker, done));
  }

  /** @param done called once there is a result, or the host is gone. */
  private check(host: Host, checker: number, done?: () => void): void {
    const { env } = this;
    if (!this.checker.beginCheck(host)) {
      done?.();
      return;
    }
    env.onCheck?.({ tUs: env.nowUs, host: host.address });
    const result = this.outcome(host, checker);
    const timeoutUs = this.checker.timeoutUs(checker);
    const takesUs = result === 'timeout' ? timeoutUs : result === 'network' ? 0 : this.drawWireUs(host);
    const late = takesUs > timeoutUs;
    env.timers.at(
      env.nowUs + Math.floor(Math.min(takesUs, timeoutUs)),
      () => {
        this.end(host, checker, late ? 'timeout' : result);
        done?.();
      },
      EventKind.healthResult,
    );
  }

  private end(host: Host, checker: number, result: CheckResult, isFirst = false): void {
    const { env } = this;
    const delayUs = this.checker.onResult(host, checker, result, env.nowUs)?.nextDelayUs;
    if (delayUs !== undefined) this.schedule(host, checker, isFirst ? env.firstDelayUs(delayUs) : delayUs);
  }

  private outcome(host: Host, checker: number): CheckResult {
    const { down, healthCheck, immediateHealthCheckFail } = this.checkedAt(host)?.behavior ?? this.behaviorOf(host);
    const answer = down === 'none' ? healthCheck : down;
    return checkResult((this.configs[checker] as HealthCheck).protocol, answer, immediateHealthCheckFail);
  }

  private checkedAt(host: Host): Server | undefined {
    const { healthCheckPort: port } = host;
    if (typeof port !== 'number') return undefined;
    const there = selectableHost(host, this.cluster.name, 0);
    return this.env.servers.checkedAt({ ...there, address: withPort(ipOf(host.address), port) });
  }

  private behaviorOf(host: Host): Behavior {
    return this.cluster.serverOf(host.index).behavior;
  }

  /** Checks have their own stream: they must not change the draws of requests. */
  private drawWireUs(host: Host): Micros {
    const { networkLatency } = seenFrom(this.behaviorOf(host), zoneOf(this.proxy.spec), host.locality.zone);
    let wire = this.wires.get(host);
    if (wire?.of !== networkLatency) {
      const name = `check-wire/${this.proxy.name}/${this.cluster.name}/${host.address}`;
      wire = { of: networkLatency, draw: durationSampler(networkLatency, () => this.env.streams.stream(name)) };
      this.wires.set(host, wire);
    }
    return wire.draw();
  }
}
