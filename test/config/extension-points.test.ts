import { describe, expect, it } from 'vitest';
import { YET_REFUSED } from '../../src/config/reader/context.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

const TYPES = 'type.googleapis.com/';
const STRUCT = { '@type': `${TYPES}google.protobuf.Struct`, value: {} };
const FOREIGN = { '@type': `${TYPES}foo.Bar` };
const FOREIGN_STRUCT = { '@type': `${TYPES}xds.type.v3.TypedStruct`, type_url: `${TYPES}foo.Bar` };
const PER_FILTER = `${TYPES}envoy.config.route.v3.FilterConfig`;
const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const typed = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' };

interface Parts {
  readonly http?: object;
  readonly host?: object;
  readonly listener?: object;
  readonly cluster?: object;
  readonly root?: object;
}

function bootstrapOf(parts: Parts) {
  const virtual_hosts = [
    { name: 'v', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'c' } }], ...parts.host },
  ];
  const hcm = {
    '@type': HCM,
    stat_prefix: 's',
    http_filters: [{ name: 'r', typed_config: typed }],
    route_config: { virtual_hosts },
    ...parts.http,
  };
  const address = { socket_address: { address: '10.0.0.1', port_value: 8080 } };
  const listener = { address, filter_chains: [{ filters: [{ name: 'h', typed_config: hcm }] }], ...parts.listener };
  const load_assignment = {
    cluster_name: 'c',
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
    ],
  };
  const clusters = [{ name: 'c', connect_timeout: '1s', load_assignment, ...parts.cluster }];
  return { static_resources: { listeners: [listener], clusters }, ...parts.root };
}

function findings(parts: Parts, forStart = true) {
  const { scenario, problems } = loadScenarioValue(bootstrapOf(parts), 'f', { forStart });
  const found = problems.filter(({ rule }) => rule === 'extension-config');
  return { runs: scenario !== undefined, found: found.map(({ severity, path }) => `${severity} ${path}`) };
}

const discovery = { config_source: { ads: {} }, type_urls: ['envoy.extensions.filters.http.buffer.v3.Buffer'] };
const named = (name: string): object => ({ name });
const MANAGER = 'static_resources.listeners[0].filter_chains[0].filters[0].typed_config';

/** Each asked of a proxy 1.40.0 with `--mode validate`. */
describe('an extension of v3 that has no type', () => {
  it.each<[string, Parts, string]>([
    [
      'an HTTP filter',
      { http: { http_filters: [named('envoy.filters.http.router')] } },
      `${MANAGER}.http_filters[0].name`,
    ],
    ['a disabled one', { http: { httpFilters: [{ name: 'x', disabled: true }] } }, `${MANAGER}.http_filters[0].name`],
    [
      'an access log',
      { http: { access_log: [named('envoy.access_loggers.stdout')] } },
      `${MANAGER}.access_log[0].name`,
    ],
    [
      'a tracer',
      { http: { tracing: { provider: named('envoy.tracers.zipkin') } } },
      `${MANAGER}.tracing.provider.name`,
    ],
    [
      'a listener filter',
      { listener: { listener_filters: [{ name: 'envoy.filters.listener.tls_inspector', typed_config: {} }] } },
      'static_resources.listeners[0].listener_filters[0].name',
    ],
    [
      'a filter of a cluster',
      { cluster: { filters: [named('envoy.filters.network.upstream_codec')] } },
      'static_resources.clusters[0].filters[0].name',
    ],
    [
      'a filter with the type of any map',
      { http: { http_filters: [{ name: 'x', typed_config: STRUCT }] } },
      `${MANAGER}.http_filters[0].typed_config`,
    ],
    [
      'a TypedStruct of no type',
      { http: { access_log: [{ name: 'x', typed_config: { '@type': `${TYPES}xds.type.v3.TypedStruct` } }] } },
      `${MANAGER}.access_log[0].name`,
    ],
    [
      'a TypedStruct of a type that no API has',
      { http: { http_filters: [{ name: 'x', typed_config: FOREIGN_STRUCT }] } },
      `${MANAGER}.http_filters[0].typed_config`,
    ],
    [
      'the resolver of a cluster whose names are resolved',
      { cluster: { type: 'STRICT_DNS', typed_dns_resolver_config: { name: 'x', typed_config: STRUCT } } },
      'static_resources.clusters[0].typed_dns_resolver_config.typed_config',
    ],
    [
      'settings of a filter',
      { host: { typed_per_filter_config: { x: {} } } },
      `${MANAGER}.route_config.virtual_hosts[0].typed_per_filter_config.x`,
    ],
    [
      'settings that are none',
      { host: { typed_per_filter_config: { x: { '@type': PER_FILTER } } } },
      `${MANAGER}.route_config.virtual_hosts[0].typed_per_filter_config.x`,
    ],
    [
      'a filter sent later, without which it starts and with nothing',
      {
        http: {
          http_filters: [{ name: 'x', config_discovery: { ...discovery, apply_default_config_without_warming: true } }],
        },
      },
      `${MANAGER}.http_filters[0].config_discovery.apply_default_config_without_warming`,
    ],
    [
      'a filter sent later, which begins as another',
      { http: { http_filters: [{ name: 'x', config_discovery: { ...discovery, default_config: typed } }] } },
      `${MANAGER}.http_filters[0].config_discovery.default_config`,
    ],
    [
      'a bootstrap extension',
      { root: { bootstrap_extensions: [{ name: 'x', typed_config: {} }] } },
      'bootstrap_extensions[0].name',
    ],
    [
      'a matched transport socket',
      { cluster: { transport_socket_matches: [{ name: 'm', match: {}, transport_socket: named('raw_buffer') }] } },
      'static_resources.clusters[0].transport_socket_matches[0].transport_socket.name',
    ],
    [
      'a resource monitor',
      { root: { overload_manager: { resource_monitors: [named('m')] } } },
      'overload_manager.resource_monitors[0].name',
    ],
  ])('%s refuses the proxy, and is a warning for a run', (_, parts, path) => {
    expect(findings(parts)).toEqual({ runs: false, found: [`error ${path}`] });
    expect(findings(parts, false)).toEqual({ runs: true, found: [`warning ${path}`] });
  });

  it.each([
    ['with its type', {}],
    ['optional', { http: { http_filters: [{ name: 'envoy.filters.http.cors', is_optional: true }] } }],
    ['sent later', { http: { http_filters: [{ name: 'x', config_discovery: discovery }] } }],
    ['optional, of no type', { http: { http_filters: [{ name: 'x', is_optional: true, typed_config: STRUCT }] } }],
    ['for none of the filters', { host: { typed_per_filter_config: {} } }],
    [
      'of a filter that is disabled',
      { host: { typed_per_filter_config: { x: { '@type': PER_FILTER, disabled: true } } } },
    ],
    [
      'the resolver of other clusters',
      { cluster: { typed_dns_resolver_config: { name: 'x', typed_config: FOREIGN_STRUCT } } },
    ],
    ['not looked for', { cluster: { upstream_config: { name: 'x', typed_config: STRUCT } } }],
    ['found by its name', { cluster: { type: undefined, cluster_type: { name: 'envoy.cluster.static' } } }],
  ])('but not one that is %s', (_, parts) => {
    expect(findings(parts)).toEqual({ runs: true, found: [] });
  });

  it('is told with what to write, where its name says it', () => {
    const { problems } = loadScenarioValue(
      { ...bootstrapOf({ http: { http_filters: [named('envoy.filters.http.router')] } }) },
      'f',
    );
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(
        ': write typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}',
      ),
    );
  });

  it('is told once for each name', () => {
    const filters = { http_filters: [named('a'), named('b'), named('a')] };
    expect(findings({ http: filters }).found).toHaveLength(2);
  });

  it('is known to a running proxy, whose dump may be of another release', () => {
    const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };
    const cluster = {
      '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
      ...{ name: 'c', type: 'STATIC', connect_timeout: '1s' },
      load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
      transport_socket_matches: [
        { name: 'm', match: {}, transport_socket: named('envoy.transport_sockets.raw_buffer') },
      ],
    };
    const part = {
      '@type': 'type.googleapis.com/envoy.admin.v3.ClustersConfigDump',
      dynamic_active_clusters: [{ cluster }],
    };
    const { scenario, problems } = loadScenarioValue({ configs: [part] }, 'f', { forStart: true });
    expect(scenario).toBeDefined();
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'warning', rule: 'extension-config' }));
  });
});

/** Asked of a proxy 1.40.0, which reads no file with such a type, wherever it stands. */
it.each<[string, Parts]>([
  ['an HTTP filter', { http: { http_filters: [{ name: 'x', typed_config: FOREIGN }] } }],
  ['settings of a filter', { host: { typed_per_filter_config: { x: FOREIGN } } }],
  ['an access log', { http: { access_log: [{ name: 'x', typed_config: FOREIGN }] } }],
  ['a resolver', { root: { typed_dns_resolver_config: { name: 'x', typed_config: FOREIGN } } }],
  ['a bootstrap extension', { root: { bootstrap_extensions: [{ name: 'x', typed_config: FOREIGN }] } }],
  ['metadata', { cluster: { metadata: { typed_filter_metadata: { x: FOREIGN } } } }],
  ['an upstream', { cluster: { upstream_config: { name: 'x', typed_config: FOREIGN } } }],
])('a type that no API has refuses a start in %s, and is a warning for a run', (_, parts) => {
  const told = [true, false].map((forStart) => {
    const { problems } = loadScenarioValue(bootstrapOf(parts), 'f', { forStart, api: 'v3' });
    return problems.filter(({ rule }) => rule === 'any-type').map(({ severity, message }) => ({ severity, message }));
  });
  const message = '"@type" type.googleapis.com/foo.Bar is not a message of the proxy';
  expect(told).toEqual([
    [{ severity: 'error', message }],
    [{ severity: 'warning', message: `${message}${YET_REFUSED}` }],
  ]);
});

/** Asked of a proxy 1.40.0: what is wrong in a part that balances nothing keeps it from starting all the same. */
it.each<[string, Parts]>([
  ['without a name', { http: { http_filters: [{ typed_config: typed }] } }],
  ['without a source', { http: { http_filters: [{ name: 'x', config_discovery: {} }] } }],
  ['without a configuration', { root: { bootstrap_extensions: [named('x')] } }],
  ['beyond a limit', { http: { max_request_headers_kb: 100_000 } }],
  ['of another type', { http: { use_remote_address: 'often' } }],
])('what is %s refuses a start, and is a warning for a run', (_, parts) => {
  const [start, run] = [true, false].map((forStart) => loadScenarioValue(bootstrapOf(parts), 'f', { forStart }));
  expect(start?.scenario).toBeUndefined();
  expect(run?.scenario).toBeDefined();
  const warnings = run?.problems.filter(({ severity }) => severity === 'warning') ?? [];
  const errors = start?.problems.filter(({ severity }) => severity === 'error') ?? [];
  expect(errors).not.toHaveLength(0);
  expect(warnings.map(({ path, message }) => [path, message])).toEqual(
    errors.map(({ path, message }) => [path, `${message}${YET_REFUSED}`]),
  );
});
