import { describe, expect, it } from 'vitest';
import { Bootstrap } from '../../src/config/bootstrap.js';
import { messageNamed } from '../../src/config/messages.js';
import { validateMessage } from '../../src/config/validate.js';
import { validateText } from '../support/validate.js';

/** The verdict on a bootstrap with these routes in a listener; what a proxy says of them is in the messages. */
function problems(routes: string, filter = 'envoy.http_connection_manager', field = 'typed_config'): readonly string[] {
  const type = field === 'config' ? '' : `"@type": ${HTTP}, `;
  return of(`{name: ${filter}, ${field}: {${type}stat_prefix: x, route_config: ${routes}}}`);
}

const HTTP = 'type.googleapis.com/envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager';

function of(filter: string): readonly string[] {
  const text = `static_resources:
  clusters: [{name: backend, load_assignment: {cluster_name: backend}}]
  listeners: [{name: l, address: {socket_address: {address: 10.0.0.1, port_value: 80}}, filter_chains: [{filters: [${filter}]}]}]
`;
  return validateText(text, 'f').flatMap(({ severity, path, message }) =>
    severity === 'error' ? [`${path.replace(/^.*route_config\.?/, '')}: ${message}`] : [],
  );
}

const host = (fields: string): string => `{virtual_hosts: [{name: v, ${fields}}]}`;
const to = (action: string): string => host(`domains: ["*"], routes: [{match: {prefix: /}, route: {${action}}}]`);
const at = 'virtual_hosts[0].routes[0].route';

describe('clusters of routes', () => {
  it.each([
    ['cluster: nope', `${at}.cluster: route: unknown cluster 'nope'`],
    ['cluster: backnd', `${at}.cluster: route: unknown cluster 'backnd' (did you mean backend?)`],
    [
      'weighted_clusters: {clusters: [{name: backend, weight: 100}, {name: nope, weight: 0}]}',
      `${at}.weighted_clusters.clusters[1].name: route: unknown weighted cluster 'nope'`,
    ],
    [
      'cluster: backend, request_mirror_policies: [{cluster: nope}]',
      `${at}.request_mirror_policies[0].cluster: route: unknown shadow cluster 'nope'`,
    ],
    [
      'cluster: backend, request_mirror_policy: {cluster: nope}',
      `${at}.request_mirror_policy.cluster: route: unknown shadow cluster 'nope'`,
    ],
  ])('exist: %s', (action, expected) => {
    expect(problems(to(action))).toEqual([expected]);
    expect(problems(to(action).replace(/}$/, ', validate_clusters: true}'))).toEqual([expected]);
    expect(problems(to(action).replace(/}$/, ', validate_clusters: false}'))).toEqual([]);
  });

  it.each(['cluster: backend', 'cluster_header: x', 'weighted_clusters: {clusters: [{name: backend, weight: 100}]}'])(
    'are right: %s',
    (action) => {
      expect(problems(to(action))).toEqual([]);
    },
  );

  it('are looked at in `config` of the HTTP filter by either name, and not in other filters', () => {
    const expected = [`${at}.cluster: route: unknown cluster 'nope'`];
    expect(problems(to('cluster: nope'), 'envoy.http_connection_manager', 'config')).toEqual(expected);
    expect(problems(to('cluster: nope'), 'envoy.filters.network.http_connection_manager', 'config')).toEqual(expected);
    expect(problems(to('cluster: nope'), 'envoy.filters.network.other', 'config')).toEqual([]);
    const thrift = 'type.googleapis.com/envoy.config.filter.network.thrift_proxy.v2alpha1.ThriftProxy';
    expect(
      of(
        `{name: t, typed_config: {"@type": ${thrift}, stat_prefix: x, route_config: {routes: [{match: {method_name: ''}, route: {cluster: x}}]}}}`,
      ),
    ).toEqual([]);
    expect(of('{name: envoy.tcp_proxy, config: {stat_prefix: x, cluster: nope}}')).toEqual([]);
  });
});

describe('domains of virtual hosts', () => {
  const hosts = (...domains: readonly string[]): string =>
    `{virtual_hosts: [${domains.map((list, index) => `{name: v${index}, domains: ${list}}`).join(', ')}]}`;

  it.each([
    [['[a.com, a.com]'], 'virtual_hosts[0].domains[1]', 'a.com'],
    [['[a.com]', '[b.com, a.com]'], 'virtual_hosts[1].domains[1]', 'a.com'],
    [['[a.com]', '[A.com]'], 'virtual_hosts[1].domains[0]', 'a.com'],
    [['["*.a"]', '["*.A"]'], 'virtual_hosts[1].domains[0]', '*.a'],
    [['["a.*"]', '["a.*"]'], 'virtual_hosts[1].domains[0]', 'a.*'],
  ])('are there once: %j', (domains, path, domain) => {
    const text = `Only unique values for domains are permitted. Duplicate entry of domain ${domain} in route`;
    expect(problems(hosts(...domains))).toEqual([`${path}: ${text}`]);
  });

  it('have one wildcard', () => {
    expect(problems(hosts('["*"]', '["*"]'))).toEqual([
      'virtual_hosts[1].domains[0]: Only a single wildcard domain is permitted in route',
    ]);
  });

  it('may look alike, and hosts may share a name', () => {
    expect(problems(hosts('["*.a", "a.*"]', '["*a", "*"]', '["**", "a*b", ""]'))).toEqual([]);
    expect(problems('{virtual_hosts: [{name: v, domains: [a]}, {name: v, domains: [b]}]}')).toEqual([]);
  });

  it('stand on one line', () => {
    expect(problems(hosts('["a\\nb"]'))).toEqual([
      'virtual_hosts[0].domains[0]: must be a domain on one line, found "a\\nb"',
    ]);
  });
});

describe('other rules of routes', () => {
  it.each([
    [
      'domains: [a], request_headers_to_remove: [":path"]',
      'request_headers_to_remove[0]: :path: :-prefixed or host headers may not be removed',
    ],
    [
      'domains: [a], response_headers_to_remove: [Host]',
      'response_headers_to_remove[0]: Host: :-prefixed or host headers may not be removed',
    ],
    ['domains: [a], request_headers_to_remove: [""]', 'request_headers_to_remove[0]: must not be empty'],
    [
      'domains: [a], request_headers_to_add: [{header: {key: host, value: a}}]',
      'request_headers_to_add[0].header.key: host: :-prefixed or host headers may not be modified',
    ],
    [
      'domains: [a], response_headers_to_add: [{header: {key: a, value: "%BOGUS%"}}]',
      "response_headers_to_add[0].header.value: %BOGUS%: field 'BOGUS' not supported as custom header",
    ],
    [
      'domains: [a], virtual_clusters: [{name: x}]',
      "virtual_clusters[0]: virtual clusters must define either 'pattern' or 'headers'",
    ],
    [
      'domains: [a], per_filter_config: {}, typed_per_filter_config: {}',
      'per_filter_config: Only one of typed_configs or configs can be specified',
    ],
  ])('%s', (fields, expected) => {
    expect(problems(host(fields))).toEqual([`virtual_hosts[0].${expected}`]);
  });

  it.each([
    [
      'upgrade_configs: [{upgrade_type: websocket}, {upgrade_type: WebSocket}]',
      '.upgrade_configs[1].upgrade_type: Duplicate upgrade WebSocket',
    ],
    ['upgrade_configs: [{}]', '.upgrade_configs[0]: upgrade_type is required in route.RouteAction.UpgradeConfig'],
    [
      'prefix_rewrite: /a, regex_rewrite: {pattern: {regex: a}}',
      '.regex_rewrite: Cannot specify both prefix_rewrite and regex_rewrite',
    ],
    [
      'request_mirror_policy: {cluster: backend}, request_mirror_policies: [{cluster: backend}]',
      '.request_mirror_policy: Cannot specify both request_mirror_policy and request_mirror_policies',
    ],
    ['host_rewrite: "a\\nb"', '.host_rewrite: must be a host on one line, found "a\\nb"'],
    ['regex_rewrite: {}', '.regex_rewrite: pattern is required in type.matcher.RegexMatchAndSubstitute'],
    ['rate_limits: [{}]', '.rate_limits[0]: actions is required in route.RateLimit'],
    ['rate_limits: [{actions: []}]', '.rate_limits[0].actions: needs at least one action; found a list'],
    [
      'rate_limits: [{stage: 11, actions: [{remote_address: {}}]}]',
      '.rate_limits[0].stage: must be a whole number from 0 to 10, found 11',
    ],
    [
      'retry_policy: {retry_back_off: {base_interval: 0.002s, max_interval: 0.0019s}}',
      '.retry_policy.retry_back_off.max_interval: retry_policy.max_interval must greater than or equal to the base_interval',
    ],
    ['retry_policy: {retry_back_off: {base_interval: 0.0019s, max_interval: 0.0011s}}', undefined],
    ['retry_policy: {retry_back_off: {base_interval: 0.0009s, max_interval: 0.0001s}}', undefined],
    ['retry_policy: {retry_host_predicate: [{name: envoy.retry_host_predicates.previous_hosts}]}', undefined],
    [
      'retry_policy: {retry_priority: {name: envoy.retry_priorities.previous_priorities}}',
      '.retry_policy.retry_priority.name: retry priority envoy.retry_priorities.previous_priorities has fields that must be set, and no typed_config',
    ],
  ])('%s', (fields, expected) => {
    expect(problems(to(`cluster: backend, ${fields}`))).toEqual(expected === undefined ? [] : [`${at}${expected}`]);
  });

  it('a long answer', () => {
    const answer = (bytes: number): readonly string[] =>
      problems(
        host(
          `domains: ["*"], routes: [{match: {prefix: /}, direct_response: {status: 200, body: {inline_string: ${'a'.repeat(bytes)}}}}]`,
        ),
      );
    expect(answer(4096)).toEqual([]);
    expect(answer(4097)).toEqual([
      'virtual_hosts[0].routes[0].direct_response.body: response body size is 4097 bytes; maximum is 4096',
    ]);
  });

  it('a misspelt predicate', () => {
    const [message] = problems(
      to('cluster: backend, retry_policy: {retry_host_predicate: [{name: envoy.retry_host_predicates.previous_host}]}'),
    );
    expect(message).toMatch(/Didn't find a registered implementation for name: .* \(did you mean/);
  });
});

describe('routes of v3, as a real 1.40 takes them', () => {
  const weights = (clusters: string): readonly [string, string] => [
    'config.route.v3.WeightedCluster',
    `{total_weight: 7, clusters: [${clusters}]}`,
  ];
  const mirror = (fields: string): readonly [string, string] => [
    'config.route.v3.RouteAction.RequestMirrorPolicy',
    `{${fields}}`,
  ];
  it.each([
    [...weights('{name: a, weight: 5}'), undefined],
    [...weights('{cluster_header: a, weight: 5}'), undefined],
    [...weights('{name: a}'), 'weight is required'],
    [...weights('{name: a, weight: 0}'), 'Sum of weights in the weighted_cluster must be greater than 0'],
    [...weights('{name: a, weight: 4294967295}, {name: b, weight: 1}'), 'exceeds 4294967295'],
    [...weights('{weight: 5}'), 'At least one of name or cluster_header'],
    [...weights('{name: a, cluster_header: b, weight: 5}'), 'Only one of name or cluster_header'],
    [...mirror('cluster: a'), undefined],
    [...mirror('cluster_header: a'), undefined],
    [...mirror(''), 'Exactly one of cluster or cluster_header'],
    [...mirror('cluster: a, cluster_header: b'), 'Exactly one of cluster or cluster_header'],
    ['config.core.v3.BindConfig', '{}', undefined],
    ['api.v2.core.BindConfig', '{}', 'source_address is required'],
  ])('%s %s', (name, text, expected) => {
    const schema = messageNamed(name);
    if (schema === undefined) throw new Error(`${name} is not known`);
    const errors = validateMessage(schema, text, 'f', undefined).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => message)).toEqual(
      expected === undefined ? [] : [expect.stringContaining(expected) as string],
    );
  });
});

it('a file with thousands of routes to nowhere suggests clusters for the first of them alone', () => {
  const many = (make: (index: number) => string): string =>
    Array.from({ length: 300 }, (_, index) => make(index)).join(', ');
  const routes = many((index) => `{match: {prefix: /}, route: {cluster: service-${index}x}}`);
  const manager = `{stat_prefix: a, route_config: {virtual_hosts: [{name: a, domains: ["*"], routes: [${routes}]}]}}`;
  const listener = `{address: {socket_address: {address: 10.0.0.1, port_value: 80}}, filter_chains: [{filters: [{name: envoy.http_connection_manager, config: ${manager}}]}]}`;
  const clusters = many((index) => `{name: service-${index}, connect_timeout: 1s}`);
  const text = `static_resources: {listeners: [${listener}], clusters: [${clusters}]}`;
  const found = validateMessage(Bootstrap, text, 'f', undefined).filter(({ rule }) => rule === 'route-cluster');
  expect(found).toHaveLength(300);
  expect(found.filter(({ message }) => message.includes('did you mean'))).toHaveLength(100);
});
