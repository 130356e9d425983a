import type { Output } from './reader.js';
import { Int64Range } from './health-check.js';
import { RegexMatcher, StringMatcher } from './matcher.js';
import { RuntimeFractionalPercent } from './percent.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { bool, boolValue, string } from './reader/proto.js';
import { headerName, name } from './route-parts.js';

/** route.HeaderMatcher */
export const HeaderMatcher = message(
  'route.HeaderMatcher',
  () => ({
    name: required(headerName(), 'Name of the header.'),
    exact_match: optional(string(), 'Its value.'),
    regex_match: optional(string({ maxBytes: 1024 }), 'Matches its value.', { deprecated: 'use safe_regex_match' }),
    safe_regex_match: optional(RegexMatcher, 'Matches its value.'),
    range_match: optional(Int64Range, 'Half-open range of its value.'),
    present_match: optional(bool(), 'It is there.'),
    prefix_match: optional(name(), 'How its value begins.'),
    suffix_match: optional(name(), 'How its value ends.'),
    invert_match: plain(bool(), 'Matches where it otherwise would not.'),
  }),
  {
    doc: 'Matches a header.',
    oneOfs: [
      {
        name: 'header_match_specifier',
        fields: [
          'exact_match',
          'regex_match',
          'safe_regex_match',
          'range_match',
          'present_match',
          'prefix_match',
          'suffix_match',
        ],
      },
    ],
  },
);

export type HeaderMatcher = Output<typeof HeaderMatcher>;

const QueryParameterMatcher = message(
  'route.QueryParameterMatcher',
  () => ({
    name: required(string({ minLength: 1, maxBytes: 1024 }), 'Name of the parameter.'),
    value: plain(string(), 'Its value.', { deprecated: 'use string_match' }),
    regex: optional(boolValue(), 'The value is an expression.', { deprecated: 'use string_match' }),
    string_match: optional(StringMatcher, 'Matches its value.'),
    present_match: optional(bool(), 'It is there.'),
  }),
  {
    doc: 'Matches a query parameter.',
    oneOfs: [{ name: 'query_parameter_match_specifier', fields: ['string_match', 'present_match'] }],
  },
);

const GrpcRouteMatchOptions = message('route.RouteMatch.GrpcRouteMatchOptions', () => ({}), {
  doc: 'Only gRPC requests.',
});

const TlsContextMatchOptions = message(
  'route.RouteMatch.TlsContextMatchOptions',
  () => ({
    presented: optional(boolValue(), 'The client presented a certificate.'),
    validated: optional(boolValue(), 'It was valid.'),
  }),
  { doc: 'Matches the client’s certificate.' },
);

export const RouteMatch = message(
  'route.RouteMatch',
  () => ({
    prefix: optional(string(), 'How the path begins.'),
    path: optional(string(), 'The path.'),
    regex: optional(string({ maxBytes: 1024 }), 'Matches the path.', { deprecated: 'use safe_regex' }),
    safe_regex: optional(RegexMatcher, 'Matches the path.'),
    case_sensitive: optional(boolValue(), 'Default true.'),
    runtime_fraction: optional(RuntimeFractionalPercent, 'Portion of requests that match.'),
    headers: repeated(HeaderMatcher, 'All must match.'),
    query_parameters: repeated(QueryParameterMatcher, 'All must match.'),
    grpc: optional(GrpcRouteMatchOptions, 'Only gRPC requests.'),
    tls_context: optional(TlsContextMatchOptions, 'Matches the client’s certificate.'),
  }),
  {
    doc: 'Which requests a route is for.',
    oneOfs: [{ name: 'path_specifier', fields: ['prefix', 'path', 'regex', 'safe_regex'], required: true }],
  },
);

// --- what a route does ---------------------------------------------------------------------------------------------
