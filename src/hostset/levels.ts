import type { Runtime } from '../core/environment.js';
import { type BalancerDescription, describePriority, type PriorityDescription } from './describe.js';
import { emptyHostSet, type HostSet } from './host-set.js';
import type { LoadBalancerConfig } from './lb-config.js';
import {
  emptyPriorityState,
  normalizedTotal,
  panicThreshold,
  type PriorityState,
  updatePriorityState,
} from './priority-load.js';

/** All priorities of a cluster as one balancer knows them, with the loads and panic flags that follow. */
export class Levels {
  /** By priority, without gaps; there is always a level 0. */
  readonly hostSets: HostSet[] = [];
  readonly state: PriorityState = emptyPriorityState();
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

  /** Copies the state of `other`. */
  adopt(other: Levels): void {
    this.threshold = other.threshold;
    replace(this.hostSets, other.hostSets);
    replace(this.state.health, other.state.health);
    replace(this.state.degradedHealth, other.state.degradedHealth);
    replace(this.state.load.healthy, other.state.load.healthy);
    replace(this.state.load.degraded, other.state.load.degraded);
    replace(this.state.panic, other.state.panic);
  }

  /** @param more what the balancer knows of each besides. */
  describe(
    more?: (hostSet: HostSet) => Partial<PriorityDescription>,
  ): Pick<BalancerDescription, 'panicThreshold' | 'normalizedTotal' | 'priorities'> {
    const { hostSets, state, threshold } = this;
    return {
      panicThreshold: threshold,
      normalizedTotal: normalizedTotal(state),
      priorities: hostSets.map((hostSet) => describePriority(hostSet, state, more?.(hostSet))),
    };
  }

  private recalculate(changed: number): void {
    this.threshold = panicThreshold(this.runtime, this.config.healthyPanicThreshold);
    updatePriorityState(this.state, this.hostSets, changed, this.threshold, this.config.version);
  }

  private makeRoom(priority: number): void {
    while (this.hostSets.length <= priority) this.hostSets.push(emptyHostSet(this.hostSets.length));
  }
}

function replace<T>(values: T[], by: readonly T[]): void {
  values.splice(0, values.length, ...by);
}
