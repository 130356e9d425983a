import { FAILURE_CAUSES, type FailureCause } from '../core/failure-cause.js';
import type { RequestOutcome } from './request-record.js';

/** Requests that failed, by cause: each has one, so that they add up to all that failed. */
export type Failures = Record<FailureCause, number>;

export function noFailures(): Failures {
  return {
    no_host: 0,
    overflow: 0,
    connect_failure: 0,
    reset: 0,
    timeout: 0,
    error_status: 0,
    drop_overload: 0,
    no_cluster: 0,
  };
}

export function causeOf(outcome: RequestOutcome): FailureCause {
  return outcome === 'answered' ? 'error_status' : outcome;
}

export function addFailures(into: Failures, other: Readonly<Failures>): void {
  for (const cause of FAILURE_CAUSES) into[cause] += other[cause];
}

export function sumOfFailures(one: Readonly<Failures>, other: Readonly<Failures>): Failures {
  const sum = { ...one };
  addFailures(sum, other);
  return sum;
}

/** How many failed. */
export function countFailures(failures: Readonly<Failures>): number {
  return FAILURE_CAUSES.reduce((sum, cause) => sum + failures[cause], 0);
}
