import { NAMES, RESOLVED } from './cluster-effects.js';
import { mirrored } from './routing-effects.js';
import type { Effect } from './variants.js';
import { assigned, cluster, endpoint, typed, verdict } from './variants.js';

/** Fields that only v3 has, by their names there. */

const run = (field: string, text: string): Effect => ({ field, text: `api: v3\n${text}`, shows: 'run' });

const SLOW = { rest: 'behavior: [{service_time: 100ms}]\n' };
const CHECKS =
  'health_checks: [{timeout: 0.1s, interval: 0.2s, no_traffic_interval: 0.2s, unhealthy_threshold: 5, healthy_threshold: 1, http_health_check: {path: /, retriable_statuses: [«|{start: 503, end: 504}»]}}]';
const SICK = 'timeline: [{at: 500ms, set_behavior: {hosts: 10.0.0.1:80, health_check: 503}}]\n';
const LEDS =
  'leds_cluster_locality_config: {leds_config: {ads: {}, resource_api_version: V3}, leds_collection_name: xdstp://a/envoy.config.endpoint.v3.LbEndpoint/a/*}';

/** A host that is checked and answers no checks, and one that answers. */
const checked = (config: string): string => {
  const address = 'address: {socket_address: {address: 10.0.0.1, port_value: 80}}';
  const first = `{endpoint: {${address}, health_check_config: {${config}}}}`;
  const checks =
    'health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]';
  return assigned(
    `endpoints: [{lb_endpoints: [${first}, ${endpoint('10.0.0.2:80')}]}]`,
    checks,
    'behavior: [{hosts: 10.0.0.1:80, health_check: refuse}]\n',
  );
};

const internal = (fields: string): string =>
  assigned(`endpoints: [{lb_endpoints: [{endpoint: {address: {envoy_internal_address: {${fields}}}}}]}]`);

/** A cluster whose names are resolved as a typed cluster says. */
const dns = (fields: string, rest = `dns: ${NAMES}\n`): string => {
  const type = '"@type": type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster';
  return assigned(RESOLVED, `cluster_type: {name: envoy.cluster.dns, typed_config: {${type}, ${fields}}}`, rest);
};
const FAILS = 'dns: {h1.test: {addresses: [10.0.0.1]}, h2.test: {fail: true}}\n';
/** A cluster that speaks to hosts as typed options say. */
const spoken = (options: string): string => {
  const name = 'extensions.upstreams.http.v3.HttpProtocolOptions';
  const typedOptions = `{"@type": type.googleapis.com/envoy.${name}, ${options}}`;
  return cluster(`typed_extension_protocol_options: {envoy.${name}: ${typedOptions}}`, SLOW);
};
const HTTP1 = 'explicit_http_config: {http_protocol_options: {}}';

const DNS = 'extensions.clusters.dns.v3.DnsCluster';
const HTTP = 'extensions.upstreams.http.v3.HttpProtocolOptions';

export const V3_EFFECTS: readonly Effect[] = [
  run(`${DNS}.dns_refresh_rate`, dns('dns_refresh_rate: «5s|0.5s»')),
  run(
    `${DNS}.dns_failure_refresh_rate`,
    dns('dns_refresh_rate: 5s«|, dns_failure_refresh_rate: {base_interval: 0.1s, max_interval: 0.2s}»', FAILS),
  ),
  run(
    `${DNS}.RefreshRate.base_interval`,
    dns('dns_refresh_rate: 5s, dns_failure_refresh_rate: {base_interval: «0.1s|0.01s», max_interval: 1s}', FAILS),
  ),
  run(
    `${DNS}.RefreshRate.max_interval`,
    dns('dns_refresh_rate: 5s, dns_failure_refresh_rate: {base_interval: 0.01s, max_interval: «0.02s|2s»}', FAILS),
  ),
  run(
    `${DNS}.respect_dns_ttl`,
    dns(
      'respect_dns_ttl: «false|true»',
      'dns: {h1.test: {addresses: [10.0.0.1], ttl: 1s}, h2.test: {addresses: [10.0.0.2], ttl: 1s}}\n',
    ),
  ),
  run(
    `${DNS}.dns_lookup_family`,
    dns(
      'dns_lookup_family: «AUTO|V4_ONLY»',
      'dns: {h1.test: {addresses: [10.0.0.1, "2001:db8::1"]}, h2.test: {addresses: [10.0.0.2]}}\n',
    ),
  ),
  run(
    `${DNS}.all_addresses_in_single_endpoint`,
    dns(
      'all_addresses_in_single_endpoint: «false|true»',
      'dns: {h1.test: {addresses: [10.0.0.1, 10.0.0.2]}}\n',
    ).replace(`, ${endpoint('h2.test:80')}`, ''),
  ),
  run(`${HTTP}.explicit_http_config`, spoken('«explicit_http_config: {http2_protocol_options: {}}|auto_config: {}»')),
  run(
    `${HTTP}.ExplicitHttpConfig.http2_protocol_options`,
    spoken('explicit_http_config: {«http_protocol_options|http2_protocol_options»: {}}'),
  ),
  run(
    `${HTTP}.common_http_protocol_options`,
    spoken(`${HTTP1}«|, common_http_protocol_options: {max_requests_per_connection: 1}»`),
  ),
  run(
    'config.core.v3.HttpProtocolOptions.max_requests_per_connection',
    spoken(`${HTTP1}, common_http_protocol_options: {max_requests_per_connection: «0|1»}`),
  ),
  run(
    'config.cluster.v3.CircuitBreakers.per_host_thresholds',
    cluster('circuit_breakers: {per_host_thresholds: [«|{max_connections: 1}»]}', SLOW),
  ),
  run('config.cluster.v3.Cluster.track_cluster_stats', cluster('«|track_cluster_stats: {timeout_budgets: true}»')),
  run(
    'config.cluster.v3.TrackClusterStats.timeout_budgets',
    cluster('track_cluster_stats: {timeout_budgets: «false|true»}'),
  ),
  run('config.core.v3.Address.envoy_internal_address', internal('server_listener_name: «a|b»')),
  run('config.core.v3.EnvoyInternalAddress.server_listener_name', internal('server_listener_name: «a|b»')),
  run('config.core.v3.EnvoyInternalAddress.endpoint_id', internal('server_listener_name: a, endpoint_id: «a|b»')),
  run('config.core.v3.HealthCheck.HttpHealthCheck.retriable_statuses', cluster(CHECKS, { rest: SICK })),
  run(
    'config.endpoint.v3.Endpoint.HealthCheckConfig.disable_active_health_check',
    checked('disable_active_health_check: «false|true»'),
  ),
  run(
    'config.route.v3.RouteAction.HashPolicy.Header.regex_rewrite',
    typed(
      'maglev.v3.Maglev',
      'consistent_hashing_lb_config: {hash_policy: [{header: {header_name: x-user«|, regex_rewrite: {pattern: {regex: ".*"}, substitution: other}»}}]}',
      { traffic: 'workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, headers: {x-user: one}}]\n' },
    ),
  ),
  run(
    'config.cluster.v3.Cluster.preconnect_policy',
    cluster('preconnect_policy: {per_upstream_preconnect_ratio: «1|3»}', SLOW),
  ),
  run(
    'config.cluster.v3.Cluster.PreconnectPolicy.per_upstream_preconnect_ratio',
    cluster('preconnect_policy: {per_upstream_preconnect_ratio: «1|3»}', SLOW),
  ),
  run(
    'config.cluster.v3.Cluster.PreconnectPolicy.predictive_preconnect_ratio',
    cluster('preconnect_policy: {predictive_preconnect_ratio: «1|3»}', SLOW),
  ),
  run(
    `${HTTP}.hash_policy`,
    spoken(`${HTTP1}«|, hash_policy: [{header: {header_name: x-one}}]»`)
      .replace('name: b,', 'name: b, lb_policy: MAGLEV,')
      .replace(', hash_key: {sequence: {keys: 1000}}', ', headers: {x-one: "1"}'),
  ),
  run(
    'config.route.v3.RouteAction.RequestMirrorPolicy.cluster_header',
    mirrored('cluster_header: x-copy').replace('stop: 1s,', 'stop: 1s, headers: {x-copy: «b|c»},'),
  ),
  verdict(
    'config.endpoint.v3.LocalityLbEndpoints.leds_cluster_locality_config',
    `api: v3\n${assigned(`endpoints: [{«|${LEDS},» lb_endpoints: [${endpoint('10.0.0.1:80')}]}]`)}`,
  ),
];
