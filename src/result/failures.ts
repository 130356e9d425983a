import { FAILURE_CAUSES, type FailureCause } from '../core/failure-cause.js';
import type { RequestOutcome } from './request-record.js';

type Cells = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * Counters by number, from 0 on. Over many phases a large cluster has a million of these counts, and most are small: the
 * cells are as wide as the largest count needs.
 */
export class Counts {
  private cells: Cells = new Uint8Array(16);
  private limit = 255;

  of(index: number): number {
    return index < this.cells.length ? (this.cells[index] as number) : 0;
  }

  /** @param amount may be negative, but no count falls below 0. */
  add(index: number, amount: number): void {
    const count = this.of(index) + amount;
    if (index >= this.cells.length || count > this.limit) this.grow(index, count);
    this.cells[index] = count;
  }

  addAll(other: Counts): void {
    for (let index = 0; index < other.cells.length; index++) {
      const count = other.cells[index] as number;
      if (count > 0) this.add(index, count);
    }
  }

  private grow(index: number, count: number): void {
    const { cells } = this;
    const length = index < cells.length ? cells.length : Math.max(2 * cells.length, index + 1);
    const largest = Math.max(count, this.limit);
    this.cells =
      largest <= 0xff
        ? new Uint8Array(length)
        : largest <= 0xffffffff
          ? new Uint32Array(length)
          : new Float64Array(length);
    this.limit = largest <= 0xff ? 0xff : largest <= 0xffffffff ? 0xffffffff : Number.MAX_SAFE_INTEGER;
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
