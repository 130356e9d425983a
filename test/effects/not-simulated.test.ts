import { describe, expect, it } from 'vitest';
import { apiOf } from '../../src/config/api/api.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { JsonMap } from '../support/samples.js';

/** Every field that a proxy acts on and a simulation does not: it is told before the answer, in the words of the API. */

const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };

function cluster(fields: JsonMap, ofHost: JsonMap = {}): JsonMap {
  const endpoints = [{ lb_endpoints: [{ endpoint: { address, ...ofHost } }] }];
  return {
    clusters: [
      {
        name: 'a',
        connect_timeout: '1s',
        type: 'STATIC',
        load_assignment: { cluster_name: 'a', endpoints },
        ...fields,
      },
    ],
  };
}

function typed(name: string, message: string, fields: JsonMap): JsonMap {
  return { name, typed_config: { '@type': `type.googleapis.com/envoy.${message}`, ...fields } };
}

const httpOptions = (fields: JsonMap): JsonMap => {
  const options = {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http_protocol_options: {} },
    ...fields,
  };
  return bootstrap(
    cluster({
      typed_extension_protocol_options: { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': options },
    }),
  );
};

function bootstrap(parts: JsonMap, fields: JsonMap = {}): JsonMap {
  return { static_resources: parts, ...fields };
}

const ofCluster = (fields: JsonMap): JsonMap => bootstrap(cluster(fields));

function table(virtualHost: JsonMap, fields: JsonMap = {}, message = 'config.route.v3.RouteConfiguration'): JsonMap {
  const hosts = [{ name: 'v', domains: ['*'], ...virtualHost }];
  const resource = { '@type': `type.googleapis.com/envoy.${message}`, name: 'r', virtual_hosts: hosts, ...fields };
  return { resources: [resource] };
}

const V2 = 'api.v2.RouteConfiguration';

const route = (action: JsonMap, message?: string): JsonMap =>
  table({ routes: [{ match: { prefix: '/' }, route: { cluster: 'a', ...action } }] }, {}, message);

const weighted = (fields: JsonMap, entry: JsonMap = {}): JsonMap =>
  route({
    cluster: null,
    weighted_clusters: {
      clusters: [{ name: 'a', weight: 1 }, ...(Object.keys(entry).length > 0 ? [entry] : [])],
      ...fields,
    },
  });

const MIRROR = [{ cluster: 'a' }];
const PLUGIN = typed('p', 'extensions.router.cluster_specifiers.lua.v3.LuaConfig', {
  source_code: { inline_string: 'x' },
});
const BUDGET = { budget_percent: { value: 20 }, budget_interval: '1s' };
const RANDOM = typed('a', 'extensions.load_balancing_policies.random.v3.Random', {});
const STRUCT = { '@type': 'type.googleapis.com/google.protobuf.Struct', value: {} };
const LIMITS = [{ actions: [{ remote_address: {} }] }];

const ofDns = (fields: JsonMap): JsonMap =>
  ofCluster({
    type: null,
    cluster_type: {
      name: 'envoy.cluster.dns',
      typed_config: { '@type': 'type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster', ...fields },
    },
    load_assignment: {
      cluster_name: 'a',
      endpoints: [
        { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'b.test', port_value: 80 } } } }] },
      ],
    },
  });

const ofPolicy = (message: string, fields: JsonMap): JsonMap =>
  ofCluster({
    load_balancing_policy: {
      policies: [{ typed_extension_config: typed('p', `extensions.load_balancing_policies.${message}`, fields) }],
    },
  });

function ofTcp(fields: JsonMap): JsonMap {
  const proxy = { stat_prefix: 'x', cluster: 'a', ...fields };
  const filter = typed('p', 'extensions.filters.network.tcp_proxy.v3.TcpProxy', proxy);
  const type = 'type.googleapis.com/envoy.config.listener.v3.Listener';
  return { resources: [{ '@type': type, name: 'l', address, filter_chains: [{ filters: [filter] }] }] };
}

/** The least file that has the field. */
const FILES: Readonly<Record<string, JsonMap>> = {
  'api.v2.route.RouteAction.HashPolicy.filter_state': route({ hash_policy: [{ filter_state: { key: 'k' } }] }, V2),
  'config.cluster.v3.Cluster.PreconnectPolicy.preconnect_enabled_metadata': ofCluster({
    preconnect_policy: { preconnect_enabled_metadata: { path: [{ key: 'k' }] } },
  }),
  'config.core.v3.HttpProtocolOptions.max_connection_duration_jitter': httpOptions({
    common_http_protocol_options: { max_connection_duration_jitter: { value: 10 } },
  }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig.http3_protocol_options': httpOptions({
    explicit_http_config: { http3_protocol_options: {} },
  }),
  'api.v2.Cluster.protocol_selection': bootstrap(cluster({ protocol_selection: 'USE_DOWNSTREAM_PROTOCOL' })),
  'api.v2.cluster.CircuitBreakers.Thresholds.max_connection_pools': bootstrap(
    cluster({ circuit_breakers: { thresholds: [{ max_connection_pools: 1 }] } }),
  ),
  'api.v2.core.HttpProtocolOptions.max_stream_duration': bootstrap(
    cluster({ common_http_protocol_options: { max_stream_duration: '1s' } }),
  ),
  'api.v2.route.RetryPolicy.retriable_headers': route({ retry_policy: { retriable_headers: [{ name: 'x' }] } }, V2),
  'api.v2.route.RetryPolicy.retriable_request_headers': route(
    { retry_policy: { retriable_request_headers: [{ name: 'x' }] } },
    V2,
  ),
  'api.v2.route.RouteAction.idle_timeout': route({ idle_timeout: '1s' }, V2),
  'api.v2.route.RouteAction.retry_policy_typed_config': route({ retry_policy_typed_config: STRUCT }, V2),
  'api.v2.route.RouteAction.rate_limits': route({ rate_limits: LIMITS }, V2),
  'api.v2.route.RouteAction.internal_redirect_action': route(
    { internal_redirect_action: 'HANDLE_INTERNAL_REDIRECT' },
    V2,
  ),
  'api.v2.route.VirtualHost.rate_limits': table({ rate_limits: LIMITS }, {}, V2),
  'api.v2.route.VirtualHost.retry_policy_typed_config': table({ retry_policy_typed_config: STRUCT }, {}, V2),
  'config.bootstrap.v2.Bootstrap.runtime': bootstrap(cluster({}), { runtime: { symlink_root: '/x' } }),
  'config.bootstrap.v2.Bootstrap.overload_manager': bootstrap(cluster({}), {
    overload_manager: { resource_monitors: [{ name: 'x' }] },
  }),
  'config.bootstrap.v2.RuntimeLayer.disk_layer': bootstrap(cluster({}), {
    layered_runtime: { layers: [{ name: 'x', disk_layer: { symlink_root: '/x' } }] },
  }),
  'config.bootstrap.v2.RuntimeLayer.rtds_layer': bootstrap(cluster({}), {
    layered_runtime: { layers: [{ name: 'x', rtds_layer: { name: 'x', rtds_config: { path: '/x' } } }] },
  }),
  'config.cluster.v3.Cluster.dns_jitter': ofCluster({ dns_jitter: '1s' }),
  'config.route.v3.RetryPolicy.per_try_idle_timeout': route({
    retry_policy: { retry_on: '5xx', per_try_idle_timeout: '1s' },
  }),
  'config.route.v3.RetryPolicy.retry_options_predicates': route({
    retry_policy: { retry_on: '5xx', retry_options_predicates: [RANDOM] },
  }),
  'config.route.v3.Route.route_specifiers': table({
    routes: [{ match: { prefix: '/' }, route: { cluster: 'a' }, route_specifiers: [RANDOM] }],
  }),
  'config.route.v3.RouteAction.internal_redirect_policy': route({ internal_redirect_policy: {} }),
  'config.route.v3.RouteAction.max_stream_duration': route({ max_stream_duration: { max_stream_duration: '1s' } }),
  'config.route.v3.RouteConfiguration.route_specifiers': table({}, { route_specifiers: [RANDOM] }),
  'config.route.v3.VirtualHost.route_specifiers': table({ route_specifiers: [RANDOM] }),
  'extensions.clusters.dns.v3.DnsCluster.dns_jitter': ofDns({ dns_jitter: '1s' }),
  'extensions.filters.network.tcp_proxy.v3.TcpProxy.idle_timeout': ofTcp({ idle_timeout: '1s' }),
  'extensions.filters.network.tcp_proxy.v3.TcpProxy.on_demand': ofTcp({ on_demand: {} }),
  'extensions.filters.network.tcp_proxy.v3.TcpProxy.tunneling_config': ofTcp({ tunneling_config: { hostname: 'h:1' } }),
  'type.v3.HashPolicy.filter_state': ofTcp({ hash_policy: [{ filter_state: { key: 'k' } }] }),
  'extensions.load_balancing_policies.override_host.v3.OverrideHost.OverrideHostSource.metadata': ofPolicy(
    'override_host.v3.OverrideHost',
    {
      override_host_sources: [{ metadata: { key: 'x', path: [{ key: 'y' }] } }],
      fallback_policy: { policies: [{ typed_extension_config: RANDOM }] },
    },
  ),
  'extensions.upstreams.http.v3.HttpProtocolOptions.use_downstream_protocol_config': httpOptions({
    explicit_http_config: null,
    use_downstream_protocol_config: {},
  }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.auto_config': httpOptions({
    explicit_http_config: null,
    auto_config: {},
  }),
  'api.v2.route.RouteAction.cluster_header': route({ cluster: null, cluster_header: 'x' }, V2),
  'config.bootstrap.v3.Bootstrap.stats_flush_on_admin': bootstrap(cluster({}), { stats_flush_on_admin: true }),
  'config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget.budget_interval': ofCluster({
    circuit_breakers: { thresholds: [{ retry_budget: BUDGET }] },
  }),
  'config.cluster.v3.Cluster.connection_pool_per_downstream_connection': ofCluster({
    connection_pool_per_downstream_connection: true,
  }),
  'config.cluster.v3.Cluster.stats_matcher': ofCluster({ stats_matcher: { reject_all: true } }),
  'config.cluster.v3.Cluster.queuing_policies': ofCluster({ queuing_policies: {} }),
  'config.cluster.v3.Cluster.OriginalDstLbConfig.metadata_key': ofCluster({
    type: 'ORIGINAL_DST',
    lb_policy: 'CLUSTER_PROVIDED',
    load_assignment: null,
    original_dst_lb_config: { metadata_key: { key: 'a', path: [{ key: 'b' }] } },
  }),
  'config.cluster.v3.OutlierDetection.monitors': ofCluster({ outlier_detection: { monitors: [RANDOM] } }),
  'config.cluster.v3.OutlierDetection.detect_degraded_hosts': ofCluster({
    outlier_detection: { detect_degraded_hosts: true },
  }),
  'config.endpoint.v3.Endpoint.additional_addresses': bootstrap(
    cluster({}, { additional_addresses: [{ address: { socket_address: { address: '10.0.0.2', port_value: 80 } } }] }),
  ),
  'config.metrics.v3.StatsConfig.histogram_bucket_settings': bootstrap(cluster({}), {
    stats_config: { histogram_bucket_settings: [{ match: { prefix: 'a' }, buckets: [1, 2] }] },
  }),
  'config.route.v3.RetryPolicy.refresh_cluster_on_retry': route({
    retry_policy: { retry_on: '5xx', refresh_cluster_on_retry: true },
  }),
  'config.route.v3.RouteAction.cluster_specifier_plugin': table(
    { routes: [{ match: { prefix: '/' }, route: { cluster_specifier_plugin: 'p' } }] },
    { cluster_specifier_plugins: [{ extension: PLUGIN }] },
  ),
  'config.route.v3.RouteAction.inline_cluster_specifier_plugin': route({
    cluster: null,
    inline_cluster_specifier_plugin: { extension: PLUGIN },
  }),
  'config.route.v3.VirtualHost.matcher': table({ matcher: { on_no_match: { action: RANDOM } } }),
  'config.route.v3.WeightedCluster.header_name': weighted({ header_name: 'x' }),
  'config.route.v3.WeightedCluster.ClusterWeight.cluster_header': weighted({}, { cluster_header: 'x', weight: 1 }),
  'extensions.clusters.dns.v3.DnsCluster.dns_min_refresh_rate': ofDns({ dns_min_refresh_rate: '2s' }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.outlier_detection': httpOptions({ outlier_detection: {} }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.request_mirror_policies': httpOptions({
    request_mirror_policies: MIRROR,
  }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.retry_policy': httpOptions({ retry_policy: { retry_on: '5xx' } }),
};

const LACKING = new Map(
  (['v2', 'v3'] as const).flatMap((api) =>
    apiOf(api).names.flatMap((message) =>
      (apiOf(api).message(message)?.fields ?? []).flatMap(({ name, texts: { lacking } }) =>
        lacking === undefined ? [] : [[`${message}.${name}`, lacking] as const],
      ),
    ),
  ),
);

/**
 * Why a field has no effect: in a world where this holds, a proxy with it and one without it send alike, and are answered alike.
 * What may change either is `lacking`, and told; a reason that is not here is to be thought about.
 */
const REASONS = [
  'HTTP is not simulated below requests and answers',
  'TLS is not simulated',
  'a 1.40 checks the host’s own port all the same; health_check_config of the host has another',
  'a cluster without a request balances nothing',
  'a run starts at once, whatever its clusters still wait for',
  'a simulated host gives the same answer for every host header',
  'a simulated host gives the same answer for every service',
  'a simulated host gives the same answer on every path',
  'a simulated host gives the same answer on every path; `health_check` of its behaviour says which',
  'a simulated host gives the same answer to every method',
  'a simulated host gives the same answer whatever it is sent',
  'a simulated proxy does not crash',
  'a simulated proxy is not traced',
  'all are read as the default engine reads them',
  'all statistics exist from the start of a run',
  'answers have no bytes',
  'assignments come from the scenario: `endpoints`, `assignments` and the timeline',
  'binding is not simulated',
  'bytes are not simulated',
  'bytes are not simulated; `health_check` of the host’s behaviour says how it answers',
  'checkers have no protocol here; `health_check` of the host’s behaviour says how it answers',
  'connections are not simulated one by one',
  'extensions are not simulated',
  'filters are not simulated',
  'frames are not simulated',
  'gRPC services are not simulated',
  'health checks carry no headers here',
  'health checks have no connections here',
  'health discovery is not simulated',
  'it is a name for people',
  'it is the only engine',
  'it only changes speed',
  'listeners are not simulated',
  'load balancing reads only filter_metadata',
  'load reporting is not simulated',
  'load reports are not simulated',
  'management servers are not simulated: use assignments and the timeline of a scenario',
  'memory is not simulated',
  'names are resolved by `dns` of the scenario',
  'no file shows them',
  'no simulated filter names hosts, and the policy override_host does not ask for it',
  'no simulated filter reads it',
  'no socket is bound',
  'no socket is made',
  'of a bare file, every route gets the same traffic',
  'only routes to clusters are simulated',
  'only their routes and TCP proxies are followed, as the traffic of a file that has no other; what happens before a cluster is chosen is not simulated',
  'simulated connections never fall silent',
  'simulated requests are HTTP',
  'sockets are not simulated',
  'statistics are kept for the whole run',
  'statistics of routes are not written',
  'the admin interface is not simulated',
  'the behaviour of a host says how it answers, wherever it is asked',
  'the event loop is not simulated',
  'the file system is not simulated',
  'the node is sent to nobody',
  'the prefix of headers is not simulated',
  'the proxy does not implement endpoint_name',
  'the proxy does not implement it',
  'the proxy does not implement it; an endpoint is needed all the same',
  'the proxy does not read it either',
  'the proxy’s own log is not simulated',
  'the proxy’s own log is not simulated; the timeline of the report has them',
  'the report and /clusters have the counts of each host',
  'the report lists every event',
  'the routes that use them say what is missing',
  'the server is not simulated',
  'the transport of DNS is not simulated',
  'the use of an address decides its protocol',
  'the watchdog is not simulated',
  'they are told apart by their order',
  'they may in any case',
  'threads are not simulated',
  'tracing is not simulated',
  'upgrades are not simulated',
  'what happens before a cluster is chosen is not simulated',
];

const without = (['v2', 'v3'] as const).flatMap((api) =>
  apiOf(api).names.flatMap((message) =>
    (apiOf(api).message(message)?.fields ?? []).flatMap(({ texts: { noEffect } }) => noEffect ?? []),
  ),
);

describe('what a proxy does and a simulation does not is told before the answer', () => {
  it('of every field whose words say so', () => {
    expect([...LACKING.keys()].sort()).toEqual(Object.keys(FILES).sort());
  });

  it.each([...LACKING])('%s', async (id, lacking) => {
    const hosts = JSON.stringify({ resources: cluster({})['clusters'] });
    const file = FILES[id] ?? {};
    const others = 'static_resources' in file ? [] : [{ file: 'clusters.json', text: hosts }];
    const { scenario, problems } = loadScenario([{ file: 'a.json', text: JSON.stringify(file) }, ...others], {
      api: /^(?:api|config\.bootstrap)\.v2/.test(id) ? 'v2' : 'v3',
    });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (scenario === undefined) return;
    const name = id.slice(id.lastIndexOf('.') + 1);
    expect(scenario.origin.says[0]).toContain(`${name} is not simulated: ${lacking} (`);
    const { input } = await predict({ ...scenario, workloads: [] });
    expect(input?.[0]).toBe(scenario.origin.says[0]);
  });

  it('of a TCP proxy in a whole bootstrap, too', () => {
    const tcp = ofTcp({ hash_policy: [{ filter_state: { key: 'k' } }] });
    const [listener] = tcp['resources'] as readonly JsonMap[];
    const { '@type': _, ...own } = listener ?? {};
    const { static_resources: resources } = bootstrap(cluster({})) as { readonly static_resources: JsonMap };
    const file = { static_resources: { ...resources, listeners: [own] } };
    const { problems } = loadScenario([{ file: 'a.json', text: JSON.stringify(file) }], { api: 'v3' });
    expect(problems.filter(({ rule }) => rule === 'not-simulated').map(({ path }) => path.split('.').at(-1))).toEqual([
      'filter_state',
    ]);
  });

  it('and what has no effect could have none, as these reasons say', () => {
    expect([...new Set(without)].sort()).toEqual(REASONS);
  });

  it('a sink that is not ours', () => {
    const sinks = { stats_sinks: [typed('envoy.stat_sinks.x', 'config.metrics.v3.MetricsServiceConfig', {})] };
    const { scenario } = loadScenario([{ file: 'a.json', text: JSON.stringify(bootstrap(cluster({}), sinks)) }], {});
    expect(scenario?.origin.says[0]).toContain('is not simulated: nothing is sent to it (');
  });
});
