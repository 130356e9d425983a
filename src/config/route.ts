/**
 * Routes: which cluster a request is for and what it asks of it. A scenario's workloads say this themselves; these
 * messages check the routes of a proxy's own file.
 */
import type { Output } from './reader.js';
import { any } from './any.js';
import { ConfigSource } from './config-source.js';
import { DataSource, Metadata, RequestMethod } from './core.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { utf8Length } from './reader/proto/strings.js';
import { bool, boolValue, enumeration, string, uint32, uint32Value } from './reader/proto.js';
import { CorsPolicy, RateLimit, RouteAction, Tracing } from './route-action.js';
import { HeaderMatcher, RouteMatch } from './route-match.js';
import { atLeastOne, filterConfigs, filterConfigsRule, headerChanges, lineOf, name } from './route-parts.js';
import { HedgePolicy, RouteRetryPolicy } from './route-retry.js';

const RedirectAction = message(
  'route.RedirectAction',
  () => ({
    https_redirect: optional(bool(), 'To HTTPS.'),
    scheme_redirect: optional(string(), 'To another scheme.'),
    host_redirect: plain(lineOf('a host'), 'To another host.'),
    port_redirect: plain(uint32(), 'To another port.'),
    path_redirect: optional(lineOf('a path'), 'To another path.'),
    prefix_rewrite: optional(lineOf('a prefix'), 'To another prefix.'),
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

const MAX_BODY_BYTES = 4096;

const DirectResponseAction = message(
  'route.DirectResponseAction',
  () => ({
    status: required(uint32({ min: 100, max: 599 }), 'Status of the answer.'),
    body: optional(DataSource, 'Body of the answer.'),
  }),
  {
    doc: 'Answers at once.',
    rules: [
      {
        name: 'body-size',
        doc: 'The body has at most 4096 bytes.',
        reads: ['body'],
        check: ({ body }, report) => {
          const size = body?.inlineBytes?.length ?? utf8Length(body?.inlineString ?? '');
          if (size > MAX_BODY_BYTES)
            report(`response body size is ${size} bytes; maximum is ${MAX_BODY_BYTES}`, ['body']);
        },
      },
    ],
  },
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
    ...headerChanges(1),
    ...filterConfigs,
    tracing: optional(Tracing, 'Tracing.'),
    per_request_buffer_limit_bytes: optional(uint32Value(), 'Buffer limit of a request.'),
  }),
  {
    doc: 'What happens to some of the requests.',
    oneOfs: [{ name: 'action', fields: ['route', 'redirect', 'direct_response', 'filter_action'], required: true }],
    rules: [filterConfigsRule],
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
  {
    doc: 'Requests that are counted by themselves.',
    rules: [
      {
        name: 'virtual-cluster',
        doc: 'It has either pattern or headers.',
        reads: ['pattern', 'headers'],
        check: ({ pattern, headers }, report) => {
          if ((pattern === '') === (headers.length === 0)) {
            report("virtual clusters must define either 'pattern' or 'headers'");
          }
        },
      },
    ],
  },
);

const VirtualHost = message(
  'route.VirtualHost',
  () => ({
    name: required(name(), 'Name in statistics.'),
    domains: required(atLeastOne(lineOf('a domain'), 'domain'), 'Hosts it is for; * is any.'),
    routes: repeated(Route, 'The first that matches is taken.'),
    require_tls: plain(
      enumeration('route.VirtualHost.TlsRequirementType', { NONE: 0, EXTERNAL_ONLY: 1, ALL: 2 }),
      'Whether TLS is needed.',
    ),
    virtual_clusters: repeated(VirtualCluster, 'Requests that are counted by themselves.'),
    rate_limits: repeated(RateLimit, 'Rate limits.'),
    ...headerChanges(1),
    ...filterConfigs,
    cors: optional(CorsPolicy, 'Cross-origin requests.'),
    include_request_attempt_count: plain(bool(), 'Tell the host the number of the attempt.'),
    include_attempt_count_in_response: plain(bool(), 'Tell the client the number of attempts.'),
    retry_policy: optional(RouteRetryPolicy, 'Of routes without one.'),
    retry_policy_typed_config: optional(any({ types: {} }), 'The same, of an extension.'),
    hedge_policy: optional(HedgePolicy, 'Of routes without one.'),
    per_request_buffer_limit_bytes: optional(uint32Value(), 'Buffer limit of a request.'),
  }),
  { doc: 'Routes of some domains.', rules: [filterConfigsRule] },
);

const Vhds = message('Vhds', () => ({ config_source: required(ConfigSource, 'Where virtual hosts come from.') }), {
  doc: 'Virtual host discovery.',
});

function domainTwice(domain: string, route: string): string {
  if (domain === '*') return `Only a single wildcard domain is permitted in route ${route}`.trimEnd();
  return `Only unique values for domains are permitted. Duplicate entry of domain ${domain} in route ${route}`.trimEnd();
}

/** RouteConfiguration */
export const RouteConfiguration = message(
  'RouteConfiguration',
  () => ({
    name: plain(string(), 'Name of the configuration.'),
    virtual_hosts: repeated(VirtualHost, 'Routes by domain.'),
    vhds: optional(Vhds, 'Virtual host discovery.'),
    internal_only_headers: repeated(lineOf('a header name'), 'Headers removed from outside requests.'),
    ...headerChanges(),
    most_specific_header_mutations_wins: plain(bool(), 'Order of header changes.'),
    validate_clusters: optional(boolValue(), 'Whether clusters must exist.'),
  }),
  {
    doc: 'Which cluster a request is for.',
    rules: [
      {
        name: 'domains',
        doc: 'Each domain is there once, whatever its letter case, among all virtual hosts.',
        reads: ['virtual_hosts'],
        check: ({ name: route, virtualHosts }, report) => {
          const seen = new Set<string>();
          for (const [host, { domains }] of virtualHosts.entries()) {
            for (const [index, domain] of domains.map((text) => text.toLowerCase()).entries()) {
              if (seen.has(domain)) report(domainTwice(domain, route), ['virtual_hosts', host, 'domains', index]);
              seen.add(domain);
            }
          }
        },
      },
    ],
  },
);
export type RouteConfiguration = Output<typeof RouteConfiguration>;
