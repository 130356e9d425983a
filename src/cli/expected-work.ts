import { endOf } from '../scenario/end-time.js';
import { ExpectedArrivals } from '../scenario/expected-arrivals.js';
import type { Scenario } from '../scenario/model.js';

/** Requests of a run of the file as it stands; undefined: that depends on the run. */
export function requestsOf(scenario: Scenario): number | undefined {
  let sum = scenario.requests.length;
  const endUs = endOf(scenario);
  for (const { arrivals, startUs, stopUs = endUs } of scenario.workloads) {
    const own = new ExpectedArrivals(arrivals, startUs, stopUs, [], true).before(endUs);
    if (own === undefined) return undefined;
    sum += own;
  }
  return sum;
}

/** Of a common machine, in seconds: of a run before its first request, and of each request. */
const OF_A_RUN = 0.005;
const OF_A_REQUEST = 1.5e-6;
/** Until a thread has read the program. */
const OF_A_THREAD = 0.4;

/** A guess of the time that these runs take. @param requests of each. */
export function secondsOf(runs: number, requests: number, threads: number): number {
  return (runs * (OF_A_RUN + requests * OF_A_REQUEST)) / threads + (threads > 1 ? OF_A_THREAD : 0);
}

/**
 * How many threads runs are spread over, where nobody says: as many as the machine runs, but one where it would be over
 * before the others have begun.
 *
 * @param requests of each; undefined: not known.
 */
export function threadsFor(runs: number, requests: number | undefined, threads: number): number {
  const most = Math.min(threads, runs);
  if (requests === undefined) return most;
  return secondsOf(runs, requests, most) < secondsOf(runs, requests, 1) ? most : 1;
}
