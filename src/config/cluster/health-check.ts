/**
 * core.HealthCheck: active health checking.
 */
import type { Messages } from '../api/generated/read-messages.js';
import { requestHeaderRemovals } from '../route/route-parts.js';
import { proxyName } from '../extension.js';
import { message, valid, type Report } from '../reader.js';

message(
  'core.HealthCheck.Payload',
  valid('hex', 'text', 'An even number of hexadecimal digits.', (text: string) =>
    /^(?:[\da-fA-F]{2})+$/.test(text)
      ? undefined
      : `invalid hex string '${text}': two digits of 0–9, a–f for each byte`,
  ),
);

/** Ranges are half-open. */
function checkRanges(
  kind: 'expected' | 'retriable',
  ranges: readonly Messages['type.Int64Range'][],
  report: Report,
): void {
  const prefix = `Invalid http ${kind} status range:`;
  for (const [index, { start, end }] of ranges.entries()) {
    const at = [`${kind}_statuses`, index];
    if (start >= end) report(`${prefix} expecting start < end, but found start=${start} and end=${end}`, at);
    else if (start < 100n) report(`${prefix} expecting start >= 100, but found start=${start}`, [...at, 'start']);
    if (end > 600n) report(`${prefix} expecting end <= 600, but found end=${end}`, [...at, 'end']);
  }
}

message('core.HealthCheck.HttpHealthCheck', requestHeaderRemovals, {
  name: 'expected-statuses',
  reads: ['expected_statuses', 'retriable_statuses'],
  check: ({ expectedStatuses, retriableStatuses }, report) => {
    checkRanges('expected', expectedStatuses, report);
    checkRanges('retriable', retriableStatuses, report);
  },
});

message('core.HealthCheck.CustomHealthCheck', proxyName('health checker'));

export const HealthCheck = message('core.HealthCheck');
export type HealthCheck = Messages['core.HealthCheck'];
