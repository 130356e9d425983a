import { defaultOf } from '../config/defaults.js';
import type { OutlierDetection } from '../config/outlier.js';
import type { Runtime } from '../core/environment.js';
import { runtimeInteger } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { OutlierCause } from './outlier-cause.js';

/**
 * `outlier_detection` of one cluster with the proxy's defaults. Every number is read at each use, since the runtime key
 * `outlier_detection.<name>` (with `_ms` for times) overrides it for all clusters of a proxy at once; the three switches
 * have no such key.
 */
export class OutlierSettings {
  readonly splitExternalLocalOriginErrors: boolean;
  readonly alwaysEjectOneHost: boolean;
  readonly successfulActiveHealthCheckUnejectHost: boolean;
  private readonly intervalMs: number;
  private readonly baseEjectionTimeMs: number;
  private readonly maxEjectionTimeMs: number;
  private readonly maxEjectionTimeJitterMs: number;

  constructor(
    private readonly config: OutlierDetection,
    private readonly runtime: Runtime,
  ) {
    this.splitExternalLocalOriginErrors = config.splitExternalLocalOriginErrors;
    this.alwaysEjectOneHost = config.alwaysEjectOneHost ?? false;
    this.successfulActiveHealthCheckUnejectHost = config.successfulActiveHealthCheckUnejectHost ?? true;
    this.intervalMs = milliseconds(config.interval, DEFAULTS.interval_ms);
    this.baseEjectionTimeMs = milliseconds(config.baseEjectionTime, DEFAULTS.base_ejection_time_ms);
    this.maxEjectionTimeMs = milliseconds(
      config.maxEjectionTime,
      Math.max(DEFAULTS.max_ejection_time_ms, this.baseEjectionTimeMs),
    );
    this.maxEjectionTimeJitterMs = milliseconds(config.maxEjectionTimeJitter, DEFAULTS.max_ejection_time_jitter_ms);
  }

  /** Time between sweeps; at least 1 ms, for a timer of 0 would never let virtual time go on. */
  get intervalUs(): Micros {
    return Math.max(1, this.read('interval_ms', this.intervalMs)) * MICROS_PER_MILLI;
  }

  get baseEjectionTimeUs(): Micros {
    return this.read('base_ejection_time_ms', this.baseEjectionTimeMs) * MICROS_PER_MILLI;
  }

  get maxEjectionTimeUs(): Micros {
    return this.read('max_ejection_time_ms', this.maxEjectionTimeMs) * MICROS_PER_MILLI;
  }

  /** In whole milliseconds, the unit in which the proxy draws. */
  get maxEjectionTimeJitter(): number {
    return this.read('max_ejection_time_jitter_ms', this.maxEjectionTimeJitterMs);
  }

  get consecutive5xx(): number {
    return this.read('consecutive_5xx', this.config.consecutive5xx);
  }

  get consecutiveGatewayFailure(): number {
    return this.read('consecutive_gateway_failure', this.config.consecutiveGatewayFailure);
  }

  get consecutiveLocalOriginFailure(): number {
    return this.read('consecutive_local_origin_failure', this.config.consecutiveLocalOriginFailure);
  }

  get maxEjectionPercent(): number {
    return Math.min(100, this.read('max_ejection_percent', this.config.maxEjectionPercent));
  }

  get successRateMinimumHosts(): number {
    return this.read('success_rate_minimum_hosts', this.config.successRateMinimumHosts);
  }

  get successRateRequestVolume(): number {
    return this.read('success_rate_request_volume', this.config.successRateRequestVolume);
  }

  /** In thousandths of a standard deviation. */
  get successRateStdevFactor(): number {
    return this.read('success_rate_stdev_factor', this.config.successRateStdevFactor);
  }

  get failurePercentageThreshold(): number {
    return this.read('failure_percentage_threshold', this.config.failurePercentageThreshold);
  }

  get failurePercentageMinimumHosts(): number {
    return this.read('failure_percentage_minimum_hosts', this.config.failurePercentageMinimumHosts);
  }

  get failurePercentageRequestVolume(): number {
    return this.read('failure_percentage_request_volume', this.config.failurePercentageRequestVolume);
  }

  /** Chance in percent that a detection of this kind ejects. */
  enforcingPercent(cause: OutlierCause): number {
    const { config } = this;
    switch (cause) {
      case 'consecutive_5xx':
        return this.read('enforcing_consecutive_5xx', config.enforcingConsecutive5xx);
      case 'consecutive_gateway_failure':
        return this.read('enforcing_consecutive_gateway_failure', config.enforcingConsecutiveGatewayFailure);
      case 'consecutive_local_origin_failure':
        return this.read(
          'enforcing_consecutive_local_origin_failure',
          config.enforcingConsecutiveLocalOriginFailure ?? 100,
        );
      case 'success_rate':
        return this.read('enforcing_success_rate', config.enforcingSuccessRate);
      case 'local_origin_success_rate':
        return this.read('enforcing_local_origin_success_rate', config.enforcingLocalOriginSuccessRate);
      case 'failure_percentage':
        return this.read('enforcing_failure_percentage', config.enforcingFailurePercentage);
      case 'local_origin_failure_percentage':
        return this.read(
          'enforcing_failure_percentage_local_origin',
          config.enforcingFailurePercentageLocalOrigin ?? 0,
        );
    }
  }

  private read(name: RuntimeName, configured = DEFAULTS[name]): number {
    return runtimeInteger(this.runtime, KEYS[name], configured);
  }
}

/** Written out, so that no answer of a request builds a string. */
const KEYS = {
  interval_ms: 'outlier_detection.interval_ms',
  base_ejection_time_ms: 'outlier_detection.base_ejection_time_ms',
  max_ejection_time_ms: 'outlier_detection.max_ejection_time_ms',
  max_ejection_time_jitter_ms: 'outlier_detection.max_ejection_time_jitter_ms',
  max_ejection_percent: 'outlier_detection.max_ejection_percent',
  consecutive_5xx: 'outlier_detection.consecutive_5xx',
  consecutive_gateway_failure: 'outlier_detection.consecutive_gateway_failure',
  consecutive_local_origin_failure: 'outlier_detection.consecutive_local_origin_failure',
  success_rate_minimum_hosts: 'outlier_detection.success_rate_minimum_hosts',
  success_rate_request_volume: 'outlier_detection.success_rate_request_volume',
  success_rate_stdev_factor: 'outlier_detection.success_rate_stdev_factor',
  failure_percentage_threshold: 'outlier_detection.failure_percentage_threshold',
  failure_percentage_minimum_hosts: 'outlier_detection.failure_percentage_minimum_hosts',
  failure_percentage_request_volume: 'outlier_detection.failure_percentage_request_volume',
  enforcing_consecutive_5xx: 'outlier_detection.enforcing_consecutive_5xx',
  enforcing_consecutive_gateway_failure: 'outlier_detection.enforcing_consecutive_gateway_failure',
  enforcing_consecutive_local_origin_failure: 'outlier_detection.enforcing_consecutive_local_origin_failure',
  enforcing_success_rate: 'outlier_detection.enforcing_success_rate',
  enforcing_local_origin_success_rate: 'outlier_detection.enforcing_local_origin_success_rate',
  enforcing_failure_percentage: 'outlier_detection.enforcing_failure_percentage',
  enforcing_failure_percentage_local_origin: 'outlier_detection.enforcing_failure_percentage_local_origin',
} as const;

type RuntimeName = keyof typeof KEYS;

/** Times in ms. */
const DEFAULTS = Object.fromEntries(
  Object.keys(KEYS).map((name) => {
    const value = defaultOf('cluster.OutlierDetection', name.replace(/_ms$/, ''));
    return [name, name.endsWith('_ms') ? value / MICROS_PER_MILLI : value];
  }),
) as Readonly<Record<RuntimeName, number>>;

/** The proxy keeps these durations in whole milliseconds and cuts off the rest. */
function milliseconds(configuredUs: Micros | undefined, otherwiseMs: number): number {
  return configuredUs === undefined ? otherwiseMs : Math.floor(configuredUs / MICROS_PER_MILLI);
}
