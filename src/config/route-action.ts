import { any } from './any.js';
import { Metadata, RoutingPriority } from './core.js';
import { RegexMatcher } from './matcher.js';
import { RuntimeFractionalPercent } from './percent.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { bool, boolValue, duration, enumeration, string, struct, uint32Value } from './reader/proto.js';
import {
  atLeastOne,
  filterConfigs,
  filterConfigsRule,
  headerChanges,
  headerName,
  lineOf,
  name,
} from './route-parts.js';
import { HedgePolicy, RouteRetryPolicy } from './route-retry.js';

const ClusterWeight = message(
  'route.WeightedCluster.ClusterWeight',
  () => ({
    name: required(name(), 'Name of the cluster.'),
    weight: optional(uint32Value(), 'Its weight.'),
    metadata_match: optional(Metadata, 'What is asked of its subsets.'),
    ...headerChanges(),
    ...filterConfigs,
  }),
  { doc: 'A cluster and its weight.', rules: [filterConfigsRule] },
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

/** route.RouteAction.HashPolicy */
export const RouteHashPolicy = message(
  'route.RouteAction.HashPolicy',
  () => ({
    header: optional(
      message('route.RouteAction.HashPolicy.Header', () => ({ header_name: required(headerName(), 'Its name.') }), {
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
  () => ({ upgrade_type: required(headerName(), 'The protocol.'), enabled: optional(boolValue(), 'Default true.') }),
  { doc: 'Whether a protocol upgrade is allowed.' },
);

/** Of these only that they are there matters here. */
export const RateLimit = message(
  'route.RateLimit',
  () => ({
    stage: optional(uint32Value({ max: 10 }), 'Which rate limit filter it is for.'),
    actions: repeated(struct(), 'What it counts by.'),
  }),
  {
    doc: 'A rate limit.',
    open: true,
    rules: [
      {
        name: 'rate-limit-actions',
        doc: 'There is an action at least.',
        reads: ['actions'],
        check: ({ actions }, report) => {
          if (actions.length === 0) report('a rate limit needs at least one action', ['actions']);
        },
      },
    ],
  },
);
export const CorsPolicy = message('route.CorsPolicy', () => ({}), { doc: 'Cross-origin requests.', open: true });
export const Tracing = message('route.Tracing', () => ({}), { doc: 'Tracing of a route.', open: true });

export const RouteAction = message(
  'route.RouteAction',
  () => ({
    cluster: optional(name(), 'The cluster.'),
    cluster_header: optional(headerName(), 'Header that names the cluster.'),
    weighted_clusters: optional(WeightedCluster, 'Several clusters.'),
    cluster_not_found_response_code: plain(
      enumeration('route.RouteAction.ClusterNotFoundResponseCode', { SERVICE_UNAVAILABLE: 0, NOT_FOUND: 1 }),
      'Status where the cluster does not exist.',
    ),
    metadata_match: optional(Metadata, 'What is asked of subsets.'),
    prefix_rewrite: plain(lineOf('a prefix'), 'Replaces the matched prefix.'),
    regex_rewrite: optional(
      message(
        'type.matcher.RegexMatchAndSubstitute',
        () => ({ pattern: required(RegexMatcher, 'What is replaced.'), substitution: plain(string(), 'By what.') }),
        { doc: 'Replaces what matches.' },
      ),
      'Rewrites the path.',
    ),
    host_rewrite: optional(lineOf('a host'), 'Replaces the host header.'),
    auto_host_rewrite: optional(boolValue(), 'The host header becomes the name of the host.'),
    auto_host_rewrite_header: optional(lineOf('a header name'), 'The host header becomes this header.'),
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
    hash_policy: repeated(RouteHashPolicy, 'Where the hash comes from.'),
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
    rules: [
      {
        name: 'upgrade-type',
        doc: 'Each upgrade_type is there once, whatever its letter case.',
        reads: ['upgrade_configs'],
        check: ({ upgradeConfigs }, report) => {
          const seen = new Set<string>();
          for (const [index, { upgradeType }] of upgradeConfigs.entries()) {
            const type = upgradeType.toLowerCase();
            if (seen.has(type)) report(`Duplicate upgrade ${upgradeType}`, ['upgrade_configs', index, 'upgrade_type']);
            seen.add(type);
          }
        },
      },
      {
        name: 'rewrite',
        doc: 'prefix_rewrite and regex_rewrite exclude each other.',
        reads: ['prefix_rewrite'],
        check: ({ prefixRewrite }, report, has) => {
          if (prefixRewrite !== '' && has('regex_rewrite')) {
            report('Cannot specify both prefix_rewrite and regex_rewrite', ['regex_rewrite']);
          }
        },
      },
      {
        name: 'mirror-policies',
        doc: 'request_mirror_policy and request_mirror_policies exclude each other.',
        reads: ['request_mirror_policies'],
        check: ({ requestMirrorPolicies }, report, has) => {
          if (requestMirrorPolicies.length > 0 && has('request_mirror_policy')) {
            report('Cannot specify both request_mirror_policy and request_mirror_policies', ['request_mirror_policy']);
          }
        },
      },
    ],
  },
);
