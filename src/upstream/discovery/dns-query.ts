import type { Clock } from '../../core/environment.js';
import type { Random64 } from '../../random/random64.js';
import type { DnsSettings } from '../../settings/cluster-settings.js';
import type { Discovery, Schedule } from './discovery.js';
import { RefreshRate, type RefreshSettings } from './refresh-rate.js';
import type { Lookup, Resolver } from './resolver.js';

/** What every DNS cluster of a proxy needs. */
export interface DnsEnvironment {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** A stream for each name, so that the back-off of one leaves the others' as it is. */
  readonly random: (name: string) => Random64;
}

export type QuerySettings = DnsSettings & RefreshSettings;

/** Resolves one name of one cluster again and again. */
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
