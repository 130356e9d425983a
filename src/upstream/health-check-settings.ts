import { type Runtime, runtimeInteger } from '../core/environment.js';
import { quirksOf } from '../core/quirks.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { draw, drawPercent } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { HealthCheck } from '../settings/cluster-settings.js';

/** What a result did to a host: nothing; a step towards a threshold; or a change that rebuilds the cluster's lists. */
export type Transition = 'UNCHANGED' | 'CHANGE_PENDING' | 'CHANGED';

/** What decides the time until the next check of a host: its state, and whether its cluster ever had traffic. */
type Interval = 'healthy' | 'healthyEdge' | 'unhealthy' | 'unhealthyEdge' | 'noTraffic' | 'noTrafficHealthy';

/**
 * One entry of `health_checks`, and the time between checks, which the proxy keeps in whole milliseconds, cut off.
 * Source: https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/core/v3/health_check.proto
 */
export class HealthCheckSettings {
  readonly timeoutUs: Micros;
  readonly unhealthyThreshold: number;
  readonly healthyThreshold: number;
  /** In whole ms. */
  readonly intervalMs: Readonly<Record<Interval, number>>;
  readonly initialJitterMs: number;
  readonly intervalJitterMs: number;
  readonly intervalJitterPercent: number;
  private readonly namesService: boolean;

  constructor(
    config: HealthCheck,
    version: ProxyVersion,
    private readonly runtime: Runtime,
    private readonly random: Random64,
  ) {
    const noTrafficHealthyUs = quirksOf(version).knowsNoTrafficHealthyInterval
      ? config.noTrafficHealthyIntervalUs
      : config.noTrafficIntervalUs;
    this.timeoutUs = wholeMillis(config.timeoutUs) * MICROS_PER_MILLI;
    this.unhealthyThreshold = config.unhealthyThreshold;
    this.healthyThreshold = config.healthyThreshold;
    this.intervalMs = {
      healthy: wholeMillis(config.intervalUs),
      healthyEdge: wholeMillis(config.healthyEdgeIntervalUs),
      unhealthy: wholeMillis(config.unhealthyIntervalUs),
      unhealthyEdge: wholeMillis(config.unhealthyEdgeIntervalUs),
      noTraffic: wholeMillis(config.noTrafficIntervalUs),
      noTrafficHealthy: wholeMillis(noTrafficHealthyUs),
    };
    this.initialJitterMs = wholeMillis(config.initialJitterUs);
    this.intervalJitterMs = wholeMillis(config.intervalJitterUs);
    this.intervalJitterPercent = config.intervalJitterPercent;
    this.namesService = config.protocol.kind === 'http' && config.protocol.namesService;
  }

  /** Time until the first check of a new host: none, or up to `initial_jitter`, which takes one draw. */
  firstDelayUs(): Micros {
    return this.initialJitterMs === 0 ? 0 : this.delayUs(0, this.initialJitterMs);
  }

  /** One draw for each jitter above 0, first that in percent. @param hasTraffic the cluster ever had connections. */
  nextDelayUs(passed: boolean, transition: Transition, hasTraffic: boolean): Micros {
    const isPending = transition === 'CHANGE_PENDING';
    const state = passed ? (isPending ? 'healthyEdge' : 'healthy') : isPending ? 'unhealthyEdge' : 'unhealthy';
    const withoutTraffic = state === 'healthy' ? 'noTrafficHealthy' : 'noTraffic';
    return this.delayUs(this.intervalMs[hasTraffic ? state : withoutTraffic], this.intervalJitterMs);
  }

  /** Whether a passed check also compares the service's name. One draw where the runtime allows only some checks to. */
  verifiesService(): boolean {
    if (!this.namesService) return false;
    return drawPercent(this.random, runtimeInteger(this.runtime, 'health_check.verify_cluster', 100));
  }

  private delayUs(baseMs: number, jitterMs: number): Micros {
    const { runtime, random } = this;
    let delayMs = baseMs;
    const percentMs = Math.floor((this.intervalJitterPercent * baseMs) / 100);
    if (percentMs > 0) delayMs += draw(random, percentMs);
    if (jitterMs > 0) delayMs += draw(random, jitterMs);
    delayMs = Math.min(delayMs, runtimeInteger(runtime, 'health_check.max_interval', Infinity));
    delayMs = Math.max(delayMs, runtimeInteger(runtime, 'health_check.min_interval', 0));
    // Never 0: virtual time would not advance.
    return Math.max(1, delayMs) * MICROS_PER_MILLI;
  }
}
