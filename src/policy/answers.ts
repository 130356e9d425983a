import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { LoadReport } from './load-report.js';

/** How an attempt ended, as the proxy that sent it saw it. */
export type AnswerOutcome =
  /** An answer below 500. */
  | 'success'
  /** An answer of 500 or above. */
  | 'error'
  /** The try or the request timed out. */
  | 'timeout'
  /** The connection broke. */
  | 'reset'
  /** No connection could be made. */
  | 'connect_failure';

/** Events that a policy may listen to, besides updates of hosts. */
export type PolicyEvent = 'answers' | 'load_reports' | 'probes';

/** What a host tells of itself, to whoever asks. */
export interface ProbeAnswer {
  /** Requests that it has and has not answered yet, of all clients. */
  readonly inFlight: number;
  /** Time from its receipt of a request to its answer, as it was recently with about as many requests; 0: not known. */
  readonly latencyUs: Micros;
}

/** A balancer that listens to the results of its picks. Absent methods are not called. */
export interface AnswerListener {
  /**
   * An attempt ended. Attempts that a circuit breaker rejected, or that the client gave up before they had a connection,
   * are not reported.
   * @param latencyUs from the choice of the host on, the wait for a connection included.
   */
  answered?(host: Host, latencyUs: Micros, outcome: AnswerOutcome): void;
  /** An answer carried a report of the host's load. */
  reported?(host: Host, report: LoadReport): void;
  /** A host answered a probe. Those that are down do not. */
  probed?(host: Host, answer: ProbeAnswer): void;
}
