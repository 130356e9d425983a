import type { HealthCheckAnswer } from '../settings/behavior.js';
import type { HealthCheckProtocol, StatusRange } from '../settings/cluster-settings.js';

/**
 * How one health check ended:
 * - `success`, `degraded`: a good answer, the latter with the header that says degraded;
 * - `failure`, `excluding_failure`: a bad answer, the latter with the header that fails the host at once;
 * - `retriable`, `excluding_retriable`: the same with a status that only counts towards the threshold;
 * - `network`: refused or closed; `timeout`: no answer in time.
 */
export type CheckResult =
  | 'success'
  | 'degraded'
  | 'failure'
  | 'excluding_failure'
  | 'retriable'
  | 'excluding_retriable'
  | 'network'
  | 'timeout';

/** @param immediateFail answers carry the immediate-failure header, which counts in a bad HTTP answer only. */
export function checkResult(
  protocol: HealthCheckProtocol,
  answer: HealthCheckAnswer,
  immediateFail: boolean,
): CheckResult {
  if (answer === 'refuse') return 'network';
  if (protocol.kind === 'tcp') return tcpResult(protocol.expectsBytes, answer);
  if (answer === 'hang') return 'timeout';
  if (answer === 'ok') return 'success';
  if (protocol.kind === 'other') {
    // gRPC and custom checkers know no header that says degraded.
    return answer === 'degraded' ? 'success' : 'failure';
  }
  if (answer === 'degraded') return 'degraded';
  const { expectedStatuses, retriableStatuses } = protocol;
  if (expectedStatuses.length === 0 ? answer === 200 : isWithin(expectedStatuses, answer)) return 'success';
  if (isWithin(retriableStatuses, answer)) return immediateFail ? 'excluding_retriable' : 'retriable';
  return immediateFail ? 'excluding_failure' : 'failure';
}

/** A TCP check without `receive` passes on connect; one with `receive` waits for those bytes. */
function tcpResult(expectsBytes: boolean, answer: Exclude<HealthCheckAnswer, 'refuse'>): CheckResult {
  if (!expectsBytes || answer === 'ok' || answer === 'degraded') return 'success';
  return 'timeout';
}

function isWithin(ranges: readonly StatusRange[], status: number): boolean {
  return ranges.some(({ start, end }) => status >= start && status < end);
}
