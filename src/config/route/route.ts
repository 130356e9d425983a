/**
 * Routes: the cluster of a request and its metadata criteria. A scenario's workloads have these themselves; the messages
 * here check the routes of a proxy's own file.
 */
import './route-retry.js';
import { DataSource } from '../core.js';
import { list, message, optional, plain, repeated, required, valid, type Output } from '../reader.js';
import { boolValue, string } from '../reader/proto.js';
import { utf8Length } from '../reader/proto/strings.js';
import { RouteAction } from './route-action.js';
import { HeaderMatcher } from './route-match.js';
import { filterConfigsRule, headerRemovals } from './route-parts.js';

const MAX_BODY_BYTES = 4096;

message(
  'route.DirectResponseAction',
  () => ({ body: optional(DataSource) }),
  valid('body-size', 'body', 'The body has at most 4096 bytes.', (body: DataSource) => {
    const size = body.inlineBytes?.length ?? utf8Length(body.inlineString ?? '');
    return size > MAX_BODY_BYTES ? `response body size is ${size} bytes; maximum is ${MAX_BODY_BYTES}` : undefined;
  }),
);

const Route = message(
  'route.Route',
  () => ({ route: optional(RouteAction), ...headerRemovals.shape() }),
  filterConfigsRule,
  headerRemovals.rule,
);

message('route.VirtualCluster', () => ({ pattern: plain(string()), headers: repeated(HeaderMatcher) }), {
  name: 'virtual-cluster',
  doc: 'It has either pattern or headers.',
  reads: ['pattern', 'headers'],
  check: ({ pattern, headers }, report) => {
    if ((pattern === '') === (headers.length === 0)) {
      report("virtual clusters must define either 'pattern' or 'headers'");
    }
  },
});

const VirtualHost = message(
  'route.VirtualHost',
  () => ({ domains: required(list(string())), routes: repeated(Route), ...headerRemovals.shape() }),
  filterConfigsRule,
  headerRemovals.rule,
);

function domainTwice(domain: string, route: string): string {
  if (domain === '*') return `Only a single wildcard domain is permitted in route ${route}`.trimEnd();
  return `Only unique values for domains are permitted. Duplicate entry of domain ${domain} in route ${route}`.trimEnd();
}

export const RouteConfiguration = message(
  'RouteConfiguration',
  () => ({
    name: plain(string()),
    virtual_hosts: repeated(VirtualHost),
    ...headerRemovals.shape(),
    validate_clusters: optional(boolValue()),
  }),
  headerRemovals.rule,
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
);
export type RouteConfiguration = Output<typeof RouteConfiguration>;
