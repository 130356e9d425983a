import { defaultOf } from '../config/defaults.js';
import type { HealthCheck } from '../config/health-check.js';
import type { Runtime } from '../core/environment.js';
import { runtimeInteger } from '../core/environment.js';
import { quirksOf } from '../core/quirks.js';
import { mod } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { Random64 } from '../random/random64.js';

/**
 * What a result did to a host: nothing; a step towards a threshold that is not reached yet; or a change that rebuilds the
 * lists of the cluster.
 */
export type Transition = 'UNCHANGED' | 'CHANGE_PENDING' | 'CHANGED';

const DEFAULT_NO_TRAFFIC_INTERVAL_MS = defaultOf('core.HealthCheck', 'no_traffic_interval') / MICROS_PER_MILLI;

/**
 * One entry of `health_checks` with the proxy's defaults, and the time between checks that follows from it.
 *
 * The proxy keeps these durations in whole milliseconds and cuts off the rest.
 *
 * Source: https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/core/v3/health_check.proto
 */
export class HealthCheckSettings {
  readonly timeoutUs: Micros;
  readonly unhealthyThreshold: number;
  readonly healthyThreshold: number;
  readonly intervalMs: number;
  readonly unhealthyIntervalMs: number;
  readonly unhealthyEdgeIntervalMs: number;
  readonly healthyEdgeIntervalMs: number;
  readonly noTrafficIntervalMs: number;
  readonly noTrafficHealthyIntervalMs: number;
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
    this.timeoutUs = milliseconds(config.timeout, 0) * MICROS_PER_MILLI;
    this.unhealthyThreshold = config.unhealthyThreshold;
    this.healthyThreshold = config.healthyThreshold;
    this.intervalMs = milliseconds(config.interval, 0);
    this.unhealthyIntervalMs = milliseconds(config.unhealthyInterval, this.intervalMs);
    this.unhealthyEdgeIntervalMs = milliseconds(config.unhealthyEdgeInterval, this.unhealthyIntervalMs);
    this.healthyEdgeIntervalMs = milliseconds(config.healthyEdgeInterval, this.intervalMs);
    this.noTrafficIntervalMs = milliseconds(config.noTrafficInterval, DEFAULT_NO_TRAFFIC_INTERVAL_MS);
    const noTrafficHealthy = quirksOf(version).knowsNoTrafficHealthyInterval
      ? config.noTrafficHealthyInterval
      : undefined;
    this.noTrafficHealthyIntervalMs = milliseconds(noTrafficHealthy, this.noTrafficIntervalMs);
    this.initialJitterMs = milliseconds(config.initialJitter, 0);
    this.intervalJitterMs = milliseconds(config.intervalJitter, 0);
    this.intervalJitterPercent = config.intervalJitterPercent;
    const http = config.httpHealthCheck;
    this.namesService = http !== undefined && (http.serviceName !== '' || http.serviceNameMatcher !== undefined);
  }

  /** Time until the first check of a new host: none, or up to `initial_jitter`, which takes one draw. */
  firstDelayUs(): Micros {
    return this.initialJitterMs === 0 ? 0 : this.delayUs(0, this.initialJitterMs);
  }

  /**
   * Time until the next check. Takes a draw for each jitter that is not zero: first that in percent, then the other.
   *
   * @param passed     the host passed the check.
   * @param hasTraffic the cluster ever had an upstream connection.
   */
  nextDelayUs(passed: boolean, transition: Transition, hasTraffic: boolean): Micros {
    return this.delayUs(this.baseMs(passed, transition === 'CHANGE_PENDING', hasTraffic), this.intervalJitterMs);
  }

  /**
   * Whether a check that passed also compares the name of the service, which costs a draw where the runtime allows it
   * to some checks only.
   */
  verifiesService(): boolean {
    if (!this.namesService) return false;
    const percent = runtimeInteger(this.runtime, 'health_check.verify_cluster', 100);
    if (percent === 0 || percent >= 100) return percent !== 0;
    this.random.next();
    return mod(this.random.hi, this.random.lo, 100) < percent;
  }

  private baseMs(passed: boolean, pending: boolean, hasTraffic: boolean): number {
    if (!hasTraffic) return passed && !pending ? this.noTrafficHealthyIntervalMs : this.noTrafficIntervalMs;
    if (passed) return pending ? this.healthyEdgeIntervalMs : this.intervalMs;
    return pending ? this.unhealthyEdgeIntervalMs : this.unhealthyIntervalMs;
  }

  private delayUs(baseMs: number, jitterMs: number): Micros {
    const { runtime, random } = this;
    let delayMs = baseMs;
    const percentMs = Math.floor((this.intervalJitterPercent * baseMs) / 100);
    if (percentMs > 0) {
      random.next();
      delayMs += mod(random.hi, random.lo, percentMs);
    }
    if (jitterMs > 0) {
      random.next();
      delayMs += mod(random.hi, random.lo, jitterMs);
    }
    delayMs = Math.min(delayMs, runtimeInteger(runtime, 'health_check.max_interval', Infinity));
    delayMs = Math.max(delayMs, runtimeInteger(runtime, 'health_check.min_interval', 0));
    // Never 0: virtual time would not advance.
    return Math.max(1, delayMs) * MICROS_PER_MILLI;
  }
}

function milliseconds(configuredUs: Micros | undefined, otherwiseMs: number): number {
  return configuredUs === undefined ? otherwiseMs : Math.floor(configuredUs / MICROS_PER_MILLI);
}
