import { NAMES } from './generated/names.js';

/**
 * Why requests failed, by the result of their last attempt: no host was found, a circuit breaker rejected it, no connection
 * could be made, the connection broke, time was over, a host answered with a status of 500 or more, the cluster dropped it
 * (`drop_overloads`), or the proxy did not know the cluster.
 */
export const FAILURE_CAUSES = NAMES.failure_causes;

export type FailureCause = (typeof FAILURE_CAUSES)[number];
