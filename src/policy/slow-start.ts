import { type Clock, type Runtime, runtimeDouble, type RuntimeDouble } from '../core/environment.js';
import { wholeMillis } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { HostList } from './policy-kinds.js';

export interface SlowStartConfig {
  readonly windowMs: number;
  readonly aggression: RuntimeDouble;
  /** Percent, default 10. */
  readonly minWeightPercent: number;
}

/** Slow start of one balancer: new hosts begin with a part of their weight and grow into it over a window. */
export interface SlowStart {
  readonly config: SlowStartConfig;
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** When the newest host seen so far became healthy; the balancer's own start before that. */
  latestUs: number;
}

/** @returns undefined where slow start is off: no configuration, or a window of 0. */
export const startSlowStart = (
  config: SlowStartConfig | undefined,
  runtime: Runtime,
  clock: Clock,
): SlowStart | undefined =>
  config === undefined || !(config.windowMs > 0) ? undefined : { config, runtime, clock, latestUs: clock.nowUs };

/** Records hosts that are new or changed. One that has never passed a health check starts its window now. */
export function noteHosts(state: SlowStart, hosts: HostList): void {
  const nowUs = state.clock.nowUs;
  for (const host of hosts) {
    if (host.health !== 'healthy') continue;
    const sinceUs = (host.lastHealthCheckPassUs ??= nowUs);
    if (sinceUs > state.latestUs && wholeMillis(nowUs - sinceUs) <= state.config.windowMs) state.latestUs = sinceUs;
  }
}

/** Whether the newest host's window is over, and with it those of all hosts. */
export const noneInSlowStart = (state: SlowStart): boolean =>
  wholeMillis(state.clock.nowUs - state.latestUs) > state.config.windowMs;

/** `weight` · max(f^(1/aggression), minimum), where f is the elapsed part of the window. */
export function slowStartWeight(state: SlowStart, weight: number, host: Host): number {
  if (noneInSlowStart(state)) return weight;
  if (host.lastHealthCheckPassUs === undefined || host.health !== 'healthy') return weight;
  const healthyMs = wholeMillis(state.clock.nowUs - host.lastHealthCheckPassUs);
  if (healthyMs >= state.config.windowMs) return weight;
  return weight * slowStartPart(state.config, state.runtime, healthyMs);
}

/** The part of its weight that counts for a host that has been healthy for `healthyMs`, less than the window. */
export function slowStartPart(config: SlowStartConfig, runtime: Runtime, healthyMs: number): number {
  const passed = Math.max(1, healthyMs) / config.windowMs;
  const wanted = runtimeDouble(runtime, config.aggression);
  const aggression = wanted > 0 ? wanted : 1.0;
  // The proxy does not call `pow` with an exponent of 1; its rounding could change the result.
  const grown = aggression === 1.0 || passed === 1.0 ? passed : Math.pow(passed, 1.0 / aggression);
  return Math.max(grown, config.minWeightPercent / 100.0);
}
