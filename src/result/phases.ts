import type { Health } from '../host/host.js';
import type { Micros } from '../core/units.js';

/** Load and state of one priority, as the first worker of the first proxy held it. */
export interface PriorityState {
  readonly priority: number;
  readonly healthyLoad: number;
  readonly degradedLoad: number;
  readonly panic: boolean;
  readonly healthy: number;
  readonly degraded: number;
  readonly total: number;
}

/** One row as it was in a phase. */
export interface RowState {
  readonly row: number;
  readonly weight: number;
  readonly health: Health;
}

/** A stretch of time in which what the balancers of a cluster see does not change. */
export interface Phase {
  readonly fromUs: Micros;
  readonly causes: readonly string[];
  readonly labels: string[];
  readonly rows: readonly RowState[];
  readonly priorities: readonly PriorityState[];
  /** Why shares are not what weights alone would give, one sentence each. */
  readonly reasons: readonly string[];
}

export interface PhaseView {
  readonly rows: readonly RowState[];
  readonly priorities: readonly PriorityState[];
  readonly reasons: readonly string[];
}

/** The phases of one cluster, shared by all proxies: each delivery to any balancer ends one. */
export class PhaseLog {
  readonly phases: Phase[];

  constructor(view: PhaseView) {
    this.phases = [{ fromUs: 0, causes: ['start'], labels: [], ...view }];
  }

  get current(): Phase {
    return this.phases[this.phases.length - 1] as Phase;
  }

  /**
   * Something was delivered at `nowUs`. Several deliveries at one instant are one cut.
   *
   * @returns true where a new phase began.
   */
  cut(nowUs: Micros, cause: string | undefined, view: PhaseView): boolean {
    const current = this.current;
    if (current.fromUs === nowUs) {
      const causes =
        cause === undefined || current.causes.includes(cause) ? current.causes : [...current.causes, cause];
      this.phases[this.phases.length - 1] = { ...current, causes, ...view };
      return false;
    }
    this.phases.push({ fromUs: nowUs, causes: cause === undefined ? [] : [cause], labels: [], ...view });
    return true;
  }

  /** Something happened that the balancers do not see: a note, a behaviour, a rate. */
  label(text: string): void {
    this.current.labels.push(text);
  }
}
