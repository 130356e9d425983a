/**
 * core.HealthCheck: active health checking.
 */
import { any, isProxyName } from './any.js';
import { GrpcService } from './config-source.js';
import { HeaderValueOption, oneLine, removedHeader } from './core.js';
import { StringMatcher } from './matcher.js';
import { defaulted, listOf, message, optional, plain, repeated, required } from './reader.js';
import type { Output } from './reader.js';
import {
  bool,
  boolValue,
  bytes,
  duration,
  enumeration,
  int64,
  string,
  struct,
  uint32,
  uint32Value,
} from './reader/proto.js';

const noBytes = { noEffect: 'bytes are not simulated; `health_check` of the host’s behaviour says how it answers' };
const noSockets = { noEffect: 'health checks have no connections here' };
const noChecker = {
  noEffect: 'checkers have no protocol here; `health_check` of the host’s behaviour says how it answers',
};
const noHeaders = { noEffect: 'health checks carry no headers here' };

const Payload = message(
  'core.HealthCheck.Payload',
  () => ({
    text: optional(string({ minLength: 1 }), 'Bytes in hexadecimal.'),
    binary: optional(bytes(), 'Bytes.'),
  }),
  {
    doc: 'Bytes to send or to expect.',
    oneOfs: [{ name: 'payload', fields: ['text', 'binary'], required: true }],
    rules: [
      {
        name: 'hex',
        doc: 'An even number of hexadecimal digits.',
        reads: ['text'],
        check: ({ text }, report) => {
          if (text !== undefined && !/^(?:[\da-fA-F]{2})+$/.test(text)) {
            report(`invalid hex string '${text}': two digits of 0–9, a–f for each byte`, ['text']);
          }
        },
      },
    ],
  },
);

/** type.Int64Range: half-open. */
export const Int64Range = message(
  'type.Int64Range',
  () => ({ start: plain(int64(), 'First value.'), end: plain(int64(), 'The value after the last.') }),
  { doc: 'A half-open range of whole numbers.' },
);

const CodecClientType = enumeration('type.CodecClientType', { HTTP1: 0, HTTP2: 1, HTTP3: 2 });

const HttpHealthCheck = message(
  'core.HealthCheck.HttpHealthCheck',
  () => ({
    host: plain(string({ pattern: oneLine('a host') }), 'Host header. Default: the name of the cluster.', noHeaders),
    path: required(string({ minLength: 1, pattern: oneLine('a path') }), 'Path that is requested.', {
      noEffect: 'a simulated host answers alike on every path; `health_check` of its behaviour says how',
    }),
    send: optional(Payload, 'Payload.', noBytes),
    receive: optional(Payload, 'Expected payload.', noBytes),
    service_name: plain(string(), 'Expected service.', { deprecated: 'use service_name_matcher' }),
    request_headers_to_add: defaulted(
      listOf(HeaderValueOption, { max: 1000, words: 'too big: expected array to have <=1000 items' }),
      [],
      'Headers to add to health checks.',
      noHeaders,
    ),
    request_headers_to_remove: repeated(removedHeader(), 'Headers to remove from health checks.', noHeaders),
    use_http2: plain(bool(), 'Check over HTTP/2.', { deprecated: 'use codec_client_type: HTTP2', ...noSockets }),
    expected_statuses: repeated(Int64Range, 'Statuses that count as healthy. Default 200.'),
    codec_client_type: plain(CodecClientType, 'Protocol of health checks.', noSockets),
    service_name_matcher: optional(
      StringMatcher,
      'Expected service: simulated hosts are the right one. Where runtime verifies only some checks, it costs a random number.',
    ),
  }),
  {
    doc: 'Asks for a path and looks at the status.',
    rules: [
      {
        name: 'expected-statuses',
        doc: 'Each range lies within 100 to 599, and its end is above its start.',
        reads: ['expected_statuses'],
        check: ({ expectedStatuses }, report) => {
          for (const [index, { start, end }] of expectedStatuses.entries()) {
            const at = ['expected_statuses', index];
            const prefix = 'Invalid http expected status range:';
            if (start >= end) report(`${prefix} expecting start < end, but found start=${start} and end=${end}`, at);
            else if (start < 100n)
              report(`${prefix} expecting start >= 100, but found start=${start}`, [...at, 'start']);
            if (end > 600n) report(`${prefix} expecting end <= 600, but found end=${end}`, [...at, 'end']);
          }
        },
      },
    ],
  },
);

const TcpHealthCheck = message(
  'core.HealthCheck.TcpHealthCheck',
  () => ({
    send: optional(Payload, 'Bytes to send; empty: only connect.', noBytes),
    receive: repeated(Payload, 'Blocks that the answer must contain.', noBytes),
  }),
  { doc: 'Connects, and compares bytes.' },
);

const GrpcHealthCheck = message(
  'core.HealthCheck.GrpcHealthCheck',
  () => ({
    service_name: plain(string(), 'Service that is asked for.', {
      noEffect: 'a simulated host answers alike for every service',
    }),
    authority: plain(
      string({ pattern: oneLine('a host') }),
      'Value of :authority. Default: the name of the cluster.',
      noHeaders,
    ),
  }),
  { doc: 'Calls grpc.health.v1.Health; needs HTTP/2.' },
);

const CustomHealthCheck = message(
  'core.HealthCheck.CustomHealthCheck',
  () => ({
    name: required(string({ minLength: 1 }), 'Registered name of the checker.'),
    config: optional(struct(), 'Configuration of the checker.', { deprecated: 'use typed_config', ...noChecker }),
    typed_config: optional(any({ types: {} }), 'Configuration of the checker.', noChecker),
  }),
  {
    doc: 'A checker of an extension.',
    oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }],
    rules: [
      {
        name: 'extension-name',
        doc: 'The name is one the proxy knows.',
        reads: ['name'],
        check: ({ name }, report) => {
          if (!isProxyName(name)) report(`${name} is not a health checker that the proxy knows`, ['name']);
        },
      },
    ],
  },
);

const EventServiceConfig = message(
  'core.EventServiceConfig',
  () => ({ grpc_service: optional(GrpcService, 'Where events are sent.') }),
  {
    doc: 'A service that is told of events.',
    oneOfs: [{ name: 'config_source_specifier', fields: ['grpc_service'], required: true }],
  },
);

const TlsOptions = message(
  'core.HealthCheck.TlsOptions',
  () => ({ alpn_protocols: repeated(string(), 'Application protocols of health check connections.') }),
  { doc: 'TLS of health check connections.' },
);

/** core.HealthCheck */
export const HealthCheck = message(
  'core.HealthCheck',
  () => ({
    timeout: required(duration({ aboveNanos: 0 }), 'How long the answer may take.'),
    interval: required(duration({ aboveNanos: 0 }), 'Time between checks.'),
    initial_jitter: optional(duration(), 'Random delay of the first check.'),
    interval_jitter: optional(duration(), 'Random addition to each interval.'),
    interval_jitter_percent: plain(uint32(), 'Random addition to each interval, percent of it.'),
    unhealthy_threshold: required(
      uint32Value(),
      'Failed checks in a row that make a host unhealthy. An HTTP error counts at once.',
    ),
    healthy_threshold: required(
      uint32Value(),
      'Passed checks in a row that make it healthy. The first check counts at once.',
    ),
    alt_port: optional(uint32Value(), 'Port of health checks.', {
      noEffect: 'a simulated host answers health checks on any port',
    }),
    reuse_connection: optional(boolValue(), 'Keep connections between checks. Default true.', noSockets),
    http_health_check: optional(HttpHealthCheck, 'Asks for a path.'),
    tcp_health_check: optional(TcpHealthCheck, 'Connects.'),
    grpc_health_check: optional(GrpcHealthCheck, 'Calls the gRPC health service.'),
    custom_health_check: optional(CustomHealthCheck, 'A checker of an extension.'),
    no_traffic_interval: optional(
      duration({ aboveNanos: 0 }),
      'Interval while the cluster has never had traffic. Default 60 s.',
    ),
    no_traffic_healthy_interval: optional(
      duration({ aboveNanos: 0 }),
      'As no_traffic_interval, of hosts that are healthy. Default: no_traffic_interval.',
      { extension: 'since 1.17' },
    ),
    unhealthy_interval: optional(duration({ aboveNanos: 0 }), 'Interval of unhealthy hosts. Default: interval.'),
    unhealthy_edge_interval: optional(
      duration({ aboveNanos: 0 }),
      'Interval right after a host became unhealthy. Default: unhealthy_interval.',
    ),
    healthy_edge_interval: optional(
      duration({ aboveNanos: 0 }),
      'Interval right after a host became healthy. Default: interval.',
    ),
    event_log_path: plain(string(), 'File of health check events.', { noEffect: 'the report lists every event' }),
    event_service: optional(EventServiceConfig, 'Service that is told of events.', {
      noEffect: 'the report lists every event',
    }),
    always_log_health_check_failures: plain(bool(), 'Log every failure, not only the first.', {
      noEffect: 'the report lists every event',
    }),
    tls_options: optional(TlsOptions, 'TLS of health check connections.', { noEffect: 'TLS is not simulated' }),
  }),
  {
    doc: 'Active health checking: the proxy asks each host whether it is well.',
    oneOfs: [
      {
        name: 'health_checker',
        fields: ['http_health_check', 'tcp_health_check', 'grpc_health_check', 'custom_health_check'],
        required: true,
      },
    ],
  },
);
export type HealthCheck = Output<typeof HealthCheck>;
