import type { Micros } from '../core/units.js';

/**
 * How a request ended, as its client sees it: `answered` by a host with any status, or by the proxy itself, since no host
 * was found, a circuit breaker was open, no connection could be made, the connection broke, time was over, it was dropped
 * before a host was chosen (`drop_overloads`), or the proxy does not know the cluster. With retries the last attempt
 * decides.
 */
export type RequestOutcome =
  'answered' | 'no_host' | 'overflow' | 'connect_failure' | 'reset' | 'timeout' | 'drop_overload' | 'no_cluster';

/**
 * The latency of a request, wherever one is told: from its arrival to the final answer of a host, whatever its status.
 * undefined: no host gave one. How long clients waited for failures of the proxy says nothing of answers: those that come at
 * once would make a cluster the faster, the more of its hosts refuse.
 * @param waitedUs from its arrival to its end.
 */
export const latencyOf = (outcome: RequestOutcome, waitedUs: Micros): Micros | undefined =>
  outcome === 'answered' ? waitedUs : undefined;

/** Which request, where it came from, and the cluster that its route led to. */
export interface RequestOrigin {
  /** Counts arrivals, from 0. */
  readonly request: number;
  readonly proxy: string;
  readonly worker: number;
  /** null for an explicit request. */
  readonly workload: string | null;
  readonly cluster: string;
  /** Decimal; null where the route computes none. */
  readonly hash: string | null;
}

/** One request that is over. */
export interface RequestRecord extends RequestOrigin {
  /** When it arrived. */
  readonly tUs: Micros;
  /** From arrival to the answer, of a host or of the proxy. */
  readonly latencyUs: Micros;
  readonly outcome: RequestOutcome;
  /** HTTP status of the answer, of the host or of the proxy. */
  readonly status: number;
  /** Number of its decisions: 0 where it was dropped, or the proxy does not know the cluster. */
  readonly attempts: number;
  /** The host that answered; null where the proxy did. */
  readonly host: string | null;
  /** Where `cluster` is an aggregate: the member that its last attempt went to. */
  readonly member?: string;
  /** The cookies that the proxy made for its client, as `Set-Cookie` has them, for each attempt anew; absent: none. */
  readonly setCookies?: readonly string[];
}
