import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/config/reader.js';
import { detectKind } from '../../src/config/validate.js';
import { validateText } from '../support/validate.js';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { checkClusterSet } from '../../src/config/cluster/cluster-set.js';
import { loadScenario } from '../../src/scenario/load.js';
import { brief, read } from './reader/support.js';
import { BOOTSTRAP, EVERYTHING, staticCluster } from './samples.js';

function kindOf(text: string): string {
  const { document } = parseDocument(text, 'f');
  return document === undefined ? 'unreadable' : detectKind(document);
}

/** Errors and warnings, as `severity rule path`. */
function findings(text: string): readonly string[] {
  return validateText(text, 'f')
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
}

describe('the kind of a file', () => {
  test.each([
    ['clusters: []', 'scenario'],
    ['name: x\nclusters: []', 'scenario'],
    ['name: a', 'cluster'],
    ['name: a\nworkloads: []', 'scenario'],
    ['static_resources: {}', 'bootstrap'],
    ['staticResources: {}', 'bootstrap'],
    ['node: {}', 'bootstrap'],
    ['[]', 'scenario'],
    ['x', 'scenario'],
  ])('%j is a %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test('a scenario is left to whoever knows its words', () => {
    expect(validateText('clusters: []', 'f')).toMatchObject([{ rule: 'kind' }]);
  });
});

describe('a bootstrap', () => {
  test('that is right', () => {
    expect(findings(BOOTSTRAP)).toEqual([]);
  });

  test.each([
    ['two clusters of one name', ['name: local', 'name: a'], 'error duplicate-name static_resources.clusters[1].name'],
    [
      'no such local cluster',
      ['local_cluster_name: local', 'local_cluster_name: lokal'],
      'error local-cluster cluster_manager.local_cluster_name',
    ],
    [
      'a management server that is no cluster',
      ['cluster_name: a}}]}', 'cluster_name: z}}]}'],
      'error config-source-cluster static_resources.clusters[1].eds_cluster_config.eds_config.api_config_source.grpc_services[0].envoy_grpc.cluster_name',
    ],
    [
      'a statsd server that is no cluster',
      ['tcp_cluster_name: a', 'tcp_cluster_name: z'],
      'error statsd-cluster stats_sinks[1]',
    ],
    [
      'no node',
      ['node: {id: edge, cluster: web, locality: {zone: a}}', 'node: {}'],
      'warning node static_resources.clusters[1].eds_cluster_config.eds_config',
    ],
    [
      'two dashboards',
      ['envoy.stat_sinks.statsd\n', 'envoy.stat_sinks.hystrix\n'],
      'error sink-type stats_sinks[1].typed_config',
    ],
    [
      'a flush interval',
      ['stats_flush_interval: 5s', 'stats_flush_interval: 300s'],
      'error range stats_flush_interval',
    ],
    [
      'a route without a cluster',
      ['route: {cluster: a,', 'route: {'],
      'error one-of-none static_resources.listeners[0].filter_chains[0].filters[0].typed_config.route_config.virtual_hosts[0].routes[0].route',
    ],
    [
      'a matcher of nothing',
      ['{prefix: c}', '{}'],
      'error one-of-none stats_config.stats_matcher.inclusion_list.patterns[0]',
    ],
    [
      'a sink of another name',
      ['envoy.stat_sinks.hystrix\n', 'envoy.stat_sinks.hystricks\n'],
      'error sink-name stats_sinks[0].name',
    ],
    ['too few buckets', ['num_buckets: 10', 'num_buckets: -1'], 'error range stats_sinks[0].typed_config.num_buckets'],
    ['a field nobody knows', ['admin:', 'admim:'], 'error unknown-field admim'],
  ])('with %s', (_, [from, to], expected) => {
    expect(BOOTSTRAP).toContain(from);
    expect(findings(BOOTSTRAP.replace(from ?? '', to ?? ''))).toContain(expected);
  });

  test('a local cluster has hosts in priority 0 only', () => {
    const text = BOOTSTRAP.replace('local_cluster_name: local', 'local_cluster_name: a').replace(
      'load_assignment: {cluster_name: a}',
      'load_assignment: {cluster_name: a, endpoints: [{}, {priority: 1}]}',
    );
    expect(findings(text)).toEqual([
      'error local-cluster static_resources.clusters[0].load_assignment.endpoints[1].priority',
    ]);
  });

  test('the platform’s resolver and own DNS settings exclude each other', () => {
    const text = BOOTSTRAP.replace(
      'load_assignment: {cluster_name: a}',
      '$&\n      use_tcp_for_dns_lookups: true',
    ).replace(
      '{upstream: {healthy_panic_threshold: 40}}',
      '{envoy.restart_features.use_platform_api_for_dns_lookups: true}',
    );
    expect(findings(text)).toEqual(['error platform-dns static_resources.clusters[0].use_tcp_for_dns_lookups']);
  });

  test('sinks may be configured without a type, by their name', () => {
    const sink = (name: string, config: string): string =>
      `static_resources: {}\nstats_sinks: [{name: ${name}, config: ${config}}]\n`;
    expect(findings(sink('envoy.stat_sinks.hystrix', '{num_buckets: 5}'))).toEqual([]);
    expect([...findings(sink('envoy.statsd', '{num_buckets: 5}'))].sort()).toEqual([
      'error one-of-none stats_sinks[0].config',
      'error unknown-field stats_sinks[0].config.num_buckets',
    ]);
    expect(
      findings(
        sink('proxy.stat_sinks.tagged_statsd', '{address: {socket_address: {address: localhost, port_value: 1}}}'),
      ),
    ).toEqual(['error ip-address stats_sinks[0].config.address']);
  });

  test('a part of a proxy may have its management server elsewhere', () => {
    const { value } = read(
      Cluster,
      'name: e\ntype: EDS\neds_cluster_config: {eds_config: {api_config_source: ' +
        '{api_type: GRPC, grpc_services: [{envoy_grpc: {cluster_name: xds}}]}}}\n',
    );
    if (value === undefined) throw new Error('refused');
    const rules = (partial: boolean): readonly string[] => {
      const found: string[] = [];
      const clusters = [{ cluster: value, path: ['clusters', 0] }];
      checkClusterSet({ clusters, partial }, (severity, _, rule) => found.push(`${severity} ${rule}`));
      return found;
    };
    expect(rules(false)).toEqual(['error config-source-cluster', 'warning node']);
    expect(rules(true)).toEqual([]);
  });

  test('two dashboards are a warning: the first one serves', () => {
    const sink = '{name: proxy.stat_sinks.dashboard, config: {}}';
    expect(findings(`static_resources: {}\nstats_sinks: [${sink}, ${sink}]`)).toEqual([
      'warning dashboard-sinks stats_sinks[1]',
    ]);
  });
});

describe('statistics', () => {
  const tags = (specifier: string): readonly string[] =>
    findings(`static_resources: {}\nstats_config: {stats_tags: [${specifier}]}`);

  test.each([
    ['{regex: "(a)"}', 'error tag-specifier stats_config.stats_tags[0].regex'],
    ['{tag_name: x}', 'error tag-specifier stats_config.stats_tags[0].tag_name'],
    ['{tag_name: x, regex: ""}', 'error tag-specifier stats_config.stats_tags[0].tag_name'],
    ['{tag_name: x, regex: "(a"}', 'error tag-specifier stats_config.stats_tags[0].regex'],
    // RE2's syntax; tags are found by the other engine.
    ['{tag_name: x, regex: "(?i)a"}', 'error tag-specifier stats_config.stats_tags[0].regex'],
    ['{tag_name: x, regex: a, fixed_value: b}', 'error one-of stats_config.stats_tags[0].fixed_value'],
  ])('%s', (specifier, expected) => {
    expect(tags(specifier)).toEqual([expected]);
  });

  test.each(['{tag_name: envoy.response_code}', '{fixed_value: v}', '{tag_name: x, regex: "^a(b)\\\\.[[:alpha:]]"}'])(
    'right: %s',
    (specifier) => {
      expect(tags(specifier)).toEqual([]);
    },
  );
});

test('files that a configuration names are looked for where there are files', () => {
  const missing = (path: string): boolean => path !== '/etc/ssl/ca.pem';
  // Nothing in it is wrong; what a run leaves out of it is told.
  expect(findings(EVERYTHING)).toEqual([
    'warning not-simulated circuit_breakers.thresholds[1].max_connection_pools',
    'warning not-simulated protocol_selection',
  ]);
  expect(
    brief(validateText(EVERYTHING, 'f', { fileExists: missing }).filter(({ severity }) => severity === 'error')),
  ).toEqual([expect.stringMatching(/^\d+:\d+ file transport_socket\.typed_config\..*\.filename$/) as string]);
});

test('problems come in the order of the file', () => {
  const problems = validateText(
    staticCluster('a: 1\nlb_policy: X\nb: 2').replace('port_value: 80', 'port_value: -1'),
    'f',
  );
  const places = problems.map(({ line, column }) => line * 1000 + column);
  expect(places).toHaveLength(4);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('ten thousand endpoints are checked one by one', () => {
  const hosts = Array.from(
    { length: 10_000 },
    (_, index) =>
      `        - endpoint: {address: {socket_address: {address: 10.0.${index >> 8}.${index & 255}, port_value: 80}}}\n` +
      `          load_balancing_weight: ${(index % 7) + 1}\n`,
  );
  const text = `name: a\nload_assignment:\n  cluster_name: a\n  endpoints:\n    - lb_endpoints:\n${hosts.join('')}`;
  expect(findings(text)).toEqual([]);
  expect(findings(text.replace('10.0.39.15', '10.0.39.256'))).toEqual([
    'error endpoint-address load_assignment.endpoints[0].lb_endpoints[9999].endpoint.address.socket_address.address',
  ]);
});

describe('what a bootstrap says of management servers and runtime', () => {
  const source = (api: string): string => `static_resources:
  clusters:
    - {name: xds, load_assignment: {cluster_name: xds}}
    - {name: e, type: EDS, eds_cluster_config: {eds_config: {api_config_source: {${api}}}}}
node: {id: a, cluster: b}
`;
  const at = 'static_resources.clusters[1].eds_cluster_config.eds_config.api_config_source';
  const service = (metadata = ''): string => `{envoy_grpc: {cluster_name: xds}${metadata}}`;
  const layers = (list: string): string => `static_resources: {}\nlayered_runtime: {layers: [${list}]}\n`;

  // A proxy 1.40 refuses each of them, and the sources of 1.16 do.
  test.each([
    [source('cluster_names: [xds], refresh_delay: 1s'), `error api-config-source ${at}.api_type`],
    [
      source('api_type: UNSUPPORTED_REST_LEGACY, cluster_names: [xds], refresh_delay: 1s'),
      `error api-config-source ${at}.api_type`,
    ],
    [
      source(`api_type: GRPC, grpc_services: [${service()}, ${service()}]`),
      `error api-config-source ${at}.grpc_services[1]`,
    ],
    [
      source(`api_type: GRPC, grpc_services: [${service(', initial_metadata: [{key: ":path", value: a}]')}]`),
      `error header-name ${at}.grpc_services[0].initial_metadata[0].key`,
    ],
    [
      layers('{name: a, admin_layer: {}}, {name: b, admin_layer: {}}'),
      'error duplicate-name layered_runtime.layers[1].admin_layer',
    ],
    [
      '{"layered_runtime": {"layers": [{"name": "a", "static_layer": {"b": 1e999}}]}}',
      'error range layered_runtime.layers[0].static_layer.b',
    ],
    [layers('{name: a, static_layer: {b: [1]}}'), 'error runtime-value layered_runtime.layers[0].static_layer.b'],
    [layers('{name: a, static_layer: {b: null}}'), 'error runtime-value layered_runtime.layers[0].static_layer.b'],
  ])('%s', (text, expected) => {
    expect(findings(text)).toEqual([expected]);
  });

  test.each([
    source('api_type: REST, cluster_names: [xds], refresh_delay: 1s'),
    source(`api_type: DELTA_GRPC, grpc_services: [${service(', initial_metadata: [{key: a, value: "%HOSTNAME%"}]')}]`),
    layers('{name: a, static_layer: {b: 1, c: {d: x, e: {numerator: 5}}}}, {name: b, admin_layer: {}}'),
  ])('is right: %s', (text) => {
    expect(findings(text)).toEqual([]);
  });
});

describe('a file of the v1 API is called one', () => {
  const cluster =
    '{name: a, connect_timeout_ms: 250, type: static, lb_type: random, hosts: [{url: "tcp://10.0.0.1:80"}]}';

  test.each([
    [cluster, ['error v1 connect_timeout_ms']],
    [`{listeners: [], admin: {}, cluster_manager: {clusters: [${cluster}]}}`, ['error v1 cluster_manager']],
  ])('%s', (text, expected) => {
    expect(findings(text)).toEqual(expected);
    const { problems } = loadScenario({ file: 'f', text });
    expect(problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)).toEqual(expected);
  });

  test('and a v2 file is not', () => {
    expect(findings(BOOTSTRAP)).toEqual([]);
  });
});

describe('two clusters of one name', () => {
  const one = '{name: a, load_assignment: {cluster_name: a}}';
  const said = (text: string): readonly string[] =>
    loadScenario({ file: 'f', text }).problems.map(({ rule, path }) => `${rule} ${path}`);

  test.each(['{name: a}', '{name: a, lb_polcy: RANDOM}'])(
    'are told, whatever else is wrong with the second: %s',
    (second) => {
      const further = second.includes('lb_polcy') ? ['unknown-field'] : [];
      const rules = (text: string): readonly string[] => said(text).map((problem) => problem.split(' ')[0] ?? '');
      expect([...rules(`clusters: [${one}, ${second}]`)].sort()).toEqual(['duplicate-name', ...further]);
      expect([...rules(`static_resources: {clusters: [${one}, ${second}]}`)].sort()).toEqual([
        'duplicate-name',
        ...further,
      ]);
    },
  );

  test('of which the first has its hosts from endpoints', () => {
    expect(said('clusters: [{name: a}, {name: a}]\nendpoints: {a: [10.0.0.1:80]}\n')).toEqual([
      'duplicate-name clusters[1].name',
    ]);
  });
});
