import type { Quirks } from '../../core/quirks.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../../core/units.js';
import type { Random64 } from '../../random/random64.js';
import { jitteredBackOffMs } from '../back-off.js';

export interface RefreshSettings {
  /** `dns_refresh_rate`. */
  readonly refreshUs: Micros;
  /** `dns_failure_refresh_rate`; undefined: the normal rate applies after failures too. */
  readonly failure: { readonly baseIntervalUs: Micros; readonly maxIntervalUs: Micros | undefined } | undefined;
  readonly respectTtl: boolean;
  readonly quirks: Quirks;
}

const LONGEST_OF_BASE = 10;

/** When one name is resolved again. Each name has its own back-off: failures of one do not slow down another. */
export class RefreshRate {
  private failures = 0;

  constructor(
    private readonly settings: RefreshSettings,
    private readonly random: Random64,
  ) {}

  /** @param ttlUs time to live of the answer; undefined or 0: none. */
  afterSuccess(ttlUs: Micros | undefined): Micros {
    this.failures = 0;
    const { respectTtl, refreshUs } = this.settings;
    return respectTtl && ttlUs !== undefined && ttlUs > 0 ? ttlUs : refreshUs;
  }

  afterFailure(): Micros {
    const { failure, refreshUs, quirks } = this.settings;
    if (failure === undefined) return refreshUs;
    const baseMs = Math.max(1, wholeMillis(failure.baseIntervalUs));
    const maxMs = Math.max(baseMs, wholeMillis(failure.maxIntervalUs ?? failure.baseIntervalUs * LONGEST_OF_BASE));
    this.failures++;
    return jitteredBackOffMs(this.failures, baseMs, maxMs, this.random, quirks) * MICROS_PER_MILLI;
  }
}
