import { entryOf } from '../../core/lists.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { type Behavior, capacityOf } from '../../settings/behavior.js';
import type { Server } from './server.js';

export interface BusiestHost {
  readonly server: Server;
  /** In units of what it can take: 1 is all of it. */
  readonly load: number;
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/**
 * What hosts are given, in units of what they can take, over stretches of equal length; the busiest of all is kept.
 * An attempt counts with the time that a host as it behaves now has to give for it, so that one which becomes slower has
 * less room from then on.
 */
export class HostLoad {
  /** Seconds of work in this stretch, by the number of the server. */
  private work: { readonly server: Server; seconds: number }[] = [];
  private stretch = 0;
  private highest: BusiestHost | undefined;
  private readonly seconds = new WeakMap<Behavior, number>();

  constructor(
    private readonly fromUs: Micros,
    private readonly toUs: Micros,
    private readonly overUs: Micros,
  ) {}

  given(server: Server, nowUs: Micros): void {
    if (nowUs < this.fromUs || nowUs >= this.toUs) return;
    const stretch = Math.floor((nowUs - this.fromUs) / this.overUs);
    if (stretch !== this.stretch) {
      this.highest = this.busiest(Infinity);
      this.work = [];
      this.stretch = stretch;
    }
    const { behavior } = server;
    const work = (this.work[server.index] ??= { server, seconds: 0 });
    work.seconds += entryOf(this.seconds, behavior, () => 1 / capacityOf(behavior));
  }

  /** undefined: none was given anything. A stretch that is cut short counts in full, unless it is the only one: a moment is none. */
  busiest(nowUs: Micros): BusiestHost | undefined {
    const fromUs = this.fromUs + this.stretch * this.overUs;
    const whole = fromUs + this.overUs;
    const endUs = Math.min(nowUs, this.toUs);
    const toUs = this.stretch === 0 && endUs > fromUs ? Math.min(whole, endUs) : whole;
    const length = microsToSeconds(toUs - fromUs);
    let { highest } = this;
    this.work.forEach(({ server, seconds }) => {
      const load = seconds / length;
      if (load > (highest?.load ?? 0)) highest = { server, load, fromUs, toUs };
    });
    return highest;
  }
}
