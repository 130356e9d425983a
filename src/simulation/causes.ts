import { addAll } from '../core/lists.js';
import type { Cause } from '../result/phases.js';

/**
 * Why the balancers of one cluster in one proxy hold new lists: remembers, while updates wait in the merge window, what
 * they are made of.
 */
export class PendingCauses {
  private current: readonly Cause[] = [];
  private readonly waiting: Cause[][] = [];

  /** Everything that is announced while `change` runs is because of `causes`. */
  during(causes: readonly Cause[], change: () => void): void {
    const before = this.current;
    this.current = causes;
    change();
    this.current = before;
  }

  /** What is announced now is because of these. */
  get now(): readonly Cause[] {
    return this.current;
  }

  /** The update of `priority` is put off. */
  waits(priority: number): void {
    const waiting = (this.waiting[priority] ??= []);
    addAll(waiting, this.current);
  }

  /** Lists of these priorities went out; what waited there went with them. */
  delivered(priorities: readonly number[], merged: boolean): readonly Cause[] {
    const late: Cause[] = [];
    for (const priority of priorities) {
      for (const cause of this.waiting[priority] ?? []) if (!late.includes(cause)) late.push(cause);
      this.waiting[priority] = [];
    }
    if (!merged) return [...late.filter((cause) => !this.current.includes(cause)), ...this.current];
    return late.length === 0 ? [{ text: 'merged update' }] : late.map((source) => ({ ...source, source, late: true }));
  }

  /** The cluster is replaced or removed: what waited is dropped. */
  drop(): void {
    this.waiting.length = 0;
  }
}
