import { type PriorityAvailability, type PriorityLoad, spreadOverRest } from '../../hostset/priority-load.js';
import type { PickShares, PriorityMemory } from './retry-chances.js';

/** What a retry that goes by `previous_priorities` has to know of its cluster. */
interface Priorities {
  readonly updateFrequency: number;
  /** As the balancer has it. */
  readonly availability: PriorityAvailability;
  readonly sharesOf: (load: PriorityLoad) => PickShares;
}

/**
 * Priorities of the attempts so far: after every `updateFrequency` of them, the load is spread over those that none has met;
 * when all have been met, over all again.
 */
export class TriedPriorities implements PriorityMemory {
  readonly key: string;
  readonly shares: PickShares;

  private constructor(
    private readonly rules: Priorities,
    private readonly attempts: readonly number[],
    private readonly excluded: readonly number[],
    private readonly load: PriorityLoad | undefined,
  ) {
    this.key = `${attempts.join('.')}/${excluded.join('.')}/${JSON.stringify(load ?? null)}`;
    this.shares = rules.sharesOf(load ?? rules.availability.load);
  }

  static none(rules: Priorities): TriedPriorities {
    return new TriedPriorities(rules, [], [], undefined);
  }

  attempted(priority: number): TriedPriorities {
    const { rules } = this;
    const attempts = [...this.attempts, priority];
    if (attempts.length % rules.updateFrequency !== 0) {
      return new TriedPriorities(rules, attempts, this.excluded, this.load);
    }
    const excluded = [...new Set([...this.excluded, ...attempts])].sort((a, b) => a - b);
    const load = this.spread(excluded);
    if (load !== undefined) return new TriedPriorities(rules, attempts, excluded, load);
    return new TriedPriorities(rules, [], [], this.spread([]) ?? this.load);
  }

  private spread(excluded: readonly number[]): PriorityLoad | undefined {
    return spreadOverRest(this.rules.availability, (priority) => excluded.includes(priority));
  }
}
