import type { Quirks } from '../../core/quirks.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../../core/units.js';
import type { Random64 } from '../../random/random64.js';
import type { DnsSettings } from '../../settings/cluster-settings.js';
import { jitteredBackOffMs } from '../back-off.js';

export type RefreshSettings = Omit<DnsSettings, 'family'> & { readonly quirks: Quirks };

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
    const maxMs = Math.max(baseMs, wholeMillis(failure.maxIntervalUs));
    this.failures++;
    return jitteredBackOffMs(this.failures, baseMs, maxMs, this.random, quirks) * MICROS_PER_MILLI;
  }
}
