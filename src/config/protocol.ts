/**
 * Protocol options of upstream connections. Connections and streams are simulated as requests in flight, so most of
 * these are checked and have no effect.
 */
import type { Has } from './reader/schema.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { bool, boolValue, duration, enumeration, string, uint32Value } from './reader/proto.js';

/** core.UpstreamHttpProtocolOptions */
export const UpstreamHttpProtocolOptions = message(
  'core.UpstreamHttpProtocolOptions',
  () => ({
    auto_sni: plain(bool(), 'Set SNI from the host header.'),
    auto_san_validation: plain(bool(), 'Verify the certificate against the host header.'),
  }),
  { doc: 'Options of upstream HTTP connections of any version.' },
);

/** core.HttpProtocolOptions */
export const HttpProtocolOptions = message(
  'core.HttpProtocolOptions',
  () => ({
    idle_timeout: optional(duration(), 'Idle connections are closed after it. Default 1 h.'),
    max_connection_duration: optional(duration(), 'Connections are drained after it.'),
    max_headers_count: optional(uint32Value({ min: 1 }), 'Default 100.'),
    max_stream_duration: optional(duration(), 'Streams are reset after it.'),
    headers_with_underscores_action: plain(
      enumeration(
        'core.HttpProtocolOptions.HeadersWithUnderscoresAction',
        { ALLOW: 0, REJECT_REQUEST: 1, DROP_HEADER: 2 },
        { open: true },
      ),
      'What happens to headers with underscores.',
    ),
  }),
  { doc: 'Options for HTTP/1 and HTTP/2.' },
);

const ProperCaseWords = message('core.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords', () => ({}), {
  doc: 'Header names as Proper-Case-Words.',
});

const HeaderKeyFormat = message(
  'core.Http1ProtocolOptions.HeaderKeyFormat',
  () => ({ proper_case_words: optional(ProperCaseWords, 'Proper-Case-Words.') }),
  {
    doc: 'How header names are written.',
    oneOfs: [{ name: 'header_format', fields: ['proper_case_words'], required: true }],
  },
);

/** core.Http1ProtocolOptions */
export const Http1ProtocolOptions = message(
  'core.Http1ProtocolOptions',
  () => ({
    allow_absolute_url: optional(boolValue(), 'Take absolute URLs in requests.'),
    accept_http_10: plain(bool(), 'Take HTTP/1.0.'),
    default_host_for_http_10: plain(string(), 'Host of HTTP/1.0 requests without one.'),
    header_key_format: optional(HeaderKeyFormat, 'How header names are written.'),
    enable_trailers: plain(bool(), 'Pass trailers on.'),
  }),
  { doc: 'HTTP/1 options.' },
);

const SettingsParameter = message(
  'core.Http2ProtocolOptions.SettingsParameter',
  () => ({
    identifier: required(uint32Value({ max: 65535 }), 'Identifier of the setting.'),
    value: required(uint32Value(), 'Value of the setting.'),
  }),
  { doc: 'A custom SETTINGS parameter.' },
);

const window = (): ReturnType<typeof uint32Value> => uint32Value({ min: 65535, max: 2147483647 });

const noFrames = { noEffect: 'frames are not simulated' };

/** core.Http2ProtocolOptions */
export const Http2ProtocolOptions = message(
  'core.Http2ProtocolOptions',
  () => ({
    hpack_table_size: optional(uint32Value(), 'Octets of the dynamic table; 0 disables it. Default 4096.', noFrames),
    max_concurrent_streams: optional(uint32Value({ min: 1, max: 2147483647 }), 'Default 2147483647.'),
    initial_stream_window_size: optional(window(), 'Default 256 MiB.', noFrames),
    initial_connection_window_size: optional(window(), 'Default 256 MiB.', noFrames),
    allow_connect: plain(bool(), 'Allow CONNECT.', noFrames),
    allow_metadata: plain(bool(), 'Allow METADATA frames.', noFrames),
    max_outbound_frames: optional(uint32Value({ min: 1 }), 'Default 10000.', noFrames),
    max_outbound_control_frames: optional(uint32Value({ min: 1 }), 'Default 1000.', noFrames),
    max_consecutive_inbound_frames_with_empty_payload: optional(uint32Value(), 'Default 1.', noFrames),
    max_inbound_priority_frames_per_stream: optional(uint32Value(), 'Default 100.', noFrames),
    max_inbound_window_update_frames_per_data_frame_sent: optional(uint32Value({ min: 1 }), 'Default 10.', noFrames),
    stream_error_on_invalid_http_messaging: plain(bool(), 'Reset the stream, not the connection.', noFrames),
    custom_settings_parameters: repeated(SettingsParameter, 'Further SETTINGS.', noFrames),
  }),
  {
    doc: 'HTTP/2 options. Their presence makes the proxy speak HTTP/2 to the hosts.',
    rules: [
      {
        name: 'http2-settings',
        doc: 'What has a field of its own and is set there is no custom parameter; allow_connect never is one, server push cannot be switched on, and no parameter has two values.',
        reads: ['custom_settings_parameters'],
        check: ({ customSettingsParameters }, report, has) => {
          const values = new Map<number, number>();
          for (const [index, { identifier, value }] of customSettingsParameters.entries()) {
            const problem =
              (values.get(identifier) ?? value) === value
                ? settingProblem(identifier, value, has)
                : `inconsistent HTTP/2 custom SETTINGS parameter(s) detected: ${identifier} has another value already`;
            if (problem !== undefined) report(problem, ['custom_settings_parameters', index, 'identifier']);
            values.set(identifier, value);
          }
        },
      },
    ],
  },
);

/** Fields of the parameters that have one. */
const NAMED: ReadonlyMap<number, string> = new Map([
  [1, 'hpack_table_size'],
  [3, 'max_concurrent_streams'],
  [4, 'initial_stream_window_size'],
]);

const ENABLE_PUSH = 2;
const ENABLE_CONNECT_PROTOCOL = 8;

function settingProblem(identifier: number, value: number, has: Has): string | undefined {
  if (identifier === ENABLE_PUSH && value === 1) {
    return 'server push is not supported by the proxy and can not be enabled via a SETTINGS parameter';
  }
  if (identifier === ENABLE_CONNECT_PROTOCOL) {
    return 'the "allow_connect" SETTINGS parameter must only be configured through the named field';
  }
  const field = NAMED.get(identifier);
  if (field === undefined || !has(field)) return undefined;
  return `the {${field}} HTTP/2 SETTINGS parameter(s) can not be configured through both named and custom parameters`;
}
