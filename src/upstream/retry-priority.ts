import { type PriorityAvailability, type PriorityLoad, spreadOverRest } from '../hostset/priority-load.js';

/**
 * `previous_priorities`: after every `updateFrequency` attempts the load is recalculated over the priorities that no
 * attempt has used. When all available ones have been used, they all count again.
 *
 * One for each request that is retried. Source: the proxy's documentation of retry priorities.
 */
export class PreviousPriorities {
  private attempts: number[] = [];
  private readonly excluded = new Set<number>();
  private load: PriorityLoad | undefined;

  constructor(private readonly updateFrequency: number) {}

  /** An attempt went to a host of this priority. */
  attempted(priority: number): void {
    this.attempts.push(priority);
  }

  /** The load by which the next host is chosen, given the balancer's own. */
  loadFor(availability: PriorityAvailability): PriorityLoad {
    const { attempts, excluded, updateFrequency } = this;
    if (attempts.length < updateFrequency) return availability.load;
    if (attempts.length % updateFrequency === 0) {
      for (const priority of attempts) excluded.add(priority);
      const load = this.spread(availability);
      if (load === undefined) return availability.load;
      this.load = load;
    }
    return this.load ?? availability.load;
  }

  /** undefined: no priority has an available host. */
  private spread(availability: PriorityAvailability): PriorityLoad | undefined {
    const load = spreadOverRest(availability, (priority) => this.excluded.has(priority));
    if (load !== undefined) return load;
    this.excluded.clear();
    this.attempts = [];
    return spreadOverRest(availability, () => false);
  }
}
