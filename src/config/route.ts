/**
 * Routes: which cluster a request is for and what it asks of it. A scenario's workloads say this themselves; these
 * messages check the routes of a proxy's own file.
 */
import { z } from 'zod';
import { any } from './any.js';
import { ConfigSource } from './config-source.js';
import { DataSource, HeaderValueOption, Metadata, RequestMethod, RoutingPriority } from './core.js';
import { Int64Range } from './health-check.js';
import { RegexMatcher, StringMatcher } from './matcher.js';
import { FractionalPercent, RuntimeFractionalPercent } from './percent.js';
import { defaulted, mapOf, message, optional, plain, repeated, required } from './reader.js';
import type { Schema } from './reader.js';
import { bool, boolValue, duration, enumeration, int64, string, struct, uint32, uint32Value } from './reader/proto.js';

type HeaderOption = z.output<typeof HeaderValueOption>;

const headerOptions = z.array(HeaderValueOption).max(1000) as unknown as Schema<readonly HeaderOption[]>;

const headerChanges = {
  request_headers_to_add: defaulted(headerOptions, [], 'Headers added to requests.'),
  request_headers_to_remove: repeated(string(), 'Headers removed from requests.'),
  response_headers_to_add: defaulted(headerOptions, [], 'Headers added to responses.'),
  response_headers_to_remove: repeated(string(), 'Headers removed from responses.'),
};

const filterConfigs = {
  per_filter_config: mapOf(struct(), 'Options of filters.', { deprecated: 'use typed_per_filter_config' }),
  typed_per_filter_config: mapOf(any({ types: {} }), 'Options of filters.'),
};

const name = (): ReturnType<typeof string> => string({ minLength: 1 });

/** A list that must not be empty. */
function atLeastOne<T>(item: Schema<T>, what: string): Schema<readonly T[]> {
  return z.array(item).min(1, `needs at least one ${what}`);
}

/** route.HeaderMatcher */
export const HeaderMatcher = message(
  'route.HeaderMatcher',
  () => ({
    name: required(name(), 'Name of the header.'),
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

export type HeaderMatcher = z.output<typeof HeaderMatcher>;

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

const RouteMatch = message(
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

const RetryBackOff = message(
  'route.RetryPolicy.RetryBackOff',
  () => ({
    base_interval: required(duration({ aboveNanos: 0 }), 'First interval.'),
    max_interval: optional(duration({ aboveNanos: 0 }), 'Longest interval. Default 10 times base_interval.'),
  }),
  {
    doc: 'Exponential back-off between retries.',
    rules: [
      {
        name: 'backoff-order',
        doc: 'max_interval is at least base_interval.',
        reads: ['base_interval', 'max_interval'],
        check: ({ baseInterval, maxInterval }, report) => {
          if (maxInterval !== undefined && maxInterval < baseInterval) {
            report('retry_policy.max_interval must greater than or equal to the base_interval', ['max_interval']);
          }
        },
      },
    ],
  },
);

const extensionShape = () => ({
  name: required(name(), 'Name of the extension.'),
  config: optional(struct(), 'Its configuration.', { deprecated: 'use typed_config' }),
  typed_config: optional(any({ types: {} }), 'Its configuration.'),
});
const extensionOneOf = [{ name: 'config_type', fields: ['config', 'typed_config'] }];

const RetryPriority = message('route.RetryPolicy.RetryPriority', extensionShape, {
  doc: 'Chooses the priority of a retry.',
  oneOfs: extensionOneOf,
});

const RetryHostPredicate = message('route.RetryPolicy.RetryHostPredicate', extensionShape, {
  doc: 'Rejects hosts for a retry.',
  oneOfs: extensionOneOf,
});

/** route.RetryPolicy */
export const RouteRetryPolicy = message(
  'route.RetryPolicy',
  () => ({
    retry_on: plain(string(), 'Conditions, separated by commas.'),
    num_retries: optional(uint32Value(), 'Default 1.'),
    per_try_timeout: optional(duration(), 'Timeout of each attempt.'),
    retry_priority: optional(RetryPriority, 'Chooses the priority of a retry.'),
    retry_host_predicate: repeated(RetryHostPredicate, 'Reject hosts for a retry.'),
    host_selection_retry_max_attempts: plain(int64(), 'How often a host is chosen anew when predicates reject it.'),
    retriable_status_codes: repeated(uint32(), 'Statuses of retriable-status-codes.'),
    retry_back_off: optional(RetryBackOff, 'Waiting before a retry. Default 25 ms, at most 250 ms.'),
    retriable_headers: repeated(HeaderMatcher, 'Response headers of retriable-headers.'),
    retriable_request_headers: repeated(HeaderMatcher, 'Request headers that a retry needs.'),
  }),
  { doc: 'When and how a request is retried.' },
);

const HedgePolicy = message(
  'route.HedgePolicy',
  () => ({
    initial_requests: optional(uint32Value({ min: 1 }), 'Requests sent at first.'),
    additional_request_chance: optional(FractionalPercent, 'Chance of one more.'),
    hedge_on_per_try_timeout: plain(bool(), 'Send another at the per-try timeout.'),
  }),
  { doc: 'Sends a request more than once.' },
);

const ClusterWeight = message(
  'route.WeightedCluster.ClusterWeight',
  () => ({
    name: required(name(), 'Name of the cluster.'),
    weight: optional(uint32Value(), 'Its weight.'),
    metadata_match: optional(Metadata, 'What is asked of its subsets.'),
    ...headerChanges,
    ...filterConfigs,
  }),
  { doc: 'A cluster and its weight.' },
);

const WeightedCluster = message(
  'route.WeightedCluster',
  () => ({
    clusters: required(atLeastOne(ClusterWeight, 'cluster'), 'The clusters.'),
    total_weight: optional(uint32Value({ min: 1 }), 'What the weights add up to. Default 100.'),
    runtime_key_prefix: plain(string(), 'Runtime keys of the weights.'),
  }),
  {
    doc: 'Splits requests among clusters.',
    rules: [
      {
        name: 'weighted-clusters',
        doc: 'The weights sum to total_weight.',
        reads: ['clusters', 'total_weight'],
        check: ({ clusters, totalWeight = 100 }, report) => {
          const sum = clusters.reduce((total, { weight = 0 }) => total + weight, 0);
          if (sum !== totalWeight)
            report(`Sum of weights in the weighted_cluster should add up to ${totalWeight}, found ${sum}`);
        },
      },
    ],
  },
);

const HashPolicy = message(
  'route.RouteAction.HashPolicy',
  () => ({
    header: optional(
      message('route.RouteAction.HashPolicy.Header', () => ({ header_name: required(name(), 'Its name.') }), {
        doc: 'A header.',
      }),
      'Hash a header.',
    ),
    cookie: optional(
      message(
        'route.RouteAction.HashPolicy.Cookie',
        () => ({
          name: required(name(), 'Its name.'),
          ttl: optional(duration(), 'A cookie is made that lives this long.'),
          path: plain(string(), 'Path of a cookie that is made.'),
        }),
        { doc: 'A cookie.' },
      ),
      'Hash a cookie.',
    ),
    connection_properties: optional(
      message(
        'route.RouteAction.HashPolicy.ConnectionProperties',
        () => ({ source_ip: plain(bool(), 'The client’s address.') }),
        { doc: 'Properties of the connection.' },
      ),
      'Hash properties of the connection.',
    ),
    query_parameter: optional(
      message('route.RouteAction.HashPolicy.QueryParameter', () => ({ name: required(name(), 'Its name.') }), {
        doc: 'A query parameter.',
      }),
      'Hash a query parameter.',
    ),
    filter_state: optional(
      message('route.RouteAction.HashPolicy.FilterState', () => ({ key: required(name(), 'Its key.') }), {
        doc: 'Filter state.',
      }),
      'Hash filter state.',
    ),
    terminal: plain(bool(), 'If it gives a hash, later policies are not asked.'),
  }),
  {
    doc: 'Where the hash of a request comes from.',
    oneOfs: [
      {
        name: 'policy_specifier',
        fields: ['header', 'cookie', 'connection_properties', 'query_parameter', 'filter_state'],
        required: true,
      },
    ],
  },
);

const RequestMirrorPolicy = message(
  'route.RouteAction.RequestMirrorPolicy',
  () => ({
    cluster: required(name(), 'Cluster of the copies.'),
    runtime_key: plain(string(), 'Portion that is copied.', { deprecated: 'use runtime_fraction' }),
    runtime_fraction: optional(RuntimeFractionalPercent, 'Portion that is copied.'),
    trace_sampled: optional(boolValue(), 'Whether copies are traced.'),
  }),
  { doc: 'Sends copies of requests to another cluster.' },
);

const UpgradeConfig = message(
  'route.RouteAction.UpgradeConfig',
  () => ({ upgrade_type: plain(string(), 'The protocol.'), enabled: optional(boolValue(), 'Default true.') }),
  { doc: 'Whether a protocol upgrade is allowed.' },
);

/** Of these only that they are there matters here. */
const RateLimit = message('route.RateLimit', () => ({}), { doc: 'A rate limit.', open: true });
const CorsPolicy = message('route.CorsPolicy', () => ({}), { doc: 'Cross-origin requests.', open: true });
const Tracing = message('route.Tracing', () => ({}), { doc: 'Tracing of a route.', open: true });

const RouteAction = message(
  'route.RouteAction',
  () => ({
    cluster: optional(name(), 'The cluster.'),
    cluster_header: optional(name(), 'Header that names the cluster.'),
    weighted_clusters: optional(WeightedCluster, 'Several clusters.'),
    cluster_not_found_response_code: plain(
      enumeration('route.RouteAction.ClusterNotFoundResponseCode', { SERVICE_UNAVAILABLE: 0, NOT_FOUND: 1 }),
      'Status where the cluster does not exist.',
    ),
    metadata_match: optional(Metadata, 'What is asked of subsets.'),
    prefix_rewrite: plain(string(), 'Replaces the matched prefix.'),
    regex_rewrite: optional(
      message(
        'type.matcher.RegexMatchAndSubstitute',
        () => ({ pattern: optional(RegexMatcher, 'What is replaced.'), substitution: plain(string(), 'By what.') }),
        { doc: 'Replaces what matches.' },
      ),
      'Rewrites the path.',
    ),
    host_rewrite: optional(string(), 'Replaces the host header.'),
    auto_host_rewrite: optional(boolValue(), 'The host header becomes the name of the host.'),
    auto_host_rewrite_header: optional(string(), 'The host header becomes this header.'),
    timeout: optional(duration(), 'Timeout of the request. Default 15 s; 0 is none.'),
    idle_timeout: optional(duration(), 'Idle timeout of the stream.'),
    retry_policy: optional(RouteRetryPolicy, 'When and how a request is retried.'),
    retry_policy_typed_config: optional(any({ types: {} }), 'The same, of an extension.'),
    request_mirror_policy: optional(RequestMirrorPolicy, 'Copies of requests.', {
      deprecated: 'use request_mirror_policies',
    }),
    request_mirror_policies: repeated(RequestMirrorPolicy, 'Copies of requests.'),
    priority: plain(RoutingPriority, 'Routing priority.'),
    rate_limits: repeated(RateLimit, 'Rate limits.'),
    include_vh_rate_limits: optional(boolValue(), 'Rate limits of the virtual host hold as well.'),
    hash_policy: repeated(HashPolicy, 'Where the hash comes from.'),
    cors: optional(CorsPolicy, 'Cross-origin requests.'),
    max_grpc_timeout: optional(duration(), 'Longest gRPC timeout.'),
    grpc_timeout_offset: optional(duration(), 'Taken off the gRPC timeout.'),
    upgrade_configs: repeated(UpgradeConfig, 'Protocol upgrades.'),
    internal_redirect_action: plain(
      enumeration('route.RouteAction.InternalRedirectAction', {
        PASS_THROUGH_INTERNAL_REDIRECT: 0,
        HANDLE_INTERNAL_REDIRECT: 1,
      }),
      'What happens to internal redirects.',
    ),
    max_internal_redirects: optional(uint32Value(), 'Default 1.'),
    hedge_policy: optional(HedgePolicy, 'Sends a request more than once.'),
  }),
  {
    doc: 'Sends a request to a cluster.',
    oneOfs: [
      { name: 'cluster_specifier', fields: ['cluster', 'cluster_header', 'weighted_clusters'], required: true },
      {
        name: 'host_rewrite_specifier',
        fields: ['host_rewrite', 'auto_host_rewrite', 'auto_host_rewrite_header'],
      },
    ],
  },
);

const RedirectAction = message(
  'route.RedirectAction',
  () => ({
    https_redirect: optional(bool(), 'To HTTPS.'),
    scheme_redirect: optional(string(), 'To another scheme.'),
    host_redirect: plain(string(), 'To another host.'),
    port_redirect: plain(uint32(), 'To another port.'),
    path_redirect: optional(string(), 'To another path.'),
    prefix_rewrite: optional(string(), 'To another prefix.'),
    response_code: plain(
      enumeration('route.RedirectAction.RedirectResponseCode', {
        MOVED_PERMANENTLY: 0,
        FOUND: 1,
        SEE_OTHER: 2,
        TEMPORARY_REDIRECT: 3,
        PERMANENT_REDIRECT: 4,
      }),
      'Status of the redirect.',
    ),
    strip_query: plain(bool(), 'Without the query.'),
  }),
  {
    doc: 'Redirects.',
    oneOfs: [
      { name: 'scheme_rewrite_specifier', fields: ['https_redirect', 'scheme_redirect'] },
      { name: 'path_rewrite_specifier', fields: ['path_redirect', 'prefix_rewrite'] },
    ],
  },
);

const DirectResponseAction = message(
  'route.DirectResponseAction',
  () => ({
    status: required(uint32({ min: 100, max: 599 }), 'Status of the answer.'),
    body: optional(DataSource, 'Body of the answer.'),
  }),
  { doc: 'Answers at once.' },
);

const FilterAction = message(
  'route.FilterAction',
  () => ({ action: optional(any({ types: {} }), 'What the filter does.') }),
  { doc: 'Leaves the answer to a filter.' },
);

const Decorator = message(
  'route.Decorator',
  () => ({ operation: required(name(), 'Name of the operation.'), propagate: optional(boolValue(), 'Default true.') }),
  { doc: 'Names the operation in traces.' },
);

const Route = message(
  'route.Route',
  () => ({
    name: plain(string(), 'Name of the route.'),
    match: required(RouteMatch, 'Which requests it is for.'),
    route: optional(RouteAction, 'Sends them to a cluster.'),
    redirect: optional(RedirectAction, 'Redirects them.'),
    direct_response: optional(DirectResponseAction, 'Answers at once.'),
    filter_action: optional(FilterAction, 'Leaves the answer to a filter.'),
    metadata: optional(Metadata, 'Further information.'),
    decorator: optional(Decorator, 'Names the operation in traces.'),
    ...headerChanges,
    ...filterConfigs,
    tracing: optional(Tracing, 'Tracing.'),
    per_request_buffer_limit_bytes: optional(uint32Value(), 'Buffer limit of a request.'),
  }),
  {
    doc: 'What happens to some of the requests.',
    oneOfs: [{ name: 'action', fields: ['route', 'redirect', 'direct_response', 'filter_action'], required: true }],
  },
);

const VirtualCluster = message(
  'route.VirtualCluster',
  () => ({
    pattern: plain(string({ maxBytes: 1024 }), 'Matches paths.', { deprecated: 'use headers' }),
    headers: repeated(HeaderMatcher, 'All must match.'),
    name: required(name(), 'Name in statistics.'),
    method: plain(RequestMethod, 'Method.', { deprecated: 'use headers' }),
  }),
  { doc: 'Requests that are counted by themselves.' },
);

const VirtualHost = message(
  'route.VirtualHost',
  () => ({
    name: required(name(), 'Name in statistics.'),
    domains: required(atLeastOne(string(), 'domain'), 'Hosts it is for; * is any.'),
    routes: repeated(Route, 'The first that matches is taken.'),
    require_tls: plain(
      enumeration('route.VirtualHost.TlsRequirementType', { NONE: 0, EXTERNAL_ONLY: 1, ALL: 2 }),
      'Whether TLS is needed.',
    ),
    virtual_clusters: repeated(VirtualCluster, 'Requests that are counted by themselves.'),
    rate_limits: repeated(RateLimit, 'Rate limits.'),
    ...headerChanges,
    ...filterConfigs,
    cors: optional(CorsPolicy, 'Cross-origin requests.'),
    include_request_attempt_count: plain(bool(), 'Tell the host the number of the attempt.'),
    include_attempt_count_in_response: plain(bool(), 'Tell the client the number of attempts.'),
    retry_policy: optional(RouteRetryPolicy, 'Of routes without one.'),
    retry_policy_typed_config: optional(any({ types: {} }), 'The same, of an extension.'),
    hedge_policy: optional(HedgePolicy, 'Of routes without one.'),
    per_request_buffer_limit_bytes: optional(uint32Value(), 'Buffer limit of a request.'),
  }),
  { doc: 'Routes of some domains.' },
);

const Vhds = message('Vhds', () => ({ config_source: required(ConfigSource, 'Where virtual hosts come from.') }), {
  doc: 'Virtual host discovery.',
});

/** RouteConfiguration */
export const RouteConfiguration = message(
  'RouteConfiguration',
  () => ({
    name: plain(string(), 'Name of the configuration.'),
    virtual_hosts: repeated(VirtualHost, 'Routes by domain.'),
    vhds: optional(Vhds, 'Virtual host discovery.'),
    internal_only_headers: repeated(string(), 'Headers removed from outside requests.'),
    ...headerChanges,
    most_specific_header_mutations_wins: plain(bool(), 'Order of header changes.'),
    validate_clusters: optional(boolValue(), 'Whether clusters must exist.'),
  }),
  { doc: 'Which cluster a request is for.' },
);
export type RouteConfiguration = z.output<typeof RouteConfiguration>;
