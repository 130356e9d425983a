// The v2 API of the proxy 1.17, the last that had it, in the form of api.ts: names, types and constraints, and what we
// say of them. `since` marks what is newer. v3 takes its words from here.
// Origin: github.com/envoyproxy/go-control-plane, envoy v1.40.0, whose v2 definitions are frozen.
export const V2_TABLE = `
admin.v2alpha.BootstrapConfigDump
 bootstrap config.bootstrap.v2.Bootstrap
 last_updated Timestamp
admin.v2alpha.ClusterStatus
 name string
 added_via_api bool
 success_rate_ejection_threshold type.Percent
 host_statuses []admin.v2alpha.HostStatus
 local_origin_success_rate_ejection_threshold type.Percent
admin.v2alpha.Clusters
 cluster_statuses []admin.v2alpha.ClusterStatus
admin.v2alpha.ClustersConfigDump
 version_info string
 static_clusters [].StaticCluster
 dynamic_active_clusters [].DynamicCluster
 dynamic_warming_clusters [].DynamicCluster
admin.v2alpha.ClustersConfigDump.DynamicCluster
 version_info string
 cluster Any
 last_updated Timestamp
admin.v2alpha.ClustersConfigDump.StaticCluster
 cluster Any
 last_updated Timestamp
admin.v2alpha.ConfigDump
 configs []Any
admin.v2alpha.HostHealthStatus
 failed_active_health_check bool
 failed_outlier_check bool
 failed_active_degraded_check bool
 pending_dynamic_removal bool
 pending_active_hc bool
 eds_health_status =api.v2.core.HealthStatus
admin.v2alpha.HostStatus
 address api.v2.core.Address
 stats []admin.v2alpha.SimpleMetric
 health_status admin.v2alpha.HostHealthStatus
 success_rate type.Percent
 weight uint32
 hostname string
 priority uint32
 local_origin_success_rate type.Percent
 locality api.v2.core.Locality
admin.v2alpha.ListenersConfigDump
 version_info string
 static_listeners [].StaticListener
 dynamic_listeners [].DynamicListener
admin.v2alpha.ListenersConfigDump.DynamicListener
 name string
 active_state admin.v2alpha.ListenersConfigDump.DynamicListenerState
 warming_state admin.v2alpha.ListenersConfigDump.DynamicListenerState
 draining_state admin.v2alpha.ListenersConfigDump.DynamicListenerState
 error_state admin.v2alpha.UpdateFailureState
admin.v2alpha.ListenersConfigDump.DynamicListenerState
 version_info string
 listener Any
 last_updated Timestamp
admin.v2alpha.ListenersConfigDump.StaticListener
 listener Any
 last_updated Timestamp
admin.v2alpha.RoutesConfigDump
 static_route_configs [].StaticRouteConfig
 dynamic_route_configs [].DynamicRouteConfig
admin.v2alpha.RoutesConfigDump.DynamicRouteConfig
 version_info string
 route_config Any
 last_updated Timestamp
admin.v2alpha.RoutesConfigDump.StaticRouteConfig
 route_config Any
 last_updated Timestamp
admin.v2alpha.ScopedRoutesConfigDump
 inline_scoped_route_configs [].InlineScopedRouteConfigs
 dynamic_scoped_route_configs [].DynamicScopedRouteConfigs
admin.v2alpha.ScopedRoutesConfigDump.DynamicScopedRouteConfigs
 name string
 version_info string
 scoped_route_configs []Any
 last_updated Timestamp
admin.v2alpha.ScopedRoutesConfigDump.InlineScopedRouteConfigs
 name string
 scoped_route_configs []Any
 last_updated Timestamp
admin.v2alpha.SecretsConfigDump
 static_secrets [].StaticSecret
 dynamic_active_secrets [].DynamicSecret
 dynamic_warming_secrets [].DynamicSecret
admin.v2alpha.SecretsConfigDump.DynamicSecret
 name string
 version_info string
 last_updated Timestamp
 secret Any
admin.v2alpha.SecretsConfigDump.StaticSecret
 name string
 last_updated Timestamp
 secret Any
admin.v2alpha.SimpleMetric
 type =.Type
 value uint64
 name string
admin.v2alpha.UpdateFailureState
 failed_configuration Any
 last_update_attempt Timestamp
 details string
api.v2.Cluster # One upstream cluster: its hosts, how they are watched, and how one of them is chosen for a request.
 transport_socket_matches [].TransportSocketMatch # Transport sockets by endpoint metadata.
 name string bytes>=1 # Unique. In statistics each : becomes _.
 alt_stat_name string # Name in statistics, instead of name; each : becomes _.
 type =.DiscoveryType oneof=cluster_discovery_type defined # How the cluster learns of its hosts.
 cluster_type .CustomClusterType oneof=cluster_discovery_type # The same by name.
 eds_cluster_config .EdsClusterConfig # Endpoint discovery; for EDS clusters.
 connect_timeout Duration >0s # Timeout of new connections. # default: 5s
 per_connection_buffer_limit_bytes UInt32Value # Soft limit on buffers. # default: 1048576 # idle: bytes are not simulated
 lb_policy =.LbPolicy defined # How a host is chosen.
 load_balancing_policy Any # The same in v3, as a list: the first policy that the proxy knows counts, and goes before lb_policy.
 hosts []api.v2.core.Address deprecated # The hosts, without priorities, weights or localities. # instead: use load_assignment
 load_assignment api.v2.ClusterLoadAssignment # The hosts. Needed for STATIC, STRICT_DNS and LOGICAL_DNS.
 health_checks []api.v2.core.HealthCheck # Active health checks. Without any, every host is healthy.
 max_requests_per_connection UInt32Value # Requests that a connection serves; 1 disables keep-alive. # default: unlimited
 circuit_breakers api.v2.cluster.CircuitBreakers # Limits on what is in flight.
 tls_context api.v2.auth.UpstreamTlsContext deprecated disallowed # TLS. # idle: TLS is not simulated # instead: use transport_socket with the name proxy.transport_sockets.tls
 upstream_http_protocol_options api.v2.core.UpstreamHttpProtocolOptions # Options of HTTP connections. # idle: HTTP is not simulated below requests and answers
 common_http_protocol_options api.v2.core.HttpProtocolOptions # Options of HTTP/1 and HTTP/2. # idle: HTTP is not simulated below requests and answers
 http_protocol_options api.v2.core.Http1ProtocolOptions # Options of HTTP/1. # idle: HTTP is not simulated below requests and answers
 http2_protocol_options api.v2.core.Http2ProtocolOptions # Makes the proxy speak HTTP/2 to the hosts.
 extension_protocol_options {}Struct deprecated disallowed # Options of extensions, by filter name. # idle: HTTP is not simulated below requests and answers # instead: use typed_extension_protocol_options
 typed_extension_protocol_options {}Any # Options of extensions, by filter name. # idle: HTTP is not simulated below requests and answers
 dns_refresh_rate Duration >=0.001s # Time between queries of STRICT_DNS and LOGICAL_DNS; at least 1 ms. # default: 5s
 dns_failure_refresh_rate .RefreshRate # The same while queries fail. # default: dns_refresh_rate
 respect_dns_ttl bool # Query again when the TTL of the answer is over.
 dns_lookup_family =.DnsLookupFamily defined # Which addresses are asked for. AUTO: IPv6, then IPv4.
 dns_resolvers []api.v2.core.Address # DNS servers. # default: those of the system # idle: names are resolved by \`dns\` of the scenario
 use_tcp_for_dns_lookups bool # Query over TCP. # idle: names are resolved by \`dns\` of the scenario
 outlier_detection api.v2.cluster.OutlierDetection # Passive health checking.
 cleanup_interval Duration >0s # ORIGINAL_DST: hosts that were not used for this long are removed; at 1.40 only once no connection leads to them. # default: 5s
 upstream_bind_config api.v2.core.BindConfig # Source address of connections. # idle: connections are not simulated one by one
 lb_subset_config .LbSubsetConfig # Divides the hosts into subsets.
 ring_hash_lb_config .RingHashLbConfig oneof=lb_config # Options of RING_HASH.
 maglev_lb_config .MaglevLbConfig oneof=lb_config # Options of MAGLEV. # since: 1.16
 original_dst_lb_config .OriginalDstLbConfig oneof=lb_config # Options of ORIGINAL_DST clusters.
 least_request_lb_config .LeastRequestLbConfig oneof=lb_config # Options of LEAST_REQUEST.
 round_robin_lb_config .RoundRobinLbConfig oneof=lb_config # Options of ROUND_ROBIN. # since: 1.20
 common_lb_config .CommonLbConfig # Options of every policy.
 transport_socket api.v2.core.TransportSocket # How bytes are sent. # default: plain text # idle: TLS is not simulated
 metadata api.v2.core.Metadata # Further information, by the filter that needs it. # idle: no filter reads it
 protocol_selection =.ClusterProtocolSelection # How the protocol is chosen. # idle: clients of the proxy have no protocol here
 upstream_connection_options api.v2.UpstreamConnectionOptions # Keep-alive. # idle: connections are not simulated one by one
 close_connections_on_host_health_failure bool # Close TCP connections to a host that fails. # idle: TCP proxying is not simulated; HTTP connections to a host that fails are drained in either case
 drain_connections_on_host_removal bool # A host that discovery drops is removed at once, though health checks still pass.
 filters []api.v2.cluster.Filter # Network filters of upstream connections. # idle: bytes are not simulated
 lrs_server api.v2.core.ConfigSource # Load reporting service. # idle: load reports are not simulated
 track_timeout_budgets bool # Publish histograms of how much of the timeouts was used.
api.v2.Cluster.CommonLbConfig # Options of every policy.
 healthy_panic_threshold type.Percent # Below this percentage of healthy hosts all hosts are used. Truncated to whole percents; 0 disables it. # default: 50
 zone_aware_lb_config .ZoneAwareLbConfig oneof=locality_config_specifier # Prefers hosts in the proxy’s own zone.
 locality_weighted_lb_config .LocalityWeightedLbConfig oneof=locality_config_specifier # Makes the weights of localities count.
 update_merge_window Duration # Health, weight and metadata updates within it are delivered together at its end; the first goes out at once (see below). 0 disables merging. # default: 1s
 ignore_new_hosts_until_first_hc bool # New hosts do not count in weights and panic until their first health check.
 close_connections_on_host_set_change bool # Drain all connections when hosts come or go.
 consistent_hashing_lb_config .ConsistentHashingLbConfig # Options of RING_HASH and MAGLEV.
api.v2.Cluster.CommonLbConfig.ConsistentHashingLbConfig # Options of RING_HASH and MAGLEV.
 use_hostname_for_hashing bool # Hash host names instead of addresses; only for STRICT_DNS, where each name has one address.
 hash_balance_factor UInt32Value >=100 # Percent of the mean number of requests a host may have; beyond it the next host is taken. # default: unlimited # since: 1.16
api.v2.Cluster.CommonLbConfig.LocalityWeightedLbConfig # Its presence makes the weights of localities count.
api.v2.Cluster.CommonLbConfig.ZoneAwareLbConfig # Prefers hosts in the proxy’s own zone.
 routing_enabled type.Percent # Percentage of requests that prefer the local zone. # default: 100
 min_cluster_size UInt64Value # With fewer hosts the zone is not looked at. # default: 6
 fail_traffic_on_panic bool # In panic mode no host is chosen, instead of any.
 force_local_zone .ForceLocalZone # Keeps traffic in the local zone. # since: 1.32
 locality_basis =.LocalityBasis defined # Whether zones are compared by hosts or by weights. # since: 1.33
api.v2.Cluster.CommonLbConfig.ZoneAwareLbConfig.ForceLocalZone # Keeps traffic in the local zone while it has enough hosts.
 min_size UInt32Value # Local hosts needed to keep all traffic local. # default: 1
api.v2.Cluster.CustomClusterType # A cluster type by its name.
 name string bytes>=1 # Cluster type, for example proxy.cluster.strict_dns.
 typed_config Any # Configuration of the cluster type; its type counts, not the name.
api.v2.Cluster.EdsClusterConfig # Endpoint discovery.
 eds_config api.v2.core.ConfigSource # Where assignments come from. # idle: assignments come from the scenario: \`endpoints\`, \`assignments\` and the timeline
 service_name string # Name that EDS is asked for, instead of the cluster’s.
api.v2.Cluster.LbSubsetConfig # Divides the hosts into subsets by their metadata.
 fallback_policy =.LbSubsetFallbackPolicy defined # What happens when no subset matches.
 default_subset Struct # The subset of DEFAULT_SUBSET: what hosts must have under proxy.lb.
 subset_selectors [].LbSubsetSelector # Which subsets there are.
 locality_weight_aware bool # Locality weights hold within subsets.
 scale_locality_weight bool # Scale each locality’s weight by its share of hosts in the subset.
 panic_mode_any bool # If the fallback has no host, any host of the cluster is taken.
 list_as_any bool # A list in endpoint metadata matches if one of its elements does.
 metadata_fallback_policy =.LbSubsetMetadataFallbackPolicy defined # FALLBACK_LIST: the request’s fallback_list is tried in order. # since: 1.24
 allow_redundant_keys bool # Keys of the request that no selector names are ignored. # since: 1.29
api.v2.Cluster.LbSubsetConfig.LbSubsetSelector # Keys whose values make subsets.
 keys []string # A subset is made for each combination of values that hosts have under these keys.
 fallback_policy =.LbSubsetSelectorFallbackPolicy defined # What happens when no subset of this selector matches. NOT_DEFINED: what the subset configuration says.
 fallback_keys_subset []string # For KEYS_SUBSET: the keys that are tried instead, fewer than keys.
 single_host_per_subset bool # Each subset has one host; its value finds it at once. # since: 1.16
api.v2.Cluster.LeastRequestLbConfig # Options of LEAST_REQUEST.
 choice_count UInt32Value >=2 # Hosts drawn; the one with the fewest requests is taken. # default: 2
 active_request_bias api.v2.core.RuntimeDouble # Weight is divided by (requests + 1) to this power. # default: 1 # since: 1.16
 slow_start_config api.v2.Cluster.SlowStartConfig # New hosts get their traffic little by little. # since: 1.20
 selection_method =.SelectionMethod defined # FULL_SCAN looks at every host. # since: 1.30
api.v2.Cluster.MaglevLbConfig # Options of MAGLEV.
 table_size UInt64Value <=5000011 # A prime. # default: 65537
api.v2.Cluster.OriginalDstLbConfig # Options of ORIGINAL_DST clusters.
 use_http_header bool # The header x-proxy-original-dst-host names the host. It is not sanitised: clients may choose any address.
 http_header_name string # Another header that names it; needs use_http_header. # since: 1.26
 upstream_port_override UInt32Value <=65535 # Port of all hosts, whatever the header says. # since: 1.27
api.v2.Cluster.RefreshRate # Exponential back-off between DNS queries that fail.
 base_interval Duration required >0s # First interval.
 max_interval Duration >0s # Longest interval. # default: 10 times base_interval
api.v2.Cluster.RingHashLbConfig # Options of RING_HASH.
 minimum_ring_size UInt64Value <=8388608 # Fewest entries; more follow the weights more closely. # default: 1024
 hash_function =.HashFunction defined # Hash that places hosts on the ring.
 maximum_ring_size UInt64Value <=8388608 # Most entries. # default: 8388608
api.v2.Cluster.RoundRobinLbConfig # Options of ROUND_ROBIN.
 slow_start_config api.v2.Cluster.SlowStartConfig # New hosts get their traffic little by little.
api.v2.Cluster.SlowStartConfig # New hosts get their traffic little by little.
 slow_start_window Duration # How long a new host is given less traffic.
 aggression api.v2.core.RuntimeDouble # How fast its weight grows; 1 is linear. # default: 1
 min_weight_percent type.Percent # What it starts with. # default: 10
api.v2.Cluster.TransportSocketMatch # A transport socket for some of the endpoints.
 name string len>=1 # Name of the match, used in statistics.
 match Struct # What the endpoint’s metadata under proxy.transport_socket_match must have.
 transport_socket api.v2.core.TransportSocket required # Used where it matches. # idle: TLS is not simulated
api.v2.ClusterLoadAssignment # The hosts of a cluster.
 cluster_name string bytes>=1 # Name of the cluster, or its EDS service name.
 endpoints []api.v2.endpoint.LocalityLbEndpoints # Hosts by locality and priority.
 named_endpoints {}api.v2.endpoint.Endpoint # Hosts that lb_endpoints refer to by endpoint_name. # idle: the proxy does not implement endpoint_name
 policy .Policy # Settings of the whole assignment.
api.v2.ClusterLoadAssignment.Policy # Settings of the whole assignment.
 drop_overloads [].DropOverload # At most one category: this part of the requests is answered with 503 before a host is chosen. Proxies up to 1.17 read it and drop nothing.
 overprovisioning_factor UInt32Value >0 # Percent by which the healthy share is multiplied before a priority or locality loses traffic. # default: 140
 endpoint_stale_after Duration >0s # Of EDS: the assignment is dropped when it is this old.
 disable_overprovisioning bool deprecated # Treat the overprovisioning factor as 100. # idle: the proxy does not implement it # instead: set overprovisioning_factor: 100
 weighted_priority_health bool # Count hosts by weight in the health of priorities. # since: 1.24
api.v2.ClusterLoadAssignment.Policy.DropOverload # A portion of requests that is failed on purpose, to protect the cluster.
 category string bytes>=1 # Name of the reason to drop. # idle: it is a name for people
 drop_percentage type.FractionalPercent # Portion of requests that is dropped.
api.v2.DiscoveryResponse
 version_info string
 resources []Any
 canary bool
 type_url string
 nonce string
 control_plane api.v2.core.ControlPlane
api.v2.Listener # Where clients connect.
 name string # Name.
 address api.v2.core.Address required
 filter_chains []api.v2.listener.FilterChain # Filters by connection.
 use_original_dst BoolValue deprecated
 per_connection_buffer_limit_bytes UInt32Value
 metadata api.v2.core.Metadata
 deprecated_v1 .DeprecatedV1
 drain_type =.DrainType
 listener_filters []api.v2.listener.ListenerFilter
 listener_filters_timeout Duration
 continue_on_listener_filters_timeout bool
 transparent BoolValue
 freebind BoolValue
 socket_options []api.v2.core.SocketOption
 tcp_fast_open_queue_length UInt32Value
 traffic_direction =api.v2.core.TrafficDirection
 udp_listener_config api.v2.listener.UdpListenerConfig
 api_listener config.listener.v2.ApiListener
 connection_balance_config .ConnectionBalanceConfig
 reuse_port bool
 access_log []config.filter.accesslog.v2.AccessLog
api.v2.Listener.ConnectionBalanceConfig !balance_type
 exact_balance .ExactBalance oneof=balance_type
api.v2.Listener.ConnectionBalanceConfig.ExactBalance
api.v2.Listener.DeprecatedV1
 bind_to_port BoolValue
api.v2.RouteConfiguration # Which cluster a request is for.
 name string # Name of the configuration.
 virtual_hosts []api.v2.route.VirtualHost # Routes by domain.
 vhds api.v2.Vhds # Virtual host discovery.
 internal_only_headers []string each:header-name? # Headers removed from outside requests.
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to responses.
 response_headers_to_remove []string each:header-name? # Headers removed from responses.
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to requests.
 request_headers_to_remove []string each:header-name? # Headers removed from requests.
 most_specific_header_mutations_wins bool # Order of header changes.
 validate_clusters BoolValue # Whether clusters must exist.
api.v2.ScopedRouteConfiguration
 name string bytes>=1
 route_configuration_name string bytes>=1
 key .Key required
api.v2.ScopedRouteConfiguration.Key
 fragments [].Fragment items>=1
api.v2.ScopedRouteConfiguration.Key.Fragment !type
 string_key string oneof=type
api.v2.UpstreamBindConfig # How upstream connections are bound; clusters have a core.BindConfig instead.
 source_address api.v2.core.Address # Address that upstream connections are bound to.
api.v2.UpstreamConnectionOptions # Options for upstream connections.
 tcp_keepalive api.v2.core.TcpKeepalive # When set, SO_KEEPALIVE is set on the socket.
api.v2.Vhds # Virtual host discovery.
 config_source api.v2.core.ConfigSource required # Where virtual hosts come from.
api.v2.auth.CertificateValidationContext # How the peer’s certificate is verified.
 trusted_ca api.v2.core.DataSource # Certificates of authorities.
 verify_certificate_spki []string each:bytes>=44 each:bytes<=44 # Base64 SHA-256 of public keys.
 verify_certificate_hash []string each:bytes>=64 each:bytes<=95 # Hex SHA-256 of certificates.
 verify_subject_alt_name []string deprecated # Accepted names. # instead: use match_subject_alt_names
 match_subject_alt_names []type.matcher.StringMatcher # Accepted names.
 require_ocsp_staple BoolValue # Needs an OCSP response.
 require_signed_certificate_timestamp BoolValue # Needs a signed timestamp.
 crl api.v2.core.DataSource # Revocation list.
 allow_expired_certificate bool # Take expired certificates.
 trust_chain_verification =.TrustChainVerification defined # Whether the chain is verified.
api.v2.auth.CommonTlsContext # TLS settings of both sides.
 tls_params api.v2.auth.TlsParameters # Versions and ciphers.
 tls_certificates []api.v2.auth.TlsCertificate # Own certificates.
 tls_certificate_sds_secret_configs []api.v2.auth.SdsSecretConfig items<=1 # Own certificate from discovery.
 validation_context api.v2.auth.CertificateValidationContext oneof=validation_context_type # How the peer is verified.
 validation_context_sds_secret_config api.v2.auth.SdsSecretConfig oneof=validation_context_type # Verification from discovery.
 combined_validation_context .CombinedCertificateValidationContext oneof=validation_context_type # Verification partly from discovery.
 alpn_protocols []string # Application protocols offered.
api.v2.auth.CommonTlsContext.CombinedCertificateValidationContext # Verification partly from discovery.
 default_validation_context api.v2.auth.CertificateValidationContext required # What discovery is merged into.
 validation_context_sds_secret_config api.v2.auth.SdsSecretConfig required # The part from discovery.
api.v2.auth.DownstreamTlsContext
 common_tls_context api.v2.auth.CommonTlsContext
 require_client_certificate BoolValue
 require_sni BoolValue
 session_ticket_keys api.v2.auth.TlsSessionTicketKeys oneof=session_ticket_keys_type
 session_ticket_keys_sds_secret_config api.v2.auth.SdsSecretConfig oneof=session_ticket_keys_type
 disable_stateless_session_resumption bool oneof=session_ticket_keys_type
 session_timeout Duration <4294967296s >=0s
api.v2.auth.GenericSecret
 secret api.v2.core.DataSource sensitive
api.v2.auth.PrivateKeyProvider # Signs with a key held elsewhere.
 provider_name string bytes>=1 # Name of the provider.
 config Struct oneof=config_type deprecated sensitive # Configuration of the provider. # instead: use typed_config
 typed_config Any oneof=config_type sensitive # Configuration of the provider.
api.v2.auth.SdsSecretConfig # A secret from discovery.
 name string bytes>=1 # Name of the secret.
 sds_config api.v2.core.ConfigSource # Where the secret comes from.
api.v2.auth.Secret
 name string
 tls_certificate api.v2.auth.TlsCertificate oneof=type
 session_ticket_keys api.v2.auth.TlsSessionTicketKeys oneof=type
 validation_context api.v2.auth.CertificateValidationContext oneof=type
 generic_secret api.v2.auth.GenericSecret oneof=type
api.v2.auth.TlsCertificate # A certificate and its key.
 certificate_chain api.v2.core.DataSource # Certificate chain.
 private_key api.v2.core.DataSource sensitive # Private key.
 private_key_provider api.v2.auth.PrivateKeyProvider # Provider of the private key.
 password api.v2.core.DataSource sensitive # Password of the private key.
 ocsp_staple api.v2.core.DataSource # OCSP response.
 signed_certificate_timestamp []api.v2.core.DataSource # Signed certificate timestamps.
api.v2.auth.TlsParameters # TLS versions and ciphers.
 tls_minimum_protocol_version =.TlsProtocol defined # Oldest version. # default: TLS 1.2 for clients
 tls_maximum_protocol_version =.TlsProtocol defined # Newest version. # default: TLS 1.2 for clients
 cipher_suites []string # Ciphers of TLS 1.0–1.2.
 ecdh_curves []string # Curves.
api.v2.auth.TlsSessionTicketKeys
 keys []api.v2.core.DataSource sensitive items>=1
api.v2.auth.UpstreamTlsContext # TLS of upstream connections.
 common_tls_context api.v2.auth.CommonTlsContext # Certificates, versions, verification.
 sni string bytes<=255 # Server name sent to the host.
 allow_renegotiation bool # Allow the server to renegotiate.
 max_session_keys UInt32Value # Sessions kept for resumption. # default: 1; 0 disables it
api.v2.cluster.CircuitBreakers # Limits on what a cluster may have in flight.
 thresholds [].Thresholds # One entry a priority; of several for one priority the proxy takes the first.
api.v2.cluster.CircuitBreakers.Thresholds # Limits of one routing priority.
 priority =api.v2.core.RoutingPriority defined # The routing priority that these limits are for.
 max_connections UInt32Value # Connections to all hosts of the cluster. # default: 1024
 max_pending_requests UInt32Value # Requests that wait for a connection. # default: 1024
 max_requests UInt32Value # Active requests. # default: 1024
 max_retries UInt32Value # Active retries. # default: 3
 retry_budget .RetryBudget # Limits retries in proportion to requests.
 track_remaining bool # Publish how much of each limit is left.
 max_connection_pools UInt32Value # Connection pools. # default: unlimited # idle: the number of pools is not limited here
api.v2.cluster.CircuitBreakers.Thresholds.RetryBudget # Limits retries in proportion to requests; replaces max_retries.
 budget_percent type.Percent # Retries as a percentage of active and pending requests. # default: 20
 min_retry_concurrency UInt32Value # Retries that are always allowed. # default: 3
api.v2.cluster.Filter # A network filter of upstream connections.
 name string bytes>=1 # Name of the filter.
 typed_config Any # Configuration of the filter.
api.v2.cluster.OutlierDetection # Passive health checking: hosts whose answers stand out are ejected for a while.
 consecutive_5xx UInt32Value # Consecutive 5xx answers before a host is ejected. # default: 5
 interval Duration >0s # Time between sweeps. # default: 10s
 base_ejection_time Duration >0s # Ejection lasts this long times the number of ejections so far. # default: 30s
 max_ejection_percent UInt32Value <=100 # Percentage of hosts that may be ejected. # default: 10
 enforcing_consecutive_5xx UInt32Value <=100 # Chance that a detection ejects. # default: 100
 enforcing_success_rate UInt32Value <=100 # Chance that a success-rate detection ejects. # default: 100
 success_rate_minimum_hosts UInt32Value # Hosts with enough requests needed. # default: 5
 success_rate_request_volume UInt32Value # Requests in an interval needed of a host. # default: 100
 success_rate_stdev_factor UInt32Value # Thousandths of a standard deviation below the mean at which a host is an outlier. # default: 1900
 consecutive_gateway_failure UInt32Value # Consecutive 502, 503 or 504 answers. # default: 5
 enforcing_consecutive_gateway_failure UInt32Value <=100 # Chance that a detection ejects. # default: 0
 split_external_local_origin_errors bool # Count errors of the proxy’s own making (connecting, timeouts) apart from those of the host.
 consecutive_local_origin_failure UInt32Value # Consecutive local failures. # default: 5
 enforcing_consecutive_local_origin_failure UInt32Value <=100 # Chance that a detection ejects. # default: 100
 enforcing_local_origin_success_rate UInt32Value <=100 # Chance that a detection ejects. # default: 100
 failure_percentage_threshold UInt32Value <=100 # Failure percentage of an outlier. # default: 85
 enforcing_failure_percentage UInt32Value <=100 # Chance that a detection ejects. # default: 0
 enforcing_failure_percentage_local_origin UInt32Value <=100 # Chance that a detection ejects. # default: 0
 failure_percentage_minimum_hosts UInt32Value # Hosts with enough requests needed. # default: 5
 failure_percentage_request_volume UInt32Value # Requests in an interval needed. # default: 50
 max_ejection_time Duration >0s # Longest ejection; base_ejection_time where that is longer. # default: 300s # since: 1.17
 max_ejection_time_jitter Duration # Random addition to an ejection. # default: 0s # since: 1.23
 successful_active_health_check_uneject_host BoolValue # A passed health check ends an ejection. # default: true # since: 1.26
 always_eject_one_host BoolValue # One host may be ejected whatever max_ejection_percent says. # since: 1.31
api.v2.core.Address !address # Where to connect to or to bind.
 socket_address api.v2.core.SocketAddress oneof=address # An IP address or host name, and a port.
 pipe api.v2.core.Pipe oneof=address # A Unix domain socket.
api.v2.core.AggregatedConfigSource # The aggregated discovery service.
api.v2.core.ApiConfigSource # A management server.
 api_type =.ApiType defined # How the server is asked: REST, GRPC or DELTA_GRPC.
 transport_api_version =api.v2.core.ApiVersion defined # Version of the transport.
 cluster_names []string # Clusters of REST servers.
 grpc_services []api.v2.core.GrpcService # gRPC servers.
 refresh_delay Duration # Time between REST requests.
 request_timeout Duration >0s # Timeout of a REST request. # default: 1s
 rate_limit_settings api.v2.core.RateLimitSettings # Limits requests.
 set_node_on_first_message_only bool # Send the node only once a stream.
api.v2.core.AsyncDataSource !specifier # Data from here or elsewhere.
 local api.v2.core.DataSource oneof=specifier # Local data.
 remote api.v2.core.RemoteDataSource oneof=specifier # Remote data.
api.v2.core.BackoffStrategy # Exponential back-off.
 base_interval Duration required >=0.001s # First interval; at least 1 ms.
 max_interval Duration >0s # Longest interval. # default: 10 times base_interval
api.v2.core.BindConfig # How to bind the source of new connections.
 source_address api.v2.core.SocketAddress required # Address to bind to; port 0 is any.
 freebind BoolValue # Bind to an address that the machine does not have yet.
 socket_options []api.v2.core.SocketOption # Further socket options.
api.v2.core.BuildVersion # Version and build of a piece of software.
 version type.SemanticVersion # Version of the extension.
 metadata Struct # Free-form build information.
api.v2.core.CidrRange
 address_prefix string bytes>=1
 prefix_len UInt32Value <=128
api.v2.core.ConfigSource !config_source_specifier # Where a resource comes from.
 path string oneof=config_source_specifier # A file that is watched for changes.
 api_config_source api.v2.core.ApiConfigSource oneof=config_source_specifier # A management server.
 ads api.v2.core.AggregatedConfigSource oneof=config_source_specifier # The aggregated discovery service.
 self api.v2.core.SelfConfigSource oneof=config_source_specifier # The server that this configuration came from.
 initial_fetch_timeout Duration # How long initialisation waits for the first answer. # default: 15s
 resource_api_version =api.v2.core.ApiVersion defined # Version of the resources.
api.v2.core.ControlPlane # A management server.
 identifier string # Identifies the control plane instance a proxy is connected to.
api.v2.core.DataSource !specifier # Data from a file or from the configuration.
 filename string oneof=specifier bytes>=1 # A local file.
 inline_bytes bytes oneof=specifier len>=1 # Bytes in the configuration itself.
 inline_string string oneof=specifier bytes>=1 # Text in the configuration itself.
api.v2.core.EventServiceConfig !config_source_specifier # A service that is told of events.
 grpc_service api.v2.core.GrpcService oneof=config_source_specifier # Where events are sent.
api.v2.core.Extension # An extension that a proxy supports.
 name string # Name as used in configuration, for example proxy.filters.http.router.
 category string # Category in reverse DNS notation, for example proxy.filters.listener.
 type_descriptor string # Type of the configuration message of the extension.
 version api.v2.core.BuildVersion # Version, independent of other extensions and of the API.
 disabled bool # Present, but disabled by dynamic configuration.
api.v2.core.GrpcMethodList
 services [].Service
api.v2.core.GrpcMethodList.Service
 name string bytes>=1
 method_names []string items>=1
api.v2.core.GrpcProtocolOptions
 http2_protocol_options api.v2.core.Http2ProtocolOptions
api.v2.core.GrpcService !target_specifier # A gRPC service.
 envoy_grpc .EnvoyGrpc oneof=target_specifier # The proxy’s own client.
 proxy_grpc .EnvoyGrpc oneof=target_specifier # Another name of envoy_grpc.
 google_grpc .GoogleGrpc oneof=target_specifier # The gRPC library’s client.
 timeout Duration # Timeout of a call.
 initial_metadata []api.v2.core.HeaderValue # Metadata sent with each call.
api.v2.core.GrpcService.EnvoyGrpc # The proxy’s own gRPC client.
 cluster_name string bytes>=1 # Cluster of the gRPC service.
 authority string bytes<=16384 line=host # Value of :authority. # since: 1.17
api.v2.core.GrpcService.GoogleGrpc # The gRPC library’s client.
 target_uri string bytes>=1 # Target.
 channel_credentials .ChannelCredentials # Credentials of the channel.
 call_credentials [].CallCredentials # Credentials of calls.
 stat_prefix string bytes>=1 # Prefix of statistics.
 credentials_factory_name string # Custom credentials.
 config Struct # Further configuration.
api.v2.core.GrpcService.GoogleGrpc.CallCredentials !credential_specifier # Credentials of a call.
 access_token string oneof=credential_specifier # Access token.
 google_compute_engine Empty oneof=credential_specifier # Credentials of the machine.
 google_refresh_token string oneof=credential_specifier # Refresh token.
 service_account_jwt_access .ServiceAccountJWTAccessCredentials oneof=credential_specifier # Service account.
 google_iam .GoogleIAMCredentials oneof=credential_specifier # IAM.
 from_plugin .MetadataCredentialsFromPlugin oneof=credential_specifier # Plugin.
 sts_service .StsService oneof=credential_specifier # Security token service.
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials # IAM credentials.
 authorization_token string # Token.
 authority_selector string # Selector.
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin # Credentials of a plugin.
 name string # Name of the plugin.
 config Struct oneof=config_type deprecated # Configuration of the plugin. # instead: use typed_config
 typed_config Any oneof=config_type # Configuration of the plugin.
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials # A service account.
 json_key string # Key.
 token_lifetime_seconds uint64 # Lifetime of tokens.
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.StsService # Security token service.
 token_exchange_service_uri string # URI of the token exchange service.
 resource string # Resource.
 audience string # Audience.
 scope string # Scope.
 requested_token_type string # Type of the requested token.
 subject_token_path string bytes>=1 # Path of the subject token.
 subject_token_type string bytes>=1 # Type of the subject token.
 actor_token_path string # Path of the actor token.
 actor_token_type string # Type of the actor token.
api.v2.core.GrpcService.GoogleGrpc.ChannelCredentials !credential_specifier # Credentials of a channel.
 ssl_credentials api.v2.core.GrpcService.GoogleGrpc.SslCredentials oneof=credential_specifier # TLS.
 google_default Empty oneof=credential_specifier # Application default credentials.
 local_credentials api.v2.core.GrpcService.GoogleGrpc.GoogleLocalCredentials oneof=credential_specifier # Local channel.
api.v2.core.GrpcService.GoogleGrpc.GoogleLocalCredentials
api.v2.core.GrpcService.GoogleGrpc.SslCredentials # TLS credentials.
 root_certs api.v2.core.DataSource # Root certificates.
 private_key api.v2.core.DataSource sensitive # Private key.
 cert_chain api.v2.core.DataSource # Certificate chain.
api.v2.core.HeaderMap
 headers []api.v2.core.HeaderValue
api.v2.core.HeaderValue # A header name and value.
 key string header-name? bytes>=1 bytes<=16384 # Header name.
 value string header-value? bytes<=16384 # Header value; %COMMANDS% of access logging apply.
api.v2.core.HeaderValueOption # A header to add.
 header api.v2.core.HeaderValue required # The header.
 append BoolValue # Append to existing values instead of replacing them. # default: true
api.v2.core.HealthCheck !health_checker # Active health checking: the proxy asks each host whether it is well.
 timeout Duration required >0s # How long the answer may take.
 interval Duration required >0s # Time between checks.
 initial_jitter Duration # Random delay of the first check.
 interval_jitter Duration # Random addition to each interval.
 interval_jitter_percent uint32 # Random addition to each interval, percent of it.
 unhealthy_threshold UInt32Value required # Failed checks in a row that make a host unhealthy. An HTTP error counts at once.
 healthy_threshold UInt32Value required # Passed checks in a row that make it healthy. The first check counts at once.
 alt_port UInt32Value # Port of health checks. # idle: a simulated host answers health checks on any port
 reuse_connection BoolValue # Keep connections between checks. # default: true # idle: health checks have no connections here
 http_health_check .HttpHealthCheck oneof=health_checker # Asks for a path.
 tcp_health_check .TcpHealthCheck oneof=health_checker # Connects.
 grpc_health_check .GrpcHealthCheck oneof=health_checker # Calls the gRPC health service.
 custom_health_check .CustomHealthCheck oneof=health_checker # A checker of an extension.
 no_traffic_interval Duration >0s # Interval while the cluster has never had traffic. # default: 60s
 unhealthy_interval Duration >0s # Interval of unhealthy hosts. # default: interval
 unhealthy_edge_interval Duration >0s # Interval right after a host became unhealthy. # default: unhealthy_interval
 healthy_edge_interval Duration >0s # Interval right after a host became healthy. # default: interval
 event_log_path string # File of health check events. # idle: the report lists every event
 event_service api.v2.core.EventServiceConfig # Service that is told of events. # idle: the report lists every event
 always_log_health_check_failures bool # Log every failure, not only the first. # idle: the report lists every event
 tls_options .TlsOptions # TLS of health check connections. # idle: TLS is not simulated
 no_traffic_healthy_interval Duration >0s # As no_traffic_interval, of hosts that are healthy. # default: no_traffic_interval # since: 1.17
api.v2.core.HealthCheck.CustomHealthCheck # A checker of an extension.
 name string bytes>=1 # Registered name of the checker.
 config Struct oneof=config_type deprecated # Configuration of the checker. # idle: checkers have no protocol here; \`health_check\` of the host’s behaviour says how it answers # instead: use typed_config
 typed_config Any oneof=config_type # Configuration of the checker. # idle: checkers have no protocol here; \`health_check\` of the host’s behaviour says how it answers
api.v2.core.HealthCheck.GrpcHealthCheck # Calls grpc.health.v1.Health; needs HTTP/2.
 service_name string # Service that is asked for. # idle: a simulated host answers alike for every service
 authority string line=host # Value of :authority. # default: the name of the cluster # idle: health checks carry no headers here
api.v2.core.HealthCheck.HttpHealthCheck # Asks for a path and looks at the status.
 host string line=host # Host header. # default: the name of the cluster # idle: health checks carry no headers here
 path string bytes>=1 line=path # Path that is requested. # idle: a simulated host answers alike on every path; \`health_check\` of its behaviour says how
 send api.v2.core.HealthCheck.Payload # Payload. # idle: bytes are not simulated; \`health_check\` of the host’s behaviour says how it answers
 receive api.v2.core.HealthCheck.Payload # Expected payload. # idle: bytes are not simulated; \`health_check\` of the host’s behaviour says how it answers
 service_name string deprecated # Expected service. # instead: use service_name_matcher
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers to add to health checks. # idle: health checks carry no headers here
 request_headers_to_remove []string each:header-name? # Headers to remove from health checks. # idle: health checks carry no headers here
 use_http2 bool deprecated disallowed # Check over HTTP/2. # idle: health checks have no connections here # instead: use codec_client_type: HTTP2
 expected_statuses []type.Int64Range # Statuses that count as healthy. # default: 200
 codec_client_type =type.CodecClientType defined # Protocol of health checks. # idle: health checks have no connections here
 service_name_matcher type.matcher.StringMatcher # Expected service: simulated hosts are the right one. Where runtime verifies only some checks, it costs a random number.
api.v2.core.HealthCheck.Payload !payload # Bytes to send or to expect.
 text string oneof=payload bytes>=1 # Bytes in hexadecimal.
 binary bytes oneof=payload # Bytes.
api.v2.core.HealthCheck.RedisHealthCheck
 key string
api.v2.core.HealthCheck.TcpHealthCheck # Connects, and compares bytes.
 send api.v2.core.HealthCheck.Payload # Bytes to send; empty: only connect. # idle: bytes are not simulated; \`health_check\` of the host’s behaviour says how it answers
 receive []api.v2.core.HealthCheck.Payload # Blocks that the answer must contain. # idle: bytes are not simulated; \`health_check\` of the host’s behaviour says how it answers
api.v2.core.HealthCheck.TlsOptions # TLS of health check connections.
 alpn_protocols []string # Application protocols of health check connections.
api.v2.core.Http1ProtocolOptions # HTTP/1 options.
 allow_absolute_url BoolValue # Take absolute URLs in requests.
 accept_http_10 bool # Take HTTP/1.0.
 default_host_for_http_10 string # Host of HTTP/1.0 requests without one.
 header_key_format .HeaderKeyFormat # How header names are written.
 enable_trailers bool # Pass trailers on.
api.v2.core.Http1ProtocolOptions.HeaderKeyFormat !header_format # How header names are written.
 proper_case_words .ProperCaseWords oneof=header_format # Proper-Case-Words.
api.v2.core.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords # Header names as Proper-Case-Words.
api.v2.core.Http2ProtocolOptions # HTTP/2 options. Their presence makes the proxy speak HTTP/2 to the hosts.
 hpack_table_size UInt32Value # Octets of the dynamic table; 0 disables it. # default: 4096 # idle: frames are not simulated
 max_concurrent_streams UInt32Value <=2147483647 >=1 # default: 2147483647
 initial_stream_window_size UInt32Value <=2147483647 >=65535 # default: 268435456 # idle: frames are not simulated
 initial_connection_window_size UInt32Value <=2147483647 >=65535 # default: 268435456 # idle: frames are not simulated
 allow_connect bool # Allow CONNECT. # idle: frames are not simulated
 allow_metadata bool # Allow METADATA frames. # idle: frames are not simulated
 max_outbound_frames UInt32Value >=1 # default: 10000 # idle: frames are not simulated
 max_outbound_control_frames UInt32Value >=1 # default: 1000 # idle: frames are not simulated
 max_consecutive_inbound_frames_with_empty_payload UInt32Value # default: 1 # idle: frames are not simulated
 max_inbound_priority_frames_per_stream UInt32Value # default: 100 # idle: frames are not simulated
 max_inbound_window_update_frames_per_data_frame_sent UInt32Value >=1 # default: 10 # idle: frames are not simulated
 stream_error_on_invalid_http_messaging bool # Reset the stream, not the connection. # idle: frames are not simulated
 custom_settings_parameters [].SettingsParameter # Further SETTINGS. # idle: frames are not simulated
api.v2.core.Http2ProtocolOptions.SettingsParameter # A custom SETTINGS parameter.
 identifier UInt32Value required <=65535 # Identifier of the setting.
 value UInt32Value required # Value of the setting.
api.v2.core.HttpProtocolOptions # Options for HTTP/1 and HTTP/2.
 idle_timeout Duration # Idle connections are closed after it. # default: 3600s
 max_connection_duration Duration # Connections are drained after it.
 max_headers_count UInt32Value >=1 # default: 100
 max_stream_duration Duration # Streams are reset after it.
 headers_with_underscores_action =.HeadersWithUnderscoresAction # What happens to headers with underscores.
api.v2.core.HttpUri !http_upstream_type # An HTTP resource and the cluster that serves it.
 uri string bytes>=1 # URI of the server, with scheme.
 cluster string oneof=http_upstream_type bytes>=1 # Cluster that the request is sent to.
 timeout Duration required # How long the response may take.
api.v2.core.Locality # Where a proxy or an upstream host runs.
 region string # Region.
 zone string # Zone within the region, as an availability zone of a cloud. A proxy also takes its own from its option --service-zone.
 sub_zone string # Part of a zone that is balanced on its own.
api.v2.core.Metadata # Additional inputs for filters and for load balancing. Under proxy.lb, canary: true marks a canary host: it has statistics of its own (canary.upstream_rq_…), and retries can avoid it. The header x-proxy-upstream-canary is not simulated.
 filter_metadata {}Struct # Values by filter name, in reverse DNS notation. Load balancing reads the entry proxy.lb.
api.v2.core.Node # Identifies one proxy instance.
 id string # Name of the instance. Needed for EDS, CDS, statsd over TCP and tracing. A proxy also takes it from its option --service-node.
 cluster string # Name of the service cluster that the instance belongs to. A proxy also takes it from its option --service-cluster.
 metadata Struct # Passed to the management server unchanged. # idle: the node is sent to nobody
 locality api.v2.core.Locality # Where the instance runs; zone-aware routing compares it with the hosts’.
 build_version string deprecated # Version under test. # idle: the node is sent to nobody # instead: use user_agent_name and user_agent_version
 user_agent_name string # Name of the program that asks for configuration. # idle: the node is sent to nobody
 user_agent_version string oneof=user_agent_version_type # Version of that program as text. # idle: the node is sent to nobody
 user_agent_build_version api.v2.core.BuildVersion oneof=user_agent_version_type # Version of that program, structured. # idle: the node is sent to nobody
 extensions []api.v2.core.Extension # Extensions and versions that the node supports. # idle: the node is sent to nobody
 client_features []string # Features of the client, in reverse DNS notation. # idle: the node is sent to nobody
 listening_addresses []api.v2.core.Address # Known listening ports, a hint for the management server. # idle: the node is sent to nobody
api.v2.core.Pipe # A Unix domain socket.
 path string bytes>=1 # Path of a Unix domain socket; a leading @ is an abstract one.
 mode uint32 <=511 # Mode of the socket file. # idle: no socket is made
api.v2.core.RateLimitSettings # Limits requests to the management server.
 max_tokens UInt32Value # default: 100
 fill_rate DoubleValue >0 # Tokens a second. # default: 10
api.v2.core.RemoteDataSource # Data fetched over HTTP and verified.
 http_uri api.v2.core.HttpUri required # Where the data is.
 sha256 string bytes>=1 # SHA256 of the data.
 retry_policy api.v2.core.RetryPolicy # How fetching is retried.
api.v2.core.RetryPolicy # How fetching a remote data source is retried.
 retry_back_off api.v2.core.BackoffStrategy # default: 1000 ms, at most 10 times that
 num_retries UInt32Value # default: 1
api.v2.core.RuntimeDouble # A number that runtime can override.
 default_value double # Used when the runtime value is unavailable.
 runtime_key string # Runtime key whose value is used when it is defined.
api.v2.core.RuntimeFeatureFlag # A switch that runtime can override.
 default_value BoolValue required # Used when the runtime value is unavailable.
 runtime_key string bytes>=1 # Runtime key; a bool in canonical JSON.
api.v2.core.RuntimeFractionalPercent # A portion that runtime can override.
 default_value type.FractionalPercent required # Used when the runtime value is unavailable.
 runtime_key string # Runtime key; a YAML FractionalPercent, or a whole number out of 100.
api.v2.core.RuntimeUInt32 # A number that runtime can override.
 default_value uint32 # Used when the runtime value is unavailable.
 runtime_key string bytes>=1 # Runtime key whose value is used when it is defined.
api.v2.core.SelfConfigSource # The server that this configuration came from.
 transport_api_version =api.v2.core.ApiVersion defined # Version of the transport.
api.v2.core.SocketAddress !port_specifier # An address and a port.
 protocol =.Protocol defined # Transport protocol. # idle: what an address is for says which protocol is spoken
 address string bytes>=1 # IP address; a host name for STRICT_DNS and LOGICAL_DNS clusters.
 port_value uint32 oneof=port_specifier <=65535 # Port.
 named_port string oneof=port_specifier # Name of a port, for resolvers that know names.
 resolver_name string # Custom resolver of the address: proxy.ip, or none.
 ipv4_compat bool # Bind an IPv6 wildcard to IPv4 as well. # idle: no socket is bound
api.v2.core.SocketOption !value # A generic socket option.
 description string # What the option is for.
 level int64 # Level, as of setsockopt.
 name int64 # Option, as of setsockopt.
 int_value int64 oneof=value # Value as an int.
 buf_value bytes oneof=value # Value as bytes.
 state =.SocketState defined # When the option is set.
api.v2.core.TcpKeepalive # TCP keep-alive settings; what is absent is the operating system’s default.
 keepalive_probes UInt32Value # Probes without an answer before the connection is dead.
 keepalive_time UInt32Value # Seconds idle before the first probe.
 keepalive_interval UInt32Value # Seconds between probes.
api.v2.core.TcpProtocolOptions
api.v2.core.TransportSocket # How bytes are sent: plain or encrypted.
 name string bytes>=1 # Name of the implementation, for example proxy.transport_sockets.tls.
 config Struct oneof=config_type deprecated # Configuration of the implementation. # instead: use typed_config
 typed_config Any oneof=config_type # Configuration of the implementation.
api.v2.core.UpstreamHttpProtocolOptions # Options of upstream HTTP connections of any version.
 auto_sni bool # Set SNI from the host header.
 auto_san_validation bool # Verify the certificate against the host header.
api.v2.endpoint.Endpoint # Where a host is.
 address api.v2.core.Address # Address of the host: an IP, or a name in DNS clusters.
 health_check_config .HealthCheckConfig # Overrides for health checks.
 hostname string # Host name, for health checks and for hashing by hostname.
api.v2.endpoint.Endpoint.HealthCheckConfig # How health checks of this host differ from its traffic.
 port_value uint32 <=65535 # Port of health checks, if it is not the traffic port. A host whose port changes counts as another host.
 hostname string # Host header of health checks. # idle: health checks carry no headers here
api.v2.endpoint.LbEndpoint # A host with what load balancing needs to know of it.
 endpoint api.v2.endpoint.Endpoint oneof=host_identifier # The host.
 endpoint_name string oneof=host_identifier # Name of an entry of named_endpoints. # idle: the proxy does not implement it; an endpoint is needed all the same
 health_status =api.v2.core.HealthStatus # What discovery knows of the health of the host.
 metadata api.v2.core.Metadata # The entry proxy.lb is what subsets match.
 load_balancing_weight UInt32Value >=1 # Weight among the hosts of the locality. # default: 1
api.v2.endpoint.LocalityLbEndpoints # The hosts of one locality and priority.
 locality api.v2.core.Locality # Where the hosts run.
 lb_endpoints []api.v2.endpoint.LbEndpoint # The hosts.
 load_balancing_weight UInt32Value >=1 # Weight among the localities of the priority, under locality_weighted_lb_config. Absent, it gets no traffic.
 priority uint32 <=128 # 0 is used first; the next when it is not healthy enough.
 proximity UInt32Value # Hint for the management server. # idle: the proxy does not read it either
 metadata api.v2.core.Metadata # Stands in for the metadata of an endpoint whose own fits none of transport_socket_matches. # since: 1.31
api.v2.listener.Filter # A network filter of a listener.
 name string bytes>=1 # Name of the filter.
 config Struct oneof=config_type deprecated # Configuration of the filter, whose type its name tells. # instead: use typed_config
 typed_config Any oneof=config_type # Configuration of the filter.
api.v2.listener.FilterChain # Filters of some connections.
 filter_chain_match api.v2.listener.FilterChainMatch
 tls_context api.v2.auth.DownstreamTlsContext deprecated
 filters []api.v2.listener.Filter # The filters.
 use_proxy_proto BoolValue
 metadata api.v2.core.Metadata
 transport_socket api.v2.core.TransportSocket
 name string
api.v2.listener.FilterChainMatch
 destination_port UInt32Value <=65535 >=1
 prefix_ranges []api.v2.core.CidrRange
 address_suffix string
 suffix_len UInt32Value
 source_type =.ConnectionSourceType defined
 source_prefix_ranges []api.v2.core.CidrRange
 source_ports []uint32 each:<=65535 each:>=1
 server_names []string
 transport_protocol string
 application_protocols []string
api.v2.listener.ListenerFilter
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
 filter_disabled api.v2.listener.ListenerFilterChainMatchPredicate
api.v2.listener.ListenerFilterChainMatchPredicate !rule
 or_match .MatchSet oneof=rule
 and_match .MatchSet oneof=rule
 not_match api.v2.listener.ListenerFilterChainMatchPredicate oneof=rule
 any_match bool oneof=rule const=true
 destination_port_range type.Int32Range oneof=rule
api.v2.listener.ListenerFilterChainMatchPredicate.MatchSet
 rules []api.v2.listener.ListenerFilterChainMatchPredicate items>=2
api.v2.listener.UdpListenerConfig
 udp_listener_name string
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.ratelimit.RateLimitDescriptor
 entries [].Entry items>=1
api.v2.ratelimit.RateLimitDescriptor.Entry
 key string bytes>=1
 value string bytes>=1
api.v2.route.CorsPolicy # Cross-origin requests.
 allow_origin []string deprecated disallowed
 allow_origin_regex []string deprecated each:bytes<=1024
 allow_origin_string_match []type.matcher.StringMatcher
 allow_methods string
 allow_headers string
 expose_headers string
 max_age string
 allow_credentials BoolValue
 enabled BoolValue oneof=enabled_specifier deprecated disallowed
 filter_enabled api.v2.core.RuntimeFractionalPercent oneof=enabled_specifier
 shadow_enabled api.v2.core.RuntimeFractionalPercent
api.v2.route.Decorator # Names the operation in traces.
 operation string bytes>=1 # Name of the operation.
 propagate BoolValue # default: true
api.v2.route.DirectResponseAction # Answers at once.
 status uint32 <600 >=100 # Status of the answer.
 body api.v2.core.DataSource # Body of the answer.
api.v2.route.FilterAction # Leaves the answer to a filter.
 action Any # What the filter does.
api.v2.route.HeaderMatcher # Matches a header.
 name string header-name? bytes>=1 # Name of the header.
 exact_match string oneof=header_match_specifier # Its value.
 regex_match string oneof=header_match_specifier deprecated disallowed bytes<=1024 # Matches its value. # instead: use safe_regex_match
 safe_regex_match type.matcher.RegexMatcher oneof=header_match_specifier # Matches its value.
 range_match type.Int64Range oneof=header_match_specifier # Half-open range of its value.
 present_match bool oneof=header_match_specifier # It is there.
 prefix_match string oneof=header_match_specifier bytes>=1 # How its value begins.
 suffix_match string oneof=header_match_specifier bytes>=1 # How its value ends.
 invert_match bool # Matches where it otherwise would not.
api.v2.route.HedgePolicy # Sends a request more than once.
 initial_requests UInt32Value >=1 # Requests sent at first.
 additional_request_chance type.FractionalPercent # Chance of one more.
 hedge_on_per_try_timeout bool # Send another at the per-try timeout.
api.v2.route.QueryParameterMatcher # Matches a query parameter.
 name string bytes>=1 bytes<=1024 # Name of the parameter.
 value string deprecated disallowed # Its value. # instead: use string_match
 regex BoolValue deprecated disallowed # The value is an expression. # instead: use string_match
 string_match type.matcher.StringMatcher oneof=query_parameter_match_specifier required # Matches its value.
 present_match bool oneof=query_parameter_match_specifier # It is there.
api.v2.route.RateLimit # A rate limit.
 stage UInt32Value <=10 # Which rate limit filter it is for.
 disable_key string
 actions [].Action items>=1 # What it counts by.
api.v2.route.RateLimit.Action !action_specifier
 source_cluster .SourceCluster oneof=action_specifier
 destination_cluster .DestinationCluster oneof=action_specifier
 request_headers .RequestHeaders oneof=action_specifier
 remote_address .RemoteAddress oneof=action_specifier
 generic_key .GenericKey oneof=action_specifier
 header_value_match .HeaderValueMatch oneof=action_specifier
api.v2.route.RateLimit.Action.DestinationCluster
api.v2.route.RateLimit.Action.GenericKey
 descriptor_value string bytes>=1
api.v2.route.RateLimit.Action.HeaderValueMatch
 descriptor_value string bytes>=1
 expect_match BoolValue
 headers []api.v2.route.HeaderMatcher items>=1
api.v2.route.RateLimit.Action.RemoteAddress
api.v2.route.RateLimit.Action.RequestHeaders
 header_name string header-name? bytes>=1
 descriptor_key string bytes>=1
api.v2.route.RateLimit.Action.SourceCluster
api.v2.route.RedirectAction # Redirects.
 https_redirect bool oneof=scheme_rewrite_specifier # To HTTPS.
 scheme_redirect string oneof=scheme_rewrite_specifier # To another scheme.
 host_redirect string line=host # To another host.
 port_redirect uint32 # To another port.
 path_redirect string oneof=path_rewrite_specifier line=path # To another path.
 prefix_rewrite string oneof=path_rewrite_specifier line=prefix # To another prefix.
 response_code =.RedirectResponseCode defined # Status of the redirect.
 strip_query bool # Without the query.
api.v2.route.RetryPolicy # When and how a request is retried.
 retry_on string # Conditions, separated by commas.
 num_retries UInt32Value # default: 1
 per_try_timeout Duration # Timeout of each attempt.
 retry_priority .RetryPriority # Chooses the priority of a retry.
 retry_host_predicate [].RetryHostPredicate # Reject hosts for a retry.
 host_selection_retry_max_attempts int64 # How often a host is chosen anew when predicates reject it.
 retriable_status_codes []uint32 # Statuses of retriable-status-codes.
 retry_back_off .RetryBackOff # Waiting before a retry. # default: 25 ms, at most 250 ms
 retriable_headers []api.v2.route.HeaderMatcher # Response headers of retriable-headers.
 retriable_request_headers []api.v2.route.HeaderMatcher # Request headers that a retry needs.
api.v2.route.RetryPolicy.RetryBackOff # Exponential back-off between retries.
 base_interval Duration required >0s # First interval.
 max_interval Duration >0s # Longest interval. # default: 10 times base_interval
api.v2.route.RetryPolicy.RetryHostPredicate # Rejects hosts for a retry.
 name string bytes>=1 # Name of the extension.
 config Struct oneof=config_type deprecated # Its configuration. # instead: use typed_config
 typed_config Any oneof=config_type # Its configuration.
api.v2.route.RetryPolicy.RetryPriority # Chooses the priority of a retry.
 name string bytes>=1 # Name of the extension.
 config Struct oneof=config_type deprecated # Its configuration. # instead: use typed_config
 typed_config Any oneof=config_type # Its configuration.
api.v2.route.Route !action # What happens to some of the requests.
 name string # Name of the route.
 match api.v2.route.RouteMatch required # Which requests it is for.
 route api.v2.route.RouteAction oneof=action # Sends them to a cluster.
 redirect api.v2.route.RedirectAction oneof=action # Redirects them.
 direct_response api.v2.route.DirectResponseAction oneof=action # Answers at once.
 filter_action api.v2.route.FilterAction oneof=action # Leaves the answer to a filter.
 metadata api.v2.core.Metadata # Further information.
 decorator api.v2.route.Decorator # Names the operation in traces.
 per_filter_config {}Struct deprecated # Options of filters. # instead: use typed_per_filter_config
 typed_per_filter_config {}Any # Options of filters.
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to requests.
 request_headers_to_remove []string each:bytes>=1 each:header-name? # Headers removed from requests.
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to responses.
 response_headers_to_remove []string each:bytes>=1 each:header-name? # Headers removed from responses.
 tracing api.v2.route.Tracing # Tracing.
 per_request_buffer_limit_bytes UInt32Value # Buffer limit of a request.
api.v2.route.RouteAction !cluster_specifier # Sends a request to a cluster.
 cluster string oneof=cluster_specifier bytes>=1 # The cluster.
 cluster_header string oneof=cluster_specifier header-name? bytes>=1 # Header that names the cluster.
 weighted_clusters api.v2.route.WeightedCluster oneof=cluster_specifier # Several clusters.
 cluster_not_found_response_code =.ClusterNotFoundResponseCode defined # Status where the cluster does not exist.
 metadata_match api.v2.core.Metadata # What is asked of subsets.
 prefix_rewrite string line=prefix # Replaces the matched prefix.
 regex_rewrite type.matcher.RegexMatchAndSubstitute # Rewrites the path.
 host_rewrite string oneof=host_rewrite_specifier line=host # Replaces the host header.
 auto_host_rewrite BoolValue oneof=host_rewrite_specifier # The host header becomes the name of the host.
 auto_host_rewrite_header string oneof=host_rewrite_specifier header-name? # The host header becomes this header.
 timeout Duration # Timeout of the request. # default: 15 s; 0 is none
 idle_timeout Duration # Idle timeout of the stream.
 retry_policy api.v2.route.RetryPolicy # When and how a request is retried.
 retry_policy_typed_config Any # The same, of an extension.
 request_mirror_policy .RequestMirrorPolicy deprecated # Copies of requests. # lacking: that cluster gets the copies besides its own requests # instead: use request_mirror_policies
 request_mirror_policies [].RequestMirrorPolicy # Copies of requests. # lacking: that cluster gets the copies besides its own requests
 priority =api.v2.core.RoutingPriority defined # Routing priority.
 rate_limits []api.v2.route.RateLimit # Rate limits.
 include_vh_rate_limits BoolValue # Rate limits of the virtual host hold as well.
 hash_policy [].HashPolicy # Where the hash comes from.
 cors api.v2.route.CorsPolicy # Cross-origin requests.
 max_grpc_timeout Duration # Longest gRPC timeout.
 grpc_timeout_offset Duration # Taken off the gRPC timeout.
 upgrade_configs [].UpgradeConfig # Protocol upgrades.
 internal_redirect_action =.InternalRedirectAction # What happens to internal redirects.
 max_internal_redirects UInt32Value # default: 1
 hedge_policy api.v2.route.HedgePolicy # Sends a request more than once.
api.v2.route.RouteAction.HashPolicy !policy_specifier # Where the hash of a request comes from.
 header .Header oneof=policy_specifier # Hash a header.
 cookie .Cookie oneof=policy_specifier # Hash a cookie.
 connection_properties .ConnectionProperties oneof=policy_specifier # Hash properties of the connection.
 query_parameter .QueryParameter oneof=policy_specifier # Hash a query parameter.
 filter_state .FilterState oneof=policy_specifier # Hash filter state.
 terminal bool # If it gives a hash, later policies are not asked.
api.v2.route.RouteAction.HashPolicy.ConnectionProperties # Properties of the connection.
 source_ip bool # The client’s address.
api.v2.route.RouteAction.HashPolicy.Cookie # A cookie.
 name string bytes>=1 # Its name.
 ttl Duration # A cookie is made that lives this long.
 path string # Path of a cookie that is made.
api.v2.route.RouteAction.HashPolicy.FilterState # Filter state.
 key string bytes>=1 # Its key.
api.v2.route.RouteAction.HashPolicy.Header # A header.
 header_name string header-name? bytes>=1 # Its name.
api.v2.route.RouteAction.HashPolicy.QueryParameter # A query parameter.
 name string bytes>=1 # Its name.
api.v2.route.RouteAction.RequestMirrorPolicy # Sends copies of requests to another cluster.
 cluster string bytes>=1 # Cluster of the copies.
 runtime_key string deprecated disallowed # Portion that is copied. # instead: use runtime_fraction
 runtime_fraction api.v2.core.RuntimeFractionalPercent # Portion that is copied.
 trace_sampled BoolValue # Whether copies are traced.
api.v2.route.RouteAction.UpgradeConfig # Whether a protocol upgrade is allowed.
 upgrade_type string bytes>=1 header-name? # The protocol.
 enabled BoolValue # default: true
api.v2.route.RouteMatch !path_specifier # Which requests a route is for.
 prefix string oneof=path_specifier # How the path begins.
 path string oneof=path_specifier # The path.
 regex string oneof=path_specifier deprecated disallowed bytes<=1024 # Matches the path. # instead: use safe_regex
 safe_regex type.matcher.RegexMatcher oneof=path_specifier required # Matches the path.
 case_sensitive BoolValue # default: true
 runtime_fraction api.v2.core.RuntimeFractionalPercent # Portion of requests that match.
 headers []api.v2.route.HeaderMatcher # All must match.
 query_parameters []api.v2.route.QueryParameterMatcher # All must match.
 grpc .GrpcRouteMatchOptions # Only gRPC requests.
 tls_context .TlsContextMatchOptions # Matches the client’s certificate.
api.v2.route.RouteMatch.GrpcRouteMatchOptions # Only gRPC requests.
api.v2.route.RouteMatch.TlsContextMatchOptions # Matches the client’s certificate.
 presented BoolValue # The client presented a certificate.
 validated BoolValue # It was valid.
api.v2.route.Tracing # Tracing of a route.
 client_sampling type.FractionalPercent
 random_sampling type.FractionalPercent
 overall_sampling type.FractionalPercent
 custom_tags []type.tracing.v2.CustomTag
api.v2.route.VirtualCluster # Requests that are counted by themselves.
 pattern string deprecated disallowed bytes<=1024 # Matches paths. # instead: use headers
 headers []api.v2.route.HeaderMatcher # All must match.
 name string bytes>=1 # Name in statistics.
 method =api.v2.core.RequestMethod deprecated disallowed # Method. # instead: use headers
api.v2.route.VirtualHost # Routes of some domains.
 name string bytes>=1 # Name in statistics.
 domains []string items>=1 each:line=domain # Hosts it is for; * is any.
 routes []api.v2.route.Route # The first that matches is taken.
 require_tls =.TlsRequirementType defined # Whether TLS is needed.
 virtual_clusters []api.v2.route.VirtualCluster # Requests that are counted by themselves.
 rate_limits []api.v2.route.RateLimit # Rate limits.
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to requests.
 request_headers_to_remove []string each:bytes>=1 each:header-name? # Headers removed from requests.
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to responses.
 response_headers_to_remove []string each:bytes>=1 each:header-name? # Headers removed from responses.
 cors api.v2.route.CorsPolicy # Cross-origin requests.
 per_filter_config {}Struct deprecated # Options of filters. # instead: use typed_per_filter_config
 typed_per_filter_config {}Any # Options of filters.
 include_request_attempt_count bool # Tell the host the number of the attempt.
 include_attempt_count_in_response bool # Tell the client the number of attempts.
 retry_policy api.v2.route.RetryPolicy # Of routes without one.
 retry_policy_typed_config Any # The same, of an extension.
 hedge_policy api.v2.route.HedgePolicy # Of routes without one.
 per_request_buffer_limit_bytes UInt32Value # Buffer limit of a request.
api.v2.route.WeightedCluster # Splits requests among clusters.
 clusters [].ClusterWeight items>=1 # The clusters.
 total_weight UInt32Value >=1 # What the weights add up to. # default: 100
 runtime_key_prefix string # Runtime keys of the weights.
api.v2.route.WeightedCluster.ClusterWeight # A cluster and its weight.
 name string bytes>=1 # Name of the cluster.
 weight UInt32Value # Its weight.
 metadata_match api.v2.core.Metadata # What is asked of its subsets.
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to requests.
 request_headers_to_remove []string each:header-name? # Headers removed from requests.
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000 # Headers added to responses.
 response_headers_to_remove []string each:header-name? # Headers removed from responses.
 per_filter_config {}Struct deprecated # Options of filters. # instead: use typed_per_filter_config
 typed_per_filter_config {}Any # Options of filters.
config.accesslog.v2.CommonGrpcAccessLogConfig
 log_name string bytes>=1
 grpc_service api.v2.core.GrpcService required
 buffer_flush_interval Duration >0s
 buffer_size_bytes UInt32Value
 filter_state_objects_to_log []string
config.accesslog.v2.FileAccessLog
 path string bytes>=1
 format string oneof=access_log_format
 json_format Struct oneof=access_log_format
 typed_json_format Struct oneof=access_log_format
config.accesslog.v2.HttpGrpcAccessLogConfig
 common_config config.accesslog.v2.CommonGrpcAccessLogConfig required
 additional_request_headers_to_log []string
 additional_response_headers_to_log []string
 additional_response_trailers_to_log []string
config.accesslog.v2.TcpGrpcAccessLogConfig
 common_config config.accesslog.v2.CommonGrpcAccessLogConfig required
config.bootstrap.v2.Admin
 access_log_path string
 profile_path string
 address api.v2.core.Address
 socket_options []api.v2.core.SocketOption
config.bootstrap.v2.Bootstrap # The configuration file of a proxy.
 node api.v2.core.Node # Name and place of the proxy.
 static_resources .StaticResources # What is configured in the file itself.
 dynamic_resources .DynamicResources # Management servers. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 cluster_manager config.bootstrap.v2.ClusterManager # Settings for all clusters.
 hds_config api.v2.core.ApiConfigSource # Health discovery. # idle: health discovery is not simulated
 flags_path string # Flag directory. # idle: the file system is not simulated
 stats_sinks []config.metrics.v2.StatsSink # Where statistics go.
 stats_config config.metrics.v2.StatsConfig # Which statistics there are, and their tags.
 stats_flush_interval Duration <300s >=0.001s # How often sinks get statistics. # default: 5s
 watchdog config.bootstrap.v2.Watchdog # Watchdog. # idle: the watchdog is not simulated
 tracing config.trace.v2.Tracing # Tracing. # idle: tracing is not simulated
 runtime config.bootstrap.v2.Runtime deprecated disallowed # Runtime values from a directory. # idle: a runtime directory is not simulated # instead: use layered_runtime
 layered_runtime config.bootstrap.v2.LayeredRuntime # Runtime values.
 admin config.bootstrap.v2.Admin # Admin interface. # idle: the admin interface is not simulated
 overload_manager config.overload.v2alpha.OverloadManager # Overload manager. # idle: the overload manager is not simulated
 enable_dispatcher_stats bool # Statistics of event loops. # idle: the event loop is not simulated
 header_prefix string # Prefix of headers. # idle: the prefix of headers is not simulated
 stats_server_version_override UInt64Value # Value of a statistic. # idle: the server is not simulated
 use_tcp_for_dns_lookups bool # DNS over TCP. # idle: the transport of DNS is not simulated
config.bootstrap.v2.Bootstrap.DynamicResources
 lds_config api.v2.core.ConfigSource
 cds_config api.v2.core.ConfigSource
 ads_config api.v2.core.ApiConfigSource
config.bootstrap.v2.Bootstrap.StaticResources # What is configured in the file itself.
 listeners []api.v2.Listener # Where clients connect. Their routes are the traffic of a file without any other. # idle: what happens before a cluster is chosen is not simulated
 clusters []api.v2.Cluster # The clusters.
 secrets []api.v2.auth.Secret # Secrets. # idle: TLS is not simulated
config.bootstrap.v2.ClusterManager # Settings for all clusters.
 local_cluster_name string # The cluster that the proxies themselves are in, for zone-aware routing.
 outlier_detection .OutlierDetection # Event log of outlier detection. # idle: the report lists every event
 upstream_bind_config api.v2.core.BindConfig # Source address of connections. # idle: binding is not simulated
 load_stats_config api.v2.core.ApiConfigSource # Load reporting service. # idle: load reporting is not simulated
config.bootstrap.v2.ClusterManager.OutlierDetection
 event_log_path string
 event_service api.v2.core.EventServiceConfig
config.bootstrap.v2.LayeredRuntime # Runtime values.
 layers []config.bootstrap.v2.RuntimeLayer # The layers.
config.bootstrap.v2.Runtime
 symlink_root string
 subdirectory string
 override_subdirectory string
 base Struct
config.bootstrap.v2.RuntimeLayer !layer_specifier # One layer of runtime values; later layers win.
 name string bytes>=1 # Name of the layer.
 static_layer Struct oneof=layer_specifier # Values in the file itself.
 disk_layer .DiskLayer oneof=layer_specifier # Values from a directory. # idle: the file system is not simulated
 admin_layer .AdminLayer oneof=layer_specifier # Values from the admin interface. # idle: the admin interface is not simulated
 rtds_layer .RtdsLayer oneof=layer_specifier # Values from a management server. # idle: a management server is not simulated: use set_runtime in the timeline of a scenario
config.bootstrap.v2.RuntimeLayer.AdminLayer
config.bootstrap.v2.RuntimeLayer.DiskLayer
 symlink_root string
 subdirectory string
 append_service_cluster bool
config.bootstrap.v2.RuntimeLayer.RtdsLayer
 name string
 rtds_config api.v2.core.ConfigSource
config.bootstrap.v2.Watchdog
 miss_timeout Duration
 megamiss_timeout Duration
 kill_timeout Duration
 multikill_timeout Duration
config.cluster.aggregate.v2alpha.ClusterConfig
 clusters []string items>=1
config.cluster.dynamic_forward_proxy.v2alpha.ClusterConfig
 dns_cache_config config.common.dynamic_forward_proxy.v2alpha.DnsCacheConfig required
config.cluster.redis.RedisClusterConfig
 cluster_refresh_rate Duration >0s
 cluster_refresh_timeout Duration >0s
 redirect_refresh_interval Duration
 redirect_refresh_threshold UInt32Value
 failure_refresh_threshold uint32
 host_degraded_refresh_threshold uint32
config.common.dynamic_forward_proxy.v2alpha.DnsCacheConfig
 name string bytes>=1
 dns_lookup_family =api.v2.Cluster.DnsLookupFamily defined
 dns_refresh_rate Duration >=0.001s
 host_ttl Duration >0s
 max_hosts UInt32Value >0
 dns_failure_refresh_rate api.v2.Cluster.RefreshRate
config.common.tap.v2alpha.AdminConfig
 config_id string bytes>=1
config.common.tap.v2alpha.CommonExtensionConfig !config_type
 admin_config config.common.tap.v2alpha.AdminConfig oneof=config_type
 static_config service.tap.v2alpha.TapConfig oneof=config_type
config.filter.accesslog.v2.AccessLog
 name string
 filter config.filter.accesslog.v2.AccessLogFilter
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.filter.accesslog.v2.AccessLogFilter !filter_specifier
 status_code_filter config.filter.accesslog.v2.StatusCodeFilter oneof=filter_specifier
 duration_filter config.filter.accesslog.v2.DurationFilter oneof=filter_specifier
 not_health_check_filter config.filter.accesslog.v2.NotHealthCheckFilter oneof=filter_specifier
 traceable_filter config.filter.accesslog.v2.TraceableFilter oneof=filter_specifier
 runtime_filter config.filter.accesslog.v2.RuntimeFilter oneof=filter_specifier
 and_filter config.filter.accesslog.v2.AndFilter oneof=filter_specifier
 or_filter config.filter.accesslog.v2.OrFilter oneof=filter_specifier
 header_filter config.filter.accesslog.v2.HeaderFilter oneof=filter_specifier
 response_flag_filter config.filter.accesslog.v2.ResponseFlagFilter oneof=filter_specifier
 grpc_status_filter config.filter.accesslog.v2.GrpcStatusFilter oneof=filter_specifier
 extension_filter config.filter.accesslog.v2.ExtensionFilter oneof=filter_specifier
config.filter.accesslog.v2.AndFilter
 filters []config.filter.accesslog.v2.AccessLogFilter items>=2
config.filter.accesslog.v2.ComparisonFilter
 op =.Op defined
 value api.v2.core.RuntimeUInt32
config.filter.accesslog.v2.DurationFilter
 comparison config.filter.accesslog.v2.ComparisonFilter required
config.filter.accesslog.v2.ExtensionFilter
 name string
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.filter.accesslog.v2.GrpcStatusFilter
 statuses []=.Status each:defined
 exclude bool
config.filter.accesslog.v2.HeaderFilter
 header api.v2.route.HeaderMatcher required
config.filter.accesslog.v2.NotHealthCheckFilter
config.filter.accesslog.v2.OrFilter
 filters []config.filter.accesslog.v2.AccessLogFilter items>=2
config.filter.accesslog.v2.ResponseFlagFilter
 flags []string each:in=LH|UH|UT|LR|UR|UF|UC|UO|NR|DI|FI|RL|UAEX|RLSE|DC|URX|SI|IH|DPE
config.filter.accesslog.v2.RuntimeFilter
 runtime_key string bytes>=1
 percent_sampled type.FractionalPercent
 use_independent_randomness bool
config.filter.accesslog.v2.StatusCodeFilter
 comparison config.filter.accesslog.v2.ComparisonFilter required
config.filter.accesslog.v2.TraceableFilter
config.filter.dubbo.router.v2alpha1.Router
config.filter.fault.v2.FaultDelay !fault_delay_secifier
 type =.FaultDelayType deprecated disallowed
 fixed_delay Duration oneof=fault_delay_secifier >0s
 header_delay .HeaderDelay oneof=fault_delay_secifier
 percentage type.FractionalPercent
config.filter.fault.v2.FaultDelay.HeaderDelay
config.filter.fault.v2.FaultRateLimit !limit_type
 fixed_limit .FixedLimit oneof=limit_type
 header_limit .HeaderLimit oneof=limit_type
 percentage type.FractionalPercent
config.filter.fault.v2.FaultRateLimit.FixedLimit
 limit_kbps uint64 >=1
config.filter.fault.v2.FaultRateLimit.HeaderLimit
config.filter.http.adaptive_concurrency.v2alpha.AdaptiveConcurrency !concurrency_controller_config
 gradient_controller_config config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig oneof=concurrency_controller_config required
 enabled api.v2.core.RuntimeFeatureFlag
config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig
 sample_aggregate_percentile type.Percent
 concurrency_limit_params .ConcurrencyLimitCalculationParams required
 min_rtt_calc_params .MinimumRTTCalculationParams required
config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig.ConcurrencyLimitCalculationParams
 max_concurrency_limit UInt32Value >0
 concurrency_update_interval Duration required >0s
config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig.MinimumRTTCalculationParams
 interval Duration required >0s
 request_count UInt32Value >0
 jitter type.Percent
 min_concurrency UInt32Value >0
 buffer type.Percent
config.filter.http.aws_lambda.v2alpha.Config
 arn string len>=1
 payload_passthrough bool
 invocation_mode =.InvocationMode defined
config.filter.http.aws_lambda.v2alpha.PerRouteConfig
 invoke_config config.filter.http.aws_lambda.v2alpha.Config
config.filter.http.aws_request_signing.v2alpha.AwsRequestSigning
 service_name string bytes>=1
 region string bytes>=1
 host_rewrite string
config.filter.http.buffer.v2.Buffer
 max_request_bytes UInt32Value required >0
config.filter.http.buffer.v2.BufferPerRoute !override
 disabled bool oneof=override const=true
 buffer config.filter.http.buffer.v2.Buffer oneof=override required
config.filter.http.cache.v2alpha.CacheConfig
 typed_config Any required
 allowed_vary_headers []type.matcher.StringMatcher
 key_creator_params .KeyCreatorParams
 max_body_bytes uint32
config.filter.http.cache.v2alpha.CacheConfig.KeyCreatorParams
 exclude_scheme bool
 exclude_host bool
 query_parameters_included []api.v2.route.QueryParameterMatcher
 query_parameters_excluded []api.v2.route.QueryParameterMatcher
config.filter.http.compressor.v2.Compressor
 content_length UInt32Value
 content_type []string
 disable_on_etag_header bool
 remove_accept_encoding_header bool
 runtime_enabled api.v2.core.RuntimeFeatureFlag
config.filter.http.cors.v2.Cors
config.filter.http.csrf.v2.CsrfPolicy
 filter_enabled api.v2.core.RuntimeFractionalPercent required
 shadow_enabled api.v2.core.RuntimeFractionalPercent
 additional_origins []type.matcher.StringMatcher
config.filter.http.dynamic_forward_proxy.v2alpha.FilterConfig
 dns_cache_config config.common.dynamic_forward_proxy.v2alpha.DnsCacheConfig required
config.filter.http.dynamic_forward_proxy.v2alpha.PerRouteConfig
 host_rewrite string oneof=host_rewrite_specifier
 auto_host_rewrite_header string oneof=host_rewrite_specifier
config.filter.http.dynamo.v2.Dynamo
config.filter.http.ext_authz.v2.AuthorizationRequest
 allowed_headers type.matcher.ListStringMatcher
 headers_to_add []api.v2.core.HeaderValue
config.filter.http.ext_authz.v2.AuthorizationResponse
 allowed_upstream_headers type.matcher.ListStringMatcher
 allowed_client_headers type.matcher.ListStringMatcher
config.filter.http.ext_authz.v2.BufferSettings
 max_request_bytes uint32 >0
 allow_partial_message bool
config.filter.http.ext_authz.v2.CheckSettings
 context_extensions {}string
config.filter.http.ext_authz.v2.ExtAuthz
 grpc_service api.v2.core.GrpcService oneof=services
 http_service config.filter.http.ext_authz.v2.HttpService oneof=services
 failure_mode_allow bool
 use_alpha bool deprecated disallowed
 with_request_body config.filter.http.ext_authz.v2.BufferSettings
 clear_route_cache bool
 status_on_error type.HttpStatus
 metadata_context_namespaces []string
 filter_enabled api.v2.core.RuntimeFractionalPercent
 deny_at_disable api.v2.core.RuntimeFeatureFlag
 include_peer_certificate bool
config.filter.http.ext_authz.v2.ExtAuthzPerRoute !override
 disabled bool oneof=override const=true
 check_settings config.filter.http.ext_authz.v2.CheckSettings oneof=override required
config.filter.http.ext_authz.v2.HttpService
 server_uri api.v2.core.HttpUri
 path_prefix string
 authorization_request config.filter.http.ext_authz.v2.AuthorizationRequest
 authorization_response config.filter.http.ext_authz.v2.AuthorizationResponse
config.filter.http.fault.v2.FaultAbort !error_type
 http_status uint32 oneof=error_type <600 >=200
 header_abort .HeaderAbort oneof=error_type
 percentage type.FractionalPercent
config.filter.http.fault.v2.FaultAbort.HeaderAbort
config.filter.http.fault.v2.HTTPFault
 delay config.filter.fault.v2.FaultDelay
 abort config.filter.http.fault.v2.FaultAbort
 upstream_cluster string
 headers []api.v2.route.HeaderMatcher
 downstream_nodes []string
 max_active_faults UInt32Value
 response_rate_limit config.filter.fault.v2.FaultRateLimit
 delay_percent_runtime string
 abort_percent_runtime string
 delay_duration_runtime string
 abort_http_status_runtime string
 max_active_faults_runtime string
 response_rate_limit_percent_runtime string
config.filter.http.grpc_http1_bridge.v2.Config
config.filter.http.grpc_http1_reverse_bridge.v2alpha1.FilterConfig
 content_type string bytes>=1
 withhold_grpc_frames bool
config.filter.http.grpc_http1_reverse_bridge.v2alpha1.FilterConfigPerRoute
 disabled bool
config.filter.http.grpc_stats.v2alpha.FilterConfig
 emit_filter_state bool
 individual_method_stats_allowlist api.v2.core.GrpcMethodList oneof=per_method_stat_specifier
 stats_for_all_methods BoolValue oneof=per_method_stat_specifier
config.filter.http.grpc_stats.v2alpha.FilterObject
 request_message_count uint64
 response_message_count uint64
config.filter.http.grpc_web.v2.GrpcWeb
config.filter.http.gzip.v2.Gzip
 memory_level UInt32Value <=9 >=1
 content_length UInt32Value deprecated
 compression_level =.CompressionLevel.Enum defined
 compression_strategy =.CompressionStrategy defined
 content_type []string deprecated
 disable_on_etag_header bool deprecated
 remove_accept_encoding_header bool deprecated
 window_bits UInt32Value <=15 >=9
 compressor config.filter.http.compressor.v2.Compressor
config.filter.http.gzip.v2.Gzip.CompressionLevel
config.filter.http.header_to_metadata.v2.Config
 request_rules [].Rule
 response_rules [].Rule
config.filter.http.header_to_metadata.v2.Config.KeyValuePair
 metadata_namespace string
 key string bytes>=1
 value string
 type =config.filter.http.header_to_metadata.v2.Config.ValueType
 encode =config.filter.http.header_to_metadata.v2.Config.ValueEncode
config.filter.http.header_to_metadata.v2.Config.Rule
 header string header-name? bytes>=1
 on_header_present config.filter.http.header_to_metadata.v2.Config.KeyValuePair
 on_header_missing config.filter.http.header_to_metadata.v2.Config.KeyValuePair
 remove bool
config.filter.http.health_check.v2.HealthCheck
 pass_through_mode BoolValue required
 cache_time Duration
 cluster_min_healthy_percentages {}type.Percent
 headers []api.v2.route.HeaderMatcher
config.filter.http.ip_tagging.v2.IPTagging
 request_type =.RequestType defined
 ip_tags [].IPTag items>=1
config.filter.http.ip_tagging.v2.IPTagging.IPTag
 ip_tag_name string
 ip_list []api.v2.core.CidrRange
config.filter.http.jwt_authn.v2alpha.FilterStateRule
 name string bytes>=1
 requires {}config.filter.http.jwt_authn.v2alpha.JwtRequirement
config.filter.http.jwt_authn.v2alpha.JwtAuthentication
 providers {}config.filter.http.jwt_authn.v2alpha.JwtProvider
 rules []config.filter.http.jwt_authn.v2alpha.RequirementRule
 filter_state_rules config.filter.http.jwt_authn.v2alpha.FilterStateRule
 bypass_cors_preflight bool
config.filter.http.jwt_authn.v2alpha.JwtHeader
 name string bytes>=1
 value_prefix string
config.filter.http.jwt_authn.v2alpha.JwtProvider !jwks_source_specifier
 issuer string bytes>=1
 audiences []string
 remote_jwks config.filter.http.jwt_authn.v2alpha.RemoteJwks oneof=jwks_source_specifier
 local_jwks api.v2.core.DataSource oneof=jwks_source_specifier
 forward bool
 from_headers []config.filter.http.jwt_authn.v2alpha.JwtHeader
 from_params []string
 forward_payload_header string
 payload_in_metadata string
config.filter.http.jwt_authn.v2alpha.JwtRequirement
 provider_name string oneof=requires_type
 provider_and_audiences config.filter.http.jwt_authn.v2alpha.ProviderWithAudiences oneof=requires_type
 requires_any config.filter.http.jwt_authn.v2alpha.JwtRequirementOrList oneof=requires_type
 requires_all config.filter.http.jwt_authn.v2alpha.JwtRequirementAndList oneof=requires_type
 allow_missing_or_failed Empty oneof=requires_type
 allow_missing Empty oneof=requires_type
config.filter.http.jwt_authn.v2alpha.JwtRequirementAndList
 requirements []config.filter.http.jwt_authn.v2alpha.JwtRequirement items>=2
config.filter.http.jwt_authn.v2alpha.JwtRequirementOrList
 requirements []config.filter.http.jwt_authn.v2alpha.JwtRequirement items>=2
config.filter.http.jwt_authn.v2alpha.ProviderWithAudiences
 provider_name string
 audiences []string
config.filter.http.jwt_authn.v2alpha.RemoteJwks
 http_uri api.v2.core.HttpUri
 cache_duration Duration
config.filter.http.jwt_authn.v2alpha.RequirementRule
 match api.v2.route.RouteMatch required
 requires config.filter.http.jwt_authn.v2alpha.JwtRequirement
config.filter.http.lua.v2.Lua
 inline_code string bytes>=1
config.filter.http.on_demand.v2.OnDemand
config.filter.http.original_src.v2alpha1.OriginalSrc
 mark uint32
config.filter.http.rate_limit.v2.RateLimit
 domain string bytes>=1
 stage uint32 <=10
 request_type string in=internal|external|both|
 timeout Duration
 failure_mode_deny bool
 rate_limited_as_resource_exhausted bool
 rate_limit_service config.ratelimit.v2.RateLimitServiceConfig required
config.filter.http.rbac.v2.RBAC
 rules config.rbac.v2.RBAC
 shadow_rules config.rbac.v2.RBAC
config.filter.http.rbac.v2.RBACPerRoute
 rbac config.filter.http.rbac.v2.RBAC
config.filter.http.router.v2.Router
 dynamic_stats BoolValue
 start_child_span bool
 upstream_log []config.filter.accesslog.v2.AccessLog
 suppress_envoy_headers bool
 strict_check_headers []string each:in=x-envoy-upstream-rq-timeout-ms|x-envoy-upstream-rq-per-try-timeout-ms|x-envoy-max-retries|x-envoy-retry-grpc-on|x-envoy-retry-on
 respect_expected_rq_timeout bool
config.filter.http.squash.v2.Squash
 cluster string bytes>=1
 attachment_template Struct
 request_timeout Duration
 attachment_timeout Duration
 attachment_poll_period Duration
config.filter.http.tap.v2alpha.Tap
 common_config config.common.tap.v2alpha.CommonExtensionConfig required
config.filter.http.transcoder.v2.GrpcJsonTranscoder !descriptor_set
 proto_descriptor string oneof=descriptor_set
 proto_descriptor_bin bytes oneof=descriptor_set
 services []string items>=1
 print_options .PrintOptions
 match_incoming_request_route bool
 ignored_query_parameters []string
 auto_mapping bool
 ignore_unknown_query_parameters bool
 convert_grpc_status bool
config.filter.http.transcoder.v2.GrpcJsonTranscoder.PrintOptions
 add_whitespace bool
 always_print_primitive_fields bool
 always_print_enums_as_ints bool
 preserve_proto_field_names bool
config.filter.listener.http_inspector.v2.HttpInspector
config.filter.listener.original_dst.v2.OriginalDst
config.filter.listener.original_src.v2alpha1.OriginalSrc
 bind_port bool
 mark uint32
config.filter.listener.proxy_protocol.v2.ProxyProtocol
config.filter.listener.tls_inspector.v2.TlsInspector
config.filter.network.client_ssl_auth.v2.ClientSSLAuth
 auth_api_cluster string bytes>=1
 stat_prefix string bytes>=1
 refresh_delay Duration
 ip_white_list []api.v2.core.CidrRange
config.filter.network.direct_response.v2.Config
 response api.v2.core.DataSource
config.filter.network.dubbo_proxy.v2alpha1.DubboFilter
 name string bytes>=1
 config Any
config.filter.network.dubbo_proxy.v2alpha1.DubboProxy
 stat_prefix string bytes>=1
 protocol_type =config.filter.network.dubbo_proxy.v2alpha1.ProtocolType defined
 serialization_type =config.filter.network.dubbo_proxy.v2alpha1.SerializationType defined
 route_config []config.filter.network.dubbo_proxy.v2alpha1.RouteConfiguration
 dubbo_filters []config.filter.network.dubbo_proxy.v2alpha1.DubboFilter
config.filter.network.dubbo_proxy.v2alpha1.MethodMatch
 name type.matcher.StringMatcher
 params_match {uint32}.ParameterMatchSpecifier
config.filter.network.dubbo_proxy.v2alpha1.MethodMatch.ParameterMatchSpecifier
 exact_match string oneof=parameter_match_specifier
 range_match type.Int64Range oneof=parameter_match_specifier
config.filter.network.dubbo_proxy.v2alpha1.Route
 match config.filter.network.dubbo_proxy.v2alpha1.RouteMatch required
 route config.filter.network.dubbo_proxy.v2alpha1.RouteAction required
config.filter.network.dubbo_proxy.v2alpha1.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier
 weighted_clusters api.v2.route.WeightedCluster oneof=cluster_specifier
config.filter.network.dubbo_proxy.v2alpha1.RouteConfiguration
 name string
 interface string
 group string
 version string
 routes []config.filter.network.dubbo_proxy.v2alpha1.Route
config.filter.network.dubbo_proxy.v2alpha1.RouteMatch
 method config.filter.network.dubbo_proxy.v2alpha1.MethodMatch
 headers []api.v2.route.HeaderMatcher
config.filter.network.echo.v2.Echo
config.filter.network.ext_authz.v2.ExtAuthz
 stat_prefix string bytes>=1
 grpc_service api.v2.core.GrpcService
 failure_mode_allow bool
 include_peer_certificate bool
config.filter.network.http_connection_manager.v2.HttpConnectionManager !route_specifier # The HTTP filter of a listener.
 codec_type =.CodecType defined
 stat_prefix string bytes>=1
 rds config.filter.network.http_connection_manager.v2.Rds oneof=route_specifier
 route_config api.v2.RouteConfiguration oneof=route_specifier # Which cluster a request is for.
 scoped_routes config.filter.network.http_connection_manager.v2.ScopedRoutes oneof=route_specifier
 http_filters []config.filter.network.http_connection_manager.v2.HttpFilter
 add_user_agent BoolValue
 tracing .Tracing
 common_http_protocol_options api.v2.core.HttpProtocolOptions
 http_protocol_options api.v2.core.Http1ProtocolOptions
 http2_protocol_options api.v2.core.Http2ProtocolOptions
 server_name string
 server_header_transformation =.ServerHeaderTransformation defined
 max_request_headers_kb UInt32Value <=8192 >0
 idle_timeout Duration deprecated disallowed
 stream_idle_timeout Duration
 request_timeout Duration
 drain_timeout Duration
 delayed_close_timeout Duration
 access_log []config.filter.accesslog.v2.AccessLog
 use_remote_address BoolValue
 xff_num_trusted_hops uint32
 internal_address_config .InternalAddressConfig
 skip_xff_append bool
 via string
 generate_request_id BoolValue
 preserve_external_request_id bool
 forward_client_cert_details =.ForwardClientCertDetails defined
 set_current_client_cert_details .SetCurrentClientCertDetails
 proxy_100_continue bool
 represent_ipv4_remote_address_as_ipv4_mapped_ipv6 bool
 upgrade_configs [].UpgradeConfig
 normalize_path BoolValue
 merge_slashes bool
 request_id_extension config.filter.network.http_connection_manager.v2.RequestIDExtension
config.filter.network.http_connection_manager.v2.HttpConnectionManager.InternalAddressConfig
 unix_sockets bool
config.filter.network.http_connection_manager.v2.HttpConnectionManager.SetCurrentClientCertDetails
 subject BoolValue
 cert bool
 chain bool
 dns bool
 uri bool
config.filter.network.http_connection_manager.v2.HttpConnectionManager.Tracing
 operation_name =.OperationName deprecated disallowed defined
 request_headers_for_tags []string deprecated
 client_sampling type.Percent
 random_sampling type.Percent
 overall_sampling type.Percent
 verbose bool
 max_path_tag_length UInt32Value
 custom_tags []type.tracing.v2.CustomTag
 provider config.trace.v2.Tracing.Http
config.filter.network.http_connection_manager.v2.HttpConnectionManager.UpgradeConfig
 upgrade_type string
 filters []config.filter.network.http_connection_manager.v2.HttpFilter
 enabled BoolValue
config.filter.network.http_connection_manager.v2.HttpFilter
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.filter.network.http_connection_manager.v2.Rds
 config_source api.v2.core.ConfigSource required
 route_config_name string bytes>=1
config.filter.network.http_connection_manager.v2.RequestIDExtension
 typed_config Any
config.filter.network.http_connection_manager.v2.ScopedRds
 scoped_rds_config_source api.v2.core.ConfigSource required
config.filter.network.http_connection_manager.v2.ScopedRouteConfigurationsList
 scoped_route_configurations []api.v2.ScopedRouteConfiguration items>=1
config.filter.network.http_connection_manager.v2.ScopedRoutes !config_specifier
 name string bytes>=1
 scope_key_builder .ScopeKeyBuilder required
 rds_config_source api.v2.core.ConfigSource required
 scoped_route_configurations_list config.filter.network.http_connection_manager.v2.ScopedRouteConfigurationsList oneof=config_specifier
 scoped_rds config.filter.network.http_connection_manager.v2.ScopedRds oneof=config_specifier
config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder
 fragments [].FragmentBuilder items>=1
config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder !type
 header_value_extractor .HeaderValueExtractor oneof=type
config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor
 name string bytes>=1
 element_separator string
 index uint32 oneof=extract_type
 element .KvElement oneof=extract_type
config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement
 separator string bytes>=1
 key string bytes>=1
config.filter.network.kafka_broker.v2alpha1.IdBasedBrokerRewriteRule
 id uint32 >=0
 host string len>=1
 port uint32 <=65535
config.filter.network.kafka_broker.v2alpha1.IdBasedBrokerRewriteSpec
 rules []config.filter.network.kafka_broker.v2alpha1.IdBasedBrokerRewriteRule
config.filter.network.kafka_broker.v2alpha1.KafkaBroker
 stat_prefix string bytes>=1
 force_response_rewrite bool
 id_based_broker_address_rewrite_spec config.filter.network.kafka_broker.v2alpha1.IdBasedBrokerRewriteSpec oneof=broker_address_rewrite_spec
 api_keys_allowed []uint32 each:<=32767 each:>=0
 api_keys_denied []uint32 each:<=32767 each:>=0
config.filter.network.local_rate_limit.v2alpha.LocalRateLimit
 stat_prefix string bytes>=1
 token_bucket type.TokenBucket required
 runtime_enabled api.v2.core.RuntimeFeatureFlag
config.filter.network.mongo_proxy.v2.MongoProxy
 stat_prefix string bytes>=1
 access_log string
 delay config.filter.fault.v2.FaultDelay
 emit_dynamic_metadata bool
config.filter.network.mysql_proxy.v1alpha1.MySQLProxy
 stat_prefix string bytes>=1
 access_log string
config.filter.network.rate_limit.v2.RateLimit
 stat_prefix string bytes>=1
 domain string bytes>=1
 descriptors []api.v2.ratelimit.RateLimitDescriptor items>=1
 timeout Duration
 failure_mode_deny bool
 rate_limit_service config.ratelimit.v2.RateLimitServiceConfig required
config.filter.network.rbac.v2.RBAC
 rules config.rbac.v2.RBAC
 shadow_rules config.rbac.v2.RBAC
 stat_prefix string bytes>=1
 enforcement_type =.EnforcementType
config.filter.network.redis_proxy.v2.RedisProtocolOptions
 auth_password api.v2.core.DataSource sensitive
config.filter.network.redis_proxy.v2.RedisProxy
 stat_prefix string bytes>=1
 cluster string deprecated disallowed
 settings .ConnPoolSettings required
 latency_in_micros bool
 prefix_routes .PrefixRoutes
 downstream_auth_password api.v2.core.DataSource sensitive
config.filter.network.redis_proxy.v2.RedisProxy.ConnPoolSettings
 op_timeout Duration required
 enable_hashtagging bool
 enable_redirection bool
 max_buffer_size_before_flush uint32
 buffer_flush_timeout Duration
 max_upstream_unknown_connections UInt32Value
 enable_command_stats bool
 read_policy =.ReadPolicy defined
config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes
 routes [].Route
 case_insensitive bool
 catch_all_cluster string deprecated disallowed
 catch_all_route .Route
config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes.Route
 prefix string
 remove_prefix bool
 cluster string bytes>=1
 request_mirror_policy [].RequestMirrorPolicy
config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes.Route.RequestMirrorPolicy
 cluster string bytes>=1
 runtime_fraction api.v2.core.RuntimeFractionalPercent
 exclude_read_commands bool
config.filter.network.sni_cluster.v2.SniCluster
config.filter.network.tcp_proxy.v2.TcpProxy !cluster_specifier
 stat_prefix string bytes>=1
 cluster string oneof=cluster_specifier
 weighted_clusters .WeightedCluster oneof=cluster_specifier
 metadata_match api.v2.core.Metadata
 idle_timeout Duration
 downstream_idle_timeout Duration
 upstream_idle_timeout Duration
 access_log []config.filter.accesslog.v2.AccessLog
 deprecated_v1 .DeprecatedV1 deprecated
 max_connect_attempts UInt32Value >=1
 hash_policy []type.HashPolicy items<=1
 tunneling_config .TunnelingConfig
config.filter.network.tcp_proxy.v2.TcpProxy.DeprecatedV1
 routes [].TCPRoute items>=1
config.filter.network.tcp_proxy.v2.TcpProxy.DeprecatedV1.TCPRoute
 cluster string bytes>=1
 destination_ip_list []api.v2.core.CidrRange
 destination_ports string
 source_ip_list []api.v2.core.CidrRange
 source_ports string
config.filter.network.tcp_proxy.v2.TcpProxy.TunnelingConfig
 hostname string bytes>=1
config.filter.network.tcp_proxy.v2.TcpProxy.WeightedCluster
 clusters [].ClusterWeight items>=1
config.filter.network.tcp_proxy.v2.TcpProxy.WeightedCluster.ClusterWeight
 name string bytes>=1
 weight uint32 >=1
 metadata_match api.v2.core.Metadata
config.filter.network.thrift_proxy.v2alpha1.Route
 match config.filter.network.thrift_proxy.v2alpha1.RouteMatch required
 route config.filter.network.thrift_proxy.v2alpha1.RouteAction required
config.filter.network.thrift_proxy.v2alpha1.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier bytes>=1
 weighted_clusters config.filter.network.thrift_proxy.v2alpha1.WeightedCluster oneof=cluster_specifier
 cluster_header string oneof=cluster_specifier bytes>=1
 metadata_match api.v2.core.Metadata
 rate_limits []api.v2.route.RateLimit
 strip_service_name bool
config.filter.network.thrift_proxy.v2alpha1.RouteConfiguration
 name string
 routes []config.filter.network.thrift_proxy.v2alpha1.Route
config.filter.network.thrift_proxy.v2alpha1.RouteMatch !match_specifier
 method_name string oneof=match_specifier
 service_name string oneof=match_specifier
 invert bool
 headers []api.v2.route.HeaderMatcher
config.filter.network.thrift_proxy.v2alpha1.ThriftFilter
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.filter.network.thrift_proxy.v2alpha1.ThriftProtocolOptions
 transport =config.filter.network.thrift_proxy.v2alpha1.TransportType defined
 protocol =config.filter.network.thrift_proxy.v2alpha1.ProtocolType defined
config.filter.network.thrift_proxy.v2alpha1.ThriftProxy
 transport =config.filter.network.thrift_proxy.v2alpha1.TransportType defined
 protocol =config.filter.network.thrift_proxy.v2alpha1.ProtocolType defined
 stat_prefix string bytes>=1
 route_config config.filter.network.thrift_proxy.v2alpha1.RouteConfiguration
 thrift_filters []config.filter.network.thrift_proxy.v2alpha1.ThriftFilter
config.filter.network.thrift_proxy.v2alpha1.WeightedCluster
 clusters [].ClusterWeight items>=1
config.filter.network.thrift_proxy.v2alpha1.WeightedCluster.ClusterWeight
 name string bytes>=1
 weight UInt32Value >=1
 metadata_match api.v2.core.Metadata
config.filter.network.zookeeper_proxy.v1alpha1.ZooKeeperProxy
 stat_prefix string bytes>=1
 access_log string
 max_packet_bytes UInt32Value
config.filter.thrift.rate_limit.v2alpha1.RateLimit
 domain string bytes>=1
 stage uint32 <=10
 timeout Duration
 failure_mode_deny bool
 rate_limit_service config.ratelimit.v2.RateLimitServiceConfig required
config.filter.thrift.router.v2alpha1.Router
config.filter.udp.udp_proxy.v2alpha.UdpProxyConfig !route_specifier
 stat_prefix string bytes>=1
 cluster string oneof=route_specifier bytes>=1
 idle_timeout Duration
config.grpc_credential.v2alpha.AwsIamConfig
 service_name string bytes>=1
 region string
config.grpc_credential.v2alpha.FileBasedMetadataConfig
 secret_data api.v2.core.DataSource sensitive
 header_key string
 header_prefix string
config.health_checker.redis.v2.Redis
 key string
config.listener.v2.ApiListener
 api_listener Any
config.metrics.v2.DogStatsdSink !dog_statsd_specifier # Sends statistics with tags to a statsd server.
 address api.v2.core.Address oneof=dog_statsd_specifier # UDP address of a statsd server that takes tags.
 prefix string # Replaces the prefix of every name. # default: proxy
config.metrics.v2.HystrixSink # Serves aggregated statistics of clusters as an event stream for a circuit-breaker dashboard.
 num_buckets int64 >=0 # Buckets of the rolling window, one a flush: window = stats_flush_interval × num_buckets. 0 is 10.
config.metrics.v2.MetricsServiceConfig
 grpc_service api.v2.core.GrpcService required
config.metrics.v2.StatsConfig # Names, tags and existence of statistics.
 stats_tags []config.metrics.v2.TagSpecifier # Tags beside the default ones.
 use_all_default_tags BoolValue # Extract the default tags. # default: true
 stats_matcher config.metrics.v2.StatsMatcher # Which statistics exist. # default: all
config.metrics.v2.StatsMatcher !stats_matcher # Which statistics exist.
 reject_all bool oneof=stats_matcher # true: there are no statistics. false: all.
 exclusion_list type.matcher.ListStringMatcher oneof=stats_matcher # All statistics but these.
 inclusion_list type.matcher.ListStringMatcher oneof=stats_matcher # No statistics but these.
config.metrics.v2.StatsSink # Where statistics are sent.
 name string # Which sink: proxy.stat_sinks.statsd, proxy.stat_sinks.tagged_statsd, proxy.stat_sinks.dashboard.
 config Struct oneof=config_type deprecated # Configuration of the sink. # instead: use typed_config
 typed_config Any oneof=config_type # Configuration of the sink, with its type.
config.metrics.v2.StatsdSink !statsd_specifier # Sends statistics to a statsd server.
 address api.v2.core.Address oneof=statsd_specifier # UDP address of a statsd server.
 tcp_cluster_name string oneof=statsd_specifier # Cluster of a statsd server that is spoken to over TCP.
 prefix string # Replaces the prefix of every name. # default: proxy
config.metrics.v2.TagSpecifier # A tag and where its value comes from.
 tag_name string # Name of the tag.
 regex string oneof=tag_value bytes<=1024 # Searched for in the name. Group 1 is cut out of it; group 2, or else group 1, is the value.
 fixed_value string oneof=tag_value # Value of the tag, on every statistic.
config.overload.v2alpha.OverloadAction
 name string bytes>=1
 triggers []config.overload.v2alpha.Trigger items>=1
config.overload.v2alpha.OverloadManager
 refresh_interval Duration
 resource_monitors []config.overload.v2alpha.ResourceMonitor items>=1
 actions []config.overload.v2alpha.OverloadAction
config.overload.v2alpha.ResourceMonitor
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.overload.v2alpha.ThresholdTrigger
 value double <=1 >=0
config.overload.v2alpha.Trigger !trigger_oneof
 name string bytes>=1
 threshold config.overload.v2alpha.ThresholdTrigger oneof=trigger_oneof
config.ratelimit.v2.RateLimitServiceConfig
 grpc_service api.v2.core.GrpcService required
config.rbac.v2.Permission !rule
 and_rules .Set oneof=rule
 or_rules .Set oneof=rule
 any bool oneof=rule const=true
 header api.v2.route.HeaderMatcher oneof=rule
 url_path type.matcher.PathMatcher oneof=rule
 destination_ip api.v2.core.CidrRange oneof=rule
 destination_port uint32 oneof=rule <=65535
 metadata type.matcher.MetadataMatcher oneof=rule
 not_rule config.rbac.v2.Permission oneof=rule
 requested_server_name type.matcher.StringMatcher oneof=rule
config.rbac.v2.Permission.Set
 rules []config.rbac.v2.Permission items>=1
config.rbac.v2.Policy
 permissions []config.rbac.v2.Permission items>=1
 principals []config.rbac.v2.Principal items>=1
 condition google.api.expr.v1alpha1.Expr
config.rbac.v2.Principal !identifier
 and_ids .Set oneof=identifier
 or_ids .Set oneof=identifier
 any bool oneof=identifier const=true
 authenticated .Authenticated oneof=identifier
 source_ip api.v2.core.CidrRange oneof=identifier deprecated
 direct_remote_ip api.v2.core.CidrRange oneof=identifier
 remote_ip api.v2.core.CidrRange oneof=identifier
 header api.v2.route.HeaderMatcher oneof=identifier
 url_path type.matcher.PathMatcher oneof=identifier
 metadata type.matcher.MetadataMatcher oneof=identifier
 not_id config.rbac.v2.Principal oneof=identifier
config.rbac.v2.Principal.Authenticated
 principal_name type.matcher.StringMatcher
config.rbac.v2.Principal.Set
 ids []config.rbac.v2.Principal items>=1
config.rbac.v2.RBAC
 action =.Action
 policies {}config.rbac.v2.Policy
config.resource_monitor.fixed_heap.v2alpha.FixedHeapConfig
 max_heap_size_bytes uint64 >0
config.resource_monitor.injected_resource.v2alpha.InjectedResourceConfig
 filename string bytes>=1
config.retry.omit_canary_hosts.v2.OmitCanaryHostsPredicate
config.retry.omit_host_metadata.v2.OmitHostMetadataConfig
 metadata_match api.v2.core.Metadata
config.retry.previous_hosts.v2.PreviousHostsPredicate
config.retry.previous_priorities.PreviousPrioritiesConfig
 update_frequency int32 >0
config.trace.v2.DatadogConfig
 collector_cluster string bytes>=1
 service_name string bytes>=1
config.trace.v2.DynamicOtConfig
 library string bytes>=1
 config Struct
config.trace.v2.LightstepConfig
 collector_cluster string bytes>=1
 access_token_file string bytes>=1
 propagation_modes []=.PropagationMode each:defined
config.trace.v2.TraceServiceConfig
 grpc_service api.v2.core.GrpcService required
config.trace.v2.Tracing
 http .Http
config.trace.v2.Tracing.Http
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.trace.v2.ZipkinConfig
 collector_cluster string bytes>=1
 collector_endpoint string bytes>=1
 trace_id_128bit bool
 shared_span_context BoolValue
 collector_endpoint_version =.CollectorEndpointVersion
config.trace.v2alpha.XRayConfig
 daemon_endpoint api.v2.core.SocketAddress
 segment_name string len>=1
 sampling_rule_manifest api.v2.core.DataSource
config.transport_socket.alts.v2alpha.Alts
 handshaker_service string bytes>=1
 peer_service_accounts []string
config.transport_socket.raw_buffer.v2.RawBuffer # Plain text.
config.transport_socket.tap.v2alpha.Tap
 common_config config.common.tap.v2alpha.CommonExtensionConfig required
 transport_socket api.v2.core.TransportSocket required
type.DoubleRange
 start double
 end double
type.FractionalPercent # A fraction with a denominator of 100, 10,000 or 1,000,000.
 numerator uint32 # The portion. It may exceed the denominator; the result is then always.
 denominator =.DenominatorType defined # What the numerator is a portion of.
type.HashPolicy !policy_specifier
 source_ip .SourceIp oneof=policy_specifier
type.HashPolicy.SourceIp
type.HttpStatus
 code =type.StatusCode defined not=0
type.Int32Range
 start int32
 end int32
type.Int64Range # A half-open range of whole numbers.
 start int64 # First value.
 end int64 # The value after the last.
type.Percent # A percentage in the range 0–100.
 value double <=100 >=0 # Percentage from 0 to 100.
type.SemanticVersion # A semantic version.
 major_number uint32 # Major version.
 minor_number uint32 # Minor version.
 patch uint32 # Patch level.
type.TokenBucket
 max_tokens uint32 >0
 tokens_per_fill UInt32Value >0
 fill_interval Duration required >0s
type.matcher.DoubleMatcher !match_pattern
 range type.DoubleRange oneof=match_pattern
 exact double oneof=match_pattern
type.matcher.ListMatcher !match_pattern
 one_of type.matcher.ValueMatcher oneof=match_pattern
type.matcher.ListStringMatcher # Matches a text in one of several ways.
 patterns []type.matcher.StringMatcher items>=1 # Any of them matches.
type.matcher.MetadataMatcher
 filter string len>=1
 path [].PathSegment items>=1
 value type.matcher.ValueMatcher required
type.matcher.MetadataMatcher.PathSegment !segment
 key string oneof=segment len>=1
type.matcher.PathMatcher !rule
 path type.matcher.StringMatcher oneof=rule required
type.matcher.RegexMatchAndSubstitute # Replaces what matches.
 pattern type.matcher.RegexMatcher required # What is replaced.
 substitution string # By what.
type.matcher.RegexMatcher # A regular expression that is safe to run on untrusted text.
 google_re2 .GoogleRE2 # The RE2 engine. # idle: it is the only engine
 regex string len>=1 # Must match the whole text.
type.matcher.RegexMatcher.GoogleRE2 # The RE2 engine.
 max_program_size UInt32Value deprecated # Largest complexity of the expression. # instead: use the runtime key re2.max_program_size.error_level
type.matcher.StringMatcher !match_pattern # Matches a text.
 exact string oneof=match_pattern # The text itself.
 prefix string oneof=match_pattern len>=1 # How the text begins.
 suffix string oneof=match_pattern len>=1 # How the text ends.
 contains string oneof=match_pattern len>=1 # What the text contains. # since: 1.17
 regex string oneof=match_pattern deprecated disallowed bytes<=1024 # An ECMAScript expression that matches the whole text. # instead: use safe_regex
 safe_regex type.matcher.RegexMatcher oneof=match_pattern required # An expression that matches the whole text.
 ignore_case bool # Ignore case; not for expressions.
type.matcher.ValueMatcher !match_pattern
 null_match .NullMatch oneof=match_pattern
 double_match type.matcher.DoubleMatcher oneof=match_pattern
 string_match type.matcher.StringMatcher oneof=match_pattern
 bool_match bool oneof=match_pattern
 present_match bool oneof=match_pattern
 list_match type.matcher.ListMatcher oneof=match_pattern
type.matcher.ValueMatcher.NullMatch
type.metadata.v2.MetadataKey
 key string bytes>=1
 path [].PathSegment items>=1
type.metadata.v2.MetadataKey.PathSegment !segment
 key string oneof=segment bytes>=1
type.metadata.v2.MetadataKind !kind
 request .Request oneof=kind
 route .Route oneof=kind
 cluster .Cluster oneof=kind
 host .Host oneof=kind
type.metadata.v2.MetadataKind.Cluster
type.metadata.v2.MetadataKind.Host
type.metadata.v2.MetadataKind.Request
type.metadata.v2.MetadataKind.Route
type.tracing.v2.CustomTag !type
 tag string bytes>=1
 literal .Literal oneof=type
 environment .Environment oneof=type
 request_header .Header oneof=type
 metadata .Metadata oneof=type
type.tracing.v2.CustomTag.Environment
 name string bytes>=1
 default_value string
type.tracing.v2.CustomTag.Header
 name string header-name? bytes>=1
 default_value string
type.tracing.v2.CustomTag.Literal
 value string bytes>=1
type.tracing.v2.CustomTag.Metadata
 kind type.metadata.v2.MetadataKind
 metadata_key type.metadata.v2.MetadataKey
 default_value string
=admin.v2alpha.SimpleMetric.Type COUNTER GAUGE
=api.v2.Cluster.ClusterProtocolSelection USE_CONFIGURED_PROTOCOL USE_DOWNSTREAM_PROTOCOL
=api.v2.Cluster.CommonLbConfig.ZoneAwareLbConfig.LocalityBasis HEALTHY_HOSTS_NUM HEALTHY_HOSTS_WEIGHT
=api.v2.Cluster.DiscoveryType STATIC STRICT_DNS LOGICAL_DNS EDS ORIGINAL_DST
=api.v2.Cluster.DnsLookupFamily AUTO V4_ONLY V6_ONLY
=api.v2.Cluster.LbPolicy ROUND_ROBIN LEAST_REQUEST RING_HASH RANDOM -ORIGINAL_DST_LB MAGLEV CLUSTER_PROVIDED # ORIGINAL_DST_LB: use CLUSTER_PROVIDED # LOAD_BALANCING_POLICY_CONFIG: it belongs to load_balancing_policy of v3; name the policy itself here
=api.v2.Cluster.LbSubsetConfig.LbSubsetFallbackPolicy NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET
=api.v2.Cluster.LbSubsetConfig.LbSubsetMetadataFallbackPolicy METADATA_NO_FALLBACK FALLBACK_LIST
=api.v2.Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy NOT_DEFINED NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET KEYS_SUBSET
=api.v2.Cluster.LeastRequestLbConfig.SelectionMethod N_CHOICES FULL_SCAN
=api.v2.Cluster.RingHashLbConfig.HashFunction XX_HASH MURMUR_HASH_2
=api.v2.Listener.DrainType DEFAULT MODIFY_ONLY
=api.v2.auth.CertificateValidationContext.TrustChainVerification VERIFY_TRUST_CHAIN ACCEPT_UNTRUSTED
=api.v2.auth.TlsParameters.TlsProtocol TLS_AUTO TLSv1_0 TLSv1_1 TLSv1_2 TLSv1_3
=api.v2.core.ApiConfigSource.ApiType !UNSUPPORTED_REST_LEGACY REST GRPC DELTA_GRPC
=api.v2.core.ApiVersion -AUTO -V2 V3
=api.v2.core.HealthStatus UNKNOWN HEALTHY UNHEALTHY DRAINING TIMEOUT DEGRADED
=api.v2.core.HttpProtocolOptions.HeadersWithUnderscoresAction ALLOW REJECT_REQUEST DROP_HEADER
=api.v2.core.RequestMethod METHOD_UNSPECIFIED GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH
=api.v2.core.RoutingPriority DEFAULT HIGH
=api.v2.core.SocketAddress.Protocol TCP UDP
=api.v2.core.SocketOption.SocketState STATE_PREBIND STATE_BOUND STATE_LISTENING
=api.v2.core.TrafficDirection UNSPECIFIED INBOUND OUTBOUND
=api.v2.listener.FilterChainMatch.ConnectionSourceType ANY LOCAL EXTERNAL
=api.v2.route.RedirectAction.RedirectResponseCode MOVED_PERMANENTLY FOUND SEE_OTHER TEMPORARY_REDIRECT PERMANENT_REDIRECT
=api.v2.route.RouteAction.ClusterNotFoundResponseCode SERVICE_UNAVAILABLE NOT_FOUND
=api.v2.route.RouteAction.InternalRedirectAction PASS_THROUGH_INTERNAL_REDIRECT HANDLE_INTERNAL_REDIRECT
=api.v2.route.VirtualHost.TlsRequirementType NONE EXTERNAL_ONLY ALL
=config.filter.accesslog.v2.ComparisonFilter.Op EQ GE LE
=config.filter.accesslog.v2.GrpcStatusFilter.Status OK CANCELED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED
=config.filter.fault.v2.FaultDelay.FaultDelayType FIXED
=config.filter.http.aws_lambda.v2alpha.Config.InvocationMode SYNCHRONOUS ASYNCHRONOUS
=config.filter.http.gzip.v2.Gzip.CompressionLevel.Enum DEFAULT BEST SPEED
=config.filter.http.gzip.v2.Gzip.CompressionStrategy DEFAULT FILTERED HUFFMAN RLE
=config.filter.http.header_to_metadata.v2.Config.ValueEncode NONE BASE64
=config.filter.http.header_to_metadata.v2.Config.ValueType STRING NUMBER PROTOBUF_VALUE
=config.filter.http.ip_tagging.v2.IPTagging.RequestType BOTH INTERNAL EXTERNAL
=config.filter.network.dubbo_proxy.v2alpha1.ProtocolType Dubbo
=config.filter.network.dubbo_proxy.v2alpha1.SerializationType Hessian2
=config.filter.network.http_connection_manager.v2.HttpConnectionManager.CodecType AUTO HTTP1 HTTP2 HTTP3
=config.filter.network.http_connection_manager.v2.HttpConnectionManager.ForwardClientCertDetails SANITIZE FORWARD_ONLY APPEND_FORWARD SANITIZE_SET ALWAYS_FORWARD_ONLY
=config.filter.network.http_connection_manager.v2.HttpConnectionManager.ServerHeaderTransformation OVERWRITE APPEND_IF_ABSENT PASS_THROUGH
=config.filter.network.http_connection_manager.v2.HttpConnectionManager.Tracing.OperationName INGRESS EGRESS
=config.filter.network.rbac.v2.RBAC.EnforcementType ONE_TIME_ON_FIRST_BYTE CONTINUOUS
=config.filter.network.redis_proxy.v2.RedisProxy.ConnPoolSettings.ReadPolicy MASTER PREFER_MASTER REPLICA PREFER_REPLICA ANY
=config.filter.network.thrift_proxy.v2alpha1.ProtocolType AUTO_PROTOCOL BINARY LAX_BINARY COMPACT TWITTER
=config.filter.network.thrift_proxy.v2alpha1.TransportType AUTO_TRANSPORT FRAMED UNFRAMED HEADER
=config.rbac.v2.RBAC.Action ALLOW DENY
=config.trace.v2.LightstepConfig.PropagationMode ENVOY LIGHTSTEP B3 TRACE_CONTEXT
=config.trace.v2.ZipkinConfig.CollectorEndpointVersion !HTTP_JSON_V1 HTTP_JSON HTTP_PROTO GRPC
=type.CodecClientType HTTP1 HTTP2 HTTP3
=type.FractionalPercent.DenominatorType HUNDRED TEN_THOUSAND MILLION
=type.StatusCode Empty Continue:100 OK:200 Created Accepted NonAuthoritativeInformation NoContent ResetContent PartialContent MultiStatus AlreadyReported IMUsed:226 MultipleChoices:300 MovedPermanently Found SeeOther NotModified UseProxy TemporaryRedirect:307 PermanentRedirect BadRequest:400 Unauthorized PaymentRequired Forbidden NotFound MethodNotAllowed NotAcceptable ProxyAuthenticationRequired RequestTimeout Conflict Gone LengthRequired PreconditionFailed PayloadTooLarge URITooLong UnsupportedMediaType RangeNotSatisfiable ExpectationFailed MisdirectedRequest:421 UnprocessableEntity Locked FailedDependency UpgradeRequired:426 PreconditionRequired:428 TooManyRequests RequestHeaderFieldsTooLarge:431 InternalServerError:500 NotImplemented BadGateway ServiceUnavailable GatewayTimeout HTTPVersionNotSupported VariantAlsoNegotiates InsufficientStorage LoopDetected NotExtended:510 NetworkAuthenticationRequired
`;
