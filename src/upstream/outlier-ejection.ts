import { quirksOf } from '../core/quirks.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { HostMonitor } from './outlier-monitor.js';
import type { OutlierSettings } from './outlier-settings.js';

/**
 * Whether `max_ejection_percent` lets one more host be ejected.
 *
 * The v2 era checks whether the hosts ejected so far are below the limit, so the first ejection is always allowed and the
 * last one may exceed it. The modern proxy checks whether the limit holds afterwards: at the default of 10 %, a cluster of
 * fewer than 10 hosts ejects none unless `always_eject_one_host` is set.
 *
 * @param active hosts that are ejected now.
 * @param hosts  hosts of the cluster, all priorities together.
 */
export function mayEject(active: number, hosts: number, settings: OutlierSettings, version: ProxyVersion): boolean {
  const limit = settings.maxEjectionPercent;
  if (!quirksOf(version).ejectionsStayWithinLimit) return (100 * active) / hosts < limit;
  return (100 * (active + 1)) / hosts <= limit || (settings.alwaysEjectOneHost && active === 0);
}

/** What the least time of an ejection is made of. */
export interface EjectionTime {
  readonly baseUs: Micros;
  /** What the base time is multiplied with. */
  readonly factor: number;
  /** What limits the product; undefined: it stays below, or nothing does. */
  readonly limitUs: Micros | undefined;
  readonly jitterUs: Micros;
  readonly leastUs: Micros;
}

/**
 * How long the ejection under way lasts at least; it ends with the first sweep after that.
 *
 * Up to 1.16 the base time is multiplied by the number of ejections in the host's lifetime, without a limit. 1.17
 * multiplies by a factor that also shrinks, and limits the time; the modern proxy adds a jitter.
 */
export function ejectionTime(monitor: HostMonitor, settings: OutlierSettings, version: ProxyVersion): EjectionTime {
  const baseUs = settings.timeUs('base_ejection_time');
  const { ejections, backoff, jitterUs } = monitor;
  if (!quirksOf(version).limitsEjectionTime) {
    return { baseUs, factor: ejections, limitUs: undefined, jitterUs: 0, leastUs: baseUs * ejections };
  }
  const maxEjectionTimeUs = settings.timeUs('max_ejection_time');
  const limitUs = baseUs * backoff > maxEjectionTimeUs ? maxEjectionTimeUs : undefined;
  return { baseUs, factor: backoff, limitUs, jitterUs, leastUs: (limitUs ?? baseUs * backoff) + jitterUs };
}

/** Once per ejection. Stops at the first factor that exceeds the maximum time by a whole base time. */
export function growBackoff(monitor: HostMonitor, settings: OutlierSettings): void {
  const baseUs = settings.timeUs('base_ejection_time');
  if (monitor.backoff * baseUs < settings.timeUs('max_ejection_time') + baseUs) monitor.backoff++;
}

/** Once per sweep that finds the host not ejected. */
export function shrinkBackoff(monitor: HostMonitor): void {
  if (monitor.backoff > 0) monitor.backoff--;
}
