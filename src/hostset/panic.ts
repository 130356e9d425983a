import { type Runtime, runtimeInteger } from '../core/environment.js';
import type { HealthLists } from './host-set.js';
import { wholePercent } from './percent.js';

/** The panic threshold in force now: the runtime's value or the configured percentage, as an integer up to 100. */
export function panicThreshold(runtime: Runtime, healthyPanicThreshold: number): number {
  return Math.min(
    100,
    runtimeInteger(runtime, 'upstream.healthy_panic_threshold', wholePercent(healthyPanicThreshold)),
  );
}

/**
 * Percent of the hosts, excluded ones not counted, that are healthy or degraded; 0 where no host is counted. Weights never
 * matter here.
 */
export function availablePercent(hostSet: HealthLists): number {
  const counted = hostSet.hosts.length - hostSet.excluded.length;
  if (counted === 0) return 0;
  return (100.0 * hostSet.healthy.length) / counted + (100.0 * hostSet.degraded.length) / counted;
}

/** Whether so few hosts of the level are available that the proxy stops trusting their health. Strict: 50 % is not below 50. */
export function isBelowPanicThreshold(hostSet: HealthLists, threshold: number): boolean {
  return availablePercent(hostSet) < threshold;
}
