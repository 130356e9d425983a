import { defaultOf } from '../config/defaults.js';
import type { OutlierDetection } from '../config/outlier.js';
import { camel } from '../config/reader/letter-case.js';
import type { Camel } from '../config/reader/message.js';
import { type Runtime, runtimeInteger } from '../core/environment.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import type { OutlierCause } from './outlier-cause.js';

const TIMES = ['interval', 'base_ejection_time', 'max_ejection_time', 'max_ejection_time_jitter'] as const;
const NUMBERS = [
  'max_ejection_percent',
  'consecutive_5xx',
  'consecutive_gateway_failure',
  'consecutive_local_origin_failure',
  'success_rate_minimum_hosts',
  'success_rate_request_volume',
  'success_rate_stdev_factor',
  'failure_percentage_threshold',
  'failure_percentage_minimum_hosts',
  'failure_percentage_request_volume',
  'enforcing_consecutive_5xx',
  'enforcing_consecutive_gateway_failure',
  'enforcing_consecutive_local_origin_failure',
  'enforcing_success_rate',
  'enforcing_local_origin_success_rate',
  'enforcing_failure_percentage',
  'enforcing_failure_percentage_local_origin',
] as const;

type Time = (typeof TIMES)[number];
type Name = Time | (typeof NUMBERS)[number];

const MESSAGE = 'cluster.OutlierDetection';

interface Setting {
  readonly field: Camel<Name>;
  /** Its runtime key. */
  readonly key: string;
  /** Times in µs. */
  readonly byDefault: number;
  readonly isTime: boolean;
}

/** Worked out once, so that no cluster and no answer of a request does. */
const SETTINGS = Object.fromEntries([
  ...TIMES.map((name) => [name, setting(name, true)]),
  ...NUMBERS.map((name) => [name, setting(name, false)]),
]) as Readonly<Record<Name, Setting>>;

function setting(name: Name, isTime: boolean): Setting {
  const key = `outlier_detection.${name}${isTime ? '_ms' : ''}`;
  return { field: camel(name) as Camel<Name>, key, byDefault: defaultOf(MESSAGE, name), isTime };
}

/**
 * `outlier_detection` of one cluster with the proxy's defaults. Every number is read at each use, since the runtime key
 * `outlier_detection.<name>` (with `_ms` for times) overrides it for all clusters of a proxy at once; the three switches
 * have no such key.
 */
export class OutlierSettings {
  readonly splitExternalLocalOriginErrors: boolean;
  readonly alwaysEjectOneHost: boolean;
  readonly successfulActiveHealthCheckUnejectHost: boolean;

  constructor(
    private readonly config: OutlierDetection,
    private readonly runtime: Runtime,
  ) {
    this.splitExternalLocalOriginErrors = config.splitExternalLocalOriginErrors;
    this.alwaysEjectOneHost = config.alwaysEjectOneHost ?? false;
    this.successfulActiveHealthCheckUnejectHost = config.successfulActiveHealthCheckUnejectHost ?? true;
  }

  /** A setting as it is now; times in whole ms. */
  now(name: Name): number {
    return runtimeInteger(this.runtime, SETTINGS[name].key, this.configured(name));
  }

  /** As configured or by default; times in whole ms, as the proxy keeps them. */
  private configured(name: Name): number {
    const { config } = this;
    const { field, byDefault, isTime } = SETTINGS[name];
    const value = config[field] ?? byDefault;
    if (name === 'max_ejection_time' && config.maxEjectionTime === undefined) {
      return wholeMillis(Math.max(value, config.baseEjectionTime ?? SETTINGS.base_ejection_time.byDefault));
    }
    return isTime ? wholeMillis(value) : value;
  }

  timeUs(name: Time): Micros {
    return this.now(name) * MICROS_PER_MILLI;
  }

  /** Time between sweeps; at least 1 ms, for a timer of 0 would never let virtual time go on. */
  get intervalUs(): Micros {
    return Math.max(MICROS_PER_MILLI, this.timeUs('interval'));
  }

  get maxEjectionPercent(): number {
    return Math.min(100, this.now('max_ejection_percent'));
  }

  /** Chance in percent that a detection of this kind ejects. */
  enforcingPercent(cause: OutlierCause): number {
    return this.now(
      cause === 'local_origin_failure_percentage' ? 'enforcing_failure_percentage_local_origin' : `enforcing_${cause}`,
    );
  }
}
