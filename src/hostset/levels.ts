import type { Runtime } from '../core/environment.js';
import { type BalancerTrace, panicStep, priorityStep } from './decision-steps.js';
import { describePriority } from './describe.js';
import type { BalancerDescription, PriorityDescription } from './generated/descriptions.js';
import { emptyHostSet, type HostSet } from './host-set.js';
import type { LoadBalancerConfig } from './lb-config.js';
import type { Decision } from './load-balancer.js';
import * as loads from './priority-load.js';

export class Levels {
  /** By priority, without gaps; there is always a level 0. */
  readonly hostSets: HostSet[] = [];
  state: loads.PriorityState = loads.emptyPriorityState();
  /** Panic threshold at the last update, an integer percentage. */
  threshold = 0;

  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly runtime: Runtime,
    initial: readonly HostSet[],
  ) {
    this.makeRoom(0);
    for (const hostSet of initial) {
      this.makeRoom(hostSet.priority);
      this.hostSets[hostSet.priority] = hostSet;
    }
    for (const { priority } of this.hostSets) this.recalculate(priority);
  }

  update(hostSet: HostSet): void {
    this.makeRoom(hostSet.priority);
    this.hostSets[hostSet.priority] = hostSet;
    this.recalculate(hostSet.priority);
  }

  adopt(other: Levels): void {
    this.threshold = other.threshold;
    this.state = other.state;
    this.hostSets.splice(0, this.hostSets.length, ...other.hostSets);
  }

  /** The level that 64 bits draw, which the decision then tells. @param effect of a panic there. */
  choose(
    load: loads.PriorityLoad,
    hi: number,
    lo: number,
    effect: loads.PanicEffect,
    decision: Decision,
    trace: BalancerTrace | undefined,
  ): HostSet | undefined {
    const { hostSets, state, threshold } = this;
    const drawn = loads.choosePriority(load, hi, lo);
    decision.degraded = drawn < 0;
    decision.priority = drawn < 0 ? ~drawn : drawn;
    decision.panic = state.panic[decision.priority] === true;
    const hostSet = hostSets[decision.priority];
    if (trace !== undefined) {
      trace(priorityStep(load, hi, lo, drawn));
      if (hostSet !== undefined)
        trace(panicStep(hostSet, threshold, loads.normalizedTotal(state), decision.panic, effect));
    }
    return hostSet;
  }

  /** @param more what the balancer knows of each besides. */
  describe(
    more?: (hostSet: HostSet) => Partial<PriorityDescription>,
  ): Pick<BalancerDescription, 'panicThreshold' | 'normalizedTotal' | 'priorities'> {
    const { hostSets, state, threshold } = this;
    return {
      panicThreshold: threshold,
      normalizedTotal: loads.normalizedTotal(state),
      priorities: hostSets.map((hostSet) => describePriority(hostSet, state, more?.(hostSet))),
    };
  }

  private recalculate(changed: number): void {
    this.threshold = loads.panicThreshold(this.runtime, this.config.healthyPanicThreshold);
    this.state = loads.priorityState(this.state, this.hostSets, changed, this.threshold, this.config.version);
  }

  private makeRoom(priority: number): void {
    while (this.hostSets.length <= priority) this.hostSets.push(emptyHostSet(this.hostSets.length));
  }
}
