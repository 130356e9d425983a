import { type Micros, microsToSeconds } from '../../core/units.js';
import { type Behavior, capacityOf } from '../../settings/behavior.js';

export interface BusiestHost {
  readonly server: number;
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
  /** Seconds of work by server, in this stretch. */
  private work: number[] = [];
  private stretch = 0;
  private highest: BusiestHost | undefined;
  private readonly seconds = new WeakMap<Behavior, number>();

  constructor(
    private readonly fromUs: Micros,
    private readonly toUs: Micros,
    private readonly overUs: Micros,
  ) {}

  given(server: number, behavior: Behavior, nowUs: Micros): void {
    if (nowUs < this.fromUs || nowUs >= this.toUs) return;
    const stretch = Math.floor((nowUs - this.fromUs) / this.overUs);
    if (stretch !== this.stretch) {
      this.highest = this.busiest(Infinity);
      this.work = [];
      this.stretch = stretch;
    }
    let seconds = this.seconds.get(behavior);
    if (seconds === undefined) this.seconds.set(behavior, (seconds = 1 / capacityOf(behavior)));
    this.work[server] = (this.work[server] ?? 0) + seconds;
  }

  /** undefined: none was given anything. A stretch that is cut short counts in full, unless it is the only one: a moment is none. */
  busiest(nowUs: Micros): BusiestHost | undefined {
    const fromUs = this.fromUs + this.stretch * this.overUs;
    const whole = fromUs + this.overUs;
    const endUs = Math.min(nowUs, this.toUs);
    const toUs = this.stretch === 0 && endUs > fromUs ? Math.min(whole, endUs) : whole;
    const length = microsToSeconds(toUs - fromUs);
    let { highest } = this;
    for (const [server, seconds = 0] of this.work.entries()) {
      const load = seconds / length;
      if (load > (highest?.load ?? 0)) highest = { server, load, fromUs, toUs };
    }
    return highest;
  }
}
