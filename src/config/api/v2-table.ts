// The v2 API of the proxy 1.17, the last that had it: names, types and constraints, in the form of scripts/api-tables.mjs.
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
api.v2.Cluster
 transport_socket_matches [].TransportSocketMatch
 name string bytes>=1
 alt_stat_name string
 type =.DiscoveryType oneof=cluster_discovery_type defined
 cluster_type .CustomClusterType oneof=cluster_discovery_type
 eds_cluster_config .EdsClusterConfig
 connect_timeout Duration >0s
 per_connection_buffer_limit_bytes UInt32Value
 lb_policy =.LbPolicy defined
 hosts []api.v2.core.Address deprecated
 load_assignment api.v2.ClusterLoadAssignment
 health_checks []api.v2.core.HealthCheck
 max_requests_per_connection UInt32Value
 circuit_breakers api.v2.cluster.CircuitBreakers
 tls_context api.v2.auth.UpstreamTlsContext deprecated disallowed
 upstream_http_protocol_options api.v2.core.UpstreamHttpProtocolOptions
 common_http_protocol_options api.v2.core.HttpProtocolOptions
 http_protocol_options api.v2.core.Http1ProtocolOptions
 http2_protocol_options api.v2.core.Http2ProtocolOptions
 extension_protocol_options {}Struct deprecated disallowed
 typed_extension_protocol_options {}Any
 dns_refresh_rate Duration >0.001s
 dns_failure_refresh_rate .RefreshRate
 respect_dns_ttl bool
 dns_lookup_family =.DnsLookupFamily defined
 dns_resolvers []api.v2.core.Address
 use_tcp_for_dns_lookups bool
 outlier_detection api.v2.cluster.OutlierDetection
 cleanup_interval Duration >0s
 upstream_bind_config api.v2.core.BindConfig
 lb_subset_config .LbSubsetConfig
 ring_hash_lb_config .RingHashLbConfig oneof=lb_config
 original_dst_lb_config .OriginalDstLbConfig oneof=lb_config
 least_request_lb_config .LeastRequestLbConfig oneof=lb_config
 common_lb_config .CommonLbConfig
 transport_socket api.v2.core.TransportSocket
 metadata api.v2.core.Metadata
 protocol_selection =.ClusterProtocolSelection
 upstream_connection_options api.v2.UpstreamConnectionOptions
 close_connections_on_host_health_failure bool
 drain_connections_on_host_removal bool
 filters []api.v2.cluster.Filter
 load_balancing_policy api.v2.LoadBalancingPolicy
 lrs_server api.v2.core.ConfigSource
 track_timeout_budgets bool
api.v2.Cluster.CommonLbConfig
 healthy_panic_threshold type.Percent
 zone_aware_lb_config .ZoneAwareLbConfig oneof=locality_config_specifier
 locality_weighted_lb_config .LocalityWeightedLbConfig oneof=locality_config_specifier
 update_merge_window Duration
 ignore_new_hosts_until_first_hc bool
 close_connections_on_host_set_change bool
 consistent_hashing_lb_config .ConsistentHashingLbConfig
api.v2.Cluster.CommonLbConfig.ConsistentHashingLbConfig
 use_hostname_for_hashing bool
api.v2.Cluster.CommonLbConfig.LocalityWeightedLbConfig
api.v2.Cluster.CommonLbConfig.ZoneAwareLbConfig
 routing_enabled type.Percent
 min_cluster_size UInt64Value
 fail_traffic_on_panic bool
api.v2.Cluster.CustomClusterType
 name string bytes>=1
 typed_config Any
api.v2.Cluster.EdsClusterConfig
 eds_config api.v2.core.ConfigSource
 service_name string
api.v2.Cluster.LbSubsetConfig
 fallback_policy =.LbSubsetFallbackPolicy defined
 default_subset Struct
 subset_selectors [].LbSubsetSelector
 locality_weight_aware bool
 scale_locality_weight bool
 panic_mode_any bool
 list_as_any bool
api.v2.Cluster.LbSubsetConfig.LbSubsetSelector
 keys []string
 fallback_policy =.LbSubsetSelectorFallbackPolicy defined
 fallback_keys_subset []string
api.v2.Cluster.LeastRequestLbConfig
 choice_count UInt32Value >=2
api.v2.Cluster.OriginalDstLbConfig
 use_http_header bool
api.v2.Cluster.RefreshRate
 base_interval Duration required >0.001s
 max_interval Duration >0.001s
api.v2.Cluster.RingHashLbConfig
 minimum_ring_size UInt64Value <=8388608
 hash_function =.HashFunction defined
 maximum_ring_size UInt64Value <=8388608
api.v2.Cluster.TransportSocketMatch
 name string len>=1
 match Struct
 transport_socket api.v2.core.TransportSocket
api.v2.ClusterLoadAssignment
 cluster_name string bytes>=1
 endpoints []api.v2.endpoint.LocalityLbEndpoints
 named_endpoints {}api.v2.endpoint.Endpoint
 policy .Policy
api.v2.ClusterLoadAssignment.Policy
 drop_overloads [].DropOverload
 overprovisioning_factor UInt32Value >0
 endpoint_stale_after Duration >0s
 disable_overprovisioning bool deprecated
api.v2.ClusterLoadAssignment.Policy.DropOverload
 category string bytes>=1
 drop_percentage type.FractionalPercent
api.v2.DiscoveryResponse
 version_info string
 resources []Any
 canary bool
 type_url string
 nonce string
 control_plane api.v2.core.ControlPlane
api.v2.Listener
 name string
 address api.v2.core.Address required
 filter_chains []api.v2.listener.FilterChain
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
api.v2.LoadBalancingPolicy
 policies [].Policy
api.v2.LoadBalancingPolicy.Policy
 name string
 config Struct deprecated
 typed_config Any
api.v2.RouteConfiguration
 name string
 virtual_hosts []api.v2.route.VirtualHost
 vhds api.v2.Vhds
 internal_only_headers []string each:header-name?
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 response_headers_to_remove []string each:header-name?
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name?
 most_specific_header_mutations_wins bool
 validate_clusters BoolValue
api.v2.ScopedRouteConfiguration
 name string bytes>=1
 route_configuration_name string bytes>=1
 key .Key required
api.v2.ScopedRouteConfiguration.Key
 fragments [].Fragment items>=1
api.v2.ScopedRouteConfiguration.Key.Fragment !type
 string_key string oneof=type
api.v2.UpstreamConnectionOptions
 tcp_keepalive api.v2.core.TcpKeepalive
api.v2.Vhds
 config_source api.v2.core.ConfigSource required
api.v2.auth.CertificateValidationContext
 trusted_ca api.v2.core.DataSource
 verify_certificate_spki []string each:bytes>=44 each:bytes<=44
 verify_certificate_hash []string each:bytes>=64 each:bytes<=95
 verify_subject_alt_name []string deprecated
 match_subject_alt_names []type.matcher.StringMatcher
 require_ocsp_staple BoolValue
 require_signed_certificate_timestamp BoolValue
 crl api.v2.core.DataSource
 allow_expired_certificate bool
 trust_chain_verification =.TrustChainVerification defined
api.v2.auth.CommonTlsContext
 tls_params api.v2.auth.TlsParameters
 tls_certificates []api.v2.auth.TlsCertificate
 tls_certificate_sds_secret_configs []api.v2.auth.SdsSecretConfig items<=1
 validation_context api.v2.auth.CertificateValidationContext oneof=validation_context_type
 validation_context_sds_secret_config api.v2.auth.SdsSecretConfig oneof=validation_context_type
 combined_validation_context .CombinedCertificateValidationContext oneof=validation_context_type
 alpn_protocols []string
api.v2.auth.CommonTlsContext.CombinedCertificateValidationContext
 default_validation_context api.v2.auth.CertificateValidationContext required
 validation_context_sds_secret_config api.v2.auth.SdsSecretConfig required
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
api.v2.auth.PrivateKeyProvider
 provider_name string bytes>=1
 config Struct oneof=config_type deprecated sensitive
 typed_config Any oneof=config_type sensitive
api.v2.auth.SdsSecretConfig
 name string
 sds_config api.v2.core.ConfigSource
api.v2.auth.Secret
 name string
 tls_certificate api.v2.auth.TlsCertificate oneof=type
 session_ticket_keys api.v2.auth.TlsSessionTicketKeys oneof=type
 validation_context api.v2.auth.CertificateValidationContext oneof=type
 generic_secret api.v2.auth.GenericSecret oneof=type
api.v2.auth.TlsCertificate
 certificate_chain api.v2.core.DataSource
 private_key api.v2.core.DataSource sensitive
 private_key_provider api.v2.auth.PrivateKeyProvider
 password api.v2.core.DataSource sensitive
 ocsp_staple api.v2.core.DataSource
 signed_certificate_timestamp []api.v2.core.DataSource
api.v2.auth.TlsParameters
 tls_minimum_protocol_version =.TlsProtocol defined
 tls_maximum_protocol_version =.TlsProtocol defined
 cipher_suites []string
 ecdh_curves []string
api.v2.auth.TlsSessionTicketKeys
 keys []api.v2.core.DataSource sensitive items>=1
api.v2.auth.UpstreamTlsContext
 common_tls_context api.v2.auth.CommonTlsContext
 sni string bytes<=255
 allow_renegotiation bool
 max_session_keys UInt32Value
api.v2.cluster.CircuitBreakers
 thresholds [].Thresholds
api.v2.cluster.CircuitBreakers.Thresholds
 priority =api.v2.core.RoutingPriority defined
 max_connections UInt32Value
 max_pending_requests UInt32Value
 max_requests UInt32Value
 max_retries UInt32Value
 retry_budget .RetryBudget
 track_remaining bool
 max_connection_pools UInt32Value
api.v2.cluster.CircuitBreakers.Thresholds.RetryBudget
 budget_percent type.Percent
 min_retry_concurrency UInt32Value
api.v2.cluster.Filter
 name string bytes>=1
 typed_config Any
api.v2.cluster.OutlierDetection
 consecutive_5xx UInt32Value
 interval Duration >0s
 base_ejection_time Duration >0s
 max_ejection_percent UInt32Value <=100
 enforcing_consecutive_5xx UInt32Value <=100
 enforcing_success_rate UInt32Value <=100
 success_rate_minimum_hosts UInt32Value
 success_rate_request_volume UInt32Value
 success_rate_stdev_factor UInt32Value
 consecutive_gateway_failure UInt32Value
 enforcing_consecutive_gateway_failure UInt32Value <=100
 split_external_local_origin_errors bool
 consecutive_local_origin_failure UInt32Value
 enforcing_consecutive_local_origin_failure UInt32Value <=100
 enforcing_local_origin_success_rate UInt32Value <=100
 failure_percentage_threshold UInt32Value <=100
 enforcing_failure_percentage UInt32Value <=100
 enforcing_failure_percentage_local_origin UInt32Value <=100
 failure_percentage_minimum_hosts UInt32Value
 failure_percentage_request_volume UInt32Value
api.v2.core.Address !address
 socket_address api.v2.core.SocketAddress oneof=address
 pipe api.v2.core.Pipe oneof=address
api.v2.core.AggregatedConfigSource
api.v2.core.ApiConfigSource
 api_type =.ApiType defined
 transport_api_version =api.v2.core.ApiVersion defined
 cluster_names []string
 grpc_services []api.v2.core.GrpcService
 refresh_delay Duration
 request_timeout Duration >0s
 rate_limit_settings api.v2.core.RateLimitSettings
 set_node_on_first_message_only bool
api.v2.core.AsyncDataSource !specifier
 local api.v2.core.DataSource oneof=specifier
 remote api.v2.core.RemoteDataSource oneof=specifier
api.v2.core.BackoffStrategy
 base_interval Duration required >=0.001s
 max_interval Duration >0s
api.v2.core.BindConfig
 source_address api.v2.core.SocketAddress required
 freebind BoolValue
 socket_options []api.v2.core.SocketOption
api.v2.core.BuildVersion
 version type.SemanticVersion
 metadata Struct
api.v2.core.CidrRange
 address_prefix string bytes>=1
 prefix_len UInt32Value <=128
api.v2.core.ConfigSource !config_source_specifier
 path string oneof=config_source_specifier
 api_config_source api.v2.core.ApiConfigSource oneof=config_source_specifier
 ads api.v2.core.AggregatedConfigSource oneof=config_source_specifier
 self api.v2.core.SelfConfigSource oneof=config_source_specifier
 initial_fetch_timeout Duration
 resource_api_version =api.v2.core.ApiVersion defined
api.v2.core.ControlPlane
 identifier string
api.v2.core.DataSource !specifier
 filename string oneof=specifier bytes>=1
 inline_bytes bytes oneof=specifier len>=1
 inline_string string oneof=specifier bytes>=1
api.v2.core.EventServiceConfig !config_source_specifier
 grpc_service api.v2.core.GrpcService oneof=config_source_specifier
api.v2.core.Extension
 name string
 category string
 type_descriptor string
 version api.v2.core.BuildVersion
 disabled bool
api.v2.core.GrpcMethodList
 services [].Service
api.v2.core.GrpcMethodList.Service
 name string bytes>=1
 method_names []string items>=1
api.v2.core.GrpcProtocolOptions
 http2_protocol_options api.v2.core.Http2ProtocolOptions
api.v2.core.GrpcService !target_specifier
 envoy_grpc .EnvoyGrpc oneof=target_specifier
 google_grpc .GoogleGrpc oneof=target_specifier
 timeout Duration
 initial_metadata []api.v2.core.HeaderValue
api.v2.core.GrpcService.EnvoyGrpc
 cluster_name string bytes>=1
api.v2.core.GrpcService.GoogleGrpc
 target_uri string bytes>=1
 channel_credentials .ChannelCredentials
 call_credentials [].CallCredentials
 stat_prefix string bytes>=1
 credentials_factory_name string
 config Struct
api.v2.core.GrpcService.GoogleGrpc.CallCredentials !credential_specifier
 access_token string oneof=credential_specifier
 google_compute_engine Empty oneof=credential_specifier
 google_refresh_token string oneof=credential_specifier
 service_account_jwt_access .ServiceAccountJWTAccessCredentials oneof=credential_specifier
 google_iam .GoogleIAMCredentials oneof=credential_specifier
 from_plugin .MetadataCredentialsFromPlugin oneof=credential_specifier
 sts_service .StsService oneof=credential_specifier
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials
 authorization_token string
 authority_selector string
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin
 name string
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials
 json_key string
 token_lifetime_seconds uint64
api.v2.core.GrpcService.GoogleGrpc.CallCredentials.StsService
 token_exchange_service_uri string
 resource string
 audience string
 scope string
 requested_token_type string
 subject_token_path string bytes>=1
 subject_token_type string bytes>=1
 actor_token_path string
 actor_token_type string
api.v2.core.GrpcService.GoogleGrpc.ChannelCredentials !credential_specifier
 ssl_credentials api.v2.core.GrpcService.GoogleGrpc.SslCredentials oneof=credential_specifier
 google_default Empty oneof=credential_specifier
 local_credentials api.v2.core.GrpcService.GoogleGrpc.GoogleLocalCredentials oneof=credential_specifier
api.v2.core.GrpcService.GoogleGrpc.GoogleLocalCredentials
api.v2.core.GrpcService.GoogleGrpc.SslCredentials
 root_certs api.v2.core.DataSource
 private_key api.v2.core.DataSource sensitive
 cert_chain api.v2.core.DataSource
api.v2.core.HeaderMap
 headers []api.v2.core.HeaderValue
api.v2.core.HeaderValue
 key string header-name? bytes>=1 bytes<=16384
 value string header-value? bytes<=16384
api.v2.core.HeaderValueOption
 header api.v2.core.HeaderValue required
 append BoolValue
api.v2.core.HealthCheck !health_checker
 timeout Duration required >0s
 interval Duration required >0s
 initial_jitter Duration
 interval_jitter Duration
 interval_jitter_percent uint32
 unhealthy_threshold UInt32Value required
 healthy_threshold UInt32Value required
 alt_port UInt32Value
 reuse_connection BoolValue
 http_health_check .HttpHealthCheck oneof=health_checker
 tcp_health_check .TcpHealthCheck oneof=health_checker
 grpc_health_check .GrpcHealthCheck oneof=health_checker
 custom_health_check .CustomHealthCheck oneof=health_checker
 no_traffic_interval Duration >0s
 unhealthy_interval Duration >0s
 unhealthy_edge_interval Duration >0s
 healthy_edge_interval Duration >0s
 event_log_path string
 event_service api.v2.core.EventServiceConfig
 always_log_health_check_failures bool
 tls_options .TlsOptions
api.v2.core.HealthCheck.CustomHealthCheck
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.core.HealthCheck.GrpcHealthCheck
 service_name string
 authority string
api.v2.core.HealthCheck.HttpHealthCheck
 host string
 path string bytes>=1
 send api.v2.core.HealthCheck.Payload
 receive api.v2.core.HealthCheck.Payload
 service_name string deprecated
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 request_headers_to_remove []string
 use_http2 bool deprecated disallowed
 expected_statuses []type.Int64Range
 codec_client_type =type.CodecClientType defined
 service_name_matcher type.matcher.StringMatcher
api.v2.core.HealthCheck.Payload !payload
 text string oneof=payload bytes>=1
 binary bytes oneof=payload
api.v2.core.HealthCheck.RedisHealthCheck
 key string
api.v2.core.HealthCheck.TcpHealthCheck
 send api.v2.core.HealthCheck.Payload
 receive []api.v2.core.HealthCheck.Payload
api.v2.core.HealthCheck.TlsOptions
 alpn_protocols []string
api.v2.core.Http1ProtocolOptions
 allow_absolute_url BoolValue
 accept_http_10 bool
 default_host_for_http_10 string
 header_key_format .HeaderKeyFormat
 enable_trailers bool
api.v2.core.Http1ProtocolOptions.HeaderKeyFormat !header_format
 proper_case_words .ProperCaseWords oneof=header_format
api.v2.core.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords
api.v2.core.Http2ProtocolOptions
 hpack_table_size UInt32Value
 max_concurrent_streams UInt32Value <=2147483647 >=1
 initial_stream_window_size UInt32Value <=2147483647 >=65535
 initial_connection_window_size UInt32Value <=2147483647 >=65535
 allow_connect bool
 allow_metadata bool
 max_outbound_frames UInt32Value >=1
 max_outbound_control_frames UInt32Value >=1
 max_consecutive_inbound_frames_with_empty_payload UInt32Value
 max_inbound_priority_frames_per_stream UInt32Value
 max_inbound_window_update_frames_per_data_frame_sent UInt32Value >=1
 stream_error_on_invalid_http_messaging bool
 custom_settings_parameters [].SettingsParameter
api.v2.core.Http2ProtocolOptions.SettingsParameter
 identifier UInt32Value required <=65536 >=1
 value UInt32Value required
api.v2.core.HttpProtocolOptions
 idle_timeout Duration
 max_connection_duration Duration
 max_headers_count UInt32Value >=1
 max_stream_duration Duration
 headers_with_underscores_action =.HeadersWithUnderscoresAction
api.v2.core.HttpUri !http_upstream_type
 uri string bytes>=1
 cluster string oneof=http_upstream_type bytes>=1
 timeout Duration required >=0s
api.v2.core.Locality
 region string
 zone string
 sub_zone string
api.v2.core.Metadata
 filter_metadata {}Struct
api.v2.core.Node
 id string
 cluster string
 metadata Struct
 locality api.v2.core.Locality
 build_version string deprecated
 user_agent_name string
 user_agent_version string oneof=user_agent_version_type
 user_agent_build_version api.v2.core.BuildVersion oneof=user_agent_version_type
 extensions []api.v2.core.Extension
 client_features []string
 listening_addresses []api.v2.core.Address
api.v2.core.Pipe
 path string bytes>=1
 mode uint32 <=511
api.v2.core.RateLimitSettings
 max_tokens UInt32Value
 fill_rate DoubleValue >0
api.v2.core.RemoteDataSource
 http_uri api.v2.core.HttpUri required
 sha256 string bytes>=1
 retry_policy api.v2.core.RetryPolicy
api.v2.core.RetryPolicy
 retry_back_off api.v2.core.BackoffStrategy
 num_retries UInt32Value
api.v2.core.RuntimeDouble
 default_value double
 runtime_key string bytes>=1
api.v2.core.RuntimeFeatureFlag
 default_value BoolValue required
 runtime_key string bytes>=1
api.v2.core.RuntimeFractionalPercent
 default_value type.FractionalPercent required
 runtime_key string
api.v2.core.RuntimeUInt32
 default_value uint32
 runtime_key string bytes>=1
api.v2.core.SelfConfigSource
 transport_api_version =api.v2.core.ApiVersion defined
api.v2.core.SocketAddress !port_specifier
 protocol =.Protocol defined
 address string bytes>=1
 port_value uint32 oneof=port_specifier <=65535
 named_port string oneof=port_specifier
 resolver_name string
 ipv4_compat bool
api.v2.core.SocketOption !value
 description string
 level int64
 name int64
 int_value int64 oneof=value
 buf_value bytes oneof=value
 state =.SocketState defined
api.v2.core.TcpKeepalive
 keepalive_probes UInt32Value
 keepalive_time UInt32Value
 keepalive_interval UInt32Value
api.v2.core.TcpProtocolOptions
api.v2.core.TransportSocket
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.core.UpstreamHttpProtocolOptions
 auto_sni bool
 auto_san_validation bool
api.v2.endpoint.Endpoint
 address api.v2.core.Address
 health_check_config .HealthCheckConfig
 hostname string
api.v2.endpoint.Endpoint.HealthCheckConfig
 port_value uint32 <=65535
 hostname string
api.v2.endpoint.LbEndpoint
 endpoint api.v2.endpoint.Endpoint oneof=host_identifier
 endpoint_name string oneof=host_identifier
 health_status =api.v2.core.HealthStatus
 metadata api.v2.core.Metadata
 load_balancing_weight UInt32Value >=1
api.v2.endpoint.LocalityLbEndpoints
 locality api.v2.core.Locality
 lb_endpoints []api.v2.endpoint.LbEndpoint
 load_balancing_weight UInt32Value >=1
 priority uint32 <=128
 proximity UInt32Value
api.v2.listener.Filter
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.listener.FilterChain
 filter_chain_match api.v2.listener.FilterChainMatch
 tls_context api.v2.auth.DownstreamTlsContext deprecated
 filters []api.v2.listener.Filter
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
api.v2.route.CorsPolicy
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
api.v2.route.Decorator
 operation string bytes>=1
 propagate BoolValue
api.v2.route.DirectResponseAction
 status uint32 <600 >=100
 body api.v2.core.DataSource
api.v2.route.FilterAction
 action Any
api.v2.route.HeaderMatcher
 name string header-name? bytes>=1
 exact_match string oneof=header_match_specifier
 regex_match string oneof=header_match_specifier deprecated disallowed bytes<=1024
 safe_regex_match type.matcher.RegexMatcher oneof=header_match_specifier
 range_match type.Int64Range oneof=header_match_specifier
 present_match bool oneof=header_match_specifier
 prefix_match string oneof=header_match_specifier bytes>=1
 suffix_match string oneof=header_match_specifier bytes>=1
 invert_match bool
api.v2.route.HedgePolicy
 initial_requests UInt32Value >=1
 additional_request_chance type.FractionalPercent
 hedge_on_per_try_timeout bool
api.v2.route.QueryParameterMatcher
 name string bytes>=1 bytes<=1024
 value string deprecated disallowed
 regex BoolValue deprecated disallowed
 string_match type.matcher.StringMatcher oneof=query_parameter_match_specifier required
 present_match bool oneof=query_parameter_match_specifier
api.v2.route.RateLimit
 stage UInt32Value <=10
 disable_key string
 actions [].Action items>=1
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
api.v2.route.RedirectAction
 https_redirect bool oneof=scheme_rewrite_specifier
 scheme_redirect string oneof=scheme_rewrite_specifier
 host_redirect string header-value?
 port_redirect uint32
 path_redirect string oneof=path_rewrite_specifier header-value?
 prefix_rewrite string oneof=path_rewrite_specifier header-value?
 response_code =.RedirectResponseCode defined
 strip_query bool
api.v2.route.RetryPolicy
 retry_on string
 num_retries UInt32Value
 per_try_timeout Duration
 retry_priority .RetryPriority
 retry_host_predicate [].RetryHostPredicate
 host_selection_retry_max_attempts int64
 retriable_status_codes []uint32
 retry_back_off .RetryBackOff
 retriable_headers []api.v2.route.HeaderMatcher
 retriable_request_headers []api.v2.route.HeaderMatcher
api.v2.route.RetryPolicy.RetryBackOff
 base_interval Duration required >0s
 max_interval Duration >0s
api.v2.route.RetryPolicy.RetryHostPredicate
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.route.RetryPolicy.RetryPriority
 name string bytes>=1
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
api.v2.route.Route !action
 name string
 match api.v2.route.RouteMatch required
 route api.v2.route.RouteAction oneof=action
 redirect api.v2.route.RedirectAction oneof=action
 direct_response api.v2.route.DirectResponseAction oneof=action
 filter_action api.v2.route.FilterAction oneof=action
 metadata api.v2.core.Metadata
 decorator api.v2.route.Decorator
 per_filter_config {}Struct deprecated
 typed_per_filter_config {}Any
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 request_headers_to_remove []string
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 response_headers_to_remove []string
 tracing api.v2.route.Tracing
 per_request_buffer_limit_bytes UInt32Value
api.v2.route.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier bytes>=1
 cluster_header string oneof=cluster_specifier header-name? bytes>=1
 weighted_clusters api.v2.route.WeightedCluster oneof=cluster_specifier
 cluster_not_found_response_code =.ClusterNotFoundResponseCode defined
 metadata_match api.v2.core.Metadata
 prefix_rewrite string header-value?
 regex_rewrite type.matcher.RegexMatchAndSubstitute
 host_rewrite string oneof=host_rewrite_specifier header-value?
 auto_host_rewrite BoolValue oneof=host_rewrite_specifier
 auto_host_rewrite_header string oneof=host_rewrite_specifier header-name?
 timeout Duration
 idle_timeout Duration
 retry_policy api.v2.route.RetryPolicy
 retry_policy_typed_config Any
 request_mirror_policy .RequestMirrorPolicy deprecated
 request_mirror_policies [].RequestMirrorPolicy
 priority =api.v2.core.RoutingPriority defined
 rate_limits []api.v2.route.RateLimit
 include_vh_rate_limits BoolValue
 hash_policy [].HashPolicy
 cors api.v2.route.CorsPolicy
 max_grpc_timeout Duration
 grpc_timeout_offset Duration
 upgrade_configs [].UpgradeConfig
 internal_redirect_action =.InternalRedirectAction
 max_internal_redirects UInt32Value
 hedge_policy api.v2.route.HedgePolicy
api.v2.route.RouteAction.HashPolicy !policy_specifier
 header .Header oneof=policy_specifier
 cookie .Cookie oneof=policy_specifier
 connection_properties .ConnectionProperties oneof=policy_specifier
 query_parameter .QueryParameter oneof=policy_specifier
 filter_state .FilterState oneof=policy_specifier
 terminal bool
api.v2.route.RouteAction.HashPolicy.ConnectionProperties
 source_ip bool
api.v2.route.RouteAction.HashPolicy.Cookie
 name string bytes>=1
 ttl Duration
 path string
api.v2.route.RouteAction.HashPolicy.FilterState
 key string bytes>=1
api.v2.route.RouteAction.HashPolicy.Header
 header_name string header-name? bytes>=1
api.v2.route.RouteAction.HashPolicy.QueryParameter
 name string bytes>=1
api.v2.route.RouteAction.RequestMirrorPolicy
 cluster string bytes>=1
 runtime_key string deprecated disallowed
 runtime_fraction api.v2.core.RuntimeFractionalPercent
 trace_sampled BoolValue
api.v2.route.RouteAction.UpgradeConfig
 upgrade_type string header-value?
 enabled BoolValue
api.v2.route.RouteMatch !path_specifier
 prefix string oneof=path_specifier
 path string oneof=path_specifier
 regex string oneof=path_specifier deprecated disallowed bytes<=1024
 safe_regex type.matcher.RegexMatcher oneof=path_specifier required
 case_sensitive BoolValue
 runtime_fraction api.v2.core.RuntimeFractionalPercent
 headers []api.v2.route.HeaderMatcher
 query_parameters []api.v2.route.QueryParameterMatcher
 grpc .GrpcRouteMatchOptions
 tls_context .TlsContextMatchOptions
api.v2.route.RouteMatch.GrpcRouteMatchOptions
api.v2.route.RouteMatch.TlsContextMatchOptions
 presented BoolValue
 validated BoolValue
api.v2.route.Tracing
 client_sampling type.FractionalPercent
 random_sampling type.FractionalPercent
 overall_sampling type.FractionalPercent
 custom_tags []type.tracing.v2.CustomTag
api.v2.route.VirtualCluster
 pattern string deprecated disallowed bytes<=1024
 headers []api.v2.route.HeaderMatcher
 name string bytes>=1
 method =api.v2.core.RequestMethod deprecated disallowed
api.v2.route.VirtualHost
 name string bytes>=1
 domains []string items>=1 each:header-value?
 routes []api.v2.route.Route
 require_tls =.TlsRequirementType defined
 virtual_clusters []api.v2.route.VirtualCluster
 rate_limits []api.v2.route.RateLimit
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 request_headers_to_remove []string
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 response_headers_to_remove []string
 cors api.v2.route.CorsPolicy
 per_filter_config {}Struct deprecated
 typed_per_filter_config {}Any
 include_request_attempt_count bool
 include_attempt_count_in_response bool
 retry_policy api.v2.route.RetryPolicy
 retry_policy_typed_config Any
 hedge_policy api.v2.route.HedgePolicy
 per_request_buffer_limit_bytes UInt32Value
api.v2.route.WeightedCluster
 clusters [].ClusterWeight items>=1
 total_weight UInt32Value >=1
 runtime_key_prefix string
api.v2.route.WeightedCluster.ClusterWeight
 name string bytes>=1
 weight UInt32Value
 metadata_match api.v2.core.Metadata
 request_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 request_headers_to_remove []string
 response_headers_to_add []api.v2.core.HeaderValueOption items<=1000
 response_headers_to_remove []string
 per_filter_config {}Struct deprecated
 typed_per_filter_config {}Any
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
config.bootstrap.v2.Bootstrap
 node api.v2.core.Node
 static_resources .StaticResources
 dynamic_resources .DynamicResources
 cluster_manager config.bootstrap.v2.ClusterManager
 hds_config api.v2.core.ApiConfigSource
 flags_path string
 stats_sinks []config.metrics.v2.StatsSink
 stats_config config.metrics.v2.StatsConfig
 stats_flush_interval Duration <300s >=0.001s
 watchdog config.bootstrap.v2.Watchdog
 tracing config.trace.v2.Tracing
 runtime config.bootstrap.v2.Runtime deprecated disallowed
 layered_runtime config.bootstrap.v2.LayeredRuntime
 admin config.bootstrap.v2.Admin
 overload_manager config.overload.v2alpha.OverloadManager
 enable_dispatcher_stats bool
 header_prefix string
 stats_server_version_override UInt64Value
 use_tcp_for_dns_lookups bool
config.bootstrap.v2.Bootstrap.DynamicResources
 lds_config api.v2.core.ConfigSource
 cds_config api.v2.core.ConfigSource
 ads_config api.v2.core.ApiConfigSource
config.bootstrap.v2.Bootstrap.StaticResources
 listeners []api.v2.Listener
 clusters []api.v2.Cluster
 secrets []api.v2.auth.Secret
config.bootstrap.v2.ClusterManager
 local_cluster_name string
 outlier_detection .OutlierDetection
 upstream_bind_config api.v2.core.BindConfig
 load_stats_config api.v2.core.ApiConfigSource
config.bootstrap.v2.ClusterManager.OutlierDetection
 event_log_path string
 event_service api.v2.core.EventServiceConfig
config.bootstrap.v2.LayeredRuntime
 layers []config.bootstrap.v2.RuntimeLayer
config.bootstrap.v2.Runtime
 symlink_root string
 subdirectory string
 override_subdirectory string
 base Struct
config.bootstrap.v2.RuntimeLayer !layer_specifier
 name string bytes>=1
 static_layer Struct oneof=layer_specifier
 disk_layer .DiskLayer oneof=layer_specifier
 admin_layer .AdminLayer oneof=layer_specifier
 rtds_layer .RtdsLayer oneof=layer_specifier
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
config.filter.network.http_connection_manager.v2.HttpConnectionManager !route_specifier
 codec_type =.CodecType defined
 stat_prefix string bytes>=1
 rds config.filter.network.http_connection_manager.v2.Rds oneof=route_specifier
 route_config api.v2.RouteConfiguration oneof=route_specifier
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
config.metrics.v2.DogStatsdSink !dog_statsd_specifier
 address api.v2.core.Address oneof=dog_statsd_specifier
 prefix string
config.metrics.v2.HystrixSink
 num_buckets int64
config.metrics.v2.MetricsServiceConfig
 grpc_service api.v2.core.GrpcService required
config.metrics.v2.StatsConfig
 stats_tags []config.metrics.v2.TagSpecifier
 use_all_default_tags BoolValue
 stats_matcher config.metrics.v2.StatsMatcher
config.metrics.v2.StatsMatcher !stats_matcher
 reject_all bool oneof=stats_matcher
 exclusion_list type.matcher.ListStringMatcher oneof=stats_matcher
 inclusion_list type.matcher.ListStringMatcher oneof=stats_matcher
config.metrics.v2.StatsSink
 name string
 config Struct oneof=config_type deprecated
 typed_config Any oneof=config_type
config.metrics.v2.StatsdSink !statsd_specifier
 address api.v2.core.Address oneof=statsd_specifier
 tcp_cluster_name string oneof=statsd_specifier
 prefix string
config.metrics.v2.TagSpecifier
 tag_name string
 regex string oneof=tag_value bytes<=1024
 fixed_value string oneof=tag_value
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
config.transport_socket.raw_buffer.v2.RawBuffer
config.transport_socket.tap.v2alpha.Tap
 common_config config.common.tap.v2alpha.CommonExtensionConfig required
 transport_socket api.v2.core.TransportSocket required
type.DoubleRange
 start double
 end double
type.FractionalPercent
 numerator uint32
 denominator =.DenominatorType defined
type.HashPolicy !policy_specifier
 source_ip .SourceIp oneof=policy_specifier
type.HashPolicy.SourceIp
type.HttpStatus
 code =type.StatusCode defined not=0
type.Int32Range
 start int32
 end int32
type.Int64Range
 start int64
 end int64
type.Percent
 value double <=100 >=0
type.SemanticVersion
 major_number uint32
 minor_number uint32
 patch uint32
type.TokenBucket
 max_tokens uint32 >0
 tokens_per_fill UInt32Value >0
 fill_interval Duration required >0s
type.matcher.DoubleMatcher !match_pattern
 range type.DoubleRange oneof=match_pattern
 exact double oneof=match_pattern
type.matcher.ListMatcher !match_pattern
 one_of type.matcher.ValueMatcher oneof=match_pattern
type.matcher.ListStringMatcher
 patterns []type.matcher.StringMatcher items>=1
type.matcher.MetadataMatcher
 filter string len>=1
 path [].PathSegment items>=1
 value type.matcher.ValueMatcher required
type.matcher.MetadataMatcher.PathSegment !segment
 key string oneof=segment len>=1
type.matcher.PathMatcher !rule
 path type.matcher.StringMatcher oneof=rule required
type.matcher.RegexMatchAndSubstitute
 pattern type.matcher.RegexMatcher
 substitution string
type.matcher.RegexMatcher !engine_type
 google_re2 .GoogleRE2 oneof=engine_type required
 regex string len>=1
type.matcher.RegexMatcher.GoogleRE2
 max_program_size UInt32Value deprecated
type.matcher.StringMatcher !match_pattern
 exact string oneof=match_pattern
 prefix string oneof=match_pattern len>=1
 suffix string oneof=match_pattern len>=1
 regex string oneof=match_pattern deprecated disallowed bytes<=1024
 safe_regex type.matcher.RegexMatcher oneof=match_pattern required
 ignore_case bool
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
=api.v2.Cluster.DiscoveryType STATIC STRICT_DNS LOGICAL_DNS EDS ORIGINAL_DST
=api.v2.Cluster.DnsLookupFamily AUTO V4_ONLY V6_ONLY
=api.v2.Cluster.LbPolicy ROUND_ROBIN LEAST_REQUEST RING_HASH RANDOM !ORIGINAL_DST_LB MAGLEV CLUSTER_PROVIDED LOAD_BALANCING_POLICY_CONFIG
=api.v2.Cluster.LbSubsetConfig.LbSubsetFallbackPolicy NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET
=api.v2.Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy NOT_DEFINED NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET KEYS_SUBSET
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
