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

export const V3_EFFECTS: readonly Effect[] = [
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
  verdict(
    'config.endpoint.v3.LocalityLbEndpoints.leds_cluster_locality_config',
    `api: v3\n${assigned(`endpoints: [{«|${LEDS},» lb_endpoints: [${endpoint('10.0.0.1:80')}]}]`)}`,
  ),
];
