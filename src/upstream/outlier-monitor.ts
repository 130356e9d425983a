import { type ProxyVersion, quirksOf } from '../core/version.js';
import type { Micros } from '../core/units.js';
import { HealthFlag, type Host } from '../host/host.js';
import { Detection, type Detections, type OriginEvent } from './cause.js';
import type { OutlierSettings } from './outlier-settings.js';

export type EjectionTime = ReturnType<HostMonitor['ejectionTime']>;

export class HostMonitor {
  consecutive5xx = 0;
  consecutiveGatewayFailure = 0;
  consecutiveLocalOriginFailure = 0;
  readonly external = new SuccessRateWindow();
  readonly local = new SuccessRateWindow();
  /** Ejections of the host's lifetime: up to 1.16 the factor of the ejection time. */
  ejections = 0;
  /** The factor of the ejection time from 1.17 on: grows with each ejection, shrinks while the host is not ejected. */
  backoff = 0;
  ejectedAtUs: Micros = 0;
  /** undefined: never was. */
  unejectedAtUs: Micros | undefined = undefined;
  /** Added to the ejection under way. */
  jitterUs: Micros = 0;

  constructor(readonly host: Host) {}

  get ejected(): boolean {
    return (this.host.flags & HealthFlag.FAILED_OUTLIER_CHECK) !== 0;
  }

  /** Counts an HTTP answer. Called for each one: allocates nothing. */
  countStatus(status: number, settings: OutlierSettings): Detections {
    if (status < 500 || status > 599) {
      this.external.countSuccess();
      this.consecutive5xx = 0;
      this.consecutiveGatewayFailure = 0;
      return Detection.none;
    }
    this.external.currentVolume++;
    let detections: Detections = Detection.none;
    // A run is detected when it reaches the limit, not again beyond it.
    if (status >= 502 && status <= 504) {
      this.consecutiveGatewayFailure++;
      if (this.consecutiveGatewayFailure === settings.now('consecutive_gateway_failure'))
        detections |= Detection.consecutiveGatewayFailure;
    } else {
      this.consecutiveGatewayFailure = 0;
    }
    this.consecutive5xx++;
    if (this.consecutive5xx === settings.now('consecutive_5xx')) detections |= Detection.consecutive5xx;
    return detections;
  }

  /** Counts an event other than an answer, or the answer that the proxy gives in its place. */
  countEvent(event: OriginEvent, status: number | undefined, settings: OutlierSettings): Detections {
    if (settings.config.splitExternalLocalOriginErrors) return this.countSplitEvent(event, settings);
    const counted = status ?? STATUSES[event];
    return counted === undefined ? Detection.none : this.countStatus(counted, settings);
  }

  private countSplitEvent(event: OriginEvent, settings: OutlierSettings): Detections {
    switch (event) {
      case 'EXT_ORIGIN_REQUEST_SUCCESS':
        this.countLocalSuccess();
        return this.countStatus(200, settings);
      case 'EXT_ORIGIN_REQUEST_FAILED':
        return this.countStatus(503, settings);
      case 'LOCAL_ORIGIN_CONNECT_SUCCESS':
      case 'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL':
        this.countLocalSuccess();
        return Detection.none;
      case 'LOCAL_ORIGIN_TIMEOUT':
      case 'LOCAL_ORIGIN_CONNECT_FAILED':
        this.local.currentVolume++;
        this.consecutiveLocalOriginFailure++;
        return this.consecutiveLocalOriginFailure === settings.now('consecutive_local_origin_failure')
          ? Detection.consecutiveLocalOriginFailure
          : Detection.none;
    }
  }

  private countLocalSuccess(): void {
    this.local.countSuccess();
    this.consecutiveLocalOriginFailure = 0;
  }

  /**
   * How long the ejection under way lasts at least; it ends with the first sweep after that. Up to 1.16 the base time
   * is multiplied by the number of ejections in the host's lifetime, without a limit. 1.17 multiplies by a factor that
   * also shrinks, and limits the time; the modern proxy adds a jitter.
   * @returns `limitUs`: what limits the product; undefined: it stays below, or nothing does.
   */
  ejectionTime(settings: OutlierSettings, version: ProxyVersion) {
    const baseUs = settings.timeUs('base_ejection_time');
    const { ejections, backoff, jitterUs } = this;
    if (!quirksOf(version).limitsEjectionTime)
      return { baseUs, factor: ejections, limitUs: undefined, jitterUs: 0, leastUs: baseUs * ejections };
    const maxEjectionTimeUs = settings.timeUs('max_ejection_time');
    const limitUs = baseUs * backoff > maxEjectionTimeUs ? maxEjectionTimeUs : undefined;
    return { baseUs, factor: backoff, limitUs, jitterUs, leastUs: (limitUs ?? baseUs * backoff) + jitterUs };
  }

  /** Once per ejection. Stops at the first factor that exceeds the maximum time by a whole base time. */
  growBackoff(settings: OutlierSettings): void {
    const baseUs = settings.timeUs('base_ejection_time');
    if (this.backoff * baseUs < settings.timeUs('max_ejection_time') + baseUs) this.backoff++;
  }

  /** Once per sweep that finds the host not ejected. */
  shrinkBackoff(): void {
    if (this.backoff > 0) this.backoff--;
  }
}

class SuccessRateWindow {
  /** Requests of the last whole interval. */
  volume = 0;
  /** Percentage of successes as of the last sweep; −1 where the volume was too small, as the proxy shows it. */
  successRate = -1;
  private successes = 0;
  currentVolume = 0;
  private currentSuccesses = 0;

  countSuccess(): void {
    this.currentVolume++;
    this.currentSuccesses++;
  }

  /** Percentage of successes in the last whole interval, which had requests. */
  get rate(): number {
    return (this.successes * 100) / this.volume;
  }

  startInterval(): void {
    this.volume = this.currentVolume;
    this.successes = this.currentSuccesses;
    this.currentVolume = 0;
    this.currentSuccesses = 0;
    this.successRate = -1;
  }
}

/** The answer that an event counts as where local errors are not split off; undefined: it does not count. */
const STATUSES: Readonly<Record<OriginEvent, number | undefined>> = {
  EXT_ORIGIN_REQUEST_SUCCESS: 200,
  EXT_ORIGIN_REQUEST_FAILED: 500,
  LOCAL_ORIGIN_TIMEOUT: 504,
  LOCAL_ORIGIN_CONNECT_FAILED: 503,
  LOCAL_ORIGIN_CONNECT_SUCCESS: undefined,
  LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL: 200,
};
