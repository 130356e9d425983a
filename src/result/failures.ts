import { FAILURE_CAUSES, type FailureCause } from '../core/failure-cause.js';
import type { RequestOutcome } from './request-record.js';

const NO_CELLS = new Float64Array(0);

/** Counters by number, from 0 on. */
export class Counts {
  /** Made with the first count: most clusters of a fleet have none in most phases. */
  private cells = NO_CELLS;

  of(index: number): number {
    return index < this.cells.length ? (this.cells[index] as number) : 0;
  }

  add(index: number, amount: number): void {
    if (index >= this.cells.length) this.grow(index + 1);
    this.cells[index] = (this.cells[index] as number) + amount;
  }

  addAll(other: Counts): void {
    for (let index = 0; index < other.cells.length; index++) {
      const count = other.cells[index] as number;
      if (count > 0) this.add(index, count);
    }
  }

  private grow(length: number): void {
    const { cells } = this;
    this.cells = new Float64Array(Math.max(16, length, 2 * cells.length));
    this.cells.set(cells);
  }
}

/** Requests that failed, by cause: each has one, so that they add up to all that failed. */
export type Failures = Record<FailureCause, number>;

const NONE = Object.fromEntries(FAILURE_CAUSES.map((cause) => [cause, 0])) as Failures;

export const noFailures = (): Failures => ({ ...NONE });

export const causeOf = (outcome: RequestOutcome): FailureCause => (outcome === 'answered' ? 'error_status' : outcome);

export function addFailures(into: Failures, other: Readonly<Failures>): void {
  for (const cause of FAILURE_CAUSES) into[cause] += other[cause];
}

export const countFailures = (failures: Readonly<Failures>): number =>
  FAILURE_CAUSES.reduce((sum, cause) => sum + failures[cause], 0);
