import { type Runtime, runtimeInteger } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { type Micros, MICROS_PER_MILLI } from '../core/units.js';
import * as clusterSettings from '../settings/cluster-settings.js';
import type { OutlierCause } from './cause.js';

/** Runtime keys, worked out once, so that no cluster and no answer of a request does. */
const KEYS = Object.fromEntries([
  ...clusterSettings.OUTLIER_TIMES.map((name) => [name, `outlier_detection.${name}_ms`]),
  ...clusterSettings.OUTLIER_NUMBERS.map((name) => [name, `outlier_detection.${name}`]),
]) as Readonly<Record<clusterSettings.OutlierSetting, string>>;

/**
 * `outlier_detection` of one cluster. Every number is read at each use, since the runtime key
 * `outlier_detection.<name>` (with `_ms` for times) overrides it for all clusters of a proxy at once; the three switches
 * have no such key.
 */
export class OutlierSettings {
  constructor(
    readonly config: clusterSettings.OutlierDetection,
    private readonly runtime: Runtime,
  ) {}

  /** A setting as it is now; times in whole ms. */
  now(name: clusterSettings.OutlierSetting): number {
    return runtimeInteger(this.runtime, KEYS[name], this.config.numbers[name]);
  }

  timeUs(name: clusterSettings.OutlierTime): Micros {
    return this.now(name) * MICROS_PER_MILLI;
  }

  /** Time between sweeps; at least 1 ms, for a timer of 0 would never let virtual time go on. */
  get intervalUs(): Micros {
    return Math.max(MICROS_PER_MILLI, this.timeUs('interval'));
  }

  get maxEjectionPercent(): number {
    return Math.min(100, this.now('max_ejection_percent'));
  }

  /**
   * Whether `max_ejection_percent` lets one more host be ejected. The v2 era checks whether the hosts ejected so far
   * are below the limit, so the first ejection is always allowed and the last one may exceed it. The modern proxy
   * checks whether the limit holds afterwards: at the default of 10 %, a cluster of fewer than 10 hosts ejects none
   * unless `always_eject_one_host` is set. @param hosts of the cluster, all priorities together.
   */
  mayEject(active: number, hosts: number, version: ProxyVersion): boolean {
    const limit = this.maxEjectionPercent;
    if (!quirksOf(version).ejectionsStayWithinLimit) return (100 * active) / hosts < limit;
    return (100 * (active + 1)) / hosts <= limit || (this.config.alwaysEjectOneHost && active === 0);
  }

  mayBeOut(hosts: number, version: ProxyVersion): number {
    let out = 0;
    while (out < hosts && this.mayEject(out, hosts, version)) out++;
    return out;
  }

  /** Chance in percent that a detection of this kind ejects. */
  enforcingPercent(cause: OutlierCause): number {
    return this.now(
      cause === 'local_origin_failure_percentage' ? 'enforcing_failure_percentage_local_origin' : `enforcing_${cause}`,
    );
  }
}
