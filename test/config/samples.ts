/** A cluster that sets nearly everything, all of it right. */
export const EVERYTHING = `name: backend
alt_stat_name: back:end
type: STRICT_DNS
connect_timeout: 0.25s
per_connection_buffer_limit_bytes: 32768
lb_policy: RING_HASH
load_assignment:
  cluster_name: backend
  endpoints:
    - locality: {region: eu, zone: a, sub_zone: "1"}
      load_balancing_weight: 3
      priority: 0
      proximity: 1
      lb_endpoints:
        - endpoint:
            address: {socket_address: {address: a.example, port_value: 80}}
            health_check_config: {port_value: 8080, hostname: h}
            hostname: a
          health_status: DEGRADED
          load_balancing_weight: "7"
          metadata: {filter_metadata: {envoy.lb: {version: "1.0", canary: true}}}
        - endpoint: {address: {socket_address: {address: b.example, port_value: 80}}}
    - lb_endpoints: [{endpoint: {address: {pipe: {path: /tmp/x, mode: 511}}}}]
      priority: 1
  policy:
    overprovisioning_factor: 150
    endpoint_stale_after: 5s
    drop_overloads: [{category: x, drop_percentage: {numerator: 10, denominator: TEN_THOUSAND}}]
health_checks:
  - timeout: 1s
    interval: {seconds: 2}
    interval_jitter: 0.1s
    interval_jitter_percent: 10
    initial_jitter: 1s
    unhealthy_threshold: 2
    healthy_threshold: {value: 2}
    alt_port: 8080
    reuse_connection: false
    no_traffic_interval: 10s
    unhealthy_interval: 1s
    unhealthy_edge_interval: 1s
    healthy_edge_interval: 1s
    always_log_health_check_failures: true
    http_health_check:
      path: /health
      host: h
      expected_statuses: [{start: 200, end: 300}]
      request_headers_to_add: [{header: {key: x, value: "%START_TIME%"}, append: false}]
      codec_client_type: HTTP2
max_requests_per_connection: 10
circuit_breakers:
  thresholds:
    - {max_connections: 1, max_pending_requests: 2, max_requests: 3, max_retries: 4, track_remaining: true}
    - {priority: HIGH, retry_budget: {budget_percent: {value: 20}, min_retry_concurrency: 3}, max_connection_pools: 5}
upstream_http_protocol_options: {auto_sni: true}
common_http_protocol_options: {idle_timeout: 5s, max_headers_count: 100}
http_protocol_options: {accept_http_10: true, header_key_format: {proper_case_words: {}}}
http2_protocol_options: {max_concurrent_streams: 100, custom_settings_parameters: [{identifier: 16, value: 1}]}
typed_extension_protocol_options:
  envoy.filters.network.thrift_proxy:
    "@type": type.googleapis.com/envoy.config.filter.network.thrift_proxy.v2alpha1.ThriftProtocolOptions
    transport: FRAMED
dns_refresh_rate: 5s
dns_failure_refresh_rate: {base_interval: 1s, max_interval: 10s}
respect_dns_ttl: true
dns_lookup_family: V4_ONLY
dns_resolvers: [{socket_address: {address: 127.0.0.1, port_value: 53}}]
use_tcp_for_dns_lookups: true
outlier_detection:
  consecutive_5xx: 5
  interval: 10s
  base_ejection_time: 30s
  max_ejection_percent: 50
  split_external_local_origin_errors: true
  max_ejection_time: 300s
cleanup_interval: 5s
upstream_bind_config: {source_address: {address: 0.0.0.0, port_value: 0}, freebind: true}
lb_subset_config:
  fallback_policy: DEFAULT_SUBSET
  default_subset: {version: "1.0"}
  subset_selectors:
    - {keys: [version, stage], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [version]}
  panic_mode_any: true
  list_as_any: true
ring_hash_lb_config: {minimum_ring_size: 1024, maximum_ring_size: "2048", hash_function: MURMUR_HASH_2}
common_lb_config:
  healthy_panic_threshold: {value: 33.7}
  locality_weighted_lb_config: {}
  update_merge_window: 1s
  ignore_new_hosts_until_first_hc: true
  consistent_hashing_lb_config: {use_hostname_for_hashing: true, hash_balance_factor: 125}
transport_socket:
  name: envoy.transport_sockets.tls
  typed_config:
    "@type": type.googleapis.com/envoy.api.v2.auth.UpstreamTlsContext
    sni: a.example
    common_tls_context: {validation_context: {trusted_ca: {filename: /etc/ssl/ca.pem}}}
transport_socket_matches:
  - name: plain
    match: {plain: true}
    transport_socket:
      name: envoy.transport_sockets.raw_buffer
      typed_config: {"@type": type.googleapis.com/envoy.config.transport_socket.raw_buffer.v2.RawBuffer}
metadata: {filter_metadata: {com.example: {team: x}}}
protocol_selection: USE_DOWNSTREAM_PROTOCOL
upstream_connection_options: {tcp_keepalive: {keepalive_time: 10}}
close_connections_on_host_health_failure: true
drain_connections_on_host_removal: true
filters:
  - name: envoy.filters.network.mongo_proxy
    typed_config: {"@type": type.googleapis.com/envoy.config.filter.network.mongo_proxy.v2.MongoProxy, stat_prefix: m}
track_timeout_budgets: true
`;

/** A static cluster of one host, with further fields. */
export function staticCluster(fields = '', endpoint = ''): string {
  return `name: a
connect_timeout: 1s
load_assignment:
  cluster_name: a
  endpoints:
    - lb_endpoints:
        - {endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 80}}}${endpoint}}
${fields}
`;
}

export const BOOTSTRAP = `node: {id: edge, cluster: web, locality: {zone: a}}
static_resources:
  clusters:
    - name: a
      load_assignment: {cluster_name: a}
    - name: local
      type: EDS
      eds_cluster_config:
        eds_config:
          api_config_source: {api_type: GRPC, grpc_services: [{envoy_grpc: {cluster_name: a}}]}
  listeners:
    - name: l
      address: {socket_address: {address: 0.0.0.0, port_value: 80}}
      filter_chains:
        - filters:
            - name: envoy.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager
                stat_prefix: i
                route_config:
                  virtual_hosts:
                    - name: v
                      domains: ["*"]
                      routes:
                        - match: {prefix: /}
                          route: {cluster: a, hash_policy: [{header: {header_name: x}}], retry_policy: {retry_on: 5xx}}
cluster_manager: {local_cluster_name: local}
stats_config: {stats_tags: [{tag_name: env, fixed_value: x}], stats_matcher: {inclusion_list: {patterns: [{prefix: c}]}}}
stats_flush_interval: 5s
stats_sinks:
  - name: envoy.stat_sinks.hystrix
    typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.HystrixSink, num_buckets: 10}
  - name: envoy.stat_sinks.statsd
    typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.StatsdSink, tcp_cluster_name: a}
layered_runtime: {layers: [{name: s, static_layer: {upstream: {healthy_panic_threshold: 40}}}]}
admin: {access_log_path: /dev/null}
`;
