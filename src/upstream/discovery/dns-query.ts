import type { Clock } from '../../core/environment.js';
import type { Random64 } from '../../random/random64.js';
import type { DnsSettings } from '../../settings/cluster-settings.js';
import type { Discovery, Schedule } from './discovery.js';
import type { Lookup, Resolver } from './resolver.js';
import type { Quirks } from '../../core/version.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../../core/units.js';
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

export interface DnsEnvironment {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** A stream for each name, so that the back-off of one leaves the others' as it is. */
  readonly random: (name: string) => Random64;
}

export type QuerySettings = DnsSettings & RefreshSettings;

export class DnsQuery implements Discovery {
  private readonly rate: RefreshRate;
  private stopped = false;

  /** @param answered says whether the answer counts as a success: one that the cluster cannot use is a failure. */
  constructor(
    readonly name: string,
    private readonly settings: QuerySettings,
    private readonly env: DnsEnvironment,
    private readonly answered: (lookup: Lookup) => boolean,
  ) {
    this.rate = new RefreshRate(settings, env.random(name));
  }

  start(): void {
    this.query();
  }

  stop(): void {
    this.stopped = true;
  }

  private query(): void {
    if (this.stopped) return;
    const { clock, resolver, schedule } = this.env;
    const lookup = resolver.lookup(this.name, this.settings.family);
    const succeeded = this.answered(lookup);
    const waitUs =
      succeeded && lookup.kind === 'success' ? this.rate.afterSuccess(lookup.ttlUs) : this.rate.afterFailure();
    schedule(clock.nowUs + waitUs, () => this.query());
  }
}
