import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { LoadReport } from './load-report.js';

/** How an attempt ended, as the proxy that sent it saw it. */
export type AnswerOutcome =
  /** An answer below 500. */
  | 'success'
  /** An answer of 500 or above. */
  | 'error'
  /** Its time was over, that of the try or that of the request. */
  | 'timeout'
  /** The connection broke. */
  | 'reset'
  /** There was no connection to be had. */
  | 'connect_failure';

/** What a policy may want to be told of besides its hosts. */
export type PolicyEvent = 'answers' | 'load_reports';

/** A balancer that hears how the attempts that it has placed ended. What is absent is not asked for. */
export interface AnswerListener {
  /**
   * An attempt ended. What a circuit breaker turned away, and what the client gave up before it had a connection, is no
   * answer of the host.
   *
   * @param latencyUs from the choice of the host on, the wait for a connection included.
   */
  answered?(host: Host, latencyUs: Micros, outcome: AnswerOutcome): void;
  /** An answer carried a report of the host's load. */
  reported?(host: Host, report: LoadReport): void;
}
