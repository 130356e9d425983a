/**
 * core.HealthCheck: active health checking.
 */
import { requestHeaderRemovals } from '../route/route-parts.js';
import { proxyName } from '../extension.js';
import { StringMatcher } from '../route/matcher.js';
import { message, optional, plain, repeated, required, valid, type Report, type Output } from '../reader.js';
import { duration, int64, string, uint32, uint32Value } from '../reader/proto.js';

const Payload = message(
  'core.HealthCheck.Payload',
  () => ({ text: optional(string()) }),
  valid('hex', 'text', 'An even number of hexadecimal digits.', (text: string) =>
    /^(?:[\da-fA-F]{2})+$/.test(text)
      ? undefined
      : `invalid hex string '${text}': two digits of 0–9, a–f for each byte`,
  ),
);

/** type.Int64Range: half-open. */
export const Int64Range = message('type.Int64Range', () => ({ start: plain(int64()), end: plain(int64()) }));

function checkRanges(
  kind: 'expected' | 'retriable',
  ranges: readonly { readonly start: bigint; readonly end: bigint }[],
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

const HttpHealthCheck = message(
  'core.HealthCheck.HttpHealthCheck',
  () => ({
    ...requestHeaderRemovals.shape(),
    service_name: plain(string()),
    expected_statuses: repeated(Int64Range),
    retriable_statuses: repeated(Int64Range),
    service_name_matcher: optional(StringMatcher),
  }),
  requestHeaderRemovals.rule,
  {
    name: 'expected-statuses',
    reads: ['expected_statuses', 'retriable_statuses'],
    check: ({ expectedStatuses, retriableStatuses }, report) => {
      checkRanges('expected', expectedStatuses, report);
      checkRanges('retriable', retriableStatuses, report);
    },
  },
);

const TcpHealthCheck = message('core.HealthCheck.TcpHealthCheck', () => ({ receive: repeated(Payload) }));

const GrpcHealthCheck = message('core.HealthCheck.GrpcHealthCheck', () => ({}));

const CustomHealthCheck = message(
  'core.HealthCheck.CustomHealthCheck',
  () => ({ name: required(string()) }),
  proxyName('health checker'),
);

export const HealthCheck = message('core.HealthCheck', () => ({
  timeout: required(duration()),
  interval: required(duration()),
  initial_jitter: optional(duration()),
  interval_jitter: optional(duration()),
  interval_jitter_percent: plain(uint32()),
  unhealthy_threshold: required(uint32Value()),
  healthy_threshold: required(uint32Value()),
  http_health_check: optional(HttpHealthCheck),
  tcp_health_check: optional(TcpHealthCheck),
  grpc_health_check: optional(GrpcHealthCheck),
  custom_health_check: optional(CustomHealthCheck),
  no_traffic_interval: optional(duration()),
  no_traffic_healthy_interval: optional(duration()),
  unhealthy_interval: optional(duration()),
  unhealthy_edge_interval: optional(duration()),
  healthy_edge_interval: optional(duration()),
}));
export type HealthCheck = Output<typeof HealthCheck>;
