import { FAILURE_CAUSES, type FailureCause } from '../core/failure-cause.js';
import type { Failures } from '../result/failures.js';
import { count } from './format.js';

const PHRASES: Readonly<Record<FailureCause, string>> = {
  no_host: 'found no host',
  overflow: 'overflowed a circuit breaker',
  connect_failure: 'could not connect',
  reset: 'lost their connection',
  timeout: 'timed out',
  error_status: 'got an error from a host',
  drop_overload: 'dropped by drop_overloads',
  no_cluster: 'asked for a cluster that was not there',
};

/** "25 found no host, 3 timed out": every cause that occurred, so that the numbers add up. */
export function failureList(failures: Readonly<Partial<Failures>>): string {
  return FAILURE_CAUSES.flatMap((cause) => {
    const { [cause]: failed = 0 } = failures;
    if (failed === 0) return [];
    const phrase = cause === 'reset' && failed === 1 ? 'lost its connection' : PHRASES[cause];
    return [`${count(failed)} ${phrase}`];
  }).join(', ');
}
