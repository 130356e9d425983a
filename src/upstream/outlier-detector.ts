import type { Runtime } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { type Micros, MICROS_PER_MILLI } from '../core/units.js';
import { sum } from '../core/values.js';
import { HealthFlag, type Host } from '../host/host.js';
import { draw, drawPercent } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { OutlierDetection } from '../settings/cluster-settings.js';
import { type StatValues, writeCounts } from '../stats/store.js';
import * as causes from './cause.js';
import { type EjectionTime, HostMonitor } from './outlier-monitor.js';
import { OutlierSettings } from './outlier-settings.js';

/** Success rates of a cluster's hosts in the last interval. */
export interface ClusterSuccessRate {
  /** Mean success rate in percent; −1 where it was not computed, as the proxy shows it. */
  readonly mean: number;
  /** Hosts strictly below this percentage are outliers; −1 where it was not computed. */
  readonly threshold: number;
}

export const NOT_COMPUTED: ClusterSuccessRate = { mean: -1, threshold: -1 };

/**
 * The success rate below which a host is an outlier: this many standard deviations (of the population) under the mean.
 * Rates of 50, 100, 100, 100 and 100 % with a factor of 1.9: mean 90, deviation 20, threshold 52.
 * @param rates percentages of the hosts that had enough requests, at least one.
 */
export function clusterSuccessRate(rates: readonly number[], stdevFactor: number): ClusterSuccessRate {
  const mean = sum(rates) / rates.length;
  const squares = sum(rates.map((rate) => (rate - mean) * (rate - mean)));
  return { mean, threshold: mean - stdevFactor * Math.sqrt(squares / rates.length) };
}

/** Called as soon as a host's flag changes: the proxy rebuilds and announces host sets before it looks at the next. */
export interface OutlierEvents {
  ejected(host: Host, cause: causes.OutlierCause): void;
  unejected(host: Host, cause: causes.UnejectionCause): void;
}

/** Detections by runs of errors, in the order in which the proxy handles them, and what counts each run. */
const RUNS = [
  ['consecutive_gateway_failure', 'consecutiveGatewayFailure'],
  ['consecutive_5xx', 'consecutive5xx'],
  ['consecutive_local_origin_failure', 'consecutiveLocalOriginFailure'],
] as const satisfies readonly (readonly [causes.ConsecutiveCause, keyof typeof causes.Detection])[];

/**
 * Reporting and acting are two steps, as in the proxy, where worker threads count and only the main thread ejects. A report
 * that completes a run of errors returns a detection; pass it to {@link handleDetections} when the main thread gets to it.
 * Answers in between still count towards the run, and are reset with it.
 * Time is an argument: call {@link sweep} every {@link intervalUs}. Hosts are judged in the order in which they were added
 * (the proxy's own order is that of a hash table), which decides who is ejected where the limit allows only some.
 * Draws: one for a detection whose enforcing percentage is neither 0 nor 100, then (modern) one for each ejection.
 * Source: https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier
 */
export class OutlierDetector {
  private readonly settings: OutlierSettings;
  private readonly monitors = new Map<Host, HostMonitor>();
  readonly clusterRates: Record<causes.ErrorOrigin, ClusterSuccessRate> = {
    external: NOT_COMPUTED,
    local: NOT_COMPUTED,
  };
  private active = 0;

  /** @param stats may outlive the detector, for the statistics of a cluster survive its replacement. */
  constructor(
    config: OutlierDetection,
    private readonly version: ProxyVersion,
    runtime: Runtime,
    /** Asked for with each draw: most detectors never draw. */
    private readonly random: () => Random64,
    private readonly stats: causes.OutlierStats,
    private readonly events: OutlierEvents,
  ) {
    this.settings = new OutlierSettings(config, runtime);
  }

  /** Time until the next sweep, read live: the proxy asks for it each time it arms the timer. */
  get intervalUs(): Micros {
    return this.settings.intervalUs;
  }

  /** After how many errors in a row a host is detected, read live. */
  get runLimits(): Readonly<Record<causes.ConsecutiveCause, number>> {
    const { settings } = this;
    return {
      consecutive_5xx: settings.now('consecutive_5xx'),
      consecutive_gateway_failure: settings.now('consecutive_gateway_failure'),
      consecutive_local_origin_failure: settings.now('consecutive_local_origin_failure'),
    };
  }

  /** Which part of the hosts may be out, read live. */
  get maxEjectionPercent(): number {
    return this.settings.maxEjectionPercent;
  }

  get hosts(): number {
    return this.monitors.size;
  }

  get mayBeOut(): number {
    return this.settings.mayBeOut(this.hosts, this.version);
  }

  /** Watches a host from now on. A host that is watched already stays as it is. */
  addHost(host: Host): void {
    if (!this.monitors.has(host)) this.monitors.set(host, new HostMonitor(host));
  }

  /** A host that left the cluster, not only its priority. Pending detections have no effect; an ejection ends without an event. */
  removeHost(host: Host): void {
    const monitor = this.monitors.get(host);
    if (monitor === undefined) return;
    this.monitors.delete(host);
    if (monitor.ejected) this.clearFlag(monitor);
  }

  /** @returns what is remembered of a host, for reports; undefined where it is not watched. */
  monitor(host: Host): Readonly<HostMonitor> | undefined {
    return this.monitors.get(host);
  }

  /** That of its last ejection; undefined where it was never ejected. */
  ejectionTime(host: Host): EjectionTime | undefined {
    const monitor = this.monitors.get(host);
    if (monitor === undefined || monitor.ejections === 0) return undefined;
    return monitor.ejectionTime(this.settings, this.version);
  }

  // --- what workers report ------------------------------------------------------------------------------------------

  /** An HTTP answer. Called for each one: allocates nothing. */
  reportStatus(host: Host, status: number): causes.Detections {
    const monitor = this.monitors.get(host);
    return monitor === undefined ? causes.Detection.none : monitor.countStatus(status, this.settings);
  }

  /**
   * An event other than an answer. @param status of the answer that the proxy gives in place of the host's (504 for a
   * timeout): it counts where local errors are not split off, and is not looked at where they are.
   */
  reportEvent(host: Host, event: causes.OriginEvent, status?: number): causes.Detections {
    const monitor = this.monitors.get(host);
    return monitor === undefined ? causes.Detection.none : monitor.countEvent(event, status, this.settings);
  }

  // --- what the main thread does ------------------------------------------------------------------------------------

  handleDetections(host: Host, detections: causes.Detections, nowUs: Micros): void {
    const monitor = this.monitors.get(host);
    if (monitor === undefined) return;
    for (const [cause, run] of RUNS) {
      if ((detections & causes.Detection[run]) === 0 || monitor.ejected) continue;
      // The run counts, ejection or not, and starts again.
      this.detect(monitor, cause, nowUs);
      if (cause === 'consecutive_5xx') this.stats.ejectionsConsecutive5xx++;
      monitor[run] = 0;
    }
  }

  /** The interval is over: ends ejections, then judges the hosts by the interval's success rates. */
  sweep(nowUs: Micros): void {
    const { backoffShrinksEverySweep } = quirksOf(this.version);
    for (const monitor of this.monitors.values()) {
      if (monitor.ejected) {
        const { leastUs } = monitor.ejectionTime(this.settings, this.version);
        if (leastUs <= nowUs - monitor.ejectedAtUs) this.uneject(monitor, 'ejection_time_over', nowUs);
      } else if (backoffShrinksEverySweep) monitor.shrinkBackoff();
      monitor.external.startInterval();
      monitor.local.startInterval();
    }
    this.judge('external', nowUs);
    this.judge('local', nowUs);
    if (backoffShrinksEverySweep) return;
    // Modern: one step for each sweep that comes at least an interval after the host returned.
    for (const monitor of this.monitors.values()) {
      const { ejected, unejectedAtUs = Infinity } = monitor;
      if (!ejected && nowUs - unejectedAtUs >= this.intervalUs) monitor.shrinkBackoff();
    }
  }

  /** An active health check that passes ends an ejection at once (modern, unless switched off). */
  activeHealthCheckSucceeded(host: Host, nowUs: Micros): void {
    if (!quirksOf(this.version).passedCheckEndsEjection || !this.settings.config.successfulActiveHealthCheckUnejectHost)
      return;
    const monitor = this.monitors.get(host);
    if (monitor === undefined || !monitor.ejected || (host.flags & HealthFlag.FAILED_ACTIVE_HC) !== 0) return;
    this.uneject(monitor, 'active_health_check', nowUs);
  }

  private judge(origin: causes.ErrorOrigin, nowUs: Micros): void {
    const { settings } = this;
    const successRateVolume = settings.now('success_rate_request_volume');
    const failurePercentageVolume = settings.now('failure_percentage_request_volume');
    const ofSuccessRate: HostMonitor[] = [];
    const ofFailurePercentage: HostMonitor[] = [];
    for (const monitor of this.monitors.values()) {
      const window = monitor[origin];
      if (monitor.ejected || window.volume === 0) continue;
      if (window.volume >= successRateVolume) ofSuccessRate.push(monitor);
      if (window.volume >= failurePercentageVolume) ofFailurePercentage.push(monitor);
    }
    const enoughForSuccessRate = this.monitors.size >= settings.now('success_rate_minimum_hosts');
    const enoughForFailurePercentage = this.monitors.size >= settings.now('failure_percentage_minimum_hosts');
    if (enoughForSuccessRate || enoughForFailurePercentage) {
      const shown = successRateVolume < failurePercentageVolume ? ofSuccessRate : ofFailurePercentage;
      for (const monitor of shown) monitor[origin].successRate = monitor[origin].rate;
    }
    this.judgeSuccessRates(origin, ofSuccessRate, nowUs);
    this.judgeFailurePercentages(origin, ofFailurePercentage, nowUs);
  }

  private judgeSuccessRates(origin: causes.ErrorOrigin, monitors: readonly HostMonitor[], nowUs: Micros): void {
    this.clusterRates[origin] = NOT_COMPUTED;
    if (monitors.length === 0 || monitors.length < this.settings.now('success_rate_minimum_hosts')) return;
    const rates = monitors.map((monitor) => monitor[origin].rate);
    const clusterRate = clusterSuccessRate(rates, this.settings.now('success_rate_stdev_factor') / 1000);
    this.clusterRates[origin] = clusterRate;
    for (const monitor of monitors) {
      if (monitor[origin].rate >= clusterRate.threshold) continue;
      this.stats.ejectionsSuccessRate++;
      this.detect(monitor, origin === 'external' ? 'success_rate' : 'local_origin_success_rate', nowUs);
    }
  }

  private judgeFailurePercentages(origin: causes.ErrorOrigin, monitors: readonly HostMonitor[], nowUs: Micros): void {
    if (monitors.length === 0 || monitors.length < this.settings.now('failure_percentage_minimum_hosts')) return;
    const threshold = this.settings.now('failure_percentage_threshold');
    for (const monitor of monitors) {
      if (100 - monitor[origin].rate < threshold) continue;
      this.detect(monitor, origin === 'external' ? 'failure_percentage' : 'local_origin_failure_percentage', nowUs);
    }
  }

  /** Counts a detection and ejects the host if the limit, the enforcing percentage and its state allow it. */
  private detect(monitor: HostMonitor, cause: causes.OutlierCause, nowUs: Micros): void {
    const { stats } = this;
    stats.detected[cause]++;
    if (!this.settings.mayEject(this.active, this.hosts, this.version)) {
      stats.ejectionsOverflow++;
      return;
    }
    if (cause === 'consecutive_5xx' || cause === 'success_rate') stats.ejectionsTotal++;
    // Two detectors may find the same host in one sweep; it can be ejected only once.
    if (!drawPercent(this.random(), this.settings.enforcingPercent(cause)) || monitor.ejected) return;
    stats.ejectionsEnforcedTotal++;
    stats.enforced[cause]++;
    monitor.host.flags |= HealthFlag.FAILED_OUTLIER_CHECK;
    this.active++;
    stats.ejectionsActive++;
    monitor.ejections++;
    monitor.ejectedAtUs = nowUs;
    monitor.jitterUs = this.drawJitterUs();
    monitor.growBackoff(this.settings);
    this.events.ejected(monitor.host, cause);
  }

  /** Modern: drawn even where there is none, as the proxy does. */
  private drawJitterUs(): Micros {
    if (!quirksOf(this.version).jittersEjections) return 0;
    return draw(this.random(), this.settings.now('max_ejection_time_jitter') + 1) * MICROS_PER_MILLI;
  }

  private uneject(monitor: HostMonitor, cause: causes.UnejectionCause, nowUs: Micros): void {
    this.clearFlag(monitor);
    monitor.consecutive5xx = 0;
    monitor.consecutiveGatewayFailure = 0;
    // The v2 era forgets this one: failures while the host was out carry the run past the limit, and nothing is
    // detected until a success ends it (https://github.com/envoyproxy/envoy/issues/18950).
    if (quirksOf(this.version).returnEndsLocalFailures) monitor.consecutiveLocalOriginFailure = 0;
    monitor.unejectedAtUs = nowUs;
    this.events.unejected(monitor.host, cause);
  }

  private clearFlag(monitor: HostMonitor): void {
    monitor.host.flags &= ~HealthFlag.FAILED_OUTLIER_CHECK;
    this.active--;
    this.stats.ejectionsActive--;
  }
}

export function writeOutlierStats(
  into: StatValues,
  version: ProxyVersion,
  { ejectionsActive, detected, enforced, ...counters }: causes.OutlierStats,
): void {
  const prefix = 'outlier_detection.';
  // A detector that the schema cannot switch on.
  if (quirksOf(version).countsDegradation) into.counters[`${prefix}ejections_detected_degradation`] = 0;
  writeCounts(into.gauges, { ejectionsActive }, prefix);
  writeCounts(into.counters, counters, prefix);
  for (const cause of causes.OUTLIER_CAUSES) {
    into.counters[`${prefix}ejections_detected_${cause}`] = detected[cause];
    into.counters[`${prefix}ejections_enforced_${cause}`] = enforced[cause];
  }
}
