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
const HEDGE = { hedge_on_per_try_timeout: true };
const PLUGIN = typed('p', 'extensions.router.cluster_specifiers.lua.v3.LuaConfig', {
  source_code: { inline_string: 'x' },
});
const BUDGET = { budget_percent: { value: 20 }, budget_interval: '1s' };
const RANDOM = typed('a', 'extensions.load_balancing_policies.random.v3.Random', {});
const OVERRIDE = {
  '@type': 'type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster',
  dns_min_refresh_rate: '2s',
};

/** The least file that has the field. */
const FILES: Readonly<Record<string, JsonMap>> = {
  'api.v2.route.RouteAction.cluster_header': route({ cluster: null, cluster_header: 'x' }, V2),
  'api.v2.route.RouteAction.request_mirror_policy': route({ request_mirror_policy: { cluster: 'a' } }, V2),
  'api.v2.route.RouteAction.request_mirror_policies': route({ request_mirror_policies: MIRROR }, V2),
  'api.v2.route.RouteAction.hedge_policy': route({ hedge_policy: HEDGE }, V2),
  'api.v2.route.RouteAction.HashPolicy.Cookie.ttl': route({ hash_policy: [{ cookie: { name: 'c', ttl: '1s' } }] }, V2),
  'api.v2.route.VirtualHost.hedge_policy': table({ hedge_policy: HEDGE }, {}, V2),
  'config.bootstrap.v3.Bootstrap.stats_flush_on_admin': bootstrap(cluster({}), { stats_flush_on_admin: true }),
  'config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget.budget_interval': ofCluster({
    circuit_breakers: { thresholds: [{ retry_budget: BUDGET }] },
  }),
  'config.cluster.v3.Cluster.preconnect_policy': ofCluster({ preconnect_policy: { per_upstream_preconnect_ratio: 2 } }),
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
  'config.route.v3.RouteConfiguration.request_mirror_policies': table({}, { request_mirror_policies: MIRROR }),
  'config.route.v3.VirtualHost.matcher': table({ matcher: { on_no_match: { action: RANDOM } } }),
  'config.route.v3.VirtualHost.request_mirror_policies': table({ request_mirror_policies: MIRROR }),
  'config.route.v3.WeightedCluster.header_name': weighted({ header_name: 'x' }),
  'config.route.v3.WeightedCluster.use_hash_policy': weighted({ use_hash_policy: true }),
  'config.route.v3.WeightedCluster.ClusterWeight.cluster_header': weighted({}, { cluster_header: 'x', weight: 1 }),
  'extensions.clusters.dns.v3.DnsCluster.dns_min_refresh_rate': ofCluster({
    type: null,
    cluster_type: { name: 'envoy.cluster.dns', typed_config: OVERRIDE },
    load_assignment: {
      cluster_name: 'a',
      endpoints: [
        { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'b.test', port_value: 80 } } } }] },
      ],
    },
  }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.outlier_detection': httpOptions({ outlier_detection: {} }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.request_mirror_policies': httpOptions({
    request_mirror_policies: MIRROR,
  }),
  'extensions.upstreams.http.v3.HttpProtocolOptions.hash_policy': httpOptions({
    hash_policy: [{ header: { header_name: 'x' } }],
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

describe('what a proxy does and a simulation does not is told before the answer', () => {
  it('of every field whose words say so', () => {
    expect([...LACKING.keys()].sort()).toEqual(Object.keys(FILES).sort());
  });

  it.each([...LACKING])('%s', async (id, lacking) => {
    const hosts = JSON.stringify({ resources: cluster({})['clusters'] });
    const file = FILES[id] ?? {};
    const others = 'static_resources' in file ? [] : [{ file: 'clusters.json', text: hosts }];
    const { scenario, problems } = loadScenario([{ file: 'a.json', text: JSON.stringify(file) }, ...others], {
      api: id.startsWith('api.v2') ? 'v2' : 'v3',
    });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (scenario === undefined) return;
    const name = id.slice(id.lastIndexOf('.') + 1);
    expect(scenario.origin.says[0]).toContain(`${name} is not simulated: ${lacking} (`);
    const { input } = await predict({ ...scenario, workloads: [] });
    expect(input?.[0]).toBe(scenario.origin.says[0]);
  });
});
