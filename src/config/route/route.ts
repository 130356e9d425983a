/**
 * Routes: the cluster of a request and its metadata criteria. A scenario's workloads have these themselves; the messages
 * here check the routes of a proxy's own file.
 */
import type { Messages } from '../api/generated/read-messages.js';
import { backoffOrder, type DataSource } from '../core.js';
import { extensionPoint } from '../extension.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
import { didYouMean, message, type Report, valid } from '../reader.js';
import { utf8Length } from '../reader/proto/strings.js';
import './matcher.js';
import './route-action.js';
import { filterConfigsRule, headerRemovals } from './route-parts.js';

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

export const HeaderMatcher = message('route.HeaderMatcher');
export type HeaderMatcher = Messages['route.HeaderMatcher'];

message('route.VirtualCluster', {
  name: 'virtual-cluster',
  reads: ['pattern', 'headers'],
  check: ({ pattern, headers }, report) => {
    if ((pattern === '') === (headers.length === 0)) {
      report("virtual clusters must define either 'pattern' or 'headers'");
    }
  },
});

function domainTwice(domain: string, route: string): string {
  if (domain === '*') return `Only a single wildcard domain is permitted in route ${route}`.trimEnd();
  return `Only unique values for domains are permitted. Duplicate entry of domain ${domain} in route ${route}`.trimEnd();
}

export const RouteConfiguration = message('RouteConfiguration', headerRemovals, {
  name: 'domains',
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
});
export type RouteConfiguration = Messages['RouteConfiguration'];

// --- retry policies: a scenario has its own ------------------------------------------------------------------------

message(
  'route.RetryPolicy.RetryBackOff',
  backoffOrder('retry_policy.max_interval must greater than or equal to the base_interval'),
);

extensionPoint('route.RetryPolicy.RetryPriority', 'retry priority', KNOWN_NAMES.retry_priorities);
extensionPoint('route.RetryPolicy.RetryHostPredicate', 'retry host predicate', KNOWN_NAMES.retry_host_predicates);

// --- their clusters ------------------------------------------------------------------------------------------------

/**
 * Routes inside a listener can use only clusters in the file: the proxy checks them before it contacts a management server.
 *
 * @param names of the clusters of the file.
 * @param report paths are those of the routes.
 */
export function checkRouteClusters(routes: RouteConfiguration, names: readonly string[], report: Report): void {
  if (routes.validateClusters === false) return;
  const known = new Set(names);
  for (const [host, { routes: entries }] of routes.virtualHosts.entries()) {
    for (const [index, { route }] of entries.entries()) {
      if (route === undefined) continue;
      for (const { cluster, what, path } of clustersOf(route)) {
        // A header may name the mirror cluster instead.
        if (known.has(cluster) || cluster === '') continue;
        const text = `route: unknown ${what} '${cluster}'${didYouMean(cluster, names)}`;
        report(text, ['virtual_hosts', host, 'routes', index, 'route', ...path]);
      }
    }
  }
}

interface ClusterReference {
  readonly cluster: string;
  readonly what: string;
  readonly path: readonly (string | number)[];
}

function clustersOf({
  cluster,
  weightedClusters,
  requestMirrorPolicy,
  requestMirrorPolicies,
}: Messages['route.RouteAction']): readonly ClusterReference[] {
  const mirrors = requestMirrorPolicies.map((policy, index) => ({ policy, path: ['request_mirror_policies', index] }));
  if (requestMirrorPolicy !== undefined) mirrors.push({ policy: requestMirrorPolicy, path: ['request_mirror_policy'] });
  return [
    ...(cluster === undefined ? [] : [{ cluster, what: 'cluster', path: ['cluster'] }]),
    ...(weightedClusters?.clusters ?? []).map(({ name }, index) => ({
      cluster: name,
      what: 'weighted cluster',
      path: ['weighted_clusters', 'clusters', index, 'name'],
    })),
    ...mirrors.map(({ policy, path }) => ({
      cluster: policy.cluster,
      what: 'shadow cluster',
      path: [...path, 'cluster'],
    })),
  ];
}
