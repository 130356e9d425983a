import type { ClusterKind } from '../config/discovery.js';
import type { HealthCheck } from '../config/types.js';
import { EventKind } from '../core/event-queue.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import { HealthFlag } from '../host/host.js';
import type { DurationSampler } from '../random/distributions.js';
import { durationSampler } from '../random/distributions.js';
import type { Behavior } from '../scenario/model.js';
import type { CheckResult } from '../upstream/health-check-result.js';
import { checkResult } from '../upstream/health-check-result.js';
import type { HealthCheckStats } from '../upstream/health-check-stats.js';
import { HealthChecker } from '../upstream/health-checker.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import type { World } from './world.js';

export interface HealthCheckEvents {
  /** The flags of a host changed: its lists have to be made and announced anew. */
  readonly changed: (host: Host, why: string) => void;
  /** See the checker's own event. */
  readonly excluding: () => void;
  /** A check passed. */
  readonly passed: (host: Host) => void;
  /** The cluster has sent something, so checks come at the pace of traffic. */
  readonly hasTraffic: () => boolean;
}

/**
 * Active health checking of one cluster in one proxy: sends the checks, and has the checker judge how they end.
 *
 * A check takes one round trip on the wire and no time at the host. At time 0 every host has had one result of each
 * checker, which took no time; the next checks come one interval later.
 */
export class HealthChecks {
  private readonly checker: HealthChecker;
  private readonly wires = new Map<Host, { readonly of: Behavior['networkLatency']; readonly draw: DurationSampler }>();

  constructor(
    private readonly world: World,
    private readonly proxy: Proxy,
    private readonly cluster: ClusterWorld,
    private readonly configs: readonly HealthCheck[],
    readonly stats: HealthCheckStats,
    events: HealthCheckEvents,
  ) {
    const random = world.streams.stream(`health-checks/${proxy.name}/${cluster.name}`);
    this.checker = new HealthChecker(configs, proxy.spec.version, proxy.runtime, random, stats, events.hasTraffic, {
      checked: (host, changed, passed) => {
        if (changed) {
          const text = `${host.address} ${checkedText(host, passed, cluster.type)}`;
          const why = `${passed ? 'passed' : 'failed'} checks`;
          world.noticed(proxy, cluster, host, why);
          world.log({ kind: 'health_check', cluster: cluster.name, proxy: proxy.name, host: host.address, text });
          events.changed(host, text);
        }
        if (passed) events.passed(host);
      },
      excluding: events.excluding,
    });
  }

  /** @param starting the cluster initialises: results come at once, as if they had been waited for. */
  hostsAdded(hosts: readonly Host[], starting: boolean): void {
    for (const host of hosts) {
      for (const [checker, delayUs] of this.checker.addHost(host).entries()) {
        if (starting) this.checkAtOnce(host, checker);
        else this.schedule(host, checker, delayUs);
      }
    }
  }

  hostsRemoved(hosts: readonly Host[]): void {
    for (const host of hosts) {
      this.checker.removeHost(host);
      this.wires.delete(host);
    }
  }

  /** An answer to a request carried the header that fails its host at once. */
  failedByAnswer(host: Host): void {
    this.checker.onPassiveFailure(host, true, this.world.nowUs);
  }

  private schedule(host: Host, checker: number, delayUs: Micros): void {
    this.world.timers.at(this.world.nowUs + Math.floor(delayUs), () => this.check(host, checker));
  }

  private checkAtOnce(host: Host, checker: number): void {
    if (!this.checker.beginCheck(host)) return;
    const outcome = this.checker.onResult(host, checker, this.outcome(host, checker), this.world.nowUs);
    if (outcome?.nextDelayUs !== undefined) {
      this.schedule(host, checker, this.world.firstDelayUs(outcome.nextDelayUs));
    }
  }

  private check(host: Host, checker: number): void {
    const { world } = this;
    if (!this.checker.beginCheck(host)) return;
    const result = this.outcome(host, checker);
    const timeoutUs = this.checker.timeoutUs(checker);
    const takesUs = result === 'timeout' ? timeoutUs : result === 'network' ? 0 : this.drawWireUs(host);
    const late = takesUs > timeoutUs;
    world.timers.at(
      world.nowUs + Math.floor(Math.min(takesUs, timeoutUs)),
      () => this.end(host, checker, late ? 'timeout' : result),
      EventKind.healthResult,
    );
  }

  private end(host: Host, checker: number, result: CheckResult): void {
    const outcome = this.checker.onResult(host, checker, result, this.world.nowUs);
    if (outcome?.nextDelayUs !== undefined) this.schedule(host, checker, outcome.nextDelayUs);
  }

  private outcome(host: Host, checker: number): CheckResult {
    const { down, healthCheck, immediateHealthCheckFail } = this.behaviorOf(host);
    const answer = down === 'none' ? healthCheck : down;
    return checkResult(this.configs[checker] as HealthCheck, answer, immediateHealthCheckFail);
  }

  private behaviorOf(host: Host): Behavior {
    return this.world.servers.at(this.cluster.serverOfRow(host.index)).behavior;
  }

  /** Checks have a stream of their own: they must not change what requests meet. */
  private drawWireUs(host: Host): Micros {
    const { networkLatency } = this.behaviorOf(host);
    let wire = this.wires.get(host);
    if (wire?.of !== networkLatency) {
      const name = `check-wire/${this.proxy.name}/${this.cluster.name}/${host.address}`;
      wire = { of: networkLatency, draw: durationSampler(networkLatency, () => this.world.streams.stream(name)) };
      this.wires.set(host, wire);
    }
    return wire.draw();
  }
}

function checkedText(host: Host, passed: boolean, type: ClusterKind): string {
  if (passed) return `${host.health}: passed checks`;
  const dropped = (host.flags & HealthFlag.PENDING_DYNAMIC_REMOVAL) !== 0;
  if (!dropped) return `${host.health}: failed checks`;
  return type === 'STRICT_DNS'
    ? `${host.health}: failed checks, and leaves with the next answer`
    : 'leaves: failed checks, and discovery dropped it before';
}
