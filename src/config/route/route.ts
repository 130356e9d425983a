/**
 * Routes: the cluster of a request and its metadata criteria. A scenario's workloads have these themselves; the messages
 * here check the routes of a proxy's own file.
 */
import type { Messages } from '../api/generated/read-messages.js';
import { backoffOrder, type DataSource, isProtected } from '../core.js';
import { regexProblem } from '../../core/regex/linear-regex.js';
import { repeats } from '../../core/values.js';
import { extensionPoint } from '../extension.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
import { exclusive, message, type Report, type Rule, valid, rule } from '../reader.js';
import { utf8Length } from '../reader/proto/strings.js';

const filterConfigsRule = exclusive(
  'filter-configs',
  ['per_filter_config', 'typed_per_filter_config'],
  'Only one of typed_configs or configs can be specified',
);

type Removals = Readonly<{ requestHeadersToRemove: readonly string[]; responseHeadersToRemove?: readonly string[] }>;

const removalRule = (reads: readonly string[]): Rule<Removals> =>
  rule('header-name', reads, ({ requestHeadersToRemove, responseHeadersToRemove = [] }, report) => {
    const lists = {
      request_headers_to_remove: requestHeadersToRemove,
      response_headers_to_remove: responseHeadersToRemove,
    };
    for (const [field, names] of Object.entries(lists)) {
      for (const [index, name] of names.entries())
        if (isProtected(name)) report(`${name}: :-prefixed or host headers may not be removed`, [field, index]);
    }
  });

export const requestHeaderRemovals = removalRule(['request_headers_to_remove']);

const headerRemovals = removalRule(['request_headers_to_remove', 'response_headers_to_remove']);

/** The engine may be left out, as later versions of the proxy allow. */
message(
  'type.matcher.RegexMatcher',
  valid('regex', 'regex', 'The regular expression must be one that RE2 can read.', (regex: string) =>
    regexProblem(regex, 're2'),
  ),
);

message(
  'type.matcher.StringMatcher',
  rule('ignore-case', ['safe_regex', 'ignore_case'], ({ safeRegex, ignoreCase }, report) => {
    if (ignoreCase && safeRegex !== undefined) report('ignore_case has no effect for safe_regex.', ['ignore_case']);
  }),
  valid('regex', 'regex', 'The regular expression must be ECMAScript’s.', (regex: string) =>
    regexProblem(regex, 'ecmascript'),
  ),
);

message(
  'route.WeightedCluster.ClusterWeight',
  filterConfigsRule,
  headerRemovals,
  rule('weighted-cluster', ['name', 'weight'], ({ name, weight }, report, has, api) => {
    const headed = has('cluster_header');
    if (name === '' && !headed) report('At least one of name or cluster_header need to be specified');
    else if (name !== '' && headed) report('Only one of name or cluster_header can be specified', ['cluster_header']);
    if (api === 'v3' && weight === undefined) report('weight is required: a 1.40 has no default');
  }),
);

message(
  'route.WeightedCluster',
  rule('weighted-clusters', ['clusters', 'total_weight'], ({ clusters, totalWeight = 100 }, report, _, api) => {
    const sum = clusters.reduce((total, { weight = 0 }) => total + weight, 0);
    if (api === 'v3') {
      if (sum === 0) report('Sum of weights in the weighted_cluster must be greater than 0.');
      if (sum > UINT32_MAX) report(`The sum of weights of all weighted clusters exceeds ${UINT32_MAX}`);
    } else if (sum !== totalWeight) {
      report(`Sum of weights in the weighted_cluster should add up to ${totalWeight}, found ${sum}`);
    }
  }),
);

const UINT32_MAX = 4294967295;

export const RequestMirrorPolicy = message(
  'route.RouteAction.RequestMirrorPolicy',
  rule('mirror-cluster', ['cluster'], ({ cluster }, report, has) => {
    if ((cluster !== '') !== has('cluster_header')) return;
    report('Exactly one of cluster or cluster_header in request mirror policy need to be specified');
  }),
);

export const RouteAction = message(
  'route.RouteAction',
  rule('upgrade-type', ['upgrade_configs'], ({ upgradeConfigs }, report) => {
    for (const [index, { upgradeType }] of repeats(upgradeConfigs, (one) => one.upgradeType.toLowerCase()))
      report(`Duplicate upgrade ${upgradeType}`, ['upgrade_configs', index, 'upgrade_type']);
  }),
  rule('rewrite', ['prefix_rewrite'], ({ prefixRewrite }, report, has) => {
    if (prefixRewrite !== '' && has('regex_rewrite'))
      report('Cannot specify both prefix_rewrite and regex_rewrite', ['regex_rewrite']);
  }),
  rule('mirror-policies', ['request_mirror_policies'], ({ requestMirrorPolicies }, report, has) => {
    if (requestMirrorPolicies.length > 0 && has('request_mirror_policy'))
      report('Cannot specify both request_mirror_policy and request_mirror_policies', ['request_mirror_policy']);
  }),
);

const MAX_BODY_BYTES = 4096;

message(
  'route.DirectResponseAction',
  valid('body-size', 'body', 'The body has at most 4096 bytes.', (body: DataSource) => {
    const size = body.inlineBytes?.length ?? utf8Length(body.inlineString ?? '');
    return size > MAX_BODY_BYTES ? `response body size is ${size} bytes; maximum is ${MAX_BODY_BYTES}` : undefined;
  }),
);

message('route.Route', filterConfigsRule, headerRemovals);
message('route.VirtualHost', filterConfigsRule, headerRemovals);

export const HedgePolicy = message('route.HedgePolicy');
export const HashPolicy = message('route.RouteAction.HashPolicy');

export const HeaderMatcher = message('route.HeaderMatcher');
export type HeaderMatcher = Messages['route.HeaderMatcher'];

message(
  'route.VirtualCluster',
  rule('virtual-cluster', ['pattern', 'headers'], ({ pattern, headers }, report) => {
    if ((pattern === '') === (headers.length === 0))
      report("virtual clusters must define either 'pattern' or 'headers'");
  }),
);

function domainTwice(domain: string, route: string): string {
  if (domain === '*') return `Only a single wildcard domain is permitted in route ${route}`.trimEnd();
  return `Only unique values for domains are permitted. Duplicate entry of domain ${domain} in route ${route}`.trimEnd();
}

export const RouteConfiguration = message(
  'RouteConfiguration',
  headerRemovals,
  rule('domains', ['virtual_hosts'], ({ name: route, virtualHosts }, report) => {
    const all = virtualHosts.flatMap(({ domains }, host) =>
      domains.map((text, index) => ({ domain: text.toLowerCase(), at: ['virtual_hosts', host, 'domains', index] })),
    );
    for (const [, { domain, at }] of repeats(all, (one) => one.domain)) report(domainTwice(domain, route), at);
  }),
);
export type RouteConfiguration = Messages['RouteConfiguration'];

// A scenario has retry policies of its own.

message(
  'route.RetryPolicy.RetryBackOff',
  backoffOrder('retry_policy.max_interval must greater than or equal to the base_interval'),
);

extensionPoint('route.RetryPolicy.RetryPriority', 'retry priority', KNOWN_NAMES.retry_priorities);
extensionPoint('route.RetryPolicy.RetryHostPredicate', 'retry host predicate', KNOWN_NAMES.retry_host_predicates);

/**
 * Routes inside a listener can use only clusters in the file: the proxy checks them before it contacts a management server.
 * @param known names of the clusters of the file. @param suggest one for a name that is none of them.
 * @param report paths are those of the routes.
 */
export function checkRouteClusters(
  routes: RouteConfiguration,
  known: ReadonlySet<string>,
  suggest: (name: string) => string,
  report: Report,
): void {
  if (routes.validateClusters === false) return;
  for (const [host, { routes: entries }] of routes.virtualHosts.entries()) {
    for (const [index, { route }] of entries.entries()) {
      if (route === undefined) continue;
      for (const { cluster, what, path } of clustersOf(route)) {
        // A header may name the mirror cluster instead.
        if (known.has(cluster) || cluster === '') continue;
        const text = `route: unknown ${what} '${cluster}'${suggest(cluster)}`;
        report(text, ['virtual_hosts', host, 'routes', index, 'route', ...path]);
      }
    }
  }
}

function clustersOf(action: Messages['route.RouteAction']) {
  const { cluster, weightedClusters, requestMirrorPolicy: mirror, requestMirrorPolicies } = action;
  const weighted = (weightedClusters?.clusters ?? []).map(({ name }, index) => {
    return { cluster: name, what: 'weighted cluster', path: ['weighted_clusters', 'clusters', index, 'name'] };
  });
  const mirrors = requestMirrorPolicies.map((policy, index) => ({ policy, path: ['request_mirror_policies', index] }));
  if (mirror !== undefined) mirrors.push({ policy: mirror, path: ['request_mirror_policy'] });
  return [
    ...(cluster === undefined ? [] : [{ cluster, what: 'cluster', path: ['cluster'] }]),
    ...weighted,
    ...mirrors.map(({ policy, path }) => {
      return { cluster: policy.cluster, what: 'shadow cluster', path: [...path, 'cluster'] };
    }),
  ];
}
