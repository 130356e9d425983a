// Written by scripts/api-tables.mjs (npm run api).
export const V3_TABLE = `
admin.v3.BootstrapConfigDump <admin.v2alpha.BootstrapConfigDump
 bootstrap config.bootstrap.v3.Bootstrap
 last_updated Timestamp
admin.v3.ClusterStatus <admin.v2alpha.ClusterStatus
 name string
 added_via_api bool
 success_rate_ejection_threshold type.v3.Percent
 host_statuses []admin.v3.HostStatus
 local_origin_success_rate_ejection_threshold type.v3.Percent
 circuit_breakers config.cluster.v3.CircuitBreakers
 observability_name string
 eds_service_name string
admin.v3.Clusters <admin.v2alpha.Clusters
 cluster_statuses []admin.v3.ClusterStatus
admin.v3.ClustersConfigDump <admin.v2alpha.ClustersConfigDump
 version_info string
 static_clusters [].StaticCluster
 dynamic_active_clusters [].DynamicCluster
 dynamic_warming_clusters [].DynamicCluster
admin.v3.ClustersConfigDump.DynamicCluster <admin.v2alpha.ClustersConfigDump.DynamicCluster
 version_info string
 cluster Any
 last_updated Timestamp
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.ClustersConfigDump.StaticCluster <admin.v2alpha.ClustersConfigDump.StaticCluster
 cluster Any
 last_updated Timestamp
admin.v3.ConfigDump <admin.v2alpha.ConfigDump
 configs []Any
admin.v3.EcdsConfigDump <admin.v2alpha.EcdsConfigDump
 ecds_filters [].EcdsFilterConfig
admin.v3.EcdsConfigDump.EcdsFilterConfig <admin.v2alpha.EcdsConfigDump.EcdsFilterConfig
 version_info string
 ecds_filter Any
 last_updated Timestamp
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.EndpointsConfigDump
 static_endpoint_configs [].StaticEndpointConfig
 dynamic_endpoint_configs [].DynamicEndpointConfig
admin.v3.EndpointsConfigDump.DynamicEndpointConfig
 version_info string
 endpoint_config Any
 last_updated Timestamp
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.EndpointsConfigDump.StaticEndpointConfig
 endpoint_config Any
 last_updated Timestamp
admin.v3.HostHealthStatus <admin.v2alpha.HostHealthStatus
 failed_active_health_check bool
 failed_outlier_check bool
 failed_active_degraded_check bool
 pending_dynamic_removal bool
 pending_active_hc bool
 excluded_via_immediate_hc_fail bool
 active_hc_timeout bool
 eds_health_status =config.core.v3.HealthStatus
 failed_degraded_outlier_detection bool
admin.v3.HostStatus <admin.v2alpha.HostStatus
 address config.core.v3.Address
 stats []admin.v3.SimpleMetric
 health_status admin.v3.HostHealthStatus
 success_rate type.v3.Percent
 weight uint32
 hostname string
 priority uint32
 local_origin_success_rate type.v3.Percent
 locality config.core.v3.Locality
admin.v3.ListenersConfigDump <admin.v2alpha.ListenersConfigDump
 version_info string
 static_listeners [].StaticListener
 dynamic_listeners [].DynamicListener
admin.v3.ListenersConfigDump.DynamicListener <admin.v2alpha.ListenersConfigDump.DynamicListener
 name string
 active_state admin.v3.ListenersConfigDump.DynamicListenerState
 warming_state admin.v3.ListenersConfigDump.DynamicListenerState
 draining_state admin.v3.ListenersConfigDump.DynamicListenerState
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.ListenersConfigDump.DynamicListenerState <admin.v2alpha.ListenersConfigDump.DynamicListenerState
 version_info string
 listener Any
 last_updated Timestamp
admin.v3.ListenersConfigDump.StaticListener <admin.v2alpha.ListenersConfigDump.StaticListener
 listener Any
 last_updated Timestamp
admin.v3.RoutesConfigDump <admin.v2alpha.RoutesConfigDump
 static_route_configs [].StaticRouteConfig
 dynamic_route_configs [].DynamicRouteConfig
admin.v3.RoutesConfigDump.DynamicRouteConfig <admin.v2alpha.RoutesConfigDump.DynamicRouteConfig
 version_info string
 route_config Any
 last_updated Timestamp
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.RoutesConfigDump.StaticRouteConfig <admin.v2alpha.RoutesConfigDump.StaticRouteConfig
 route_config Any
 last_updated Timestamp
admin.v3.ScopedRoutesConfigDump <admin.v2alpha.ScopedRoutesConfigDump
 inline_scoped_route_configs [].InlineScopedRouteConfigs
 dynamic_scoped_route_configs [].DynamicScopedRouteConfigs
admin.v3.ScopedRoutesConfigDump.DynamicScopedRouteConfigs <admin.v2alpha.ScopedRoutesConfigDump.DynamicScopedRouteConfigs
 name string
 version_info string
 scoped_route_configs []Any
 last_updated Timestamp
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.ScopedRoutesConfigDump.InlineScopedRouteConfigs <admin.v2alpha.ScopedRoutesConfigDump.InlineScopedRouteConfigs
 name string
 scoped_route_configs []Any
 last_updated Timestamp
admin.v3.SecretsConfigDump <admin.v2alpha.SecretsConfigDump
 static_secrets [].StaticSecret
 dynamic_active_secrets [].DynamicSecret
 dynamic_warming_secrets [].DynamicSecret
admin.v3.SecretsConfigDump.DynamicSecret <admin.v2alpha.SecretsConfigDump.DynamicSecret
 name string
 version_info string
 last_updated Timestamp
 secret Any
 error_state admin.v3.UpdateFailureState
 client_status =admin.v3.ClientResourceStatus
admin.v3.SecretsConfigDump.StaticSecret <admin.v2alpha.SecretsConfigDump.StaticSecret
 name string
 last_updated Timestamp
 secret Any
admin.v3.SimpleMetric <admin.v2alpha.SimpleMetric
 type =.Type
 value uint64
 name string
admin.v3.UpdateFailureState <admin.v2alpha.UpdateFailureState
 failed_configuration Any
 last_update_attempt Timestamp
 details string
 version_info string
config.accesslog.v3.AccessLog <config.filter.accesslog.v2.AccessLog
 name string
 filter config.accesslog.v3.AccessLogFilter
 typed_config Any oneof=config_type
config.accesslog.v3.AccessLogFilter <config.filter.accesslog.v2.AccessLogFilter !filter_specifier
 status_code_filter config.accesslog.v3.StatusCodeFilter oneof=filter_specifier
 duration_filter config.accesslog.v3.DurationFilter oneof=filter_specifier
 not_health_check_filter config.accesslog.v3.NotHealthCheckFilter oneof=filter_specifier
 traceable_filter config.accesslog.v3.TraceableFilter oneof=filter_specifier
 runtime_filter config.accesslog.v3.RuntimeFilter oneof=filter_specifier
 and_filter config.accesslog.v3.AndFilter oneof=filter_specifier
 or_filter config.accesslog.v3.OrFilter oneof=filter_specifier
 header_filter config.accesslog.v3.HeaderFilter oneof=filter_specifier
 response_flag_filter config.accesslog.v3.ResponseFlagFilter oneof=filter_specifier
 grpc_status_filter config.accesslog.v3.GrpcStatusFilter oneof=filter_specifier
 extension_filter config.accesslog.v3.ExtensionFilter oneof=filter_specifier
 metadata_filter config.accesslog.v3.MetadataFilter oneof=filter_specifier
 log_type_filter config.accesslog.v3.LogTypeFilter oneof=filter_specifier
config.accesslog.v3.AndFilter <config.filter.accesslog.v2.AndFilter
 filters []config.accesslog.v3.AccessLogFilter items>=2
config.accesslog.v3.ComparisonFilter <config.filter.accesslog.v2.ComparisonFilter
 op =.Op defined
 value config.core.v3.RuntimeUInt32 required
config.accesslog.v3.DurationFilter <config.filter.accesslog.v2.DurationFilter
 comparison config.accesslog.v3.ComparisonFilter required
config.accesslog.v3.ExtensionFilter <config.filter.accesslog.v2.ExtensionFilter
 name string
 typed_config Any oneof=config_type
config.accesslog.v3.GrpcStatusFilter <config.filter.accesslog.v2.GrpcStatusFilter
 statuses []=.Status each:defined
 exclude bool
config.accesslog.v3.HeaderFilter <config.filter.accesslog.v2.HeaderFilter
 header config.route.v3.HeaderMatcher required
config.accesslog.v3.LogTypeFilter
 types []=data.accesslog.v3.AccessLogType each:defined
 exclude bool
config.accesslog.v3.MetadataFilter <config.filter.accesslog.v2.MetadataFilter
 matcher type.matcher.v3.MetadataMatcher
 match_if_key_not_found BoolValue
config.accesslog.v3.NotHealthCheckFilter <config.filter.accesslog.v2.NotHealthCheckFilter
config.accesslog.v3.OrFilter <config.filter.accesslog.v2.OrFilter
 filters []config.accesslog.v3.AccessLogFilter items>=2
config.accesslog.v3.ResponseFlagFilter <config.filter.accesslog.v2.ResponseFlagFilter
 flags []string each:in=LH|UH|UT|LR|UR|UF|UC|UO|NR|DI|FI|RL|UAEX|RLSE|DC|URX|SI|IH|DPE|UMSDR|RFCF|NFCF|DT|UPE|NC|OM|DF|DO|DR|UDO
config.accesslog.v3.RuntimeFilter <config.filter.accesslog.v2.RuntimeFilter
 runtime_key string len>=1
 percent_sampled type.v3.FractionalPercent
 use_independent_randomness bool
config.accesslog.v3.StatusCodeFilter <config.filter.accesslog.v2.StatusCodeFilter
 comparison config.accesslog.v3.ComparisonFilter required
config.accesslog.v3.TraceableFilter <config.filter.accesslog.v2.TraceableFilter
config.bootstrap.v3.Admin <config.bootstrap.v2.Admin
 access_log []config.accesslog.v3.AccessLog
 access_log_path string deprecated
 profile_path string
 address config.core.v3.Address
 socket_options []config.core.v3.SocketOption
 ignore_global_conn_limit bool
 allow_paths []type.matcher.v3.StringMatcher
config.bootstrap.v3.Bootstrap <config.bootstrap.v2.Bootstrap
 node config.core.v3.Node
 node_context_params []string # Parts of the node that management servers are told. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 static_resources .StaticResources
 dynamic_resources .DynamicResources
 cluster_manager config.bootstrap.v3.ClusterManager
 hds_config config.core.v3.ApiConfigSource
 flags_path string
 stats_sinks []config.metrics.v3.StatsSink
 deferred_stat_options .DeferredStatOptions # When statistics are made. # idle: all statistics of a run are there from its start
 stats_config config.metrics.v3.StatsConfig
 stats_flush_interval Duration <300s >=0.001s
 stats_flush_on_admin bool oneof=stats_flush const=true # Statistics are sent when somebody reads the admin interface. # lacking: a proxy sends statistics to sinks only when its admin interface is asked, a run every stats_flush_interval
 watchdog config.bootstrap.v3.Watchdog deprecated
 watchdogs config.bootstrap.v3.Watchdogs # Watches the threads of the proxy. # idle: threads are not simulated
 tracing config.trace.v3.Tracing deprecated
 layered_runtime config.bootstrap.v3.LayeredRuntime
 admin config.bootstrap.v3.Admin
 overload_manager config.overload.v3.OverloadManager
 enable_dispatcher_stats bool
 header_prefix string
 stats_server_version_override UInt64Value
 use_tcp_for_dns_lookups bool deprecated
 dns_resolution_config config.core.v3.DnsResolutionConfig deprecated # DNS servers. # idle: names are resolved by \`dns\` of the scenario
 typed_dns_resolver_config config.core.v3.TypedExtensionConfig # DNS servers. # idle: names are resolved by \`dns\` of the scenario
 bootstrap_extensions []config.core.v3.TypedExtensionConfig # Extensions that start with the proxy. # idle: extensions are not simulated
 fatal_actions []config.bootstrap.v3.FatalAction # What a crash does. # idle: a simulated proxy does not crash
 config_sources []config.core.v3.ConfigSource # Authorities of management servers. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 default_config_source config.core.v3.ConfigSource # The authority of names without one. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 default_socket_interface string # How sockets are made. # idle: sockets are not simulated
 certificate_provider_instances {}config.core.v3.TypedExtensionConfig # Where certificates come from. # idle: TLS is not simulated
 inline_headers []config.bootstrap.v3.CustomInlineHeader # Headers with fast access. # idle: it makes nothing but speed
 perf_tracing_file_path string # Where the proxy writes traces of itself. # idle: a simulated proxy is not traced
 default_regex_engine config.core.v3.TypedExtensionConfig # Which engine reads regular expressions. # idle: all are read as the engine reads them that is there by default
 xds_delegate_extension config.core.v3.TypedExtensionConfig # Keeps what management servers said. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 xds_config_tracker_extension config.core.v3.TypedExtensionConfig # Follows what management servers say. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 listener_manager config.core.v3.TypedExtensionConfig # Who keeps the listeners. # idle: listeners are not simulated
 application_log_config .ApplicationLogConfig # Form of the log. # idle: the proxy’s own log is not simulated
 grpc_async_client_manager_config .GrpcAsyncClientManagerConfig # How long gRPC clients are kept. # idle: gRPC services are not simulated
 memory_allocator_manager config.bootstrap.v3.MemoryAllocatorManager # How memory is given back. # idle: memory is not simulated
 stats_eviction_interval Duration oneof=stats_eviction >=0.001s # How often unused statistics are dropped. # idle: statistics are kept for the whole run
 enable_worker_cpu_affinity bool # Binds workers to processors. # idle: threads are not simulated
config.bootstrap.v3.Bootstrap.ApplicationLogConfig
 log_format .LogFormat
config.bootstrap.v3.Bootstrap.ApplicationLogConfig.LogFormat !log_format
 json_format Struct oneof=log_format
 text_format string oneof=log_format
config.bootstrap.v3.Bootstrap.DeferredStatOptions
 enable_deferred_creation_stats bool
config.bootstrap.v3.Bootstrap.DynamicResources <config.bootstrap.v2.Bootstrap.DynamicResources
 lds_config config.core.v3.ConfigSource
 lds_resources_locator string
 cds_config config.core.v3.ConfigSource
 cds_resources_locator string
 ads_config config.core.v3.ApiConfigSource
config.bootstrap.v3.Bootstrap.GrpcAsyncClientManagerConfig
 max_cached_entry_idle_duration Duration >=5s
config.bootstrap.v3.Bootstrap.StaticResources <config.bootstrap.v2.Bootstrap.StaticResources
 listeners []config.listener.v3.Listener # Where clients connect. # idle: only its routes are followed, as the traffic of a file without any other, and what happens before a cluster is chosen is not simulated
 clusters []config.cluster.v3.Cluster
 secrets []extensions.transport_sockets.tls.v3.Secret
config.bootstrap.v3.ClusterManager <config.bootstrap.v2.ClusterManager
 local_cluster_name string
 outlier_detection .OutlierDetection
 upstream_bind_config config.core.v3.BindConfig
 load_stats_config config.core.v3.ApiConfigSource
 enable_deferred_cluster_creation bool # A worker makes a cluster once it needs it. # idle: a cluster that nobody asked yet balances nothing
config.bootstrap.v3.ClusterManager.OutlierDetection <config.bootstrap.v2.ClusterManager.OutlierDetection
 event_log_path string
 event_service config.core.v3.EventServiceConfig
config.bootstrap.v3.CustomInlineHeader
 inline_header_name string header-name? len>=1
 inline_header_type =.InlineHeaderType defined
config.bootstrap.v3.FatalAction
 config config.core.v3.TypedExtensionConfig
config.bootstrap.v3.LayeredRuntime <config.bootstrap.v2.LayeredRuntime
 layers []config.bootstrap.v3.RuntimeLayer
config.bootstrap.v3.MemoryAllocatorManager
 bytes_to_release uint64
 memory_release_interval Duration
 soft_memory_limit_bytes UInt64Value
 max_per_cpu_cache_size_bytes UInt32Value
 max_unfreed_memory_bytes uint64
config.bootstrap.v3.RuntimeLayer <config.bootstrap.v2.RuntimeLayer !layer_specifier
 name string len>=1
 static_layer Struct oneof=layer_specifier
 disk_layer .DiskLayer oneof=layer_specifier
 admin_layer .AdminLayer oneof=layer_specifier
 rtds_layer .RtdsLayer oneof=layer_specifier
config.bootstrap.v3.RuntimeLayer.AdminLayer <config.bootstrap.v2.RuntimeLayer.AdminLayer
config.bootstrap.v3.RuntimeLayer.DiskLayer <config.bootstrap.v2.RuntimeLayer.DiskLayer
 symlink_root string
 subdirectory string
 append_service_cluster bool
config.bootstrap.v3.RuntimeLayer.RtdsLayer <config.bootstrap.v2.RuntimeLayer.RtdsLayer
 name string
 rtds_config config.core.v3.ConfigSource
config.bootstrap.v3.Watchdog <config.bootstrap.v2.Watchdog
 actions [].WatchdogAction
 miss_timeout Duration
 megamiss_timeout Duration
 kill_timeout Duration
 max_kill_timeout_jitter Duration >=0s
 multikill_timeout Duration
 multikill_threshold type.v3.Percent
config.bootstrap.v3.Watchdog.WatchdogAction
 config config.core.v3.TypedExtensionConfig
 event =.WatchdogEvent defined
config.bootstrap.v3.Watchdogs
 main_thread_watchdog config.bootstrap.v3.Watchdog
 worker_watchdog config.bootstrap.v3.Watchdog
config.cluster.v3.CircuitBreakers <api.v2.cluster.CircuitBreakers
 thresholds [].Thresholds
 per_host_thresholds [].Thresholds # Limits of each host; of all the fields max_connections alone may be set.
config.cluster.v3.CircuitBreakers.Thresholds <api.v2.cluster.CircuitBreakers.Thresholds
 priority =config.core.v3.RoutingPriority defined
 max_connections UInt32Value
 max_pending_requests UInt32Value
 max_requests UInt32Value
 max_retries UInt32Value
 retry_budget .RetryBudget
 track_remaining bool
 max_connection_pools UInt32Value
config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget <api.v2.cluster.CircuitBreakers.Thresholds.RetryBudget
 budget_percent type.v3.Percent
 min_retry_concurrency UInt32Value
 budget_interval Duration # Requests of this last time count in the budget, too. # default: those in flight # lacking: a proxy allows more retries, since requests that ended within the interval count besides those in flight
config.cluster.v3.Cluster <api.v2.Cluster
 transport_socket_matches [].TransportSocketMatch
 name string len>=1
 alt_stat_name string
 type =.DiscoveryType oneof=cluster_discovery_type defined
 cluster_type .CustomClusterType oneof=cluster_discovery_type
 eds_cluster_config .EdsClusterConfig
 connect_timeout Duration >0s
 per_connection_buffer_limit_bytes UInt32Value
 lb_policy =.LbPolicy defined
 load_assignment config.endpoint.v3.ClusterLoadAssignment
 health_checks []config.core.v3.HealthCheck items<=8
 max_requests_per_connection UInt32Value deprecated
 circuit_breakers config.cluster.v3.CircuitBreakers
 upstream_http_protocol_options config.core.v3.UpstreamHttpProtocolOptions deprecated
 common_http_protocol_options config.core.v3.HttpProtocolOptions deprecated
 http_protocol_options config.core.v3.Http1ProtocolOptions deprecated
 http2_protocol_options config.core.v3.Http2ProtocolOptions deprecated
 typed_extension_protocol_options {}Any # Options of extensions, by filter name; of HttpProtocolOptions the protocol and max_requests_per_connection act.
 dns_refresh_rate Duration deprecated >0.001s
 dns_failure_refresh_rate .RefreshRate deprecated
 respect_dns_ttl bool deprecated
 dns_lookup_family =.DnsLookupFamily defined
 dns_resolvers []config.core.v3.Address deprecated
 use_tcp_for_dns_lookups bool deprecated
 dns_resolution_config config.core.v3.DnsResolutionConfig deprecated # DNS servers. # idle: names are resolved by \`dns\` of the scenario
 typed_dns_resolver_config config.core.v3.TypedExtensionConfig # DNS servers. # idle: names are resolved by \`dns\` of the scenario
 wait_for_warm_on_init BoolValue # Whether the start of the proxy waits for this cluster. # default: true # idle: a run starts at once, whatever its clusters still wait for
 outlier_detection config.cluster.v3.OutlierDetection
 cleanup_interval Duration >0s
 upstream_bind_config config.core.v3.BindConfig
 lb_subset_config .LbSubsetConfig
 ring_hash_lb_config .RingHashLbConfig oneof=lb_config
 maglev_lb_config .MaglevLbConfig oneof=lb_config
 original_dst_lb_config .OriginalDstLbConfig oneof=lb_config
 least_request_lb_config .LeastRequestLbConfig oneof=lb_config
 round_robin_lb_config .RoundRobinLbConfig oneof=lb_config
 common_lb_config .CommonLbConfig
 transport_socket config.core.v3.TransportSocket
 metadata config.core.v3.Metadata
 protocol_selection =.ClusterProtocolSelection deprecated
 upstream_connection_options config.cluster.v3.UpstreamConnectionOptions
 close_connections_on_host_health_failure bool
 ignore_health_on_host_removal bool
 filters []config.cluster.v3.Filter
 load_balancing_policy config.cluster.v3.LoadBalancingPolicy
 lrs_server config.core.v3.ConfigSource
 lrs_report_endpoint_metrics []string # What of the hosts’ reports is passed on. # idle: load reports are not simulated
 track_timeout_budgets bool deprecated # Publish histograms of how much of the timeouts was used.
 upstream_config config.core.v3.TypedExtensionConfig # Which kind of connection pool there is. # idle: requests of a simulation are HTTP
 track_cluster_stats config.cluster.v3.TrackClusterStats # Further statistics, at a price; timeout_budgets acts.
 preconnect_policy .PreconnectPolicy # Connections that are opened ahead. # lacking: a proxy opens connections before requests need them, so that fewer requests wait, and more connections count
 connection_pool_per_downstream_connection bool # Connections are not shared among clients. # lacking: clients of a proxy share no connections then, so that more are opened, and max_connections is reached sooner
 transport_socket_matcher xds.type.matcher.v3.Matcher # Transport sockets by rules. # idle: TLS is not simulated
 stats_matcher config.metrics.v3.StatsMatcher # Which statistics of the cluster there are. # lacking: a proxy leaves out the statistics that it excludes; here stats_config of the bootstrap alone does
 per_connection_buffer_high_watermark_timeout Duration >=0s # Closes connections whose buffers stay full. # idle: bytes are not simulated
 dns_jitter Duration deprecated >=0s # Queries are put off by up to this much. # idle: queries keep to dns_refresh_rate
 queuing_policies .QueuingPolicies # Which waiting request is served next. # lacking: requests that wait for a connection are served in their order here
config.cluster.v3.Cluster.CommonLbConfig <api.v2.Cluster.CommonLbConfig
 healthy_panic_threshold type.v3.Percent
 zone_aware_lb_config .ZoneAwareLbConfig oneof=locality_config_specifier
 locality_weighted_lb_config .LocalityWeightedLbConfig oneof=locality_config_specifier
 update_merge_window Duration
 ignore_new_hosts_until_first_hc bool
 close_connections_on_host_set_change bool
 consistent_hashing_lb_config .ConsistentHashingLbConfig
 override_host_status config.core.v3.HealthStatusSet # Statuses with which a host that a filter names is taken. # idle: no filter of a simulation names hosts, and the policy override_host does not ask for it
config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig <api.v2.Cluster.CommonLbConfig.ConsistentHashingLbConfig
 use_hostname_for_hashing bool
 hash_balance_factor UInt32Value >=100
config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig <api.v2.Cluster.CommonLbConfig.LocalityWeightedLbConfig
config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig <api.v2.Cluster.CommonLbConfig.ZoneAwareLbConfig
 routing_enabled type.v3.Percent
 min_cluster_size UInt64Value
 fail_traffic_on_panic bool
config.cluster.v3.Cluster.CustomClusterType <api.v2.Cluster.CustomClusterType
 name string len>=1
 typed_config Any
config.cluster.v3.Cluster.EdsClusterConfig <api.v2.Cluster.EdsClusterConfig
 eds_config config.core.v3.ConfigSource
 service_name string
config.cluster.v3.Cluster.LbSubsetConfig <api.v2.Cluster.LbSubsetConfig
 fallback_policy =.LbSubsetFallbackPolicy defined
 default_subset Struct
 subset_selectors [].LbSubsetSelector
 locality_weight_aware bool
 scale_locality_weight bool
 panic_mode_any bool
 list_as_any bool
 metadata_fallback_policy =.LbSubsetMetadataFallbackPolicy defined
config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector <api.v2.Cluster.LbSubsetConfig.LbSubsetSelector
 keys []string
 single_host_per_subset bool
 fallback_policy =.LbSubsetSelectorFallbackPolicy defined
 fallback_keys_subset []string
config.cluster.v3.Cluster.LeastRequestLbConfig <api.v2.Cluster.LeastRequestLbConfig
 choice_count UInt32Value >=2
 active_request_bias config.core.v3.RuntimeDouble
 slow_start_config config.cluster.v3.Cluster.SlowStartConfig
config.cluster.v3.Cluster.MaglevLbConfig
 table_size UInt64Value <=5000011
config.cluster.v3.Cluster.OriginalDstLbConfig <api.v2.Cluster.OriginalDstLbConfig
 use_http_header bool
 http_header_name string
 upstream_port_override UInt32Value <=65535
 metadata_key type.metadata.v3.MetadataKey # Where the metadata of a request has its destination. # lacking: requests of a simulation carry no metadata; the destination is that of the request, or its header
config.cluster.v3.Cluster.PreconnectPolicy
 per_upstream_preconnect_ratio DoubleValue <=3 >=1
 predictive_preconnect_ratio DoubleValue <=3 >=1
 preconnect_enabled_metadata type.matcher.v3.MetadataMatcher
config.cluster.v3.Cluster.QueuingPolicies
 pending_rq_policy config.core.v3.TypedExtensionConfig
config.cluster.v3.Cluster.RefreshRate <api.v2.Cluster.RefreshRate
 base_interval Duration required >0.001s
 max_interval Duration >0.001s
config.cluster.v3.Cluster.RingHashLbConfig <api.v2.Cluster.RingHashLbConfig
 minimum_ring_size UInt64Value <=8388608
 hash_function =.HashFunction defined
 maximum_ring_size UInt64Value <=8388608
config.cluster.v3.Cluster.RoundRobinLbConfig
 slow_start_config config.cluster.v3.Cluster.SlowStartConfig
config.cluster.v3.Cluster.SlowStartConfig
 slow_start_window Duration
 aggression config.core.v3.RuntimeDouble
 min_weight_percent type.v3.Percent
config.cluster.v3.Cluster.TransportSocketMatch <api.v2.Cluster.TransportSocketMatch
 name string len>=1
 match Struct
 transport_socket config.core.v3.TransportSocket
config.cluster.v3.Filter <api.v2.cluster.Filter
 name string len>=1
 typed_config Any
 config_discovery config.core.v3.ExtensionConfigSource
config.cluster.v3.LoadBalancingPolicy <api.v2.LoadBalancingPolicy
 policies [].Policy
config.cluster.v3.LoadBalancingPolicy.Policy <api.v2.LoadBalancingPolicy.Policy
 typed_extension_config config.core.v3.TypedExtensionConfig
config.cluster.v3.OutlierDetection <api.v2.cluster.OutlierDetection
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
 max_ejection_time Duration >0s
 max_ejection_time_jitter Duration
 successful_active_health_check_uneject_host BoolValue
 monitors []config.core.v3.TypedExtensionConfig # Outlier detection by extensions. # lacking: a proxy may eject hosts that they find
 always_eject_one_host BoolValue
 detect_degraded_hosts BoolValue # Hosts that call themselves degraded in answers to requests are taken as degraded. # lacking: a proxy prefers other hosts to those whose answers have the header x-envoy-degraded; here health checks alone tell of that
config.cluster.v3.TrackClusterStats
 timeout_budgets bool # Publish histograms of how much of the timeouts was used.
 request_response_sizes bool # Publish histograms of sizes. # idle: bytes are not simulated
 per_endpoint_stats bool # Publish the statistics of each host. # idle: the counts of each host are in the report, and on /clusters
config.cluster.v3.UpstreamConnectionOptions <api.v2.UpstreamConnectionOptions
 tcp_keepalive config.core.v3.TcpKeepalive
 set_local_interface_name_on_upstream_connections bool
 happy_eyeballs_config .HappyEyeballsConfig
config.cluster.v3.UpstreamConnectionOptions.HappyEyeballsConfig
 first_address_family_version =config.cluster.v3.UpstreamConnectionOptions.FirstAddressFamilyVersion
 first_address_family_count UInt32Value >=1
config.common.key_value.v3.KeyValueStoreConfig
 config config.core.v3.TypedExtensionConfig required
config.common.matcher.v3.HttpGenericBodyMatch
 bytes_limit uint32
 patterns [].GenericTextMatch items>=1
config.common.matcher.v3.HttpGenericBodyMatch.GenericTextMatch !rule
 string_match string oneof=rule len>=1
 binary_match bytes oneof=rule len>=1
config.common.matcher.v3.HttpHeadersMatch
 headers []config.route.v3.HeaderMatcher
config.common.matcher.v3.MatchPredicate !rule
 or_match .MatchSet oneof=rule
 and_match .MatchSet oneof=rule
 not_match config.common.matcher.v3.MatchPredicate oneof=rule
 any_match bool oneof=rule const=true
 http_request_headers_match config.common.matcher.v3.HttpHeadersMatch oneof=rule
 http_request_trailers_match config.common.matcher.v3.HttpHeadersMatch oneof=rule
 http_response_headers_match config.common.matcher.v3.HttpHeadersMatch oneof=rule
 http_response_trailers_match config.common.matcher.v3.HttpHeadersMatch oneof=rule
 http_request_generic_body_match config.common.matcher.v3.HttpGenericBodyMatch oneof=rule
 http_response_generic_body_match config.common.matcher.v3.HttpGenericBodyMatch oneof=rule
config.common.matcher.v3.MatchPredicate.MatchSet
 rules []config.common.matcher.v3.MatchPredicate items>=2
config.common.matcher.v3.Matcher !matcher_type
 matcher_list .MatcherList oneof=matcher_type
 matcher_tree .MatcherTree oneof=matcher_type
 on_no_match .OnMatch
config.common.matcher.v3.Matcher.MatcherList
 matchers [].FieldMatcher items>=1
config.common.matcher.v3.Matcher.MatcherList.FieldMatcher
 predicate config.common.matcher.v3.Matcher.MatcherList.Predicate required
 on_match config.common.matcher.v3.Matcher.OnMatch required
config.common.matcher.v3.Matcher.MatcherList.Predicate !match_type
 single_predicate .SinglePredicate oneof=match_type
 or_matcher .PredicateList oneof=match_type
 and_matcher .PredicateList oneof=match_type
 not_matcher config.common.matcher.v3.Matcher.MatcherList.Predicate oneof=match_type
config.common.matcher.v3.Matcher.MatcherList.Predicate.PredicateList
 predicate []config.common.matcher.v3.Matcher.MatcherList.Predicate items>=2
config.common.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate !matcher
 input config.core.v3.TypedExtensionConfig required
 value_match type.matcher.v3.StringMatcher oneof=matcher
 custom_match config.core.v3.TypedExtensionConfig oneof=matcher
config.common.matcher.v3.Matcher.MatcherTree !tree_type
 input config.core.v3.TypedExtensionConfig required
 exact_match_map .MatchMap oneof=tree_type
 prefix_match_map .MatchMap oneof=tree_type
 custom_match config.core.v3.TypedExtensionConfig oneof=tree_type
config.common.matcher.v3.Matcher.MatcherTree.MatchMap
 map {}config.common.matcher.v3.Matcher.OnMatch items>=1
config.common.matcher.v3.Matcher.OnMatch !on_match
 matcher config.common.matcher.v3.Matcher oneof=on_match
 action config.core.v3.TypedExtensionConfig oneof=on_match
 keep_matching bool
config.common.mutation_rules.v3.HeaderMutation !action
 remove string oneof=action header-value?
 append config.core.v3.HeaderValueOption oneof=action
 remove_on_match .RemoveOnMatch oneof=action
config.common.mutation_rules.v3.HeaderMutation.RemoveOnMatch
 key_matcher type.matcher.v3.StringMatcher required
config.common.mutation_rules.v3.HeaderMutationRules
 allow_all_routing BoolValue
 allow_envoy BoolValue
 disallow_system BoolValue
 disallow_all BoolValue
 allow_expression type.matcher.v3.RegexMatcher
 disallow_expression type.matcher.v3.RegexMatcher
 disallow_is_error BoolValue
config.core.v3.Address <api.v2.core.Address !address
 socket_address config.core.v3.SocketAddress oneof=address
 pipe config.core.v3.Pipe oneof=address
 envoy_internal_address config.core.v3.EnvoyInternalAddress oneof=address # A listener of the proxy itself.
config.core.v3.AggregatedConfigSource <api.v2.core.AggregatedConfigSource
config.core.v3.AlternateProtocolsCacheOptions
 name string len>=1
 max_entries UInt32Value >0
 key_value_store_config config.core.v3.TypedExtensionConfig
 prepopulated_entries [].AlternateProtocolsCacheEntry
 canonical_suffixes []string
config.core.v3.AlternateProtocolsCacheOptions.AlternateProtocolsCacheEntry
 hostname string header-name or-empty
 port uint32 <65535 >0
config.core.v3.ApiConfigSource <api.v2.core.ApiConfigSource
 api_type =.ApiType defined
 transport_api_version =config.core.v3.ApiVersion defined
 cluster_names []string
 grpc_services []config.core.v3.GrpcService
 refresh_delay Duration
 request_timeout Duration >0s
 rate_limit_settings config.core.v3.RateLimitSettings
 set_node_on_first_message_only bool
 config_validators []config.core.v3.TypedExtensionConfig
config.core.v3.AsyncDataSource <api.v2.core.AsyncDataSource !specifier
 local config.core.v3.DataSource oneof=specifier
 remote config.core.v3.RemoteDataSource oneof=specifier
config.core.v3.BackoffStrategy <api.v2.core.BackoffStrategy
 base_interval Duration required >=0.001s
 max_interval Duration >0s
config.core.v3.BindConfig <api.v2.core.BindConfig
 source_address config.core.v3.SocketAddress
 freebind BoolValue
 socket_options []config.core.v3.SocketOption
 extra_source_addresses []config.core.v3.ExtraSourceAddress
 additional_source_addresses []config.core.v3.SocketAddress deprecated
 local_address_selector config.core.v3.TypedExtensionConfig
 validate_network_namespaces bool
config.core.v3.BuildVersion <api.v2.core.BuildVersion
 version type.v3.SemanticVersion
 metadata Struct
config.core.v3.CelExpressionConfig
 enable_string_conversion bool
 enable_string_concat bool
 enable_string_functions bool
config.core.v3.CidrRange <api.v2.core.CidrRange
 address_prefix string len>=1
 prefix_len UInt32Value <=128
config.core.v3.ConfigSource <api.v2.core.ConfigSource !config_source_specifier
 authorities []xds.core.v3.Authority
 path string oneof=config_source_specifier deprecated
 path_config_source config.core.v3.PathConfigSource oneof=config_source_specifier
 api_config_source config.core.v3.ApiConfigSource oneof=config_source_specifier
 ads config.core.v3.AggregatedConfigSource oneof=config_source_specifier
 self config.core.v3.SelfConfigSource oneof=config_source_specifier
 initial_fetch_timeout Duration
 resource_api_version =config.core.v3.ApiVersion defined
config.core.v3.ControlPlane <api.v2.core.ControlPlane
 identifier string
config.core.v3.DataSource <api.v2.core.DataSource !specifier
 filename string oneof=specifier len>=1
 inline_bytes bytes oneof=specifier
 inline_string string oneof=specifier
 environment_variable string oneof=specifier len>=1
 watched_directory config.core.v3.WatchedDirectory
config.core.v3.DnsResolutionConfig
 resolvers []config.core.v3.Address items>=1
 dns_resolver_options config.core.v3.DnsResolverOptions
config.core.v3.DnsResolverOptions
 use_tcp_for_dns_lookups bool
 no_default_search_domain bool
config.core.v3.EnvoyInternalAddress !address_name_specifier
 server_listener_name string oneof=address_name_specifier
 endpoint_id string
config.core.v3.EventServiceConfig <api.v2.core.EventServiceConfig !config_source_specifier
 grpc_service config.core.v3.GrpcService oneof=config_source_specifier
config.core.v3.Extension <api.v2.core.Extension
 name string
 category string
 type_descriptor string deprecated
 version config.core.v3.BuildVersion
 disabled bool
 type_urls []string
config.core.v3.ExtensionConfigSource
 config_source config.core.v3.ConfigSource required
 default_config Any
 apply_default_config_without_warming bool
 type_urls []string items>=1
config.core.v3.ExtraSourceAddress
 address config.core.v3.SocketAddress required
 socket_options config.core.v3.SocketOptionsOverride
config.core.v3.GrpcMethodList <api.v2.core.GrpcMethodList
 services [].Service
config.core.v3.GrpcMethodList.Service <api.v2.core.GrpcMethodList.Service
 name string len>=1
 method_names []string items>=1
config.core.v3.GrpcService <api.v2.core.GrpcService !target_specifier
 envoy_grpc .EnvoyGrpc oneof=target_specifier
 google_grpc .GoogleGrpc oneof=target_specifier
 timeout Duration
 initial_metadata []config.core.v3.HeaderValue
 retry_policy config.core.v3.RetryPolicy
config.core.v3.GrpcService.EnvoyGrpc <api.v2.core.GrpcService.EnvoyGrpc
 cluster_name string len>=1
 authority string header-value? len>=0 bytes<=16384
 retry_policy config.core.v3.RetryPolicy
 max_receive_message_length UInt32Value
 skip_envoy_headers bool
config.core.v3.GrpcService.GoogleGrpc <api.v2.core.GrpcService.GoogleGrpc
 target_uri string len>=1
 channel_credentials .ChannelCredentials
 call_credentials [].CallCredentials
 stat_prefix string len>=1
 credentials_factory_name string
 config Struct
 per_stream_buffer_limit_bytes UInt32Value
 channel_args .ChannelArgs
 channel_credentials_plugin []Any
 call_credentials_plugin []Any
config.core.v3.GrpcService.GoogleGrpc.CallCredentials <api.v2.core.GrpcService.GoogleGrpc.CallCredentials !credential_specifier
 access_token string oneof=credential_specifier
 google_compute_engine Empty oneof=credential_specifier
 google_refresh_token string oneof=credential_specifier
 service_account_jwt_access .ServiceAccountJWTAccessCredentials oneof=credential_specifier
 google_iam .GoogleIAMCredentials oneof=credential_specifier
 from_plugin .MetadataCredentialsFromPlugin oneof=credential_specifier
 sts_service .StsService oneof=credential_specifier
config.core.v3.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials <api.v2.core.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials
 authorization_token string
 authority_selector string
config.core.v3.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin <api.v2.core.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin
 name string
 typed_config Any oneof=config_type
config.core.v3.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials <api.v2.core.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials
 json_key string
 token_lifetime_seconds uint64
config.core.v3.GrpcService.GoogleGrpc.CallCredentials.StsService <api.v2.core.GrpcService.GoogleGrpc.CallCredentials.StsService
 token_exchange_service_uri string
 resource string
 audience string
 scope string
 requested_token_type string
 subject_token_path string len>=1
 subject_token_type string len>=1
 actor_token_path string
 actor_token_type string
config.core.v3.GrpcService.GoogleGrpc.ChannelArgs
 args {}.Value
config.core.v3.GrpcService.GoogleGrpc.ChannelArgs.Value !value_specifier
 string_value string oneof=value_specifier
 int_value int64 oneof=value_specifier
config.core.v3.GrpcService.GoogleGrpc.ChannelCredentials <api.v2.core.GrpcService.GoogleGrpc.ChannelCredentials !credential_specifier
 ssl_credentials config.core.v3.GrpcService.GoogleGrpc.SslCredentials oneof=credential_specifier
 google_default Empty oneof=credential_specifier
 local_credentials config.core.v3.GrpcService.GoogleGrpc.GoogleLocalCredentials oneof=credential_specifier
config.core.v3.GrpcService.GoogleGrpc.GoogleLocalCredentials <api.v2.core.GrpcService.GoogleGrpc.GoogleLocalCredentials
config.core.v3.GrpcService.GoogleGrpc.SslCredentials <api.v2.core.GrpcService.GoogleGrpc.SslCredentials
 root_certs config.core.v3.DataSource
 private_key config.core.v3.DataSource sensitive
 cert_chain config.core.v3.DataSource
config.core.v3.HeaderValue <api.v2.core.HeaderValue
 key string header-name? len>=1 bytes<=16384
 value string header-value? bytes<=16384
 raw_value bytes len>=0 len<=16384
config.core.v3.HeaderValueOption <api.v2.core.HeaderValueOption
 header config.core.v3.HeaderValue required
 append BoolValue deprecated
 append_action =.HeaderAppendAction defined
 keep_empty_value bool
config.core.v3.HealthCheck <api.v2.core.HealthCheck !health_checker
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
 no_traffic_healthy_interval Duration >0s
 unhealthy_interval Duration >0s
 unhealthy_edge_interval Duration >0s
 healthy_edge_interval Duration >0s
 event_log_path string deprecated
 event_logger []config.core.v3.TypedExtensionConfig # Where changes of health are logged. # idle: the proxy’s own log is not simulated; the timeline of the report has them
 event_service config.core.v3.EventServiceConfig
 always_log_health_check_failures bool
 always_log_health_check_success bool # Log every check that is passed. # idle: the proxy’s own log is not simulated; the timeline of the report has them
 tls_options .TlsOptions
 transport_socket_match_criteria Struct # Which transport socket health checks use. # idle: TLS is not simulated
 name string # Tells several health checks of a cluster apart. # idle: they are told apart by their order
config.core.v3.HealthCheck.CustomHealthCheck <api.v2.core.HealthCheck.CustomHealthCheck
 name string len>=1
 typed_config Any oneof=config_type
config.core.v3.HealthCheck.GrpcHealthCheck <api.v2.core.HealthCheck.GrpcHealthCheck
 service_name string
 authority string header-value?
 initial_metadata []config.core.v3.HeaderValueOption items<=1000 # Metadata of the request. # idle: a simulated host answers alike whatever it is sent
config.core.v3.HealthCheck.HttpHealthCheck <api.v2.core.HealthCheck.HttpHealthCheck
 host string header-value
 path string header-value len>=1
 send config.core.v3.HealthCheck.Payload
 receive []config.core.v3.HealthCheck.Payload
 response_buffer_size UInt64Value >=0 # How much of the answer is looked at. # idle: answers have no bytes
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name?
 expected_statuses []type.v3.Int64Range
 retriable_statuses []type.v3.Int64Range # Bad statuses that fail a host only after unhealthy_threshold of them, not at once; half-open ranges.
 codec_client_type =type.v3.CodecClientType defined
 service_name_matcher type.matcher.v3.StringMatcher
 method =config.core.v3.RequestMethod defined not=6 # Method of the request. # default: GET # idle: a simulated host answers alike to every method
 use_alpn_protocol bool # Take the protocol that TLS agrees on. # idle: TLS is not simulated
config.core.v3.HealthCheck.Payload <api.v2.core.HealthCheck.Payload !payload
 text string oneof=payload len>=1
 binary bytes oneof=payload
config.core.v3.HealthCheck.TcpHealthCheck <api.v2.core.HealthCheck.TcpHealthCheck
 send config.core.v3.HealthCheck.Payload
 receive []config.core.v3.HealthCheck.Payload
 proxy_protocol_config config.core.v3.ProxyProtocolConfig # A header before the payload. # idle: bytes are not simulated
config.core.v3.HealthCheck.TlsOptions <api.v2.core.HealthCheck.TlsOptions
 alpn_protocols []string
config.core.v3.HealthStatusSet
 statuses []=config.core.v3.HealthStatus each:defined
config.core.v3.Http1ProtocolOptions <api.v2.core.Http1ProtocolOptions
 allow_absolute_url BoolValue
 accept_http_10 bool
 default_host_for_http_10 string
 header_key_format .HeaderKeyFormat
 enable_trailers bool
 allow_chunked_length bool
 override_stream_error_on_invalid_http_message BoolValue
 send_fully_qualified_url bool
 use_balsa_parser BoolValue deprecated
 allow_custom_methods bool
 ignore_http_11_upgrade []type.matcher.v3.StringMatcher
config.core.v3.Http1ProtocolOptions.HeaderKeyFormat <api.v2.core.Http1ProtocolOptions.HeaderKeyFormat !header_format
 proper_case_words .ProperCaseWords oneof=header_format
 stateful_formatter config.core.v3.TypedExtensionConfig oneof=header_format
config.core.v3.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords <api.v2.core.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords
config.core.v3.Http2ProtocolOptions <api.v2.core.Http2ProtocolOptions
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
 stream_error_on_invalid_http_messaging bool deprecated
 override_stream_error_on_invalid_http_message BoolValue # What bad HTTP does. # idle: HTTP is not simulated below requests and answers
 custom_settings_parameters [].SettingsParameter
 connection_keepalive config.core.v3.KeepaliveSettings # Pings. # idle: connections of a simulation do not fall silent
 use_oghttp2_codec BoolValue # Which library speaks HTTP/2. # idle: HTTP is not simulated below requests and answers
 max_metadata_size UInt64Value # Limit on metadata. # idle: HTTP is not simulated below requests and answers
 enable_huffman_encoding BoolValue # Compresses headers. # idle: HTTP is not simulated below requests and answers
 max_header_field_size_kb UInt32Value <=256 >=64 # Limit on headers. # idle: HTTP is not simulated below requests and answers
 disallow_obs_text BoolValue # What headers may hold. # idle: HTTP is not simulated below requests and answers
 stream_reset_burst UInt64Value # Limit on resets. # idle: HTTP is not simulated below requests and answers
 stream_reset_rate UInt64Value # Limit on resets. # idle: HTTP is not simulated below requests and answers
config.core.v3.Http2ProtocolOptions.SettingsParameter <api.v2.core.Http2ProtocolOptions.SettingsParameter
 identifier UInt32Value <=65535 >=0 required
 value UInt32Value required
config.core.v3.Http3ProtocolOptions
 quic_protocol_options config.core.v3.QuicProtocolOptions
 override_stream_error_on_invalid_http_message BoolValue
 allow_extended_connect bool
 allow_metadata bool
 disable_qpack bool
 disable_connection_flow_control_for_streams bool
 disallow_obs_text BoolValue
config.core.v3.HttpProtocolOptions <api.v2.core.HttpProtocolOptions
 idle_timeout Duration
 max_connection_duration Duration
 max_headers_count UInt32Value >=1
 max_stream_duration Duration
 headers_with_underscores_action =.HeadersWithUnderscoresAction
 max_requests_per_connection UInt32Value
 max_connection_duration_jitter type.v3.Percent
 max_response_headers_kb UInt32Value <=8192 >0
config.core.v3.HttpService
 http_uri config.core.v3.HttpUri
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 formatters []config.core.v3.TypedExtensionConfig
config.core.v3.HttpUri <api.v2.core.HttpUri !http_upstream_type
 uri string len>=1
 cluster string oneof=http_upstream_type len>=1
 timeout Duration required <4294967296s >=0s
config.core.v3.JsonFormatOptions
 sort_properties bool deprecated
config.core.v3.KeepaliveSettings
 interval Duration >=0.001s
 timeout Duration required >=0.001s
 interval_jitter type.v3.Percent
 connection_idle_interval Duration >=0.001s
config.core.v3.KeyValue
 key string deprecated len>=1 bytes<=16384
 value bytes deprecated
config.core.v3.KeyValueAppend
 entry config.core.v3.KeyValue deprecated
 action =.KeyValueAppendAction defined
 record config.core.v3.KeyValuePair
config.core.v3.KeyValueMutation
 append config.core.v3.KeyValueAppend
 remove string bytes<=16384
config.core.v3.KeyValuePair
 key string len>=1 bytes<=16384
 value Value
config.core.v3.Locality <api.v2.core.Locality
 region string
 zone string
 sub_zone string
config.core.v3.Metadata <api.v2.core.Metadata
 filter_metadata {}Struct keys:len>=1
 typed_filter_metadata {}Any keys:len>=1 # Metadata of given types. # idle: load balancing reads filter_metadata alone
config.core.v3.Node <api.v2.core.Node
 id string
 cluster string
 metadata Struct
 dynamic_parameters {}xds.core.v3.ContextParams # What management servers are told. # idle: management servers are not simulated: use assignments and the timeline of a scenario
 locality config.core.v3.Locality
 user_agent_name string
 user_agent_version string oneof=user_agent_version_type
 user_agent_build_version config.core.v3.BuildVersion oneof=user_agent_version_type
 extensions []config.core.v3.Extension
 client_features []string
 listening_addresses []config.core.v3.Address deprecated
config.core.v3.PathConfigSource
 path string len>=1
 watched_directory config.core.v3.WatchedDirectory
 poll_interval Duration >=0.001s
config.core.v3.Pipe <api.v2.core.Pipe
 path string len>=1
 mode uint32 <=511
config.core.v3.ProxyProtocolConfig
 version =.Version
 pass_through_tlvs config.core.v3.ProxyProtocolPassThroughTLVs
 added_tlvs []config.core.v3.TlvEntry
config.core.v3.ProxyProtocolPassThroughTLVs
 match_type =.PassTLVsMatchType
 tlv_type []uint32 each:<256
config.core.v3.QuicKeepAliveSettings
 max_interval Duration
 initial_interval Duration <=0s >=0.001s
config.core.v3.QuicProtocolOptions
 max_concurrent_streams UInt32Value >=1
 initial_stream_window_size UInt32Value <=16777216 >=1
 initial_connection_window_size UInt32Value <=25165824 >=1
 num_timeouts_to_trigger_port_migration UInt32Value <=5 >=0
 connection_keepalive config.core.v3.QuicKeepAliveSettings
 connection_options string
 client_connection_options string
 idle_network_timeout Duration >=1s
 max_packet_length UInt64Value
 client_packet_writer config.core.v3.TypedExtensionConfig
 connection_migration .ConnectionMigrationSettings
 memory_reduction_timeout Duration >=1s
 enable_scone BoolValue
config.core.v3.QuicProtocolOptions.ConnectionMigrationSettings
 migrate_idle_connections .MigrateIdleConnectionSettings
 max_time_on_non_default_network Duration >=1s
config.core.v3.QuicProtocolOptions.ConnectionMigrationSettings.MigrateIdleConnectionSettings
 max_idle_time_before_migration Duration >=1s
config.core.v3.RateLimitSettings <api.v2.core.RateLimitSettings
 max_tokens UInt32Value
 fill_rate DoubleValue >0
config.core.v3.RemoteDataSource <api.v2.core.RemoteDataSource
 http_uri config.core.v3.HttpUri required
 sha256 string len>=1
 retry_policy config.core.v3.RetryPolicy
config.core.v3.RetryPolicy <api.v2.core.RetryPolicy
 retry_back_off config.core.v3.BackoffStrategy
 num_retries UInt32Value
 retry_on string
 retry_priority .RetryPriority
 retry_host_predicate [].RetryHostPredicate
 host_selection_retry_max_attempts int64
config.core.v3.RetryPolicy.RetryHostPredicate
 name string len>=1
 typed_config Any oneof=config_type
config.core.v3.RetryPolicy.RetryPriority
 name string len>=1
 typed_config Any oneof=config_type
config.core.v3.RuntimeDouble <api.v2.core.RuntimeDouble
 default_value double
 runtime_key string
config.core.v3.RuntimeFeatureFlag <api.v2.core.RuntimeFeatureFlag
 default_value BoolValue required
 runtime_key string
config.core.v3.RuntimeFractionalPercent <api.v2.core.RuntimeFractionalPercent
 default_value type.v3.FractionalPercent required
 runtime_key string
config.core.v3.RuntimePercent
 default_value type.v3.Percent
 runtime_key string
config.core.v3.RuntimeUInt32 <api.v2.core.RuntimeUInt32
 default_value uint32
 runtime_key string
config.core.v3.RuntimeUInt64
 default_value uint64
 runtime_key string
config.core.v3.SchemeHeaderTransformation
 scheme_to_overwrite string oneof=transformation in=http|https
 match_upstream bool
config.core.v3.SelfConfigSource <api.v2.core.SelfConfigSource
 transport_api_version =config.core.v3.ApiVersion defined
config.core.v3.SocketAddress <api.v2.core.SocketAddress !port_specifier
 protocol =.Protocol defined
 address string len>=1
 port_value uint32 oneof=port_specifier <=65535
 named_port string oneof=port_specifier
 resolver_name string
 ipv4_compat bool
 network_namespace_filepath string # The network of the address. # idle: sockets are not simulated
config.core.v3.SocketCmsgHeaders
 level UInt32Value
 type UInt32Value
 expected_size uint32
config.core.v3.SocketOption <api.v2.core.SocketOption !value
 description string
 level int64
 name int64
 int_value int64 oneof=value
 buf_value bytes oneof=value
 state =.SocketState defined
 type .SocketType
 ip_version =.SocketIpVersion
config.core.v3.SocketOption.SocketType
 stream .Stream
 datagram .Datagram
config.core.v3.SocketOption.SocketType.Datagram
config.core.v3.SocketOption.SocketType.Stream
config.core.v3.SocketOptionsOverride
 socket_options []config.core.v3.SocketOption
config.core.v3.SubstitutionFormatString !format
 text_format string oneof=format deprecated
 json_format Struct oneof=format required
 text_format_source config.core.v3.DataSource oneof=format
 omit_empty_values bool
 content_type string header-value?
 formatters []config.core.v3.TypedExtensionConfig
 json_format_options config.core.v3.JsonFormatOptions
config.core.v3.TcpKeepalive <api.v2.core.TcpKeepalive
 keepalive_probes UInt32Value
 keepalive_time UInt32Value
 keepalive_interval UInt32Value
config.core.v3.TlvEntry
 type uint32 <256
 value bytes
 format_string config.core.v3.SubstitutionFormatString
config.core.v3.TransportSocket <api.v2.core.TransportSocket
 name string len>=1
 typed_config Any oneof=config_type
config.core.v3.TypedExtensionConfig
 name string len>=1
 typed_config Any required
config.core.v3.UdpSocketConfig
 max_rx_datagram_size UInt64Value <65536 >0
 prefer_gro BoolValue
config.core.v3.UpstreamHttpProtocolOptions <api.v2.core.UpstreamHttpProtocolOptions
 auto_sni bool
 auto_san_validation bool
 override_auto_sni_header string header-name or-empty
config.core.v3.WatchedDirectory
 path string len>=1
 watch_modify bool
config.endpoint.v3.ClusterLoadAssignment <api.v2.ClusterLoadAssignment
 cluster_name string len>=1
 endpoints []config.endpoint.v3.LocalityLbEndpoints
 named_endpoints {}config.endpoint.v3.Endpoint
 policy .Policy
config.endpoint.v3.ClusterLoadAssignment.Policy <api.v2.ClusterLoadAssignment.Policy
 drop_overloads [].DropOverload
 overprovisioning_factor UInt32Value >0
 endpoint_stale_after Duration >0s
 weighted_priority_health bool
config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload <api.v2.ClusterLoadAssignment.Policy.DropOverload
 category string len>=1
 drop_percentage type.v3.FractionalPercent
config.endpoint.v3.Endpoint <api.v2.endpoint.Endpoint
 address config.core.v3.Address
 health_check_config .HealthCheckConfig
 hostname string
 additional_addresses [].AdditionalAddress # Further addresses of the host. # lacking: a proxy tries them where a connection to the first address fails
 observability_name string # Name in logs. # idle: the proxy’s own log is not simulated
config.endpoint.v3.Endpoint.AdditionalAddress
 address config.core.v3.Address
config.endpoint.v3.Endpoint.HealthCheckConfig <api.v2.endpoint.Endpoint.HealthCheckConfig
 port_value uint32 <=65535
 hostname string
 address config.core.v3.Address # Where health checks go, instead of the host’s own address. # idle: the behaviour of a host says how it answers, wherever it is asked
 disable_active_health_check bool # The host is not checked, and healthy as far as health checks go.
config.endpoint.v3.LbEndpoint <api.v2.endpoint.LbEndpoint
 endpoint config.endpoint.v3.Endpoint oneof=host_identifier
 endpoint_name string oneof=host_identifier
 health_status =config.core.v3.HealthStatus
 metadata config.core.v3.Metadata
 load_balancing_weight UInt32Value >=1
config.endpoint.v3.LedsClusterLocalityConfig
 leds_config config.core.v3.ConfigSource # Where the hosts are discovered. # idle: they are what no file shows
 leds_collection_name string # Which hosts they are. # idle: they are what no file shows
config.endpoint.v3.LocalityLbEndpoints <api.v2.endpoint.LocalityLbEndpoints
 locality config.core.v3.Locality
 metadata config.core.v3.Metadata
 lb_endpoints []config.endpoint.v3.LbEndpoint
 load_balancer_endpoints .LbEndpointList oneof=lb_config deprecated # The hosts, in another place. The proxy 1.40 does not read it.
 leds_cluster_locality_config config.endpoint.v3.LedsClusterLocalityConfig oneof=lb_config # The hosts come from a discovery of their own; under EDS only.
 load_balancing_weight UInt32Value >=1
 priority uint32 <=128
 proximity UInt32Value
config.endpoint.v3.LocalityLbEndpoints.LbEndpointList
 lb_endpoints []config.endpoint.v3.LbEndpoint
config.grpc_credential.v3.AwsIamConfig <config.grpc_credential.v2alpha.AwsIamConfig
 service_name string len>=1
 region string
config.grpc_credential.v3.FileBasedMetadataConfig <config.grpc_credential.v2alpha.FileBasedMetadataConfig
 secret_data config.core.v3.DataSource sensitive
 header_key string
 header_prefix string
config.listener.v3.AdditionalAddress
 address config.core.v3.Address
 socket_options config.core.v3.SocketOptionsOverride
 tcp_keepalive config.core.v3.TcpKeepalive
config.listener.v3.ApiListener <config.listener.v2.ApiListener
 api_listener Any
config.listener.v3.Filter <api.v2.listener.Filter
 name string len>=1
 typed_config Any oneof=config_type
 config_discovery config.core.v3.ExtensionConfigSource oneof=config_type
config.listener.v3.FilterChain <api.v2.listener.FilterChain
 filter_chain_match config.listener.v3.FilterChainMatch
 filters []config.listener.v3.Filter
 use_proxy_proto BoolValue deprecated
 metadata config.core.v3.Metadata
 transport_socket config.core.v3.TransportSocket
 transport_socket_connect_timeout Duration
 name string
config.listener.v3.FilterChainMatch <api.v2.listener.FilterChainMatch
 destination_port UInt32Value <=65535 >=1
 prefix_ranges []config.core.v3.CidrRange
 address_suffix string
 suffix_len UInt32Value
 direct_source_prefix_ranges []config.core.v3.CidrRange
 source_type =.ConnectionSourceType defined
 source_prefix_ranges []config.core.v3.CidrRange
 source_ports []uint32 each:<=65535 each:>=1
 server_names []string
 transport_protocol string
 application_protocols []string
config.listener.v3.Listener <api.v2.Listener
 name string
 address config.core.v3.Address
 additional_addresses []config.listener.v3.AdditionalAddress
 stat_prefix string
 filter_chains []config.listener.v3.FilterChain
 filter_chain_matcher xds.type.matcher.v3.Matcher
 use_original_dst BoolValue
 default_filter_chain config.listener.v3.FilterChain
 per_connection_buffer_limit_bytes UInt32Value
 metadata config.core.v3.Metadata
 deprecated_v1 .DeprecatedV1 deprecated
 drain_type =.DrainType
 listener_filters []config.listener.v3.ListenerFilter
 listener_filters_timeout Duration
 continue_on_listener_filters_timeout bool
 transparent BoolValue
 freebind BoolValue
 socket_options []config.core.v3.SocketOption
 tcp_fast_open_queue_length UInt32Value
 traffic_direction =config.core.v3.TrafficDirection
 udp_listener_config config.listener.v3.UdpListenerConfig
 api_listener config.listener.v3.ApiListener
 connection_balance_config .ConnectionBalanceConfig
 reuse_port bool deprecated
 enable_reuse_port BoolValue
 access_log []config.accesslog.v3.AccessLog
 tcp_backlog_size UInt32Value
 max_connections_to_accept_per_socket_event UInt32Value >0
 bind_to_port BoolValue
 internal_listener .InternalListenerConfig oneof=listener_specifier
 enable_mptcp bool
 ignore_global_conn_limit bool
 bypass_overload_manager bool
 stats_matcher config.metrics.v3.StatsMatcher
 fcds_config .FcdsConfig
 per_connection_buffer_high_watermark_timeout Duration >=0s
 tcp_keepalive config.core.v3.TcpKeepalive
config.listener.v3.Listener.ConnectionBalanceConfig <api.v2.Listener.ConnectionBalanceConfig !balance_type
 exact_balance .ExactBalance oneof=balance_type
 extend_balance config.core.v3.TypedExtensionConfig oneof=balance_type
 cpu_locality_balance .CpuLocalityBalance oneof=balance_type
config.listener.v3.Listener.ConnectionBalanceConfig.CpuLocalityBalance
config.listener.v3.Listener.ConnectionBalanceConfig.ExactBalance <api.v2.Listener.ConnectionBalanceConfig.ExactBalance
config.listener.v3.Listener.DeprecatedV1 <api.v2.Listener.DeprecatedV1
 bind_to_port BoolValue
config.listener.v3.Listener.FcdsConfig
 name string
 config_source config.core.v3.ConfigSource
config.listener.v3.Listener.InternalListenerConfig
config.listener.v3.ListenerFilter <api.v2.listener.ListenerFilter
 name string len>=1
 typed_config Any oneof=config_type
 config_discovery config.core.v3.ExtensionConfigSource oneof=config_type
 filter_disabled config.listener.v3.ListenerFilterChainMatchPredicate
config.listener.v3.ListenerFilterChainMatchPredicate <api.v2.listener.ListenerFilterChainMatchPredicate !rule
 or_match .MatchSet oneof=rule
 and_match .MatchSet oneof=rule
 not_match config.listener.v3.ListenerFilterChainMatchPredicate oneof=rule
 any_match bool oneof=rule const=true
 destination_port_range type.v3.Int32Range oneof=rule
config.listener.v3.ListenerFilterChainMatchPredicate.MatchSet <api.v2.listener.ListenerFilterChainMatchPredicate.MatchSet
 rules []config.listener.v3.ListenerFilterChainMatchPredicate items>=2
config.listener.v3.QuicProtocolOptions <api.v2.listener.QuicProtocolOptions
 quic_protocol_options config.core.v3.QuicProtocolOptions
 idle_timeout Duration
 crypto_handshake_timeout Duration
 enabled config.core.v3.RuntimeFeatureFlag
 packets_to_read_to_connection_count_ratio UInt32Value >=1
 crypto_stream_config config.core.v3.TypedExtensionConfig
 proof_source_config config.core.v3.TypedExtensionConfig
 connection_id_generator_config config.core.v3.TypedExtensionConfig
 server_preferred_address_config config.core.v3.TypedExtensionConfig
 send_disable_active_migration BoolValue
 connection_debug_visitor_config config.core.v3.TypedExtensionConfig
 save_cmsg_config []config.core.v3.SocketCmsgHeaders items<=1
 reject_new_connections bool
 max_sessions_per_event_loop UInt32Value >0
config.listener.v3.UdpListenerConfig <api.v2.listener.UdpListenerConfig
 downstream_socket_config config.core.v3.UdpSocketConfig
 quic_options config.listener.v3.QuicProtocolOptions
 udp_packet_packet_writer_config config.core.v3.TypedExtensionConfig
config.metrics.v3.DogStatsdSink <config.metrics.v2.DogStatsdSink !dog_statsd_specifier
 address config.core.v3.Address oneof=dog_statsd_specifier
 prefix string
 max_bytes_per_datagram UInt64Value >0
 scale_histogram_units_to_milliseconds bool
config.metrics.v3.HistogramBucketSettings
 match type.matcher.v3.StringMatcher required
 buckets []double unique each:>0
 bins UInt32Value <=46082 >0
config.metrics.v3.HystrixSink <config.metrics.v2.HystrixSink
 num_buckets int64
config.metrics.v3.MetricsServiceConfig <config.metrics.v2.MetricsServiceConfig
 grpc_service config.core.v3.GrpcService required
 transport_api_version =config.core.v3.ApiVersion defined
 report_counters_as_deltas BoolValue
 emit_tags_as_labels bool
 histogram_emit_mode =config.metrics.v3.HistogramEmitMode defined
 batch_size uint32 >=0
config.metrics.v3.StatsConfig <config.metrics.v2.StatsConfig
 stats_tags []config.metrics.v3.TagSpecifier
 use_all_default_tags BoolValue
 stats_matcher config.metrics.v3.StatsMatcher
 histogram_bucket_settings []config.metrics.v3.HistogramBucketSettings # Buckets of histograms. # lacking: histograms of a run have the buckets that there are by default
 allow_default_tag_overrides BoolValue # Tags of the file may have the names of default ones. # idle: they may in any case
config.metrics.v3.StatsMatcher <config.metrics.v2.StatsMatcher !stats_matcher
 reject_all bool oneof=stats_matcher
 exclusion_list type.matcher.v3.ListStringMatcher oneof=stats_matcher
 inclusion_list type.matcher.v3.ListStringMatcher oneof=stats_matcher
config.metrics.v3.StatsSink <config.metrics.v2.StatsSink
 name string
 typed_config Any oneof=config_type
config.metrics.v3.StatsdSink <config.metrics.v2.StatsdSink !statsd_specifier
 address config.core.v3.Address oneof=statsd_specifier
 tcp_cluster_name string oneof=statsd_specifier
 prefix string
 scale_histogram_units_to_milliseconds bool
config.metrics.v3.TagSpecifier <config.metrics.v2.TagSpecifier
 tag_name string
 regex string oneof=tag_value bytes<=1024
 fixed_value string oneof=tag_value
config.overload.v3.BufferFactoryConfig
 minimum_account_to_track_power_of_two uint32 <=56 >=10
config.overload.v3.LoadShedPoint
 name string len>=1
 triggers []config.overload.v3.Trigger items>=1
config.overload.v3.OverloadAction <config.overload.v2alpha.OverloadAction
 name string len>=1
 triggers []config.overload.v3.Trigger items>=1
 typed_config Any
config.overload.v3.OverloadManager <config.overload.v2alpha.OverloadManager
 refresh_interval Duration
 resource_monitors []config.overload.v3.ResourceMonitor items>=1
 actions []config.overload.v3.OverloadAction
 loadshed_points []config.overload.v3.LoadShedPoint
 buffer_factory_config config.overload.v3.BufferFactoryConfig
config.overload.v3.ResourceMonitor <config.overload.v2alpha.ResourceMonitor
 name string len>=1
 typed_config Any oneof=config_type
config.overload.v3.ScaledTrigger
 scaling_threshold double <=1 >=0
 saturation_threshold double <=1 >=0
config.overload.v3.ThresholdTrigger <config.overload.v2alpha.ThresholdTrigger
 value double <=1 >=0
config.overload.v3.Trigger <config.overload.v2alpha.Trigger !trigger_oneof
 name string len>=1
 threshold config.overload.v3.ThresholdTrigger oneof=trigger_oneof
 scaled config.overload.v3.ScaledTrigger oneof=trigger_oneof
config.ratelimit.v3.RateLimitServiceConfig <config.ratelimit.v2.RateLimitServiceConfig
 grpc_service config.core.v3.GrpcService required
 transport_api_version =config.core.v3.ApiVersion defined
config.rbac.v3.Permission <config.rbac.v2.Permission !rule
 and_rules .Set oneof=rule
 or_rules .Set oneof=rule
 any bool oneof=rule const=true
 header config.route.v3.HeaderMatcher oneof=rule
 url_path type.matcher.v3.PathMatcher oneof=rule
 destination_ip config.core.v3.CidrRange oneof=rule
 destination_port uint32 oneof=rule <=65535
 destination_port_range type.v3.Int32Range oneof=rule
 metadata type.matcher.v3.MetadataMatcher oneof=rule deprecated
 not_rule config.rbac.v3.Permission oneof=rule
 requested_server_name type.matcher.v3.StringMatcher oneof=rule
 matcher config.core.v3.TypedExtensionConfig oneof=rule
 uri_template config.core.v3.TypedExtensionConfig oneof=rule
 sourced_metadata config.rbac.v3.SourcedMetadata oneof=rule
config.rbac.v3.Permission.Set <config.rbac.v2.Permission.Set
 rules []config.rbac.v3.Permission items>=1
config.rbac.v3.Policy <config.rbac.v2.Policy
 permissions []config.rbac.v3.Permission items>=1
 principals []config.rbac.v3.Principal items>=1
 condition google.api.expr.v1alpha1.Expr
 checked_condition google.api.expr.v1alpha1.CheckedExpr
 cel_config config.core.v3.CelExpressionConfig
config.rbac.v3.Principal <config.rbac.v2.Principal !identifier
 and_ids .Set oneof=identifier
 or_ids .Set oneof=identifier
 any bool oneof=identifier const=true
 authenticated .Authenticated oneof=identifier
 source_ip config.core.v3.CidrRange oneof=identifier deprecated
 direct_remote_ip config.core.v3.CidrRange oneof=identifier
 remote_ip config.core.v3.CidrRange oneof=identifier
 header config.route.v3.HeaderMatcher oneof=identifier
 url_path type.matcher.v3.PathMatcher oneof=identifier
 metadata type.matcher.v3.MetadataMatcher oneof=identifier deprecated
 filter_state type.matcher.v3.FilterStateMatcher oneof=identifier
 not_id config.rbac.v3.Principal oneof=identifier
 sourced_metadata config.rbac.v3.SourcedMetadata oneof=identifier
 custom config.core.v3.TypedExtensionConfig oneof=identifier
config.rbac.v3.Principal.Authenticated <config.rbac.v2.Principal.Authenticated
 principal_name type.matcher.v3.StringMatcher
config.rbac.v3.Principal.Set <config.rbac.v2.Principal.Set
 ids []config.rbac.v3.Principal items>=1
config.rbac.v3.RBAC <config.rbac.v2.RBAC
 action =.Action defined
 policies {}config.rbac.v3.Policy
 audit_logging_options .AuditLoggingOptions
config.rbac.v3.RBAC.AuditLoggingOptions
 audit_condition =.AuditCondition defined
 logger_configs [].AuditLoggerConfig
config.rbac.v3.RBAC.AuditLoggingOptions.AuditLoggerConfig
 audit_logger config.core.v3.TypedExtensionConfig
 is_optional bool
config.rbac.v3.SourcedMetadata
 metadata_matcher type.matcher.v3.MetadataMatcher required
 metadata_source =config.rbac.v3.MetadataSource defined
config.route.v3.ClusterSpecifierPlugin
 extension config.core.v3.TypedExtensionConfig required
 is_optional bool
config.route.v3.CookieMatcher
 name string len>=1 bytes<=1024
 string_match type.matcher.v3.StringMatcher required
 invert_match bool
config.route.v3.CorsPolicy <api.v2.route.CorsPolicy
 allow_origin_string_match []type.matcher.v3.StringMatcher
 allow_methods string
 allow_headers string
 expose_headers string
 max_age string
 allow_credentials BoolValue
 filter_enabled config.core.v3.RuntimeFractionalPercent oneof=enabled_specifier
 shadow_enabled config.core.v3.RuntimeFractionalPercent
 allow_private_network_access BoolValue
 forward_not_matching_preflights BoolValue
config.route.v3.Decorator <api.v2.route.Decorator
 operation string len>=1
 propagate BoolValue
config.route.v3.DirectResponseAction <api.v2.route.DirectResponseAction
 status uint32 <600 >=200
 body config.core.v3.DataSource
 body_format config.core.v3.SubstitutionFormatString
config.route.v3.FilterAction <api.v2.route.FilterAction
 action Any
config.route.v3.HeaderMatcher <api.v2.route.HeaderMatcher
 name string header-name? len>=1
 exact_match string oneof=header_match_specifier deprecated
 safe_regex_match type.matcher.v3.RegexMatcher oneof=header_match_specifier deprecated
 range_match type.v3.Int64Range oneof=header_match_specifier
 present_match bool oneof=header_match_specifier
 prefix_match string oneof=header_match_specifier deprecated len>=1
 suffix_match string oneof=header_match_specifier deprecated len>=1
 contains_match string oneof=header_match_specifier deprecated len>=1
 string_match type.matcher.v3.StringMatcher oneof=header_match_specifier
 invert_match bool
 treat_missing_header_as_empty bool
config.route.v3.HedgePolicy <api.v2.route.HedgePolicy
 initial_requests UInt32Value >=1
 additional_request_chance type.v3.FractionalPercent
 hedge_on_per_try_timeout bool
config.route.v3.InternalRedirectPolicy
 max_internal_redirects UInt32Value
 redirect_response_codes []uint32 items<=5
 predicates []config.core.v3.TypedExtensionConfig
 allow_cross_scheme_redirect bool
 response_headers_to_copy []string unique each:header-name?
config.route.v3.NonForwardingAction
config.route.v3.QueryParameterMatcher <api.v2.route.QueryParameterMatcher
 name string len>=1 bytes<=1024
 string_match type.matcher.v3.StringMatcher oneof=query_parameter_match_specifier required
 present_match bool oneof=query_parameter_match_specifier
config.route.v3.RateLimit <api.v2.route.RateLimit
 stage UInt32Value <=10
 disable_key string
 actions [].Action items>=1
 limit .Override
 hits_addend .HitsAddend
 apply_on_stream_done bool
 x_ratelimit_option =.XRateLimitOption
config.route.v3.RateLimit.Action <api.v2.route.RateLimit.Action !action_specifier
 source_cluster .SourceCluster oneof=action_specifier
 destination_cluster .DestinationCluster oneof=action_specifier
 request_headers .RequestHeaders oneof=action_specifier
 remote_address .RemoteAddress oneof=action_specifier
 generic_key .GenericKey oneof=action_specifier
 header_value_match .HeaderValueMatch oneof=action_specifier
 dynamic_metadata .DynamicMetaData oneof=action_specifier deprecated disallowed
 metadata .MetaData oneof=action_specifier
 extension config.core.v3.TypedExtensionConfig oneof=action_specifier
 masked_remote_address .MaskedRemoteAddress oneof=action_specifier
 query_parameter_value_match .QueryParameterValueMatch oneof=action_specifier
 query_parameters .QueryParameters oneof=action_specifier
 remote_address_match .RemoteAddressMatch oneof=action_specifier
config.route.v3.RateLimit.Action.DestinationCluster <api.v2.route.RateLimit.Action.DestinationCluster
config.route.v3.RateLimit.Action.DynamicMetaData
 descriptor_key string len>=1
 metadata_key type.metadata.v3.MetadataKey required
 default_value string
config.route.v3.RateLimit.Action.GenericKey <api.v2.route.RateLimit.Action.GenericKey
 descriptor_value string len>=1
 descriptor_key string
 default_value string
config.route.v3.RateLimit.Action.HeaderValueMatch <api.v2.route.RateLimit.Action.HeaderValueMatch
 descriptor_key string
 descriptor_value string len>=1
 expect_match BoolValue
 headers []config.route.v3.HeaderMatcher items>=1
 default_value string
config.route.v3.RateLimit.Action.MaskedRemoteAddress
 v4_prefix_mask_len UInt32Value <=32
 v6_prefix_mask_len UInt32Value <=128
config.route.v3.RateLimit.Action.MetaData
 descriptor_key string len>=1
 metadata_key type.metadata.v3.MetadataKey required
 default_value string
 source =.Source defined
 skip_if_absent bool
config.route.v3.RateLimit.Action.QueryParameterValueMatch
 descriptor_key string
 descriptor_value string len>=1
 expect_match BoolValue
 query_parameters []config.route.v3.QueryParameterMatcher items>=1
 default_value string
config.route.v3.RateLimit.Action.QueryParameters
 query_parameter_name string len>=1
 descriptor_key string len>=1
 skip_if_absent bool
config.route.v3.RateLimit.Action.RemoteAddress <api.v2.route.RateLimit.Action.RemoteAddress
config.route.v3.RateLimit.Action.RemoteAddressMatch
 descriptor_value string len>=1
 descriptor_key string
 default_value string
 address_matcher type.matcher.v3.AddressMatcher required
config.route.v3.RateLimit.Action.RequestHeaders <api.v2.route.RateLimit.Action.RequestHeaders
 header_name string header-name? len>=1
 descriptor_key string len>=1
 skip_if_absent bool
config.route.v3.RateLimit.Action.SourceCluster <api.v2.route.RateLimit.Action.SourceCluster
config.route.v3.RateLimit.HitsAddend
 number UInt64Value <=1000000000
 format string prefix="%" suffix="%" or-empty
 is_negative_hits bool
config.route.v3.RateLimit.Override !override_specifier
 dynamic_metadata .DynamicMetadata oneof=override_specifier
 rate_limit .RateLimitOverride oneof=override_specifier
config.route.v3.RateLimit.Override.DynamicMetadata
 metadata_key type.metadata.v3.MetadataKey required
config.route.v3.RateLimit.Override.RateLimitOverride
 requests_per_unit uint32
 unit =type.v3.RateLimitUnit
config.route.v3.RedirectAction <api.v2.route.RedirectAction
 https_redirect bool oneof=scheme_rewrite_specifier
 scheme_redirect string oneof=scheme_rewrite_specifier
 host_redirect string header-value?
 port_redirect uint32
 path_redirect string oneof=path_rewrite_specifier header-value?
 prefix_rewrite string oneof=path_rewrite_specifier header-value?
 regex_rewrite type.matcher.v3.RegexMatchAndSubstitute oneof=path_rewrite_specifier
 response_code =.RedirectResponseCode defined
 strip_query bool
 path_rewrite string oneof=path_rewrite_specifier
config.route.v3.RetryPolicy <api.v2.route.RetryPolicy
 retry_on string
 num_retries UInt32Value
 per_try_timeout Duration
 per_try_idle_timeout Duration # Longest pause within an answer. # idle: answers of a simulation come whole
 retry_priority .RetryPriority
 retry_host_predicate [].RetryHostPredicate
 retry_options_predicates []config.core.v3.TypedExtensionConfig # Extensions that change the socket of a retry. # idle: the proxy has none of its own
 host_selection_retry_max_attempts int64
 retriable_status_codes []uint32
 retry_back_off .RetryBackOff
 rate_limited_retry_back_off .RateLimitedRetryBackOff # Waits as long as a header of the answer says.
 retriable_headers []config.route.v3.HeaderMatcher
 retriable_request_headers []config.route.v3.HeaderMatcher
 refresh_cluster_on_retry bool # A retry may go to another cluster. # lacking: a retry stays in its cluster here
config.route.v3.RetryPolicy.RateLimitedRetryBackOff
 reset_headers []config.route.v3.RetryPolicy.ResetHeader items>=1
 max_interval Duration >0s
config.route.v3.RetryPolicy.ResetHeader
 name string header-name? len>=1
 format =config.route.v3.RetryPolicy.ResetHeaderFormat defined
config.route.v3.RetryPolicy.RetryBackOff <api.v2.route.RetryPolicy.RetryBackOff
 base_interval Duration required >0s
 max_interval Duration >0s
config.route.v3.RetryPolicy.RetryHostPredicate <api.v2.route.RetryPolicy.RetryHostPredicate
 name string len>=1
 typed_config Any oneof=config_type
config.route.v3.RetryPolicy.RetryPriority <api.v2.route.RetryPolicy.RetryPriority
 name string len>=1
 typed_config Any oneof=config_type
config.route.v3.Route <api.v2.route.Route !action
 name string
 match config.route.v3.RouteMatch required
 route config.route.v3.RouteAction oneof=action
 redirect config.route.v3.RedirectAction oneof=action
 direct_response config.route.v3.DirectResponseAction oneof=action
 filter_action config.route.v3.FilterAction oneof=action
 non_forwarding_action config.route.v3.NonForwardingAction oneof=action # The proxy answers as a server. # idle: routes to clusters alone are simulated
 metadata config.core.v3.Metadata
 decorator config.route.v3.Decorator
 typed_per_filter_config {}Any
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name? each:len>=1
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 response_headers_to_remove []string each:header-name? each:len>=1
 tracing config.route.v3.Tracing
 per_request_buffer_limit_bytes UInt32Value deprecated
 stat_prefix string # Publishes statistics of the route. # idle: statistics of routes are not written
 request_body_buffer_limit UInt64Value # Limit on buffers. # idle: bytes are not simulated
 route_specifiers []config.core.v3.TypedExtensionConfig # Extensions that choose a route. # idle: extensions are not simulated; a bare file sends alike by every route
config.route.v3.RouteAction <api.v2.route.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier len>=1
 cluster_header string oneof=cluster_specifier header-name? len>=1
 weighted_clusters config.route.v3.WeightedCluster oneof=cluster_specifier
 cluster_specifier_plugin string oneof=cluster_specifier # An extension names the cluster. # lacking: nothing is known of which it names: no request is sent by this route
 inline_cluster_specifier_plugin config.route.v3.ClusterSpecifierPlugin oneof=cluster_specifier # An extension names the cluster. # lacking: nothing is known of which it names: no request is sent by this route
 cluster_not_found_response_code =.ClusterNotFoundResponseCode defined
 metadata_match config.core.v3.Metadata
 prefix_rewrite string header-value?
 regex_rewrite type.matcher.v3.RegexMatchAndSubstitute
 path_rewrite_policy config.core.v3.TypedExtensionConfig # Rewrites the path. # idle: a simulated host answers alike on every path
 host_rewrite_literal string oneof=host_rewrite_specifier header-value?
 auto_host_rewrite BoolValue oneof=host_rewrite_specifier
 host_rewrite_header string oneof=host_rewrite_specifier header-name?
 host_rewrite_path_regex type.matcher.v3.RegexMatchAndSubstitute oneof=host_rewrite_specifier # Rewrites the host. # idle: a simulated host answers alike to every host header
 append_x_forwarded_host bool # Adds a header. # idle: a simulated host answers alike whatever it is sent
 timeout Duration
 idle_timeout Duration
 early_data_policy config.core.v3.TypedExtensionConfig # Requests in early data of TLS. # idle: TLS is not simulated
 retry_policy config.route.v3.RetryPolicy
 retry_policy_typed_config Any
 request_mirror_policies [].RequestMirrorPolicy
 priority =config.core.v3.RoutingPriority defined
 rate_limits []config.route.v3.RateLimit
 include_vh_rate_limits BoolValue deprecated
 hash_policy [].HashPolicy
 cors config.route.v3.CorsPolicy deprecated
 max_grpc_timeout Duration deprecated
 grpc_timeout_offset Duration deprecated
 upgrade_configs [].UpgradeConfig
 internal_redirect_policy config.route.v3.InternalRedirectPolicy # Follows redirects. # idle: hosts of a simulation redirect nobody
 internal_redirect_action =.InternalRedirectAction deprecated
 max_internal_redirects UInt32Value deprecated
 hedge_policy config.route.v3.HedgePolicy
 max_stream_duration .MaxStreamDuration # Longest time of a request. # idle: requests of a bare file are answered at once; a workload has its timeout
 path_rewrite string # Rewrites the path. # idle: a simulated host answers alike on every path
 host_rewrite string oneof=host_rewrite_specifier
 flush_timeout Duration # How long an answer may take to go out. # idle: bytes are not simulated
config.route.v3.RouteAction.HashPolicy <api.v2.route.RouteAction.HashPolicy !policy_specifier
 header .Header oneof=policy_specifier
 cookie .Cookie oneof=policy_specifier
 connection_properties .ConnectionProperties oneof=policy_specifier
 query_parameter .QueryParameter oneof=policy_specifier
 filter_state .FilterState oneof=policy_specifier
 terminal bool
config.route.v3.RouteAction.HashPolicy.ConnectionProperties <api.v2.route.RouteAction.HashPolicy.ConnectionProperties
 source_ip bool
config.route.v3.RouteAction.HashPolicy.Cookie <api.v2.route.RouteAction.HashPolicy.Cookie
 name string len>=1
 ttl Duration
 path string
 attributes []config.route.v3.RouteAction.HashPolicy.CookieAttribute # Attributes of a cookie that the proxy makes. # idle: cookies have no attributes here
config.route.v3.RouteAction.HashPolicy.CookieAttribute
 name string header-name? len>=1 bytes<=16384
 value string header-value? bytes<=16384
config.route.v3.RouteAction.HashPolicy.FilterState <api.v2.route.RouteAction.HashPolicy.FilterState
 key string len>=1
config.route.v3.RouteAction.HashPolicy.Header <api.v2.route.RouteAction.HashPolicy.Header
 header_name string header-name? len>=1
 regex_rewrite type.matcher.v3.RegexMatchAndSubstitute # Rewrites the value before it is hashed. # lacking: the value is hashed as it is
config.route.v3.RouteAction.HashPolicy.QueryParameter <api.v2.route.RouteAction.HashPolicy.QueryParameter
 name string len>=1
config.route.v3.RouteAction.MaxStreamDuration
 max_stream_duration Duration
 grpc_timeout_header_max Duration
 grpc_timeout_header_offset Duration
config.route.v3.RouteAction.RequestMirrorPolicy <api.v2.route.RouteAction.RequestMirrorPolicy
 cluster string
 cluster_header string header-name? # The header that names the cluster. # idle: copies of requests are not simulated
 runtime_fraction config.core.v3.RuntimeFractionalPercent
 trace_sampled BoolValue
 disable_shadow_host_suffix_append bool # Which host header copies have. # idle: copies of requests are not simulated
 request_headers_mutations []config.common.mutation_rules.v3.HeaderMutation items<=1000 # Headers of copies. # idle: copies of requests are not simulated
 host_rewrite_literal string header-value? # Which host header copies have. # idle: copies of requests are not simulated
config.route.v3.RouteAction.UpgradeConfig <api.v2.route.RouteAction.UpgradeConfig
 upgrade_type string header-value? len>=1
 enabled BoolValue
 connect_config .ConnectConfig # Ends a tunnel. # idle: upgrades are not simulated
config.route.v3.RouteAction.UpgradeConfig.ConnectConfig
 proxy_protocol_config config.core.v3.ProxyProtocolConfig
 allow_post bool
config.route.v3.RouteConfiguration <api.v2.RouteConfiguration
 name string
 virtual_hosts []config.route.v3.VirtualHost
 vhds config.route.v3.Vhds
 internal_only_headers []string each:header-name?
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 response_headers_to_remove []string each:header-name?
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name?
 most_specific_header_mutations_wins bool
 validate_clusters BoolValue
 max_direct_response_body_size_bytes UInt32Value # Limit on answers of routes. # idle: routes to clusters alone are simulated
 cluster_specifier_plugins []config.route.v3.ClusterSpecifierPlugin # Extensions that name clusters. # idle: the routes that use them say what is missing
 request_mirror_policies []config.route.v3.RouteAction.RequestMirrorPolicy # Sends copies of requests to another cluster. # lacking: that cluster gets the copies besides its own requests
 ignore_port_in_host_matching bool # How hosts are matched. # idle: a bare file sends alike by every route
 ignore_path_parameters_in_path_matching bool # How paths are matched. # idle: a bare file sends alike by every route
 typed_per_filter_config {}Any # Settings of filters. # idle: filters are not simulated
 metadata config.core.v3.Metadata # Further information, by the filter that needs it. # idle: no filter reads it
 vhost_header string header-name? # The header that names the virtual host. # idle: a bare file sends alike by every route
 route_specifiers []config.core.v3.TypedExtensionConfig # Extensions that choose a route. # idle: extensions are not simulated; a bare file sends alike by every route
config.route.v3.RouteMatch <api.v2.route.RouteMatch !path_specifier
 prefix string oneof=path_specifier
 path string oneof=path_specifier
 safe_regex type.matcher.v3.RegexMatcher oneof=path_specifier required
 connect_matcher .ConnectMatcher oneof=path_specifier
 path_separated_prefix string oneof=path_specifier pattern="^[^?#]+[^?#/]$"
 path_match_policy config.core.v3.TypedExtensionConfig oneof=path_specifier
 case_sensitive BoolValue
 runtime_fraction config.core.v3.RuntimeFractionalPercent
 headers []config.route.v3.HeaderMatcher
 query_parameters []config.route.v3.QueryParameterMatcher
 grpc .GrpcRouteMatchOptions
 tls_context .TlsContextMatchOptions
 dynamic_metadata []type.matcher.v3.MetadataMatcher
 cookies []config.route.v3.CookieMatcher
 filter_state []type.matcher.v3.FilterStateMatcher
config.route.v3.RouteMatch.ConnectMatcher
config.route.v3.RouteMatch.GrpcRouteMatchOptions <api.v2.route.RouteMatch.GrpcRouteMatchOptions
config.route.v3.RouteMatch.TlsContextMatchOptions <api.v2.route.RouteMatch.TlsContextMatchOptions
 presented BoolValue
 validated BoolValue
config.route.v3.ScopedRouteConfiguration <api.v2.ScopedRouteConfiguration
 on_demand bool
 name string len>=1
 route_configuration_name string
 route_configuration config.route.v3.RouteConfiguration
 key .Key required
config.route.v3.ScopedRouteConfiguration.Key <api.v2.ScopedRouteConfiguration.Key
 fragments [].Fragment items>=1
config.route.v3.ScopedRouteConfiguration.Key.Fragment <api.v2.ScopedRouteConfiguration.Key.Fragment !type
 string_key string oneof=type
config.route.v3.Tracing <api.v2.route.Tracing
 client_sampling type.v3.FractionalPercent
 random_sampling type.v3.FractionalPercent
 overall_sampling type.v3.FractionalPercent
 custom_tags []type.tracing.v3.CustomTag
 operation string
 upstream_operation string
config.route.v3.Vhds <api.v2.Vhds
 config_source config.core.v3.ConfigSource required
config.route.v3.VirtualCluster <api.v2.route.VirtualCluster
 headers []config.route.v3.HeaderMatcher
 name string len>=1
config.route.v3.VirtualHost <api.v2.route.VirtualHost
 name string len>=1
 domains []string items>=1 each:header-value?
 routes []config.route.v3.Route
 matcher xds.type.matcher.v3.Matcher # Routes in another form. # lacking: no request is sent by the routes in it
 require_tls =.TlsRequirementType defined
 virtual_clusters []config.route.v3.VirtualCluster
 rate_limits []config.route.v3.RateLimit
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name? each:len>=1
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 response_headers_to_remove []string each:header-name? each:len>=1
 cors config.route.v3.CorsPolicy deprecated
 typed_per_filter_config {}Any
 include_request_attempt_count bool
 include_attempt_count_in_response bool
 retry_policy config.route.v3.RetryPolicy
 retry_policy_typed_config Any
 hedge_policy config.route.v3.HedgePolicy
 include_is_timeout_retry_header bool # Adds a header to retries. # idle: a simulated host answers alike whatever it is sent
 per_request_buffer_limit_bytes UInt32Value deprecated
 request_mirror_policies []config.route.v3.RouteAction.RequestMirrorPolicy # Sends copies of requests to another cluster. # lacking: that cluster gets the copies besides its own requests
 metadata config.core.v3.Metadata # Further information, by the filter that needs it. # idle: no filter reads it
 request_body_buffer_limit UInt64Value # Limit on buffers. # idle: bytes are not simulated
 route_specifiers []config.core.v3.TypedExtensionConfig # Extensions that choose a route. # idle: extensions are not simulated; a bare file sends alike by every route
config.route.v3.WeightedCluster <api.v2.route.WeightedCluster
 clusters [].ClusterWeight items>=1
 total_weight UInt32Value deprecated
 runtime_key_prefix string
 header_name string oneof=random_value_specifier header-name? # The header with the number that chooses the cluster. # lacking: clients of a proxy choose the cluster by it; here it is drawn by weight
 use_hash_policy BoolValue oneof=random_value_specifier # The hash of a request chooses the cluster. # lacking: requests of one hash go to one cluster then; here it is drawn by weight
config.route.v3.WeightedCluster.ClusterWeight <api.v2.route.WeightedCluster.ClusterWeight
 name string
 cluster_header string header-name? # The header that names the cluster. # lacking: nothing is known of which it names: no request is sent there
 weight UInt32Value
 metadata_match config.core.v3.Metadata
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_remove []string each:header-name?
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 response_headers_to_remove []string each:header-name?
 typed_per_filter_config {}Any
 host_rewrite_literal string oneof=host_rewrite_specifier header-value? # Rewrites the host. # idle: a simulated host answers alike to every host header
config.tap.v3.BufferedAdminSink
 max_traces uint64 >0
 timeout Duration
config.tap.v3.FilePerTapSink <service.tap.v2alpha.FilePerTapSink
 path_prefix string len>=1
config.tap.v3.HttpGenericBodyMatch
 bytes_limit uint32
 patterns [].GenericTextMatch items>=1
config.tap.v3.HttpGenericBodyMatch.GenericTextMatch !rule
 string_match string oneof=rule len>=1
 binary_match bytes oneof=rule len>=1
config.tap.v3.HttpHeadersMatch <service.tap.v2alpha.HttpHeadersMatch
 headers []config.route.v3.HeaderMatcher
config.tap.v3.MatchPredicate <service.tap.v2alpha.MatchPredicate !rule
 or_match .MatchSet oneof=rule
 and_match .MatchSet oneof=rule
 not_match config.tap.v3.MatchPredicate oneof=rule
 any_match bool oneof=rule const=true
 http_request_headers_match config.tap.v3.HttpHeadersMatch oneof=rule
 http_request_trailers_match config.tap.v3.HttpHeadersMatch oneof=rule
 http_response_headers_match config.tap.v3.HttpHeadersMatch oneof=rule
 http_response_trailers_match config.tap.v3.HttpHeadersMatch oneof=rule
 http_request_generic_body_match config.tap.v3.HttpGenericBodyMatch oneof=rule
 http_response_generic_body_match config.tap.v3.HttpGenericBodyMatch oneof=rule
config.tap.v3.MatchPredicate.MatchSet <service.tap.v2alpha.MatchPredicate.MatchSet
 rules []config.tap.v3.MatchPredicate items>=2
config.tap.v3.OutputConfig <service.tap.v2alpha.OutputConfig
 sinks []config.tap.v3.OutputSink items>=1 items<=1
 max_buffered_rx_bytes UInt32Value
 max_buffered_tx_bytes UInt32Value
 streaming bool
 min_streamed_sent_bytes UInt32Value
config.tap.v3.OutputSink <service.tap.v2alpha.OutputSink !output_sink_type
 format =.Format defined
 streaming_admin config.tap.v3.StreamingAdminSink oneof=output_sink_type
 file_per_tap config.tap.v3.FilePerTapSink oneof=output_sink_type
 streaming_grpc config.tap.v3.StreamingGrpcSink oneof=output_sink_type
 buffered_admin config.tap.v3.BufferedAdminSink oneof=output_sink_type
 custom_sink config.core.v3.TypedExtensionConfig oneof=output_sink_type
config.tap.v3.StreamingAdminSink <service.tap.v2alpha.StreamingAdminSink
config.tap.v3.StreamingGrpcSink <service.tap.v2alpha.StreamingGrpcSink
 tap_id string
 grpc_service config.core.v3.GrpcService required
config.tap.v3.TapConfig <service.tap.v2alpha.TapConfig
 match_config config.tap.v3.MatchPredicate deprecated
 match config.common.matcher.v3.MatchPredicate
 output_config config.tap.v3.OutputConfig required
 tap_enabled config.core.v3.RuntimeFractionalPercent
config.trace.v3.ClientConfig
 service_name string
 instance_name string
 backend_token string oneof=backend_token_specifier sensitive
 max_cache_size UInt32Value
config.trace.v3.DatadogConfig <config.trace.v2.DatadogConfig
 collector_cluster string len>=1
 service_name string len>=1
 collector_hostname string
 remote_config config.trace.v3.DatadogRemoteConfig
config.trace.v3.DatadogRemoteConfig
 polling_interval Duration
config.trace.v3.DynamicOtConfig <config.trace.v2.DynamicOtConfig
 library string deprecated disallowed len>=1
 config Struct deprecated disallowed
config.trace.v3.LightstepConfig <config.trace.v2.LightstepConfig
 collector_cluster string len>=1
 access_token_file string deprecated
 access_token config.core.v3.DataSource
 propagation_modes []=.PropagationMode each:defined
config.trace.v3.OpenCensusConfig <config.trace.v2.OpenCensusConfig
 trace_config opencensus.proto.trace.v1.TraceConfig deprecated disallowed
 stdout_exporter_enabled bool deprecated disallowed
 stackdriver_exporter_enabled bool deprecated disallowed
 stackdriver_project_id string deprecated disallowed
 stackdriver_address string deprecated disallowed
 stackdriver_grpc_service config.core.v3.GrpcService deprecated disallowed
 zipkin_exporter_enabled bool deprecated disallowed
 zipkin_url string deprecated disallowed
 ocagent_exporter_enabled bool deprecated disallowed
 ocagent_address string deprecated disallowed
 ocagent_grpc_service config.core.v3.GrpcService deprecated disallowed
 incoming_trace_context []=.TraceContext deprecated disallowed
 outgoing_trace_context []=.TraceContext deprecated disallowed
config.trace.v3.OpenTelemetryConfig
 grpc_service config.core.v3.GrpcService
 http_service config.core.v3.HttpService
 service_name string
 resource_detectors []config.core.v3.TypedExtensionConfig
 sampler config.core.v3.TypedExtensionConfig
 exporter config.core.v3.TypedExtensionConfig
 max_cache_size UInt32Value
 set_telemetry_sdk_resource_attributes BoolValue
 set_service_name_resource_attribute BoolValue
 set_instrumentation_scope BoolValue
config.trace.v3.SkyWalkingConfig
 grpc_service config.core.v3.GrpcService required
 client_config config.trace.v3.ClientConfig
config.trace.v3.TraceServiceConfig <config.trace.v2.TraceServiceConfig
 grpc_service config.core.v3.GrpcService required
config.trace.v3.Tracing <config.trace.v2.Tracing
 http .Http
config.trace.v3.Tracing.Http <config.trace.v2.Tracing.Http
 name string len>=1
 typed_config Any oneof=config_type
config.trace.v3.XRayConfig <config.trace.v2alpha.XRayConfig
 daemon_endpoint config.core.v3.SocketAddress
 segment_name string len>=1
 sampling_rule_manifest config.core.v3.DataSource
 segment_fields .SegmentFields
config.trace.v3.XRayConfig.SegmentFields
 origin string
 aws Struct
config.trace.v3.ZipkinConfig <config.trace.v2.ZipkinConfig
 collector_cluster string
 collector_endpoint string
 trace_id_128bit bool
 shared_span_context BoolValue
 collector_endpoint_version =.CollectorEndpointVersion
 collector_hostname string
 split_spans_for_request bool deprecated
 trace_context_option =.TraceContextOption
 collector_service config.core.v3.HttpService
 timestamp_trace_ids bool
data.dns.v3.DnsTable <data.dns.v2alpha.DnsTable
 external_retry_count uint32 <=3
 virtual_domains [].DnsVirtualDomain
 known_suffixes []type.matcher.v3.StringMatcher deprecated
data.dns.v3.DnsTable.AddressList <data.dns.v2alpha.DnsTable.AddressList
 address []string items>=1 each:len>=3
data.dns.v3.DnsTable.DnsEndpoint <data.dns.v2alpha.DnsTable.DnsEndpoint !endpoint_config
 address_list data.dns.v3.DnsTable.AddressList oneof=endpoint_config
 cluster_name string oneof=endpoint_config
 service_list data.dns.v3.DnsTable.DnsServiceList oneof=endpoint_config
data.dns.v3.DnsTable.DnsService
 service_name string header-name len>=1
 protocol data.dns.v3.DnsTable.DnsServiceProtocol
 ttl Duration >=1s
 targets []data.dns.v3.DnsTable.DnsServiceTarget items>=1
data.dns.v3.DnsTable.DnsServiceList
 services []data.dns.v3.DnsTable.DnsService items>=1
data.dns.v3.DnsTable.DnsServiceProtocol !protocol_config
 number uint32 oneof=protocol_config <255
 name string oneof=protocol_config header-name len>=1
data.dns.v3.DnsTable.DnsServiceTarget !endpoint_type
 host_name string oneof=endpoint_type header-name len>=1
 cluster_name string oneof=endpoint_type header-name len>=1
 priority uint32 <65536
 weight uint32 <65536
 port uint32 <65536
data.dns.v3.DnsTable.DnsVirtualDomain <data.dns.v2alpha.DnsTable.DnsVirtualDomain
 name string header-name len>=1
 endpoint data.dns.v3.DnsTable.DnsEndpoint
 answer_ttl Duration >=30s
extensions.access_loggers.dynamic_modules.v3.DynamicModuleAccessLog
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 logger_name string
 logger_config Any
extensions.access_loggers.file.v3.FileAccessLog <config.accesslog.v2.FileAccessLog
 path string len>=1
 format string oneof=access_log_format deprecated
 json_format Struct oneof=access_log_format deprecated
 typed_json_format Struct oneof=access_log_format deprecated
 log_format config.core.v3.SubstitutionFormatString oneof=access_log_format required
extensions.access_loggers.filters.cel.v3.ExpressionFilter
 expression string
 cel_config config.core.v3.CelExpressionConfig
extensions.access_loggers.filters.process_ratelimit.v3.DynamicTokenBucket
 resource_name string len>=1
 config_source config.core.v3.ConfigSource required
extensions.access_loggers.filters.process_ratelimit.v3.ProcessRateLimitFilter
 dynamic_config extensions.access_loggers.filters.process_ratelimit.v3.DynamicTokenBucket
extensions.access_loggers.fluentd.v3.FluentdAccessLogConfig
 cluster string len>=1
 tag string len>=1
 stat_prefix string len>=1
 buffer_flush_interval Duration >0s
 buffer_size_bytes UInt32Value
 record Struct required
 retry_options .RetryOptions
 formatters []config.core.v3.TypedExtensionConfig
extensions.access_loggers.fluentd.v3.FluentdAccessLogConfig.RetryOptions
 max_connect_attempts UInt32Value
 backoff_options config.core.v3.BackoffStrategy
extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig <config.accesslog.v2.CommonGrpcAccessLogConfig
 log_name string len>=1
 grpc_service config.core.v3.GrpcService required
 transport_api_version =config.core.v3.ApiVersion defined
 buffer_flush_interval Duration >0s
 buffer_size_bytes UInt32Value
 filter_state_objects_to_log []string
 grpc_stream_retry_policy config.core.v3.RetryPolicy
 custom_tags []type.tracing.v3.CustomTag
extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig <config.accesslog.v2.HttpGrpcAccessLogConfig
 common_config extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig required
 additional_request_headers_to_log []string
 additional_response_headers_to_log []string
 additional_response_trailers_to_log []string
extensions.access_loggers.grpc.v3.TcpGrpcAccessLogConfig <config.accesslog.v2.TcpGrpcAccessLogConfig
 common_config extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig required
extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig
 common_config extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig deprecated
 disable_builtin_labels bool
 resource_attributes opentelemetry.proto.common.v1.KeyValueList
 body opentelemetry.proto.common.v1.AnyValue
 attributes opentelemetry.proto.common.v1.KeyValueList
 stat_prefix string
 formatters []config.core.v3.TypedExtensionConfig
 http_service config.core.v3.HttpService
 grpc_service config.core.v3.GrpcService
 resource_detectors []config.core.v3.TypedExtensionConfig
 log_name string
 buffer_flush_interval Duration
 buffer_size_bytes UInt32Value
 filter_state_objects_to_log []string
 custom_tags []type.tracing.v3.CustomTag
extensions.access_loggers.stats.v3.Config
 stat_prefix string deprecated
 stats_scope type.v3.Scope
 histograms [].Histogram
 counters [].Counter
 gauges [].Gauge
extensions.access_loggers.stats.v3.Config.Counter
 stat extensions.access_loggers.stats.v3.Config.Stat required
 value_format string prefix="%" suffix="%" or-empty
 value_fixed UInt64Value >0
extensions.access_loggers.stats.v3.Config.Gauge
 stat extensions.access_loggers.stats.v3.Config.Stat required
 value_format string prefix="%" suffix="%" or-empty
 value_fixed UInt64Value >0
 add_subtract .PairedAddSubtract
 set .Set
extensions.access_loggers.stats.v3.Config.Gauge.PairedAddSubtract
 add_log_type =data.accesslog.v3.AccessLogType defined
 sub_log_type =data.accesslog.v3.AccessLogType defined
extensions.access_loggers.stats.v3.Config.Gauge.Set
 log_type =data.accesslog.v3.AccessLogType defined
extensions.access_loggers.stats.v3.Config.Histogram
 stat extensions.access_loggers.stats.v3.Config.Stat required
 unit =.Unit defined
 value_format string len>=1 prefix="%" suffix="%"
extensions.access_loggers.stats.v3.Config.Stat
 name string len>=1
 tags []extensions.access_loggers.stats.v3.Config.Tag
extensions.access_loggers.stats.v3.Config.Tag
 name string len>=1
 value_format string len>=1
 rules xds.type.matcher.v3.Matcher
extensions.access_loggers.stream.v3.StderrAccessLog
 log_format config.core.v3.SubstitutionFormatString oneof=access_log_format required
extensions.access_loggers.stream.v3.StdoutAccessLog
 log_format config.core.v3.SubstitutionFormatString oneof=access_log_format required
extensions.access_loggers.wasm.v3.WasmAccessLog
 config extensions.wasm.v3.PluginConfig
extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 extension_name string
 extension_config Any
extensions.bootstrap.internal_listener.v3.InternalListener
 buffer_size_kb UInt32Value <=8192 >=1
extensions.bootstrap.reverse_tunnel.downstream_socket_interface.v3.DownstreamReverseConnectionSocketInterface
 stat_prefix string
 enable_detailed_stats bool
 http_handshake .HttpHandshakeConfig
 access_log []config.accesslog.v3.AccessLog
 max_reconnect_backoff Duration >=1s
 maintain_interval Duration >=0.100s
extensions.bootstrap.reverse_tunnel.downstream_socket_interface.v3.DownstreamReverseConnectionSocketInterface.HttpHandshakeConfig
 request_path string
 additional_headers []config.core.v3.HeaderValueOption
 use_http_upgrade bool
 formatters []config.core.v3.TypedExtensionConfig
 handshake_timeout Duration <=300s >0s
extensions.bootstrap.reverse_tunnel.upstream_socket_interface.v3.UpstreamReverseConnectionSocketInterface
 stat_prefix string
 ping_failure_threshold UInt32Value >=1
 enable_detailed_stats bool
 reporter_config config.core.v3.TypedExtensionConfig
 enable_tenant_isolation BoolValue
 access_log []config.accesslog.v3.AccessLog
 max_connections_per_node uint32
extensions.clusters.aggregate.v3.AggregateClusterResource
 config_source config.core.v3.ConfigSource required
 resource_name string len>=1
extensions.clusters.aggregate.v3.ClusterConfig <config.cluster.aggregate.v2alpha.ClusterConfig
 clusters []string items>=1
extensions.clusters.composite.v3.ClusterConfig
 clusters [].ClusterEntry items>=1
extensions.clusters.composite.v3.ClusterConfig.ClusterEntry
 name string len>=1
extensions.clusters.dns.v3.DnsCluster
 dns_refresh_rate Duration >0.001s # Time between queries.
 dns_failure_refresh_rate .RefreshRate # The same while queries fail.
 respect_dns_ttl bool # Query again when the TTL of the answer is over.
 dns_jitter Duration >=0s # Queries are put off by up to this much. # idle: queries keep to dns_refresh_rate
 typed_dns_resolver_config config.core.v3.TypedExtensionConfig # DNS servers. # idle: names are resolved by \`dns\` of the scenario
 dns_lookup_family =extensions.clusters.common.dns.v3.DnsLookupFamily # Which addresses are asked for.
 all_addresses_in_single_endpoint bool # Whether all addresses of a name are one host, as with LOGICAL_DNS.
 dns_min_refresh_rate Duration >=1s # Least time between queries. # lacking: a proxy asks no sooner than this, however short the TTL of an answer
extensions.clusters.dns.v3.DnsCluster.RefreshRate
 base_interval Duration required >0.001s
 max_interval Duration >0.001s
extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig <config.cluster.dynamic_forward_proxy.v2alpha.ClusterConfig
 dns_cache_config extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig oneof=cluster_implementation_specifier
 sub_clusters_config extensions.clusters.dynamic_forward_proxy.v3.SubClustersConfig oneof=cluster_implementation_specifier
 allow_insecure_cluster_options bool
 allow_coalesced_connections bool
extensions.clusters.dynamic_forward_proxy.v3.SubClustersConfig
 lb_policy =config.cluster.v3.Cluster.LbPolicy defined
 max_sub_clusters UInt32Value >0
 sub_cluster_ttl Duration >0s
 preresolve_clusters []config.core.v3.SocketAddress
 dns_cluster_config extensions.clusters.dns.v3.DnsCluster
extensions.clusters.dynamic_modules.v3.ClusterConfig
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 cluster_name string len>=1
 cluster_config Any
extensions.clusters.mcp_multicluster.v3.ClusterConfig
 servers [].McpBackend items>=1
extensions.clusters.mcp_multicluster.v3.ClusterConfig.HeaderForwarding
 forward_all bool
 allowed_headers type.matcher.v3.ListStringMatcher
 disallowed_headers type.matcher.v3.ListStringMatcher
extensions.clusters.mcp_multicluster.v3.ClusterConfig.McpBackend
 name string
 mcp_cluster extensions.clusters.mcp_multicluster.v3.ClusterConfig.McpCluster
 header_forwarding extensions.clusters.mcp_multicluster.v3.ClusterConfig.HeaderForwarding
extensions.clusters.mcp_multicluster.v3.ClusterConfig.McpCluster
 cluster string len>=1
 path string
 timeout Duration
 host_rewrite_literal string
extensions.clusters.original_dst.v3.OriginalDstCluster
 use_http_header bool
 http_header_name string
 upstream_port_override UInt32Value <=65535
 metadata_key type.metadata.v3.MetadataKey
extensions.clusters.redis.v3.RedisClusterConfig <config.cluster.redis.RedisClusterConfig
 cluster_refresh_rate Duration >0s
 cluster_refresh_timeout Duration >0s
 redirect_refresh_interval Duration
 redirect_refresh_threshold UInt32Value
 failure_refresh_threshold uint32
 host_degraded_refresh_threshold uint32
 enable_zone_discovery BoolValue
extensions.clusters.reverse_connection.v3.ReverseConnectionClusterConfig
 cleanup_interval Duration >0s
 host_id_format string len>=1
 tenant_id_format string len<=1024 or-empty
extensions.common.async_files.v3.AsyncFileManagerConfig !manager_type
 id string
 thread_pool .ThreadPool oneof=manager_type
extensions.common.async_files.v3.AsyncFileManagerConfig.ThreadPool
 thread_count uint32 <=1024
extensions.common.aws.v3.AssumeRoleCredentialProvider
 role_arn string len>=1
 role_session_name string
 external_id string
 session_duration Duration <=43200s >=900s
 credential_provider extensions.common.aws.v3.AwsCredentialProvider
extensions.common.aws.v3.AssumeRoleWithWebIdentityCredentialProvider
 web_identity_token_data_source config.core.v3.DataSource sensitive
 role_arn string len>=1
 role_session_name string
extensions.common.aws.v3.AwsCredentialProvider
 assume_role_with_web_identity_provider extensions.common.aws.v3.AssumeRoleWithWebIdentityCredentialProvider
 inline_credential extensions.common.aws.v3.InlineCredentialProvider
 credentials_file_provider extensions.common.aws.v3.CredentialsFileCredentialProvider
 custom_credential_provider_chain bool
 iam_roles_anywhere_credential_provider extensions.common.aws.v3.IAMRolesAnywhereCredentialProvider
 config_credential_provider extensions.common.aws.v3.ConfigCredentialProvider
 container_credential_provider extensions.common.aws.v3.ContainerCredentialProvider
 environment_credential_provider extensions.common.aws.v3.EnvironmentCredentialProvider
 instance_profile_credential_provider extensions.common.aws.v3.InstanceProfileCredentialProvider
 assume_role_credential_provider extensions.common.aws.v3.AssumeRoleCredentialProvider
extensions.common.aws.v3.ConfigCredentialProvider
extensions.common.aws.v3.ContainerCredentialProvider
extensions.common.aws.v3.CredentialsFileCredentialProvider
 credentials_data_source config.core.v3.DataSource sensitive
 profile string
extensions.common.aws.v3.EnvironmentCredentialProvider
extensions.common.aws.v3.IAMRolesAnywhereCredentialProvider
 role_arn string len>=1
 certificate config.core.v3.DataSource required
 certificate_chain config.core.v3.DataSource
 private_key config.core.v3.DataSource sensitive required
 trust_anchor_arn string len>=1
 profile_arn string len>=1
 role_session_name string
 session_duration Duration <=43200s >=900s
extensions.common.aws.v3.InlineCredentialProvider
 access_key_id string len>=1
 secret_access_key string sensitive len>=1
 session_token string sensitive
extensions.common.aws.v3.InstanceProfileCredentialProvider
extensions.common.dynamic_forward_proxy.v3.DnsCacheCircuitBreakers
 max_pending_requests UInt32Value
extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig <config.common.dynamic_forward_proxy.v2alpha.DnsCacheConfig
 name string len>=1
 dns_lookup_family =config.cluster.v3.Cluster.DnsLookupFamily defined
 dns_refresh_rate Duration >=0.001s
 dns_min_refresh_rate Duration >=1s
 host_ttl Duration >0s
 max_hosts UInt32Value >0
 dns_failure_refresh_rate config.cluster.v3.Cluster.RefreshRate
 dns_cache_circuit_breaker extensions.common.dynamic_forward_proxy.v3.DnsCacheCircuitBreakers
 use_tcp_for_dns_lookups bool deprecated
 dns_resolution_config config.core.v3.DnsResolutionConfig deprecated
 typed_dns_resolver_config config.core.v3.TypedExtensionConfig
 preresolve_hostnames []config.core.v3.SocketAddress
 dns_query_timeout Duration >=0s
 key_value_config config.common.key_value.v3.KeyValueStoreConfig
 disable_dns_refresh_on_failure bool
 resolved_address_filter type.matcher.v3.AddressMatcher
extensions.common.matching.v3.ExtensionWithMatcher
 matcher config.common.matcher.v3.Matcher deprecated
 xds_matcher xds.type.matcher.v3.Matcher
 extension_config config.core.v3.TypedExtensionConfig required
extensions.common.matching.v3.ExtensionWithMatcherPerRoute
 xds_matcher xds.type.matcher.v3.Matcher
extensions.common.ratelimit.v3.LocalClusterRateLimit
extensions.common.ratelimit.v3.LocalRateLimitDescriptor
 entries []extensions.common.ratelimit.v3.RateLimitDescriptor.Entry items>=1
 token_bucket type.v3.TokenBucket required
 shadow_mode bool
extensions.common.ratelimit.v3.RateLimitDescriptor <api.v2.ratelimit.RateLimitDescriptor
 entries [].Entry items>=1
 limit .RateLimitOverride
 hits_addend UInt64Value
 is_negative_hits bool
extensions.common.ratelimit.v3.RateLimitDescriptor.Entry <api.v2.ratelimit.RateLimitDescriptor.Entry
 key string len>=1
 value string len>=0
extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride
 requests_per_unit uint32
 unit =type.v3.RateLimitUnit defined
 unit_multiplier UInt32Value >0
extensions.common.tap.v3.AdminConfig <config.common.tap.v2alpha.AdminConfig
 config_id string len>=1
extensions.common.tap.v3.CommonExtensionConfig <config.common.tap.v2alpha.CommonExtensionConfig !config_type
 admin_config extensions.common.tap.v3.AdminConfig oneof=config_type
 static_config config.tap.v3.TapConfig oneof=config_type
extensions.compression.brotli.compressor.v3.Brotli
 quality UInt32Value <=11
 encoder_mode =.EncoderMode defined
 window_bits UInt32Value <=24 >=10
 input_block_bits UInt32Value <=24 >=16
 chunk_size UInt32Value <=65536 >=4096
 disable_literal_context_modeling bool
extensions.compression.brotli.decompressor.v3.Brotli
 disable_ring_buffer_reallocation bool
 chunk_size UInt32Value <=65536 >=4096
extensions.compression.gzip.compressor.v3.Gzip
 memory_level UInt32Value <=9 >=1
 compression_level =.CompressionLevel defined
 compression_strategy =.CompressionStrategy defined
 window_bits UInt32Value <=15 >=9
 chunk_size UInt32Value <=65536 >=4096
extensions.compression.gzip.decompressor.v3.Gzip
 window_bits UInt32Value <=15 >=9
 chunk_size UInt32Value <=65536 >=4096
 max_inflate_ratio UInt32Value <=1032 >=1
extensions.compression.zstd.compressor.v3.Zstd
 compression_level UInt32Value
 enable_checksum bool
 strategy =.Strategy defined
 dictionary config.core.v3.DataSource
 chunk_size UInt32Value <=65536 >=4096
extensions.compression.zstd.decompressor.v3.Zstd
 dictionaries []config.core.v3.DataSource
 chunk_size UInt32Value <=65536 >=4096
extensions.config.validators.dynamic_modules.v3.DynamicModuleConfigValidator
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 extension_name string len>=1
 extension_config Any
 type_urls []string items>=1 items<=1 each:len>=1
extensions.config.validators.minimum_clusters.v3.MinimumClustersValidator
 min_clusters_num uint32
extensions.content_parsers.json.v3.JsonContentParser
 rules [].RuleConfig items>=1
extensions.content_parsers.json.v3.JsonContentParser.RuleConfig
 rule extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Rule required
 stop_processing_after_matches uint32 <=1
extensions.dynamic_modules.v3.DynamicModuleConfig
 name string
 do_not_close bool
 load_globally bool
 metrics_namespace string
 module config.core.v3.AsyncDataSource
 nack_on_cache_miss bool
extensions.early_data.v3.DefaultEarlyDataPolicy
extensions.filters.common.dependency.v3.Dependency
 type =.DependencyType
 name string len>=1
extensions.filters.common.dependency.v3.FilterDependencies
 decode_required []extensions.filters.common.dependency.v3.Dependency
 decode_provided []extensions.filters.common.dependency.v3.Dependency
 encode_required []extensions.filters.common.dependency.v3.Dependency
 encode_provided []extensions.filters.common.dependency.v3.Dependency
extensions.filters.common.dependency.v3.MatchingRequirements
 data_input_allow_list .DataInputAllowList
extensions.filters.common.dependency.v3.MatchingRequirements.DataInputAllowList
 type_url []string
extensions.filters.common.fault.v3.FaultDelay <config.filter.fault.v2.FaultDelay !fault_delay_secifier
 fixed_delay Duration oneof=fault_delay_secifier >0s
 header_delay .HeaderDelay oneof=fault_delay_secifier
 percentage type.v3.FractionalPercent
extensions.filters.common.fault.v3.FaultDelay.HeaderDelay <config.filter.fault.v2.FaultDelay.HeaderDelay
extensions.filters.common.fault.v3.FaultRateLimit <config.filter.fault.v2.FaultRateLimit !limit_type
 fixed_limit .FixedLimit oneof=limit_type
 header_limit .HeaderLimit oneof=limit_type
 percentage type.v3.FractionalPercent
extensions.filters.common.fault.v3.FaultRateLimit.FixedLimit <config.filter.fault.v2.FaultRateLimit.FixedLimit
 limit_kbps uint64 >=1
extensions.filters.common.fault.v3.FaultRateLimit.HeaderLimit <config.filter.fault.v2.FaultRateLimit.HeaderLimit
extensions.filters.common.jwks.v3.JwksAsyncFetch
 fast_listener bool
 failed_refetch_duration Duration
extensions.filters.common.jwks.v3.JwtHandshakeValidator !jwks_source_specifier
 issuer string len>=1 len<=1024
 audiences []string
 local_jwks config.core.v3.DataSource oneof=jwks_source_specifier
 remote_jwks extensions.filters.common.jwks.v3.RemoteJwks oneof=jwks_source_specifier
 token_header string len<=255 or-empty
 claims_metadata_namespace string len<=255 or-empty
 allow_missing_or_failed bool
 clock_skew_seconds uint32
extensions.filters.common.jwks.v3.RemoteJwks
 http_uri config.core.v3.HttpUri required
 cache_duration Duration <9000000000s >=0.001s
 async_fetch extensions.filters.common.jwks.v3.JwksAsyncFetch
 retry_policy config.core.v3.RetryPolicy
extensions.filters.common.matcher.action.v3.SkipFilter
extensions.filters.common.set_filter_state.v3.FilterStateValue !key !value
 object_key string oneof=key len>=1
 factory_key string
 format_string config.core.v3.SubstitutionFormatString oneof=value
 read_only bool deprecated
 shared_with_upstream =.SharedWithUpstream
 skip_if_empty bool
extensions.filters.http.a2a.v3.A2a
 traffic_mode =.TrafficMode defined
 max_request_body_size UInt32Value <=10485760
 parser_config extensions.filters.http.a2a.v3.ParserConfig
 storage_mode =.StorageMode defined
extensions.filters.http.a2a.v3.MethodParsingConfig
 group string
 paths []string
extensions.filters.http.a2a.v3.ParserConfig
 method_configs {}extensions.filters.http.a2a.v3.MethodParsingConfig
 always_extract_attributes []string
 group_metadata_key string
extensions.filters.http.adaptive_concurrency.v3.AdaptiveConcurrency <config.filter.http.adaptive_concurrency.v2alpha.AdaptiveConcurrency !concurrency_controller_config
 gradient_controller_config extensions.filters.http.adaptive_concurrency.v3.GradientControllerConfig oneof=concurrency_controller_config required
 enabled config.core.v3.RuntimeFeatureFlag
 concurrency_limit_exceeded_status type.v3.HttpStatus
extensions.filters.http.adaptive_concurrency.v3.GradientControllerConfig <config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig
 sample_aggregate_percentile type.v3.Percent
 concurrency_limit_params .ConcurrencyLimitCalculationParams required
 min_rtt_calc_params .MinimumRTTCalculationParams required
extensions.filters.http.adaptive_concurrency.v3.GradientControllerConfig.ConcurrencyLimitCalculationParams <config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig.ConcurrencyLimitCalculationParams
 max_concurrency_limit UInt32Value >0
 concurrency_update_interval Duration required >0s
 min_concurrency_limit UInt32Value >0
extensions.filters.http.adaptive_concurrency.v3.GradientControllerConfig.MinimumRTTCalculationParams <config.filter.http.adaptive_concurrency.v2alpha.GradientControllerConfig.MinimumRTTCalculationParams
 interval Duration >=0.001s
 request_count UInt32Value >0
 jitter type.v3.Percent
 min_concurrency UInt32Value >0
 buffer type.v3.Percent
 fixed_value Duration >0s
extensions.filters.http.admission_control.v3.AdmissionControl !evaluation_criteria
 enabled config.core.v3.RuntimeFeatureFlag
 success_criteria .SuccessCriteria oneof=evaluation_criteria
 sampling_window Duration
 aggression config.core.v3.RuntimeDouble
 sr_threshold config.core.v3.RuntimePercent
 rps_threshold config.core.v3.RuntimeUInt32
 max_rejection_probability config.core.v3.RuntimePercent
extensions.filters.http.admission_control.v3.AdmissionControl.SuccessCriteria
 http_criteria .HttpCriteria
 grpc_criteria .GrpcCriteria
extensions.filters.http.admission_control.v3.AdmissionControl.SuccessCriteria.GrpcCriteria
 grpc_success_status []uint32 items>=1
extensions.filters.http.admission_control.v3.AdmissionControl.SuccessCriteria.HttpCriteria
 http_success_status []type.v3.Int32Range items>=1
extensions.filters.http.ai_protocol_manager.v3.AiProtocolManager
 request_handling extensions.filters.http.ai_protocol_manager.v3.RequestHandling
 response_handling extensions.filters.http.ai_protocol_manager.v3.ResponseHandling
 filters []config.core.v3.TypedExtensionConfig
extensions.filters.http.ai_protocol_manager.v3.AiProtocolManagerPerRoute
 request extensions.filters.http.ai_protocol_manager.v3.RequestPerRoute
 response extensions.filters.http.ai_protocol_manager.v3.ResponsePerRoute
extensions.filters.http.ai_protocol_manager.v3.RequestHandling
 parse_unconfigured_routes bool
 limits extensions.filters.http.ai_protocol_manager.v3.RequestParsingLimits
 reserialize_body =.BodyReserialization defined
extensions.filters.http.ai_protocol_manager.v3.RequestParsingLimits
 inline_string_threshold_bytes UInt32Value <=1048576 >=64
extensions.filters.http.ai_protocol_manager.v3.RequestPerRoute
 llm_protocol =type.ai.v3.LLMProtocol defined
extensions.filters.http.ai_protocol_manager.v3.ResponseHandling
 token_usage extensions.filters.http.ai_protocol_manager.v3.TokenUsageExtraction
extensions.filters.http.ai_protocol_manager.v3.ResponsePerRoute
 llm_protocol =type.ai.v3.LLMProtocol defined
extensions.filters.http.ai_protocol_manager.v3.TokenUsageExtraction
 include_unconfigured_routes bool
 default_llm_protocol =type.ai.v3.LLMProtocol defined
 metadata_namespace string
 limits extensions.filters.http.ai_protocol_manager.v3.TokenUsageExtractionLimits
 usage_signal =.UsageSignal defined
extensions.filters.http.ai_protocol_manager.v3.TokenUsageExtractionLimits
 max_sse_event_size UInt32Value <=10485760 >=1
 max_json_body_size UInt32Value <=10485760 >=1
 max_parsed_sse_events UInt32Value >=1
extensions.filters.http.alternate_protocols_cache.v3.FilterConfig
 alternate_protocols_cache_options config.core.v3.AlternateProtocolsCacheOptions deprecated
extensions.filters.http.api_key_auth.v3.ApiKeyAuth
 credentials []extensions.filters.http.api_key_auth.v3.Credential sensitive
 key_sources []extensions.filters.http.api_key_auth.v3.KeySource
 forwarding extensions.filters.http.api_key_auth.v3.Forwarding
extensions.filters.http.api_key_auth.v3.ApiKeyAuthPerRoute
 credentials []extensions.filters.http.api_key_auth.v3.Credential sensitive
 key_sources []extensions.filters.http.api_key_auth.v3.KeySource
 allowed_clients []string
 forwarding extensions.filters.http.api_key_auth.v3.Forwarding
extensions.filters.http.api_key_auth.v3.Credential
 key string len>=1
 client string len>=1
extensions.filters.http.api_key_auth.v3.Forwarding
 header string header-name? len<=1024
 hide_credentials bool
extensions.filters.http.api_key_auth.v3.KeySource
 header string header-name? len<=1024 or-empty
 query string len<=1024
 cookie string header-name? len<=1024 or-empty
extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser
 response_rules .ProcessingRules required
extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.HeaderKeyValuePair
 metadata_namespace string
 key string len>=1
 value Value
extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.HeaderRule
 header_name string len>=1
 on_present extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.HeaderKeyValuePair
 on_missing extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.HeaderKeyValuePair
 stop_processing_after_matches UInt32Value <=1
extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.ProcessingRules
 content_parser config.core.v3.TypedExtensionConfig required
 header_rules []extensions.filters.http.aws_eventstream_parser.v3.AwsEventstreamParser.HeaderRule
extensions.filters.http.aws_lambda.v3.Config <config.filter.http.aws_lambda.v2alpha.Config
 arn string len>=1
 payload_passthrough bool
 invocation_mode =.InvocationMode defined
 host_rewrite string
 credentials_profile string
 credentials extensions.filters.http.aws_lambda.v3.Credentials
 match_excluded_headers []type.matcher.v3.StringMatcher
 match_included_headers []type.matcher.v3.StringMatcher
extensions.filters.http.aws_lambda.v3.Credentials
 access_key_id string len>=1
 secret_access_key string len>=1
 session_token string
extensions.filters.http.aws_lambda.v3.PerRouteConfig <config.filter.http.aws_lambda.v2alpha.PerRouteConfig
 invoke_config extensions.filters.http.aws_lambda.v3.Config
extensions.filters.http.aws_request_signing.v3.AwsRequestSigning <config.filter.http.aws_request_signing.v2alpha.AwsRequestSigning
 service_name string len>=1
 region string
 host_rewrite string
 use_unsigned_payload bool
 match_excluded_headers []type.matcher.v3.StringMatcher
 signing_algorithm =.SigningAlgorithm
 query_string .QueryString
 credential_provider extensions.common.aws.v3.AwsCredentialProvider
 match_included_headers []type.matcher.v3.StringMatcher
extensions.filters.http.aws_request_signing.v3.AwsRequestSigning.QueryString
 expiration_time Duration <=3600s >=1s
extensions.filters.http.aws_request_signing.v3.AwsRequestSigningPerRoute
 aws_request_signing extensions.filters.http.aws_request_signing.v3.AwsRequestSigning
 stat_prefix string len>=1
extensions.filters.http.bandwidth_limit.v3.BandwidthLimit
 stat_prefix string len>=1
 enable_mode =.EnableMode defined
 limit_kbps UInt64Value >=1
 fill_interval Duration <=1s >=0.02s
 runtime_enabled config.core.v3.RuntimeFeatureFlag
 enable_response_trailers bool
 response_trailer_prefix string header-name?
extensions.filters.http.bandwidth_share.v3.BandwidthShare
 request_limit .Limit
 response_limit .Limit
 fill_interval Duration <=1s >=0.020s
 enable_response_trailers bool
 response_trailer_prefix string header-name?
 tenant_name_selector xds.type.matcher.v3.Matcher
 tenant_configs {}.TenantConfig
 default_tenant_config .TenantConfig
extensions.filters.http.bandwidth_share.v3.BandwidthShare.Limit
 bucket_id string
 kbps config.core.v3.RuntimeUInt32 required
extensions.filters.http.bandwidth_share.v3.BandwidthShare.TenantConfig
 weight uint32
 include_stats_tag bool
extensions.filters.http.basic_auth.v3.BasicAuth
 users config.core.v3.DataSource sensitive
 forward_username_header string header-name?
 authentication_header string header-name?
 allow_missing bool
 emit_dynamic_metadata bool
 realm string pattern="^[^\\\\x00-\\\\x1f\\\\x7f]*$"
extensions.filters.http.basic_auth.v3.BasicAuthPerRoute
 users config.core.v3.DataSource sensitive required
 realm string pattern="^[^\\\\x00-\\\\x1f\\\\x7f]*$"
extensions.filters.http.body_size_limit.v3.BodySizeLimit
 max_request_bytes UInt64Value >0
extensions.filters.http.buffer.v3.Buffer <config.filter.http.buffer.v2.Buffer
 max_request_bytes UInt32Value >0 required
extensions.filters.http.buffer.v3.BufferPerRoute <config.filter.http.buffer.v2.BufferPerRoute !override
 disabled bool oneof=override const=true
 buffer extensions.filters.http.buffer.v3.Buffer oneof=override required
extensions.filters.http.cache.v3.CacheConfig <config.filter.http.cache.v2alpha.CacheConfig
 typed_config Any
 disabled BoolValue
 allowed_vary_headers []type.matcher.v3.StringMatcher
 key_creator_params .KeyCreatorParams
 max_body_bytes uint32
 ignore_request_cache_control_header bool
extensions.filters.http.cache.v3.CacheConfig.KeyCreatorParams <config.filter.http.cache.v2alpha.CacheConfig.KeyCreatorParams
 exclude_scheme bool
 exclude_host bool
 query_parameters_included []config.route.v3.QueryParameterMatcher
 query_parameters_excluded []config.route.v3.QueryParameterMatcher
extensions.filters.http.cache_v2.v3.CacheV2Config
 typed_config Any
 disabled BoolValue
 allowed_vary_headers []type.matcher.v3.StringMatcher
 key_creator_params .KeyCreatorParams
 max_body_bytes uint32
 ignore_request_cache_control_header bool
 override_upstream_cluster string
extensions.filters.http.cache_v2.v3.CacheV2Config.KeyCreatorParams
 exclude_scheme bool
 exclude_host bool
 query_parameters_included []config.route.v3.QueryParameterMatcher
 query_parameters_excluded []config.route.v3.QueryParameterMatcher
extensions.filters.http.cdn_loop.v3.CdnLoopConfig
 cdn_id string len>=1
 max_allowed_occurrences uint32
extensions.filters.http.composite.v3.Composite
 named_filter_chains {}extensions.filters.http.composite.v3.FilterChainConfiguration
 matcher xds.type.matcher.v3.Matcher
extensions.filters.http.composite.v3.CompositePerRoute
 matcher xds.type.matcher.v3.Matcher required
extensions.filters.http.composite.v3.DynamicConfig
 name string len>=1
 config_discovery config.core.v3.ExtensionConfigSource
extensions.filters.http.composite.v3.ExecuteFilterAction
 typed_config config.core.v3.TypedExtensionConfig
 dynamic_config extensions.filters.http.composite.v3.DynamicConfig
 sample_percent config.core.v3.RuntimeFractionalPercent
 filter_chain extensions.filters.http.composite.v3.FilterChainConfiguration
 filter_chain_name string
extensions.filters.http.composite.v3.FilterChainConfiguration
 typed_config []config.core.v3.TypedExtensionConfig
extensions.filters.http.compressor.v3.Compressor <config.filter.http.compressor.v2.Compressor
 content_length UInt32Value deprecated
 content_type []string deprecated
 disable_on_etag_header bool deprecated
 remove_accept_encoding_header bool deprecated
 runtime_enabled config.core.v3.RuntimeFeatureFlag deprecated
 compressor_library config.core.v3.TypedExtensionConfig required
 request_direction_config .RequestDirectionConfig
 response_direction_config .ResponseDirectionConfig
 choose_first bool
extensions.filters.http.compressor.v3.Compressor.CommonDirectionConfig
 enabled config.core.v3.RuntimeFeatureFlag
 min_content_length UInt32Value
 content_type []string deprecated
 content_type_matcher []type.matcher.v3.StringMatcher
extensions.filters.http.compressor.v3.Compressor.RequestDirectionConfig
 common_config extensions.filters.http.compressor.v3.Compressor.CommonDirectionConfig
extensions.filters.http.compressor.v3.Compressor.ResponseDirectionConfig
 common_config extensions.filters.http.compressor.v3.Compressor.CommonDirectionConfig
 disable_on_etag_header bool
 remove_accept_encoding_header bool
 weaken_etag_on_compress bool
 uncompressible_response_codes []uint32 unique each:<600 each:>=200
 status_header_enabled bool
extensions.filters.http.compressor.v3.CompressorOverrides
 response_direction_config extensions.filters.http.compressor.v3.ResponseDirectionOverrides
 compressor_library config.core.v3.TypedExtensionConfig
extensions.filters.http.compressor.v3.CompressorPerRoute !override
 disabled bool oneof=override const=true
 overrides extensions.filters.http.compressor.v3.CompressorOverrides oneof=override
extensions.filters.http.compressor.v3.ResponseDirectionOverrides
 remove_accept_encoding_header BoolValue
extensions.filters.http.connect_grpc_bridge.v3.FilterConfig
extensions.filters.http.cors.v3.Cors <config.filter.http.cors.v2.Cors
extensions.filters.http.cors.v3.CorsPolicy
 allow_origin_string_match []type.matcher.v3.StringMatcher
 allow_methods string
 allow_headers string
 expose_headers string
 max_age string
 allow_credentials BoolValue
 filter_enabled config.core.v3.RuntimeFractionalPercent
 shadow_enabled config.core.v3.RuntimeFractionalPercent
 allow_private_network_access BoolValue
 forward_not_matching_preflights BoolValue
extensions.filters.http.credential_injector.v3.CredentialInjector
 overwrite bool
 allow_request_without_credential bool
 credential config.core.v3.TypedExtensionConfig required
extensions.filters.http.csrf.v3.CsrfPolicy <config.filter.http.csrf.v2.CsrfPolicy
 filter_enabled config.core.v3.RuntimeFractionalPercent required
 shadow_enabled config.core.v3.RuntimeFractionalPercent
 additional_origins []type.matcher.v3.StringMatcher
extensions.filters.http.custom_response.v3.CustomResponse
 custom_response_matcher xds.type.matcher.v3.Matcher
extensions.filters.http.decompressor.v3.Decompressor
 decompressor_library config.core.v3.TypedExtensionConfig required
 request_direction_config .RequestDirectionConfig
 response_direction_config .ResponseDirectionConfig
extensions.filters.http.decompressor.v3.Decompressor.CommonDirectionConfig
 enabled config.core.v3.RuntimeFeatureFlag
 ignore_no_transform_header bool
extensions.filters.http.decompressor.v3.Decompressor.RequestDirectionConfig
 common_config extensions.filters.http.decompressor.v3.Decompressor.CommonDirectionConfig
 advertise_accept_encoding BoolValue
extensions.filters.http.decompressor.v3.Decompressor.ResponseDirectionConfig
 common_config extensions.filters.http.decompressor.v3.Decompressor.CommonDirectionConfig
extensions.filters.http.dynamic_forward_proxy.v3.FilterConfig <config.filter.http.dynamic_forward_proxy.v2alpha.FilterConfig
 dns_cache_config extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig oneof=implementation_specifier
 sub_cluster_config extensions.filters.http.dynamic_forward_proxy.v3.SubClusterConfig oneof=implementation_specifier
 save_upstream_address bool
 allow_dynamic_host_from_filter_state bool
extensions.filters.http.dynamic_forward_proxy.v3.PerRouteConfig <config.filter.http.dynamic_forward_proxy.v2alpha.PerRouteConfig
 host_rewrite_literal string oneof=host_rewrite_specifier
 host_rewrite_header string oneof=host_rewrite_specifier
extensions.filters.http.dynamic_forward_proxy.v3.SubClusterConfig
 cluster_init_timeout Duration >0s
extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 filter_name string
 filter_config Any
 terminal_filter bool
extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 per_route_config_name string deprecated
 filter_name string
 filter_config Any
extensions.filters.http.ext_authz.v3.AuthorizationRequest <config.filter.http.ext_authz.v2.AuthorizationRequest
 allowed_headers type.matcher.v3.ListStringMatcher deprecated
 headers_to_add []config.core.v3.HeaderValue
extensions.filters.http.ext_authz.v3.AuthorizationResponse <config.filter.http.ext_authz.v2.AuthorizationResponse
 allowed_upstream_headers type.matcher.v3.ListStringMatcher
 allowed_upstream_headers_to_append type.matcher.v3.ListStringMatcher
 allowed_client_headers type.matcher.v3.ListStringMatcher
 allowed_client_headers_on_success type.matcher.v3.ListStringMatcher
 dynamic_metadata_from_headers type.matcher.v3.ListStringMatcher
extensions.filters.http.ext_authz.v3.BufferSettings <config.filter.http.ext_authz.v2.BufferSettings
 max_request_bytes uint32 >0
 allow_partial_message bool
 pack_as_bytes bool
extensions.filters.http.ext_authz.v3.CheckSettings <config.filter.http.ext_authz.v2.CheckSettings
 context_extensions {}string sensitive
 disable_request_body_buffering bool
 with_request_body extensions.filters.http.ext_authz.v3.BufferSettings
 grpc_service config.core.v3.GrpcService oneof=service_override
 http_service extensions.filters.http.ext_authz.v3.HttpService oneof=service_override
 emit_client_span BoolValue
extensions.filters.http.ext_authz.v3.ExtAuthz <config.filter.http.ext_authz.v3.ExtAuthz
 grpc_service config.core.v3.GrpcService oneof=services
 http_service extensions.filters.http.ext_authz.v3.HttpService oneof=services
 transport_api_version =config.core.v3.ApiVersion defined
 failure_mode_allow bool
 failure_mode_allow_header_add bool
 with_request_body extensions.filters.http.ext_authz.v3.BufferSettings
 clear_route_cache bool
 status_on_error type.v3.HttpStatus
 validate_mutations bool
 metadata_context_namespaces []string
 typed_metadata_context_namespaces []string
 route_metadata_context_namespaces []string
 route_typed_metadata_context_namespaces []string
 filter_enabled config.core.v3.RuntimeFractionalPercent
 filter_enabled_metadata type.matcher.v3.MetadataMatcher
 deny_at_disable config.core.v3.RuntimeFeatureFlag
 include_peer_certificate bool
 stat_prefix string
 bootstrap_metadata_labels_key string
 allowed_headers type.matcher.v3.ListStringMatcher
 disallowed_headers type.matcher.v3.ListStringMatcher
 include_tls_session bool
 charge_cluster_response_stats BoolValue
 encode_raw_headers bool
 decoder_header_mutation_rules config.common.mutation_rules.v3.HeaderMutationRules
 enable_dynamic_metadata_ingestion BoolValue
 clear_route_cache_headers []string each:header-name? each:len>=1
 filter_metadata Struct
 emit_filter_state_stats bool
 max_denied_response_body_bytes uint32
 enforce_response_header_limits bool
 shadow_mode bool
 emit_client_span BoolValue
extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute <config.filter.http.ext_authz.v2.ExtAuthzPerRoute !override
 disabled bool oneof=override
 check_settings extensions.filters.http.ext_authz.v3.CheckSettings oneof=override required
extensions.filters.http.ext_authz.v3.HttpService <config.filter.http.ext_authz.v2.HttpService
 server_uri config.core.v3.HttpUri
 path_prefix string
 authorization_request extensions.filters.http.ext_authz.v3.AuthorizationRequest
 authorization_response extensions.filters.http.ext_authz.v3.AuthorizationResponse
 path_override string
 retry_policy config.core.v3.RetryPolicy
extensions.filters.http.ext_authz.v3.ShadowDecision
 check_result =.CheckResult
 status_code uint32 <=599 >=100 or-empty
 response_headers []config.core.v3.HeaderValue
extensions.filters.http.ext_proc.v3.ExtProcHttpService
 http_service config.core.v3.HttpService
extensions.filters.http.ext_proc.v3.ExtProcOverrides
 processing_mode extensions.filters.http.ext_proc.v3.ProcessingMode
 async_mode bool deprecated
 request_attributes []string
 response_attributes []string
 grpc_service config.core.v3.GrpcService
 metadata_options extensions.filters.http.ext_proc.v3.MetadataOptions
 grpc_initial_metadata []config.core.v3.HeaderValue
 failure_mode_allow BoolValue
 processing_request_modifier config.core.v3.TypedExtensionConfig
 emit_client_span BoolValue
extensions.filters.http.ext_proc.v3.ExtProcPerRoute !override
 disabled bool oneof=override const=true
 overrides extensions.filters.http.ext_proc.v3.ExtProcOverrides oneof=override
extensions.filters.http.ext_proc.v3.ExternalProcessor
 grpc_service config.core.v3.GrpcService
 failure_mode_allow bool
 processing_mode extensions.filters.http.ext_proc.v3.ProcessingMode
 request_attributes []string
 response_attributes []string
 message_timeout Duration <=3600s >=0s
 stat_prefix string
 mutation_rules config.common.mutation_rules.v3.HeaderMutationRules
 max_message_timeout Duration <=3600s >=0s
 forward_rules extensions.filters.http.ext_proc.v3.HeaderForwardingRules
 filter_metadata Struct
 allow_mode_override bool
 disable_immediate_response bool
 metadata_options extensions.filters.http.ext_proc.v3.MetadataOptions
 observability_mode bool
 disable_clear_route_cache bool
 route_cache_action =.RouteCacheAction
 deferred_close_timeout Duration
 http_service extensions.filters.http.ext_proc.v3.ExtProcHttpService
 send_body_without_waiting_for_header_response bool
 allowed_override_modes []extensions.filters.http.ext_proc.v3.ProcessingMode
 processing_request_modifier config.core.v3.TypedExtensionConfig
 on_processing_response config.core.v3.TypedExtensionConfig
 status_on_error type.v3.HttpStatus
 allow_content_length_header bool
 emit_client_span BoolValue
extensions.filters.http.ext_proc.v3.HeaderForwardingRules
 allowed_headers type.matcher.v3.ListStringMatcher
 disallowed_headers type.matcher.v3.ListStringMatcher
extensions.filters.http.ext_proc.v3.MetadataOptions
 forwarding_namespaces .MetadataNamespaces
 receiving_namespaces .MetadataNamespaces
 cluster_metadata_forwarding_namespaces .MetadataNamespaces
extensions.filters.http.ext_proc.v3.MetadataOptions.MetadataNamespaces
 untyped []string
 typed []string
extensions.filters.http.ext_proc.v3.ProcessingMode
 request_header_mode =.HeaderSendMode defined
 response_header_mode =.HeaderSendMode defined
 request_body_mode =.BodySendMode defined
 response_body_mode =.BodySendMode defined
 request_trailer_mode =.HeaderSendMode defined
 response_trailer_mode =.HeaderSendMode defined
extensions.filters.http.fault.v3.FaultAbort <config.filter.http.fault.v2.FaultAbort !error_type
 http_status uint32 oneof=error_type <600 >=200
 grpc_status uint32 oneof=error_type
 header_abort .HeaderAbort oneof=error_type
 percentage type.v3.FractionalPercent
 response_body string
extensions.filters.http.fault.v3.FaultAbort.HeaderAbort <config.filter.http.fault.v2.FaultAbort.HeaderAbort
extensions.filters.http.fault.v3.HTTPFault <config.filter.http.fault.v2.HTTPFault
 delay extensions.filters.common.fault.v3.FaultDelay
 abort extensions.filters.http.fault.v3.FaultAbort
 upstream_cluster string
 headers []config.route.v3.HeaderMatcher
 downstream_nodes []string
 max_active_faults UInt32Value
 response_rate_limit extensions.filters.common.fault.v3.FaultRateLimit
 delay_percent_runtime string
 abort_percent_runtime string
 delay_duration_runtime string
 abort_http_status_runtime string
 max_active_faults_runtime string
 response_rate_limit_percent_runtime string
 abort_grpc_status_runtime string
 disable_downstream_cluster_stats bool
 filter_metadata Struct
extensions.filters.http.file_server.v3.FileServerConfig
 manager_config extensions.common.async_files.v3.AsyncFileManagerConfig required
 path_mappings [].PathMapping
 content_types {}string keys:pattern="^[a-z0-9_\\\\-]*$"
 default_content_type string
 directory_behaviors [].DirectoryBehavior
extensions.filters.http.file_server.v3.FileServerConfig.DirectoryBehavior
 default_file string pattern="^[^/]*$"
 list .List
extensions.filters.http.file_server.v3.FileServerConfig.DirectoryBehavior.List
extensions.filters.http.file_server.v3.FileServerConfig.PathMapping
 request_path_prefix string len>=1
 file_path_prefix string len>=1
extensions.filters.http.file_system_buffer.v3.BufferBehavior !behavior
 stream_when_possible .StreamWhenPossible oneof=behavior
 bypass .Bypass oneof=behavior
 inject_content_length_if_necessary .InjectContentLengthIfNecessary oneof=behavior
 fully_buffer_and_always_inject_content_length .FullyBufferAndAlwaysInjectContentLength oneof=behavior
 fully_buffer .FullyBuffer oneof=behavior
extensions.filters.http.file_system_buffer.v3.BufferBehavior.Bypass
extensions.filters.http.file_system_buffer.v3.BufferBehavior.FullyBuffer
extensions.filters.http.file_system_buffer.v3.BufferBehavior.FullyBufferAndAlwaysInjectContentLength
extensions.filters.http.file_system_buffer.v3.BufferBehavior.InjectContentLengthIfNecessary
extensions.filters.http.file_system_buffer.v3.BufferBehavior.StreamWhenPossible
extensions.filters.http.file_system_buffer.v3.FileSystemBufferFilterConfig
 manager_config extensions.common.async_files.v3.AsyncFileManagerConfig
 storage_buffer_path StringValue
 request extensions.filters.http.file_system_buffer.v3.StreamConfig
 response extensions.filters.http.file_system_buffer.v3.StreamConfig
extensions.filters.http.file_system_buffer.v3.StreamConfig
 behavior extensions.filters.http.file_system_buffer.v3.BufferBehavior
 memory_buffer_bytes_limit UInt64Value >0
 storage_buffer_bytes_limit UInt64Value
 storage_buffer_queue_high_watermark_bytes UInt64Value
extensions.filters.http.filter_chain.v3.FilterChain
 filters []config.core.v3.TypedExtensionConfig items>=1
extensions.filters.http.filter_chain.v3.FilterChainConfig
 default_filter_chain extensions.filters.http.filter_chain.v3.FilterChain
extensions.filters.http.filter_chain.v3.FilterChainConfigPerRoute
 filter_chain extensions.filters.http.filter_chain.v3.FilterChain required
extensions.filters.http.gcp_authn.v3.Audience
 url string
 access_token .AccessToken
 bound_jwt .BoundJwt
 bound_access_token .BoundAccessToken
 iam_access_token .IAMAccessToken
extensions.filters.http.gcp_authn.v3.Audience.AccessToken
 scopes []string each:len>=1 each:pattern="^[^\\\\s,]+$"
extensions.filters.http.gcp_authn.v3.Audience.BoundAccessToken
 scopes []string each:len>=1 each:pattern="^[^\\\\s,]+$"
extensions.filters.http.gcp_authn.v3.Audience.BoundJwt
 url string len>=1
extensions.filters.http.gcp_authn.v3.Audience.IAMAccessToken
 account string len>=1
 authorization string len>=1
 scopes []string
extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig
 http_uri config.core.v3.HttpUri deprecated
 retry_policy config.core.v3.RetryPolicy
 cache_config extensions.filters.http.gcp_authn.v3.TokenCacheConfig
 token_header extensions.filters.http.gcp_authn.v3.TokenHeader
 cluster string
 timeout Duration <4294967296s >=0s
 token_metadata_key string
 audience extensions.filters.http.gcp_authn.v3.Audience
extensions.filters.http.gcp_authn.v3.TokenCacheConfig
 cache_size UInt64Value <=9223372036854776000
extensions.filters.http.gcp_authn.v3.TokenHeader
 name string header-name? or-empty
 value_prefix string header-value?
 preserve_existing .PreserveExisting
extensions.filters.http.gcp_authn.v3.TokenHeader.PreserveExisting
extensions.filters.http.geoip.v3.Geoip
 xff_config .XffConfig
 provider config.core.v3.TypedExtensionConfig required
 custom_header_config .CustomHeaderConfig
extensions.filters.http.geoip.v3.Geoip.CustomHeaderConfig
 header_name string len>=1
extensions.filters.http.geoip.v3.Geoip.XffConfig
 xff_num_trusted_hops uint32
extensions.filters.http.grpc_field_extraction.v3.FieldExtractions
 request_field_extractions {}extensions.filters.http.grpc_field_extraction.v3.RequestFieldValueDisposition
extensions.filters.http.grpc_field_extraction.v3.GrpcFieldExtractionConfig
 descriptor_set config.core.v3.DataSource required
 extractions_by_method {}extensions.filters.http.grpc_field_extraction.v3.FieldExtractions
extensions.filters.http.grpc_field_extraction.v3.RequestFieldValueDisposition
 dynamic_metadata string oneof=disposition
 metadata_key string
extensions.filters.http.grpc_http1_bridge.v3.Config <config.filter.http.grpc_http1_bridge.v2.Config
 upgrade_protobuf_to_grpc bool
 ignore_query_parameters bool
extensions.filters.http.grpc_http1_reverse_bridge.v3.FilterConfig <config.filter.http.grpc_http1_reverse_bridge.v2alpha1.FilterConfig
 content_type string len>=1
 withhold_grpc_frames bool
 response_size_header string header-name?
extensions.filters.http.grpc_http1_reverse_bridge.v3.FilterConfigPerRoute <config.filter.http.grpc_http1_reverse_bridge.v2alpha1.FilterConfigPerRoute
 disabled bool
extensions.filters.http.grpc_json_reverse_transcoder.v3.GrpcJsonReverseTranscoder
 descriptor_path string
 descriptor_binary bytes
 max_request_body_size UInt32Value >0
 max_response_body_size UInt32Value >0
 api_version_header string
 request_json_print_options .PrintOptions
extensions.filters.http.grpc_json_reverse_transcoder.v3.GrpcJsonReverseTranscoder.PrintOptions
 always_print_primitive_fields bool
 always_print_enums_as_ints bool
 use_canonical_field_names bool
extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder <config.filter.http.transcoder.v2.GrpcJsonTranscoder !descriptor_set
 proto_descriptor string oneof=descriptor_set
 proto_descriptor_bin bytes oneof=descriptor_set
 services []string
 print_options .PrintOptions
 match_incoming_request_route bool
 ignored_query_parameters []string
 auto_mapping bool
 ignore_unknown_query_parameters bool
 convert_grpc_status bool
 url_unescape_spec =.UrlUnescapeSpec defined
 query_param_unescape_plus bool
 match_unregistered_custom_verb bool
 request_validation_options .RequestValidationOptions
 case_insensitive_enum_parsing bool
 max_request_body_size UInt32Value >0
 max_response_body_size UInt32Value >0
 capture_unknown_query_parameters bool
extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder.PrintOptions <config.filter.http.transcoder.v2.GrpcJsonTranscoder.PrintOptions
 add_whitespace bool
 always_print_primitive_fields bool
 always_print_enums_as_ints bool
 preserve_proto_field_names bool
 stream_newline_delimited bool
 stream_sse_style_delimited bool
extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder.RequestValidationOptions
 reject_unknown_method bool
 reject_unknown_query_parameters bool
 reject_binding_body_field_collisions bool
extensions.filters.http.grpc_json_transcoder.v3.UnknownQueryParams
 key {}.Values
extensions.filters.http.grpc_json_transcoder.v3.UnknownQueryParams.Values
 values []string
extensions.filters.http.grpc_stats.v3.FilterConfig <config.filter.http.grpc_stats.v2alpha.FilterConfig
 emit_filter_state bool
 individual_method_stats_allowlist config.core.v3.GrpcMethodList oneof=per_method_stat_specifier
 stats_for_all_methods BoolValue oneof=per_method_stat_specifier
 enable_upstream_stats bool
 replace_dots_in_grpc_service_name bool
extensions.filters.http.grpc_stats.v3.FilterObject <config.filter.http.grpc_stats.v2alpha.FilterObject
 request_message_count uint64
 response_message_count uint64
extensions.filters.http.grpc_web.v3.GrpcWeb <config.filter.http.grpc_web.v2.GrpcWeb
extensions.filters.http.gzip.v3.Gzip <config.filter.http.gzip.v2.Gzip
 memory_level UInt32Value <=9 >=1
 compression_level =.CompressionLevel.Enum defined
 compression_strategy =.CompressionStrategy defined
 window_bits UInt32Value <=15 >=9
 compressor extensions.filters.http.compressor.v3.Compressor
 chunk_size UInt32Value <=65536 >=4096
extensions.filters.http.gzip.v3.Gzip.CompressionLevel <config.filter.http.gzip.v2.Gzip.CompressionLevel
extensions.filters.http.header_mutation.v3.HeaderMutation
 mutations extensions.filters.http.header_mutation.v3.Mutations
 most_specific_header_mutations_wins bool
extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute
 mutations extensions.filters.http.header_mutation.v3.Mutations
extensions.filters.http.header_mutation.v3.Mutations
 request_mutations []config.common.mutation_rules.v3.HeaderMutation
 response_mutations []config.common.mutation_rules.v3.HeaderMutation
 query_parameter_mutations []config.core.v3.KeyValueMutation
 response_trailers_mutations []config.common.mutation_rules.v3.HeaderMutation
 request_trailers_mutations []config.common.mutation_rules.v3.HeaderMutation
 formatters []config.core.v3.TypedExtensionConfig
extensions.filters.http.header_to_metadata.v3.Config <config.filter.http.header_to_metadata.v2.Config
 request_rules [].Rule
 response_rules [].Rule
 stat_prefix string
extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair <config.filter.http.header_to_metadata.v2.Config.KeyValuePair
 metadata_namespace string
 key string len>=1
 value string
 regex_value_rewrite type.matcher.v3.RegexMatchAndSubstitute
 type =extensions.filters.http.header_to_metadata.v3.Config.ValueType defined
 encode =extensions.filters.http.header_to_metadata.v3.Config.ValueEncode
extensions.filters.http.header_to_metadata.v3.Config.Rule <config.filter.http.header_to_metadata.v2.Config.Rule
 header string header-name?
 cookie string header-name?
 on_header_present extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair
 on_header_missing extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair
 remove bool
extensions.filters.http.health_check.v3.HealthCheck <config.filter.http.health_check.v2.HealthCheck
 pass_through_mode BoolValue required
 cache_time Duration
 cluster_min_healthy_percentages {}type.v3.Percent
 headers []config.route.v3.HeaderMatcher
extensions.filters.http.ip_tagging.v3.IPTagging <config.filter.http.ip_tagging.v2.IPTagging
 request_type =.RequestType defined
 ip_tags [].IPTag
 ip_tag_header .IpTagHeader
 ip_tags_datasource config.core.v3.DataSource
extensions.filters.http.ip_tagging.v3.IPTagging.IPTag <config.filter.http.ip_tagging.v2.IPTagging.IPTag
 ip_tag_name string
 ip_list []config.core.v3.CidrRange
extensions.filters.http.ip_tagging.v3.IPTagging.IPTags
 ip_tags []extensions.filters.http.ip_tagging.v3.IPTagging.IPTag
extensions.filters.http.ip_tagging.v3.IPTagging.IpTagHeader
 header string header-name? len>=1
 action =.HeaderAction
extensions.filters.http.json_to_metadata.v3.JsonToMetadata
 request_rules .MatchRules
 response_rules .MatchRules
extensions.filters.http.json_to_metadata.v3.JsonToMetadata.KeyValuePair
 metadata_namespace string
 key string len>=1
 value Value oneof=value_type
 type =extensions.filters.http.json_to_metadata.v3.JsonToMetadata.ValueType defined
 preserve_existing_metadata_value bool
extensions.filters.http.json_to_metadata.v3.JsonToMetadata.MatchRules
 rules []extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Rule items>=1
 allow_content_types []string each:len>=1
 allow_empty_content_type bool
 allow_content_types_regex type.matcher.v3.RegexMatcher
extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Rule
 selectors []extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Selector items>=1
 on_present extensions.filters.http.json_to_metadata.v3.JsonToMetadata.KeyValuePair
 on_missing extensions.filters.http.json_to_metadata.v3.JsonToMetadata.KeyValuePair
 on_error extensions.filters.http.json_to_metadata.v3.JsonToMetadata.KeyValuePair
extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Selector
 key string oneof=selector len>=1
extensions.filters.http.jwt_authn.v3.ExtractOnlyWithoutValidation
 verification_status_header string
extensions.filters.http.jwt_authn.v3.FilterStateRule <config.filter.http.jwt_authn.v2alpha.FilterStateRule
 name string len>=1
 requires {}extensions.filters.http.jwt_authn.v3.JwtRequirement
extensions.filters.http.jwt_authn.v3.JwksAsyncFetch
 fast_listener bool
 failed_refetch_duration Duration
extensions.filters.http.jwt_authn.v3.JwtAuthentication <config.filter.http.jwt_authn.v2alpha.JwtAuthentication
 providers {}extensions.filters.http.jwt_authn.v3.JwtProvider
 rules []extensions.filters.http.jwt_authn.v3.RequirementRule
 filter_state_rules extensions.filters.http.jwt_authn.v3.FilterStateRule
 bypass_cors_preflight bool
 requirement_map {}extensions.filters.http.jwt_authn.v3.JwtRequirement
 strip_failure_response bool
 stat_prefix string
extensions.filters.http.jwt_authn.v3.JwtCacheConfig
 jwt_cache_size uint32
 jwt_max_token_size uint32
extensions.filters.http.jwt_authn.v3.JwtClaimToHeader
 header_name string header-name? len>=1
 claim_name string
 claim_path [].PathSegment
extensions.filters.http.jwt_authn.v3.JwtClaimToHeader.PathSegment
 key string len>=1
extensions.filters.http.jwt_authn.v3.JwtHeader <config.filter.http.jwt_authn.v2alpha.JwtHeader
 name string header-name? len>=1
 value_prefix string header-value?
extensions.filters.http.jwt_authn.v3.JwtProvider <config.filter.http.jwt_authn.v2alpha.JwtProvider !jwks_source_specifier
 issuer string
 audiences []string
 subjects type.matcher.v3.StringMatcher
 require_expiration bool
 max_lifetime Duration
 remote_jwks extensions.filters.http.jwt_authn.v3.RemoteJwks oneof=jwks_source_specifier
 local_jwks config.core.v3.DataSource oneof=jwks_source_specifier
 forward bool
 from_headers []extensions.filters.http.jwt_authn.v3.JwtHeader
 from_params []string
 from_cookies []string
 forward_payload_header string header-name?
 pad_forward_payload_header bool
 payload_in_metadata string
 normalize_payload_in_metadata .NormalizePayload
 header_in_metadata string
 failed_status_in_metadata string
 clock_skew_seconds uint32
 jwt_cache_config extensions.filters.http.jwt_authn.v3.JwtCacheConfig
 claim_to_headers []extensions.filters.http.jwt_authn.v3.JwtClaimToHeader
 clear_route_cache bool
extensions.filters.http.jwt_authn.v3.JwtProvider.NormalizePayload
 space_delimited_claims []string
extensions.filters.http.jwt_authn.v3.JwtRequirement <config.filter.http.jwt_authn.v2alpha.JwtRequirement
 provider_name string oneof=requires_type
 provider_and_audiences extensions.filters.http.jwt_authn.v3.ProviderWithAudiences oneof=requires_type
 requires_any extensions.filters.http.jwt_authn.v3.JwtRequirementOrList oneof=requires_type
 requires_all extensions.filters.http.jwt_authn.v3.JwtRequirementAndList oneof=requires_type
 allow_missing_or_failed Empty oneof=requires_type
 allow_missing Empty oneof=requires_type
 extract_only_without_validation extensions.filters.http.jwt_authn.v3.ExtractOnlyWithoutValidation oneof=requires_type
extensions.filters.http.jwt_authn.v3.JwtRequirementAndList <config.filter.http.jwt_authn.v2alpha.JwtRequirementAndList
 requirements []extensions.filters.http.jwt_authn.v3.JwtRequirement items>=2
extensions.filters.http.jwt_authn.v3.JwtRequirementOrList <config.filter.http.jwt_authn.v2alpha.JwtRequirementOrList
 requirements []extensions.filters.http.jwt_authn.v3.JwtRequirement items>=2
extensions.filters.http.jwt_authn.v3.PerRouteConfig !requirement_specifier
 disabled bool oneof=requirement_specifier const=true
 requirement_name string oneof=requirement_specifier len>=1
extensions.filters.http.jwt_authn.v3.ProviderWithAudiences <config.filter.http.jwt_authn.v2alpha.ProviderWithAudiences
 provider_name string
 audiences []string
extensions.filters.http.jwt_authn.v3.RemoteJwks <config.filter.http.jwt_authn.v2alpha.RemoteJwks
 http_uri config.core.v3.HttpUri required
 cache_duration Duration <9000000000s >=0.001s
 async_fetch extensions.filters.http.jwt_authn.v3.JwksAsyncFetch
 retry_policy config.core.v3.RetryPolicy
extensions.filters.http.jwt_authn.v3.RequirementRule <config.filter.http.jwt_authn.v2alpha.RequirementRule
 match config.route.v3.RouteMatch required
 requires extensions.filters.http.jwt_authn.v3.JwtRequirement oneof=requirement_type
 requirement_name string oneof=requirement_type len>=1
extensions.filters.http.kill_request.v3.KillRequest
 probability type.v3.FractionalPercent
 kill_request_header string header-value?
 direction =.Direction defined
extensions.filters.http.local_ratelimit.v3.LocalRateLimit
 stat_prefix string len>=1
 status type.v3.HttpStatus
 token_bucket type.v3.TokenBucket
 filter_enabled config.core.v3.RuntimeFractionalPercent
 filter_enforced config.core.v3.RuntimeFractionalPercent
 request_headers_to_add_when_not_enforced []config.core.v3.HeaderValueOption items<=10
 response_headers_to_add []config.core.v3.HeaderValueOption items<=10
 descriptors []extensions.common.ratelimit.v3.LocalRateLimitDescriptor
 stage uint32 <=10
 local_rate_limit_per_downstream_connection bool
 local_cluster_rate_limit extensions.common.ratelimit.v3.LocalClusterRateLimit
 enable_x_ratelimit_headers =extensions.common.ratelimit.v3.XRateLimitHeadersRFCVersion defined
 vh_rate_limits =extensions.common.ratelimit.v3.VhRateLimitsOptions defined
 always_consume_default_token_bucket BoolValue
 rate_limited_as_resource_exhausted bool
 rate_limits []config.route.v3.RateLimit
 max_dynamic_descriptors UInt32Value >=1
 enable_retry_after_header bool
extensions.filters.http.lua.v3.Lua <config.filter.http.lua.v2.Lua
 inline_code string deprecated
 source_codes {}config.core.v3.DataSource
 default_source_code config.core.v3.DataSource
 stat_prefix string
 clear_route_cache BoolValue
 filter_context Struct
 package_paths []string each:len>=1
 package_cpaths []string each:len>=1
 shared_vm_id string
extensions.filters.http.lua.v3.LuaPerRoute
 disabled bool oneof=override const=true
 name string oneof=override len>=1
 source_code config.core.v3.DataSource oneof=override
 filter_context Struct
 package_paths []string each:len>=1
 package_cpaths []string each:len>=1
 shared_vm_id string
extensions.filters.http.mcp.v3.Mcp
 traffic_mode =.TrafficMode defined
 clear_route_cache bool
 max_request_body_size UInt32Value <=10485760
 parser_config extensions.filters.http.mcp.v3.ParserConfig
 request_storage_mode =.RequestStorageMode defined
 propagate_trace_context .TraceContextPropagationConfig
 propagate_baggage .BaggagePropagationConfig
 reject_duplicate_keys BoolValue
 attribute_source =.AttributeSource defined
 early_terminate_when_routable bool
 max_supported_protocol_version StringValue
extensions.filters.http.mcp.v3.Mcp.BaggagePropagationConfig
extensions.filters.http.mcp.v3.Mcp.TraceContextPropagationConfig
extensions.filters.http.mcp.v3.McpOverride
 traffic_mode =extensions.filters.http.mcp.v3.Mcp.TrafficMode defined
 max_request_body_size UInt32Value <=10485760
 clear_route_cache bool
 parser_config extensions.filters.http.mcp.v3.ParserConfig
 request_storage_mode =extensions.filters.http.mcp.v3.Mcp.RequestStorageMode defined
 reject_duplicate_keys bool
extensions.filters.http.mcp.v3.ParserConfig
 methods [].MethodConfig
 group_metadata_key string
extensions.filters.http.mcp.v3.ParserConfig.AttributeExtractionRule
 path string len>=1
extensions.filters.http.mcp.v3.ParserConfig.MethodConfig
 method string len>=1
 group string
 extraction_rules []extensions.filters.http.mcp.v3.ParserConfig.AttributeExtractionRule
extensions.filters.http.mcp_json_rest_bridge.v3.CacheConfig
 ttl Duration >=0s
 cache_scope =extensions.filters.http.mcp_json_rest_bridge.v3.CacheScope defined
extensions.filters.http.mcp_json_rest_bridge.v3.HttpRule
 get string
 put string
 post string
 delete string
 patch string
 body string
 bindings [].ParameterBinding
extensions.filters.http.mcp_json_rest_bridge.v3.HttpRule.ParameterBinding
 type =.Type
 name string header-name? len>=1 bytes<=16384
 argument_path string len>=1
extensions.filters.http.mcp_json_rest_bridge.v3.McpJsonRestBridge
 server_info extensions.filters.http.mcp_json_rest_bridge.v3.ServerInfo
 tool_config extensions.filters.http.mcp_json_rest_bridge.v3.ServerToolConfig
 max_request_body_size UInt32Value
 max_response_body_size UInt32Value
 request_storage_mode =.RequestStorageMode defined
 trace_context_extraction extensions.filters.http.mcp_json_rest_bridge.v3.TraceContextExtractionOptions
 disable_clear_route_cache bool
 per_route_only bool
extensions.filters.http.mcp_json_rest_bridge.v3.McpJsonRestBridgePerRoute
 tool_config []extensions.filters.http.mcp_json_rest_bridge.v3.ServerToolConfig
extensions.filters.http.mcp_json_rest_bridge.v3.McpServerInfo
 path string
 host string
extensions.filters.http.mcp_json_rest_bridge.v3.ServerInfo
 max_supported_protocol_version StringValue in=2025-11-25|2026-07-28
 description string
 fallback_protocol_version StringValue
 server_discovery_cache_config extensions.filters.http.mcp_json_rest_bridge.v3.CacheConfig
extensions.filters.http.mcp_json_rest_bridge.v3.ServerToolConfig
 tools []extensions.filters.http.mcp_json_rest_bridge.v3.ToolConfig
 list_changed bool
 tool_list_http_rule extensions.filters.http.mcp_json_rest_bridge.v3.HttpRule oneof=tool_list_config
 tool_list_local extensions.filters.http.mcp_json_rest_bridge.v3.ToolsListLocal oneof=tool_list_config
 default_server_info extensions.filters.http.mcp_json_rest_bridge.v3.McpServerInfo
extensions.filters.http.mcp_json_rest_bridge.v3.ToolConfig
 name string len>=1
 http_rule extensions.filters.http.mcp_json_rest_bridge.v3.HttpRule
 tool_list_config extensions.filters.http.mcp_json_rest_bridge.v3.ToolsListSpecificConfig
 text_content_streaming_enabled bool
 server_info []extensions.filters.http.mcp_json_rest_bridge.v3.McpServerInfo
extensions.filters.http.mcp_json_rest_bridge.v3.ToolsListLocal
extensions.filters.http.mcp_json_rest_bridge.v3.ToolsListSpecificConfig
 title string
 description string
 input_schema string
extensions.filters.http.mcp_json_rest_bridge.v3.TraceContextExtractionOptions
extensions.filters.http.mcp_router.v3.DynamicMetadataSource
 key type.metadata.v3.MetadataKey required
extensions.filters.http.mcp_router.v3.HeaderSource
 name string header-name len>=1
extensions.filters.http.mcp_router.v3.IdentityExtractor
 header extensions.filters.http.mcp_router.v3.HeaderSource
 dynamic_metadata extensions.filters.http.mcp_router.v3.DynamicMetadataSource
extensions.filters.http.mcp_router.v3.McpRouter
 servers [].McpBackend
 session_identity extensions.filters.http.mcp_router.v3.SessionIdentity
 lazy_initialization bool
extensions.filters.http.mcp_router.v3.McpRouter.HeaderForwarding
 forward_all bool
 allowed_headers type.matcher.v3.ListStringMatcher
 disallowed_headers type.matcher.v3.ListStringMatcher
extensions.filters.http.mcp_router.v3.McpRouter.McpBackend
 name string
 mcp_cluster extensions.filters.http.mcp_router.v3.McpRouter.McpCluster
 header_forwarding extensions.filters.http.mcp_router.v3.McpRouter.HeaderForwarding
extensions.filters.http.mcp_router.v3.McpRouter.McpCluster
 cluster string len>=1
 path string
 timeout Duration
 host_rewrite_literal string
extensions.filters.http.mcp_router.v3.SessionIdentity
 identity extensions.filters.http.mcp_router.v3.IdentityExtractor required
 validation extensions.filters.http.mcp_router.v3.ValidationPolicy
extensions.filters.http.mcp_router.v3.ValidationPolicy
 mode =.Mode defined
extensions.filters.http.oauth2.v3.CookieConfig
 same_site =.SameSite defined
 path string pattern="^$|^/[^\\\\x00-\\\\x1f\\\\x7f\\u0020\\",;<>\\\\\\\\]*$"
 partitioned bool
extensions.filters.http.oauth2.v3.CookieConfigs
 bearer_token_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 oauth_hmac_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 oauth_expires_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 id_token_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 refresh_token_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 oauth_nonce_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
 code_verifier_cookie_config extensions.filters.http.oauth2.v3.CookieConfig
extensions.filters.http.oauth2.v3.OAuth2
 config extensions.filters.http.oauth2.v3.OAuth2Config
extensions.filters.http.oauth2.v3.OAuth2Config
 token_endpoint config.core.v3.HttpUri
 authorization_endpoint string len>=1
 credentials extensions.filters.http.oauth2.v3.OAuth2Credentials required
 redirect_uri string len>=1
 redirect_path_matcher type.matcher.v3.PathMatcher required
 signout_path type.matcher.v3.PathMatcher required
 forward_bearer_token bool
 preserve_authorization_header bool
 pass_through_matcher []config.route.v3.HeaderMatcher
 auth_scopes []string
 resources []string
 auth_type =.AuthType defined
 use_refresh_token BoolValue
 default_expires_in Duration
 deny_redirect_matcher []config.route.v3.HeaderMatcher
 default_refresh_token_expires_in Duration
 disable_id_token_set_cookie bool
 retry_policy config.core.v3.RetryPolicy
 end_session_endpoint string
 post_logout_redirect_uri extensions.filters.http.oauth2.v3.PostLogoutRedirectUri
 forward_id_token extensions.filters.http.oauth2.v3.OAuth2TokenForwarding
 disable_access_token_set_cookie bool
 disable_refresh_token_set_cookie bool
 cookie_configs extensions.filters.http.oauth2.v3.CookieConfigs
 stat_prefix string
 csrf_token_expires_in Duration
 code_verifier_token_expires_in Duration
 disable_token_encryption bool
 allow_failed_matcher []config.route.v3.HeaderMatcher
 original_request_uri string
 allowed_redirect_domains []string
 use_access_token_expiry_for_id_token_cookie bool
 private_key_jwt_config extensions.filters.http.oauth2.v3.PrivateKeyJwtConfig
 token_cookie_chunking extensions.filters.http.oauth2.v3.TokenCookieChunking
extensions.filters.http.oauth2.v3.OAuth2Credentials !token_formation
 client_id string len>=1
 token_secret extensions.transport_sockets.tls.v3.SdsSecretConfig
 hmac_secret extensions.transport_sockets.tls.v3.SdsSecretConfig oneof=token_formation required
 cookie_names .CookieNames
 cookie_domain string pattern="^$|^[^\\\\x00-\\\\x1f\\\\x7f\\u0020\\",;<>\\\\\\\\]+$"
extensions.filters.http.oauth2.v3.OAuth2Credentials.CookieNames
 bearer_token string header-name or-empty
 oauth_hmac string header-name or-empty
 oauth_expires string header-name or-empty
 id_token string header-name or-empty
 refresh_token string header-name or-empty
 oauth_nonce string header-name or-empty
 code_verifier string header-name or-empty
extensions.filters.http.oauth2.v3.OAuth2PerRoute
 config extensions.filters.http.oauth2.v3.OAuth2Config required
extensions.filters.http.oauth2.v3.OAuth2TokenForwarding
 header string header-name? len>=1
extensions.filters.http.oauth2.v3.PostLogoutRedirectUri !config
 disabled bool oneof=config const=true
 uri string oneof=config len>=1
extensions.filters.http.oauth2.v3.PrivateKeyJwtConfig
 signing_algorithm =.SigningAlgorithm defined
 assertion_lifetime Duration >=1s
 assertion_audience string
extensions.filters.http.oauth2.v3.TokenCookieChunking
 max_cookie_size UInt32Value <=4096 >=512
 max_chunks UInt32Value <=16 >=2
extensions.filters.http.on_demand.v3.OnDemand <config.filter.http.on_demand.v2.OnDemand
 odcds extensions.filters.http.on_demand.v3.OnDemandCds
extensions.filters.http.on_demand.v3.OnDemandCds
 source config.core.v3.ConfigSource
 resources_locator string
 timeout Duration
extensions.filters.http.on_demand.v3.PerRouteConfig
 odcds extensions.filters.http.on_demand.v3.OnDemandCds
extensions.filters.http.original_src.v3.OriginalSrc <config.filter.http.original_src.v2alpha1.OriginalSrc
 mark uint32
extensions.filters.http.proto_api_scrubber.v3.DescriptorSet
 data_source config.core.v3.DataSource
extensions.filters.http.proto_api_scrubber.v3.MessageRestrictions
 config extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
 field_restrictions {}extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
extensions.filters.http.proto_api_scrubber.v3.MethodRestrictions
 request_field_restrictions {}extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
 response_field_restrictions {}extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
 method_restriction extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
extensions.filters.http.proto_api_scrubber.v3.ProtoApiScrubberConfig
 descriptor_set extensions.filters.http.proto_api_scrubber.v3.DescriptorSet
 restrictions extensions.filters.http.proto_api_scrubber.v3.Restrictions
 filtering_mode =.FilteringMode
 scrub_unknown_fields bool
extensions.filters.http.proto_api_scrubber.v3.RemoveFieldAction
extensions.filters.http.proto_api_scrubber.v3.RestrictionConfig
 matcher xds.type.matcher.v3.Matcher
extensions.filters.http.proto_api_scrubber.v3.Restrictions
 method_restrictions {}extensions.filters.http.proto_api_scrubber.v3.MethodRestrictions
 message_restrictions {}extensions.filters.http.proto_api_scrubber.v3.MessageRestrictions
extensions.filters.http.proto_message_extraction.v3.MethodExtraction
 request_extraction_by_field {}=.ExtractDirective
 response_extraction_by_field {}=.ExtractDirective
extensions.filters.http.proto_message_extraction.v3.ProtoMessageExtractionConfig
 data_source config.core.v3.DataSource oneof=descriptor_set
 proto_descriptor_typed_metadata string oneof=descriptor_set
 mode =.ExtractMode
 extraction_by_method {}extensions.filters.http.proto_message_extraction.v3.MethodExtraction
extensions.filters.http.proto_message_logging.v3.MethodLogging
 request_logging_by_field {}=.LogDirective
 response_logging_by_field {}=.LogDirective
extensions.filters.http.proto_message_logging.v3.ProtoMessageLoggingConfig
 data_source config.core.v3.DataSource oneof=descriptor_set
 proto_descriptor_typed_metadata string oneof=descriptor_set
 mode =.LogMode
 logging_by_method {}extensions.filters.http.proto_message_logging.v3.MethodLogging
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings
 bucket_id_builder .BucketIdBuilder
 reporting_interval Duration required >0.1s
 deny_response_settings .DenyResponseSettings
 no_assignment_behavior .NoAssignmentBehavior
 expired_assignment_behavior .ExpiredAssignmentBehavior
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.BucketIdBuilder
 bucket_id_builder {}.ValueBuilder items>=1
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.BucketIdBuilder.ValueBuilder !value_specifier
 string_value string oneof=value_specifier
 custom_value config.core.v3.TypedExtensionConfig oneof=value_specifier
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.DenyResponseSettings
 http_status type.v3.HttpStatus
 http_body BytesValue
 grpc_status google.rpc.Status
 response_headers_to_add []config.core.v3.HeaderValueOption items<=10
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.ExpiredAssignmentBehavior !expired_assignment_behavior
 expired_assignment_behavior_timeout Duration >0s
 fallback_rate_limit type.v3.RateLimitStrategy oneof=expired_assignment_behavior
 reuse_last_assignment .ReuseLastAssignment oneof=expired_assignment_behavior
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.ExpiredAssignmentBehavior.ReuseLastAssignment
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaBucketSettings.NoAssignmentBehavior !no_assignment_behavior
 fallback_rate_limit type.v3.RateLimitStrategy oneof=no_assignment_behavior
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaFilterConfig
 rlqs_server config.core.v3.GrpcService required
 domain string len>=1
 bucket_matchers xds.type.matcher.v3.Matcher required
 filter_enabled config.core.v3.RuntimeFractionalPercent
 filter_enforced config.core.v3.RuntimeFractionalPercent
 request_headers_to_add_when_not_enforced []config.core.v3.HeaderValueOption items<=10
extensions.filters.http.rate_limit_quota.v3.RateLimitQuotaOverride
 domain string
 bucket_matchers xds.type.matcher.v3.Matcher
extensions.filters.http.ratelimit.v3.RateLimit <config.filter.http.rate_limit.v2.RateLimit
 domain string len>=1
 stage uint32 <=10
 request_type string in=internal|external|both|
 timeout Duration
 failure_mode_deny bool
 rate_limited_as_resource_exhausted bool
 rate_limit_service config.ratelimit.v3.RateLimitServiceConfig required
 enable_x_ratelimit_headers =.XRateLimitHeadersRFCVersion defined
 disable_x_envoy_ratelimited_header bool
 rate_limited_status type.v3.HttpStatus
 response_headers_to_add []config.core.v3.HeaderValueOption items<=10
 status_on_error type.v3.HttpStatus
 stat_prefix string
 filter_enabled config.core.v3.RuntimeFractionalPercent
 filter_enforced config.core.v3.RuntimeFractionalPercent
 failure_mode_deny_percent config.core.v3.RuntimeFractionalPercent
 rate_limits []config.route.v3.RateLimit
 metadata_namespace string
 enable_retry_after_header bool
extensions.filters.http.ratelimit.v3.RateLimitConfig
 stage uint32 <=10
 disable_key string
 actions [].Action items>=1
 limit .Override
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action !action_specifier
 source_cluster .SourceCluster oneof=action_specifier
 destination_cluster .DestinationCluster oneof=action_specifier
 request_headers .RequestHeaders oneof=action_specifier
 remote_address .RemoteAddress oneof=action_specifier
 generic_key .GenericKey oneof=action_specifier
 header_value_match .HeaderValueMatch oneof=action_specifier
 metadata .MetaData oneof=action_specifier
 extension config.core.v3.TypedExtensionConfig oneof=action_specifier
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.DestinationCluster
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.GenericKey
 descriptor_value string len>=1
 descriptor_key string
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.HeaderValueMatch
 descriptor_value string len>=1
 expect_match bool
 headers []config.route.v3.HeaderMatcher items>=1
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.MetaData
 descriptor_key string len>=1
 metadata_key type.metadata.v3.MetadataKey required
 default_value string
 source =.Source defined
 skip_if_absent bool
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.RemoteAddress
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.RequestHeaders
 header_name string header-name? len>=1
 descriptor_key string len>=1
 skip_if_absent bool
extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.SourceCluster
extensions.filters.http.ratelimit.v3.RateLimitConfig.Override !override_specifier
 dynamic_metadata .DynamicMetadata oneof=override_specifier
extensions.filters.http.ratelimit.v3.RateLimitConfig.Override.DynamicMetadata
 metadata_key type.metadata.v3.MetadataKey required
extensions.filters.http.ratelimit.v3.RateLimitPerRoute
 vh_rate_limits =.VhRateLimitsOptions defined
 override_option =.OverrideOptions defined
 rate_limits []config.route.v3.RateLimit
 domain string
extensions.filters.http.rbac.v3.RBAC <config.filter.http.rbac.v2.RBAC
 rules config.rbac.v3.RBAC
 rules_stat_prefix string
 matcher xds.type.matcher.v3.Matcher
 shadow_rules config.rbac.v3.RBAC
 shadow_matcher xds.type.matcher.v3.Matcher
 shadow_rules_stat_prefix string
 track_per_rule_stats bool
extensions.filters.http.rbac.v3.RBACPerRoute <config.filter.http.rbac.v2.RBACPerRoute
 rbac extensions.filters.http.rbac.v3.RBAC
extensions.filters.http.router.v3.Router <config.filter.http.router.v2.Router
 dynamic_stats BoolValue
 start_child_span bool deprecated
 upstream_log []config.accesslog.v3.AccessLog
 upstream_log_options .UpstreamAccessLogOptions
 suppress_envoy_headers bool
 strict_check_headers []string each:in=x-envoy-upstream-rq-timeout-ms|x-envoy-upstream-rq-per-try-timeout-ms|x-envoy-max-retries|x-envoy-retry-grpc-on|x-envoy-retry-on
 respect_expected_rq_timeout bool
 suppress_grpc_request_failure_code_stats bool
 upstream_http_filters []extensions.filters.network.http_connection_manager.v3.HttpFilter
 reject_connect_request_early_data BoolValue
extensions.filters.http.router.v3.Router.UpstreamAccessLogOptions
 flush_upstream_log_on_upstream_stream bool
 upstream_log_flush_interval Duration >=0.001s
extensions.filters.http.set_filter_state.v3.Config
 on_request_headers []extensions.filters.common.set_filter_state.v3.FilterStateValue
 clear_route_cache bool
extensions.filters.http.set_metadata.v3.Config
 metadata_namespace string deprecated
 value Struct deprecated
 metadata []extensions.filters.http.set_metadata.v3.Metadata
extensions.filters.http.set_metadata.v3.Metadata
 metadata_namespace string len>=1
 allow_overwrite bool
 value Struct
 typed_value Any
extensions.filters.http.sse_to_metadata.v3.SseToMetadata
 response_rules .ProcessingRules required
extensions.filters.http.sse_to_metadata.v3.SseToMetadata.ProcessingRules
 content_parser config.core.v3.TypedExtensionConfig required
 max_event_size UInt32Value <=10485760
extensions.filters.http.stateful_session.v3.StatefulSession
 session_state config.core.v3.TypedExtensionConfig
 strict bool
 stat_prefix string
 status_on_strict_destination_not_found uint32
extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute !override
 disabled bool oneof=override const=true
 stateful_session extensions.filters.http.stateful_session.v3.StatefulSession oneof=override
extensions.filters.http.tap.v3.Tap <config.filter.http.tap.v2alpha.Tap
 common_config extensions.common.tap.v3.CommonExtensionConfig required
 record_headers_received_time bool
 record_downstream_connection bool
 record_upstream_connection bool
extensions.filters.http.thrift_to_metadata.v3.FieldSelector
 name string len>=1
 id int32 <=32767 >=-32768
 child extensions.filters.http.thrift_to_metadata.v3.FieldSelector
extensions.filters.http.thrift_to_metadata.v3.KeyValuePair
 metadata_namespace string
 key string len>=1
 value Value
extensions.filters.http.thrift_to_metadata.v3.Rule
 field =extensions.filters.http.thrift_to_metadata.v3.Field
 field_selector extensions.filters.http.thrift_to_metadata.v3.FieldSelector
 method_name string
 on_present extensions.filters.http.thrift_to_metadata.v3.KeyValuePair
 on_missing extensions.filters.http.thrift_to_metadata.v3.KeyValuePair
extensions.filters.http.thrift_to_metadata.v3.ThriftToMetadata
 request_rules []extensions.filters.http.thrift_to_metadata.v3.Rule
 response_rules []extensions.filters.http.thrift_to_metadata.v3.Rule
 transport =extensions.filters.network.thrift_proxy.v3.TransportType defined
 protocol =extensions.filters.network.thrift_proxy.v3.ProtocolType defined
 allow_content_types []string each:len>=1
 allow_empty_content_type bool
extensions.filters.http.thrift_to_metadata.v3.ThriftToMetadataPerRoute
 request_rules []extensions.filters.http.thrift_to_metadata.v3.Rule
 response_rules []extensions.filters.http.thrift_to_metadata.v3.Rule
extensions.filters.http.transform.v3.BodyTransformation
 body_format config.core.v3.SubstitutionFormatString required
 action =.TransformAction
extensions.filters.http.transform.v3.TransformConfig
 request_transformation extensions.filters.http.transform.v3.Transformation
 response_transformation extensions.filters.http.transform.v3.Transformation
 clear_cluster_cache bool
 clear_route_cache bool
extensions.filters.http.transform.v3.Transformation
 headers_mutations []config.common.mutation_rules.v3.HeaderMutation
 body_transformation extensions.filters.http.transform.v3.BodyTransformation
extensions.filters.http.upstream_codec.v3.UpstreamCodec
extensions.filters.http.wasm.v3.Wasm
 config extensions.wasm.v3.PluginConfig
extensions.filters.listener.dynamic_modules.v3.DynamicModuleListenerFilter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 filter_name string
 filter_config Any
extensions.filters.listener.http_inspector.v3.HttpInspector <config.filter.listener.http_inspector.v2.HttpInspector
extensions.filters.listener.local_ratelimit.v3.LocalRateLimit
 stat_prefix string len>=1
 token_bucket type.v3.TokenBucket required
 runtime_enabled config.core.v3.RuntimeFeatureFlag
extensions.filters.listener.original_dst.v3.OriginalDst <config.filter.listener.original_dst.v2.OriginalDst
extensions.filters.listener.original_src.v3.OriginalSrc <config.filter.listener.original_src.v2alpha1.OriginalSrc
 bind_port bool
 mark uint32
extensions.filters.listener.proxy_protocol.v3.ProxyProtocol <config.filter.listener.proxy_protocol.v2.ProxyProtocol
 rules [].Rule
 allow_requests_without_proxy_protocol bool
 pass_through_tlvs config.core.v3.ProxyProtocolPassThroughTLVs
 disallowed_versions []=config.core.v3.ProxyProtocolConfig.Version
 stat_prefix string
 tlv_location =.TlvLocation
extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair
 metadata_namespace string
 key string len>=1
 value_string_encoding =.ValueStringEncoding
extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.Rule
 tlv_type uint32 <256
 on_tlv_present extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair
extensions.filters.listener.set_filter_state.v3.Config
 on_accept []extensions.filters.common.set_filter_state.v3.FilterStateValue
extensions.filters.listener.tls_inspector.v3.TlsInspector <config.filter.listener.tls_inspector.v2.TlsInspector
 enable_ja3_fingerprinting BoolValue
 initial_read_buffer_size UInt32Value <65537 >255
 enable_ja4_fingerprinting BoolValue
 close_connection_on_client_hello_parsing_errors bool
 max_client_hello_size UInt32Value <=16384 >255
extensions.filters.network.connection_limit.v3.ConnectionLimit
 stat_prefix string len>=1
 max_connections UInt64Value >=1
 delay Duration
 runtime_enabled config.core.v3.RuntimeFeatureFlag
extensions.filters.network.direct_response.v3.Config <config.filter.network.direct_response.v2.Config
 response config.core.v3.DataSource
extensions.filters.network.dubbo_proxy.router.v3.Router <config.filter.dubbo.router.v2alpha1.Router
extensions.filters.network.dubbo_proxy.v3.Drds
 config_source config.core.v3.ConfigSource required
 route_config_name string
extensions.filters.network.dubbo_proxy.v3.DubboFilter <config.filter.network.dubbo_proxy.v2alpha1.DubboFilter
 name string len>=1
 config Any
extensions.filters.network.dubbo_proxy.v3.DubboProxy <config.filter.network.dubbo_proxy.v2alpha1.DubboProxy
 stat_prefix string len>=1
 protocol_type =extensions.filters.network.dubbo_proxy.v3.ProtocolType defined
 serialization_type =extensions.filters.network.dubbo_proxy.v3.SerializationType defined
 route_config []extensions.filters.network.dubbo_proxy.v3.RouteConfiguration deprecated
 drds extensions.filters.network.dubbo_proxy.v3.Drds oneof=route_specifier
 multiple_route_config extensions.filters.network.dubbo_proxy.v3.MultipleRouteConfiguration oneof=route_specifier
 dubbo_filters []extensions.filters.network.dubbo_proxy.v3.DubboFilter
extensions.filters.network.dubbo_proxy.v3.MethodMatch <config.filter.network.dubbo_proxy.v2alpha1.MethodMatch
 name type.matcher.v3.StringMatcher
 params_match {uint32}.ParameterMatchSpecifier
extensions.filters.network.dubbo_proxy.v3.MethodMatch.ParameterMatchSpecifier <config.filter.network.dubbo_proxy.v2alpha1.MethodMatch.ParameterMatchSpecifier
 exact_match string oneof=parameter_match_specifier
 range_match type.v3.Int64Range oneof=parameter_match_specifier
extensions.filters.network.dubbo_proxy.v3.MultipleRouteConfiguration
 name string
 route_config []extensions.filters.network.dubbo_proxy.v3.RouteConfiguration
extensions.filters.network.dubbo_proxy.v3.Route <config.filter.network.dubbo_proxy.v2alpha1.Route
 match extensions.filters.network.dubbo_proxy.v3.RouteMatch required
 route extensions.filters.network.dubbo_proxy.v3.RouteAction required
extensions.filters.network.dubbo_proxy.v3.RouteAction <config.filter.network.dubbo_proxy.v2alpha1.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier
 weighted_clusters config.route.v3.WeightedCluster oneof=cluster_specifier
 metadata_match config.core.v3.Metadata
extensions.filters.network.dubbo_proxy.v3.RouteConfiguration <config.filter.network.dubbo_proxy.v2alpha1.RouteConfiguration
 name string
 interface string
 group string
 version string
 routes []extensions.filters.network.dubbo_proxy.v3.Route
extensions.filters.network.dubbo_proxy.v3.RouteMatch <config.filter.network.dubbo_proxy.v2alpha1.RouteMatch
 method extensions.filters.network.dubbo_proxy.v3.MethodMatch
 headers []config.route.v3.HeaderMatcher
extensions.filters.network.dynamic_modules.v3.DynamicModuleNetworkFilter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 filter_name string
 filter_config Any
 terminal_filter bool
extensions.filters.network.echo.v3.Echo <config.filter.network.echo.v2.Echo
extensions.filters.network.ext_authz.v3.ExtAuthz <config.filter.network.ext_authz.v2.ExtAuthz
 stat_prefix string len>=1
 grpc_service config.core.v3.GrpcService
 failure_mode_allow bool
 include_peer_certificate bool
 transport_api_version =config.core.v3.ApiVersion defined
 filter_enabled_metadata type.matcher.v3.MetadataMatcher
 bootstrap_metadata_labels_key string
 include_tls_session bool
 send_tls_alert_on_denial bool
 metadata_context_namespaces []string
 typed_metadata_context_namespaces []string
 shadow_mode bool
extensions.filters.network.ext_proc.v3.MetadataOptions
 forwarding_namespaces .MetadataNamespaces
 receiving_namespaces .MetadataNamespaces
extensions.filters.network.ext_proc.v3.MetadataOptions.MetadataNamespaces
 untyped []string
 typed []string
extensions.filters.network.ext_proc.v3.NetworkExternalProcessor
 grpc_service config.core.v3.GrpcService
 failure_mode_allow bool
 processing_mode extensions.filters.network.ext_proc.v3.ProcessingMode
 message_timeout Duration <=3600s >=0s
 stat_prefix string len>=1
 metadata_options extensions.filters.network.ext_proc.v3.MetadataOptions
 connection_attributes []string
extensions.filters.network.ext_proc.v3.ProcessingMode
 process_read =.DataSendMode
 process_write =.DataSendMode
extensions.filters.network.generic_proxy.action.v3.RouteAction !cluster_specifier
 name string
 cluster string oneof=cluster_specifier
 weighted_clusters config.route.v3.WeightedCluster oneof=cluster_specifier
 metadata config.core.v3.Metadata
 per_filter_config {}Any
 timeout Duration
 retry_policy config.core.v3.RetryPolicy
extensions.filters.network.generic_proxy.codecs.dubbo.v3.DubboCodecConfig
extensions.filters.network.generic_proxy.codecs.http1.v3.Http1CodecConfig
 single_frame_mode BoolValue
 max_buffer_size UInt32Value
extensions.filters.network.generic_proxy.matcher.v3.HostMatchInput
extensions.filters.network.generic_proxy.matcher.v3.KeyValueMatchEntry
 name string len>=1
 string_match type.matcher.v3.StringMatcher required
extensions.filters.network.generic_proxy.matcher.v3.MethodMatchInput
extensions.filters.network.generic_proxy.matcher.v3.PathMatchInput
extensions.filters.network.generic_proxy.matcher.v3.PropertyMatchInput
 property_name string len>=1
extensions.filters.network.generic_proxy.matcher.v3.RequestMatchInput
extensions.filters.network.generic_proxy.matcher.v3.RequestMatcher
 host type.matcher.v3.StringMatcher
 path type.matcher.v3.StringMatcher
 method type.matcher.v3.StringMatcher
 properties []extensions.filters.network.generic_proxy.matcher.v3.KeyValueMatchEntry
extensions.filters.network.generic_proxy.matcher.v3.ServiceMatchInput
extensions.filters.network.generic_proxy.router.v3.Router
 bind_upstream_connection bool
extensions.filters.network.generic_proxy.v3.GenericProxy !route_specifier
 stat_prefix string len>=1
 codec_config config.core.v3.TypedExtensionConfig required
 generic_rds extensions.filters.network.generic_proxy.v3.GenericRds oneof=route_specifier
 route_config extensions.filters.network.generic_proxy.v3.RouteConfiguration oneof=route_specifier
 filters []config.core.v3.TypedExtensionConfig
 tracing extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing
 access_log []config.accesslog.v3.AccessLog
extensions.filters.network.generic_proxy.v3.GenericRds
 config_source config.core.v3.ConfigSource required
 route_config_name string len>=1
extensions.filters.network.generic_proxy.v3.RouteConfiguration
 name string len>=1
 routes xds.type.matcher.v3.Matcher
 virtual_hosts []extensions.filters.network.generic_proxy.v3.VirtualHost
extensions.filters.network.generic_proxy.v3.VirtualHost
 name string len>=1
 hosts []string items>=1
 routes xds.type.matcher.v3.Matcher required
extensions.filters.network.geoip.v3.Geoip
 stat_prefix string
 provider config.core.v3.TypedExtensionConfig required
 client_ip string
extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager
 config extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
extensions.filters.network.http_connection_manager.v3.ForwardProtoConfig
 https_destination_ports []uint32
 http_destination_ports []uint32
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager <config.filter.network.http_connection_manager.v2.HttpConnectionManager !route_specifier
 codec_type =.CodecType defined
 stat_prefix string len>=1
 rds extensions.filters.network.http_connection_manager.v3.Rds oneof=route_specifier
 route_config config.route.v3.RouteConfiguration oneof=route_specifier
 scoped_routes extensions.filters.network.http_connection_manager.v3.ScopedRoutes oneof=route_specifier
 http_filters []extensions.filters.network.http_connection_manager.v3.HttpFilter
 add_user_agent BoolValue
 tracing .Tracing
 common_http_protocol_options config.core.v3.HttpProtocolOptions
 http_protocol_options config.core.v3.Http1ProtocolOptions
 http2_protocol_options config.core.v3.Http2ProtocolOptions
 http3_protocol_options config.core.v3.Http3ProtocolOptions
 server_name string header-value?
 server_header_transformation =.ServerHeaderTransformation defined
 scheme_header_transformation config.core.v3.SchemeHeaderTransformation
 max_request_headers_kb UInt32Value <=8192 >0
 stream_idle_timeout Duration
 request_timeout Duration
 request_headers_timeout Duration >=0s
 drain_timeout Duration
 delayed_close_timeout Duration
 access_log []config.accesslog.v3.AccessLog
 access_log_flush_interval Duration deprecated >=0.001s
 flush_access_log_on_new_request bool deprecated
 access_log_options .HcmAccessLogOptions
 use_remote_address BoolValue
 xff_num_trusted_hops uint32
 original_ip_detection_extensions []config.core.v3.TypedExtensionConfig
 early_header_mutation_extensions []config.core.v3.TypedExtensionConfig
 internal_address_config .InternalAddressConfig
 skip_xff_append bool
 via string header-value?
 generate_request_id BoolValue
 preserve_external_request_id bool
 always_set_request_id_in_response bool
 forward_client_cert_details =.ForwardClientCertDetails defined
 set_current_client_cert_details .SetCurrentClientCertDetails
 proxy_100_continue bool
 represent_ipv4_remote_address_as_ipv4_mapped_ipv6 bool
 upgrade_configs [].UpgradeConfig
 normalize_path BoolValue
 merge_slashes bool
 path_with_escaped_slashes_action =.PathWithEscapedSlashesAction
 request_id_extension extensions.filters.network.http_connection_manager.v3.RequestIDExtension
 local_reply_config extensions.filters.network.http_connection_manager.v3.LocalReplyConfig
 strip_matching_host_port bool
 strip_any_host_port bool oneof=strip_port_mode
 stream_error_on_invalid_http_message BoolValue
 path_normalization_options .PathNormalizationOptions
 strip_trailing_host_dot bool
 proxy_status_config .ProxyStatusConfig
 typed_header_validation_config config.core.v3.TypedExtensionConfig
 append_x_forwarded_port bool
 append_local_overload bool
 add_proxy_protocol_connection_state BoolValue
 http1_safe_max_connection_duration bool
 stream_flush_timeout Duration
 drain_timeout_jitter type.v3.Percent
 forward_client_cert_matcher xds.type.matcher.v3.Matcher
 forward_proto_config extensions.filters.network.http_connection_manager.v3.ForwardProtoConfig
 record_route_resolution_stats bool
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertConfig
 forward_client_cert_details =extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails
 set_current_client_cert_details extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.HcmAccessLogOptions
 access_log_flush_interval Duration >=0.001s
 flush_access_log_on_new_request bool
 flush_log_on_tunnel_successfully_established bool
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.InternalAddressConfig <config.filter.network.http_connection_manager.v2.HttpConnectionManager.InternalAddressConfig
 unix_sockets bool
 cidr_ranges []config.core.v3.CidrRange
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathNormalizationOptions
 forwarding_transformation type.http.v3.PathTransformation
 http_filter_transformation type.http.v3.PathTransformation
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ProxyStatusConfig
 remove_details bool
 remove_connection_termination_details bool
 remove_response_flags bool
 set_recommended_response_code bool
 use_node_id bool oneof=proxy_name
 literal_proxy_name string oneof=proxy_name
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails <config.filter.network.http_connection_manager.v2.HttpConnectionManager.SetCurrentClientCertDetails
 subject BoolValue
 cert bool
 chain bool
 dns bool
 uri bool
 issuer bool
 format =extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertFormat
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing <config.filter.network.http_connection_manager.v2.HttpConnectionManager.Tracing
 client_sampling type.v3.Percent
 random_sampling type.v3.Percent
 overall_sampling type.v3.Percent
 verbose bool
 max_path_tag_length UInt32Value
 custom_tags []type.tracing.v3.CustomTag
 provider config.trace.v3.Tracing.Http
 spawn_upstream_span BoolValue
 operation string
 upstream_operation string
 no_context_propagation bool
extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.UpgradeConfig <config.filter.network.http_connection_manager.v2.HttpConnectionManager.UpgradeConfig
 upgrade_type string
 filters []extensions.filters.network.http_connection_manager.v3.HttpFilter
 enabled BoolValue
extensions.filters.network.http_connection_manager.v3.HttpFilter <config.filter.network.http_connection_manager.v2.HttpFilter
 name string len>=1
 typed_config Any oneof=config_type
 config_discovery config.core.v3.ExtensionConfigSource oneof=config_type
 is_optional bool
 disabled bool
extensions.filters.network.http_connection_manager.v3.LocalReplyConfig
 mappers []extensions.filters.network.http_connection_manager.v3.ResponseMapper
 body_format config.core.v3.SubstitutionFormatString
extensions.filters.network.http_connection_manager.v3.Rds <config.filter.network.http_connection_manager.v2.Rds
 config_source config.core.v3.ConfigSource
 route_config_name string
extensions.filters.network.http_connection_manager.v3.RequestIDExtension <config.filter.network.http_connection_manager.v2.RequestIDExtension
 typed_config Any
extensions.filters.network.http_connection_manager.v3.ResponseMapper
 filter config.accesslog.v3.AccessLogFilter required
 status_code UInt32Value <600 >=200
 body config.core.v3.DataSource
 body_format_override config.core.v3.SubstitutionFormatString
 headers_to_add []config.core.v3.HeaderValueOption items<=1000
extensions.filters.network.http_connection_manager.v3.ScopedRds <config.filter.network.http_connection_manager.v2.ScopedRds
 scoped_rds_config_source config.core.v3.ConfigSource required
 srds_resources_locator string
extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList <config.filter.network.http_connection_manager.v2.ScopedRouteConfigurationsList
 scoped_route_configurations []config.route.v3.ScopedRouteConfiguration items>=1
extensions.filters.network.http_connection_manager.v3.ScopedRoutes <config.filter.network.http_connection_manager.v2.ScopedRoutes !config_specifier
 name string len>=1
 scope_key_builder .ScopeKeyBuilder required
 rds_config_source config.core.v3.ConfigSource
 scoped_route_configurations_list extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList oneof=config_specifier
 scoped_rds extensions.filters.network.http_connection_manager.v3.ScopedRds oneof=config_specifier
extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder <config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder
 fragments [].FragmentBuilder items>=1
extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder <config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder !type
 header_value_extractor .HeaderValueExtractor oneof=type
extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor <config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor
 name string header-name? len>=1
 element_separator string
 index uint32 oneof=extract_type
 element .KvElement oneof=extract_type
extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement <config.filter.network.http_connection_manager.v2.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement
 separator string len>=1
 key string len>=1
extensions.filters.network.local_ratelimit.v3.LocalRateLimit <config.filter.network.local_rate_limit.v2alpha.LocalRateLimit
 stat_prefix string len>=1
 token_bucket type.v3.TokenBucket required
 runtime_enabled config.core.v3.RuntimeFeatureFlag
 share_key string
extensions.filters.network.mongo_proxy.v3.MongoProxy <config.filter.network.mongo_proxy.v2.MongoProxy
 stat_prefix string len>=1
 access_log string
 delay extensions.filters.common.fault.v3.FaultDelay
 emit_dynamic_metadata bool
 commands []string
 max_bson_depth UInt32Value >0
extensions.filters.network.ratelimit.v3.RateLimit <config.filter.network.rate_limit.v2.RateLimit
 stat_prefix string len>=1
 domain string len>=1
 descriptors []extensions.common.ratelimit.v3.RateLimitDescriptor items>=1
 timeout Duration
 failure_mode_deny bool
 rate_limit_service config.ratelimit.v3.RateLimitServiceConfig required
extensions.filters.network.rbac.v3.RBAC <config.filter.network.rbac.v2.RBAC
 rules config.rbac.v3.RBAC
 matcher xds.type.matcher.v3.Matcher
 shadow_rules config.rbac.v3.RBAC
 shadow_matcher xds.type.matcher.v3.Matcher
 shadow_rules_stat_prefix string
 stat_prefix string len>=1
 enforcement_type =.EnforcementType
 delay_deny Duration
extensions.filters.network.redis_proxy.v3.AwsIam
 credential_provider extensions.common.aws.v3.AwsCredentialProvider
 cache_name string len>=1
 service_name string
 region string
 expiration_time Duration <=900s >=0s
extensions.filters.network.redis_proxy.v3.RedisExternalAuthProvider
 grpc_service config.core.v3.GrpcService
 enable_auth_expiration bool
extensions.filters.network.redis_proxy.v3.RedisProtocolOptions <config.filter.network.redis_proxy.v2.RedisProtocolOptions
 auth_password config.core.v3.DataSource sensitive
 auth_username config.core.v3.DataSource sensitive
 aws_iam extensions.filters.network.redis_proxy.v3.AwsIam
 credentials [].Credential
extensions.filters.network.redis_proxy.v3.RedisProtocolOptions.Credential
 address config.core.v3.Address
 auth_password config.core.v3.DataSource sensitive
 auth_username config.core.v3.DataSource sensitive
extensions.filters.network.redis_proxy.v3.RedisProxy <config.filter.network.redis_proxy.v2.RedisProxy
 stat_prefix string len>=1
 settings .ConnPoolSettings required
 latency_in_micros bool
 prefix_routes .PrefixRoutes
 downstream_auth_password config.core.v3.DataSource deprecated sensitive
 downstream_auth_passwords []config.core.v3.DataSource sensitive
 faults [].RedisFault
 downstream_auth_username config.core.v3.DataSource sensitive
 external_auth_provider extensions.filters.network.redis_proxy.v3.RedisExternalAuthProvider
 custom_commands []string
 protocol_version =.ProtocolVersion defined
extensions.filters.network.redis_proxy.v3.RedisProxy.ConnPoolSettings <config.filter.network.redis_proxy.v2.RedisProxy.ConnPoolSettings
 op_timeout Duration required
 enable_hashtagging bool
 enable_redirection bool
 dns_cache_config extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig
 max_buffer_size_before_flush uint32
 buffer_flush_timeout Duration
 max_upstream_unknown_connections UInt32Value
 enable_command_stats bool
 read_policy =.ReadPolicy defined
 connection_rate_limit extensions.filters.network.redis_proxy.v3.RedisProxy.ConnectionRateLimit
extensions.filters.network.redis_proxy.v3.RedisProxy.ConnectionRateLimit
 connection_rate_limit_per_sec uint32 >0
extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes <config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes
 routes [].Route
 case_insensitive bool
 catch_all_route .Route
extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route <config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes.Route
 prefix string bytes<=1000
 remove_prefix bool
 cluster string len>=1
 request_mirror_policy [].RequestMirrorPolicy
 key_formatter string
 read_command_policy .ReadCommandPolicy
extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route.ReadCommandPolicy
 cluster string len>=1
extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route.RequestMirrorPolicy <config.filter.network.redis_proxy.v2.RedisProxy.PrefixRoutes.Route.RequestMirrorPolicy
 cluster string len>=1
 runtime_fraction config.core.v3.RuntimeFractionalPercent
 exclude_read_commands bool
extensions.filters.network.redis_proxy.v3.RedisProxy.RedisFault
 fault_type =.RedisFaultType defined
 fault_enabled config.core.v3.RuntimeFractionalPercent required
 delay Duration
 commands []string
extensions.filters.network.reverse_tunnel.v3.DrainAwareHttpConnectionManager
 hcm_config extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
 enable_drain_with_goaway bool
extensions.filters.network.reverse_tunnel.v3.ReverseTunnel
 ping_interval Duration <=300s >=0.001s
 auto_close_connections bool deprecated
 request_path string len>=1 len<=255 or-empty
 request_method =config.core.v3.RequestMethod defined
 validation extensions.filters.network.reverse_tunnel.v3.Validation
 required_cluster_name string len<=255 or-empty
 use_http_upgrade bool
 skip_rebalancing bool
 jwt_validator extensions.filters.common.jwks.v3.JwtHandshakeValidator
 enable_connection_limit bool
 handshake_timeout Duration <=300s >0s
extensions.filters.network.reverse_tunnel.v3.Validation
 node_id_format string len<=1024
 cluster_id_format string len<=1024
 tenant_id_format string len<=1024
 emit_dynamic_metadata bool
 dynamic_metadata_namespace string len<=255
extensions.filters.network.set_filter_state.v3.Config
 on_new_connection []extensions.filters.common.set_filter_state.v3.FilterStateValue
 on_downstream_tls_handshake []extensions.filters.common.set_filter_state.v3.FilterStateValue
 on_downstream_data []extensions.filters.common.set_filter_state.v3.FilterStateValue
extensions.filters.network.sni_cluster.v3.SniCluster <config.filter.network.sni_cluster.v2.SniCluster
extensions.filters.network.sni_dynamic_forward_proxy.v3.FilterConfig
 dns_cache_config extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig required
 port_value uint32 oneof=port_specifier <=65535 >0
 save_upstream_address bool
extensions.filters.network.tcp_bandwidth_limit.v3.TcpBandwidthLimit
 stat_prefix string len>=1
 read_limit_kbps UInt64Value
 write_limit_kbps UInt64Value
 fill_interval Duration <=1s >=0.020s
 runtime_enabled config.core.v3.RuntimeFeatureFlag
extensions.filters.network.tcp_proxy.v3.TcpProxy <config.filter.network.tcp_proxy.v2.TcpProxy !cluster_specifier
 stat_prefix string len>=1
 cluster string oneof=cluster_specifier
 weighted_clusters .WeightedCluster oneof=cluster_specifier
 on_demand .OnDemand
 metadata_match config.core.v3.Metadata
 idle_timeout Duration
 downstream_idle_timeout Duration
 upstream_idle_timeout Duration
 access_log []config.accesslog.v3.AccessLog
 max_connect_attempts UInt32Value >=1
 hash_policy []type.v3.HashPolicy items<=1
 tunneling_config .TunnelingConfig
 max_downstream_connection_duration Duration >=0.001s
 access_log_flush_interval Duration deprecated >=0.001s
 flush_access_log_on_connected bool deprecated
 access_log_options .TcpAccessLogOptions
 backoff_options config.core.v3.BackoffStrategy
 max_downstream_connection_duration_jitter_percentage type.v3.Percent
 proxy_protocol_tlvs []config.core.v3.TlvEntry
 proxy_protocol_tlv_merge_policy =extensions.filters.network.tcp_proxy.v3.ProxyProtocolTlvMergePolicy defined
 upstream_connect_mode =extensions.filters.network.tcp_proxy.v3.UpstreamConnectMode defined
 max_early_data_bytes UInt32Value <=1048576
 check_drain_close BoolValue
extensions.filters.network.tcp_proxy.v3.TcpProxy.OnDemand
 odcds_config config.core.v3.ConfigSource
 resources_locator string
 timeout Duration
extensions.filters.network.tcp_proxy.v3.TcpProxy.TcpAccessLogOptions
 access_log_flush_interval Duration >=0.001s
 flush_access_log_on_connected bool
 flush_access_log_on_start bool
extensions.filters.network.tcp_proxy.v3.TcpProxy.TunnelingConfig <config.filter.network.tcp_proxy.v2.TcpProxy.TunnelingConfig
 hostname string len>=1
 use_post bool
 headers_to_add []config.core.v3.HeaderValueOption items<=1000
 propagate_response_headers bool
 post_path string
 propagate_response_trailers bool
 request_id_extension extensions.filters.network.http_connection_manager.v3.RequestIDExtension
 request_id_header string
 request_id_metadata_key string
 formatters []config.core.v3.TypedExtensionConfig
extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster <config.filter.network.tcp_proxy.v2.TcpProxy.WeightedCluster
 clusters [].ClusterWeight items>=1
extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight <config.filter.network.tcp_proxy.v2.TcpProxy.WeightedCluster.ClusterWeight
 name string len>=1
 weight uint32 >=1
 metadata_match config.core.v3.Metadata
extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata
 request_rules [].Rule items>=1
extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.KeyValuePair
 metadata_namespace string
 key string len>=1
 value string oneof=value_type
 regex_value_rewrite type.matcher.v3.RegexMatchAndSubstitute oneof=value_type
 type =extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.ValueType defined
 encode =extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.ValueEncode
extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.Rule
 header string header-name? len>=1
 on_present extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.KeyValuePair
 on_missing extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.KeyValuePair
 remove bool
extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata
 request_rules [].Rule items>=1
extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.FieldSelector
 name string len>=1
 id int32 <=32767 >=-32768
 child extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.FieldSelector
extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.KeyValuePair
 metadata_namespace string
 key string len>=1
 value string oneof=value_type
 regex_value_rewrite type.matcher.v3.RegexMatchAndSubstitute oneof=value_type
 type =extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.ValueType defined
extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.Rule !match_specifier
 method_name string oneof=match_specifier
 service_name string oneof=match_specifier
 field_selector extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.FieldSelector required
 on_present extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.KeyValuePair
 on_missing extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.KeyValuePair
extensions.filters.network.thrift_proxy.filters.ratelimit.v3.RateLimit <config.filter.thrift.rate_limit.v2alpha1.RateLimit
 domain string len>=1
 stage uint32 <=10
 timeout Duration
 failure_mode_deny bool
 rate_limit_service config.ratelimit.v3.RateLimitServiceConfig required
extensions.filters.network.thrift_proxy.router.v3.Router <config.filter.thrift.router.v2alpha1.Router
 close_downstream_on_upstream_error BoolValue
extensions.filters.network.thrift_proxy.v3.Route <config.filter.network.thrift_proxy.v2alpha1.Route
 match extensions.filters.network.thrift_proxy.v3.RouteMatch required
 route extensions.filters.network.thrift_proxy.v3.RouteAction required
extensions.filters.network.thrift_proxy.v3.RouteAction <config.filter.network.thrift_proxy.v2alpha1.RouteAction !cluster_specifier
 cluster string oneof=cluster_specifier len>=1
 weighted_clusters extensions.filters.network.thrift_proxy.v3.WeightedCluster oneof=cluster_specifier
 cluster_header string oneof=cluster_specifier header-value? len>=1
 metadata_match config.core.v3.Metadata
 rate_limits []config.route.v3.RateLimit
 strip_service_name bool
 request_mirror_policies [].RequestMirrorPolicy
extensions.filters.network.thrift_proxy.v3.RouteAction.RequestMirrorPolicy
 cluster string len>=1
 runtime_fraction config.core.v3.RuntimeFractionalPercent
extensions.filters.network.thrift_proxy.v3.RouteConfiguration <config.filter.network.thrift_proxy.v2alpha1.RouteConfiguration
 name string
 routes []extensions.filters.network.thrift_proxy.v3.Route
 validate_clusters BoolValue
extensions.filters.network.thrift_proxy.v3.RouteMatch <config.filter.network.thrift_proxy.v2alpha1.RouteMatch !match_specifier
 method_name string oneof=match_specifier
 service_name string oneof=match_specifier
 invert bool
 headers []config.route.v3.HeaderMatcher
extensions.filters.network.thrift_proxy.v3.ThriftFilter <config.filter.network.thrift_proxy.v2alpha1.ThriftFilter
 name string len>=1
 typed_config Any oneof=config_type
extensions.filters.network.thrift_proxy.v3.ThriftProtocolOptions <config.filter.network.thrift_proxy.v2alpha1.ThriftProtocolOptions
 transport =extensions.filters.network.thrift_proxy.v3.TransportType defined
 protocol =extensions.filters.network.thrift_proxy.v3.ProtocolType defined
extensions.filters.network.thrift_proxy.v3.ThriftProxy <config.filter.network.thrift_proxy.v2alpha1.ThriftProxy
 transport =extensions.filters.network.thrift_proxy.v3.TransportType defined
 protocol =extensions.filters.network.thrift_proxy.v3.ProtocolType defined
 stat_prefix string len>=1
 route_config extensions.filters.network.thrift_proxy.v3.RouteConfiguration
 trds extensions.filters.network.thrift_proxy.v3.Trds
 thrift_filters []extensions.filters.network.thrift_proxy.v3.ThriftFilter
 payload_passthrough bool
 max_requests_per_connection UInt32Value
 access_log []config.accesslog.v3.AccessLog
 header_keys_preserve_case bool
extensions.filters.network.thrift_proxy.v3.Trds
 config_source config.core.v3.ConfigSource required
 route_config_name string
extensions.filters.network.thrift_proxy.v3.WeightedCluster <config.filter.network.thrift_proxy.v2alpha1.WeightedCluster
 clusters [].ClusterWeight items>=1
extensions.filters.network.thrift_proxy.v3.WeightedCluster.ClusterWeight <config.filter.network.thrift_proxy.v2alpha1.WeightedCluster.ClusterWeight
 name string len>=1
 weight UInt32Value >=1
 metadata_match config.core.v3.Metadata
extensions.filters.network.wasm.v3.Wasm
 config extensions.wasm.v3.PluginConfig
extensions.filters.network.zookeeper_proxy.v3.LatencyThresholdOverride
 opcode =.Opcode defined
 threshold Duration required >=0.001s
extensions.filters.network.zookeeper_proxy.v3.ZooKeeperProxy <config.filter.network.zookeeper_proxy.v1alpha1.ZooKeeperProxy
 stat_prefix string len>=1
 access_log string
 max_packet_bytes UInt32Value
 enable_latency_threshold_metrics bool
 default_latency_threshold Duration >=0.001s
 latency_threshold_overrides []extensions.filters.network.zookeeper_proxy.v3.LatencyThresholdOverride
 enable_per_opcode_request_bytes_metrics bool
 enable_per_opcode_response_bytes_metrics bool
 enable_per_opcode_decoder_error_metrics bool
extensions.filters.udp.dns_filter.v3.DnsFilterConfig
 stat_prefix string len>=1
 server_config .ServerContextConfig
 client_config .ClientContextConfig
 access_log []config.accesslog.v3.AccessLog
 case_insensitive bool
extensions.filters.udp.dns_filter.v3.DnsFilterConfig.ClientContextConfig
 resolver_timeout Duration >=1s
 upstream_resolvers []config.core.v3.Address deprecated
 dns_resolution_config config.core.v3.DnsResolutionConfig deprecated
 typed_dns_resolver_config config.core.v3.TypedExtensionConfig
 max_pending_lookups uint64 >=1
extensions.filters.udp.dns_filter.v3.DnsFilterConfig.ServerContextConfig !config_source
 inline_dns_table data.dns.v3.DnsTable oneof=config_source
 external_dns_table config.core.v3.DataSource oneof=config_source
extensions.filters.udp.dynamic_modules.v3.DynamicModuleUdpListenerFilter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig
 filter_name string
 filter_config Any
extensions.filters.udp.udp_proxy.session.dynamic_forward_proxy.v3.FilterConfig
 stat_prefix string len>=1
 dns_cache_config extensions.common.dynamic_forward_proxy.v3.DnsCacheConfig oneof=implementation_specifier required
 buffer_options .BufferOptions
extensions.filters.udp.udp_proxy.session.dynamic_forward_proxy.v3.FilterConfig.BufferOptions
 max_buffered_datagrams UInt32Value
 max_buffered_bytes UInt64Value
extensions.filters.udp.udp_proxy.session.ext_authz.v3.FilterConfig
 stat_prefix string len>=1
 grpc_service config.core.v3.GrpcService required
 failure_mode_allow bool
 buffer_options .BufferOptions
extensions.filters.udp.udp_proxy.session.ext_authz.v3.FilterConfig.BufferOptions
 max_buffered_datagrams UInt32Value
 max_buffered_bytes UInt64Value
extensions.filters.udp.udp_proxy.session.http_capsule.v3.FilterConfig
extensions.filters.udp.udp_proxy.v3.Route
 cluster string len>=1
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig <config.filter.udp.udp_proxy.v2alpha.UdpProxyConfig !route_specifier
 stat_prefix string len>=1
 cluster string oneof=route_specifier deprecated len>=1
 matcher xds.type.matcher.v3.Matcher oneof=route_specifier
 idle_timeout Duration
 use_original_src_ip bool
 hash_policies [].HashPolicy items<=1
 upstream_socket_config config.core.v3.UdpSocketConfig
 use_per_packet_load_balancing bool
 access_log []config.accesslog.v3.AccessLog
 proxy_access_log []config.accesslog.v3.AccessLog
 session_filters [].SessionFilter
 tunneling_config .UdpTunnelingConfig
 access_log_options .UdpAccessLogOptions
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy !policy_specifier
 source_ip bool oneof=policy_specifier const=true
 key string oneof=policy_specifier len>=1
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.SessionFilter
 name string len>=1
 typed_config Any oneof=config_type
 config_discovery config.core.v3.ExtensionConfigSource oneof=config_type
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpAccessLogOptions
 access_log_flush_interval Duration >=0.001s
 flush_access_log_on_tunnel_connected bool
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig
 proxy_host string len>=1
 proxy_port UInt32Value
 target_host string len>=1
 default_target_port uint32 <=65535 >0
 use_post bool
 post_path string
 retry_options .RetryOptions
 headers_to_add []config.core.v3.HeaderValueOption items<=1000
 buffer_options .BufferOptions
 propagate_response_headers bool
 propagate_response_trailers bool
 formatters []config.core.v3.TypedExtensionConfig
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.BufferOptions
 max_buffered_datagrams UInt32Value
 max_buffered_bytes UInt64Value
extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.RetryOptions
 max_connect_attempts UInt32Value
 backoff_options config.core.v3.BackoffStrategy
extensions.formatter.cel.v3.Cel
 cel_config config.core.v3.CelExpressionConfig
extensions.formatter.dynamic_modules.v3.DynamicModuleFormatter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 formatter_name string
 formatter_config Any
extensions.formatter.file_content.v3.FileContent
extensions.formatter.generic_secret.v3.GenericSecret
 secret_configs {}extensions.transport_sockets.tls.v3.SdsSecretConfig items>=1
extensions.formatter.metadata.v3.Metadata
extensions.formatter.req_without_query.v3.ReqWithoutQuery
extensions.geoip_providers.common.v3.CommonGeoipProviderConfig
 geo_headers_to_add .GeolocationHeadersToAdd deprecated
 geo_field_keys .GeolocationFieldKeys
extensions.geoip_providers.common.v3.CommonGeoipProviderConfig.GeolocationFieldKeys
 country string
 city string
 region string
 asn string
 asn_org string
 anon string
 anon_vpn string
 anon_hosting string
 anon_tor string
 anon_proxy string
 isp string
 apple_private_relay string
extensions.geoip_providers.common.v3.CommonGeoipProviderConfig.GeolocationHeadersToAdd
 country string header-name or-empty
 city string header-name or-empty
 region string header-name or-empty
 asn string header-name or-empty
 is_anon string deprecated header-name or-empty
 anon_vpn string header-name or-empty
 anon_hosting string header-name or-empty
 anon_tor string header-name or-empty
 anon_proxy string header-name or-empty
 asn_org string header-name or-empty
 anon string header-name or-empty
 isp string header-name or-empty
 apple_private_relay string header-name or-empty
extensions.geoip_providers.maxmind.v3.MaxMindConfig
 city_db_path string pattern="^$|^.*\\\\.mmdb$"
 isp_db_path string pattern="^$|^.*\\\\.mmdb$"
 anon_db_path string pattern="^$|^.*\\\\.mmdb$"
 common_provider_config extensions.geoip_providers.common.v3.CommonGeoipProviderConfig required
 asn_db_path string pattern="^$|^.*\\\\.mmdb$"
 country_db_path string pattern="^$|^.*\\\\.mmdb$"
extensions.health_check.event_sinks.file.v3.HealthCheckEventFileSink
 event_log_path string len>=1
extensions.health_checkers.dynamic_modules.v3.DynamicModuleHealthCheck
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 health_checker_name string len>=1
 health_checker_config Any
extensions.health_checkers.redis.v3.Redis <config.health_checker.redis.v2.Redis
 key string
 aws_iam extensions.filters.network.redis_proxy.v3.AwsIam
extensions.health_checkers.thrift.v3.Thrift
 method_name string len>=1
 transport =extensions.filters.network.thrift_proxy.v3.TransportType defined
 protocol =extensions.filters.network.thrift_proxy.v3.ProtocolType defined
extensions.health_checkers.udp.v3.UdpHealthCheck
 send config.core.v3.HealthCheck.Payload required
 receive config.core.v3.HealthCheck.Payload required
extensions.http.ai_filters.request_info.v3.RequestInfo
 metadata_namespace string
 token_estimation .TokenEstimation
extensions.http.ai_filters.request_info.v3.RequestInfo.TokenEstimation
 tokens_per_byte double <=1 >0
extensions.http.ai_filters.schema_validation.v3.SchemaValidation
 default_llm_protocol =type.ai.v3.LLMProtocol defined
 fail_open bool
extensions.http.ai_filters.transcoder.v3.Transcoder
 request_handling =.Direction defined
 response_handling =.Direction defined
extensions.http.cache.file_system_http_cache.v3.FileSystemHttpCacheConfig
 manager_config extensions.common.async_files.v3.AsyncFileManagerConfig required
 cache_path string len>=1
 max_cache_size_bytes UInt64Value
 max_individual_cache_entry_size_bytes UInt64Value
 max_cache_entry_count UInt64Value
 cache_subdivisions uint32
 evict_fraction float
 max_eviction_period Duration
 min_eviction_period Duration
 create_cache_path bool
extensions.http.cache.simple_http_cache.v3.SimpleHttpCacheConfig
extensions.http.cache_v2.file_system_http_cache.v3.FileSystemHttpCacheV2Config
 manager_config extensions.common.async_files.v3.AsyncFileManagerConfig required
 cache_path string len>=1
 max_cache_size_bytes UInt64Value
 max_individual_cache_entry_size_bytes UInt64Value
 max_cache_entry_count UInt64Value
 cache_subdivisions uint32
 evict_fraction float
 max_eviction_period Duration
 min_eviction_period Duration
 create_cache_path bool
extensions.http.cache_v2.simple_http_cache.v3.SimpleHttpCacheV2Config
extensions.http.custom_response.local_response_policy.v3.LocalResponsePolicy
 body config.core.v3.DataSource
 body_format config.core.v3.SubstitutionFormatString
 status_code UInt32Value <600 >=200
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 preserve_response_code_details bool oneof=response_code_details_action const=true
 response_code_details string oneof=response_code_details_action len>=1
extensions.http.custom_response.redirect_policy.v3.RedirectPolicy !redirect_action_specifier
 uri string oneof=redirect_action_specifier len>=1
 redirect_action config.route.v3.RedirectAction oneof=redirect_action_specifier
 status_code UInt32Value <=999 >=200
 response_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 request_headers_to_add []config.core.v3.HeaderValueOption items<=1000
 modify_request_headers_action config.core.v3.TypedExtensionConfig
extensions.http.early_header_mutation.dynamic_modules.v3.DynamicModuleEarlyHeaderMutation
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 early_header_mutation_name string
 early_header_mutation_config Any
extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation
 mutations []config.common.mutation_rules.v3.HeaderMutation items>=1
extensions.http.ext_proc.processing_request_modifiers.mapped_attribute_builder.v3.MappedAttributeBuilder
 mapped_request_attributes {}string
 mapped_response_attributes {}string
extensions.http.ext_proc.response_processors.save_processing_response.v3.SaveProcessingResponse
 filter_state_name_suffix string
 save_request_headers .SaveOptions
 save_response_headers .SaveOptions
 save_request_trailers .SaveOptions
 save_response_trailers .SaveOptions
 save_immediate_response .SaveOptions
extensions.http.ext_proc.response_processors.save_processing_response.v3.SaveProcessingResponse.SaveOptions
 save_response bool
 save_on_error bool
extensions.http.header_formatters.dynamic_modules.v3.DynamicModuleHeaderFormatter
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 header_formatter_name string
 header_formatter_config Any
extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig
 forward_reason_phrase bool
 formatter_type_on_envoy_headers =.FormatterTypeOnEnvoyHeaders defined
extensions.http.header_validators.envoy_default.v3.HeaderValidatorConfig
 http1_protocol_options .Http1ProtocolOptions
 uri_path_normalization_options .UriPathNormalizationOptions
 restrict_http_methods bool
 headers_with_underscores_action =.HeadersWithUnderscoresAction
 strip_fragment_from_path bool
extensions.http.header_validators.envoy_default.v3.HeaderValidatorConfig.Http1ProtocolOptions
 allow_chunked_length bool
extensions.http.header_validators.envoy_default.v3.HeaderValidatorConfig.UriPathNormalizationOptions
 skip_path_normalization bool
 skip_merging_slashes bool
 path_with_escaped_slashes_action =.PathWithEscapedSlashesAction defined
extensions.http.injected_credentials.generic.v3.Generic
 credential extensions.transport_sockets.tls.v3.SdsSecretConfig required
 header string header-name or-empty
 header_value_prefix string
extensions.http.injected_credentials.oauth2.v3.OAuth2 !flow_type
 token_endpoint config.core.v3.HttpUri required
 scopes []string
 client_credentials .ClientCredentials oneof=flow_type
 token_fetch_retry_interval Duration >=1s
 endpoint_params [].EndpointParameter
extensions.http.injected_credentials.oauth2.v3.OAuth2.ClientCredentials
 client_id string len>=1
 client_secret extensions.transport_sockets.tls.v3.SdsSecretConfig
 auth_type =extensions.http.injected_credentials.oauth2.v3.OAuth2.AuthType
extensions.http.injected_credentials.oauth2.v3.OAuth2.EndpointParameter
 name string len>=1
 value string
extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig
 header_name string header-name len>=1
 allow_extension_to_set_address_as_trusted bool
 reject_with_status type.v3.HttpStatus
extensions.http.original_ip_detection.xff.v3.XffConfig
 xff_num_trusted_hops uint32
 xff_trusted_cidrs extensions.http.original_ip_detection.xff.v3.XffTrustedCidrs
 skip_xff_append BoolValue
extensions.http.original_ip_detection.xff.v3.XffTrustedCidrs
 cidrs []config.core.v3.CidrRange
extensions.http.stateful_session.cookie.v3.CookieBasedSessionState
 cookie type.http.v3.Cookie required
extensions.http.stateful_session.envelope.v3.EnvelopeSessionState
 header .Header required
extensions.http.stateful_session.envelope.v3.EnvelopeSessionState.Header
 name string len>=1
extensions.http.stateful_session.header.v3.HeaderBasedSessionState
 name string len>=1
extensions.internal_redirect.allow_listed_routes.v3.AllowListedRoutesConfig
 allowed_route_names []string each:len>=1
extensions.internal_redirect.filter_state.v3.FilterStateConfig
 redirect_enabled_key string len>=1
 redirect_if_absent bool
extensions.internal_redirect.previous_routes.v3.PreviousRoutesConfig
extensions.internal_redirect.safe_cross_scheme.v3.SafeCrossSchemeConfig
extensions.key_value.file_based.v3.FileBasedKeyValueStoreConfig
 filename string len>=1
 flush_interval Duration
 max_entries UInt32Value
extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin
 enable_oob_load_report BoolValue # Ask hosts for reports instead of reading those of answers. # idle: reports come with answers; reports out of band are not simulated
 oob_reporting_period Duration # How often hosts are asked. Default 10 s. # idle: reports come with answers; reports out of band are not simulated
 blackout_period Duration # How long a host must have reported before its reports count. Default 10 s.
 weight_expiration_period Duration # How old the last report may be. Default 3 min.
 weight_update_period Duration # How often weights are worked out. Default 1 s, at least 100 ms.
 error_utilization_penalty FloatValue >=0 # How much errors count as utilisation: times eps / rps. Default 0, whatever the documentation says.
 metric_names_for_computing_utilization []string # What counts as utilisation: the largest of these, as named_metrics.queue or cpu_utilization; where a report has none of them application_utilization, else cpu_utilization.
 slow_start_config extensions.load_balancing_policies.common.v3.SlowStartConfig
 oob_reporting_config extensions.load_balancing_policies.common.v3.OrcaOobReportingConfig
extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided
extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig
 use_hostname_for_hashing bool
 hash_balance_factor UInt32Value >=100
 hash_policy []config.route.v3.RouteAction.HashPolicy
extensions.load_balancing_policies.common.v3.LocalityLbConfig !locality_config_specifier
 zone_aware_lb_config .ZoneAwareLbConfig oneof=locality_config_specifier
 locality_weighted_lb_config .LocalityWeightedLbConfig oneof=locality_config_specifier
extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig
extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig
 routing_enabled type.v3.Percent
 min_cluster_size UInt64Value
 fail_traffic_on_panic bool
 force_locality_direct_routing bool deprecated
 force_local_zone .ForceLocalZone
 locality_basis =.LocalityBasis
extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone
 min_size UInt32Value
extensions.load_balancing_policies.common.v3.OrcaOobReportingConfig
 port_value uint32 <=65535
 authority string header-value?
 transport_socket_match_criteria Struct
extensions.load_balancing_policies.common.v3.SlowStartConfig
 slow_start_window Duration
 aggression config.core.v3.RuntimeDouble
 min_weight_percent type.v3.Percent
extensions.load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 lb_policy_name string len>=1
 lb_policy_config Any
extensions.load_balancing_policies.least_request.v3.LeastRequest
 choice_count UInt32Value >=2
 active_request_bias config.core.v3.RuntimeDouble
 slow_start_config extensions.load_balancing_policies.common.v3.SlowStartConfig
 locality_lb_config extensions.load_balancing_policies.common.v3.LocalityLbConfig
 enable_full_scan BoolValue deprecated
 selection_method =.SelectionMethod defined
extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality
 endpoint_picking_policy config.cluster.v3.LoadBalancingPolicy required
 weight_update_period Duration >=0.100s # How often weights are worked out. Default 1 s.
 metric_names_for_computing_utilization []string # What counts as utilisation: the largest of these, as named_metrics.queue or cpu_utilization; where a report has none of them application_utilization, else cpu_utilization.
 utilization_variance_threshold DoubleValue <=1 >=0 # How far the utilisation of the own locality may lie above that of the others before requests leave it. Default 0.1.
 smoothing_time_constant Duration >0s # How slowly the utilisation of a locality follows its reports: the time constant of its smoothing. Default 5 s.
 remote_probe_fraction DoubleValue <1 >=0 # Part of the requests that leaves the own locality in any case. Default 0.03.
 weight_expiration_period Duration >=0s # How old the last report may be. Default 3 min.
 enable_oob_load_report BoolValue # Ask hosts for reports instead of reading those of answers. # idle: reports come with answers; reports out of band are not simulated
 oob_reporting_period Duration # How often hosts are asked. Default 10 s. # idle: reports come with answers; reports out of band are not simulated
 oob_reporting_config extensions.load_balancing_policies.common.v3.OrcaOobReportingConfig
extensions.load_balancing_policies.maglev.v3.Maglev
 table_size UInt64Value <=5000011
 consistent_hashing_lb_config extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig
 locality_weighted_lb_config extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig
extensions.load_balancing_policies.override_host.v3.OverrideHost
 override_host_sources [].OverrideHostSource items>=1 # The first that a request has counts.
 selected_host_key type.metadata.v3.MetadataKey
 fallback_policy config.cluster.v3.LoadBalancingPolicy required
extensions.load_balancing_policies.override_host.v3.OverrideHost.OverrideHostSource
 header string header-value? # Request header that names hosts.
 metadata type.metadata.v3.MetadataKey # Metadata of the request that names hosts. # idle: requests of a simulation carry no metadata: the next source, or the fallback policy, is asked
extensions.load_balancing_policies.pick_first.v3.PickFirst
 shuffle_address_list bool
extensions.load_balancing_policies.random.v3.Random
 locality_lb_config extensions.load_balancing_policies.common.v3.LocalityLbConfig
extensions.load_balancing_policies.random_subsetting.v3.RandomSubsetting
 subset_size UInt32Value >0
 child_policy config.cluster.v3.LoadBalancingPolicy required
extensions.load_balancing_policies.ring_hash.v3.RingHash
 hash_function =.HashFunction defined
 minimum_ring_size UInt64Value <=8388608 >=1
 maximum_ring_size UInt64Value <=8388608
 use_hostname_for_hashing bool deprecated
 hash_balance_factor UInt32Value deprecated >=100
 consistent_hashing_lb_config extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig
 locality_weighted_lb_config extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig
extensions.load_balancing_policies.round_robin.v3.RoundRobin
 slow_start_config extensions.load_balancing_policies.common.v3.SlowStartConfig
 locality_lb_config extensions.load_balancing_policies.common.v3.LocalityLbConfig
extensions.load_balancing_policies.subset.v3.Subset <config.cluster.v3.LbSubsetConfig
 fallback_policy =.LbSubsetFallbackPolicy defined
 default_subset Struct
 subset_selectors [].LbSubsetSelector
 allow_redundant_keys bool
 locality_weight_aware bool
 scale_locality_weight bool
 panic_mode_any bool
 list_as_any bool
 metadata_fallback_policy =.LbSubsetMetadataFallbackPolicy defined
 subset_lb_policy config.cluster.v3.LoadBalancingPolicy required
extensions.load_balancing_policies.subset.v3.Subset.LbSubsetSelector
 keys []string
 single_host_per_subset bool
 fallback_policy =.LbSubsetSelectorFallbackPolicy defined
 fallback_keys_subset []string
extensions.load_balancing_policies.wrr_locality.v3.WrrLocality
 endpoint_picking_policy config.cluster.v3.LoadBalancingPolicy required
extensions.local_address_selectors.filter_state_override.v3.Config
extensions.matching.actions.transform_stat.v3.TransformStat
 drop_stat .DropStat
 drop_tag .DropTag
 update_tag .UpdateTag
extensions.matching.actions.transform_stat.v3.TransformStat.DropStat
extensions.matching.actions.transform_stat.v3.TransformStat.DropTag
extensions.matching.actions.transform_stat.v3.TransformStat.UpdateTag
 new_tag_value string
extensions.matching.common_inputs.environment_variable.v3.Config
 name string len>=1
extensions.matching.common_inputs.network.v3.ApplicationProtocolInput
extensions.matching.common_inputs.network.v3.DestinationIPInput
extensions.matching.common_inputs.network.v3.DestinationPortInput
extensions.matching.common_inputs.network.v3.DirectSourceIPInput
extensions.matching.common_inputs.network.v3.DynamicMetadataInput
 filter string len>=1
 path [].PathSegment items>=1
extensions.matching.common_inputs.network.v3.DynamicMetadataInput.PathSegment !segment
 key string oneof=segment len>=1
extensions.matching.common_inputs.network.v3.FilterStateInput
 key string len>=1
 field string
extensions.matching.common_inputs.network.v3.NetworkNamespaceInput
extensions.matching.common_inputs.network.v3.ServerNameInput
extensions.matching.common_inputs.network.v3.SourceIPInput
extensions.matching.common_inputs.network.v3.SourcePortInput
extensions.matching.common_inputs.network.v3.SourceTypeInput
extensions.matching.common_inputs.network.v3.TransportProtocolInput
extensions.matching.common_inputs.ssl.v3.DnsSanInput
extensions.matching.common_inputs.ssl.v3.SubjectInput
extensions.matching.common_inputs.ssl.v3.UriSanInput
extensions.matching.common_inputs.stats.v3.StatFullNameMatchInput
extensions.matching.common_inputs.stats.v3.StatTagValueInput
extensions.matching.common_inputs.transport_socket.v3.EndpointMetadataInput
 filter string
 path [].PathSegment items>=1
extensions.matching.common_inputs.transport_socket.v3.EndpointMetadataInput.PathSegment !segment
 key string oneof=segment len>=1
extensions.matching.common_inputs.transport_socket.v3.FilterStateInput
 key string len>=1
extensions.matching.common_inputs.transport_socket.v3.LocalityMetadataInput
 filter string
 path [].PathSegment items>=1
extensions.matching.common_inputs.transport_socket.v3.LocalityMetadataInput.PathSegment !segment
 key string oneof=segment len>=1
extensions.matching.common_inputs.transport_socket.v3.TransportSocketNameAction
 name string len>=1
extensions.matching.http.dynamic_modules.v3.DynamicModuleDataInput
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 input_name string
 input_config Any
extensions.matching.http.dynamic_modules.v3.HttpDynamicModuleMatchInput
extensions.matching.input_matchers.consistent_hashing.v3.ConsistentHashing
 threshold uint32
 modulo uint32 >0
 seed uint64
extensions.matching.input_matchers.dynamic_modules.v3.DynamicModuleMatcher
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 matcher_name string
 matcher_config Any
 on_error =.OnError
extensions.matching.input_matchers.ip.v3.Ip
 cidr_ranges []config.core.v3.CidrRange items>=1
 stat_prefix string len>=1
extensions.matching.input_matchers.metadata.v3.Metadata
 value type.matcher.v3.ValueMatcher required
 invert bool
extensions.matching.input_matchers.runtime_fraction.v3.RuntimeFraction
 runtime_fraction config.core.v3.RuntimeFractionalPercent required
 seed uint64
extensions.network.dns_resolver.apple.v3.AppleDnsResolverConfig
 include_unroutable_families bool
extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig
 resolvers []config.core.v3.Address
 use_resolvers_as_fallback bool
 filter_unroutable_families bool
 dns_resolver_options config.core.v3.DnsResolverOptions
 udp_max_queries UInt32Value
 query_timeout_seconds UInt64Value >=1
 query_tries UInt32Value >=1
 rotate_nameservers bool
 edns0_max_payload_size UInt32Value <=4096 >=512
 max_udp_channel_duration Duration >=0s
 reinit_channel_on_timeout bool
 qcache_max_ttl UInt32Value >=0
extensions.network.dns_resolver.getaddrinfo.v3.GetAddrInfoDnsResolverConfig
 num_retries UInt32Value
 num_resolver_threads UInt32Value
extensions.network.dns_resolver.hickory.v3.DnsOverHttpsConfig
 server_urls []string each:len>=1
extensions.network.dns_resolver.hickory.v3.DnsOverTlsConfig
 servers []config.core.v3.Address
 tls_server_name string len>=1
extensions.network.dns_resolver.hickory.v3.HickoryDnsResolverConfig
 resolvers []config.core.v3.Address
 dns_over_tls extensions.network.dns_resolver.hickory.v3.DnsOverTlsConfig
 dns_over_https extensions.network.dns_resolver.hickory.v3.DnsOverHttpsConfig
 enable_dnssec bool
 cache_size UInt32Value
 num_resolver_threads UInt32Value <=16 >=1
 use_system_config BoolValue
 query_timeout Duration >=0.001s
 query_tries UInt32Value >=1
extensions.network.socket_interface.sockmap.v3.Sockmap
 bpf_program_path string
 cgroup_path string
 sockhash_max_entries UInt32Value >=1
 register_user_space_sockets BoolValue
 accelerated_ports []type.v3.Int64Range items<=128
extensions.network.socket_interface.v3.DefaultSocketInterface
 io_uring_options extensions.network.socket_interface.v3.IoUringOptions
extensions.network.socket_interface.v3.IoUringOptions
 io_uring_size UInt32Value
 enable_submission_queue_polling bool
 read_buffer_size UInt32Value
 write_timeout_ms UInt32Value
 write_high_watermark_bytes UInt32Value >=4096
 write_low_watermark_bytes UInt32Value >=1024
 enable_multishot_receive bool
extensions.outlier_detection_monitors.common.v3.DatabaseErrors
extensions.outlier_detection_monitors.common.v3.ErrorBuckets
 http_errors []extensions.outlier_detection_monitors.common.v3.HttpErrors
 local_origin_errors []extensions.outlier_detection_monitors.common.v3.LocalOriginErrors
 database_errors []extensions.outlier_detection_monitors.common.v3.DatabaseErrors
extensions.outlier_detection_monitors.common.v3.HttpErrors
 range type.v3.Int32Range
extensions.outlier_detection_monitors.common.v3.LocalOriginErrors
extensions.outlier_detection_monitors.consecutive_errors.v3.ConsecutiveErrors
 name string
 threshold UInt32Value <=100
 enforcing UInt32Value <=100
 error_buckets extensions.outlier_detection_monitors.common.v3.ErrorBuckets
extensions.path.match.uri_template.v3.UriTemplateMatchConfig
 path_template string len>=1 len<=256
extensions.path.rewrite.uri_template.v3.UriTemplateRewriteConfig
 path_template_rewrite string len>=1 len<=256
extensions.queue_policy.fifo.v3.FifoQueuePolicyConfig
extensions.quic.client_writer_factory.v3.DefaultClientWriter
extensions.quic.connection_debug_visitor.quic_stats.v3.Config
 update_period Duration >=0.001s
extensions.quic.connection_debug_visitor.v3.BasicConfig
extensions.quic.connection_id_generator.quic_lb.v3.Config
 server_id config.core.v3.DataSource required
 server_id_base64_encoded bool
 expected_server_id_length uint32 <=18
 nonce_length_bytes uint32 <=16 >=4
 encryption_parameters extensions.transport_sockets.tls.v3.SdsSecretConfig required
 unencrypted_mode bool
extensions.quic.connection_id_generator.v3.DeterministicConnectionIdGeneratorConfig
extensions.quic.crypto_stream.v3.CryptoServerStreamConfig
extensions.quic.proof_source.v3.ProofSourceConfig
extensions.quic.server_preferred_address.v3.DataSourceServerPreferredAddressConfig
 ipv4_config .AddressFamilyConfig
 ipv6_config .AddressFamilyConfig
extensions.quic.server_preferred_address.v3.DataSourceServerPreferredAddressConfig.AddressFamilyConfig
 address config.core.v3.DataSource required
 port config.core.v3.DataSource
 dnat_address config.core.v3.DataSource
extensions.quic.server_preferred_address.v3.FixedServerPreferredAddressConfig
 ipv4_address string
 ipv4_config .AddressFamilyConfig
 ipv6_address string
 ipv6_config .AddressFamilyConfig
extensions.quic.server_preferred_address.v3.FixedServerPreferredAddressConfig.AddressFamilyConfig
 address config.core.v3.SocketAddress
 dnat_address config.core.v3.SocketAddress
extensions.rate_limit_descriptors.expr.v3.Descriptor
 descriptor_key string len>=1
 skip_if_error bool
 text string oneof=expr_specifier len>=1
 parsed google.api.expr.v1alpha1.Expr oneof=expr_specifier
extensions.rate_limit_descriptors.jwt_claim.v3.Descriptor
 descriptor_key string len>=1
 header_name string header-name?
 cookie string header-name?
 value_prefix string header-value?
 claim_name string len>=1
 default_value string
 skip_if_absent bool
extensions.rbac.audit_loggers.stream.v3.StdoutAuditLog
extensions.rbac.matchers.upstream_ip_port.v3.UpstreamIpPortMatcher
 upstream_ip config.core.v3.CidrRange
 upstream_port_range type.v3.Int64Range
extensions.rbac.principals.mtls_authenticated.v3.Config
 san_matcher extensions.transport_sockets.tls.v3.SubjectAltNameMatcher
 any_validated_client_certificate bool
extensions.regex_engines.v3.GoogleRE2
extensions.request_id.uuid.v3.UuidRequestIdConfig
 pack_trace_reason BoolValue
 use_request_id_for_trace_sampling BoolValue
extensions.resource_monitors.cgroup_memory.v3.CgroupMemoryConfig
 max_memory_bytes uint64
extensions.resource_monitors.cpu_utilization.v3.CpuUtilizationConfig
 mode =.UtilizationComputeStrategy defined
extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig
 max_active_downstream_connections int64 >0
extensions.resource_monitors.fixed_heap.v3.FixedHeapConfig <config.resource_monitor.fixed_heap.v2alpha.FixedHeapConfig
 max_heap_size_bytes uint64
 max_heap_size_bytes_runtime config.core.v3.RuntimeUInt64
extensions.resource_monitors.injected_resource.v3.InjectedResourceConfig <config.resource_monitor.injected_resource.v2alpha.InjectedResourceConfig
 filename string len>=1
extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate <config.retry.omit_canary_hosts.v2.OmitCanaryHostsPredicate
extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig <config.retry.omit_host_metadata.v2.OmitHostMetadataConfig
 metadata_match config.core.v3.Metadata
extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate <config.retry.previous_hosts.v2.PreviousHostsPredicate
extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig <config.retry.previous_priorities.PreviousPrioritiesConfig
 update_frequency int32 >0
extensions.router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 specifier_name string
 specifier_config Any
 route_action_overrides {}extensions.router.cluster_specifiers.dynamic_modules.v3.RouteActionOverride keys:len>=1
extensions.router.cluster_specifiers.dynamic_modules.v3.RouteActionOverride
 retry_policy config.route.v3.RetryPolicy
 metadata_match config.core.v3.Metadata
 request_mirror_policies []config.route.v3.RouteAction.RequestMirrorPolicy
 hash_policy []config.route.v3.RouteAction.HashPolicy
extensions.router.cluster_specifiers.lua.v3.LuaConfig
 source_code config.core.v3.DataSource required
 default_cluster string
extensions.router.cluster_specifiers.matcher.v3.ClusterAction
 cluster string len>=1
extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier
 cluster_matcher xds.type.matcher.v3.Matcher required
extensions.router.cluster_specifiers.priority_group.v3.ClusterWeight
 cluster_name string len>=1
 weight UInt32Value required >=1
extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup
 name string len>=1
 clusters []extensions.router.cluster_specifiers.priority_group.v3.ClusterWeight items>=1
extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupClusterSpecifier
 priority_groups []extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup items>=1
 override_metadata_namespace string
 header_name string oneof=random_value_specifier header-name?
 use_hash_policy BoolValue oneof=random_value_specifier
extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupsOverride
 priority_groups []extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup
extensions.router.route_specifiers.dynamic_modules.v3.DynamicModuleRouteSpecifier
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 specifier_name string
 specifier_config Any
 stat_prefix string len>=1
 route_templates []extensions.router.route_specifiers.dynamic_modules.v3.RouteTemplate
 route_overrides []extensions.router.route_specifiers.dynamic_modules.v3.RouteOverride
 runtime_fraction config.core.v3.RuntimeFractionalPercent
 failure_policy =extensions.router.route_specifiers.dynamic_modules.v3.FailurePolicy defined
 validate_clusters BoolValue
 max_rewritten_path_bytes UInt32Value >0
 specifier_instance_id string len<=256
extensions.router.route_specifiers.dynamic_modules.v3.RouteOverride
 override_id string len>=1
 retry_policy config.route.v3.RetryPolicy
 metadata_match config.core.v3.Metadata
 request_mirror_policies []config.route.v3.RouteAction.RequestMirrorPolicy
 hash_policy []config.route.v3.RouteAction.HashPolicy
 hedge_policy config.route.v3.HedgePolicy
 rate_limits []config.route.v3.RateLimit
 cors config.route.v3.CorsPolicy
 regex_rewrite type.matcher.v3.RegexMatchAndSubstitute
 tracing config.route.v3.Tracing
 metadata config.core.v3.Metadata
extensions.router.route_specifiers.dynamic_modules.v3.RouteTemplate
 template_id string len>=1
 route config.route.v3.Route required
extensions.stat_sinks.dynamic_modules.v3.DynamicModuleStatsSink
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 sink_name string
 sink_config Any
extensions.stat_sinks.graphite_statsd.v3.GraphiteStatsdSink !statsd_specifier
 address config.core.v3.Address oneof=statsd_specifier
 prefix string
 max_bytes_per_datagram UInt64Value >0
 scale_histogram_units_to_milliseconds bool
extensions.stat_sinks.open_telemetry.v3.SinkConfig !protocol_specifier
 grpc_service config.core.v3.GrpcService oneof=protocol_specifier required
 report_counters_as_deltas bool
 report_histograms_as_deltas bool
 emit_tags_as_attributes BoolValue
 use_tag_extracted_name BoolValue
 prefix string
 http_service config.core.v3.HttpService oneof=protocol_specifier
 resource_detectors []config.core.v3.TypedExtensionConfig
 custom_metric_conversions xds.type.matcher.v3.Matcher
 max_data_points_per_request uint32
extensions.stat_sinks.open_telemetry.v3.SinkConfig.ConversionAction
 metric_name string
 static_metric_labels []opentelemetry.proto.common.v1.KeyValue
extensions.stat_sinks.open_telemetry.v3.SinkConfig.DropAction
extensions.stat_sinks.wasm.v3.Wasm
 config extensions.wasm.v3.PluginConfig
extensions.string_matcher.lua.v3.Lua
 source_code config.core.v3.DataSource required
extensions.tracers.dynamic_modules.v3.DynamicModuleTracer
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 tracer_name string
 tracer_config Any
extensions.tracers.fluentd.v3.FluentdConfig
 cluster string len>=1
 tag string len>=1
 stat_prefix string len>=1
 buffer_flush_interval Duration >0s
 buffer_size_bytes UInt32Value
 retry_policy config.core.v3.RetryPolicy
extensions.tracers.opentelemetry.resource_detectors.v3.DynatraceResourceDetectorConfig
extensions.tracers.opentelemetry.resource_detectors.v3.EnvironmentResourceDetectorConfig
extensions.tracers.opentelemetry.resource_detectors.v3.StaticConfigResourceDetectorConfig
 attributes {}string
extensions.tracers.opentelemetry.samplers.v3.AlwaysOnSamplerConfig
extensions.tracers.opentelemetry.samplers.v3.CELSamplerConfig
 expression xds.type.v3.CelExpression
extensions.tracers.opentelemetry.samplers.v3.DynatraceSamplerConfig
 tenant string
 cluster_id int32
 http_service config.core.v3.HttpService
 root_spans_per_minute uint32
extensions.tracers.opentelemetry.samplers.v3.ParentBasedSamplerConfig
 wrapped_sampler config.core.v3.TypedExtensionConfig
extensions.tracers.opentelemetry.samplers.v3.TraceIdRatioBasedSamplerConfig
 sampling_percentage type.v3.FractionalPercent
extensions.transport_sockets.alts.v3.Alts <config.transport_socket.alts.v2alpha.Alts
 handshaker_service string len>=1
 peer_service_accounts []string
extensions.transport_sockets.dynamic_modules.v3.DynamicModuleTransportSocket
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 transport_socket_name string len>=1
 transport_socket_config Any
 implements_secure_transport bool
extensions.transport_sockets.http_11_proxy.v3.Http11ProxyUpstreamTransport
 transport_socket config.core.v3.TransportSocket
 default_proxy_address config.core.v3.Address
extensions.transport_sockets.internal_upstream.v3.InternalUpstreamTransport
 passthrough_metadata [].MetadataValueSource
 transport_socket config.core.v3.TransportSocket required
extensions.transport_sockets.internal_upstream.v3.InternalUpstreamTransport.MetadataValueSource
 kind type.metadata.v3.MetadataKind required
 name string len>=1
extensions.transport_sockets.proxy_protocol.v3.ProxyProtocolUpstreamTransport
 config config.core.v3.ProxyProtocolConfig
 transport_socket config.core.v3.TransportSocket required
 allow_unspecified_address bool
 tlv_as_pool_key bool
extensions.transport_sockets.quic.v3.QuicDownstreamTransport
 downstream_tls_context extensions.transport_sockets.tls.v3.DownstreamTlsContext required
 enable_early_data BoolValue
 enable_resumption BoolValue
extensions.transport_sockets.quic.v3.QuicUpstreamTransport
 upstream_tls_context extensions.transport_sockets.tls.v3.UpstreamTlsContext required
extensions.transport_sockets.raw_buffer.v3.RawBuffer <config.transport_socket.raw_buffer.v2.RawBuffer
extensions.transport_sockets.s2a.v3.S2AConfiguration
 s2a_address string len>=1
extensions.transport_sockets.starttls.v3.StartTlsConfig
 cleartext_socket_config extensions.transport_sockets.raw_buffer.v3.RawBuffer
 tls_socket_config extensions.transport_sockets.tls.v3.DownstreamTlsContext required
extensions.transport_sockets.starttls.v3.UpstreamStartTlsConfig
 cleartext_socket_config extensions.transport_sockets.raw_buffer.v3.RawBuffer
 tls_socket_config extensions.transport_sockets.tls.v3.UpstreamTlsContext required
extensions.transport_sockets.tap.v3.SocketTapConfig
 set_connection_per_event bool
 stats_prefix string
extensions.transport_sockets.tap.v3.Tap <config.transport_socket.tap.v2alpha.Tap
 common_config extensions.common.tap.v3.CommonExtensionConfig required
 transport_socket config.core.v3.TransportSocket required
 socket_tap_config extensions.transport_sockets.tap.v3.SocketTapConfig
extensions.transport_sockets.tcp_stats.v3.Config
 transport_socket config.core.v3.TransportSocket required
 update_period Duration >=0.001s
extensions.transport_sockets.tls.cert_mappers.filter_state_override.v3.Config
 default_value string len>=1
extensions.transport_sockets.tls.cert_mappers.sni.v3.SNI
 default_value string len>=1
extensions.transport_sockets.tls.cert_mappers.static_name.v3.StaticName
 name string len>=1
extensions.transport_sockets.tls.cert_selectors.on_demand_secret.v3.Config
 config_source config.core.v3.ConfigSource required
 certificate_mapper config.core.v3.TypedExtensionConfig required
 prefetch_secret_names []string
extensions.transport_sockets.tls.cert_validator.dynamic_modules.v3.DynamicModuleCertValidatorConfig
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 validator_name string len>=1
 validator_config Any
extensions.transport_sockets.tls.handshakers.dynamic_modules.v3.DynamicModuleTlsHandshaker
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 handshaker_name string len>=1
 handshaker_config Any
extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance
 instance_name string len>=1
 certificate_name string
extensions.transport_sockets.tls.v3.CertificateValidationContext <api.v2.auth.CertificateValidationContext
 trusted_ca config.core.v3.DataSource
 ca_certificate_provider_instance extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance
 system_root_certs .SystemRootCerts
 watched_directory config.core.v3.WatchedDirectory
 verify_certificate_spki []string each:len>=44 each:bytes<=44
 verify_certificate_hash []string each:len>=64 each:bytes<=95
 match_typed_subject_alt_names []extensions.transport_sockets.tls.v3.SubjectAltNameMatcher
 match_subject_alt_names []type.matcher.v3.StringMatcher deprecated
 require_signed_certificate_timestamp BoolValue
 crl config.core.v3.DataSource
 allow_expired_certificate bool
 trust_chain_verification =.TrustChainVerification defined
 custom_validator_config config.core.v3.TypedExtensionConfig
 only_verify_leaf_cert_crl bool
 max_verify_depth UInt32Value <=100
 suppress_client_ca_list bool
extensions.transport_sockets.tls.v3.CertificateValidationContext.SystemRootCerts
extensions.transport_sockets.tls.v3.CommonTlsContext <api.v2.auth.CommonTlsContext
 tls_params extensions.transport_sockets.tls.v3.TlsParameters
 tls_certificates []extensions.transport_sockets.tls.v3.TlsCertificate
 tls_certificate_sds_secret_configs []extensions.transport_sockets.tls.v3.SdsSecretConfig
 tls_certificate_provider_instance extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance
 tls_certificate_certificate_provider .CertificateProvider deprecated
 tls_certificate_certificate_provider_instance .CertificateProviderInstance deprecated
 validation_context extensions.transport_sockets.tls.v3.CertificateValidationContext oneof=validation_context_type
 validation_context_sds_secret_config extensions.transport_sockets.tls.v3.SdsSecretConfig oneof=validation_context_type
 combined_validation_context .CombinedCertificateValidationContext oneof=validation_context_type
 validation_context_certificate_provider .CertificateProvider oneof=validation_context_type deprecated
 validation_context_certificate_provider_instance .CertificateProviderInstance oneof=validation_context_type deprecated
 alpn_protocols []string
 custom_handshaker config.core.v3.TypedExtensionConfig
 key_log extensions.transport_sockets.tls.v3.TlsKeyLog
 custom_tls_certificate_selector config.core.v3.TypedExtensionConfig
extensions.transport_sockets.tls.v3.CommonTlsContext.CertificateProvider !config
 name string len>=1
 typed_config config.core.v3.TypedExtensionConfig oneof=config
extensions.transport_sockets.tls.v3.CommonTlsContext.CertificateProviderInstance
 instance_name string
 certificate_name string
extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext <api.v2.auth.CommonTlsContext.CombinedCertificateValidationContext
 default_validation_context extensions.transport_sockets.tls.v3.CertificateValidationContext required
 validation_context_sds_secret_config extensions.transport_sockets.tls.v3.SdsSecretConfig required
 validation_context_certificate_provider extensions.transport_sockets.tls.v3.CommonTlsContext.CertificateProvider deprecated
 validation_context_certificate_provider_instance extensions.transport_sockets.tls.v3.CommonTlsContext.CertificateProviderInstance deprecated
extensions.transport_sockets.tls.v3.DownstreamTlsContext <api.v2.auth.DownstreamTlsContext
 common_tls_context extensions.transport_sockets.tls.v3.CommonTlsContext
 require_client_certificate BoolValue
 require_sni BoolValue
 session_ticket_keys extensions.transport_sockets.tls.v3.TlsSessionTicketKeys oneof=session_ticket_keys_type
 session_ticket_keys_sds_secret_config extensions.transport_sockets.tls.v3.SdsSecretConfig oneof=session_ticket_keys_type
 disable_stateless_session_resumption bool oneof=session_ticket_keys_type
 disable_stateful_session_resumption bool
 session_timeout Duration <4294967296s >=0s
 ocsp_staple_policy =.OcspStaplePolicy defined
 full_scan_certs_on_sni_mismatch BoolValue
 prefer_client_ciphers bool
extensions.transport_sockets.tls.v3.GenericSecret <api.v2.auth.GenericSecret
 secret config.core.v3.DataSource sensitive
 secrets {}config.core.v3.DataSource sensitive
extensions.transport_sockets.tls.v3.PrivateKeyProvider <api.v2.auth.PrivateKeyProvider
 provider_name string len>=1
 typed_config Any oneof=config_type sensitive
 fallback bool
extensions.transport_sockets.tls.v3.SPIFFECertValidatorConfig
 trust_domains [].TrustDomain items>=1
 trust_bundles config.core.v3.DataSource
extensions.transport_sockets.tls.v3.SPIFFECertValidatorConfig.TrustDomain
 name string len>=1
 trust_bundle config.core.v3.DataSource
 workload_trust_domain string
extensions.transport_sockets.tls.v3.SdsSecretConfig <api.v2.auth.SdsSecretConfig
 name string len>=1
 sds_config config.core.v3.ConfigSource
extensions.transport_sockets.tls.v3.Secret <api.v2.auth.Secret
 name string
 tls_certificate extensions.transport_sockets.tls.v3.TlsCertificate oneof=type
 session_ticket_keys extensions.transport_sockets.tls.v3.TlsSessionTicketKeys oneof=type
 validation_context extensions.transport_sockets.tls.v3.CertificateValidationContext oneof=type
 generic_secret extensions.transport_sockets.tls.v3.GenericSecret oneof=type
extensions.transport_sockets.tls.v3.SubjectAltNameMatcher
 san_type =.SanType defined not=0
 matcher type.matcher.v3.StringMatcher required
 oid string
extensions.transport_sockets.tls.v3.TlsCertificate <api.v2.auth.TlsCertificate
 certificate_chain config.core.v3.DataSource
 private_key config.core.v3.DataSource sensitive
 pkcs12 config.core.v3.DataSource sensitive
 watched_directory config.core.v3.WatchedDirectory
 private_key_provider extensions.transport_sockets.tls.v3.PrivateKeyProvider
 password config.core.v3.DataSource sensitive
 ocsp_staple config.core.v3.DataSource
 signed_certificate_timestamp []config.core.v3.DataSource
 tls_params extensions.transport_sockets.tls.v3.TlsParameters
extensions.transport_sockets.tls.v3.TlsKeyLog
 path string len>=1
 local_address_range []config.core.v3.CidrRange
 remote_address_range []config.core.v3.CidrRange
extensions.transport_sockets.tls.v3.TlsParameters <api.v2.auth.TlsParameters
 tls_minimum_protocol_version =.TlsProtocol defined
 tls_maximum_protocol_version =.TlsProtocol defined
 cipher_suites []string
 ecdh_curves []string
 signature_algorithms []string
 compliance_policies []=.CompliancePolicy items<=1
extensions.transport_sockets.tls.v3.TlsSessionTicketKeys <api.v2.auth.TlsSessionTicketKeys
 keys []config.core.v3.DataSource sensitive items>=1
extensions.transport_sockets.tls.v3.UpstreamTlsContext <api.v2.auth.UpstreamTlsContext
 common_tls_context extensions.transport_sockets.tls.v3.CommonTlsContext
 sni string bytes<=255
 allow_renegotiation bool
 max_session_keys UInt32Value
 enforce_rsa_key_usage BoolValue deprecated
 auto_host_sni bool
 auto_sni_san_validation bool
extensions.udp_packet_writer.v3.UdpDefaultWriterFactory
extensions.udp_packet_writer.v3.UdpGsoBatchWriterFactory
extensions.upstreams.http.dynamic_modules.v3.Config
 dynamic_module_config extensions.dynamic_modules.v3.DynamicModuleConfig required
 bridge_name string len>=1
 bridge_config Any
extensions.upstreams.http.generic.v3.GenericConnectionPoolProto
extensions.upstreams.http.http.v3.HttpConnectionPoolProto
extensions.upstreams.http.reverse_tunnel.v3.ReverseTunnelUpstreamCodecOptions
 enable_drain_with_goaway bool
extensions.upstreams.http.tcp.v3.TcpConnectionPoolProto
extensions.upstreams.http.udp.v3.UdpConnectionPoolProto
extensions.upstreams.http.v3.HttpProtocolOptions !upstream_protocol_options
 common_http_protocol_options config.core.v3.HttpProtocolOptions # Options of HTTP/1 and HTTP/2; max_requests_per_connection acts.
 upstream_http_protocol_options config.core.v3.UpstreamHttpProtocolOptions # How TLS names the host and the protocol. # idle: TLS is not simulated
 explicit_http_config .ExplicitHttpConfig oneof=upstream_protocol_options # The protocol: HTTP/2 or HTTP/1.
 use_downstream_protocol_config .UseDownstreamHttpConfig oneof=upstream_protocol_options # The protocol of the client. # idle: clients of the proxy have no protocol here: hosts are spoken to by HTTP/1
 auto_config .AutoHttpConfig oneof=upstream_protocol_options # The protocol that TLS agrees on. # idle: TLS is not simulated: hosts are spoken to by HTTP/1
 http_filters []extensions.filters.network.http_connection_manager.v3.HttpFilter # Filters of upstream requests. # idle: filters are not simulated
 header_validation_config config.core.v3.TypedExtensionConfig # What headers may hold. # idle: HTTP is not simulated below requests and answers
 outlier_detection .OutlierDetection # Which answers outlier detection takes for errors. # lacking: outlier detection takes answers from 500 on for errors here
 request_mirror_policies []config.route.v3.RouteAction.RequestMirrorPolicy # Sends copies of requests to another cluster. # lacking: that cluster gets the copies besides its own requests
 hash_policy []config.route.v3.RouteAction.HashPolicy # Where the hash of a request comes from. # lacking: the hash of a request is that of its route or workload here
 retry_policy config.route.v3.RetryPolicy # When requests are tried again. # lacking: requests are tried again as their route or workload says here
extensions.upstreams.http.v3.HttpProtocolOptions.AutoHttpConfig
 http_protocol_options config.core.v3.Http1ProtocolOptions
 http2_protocol_options config.core.v3.Http2ProtocolOptions
 http3_protocol_options config.core.v3.Http3ProtocolOptions
 alternate_protocols_cache_options config.core.v3.AlternateProtocolsCacheOptions
extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig !protocol_config
 http_protocol_options config.core.v3.Http1ProtocolOptions oneof=protocol_config
 http2_protocol_options config.core.v3.Http2ProtocolOptions oneof=protocol_config
 http3_protocol_options config.core.v3.Http3ProtocolOptions oneof=protocol_config
extensions.upstreams.http.v3.HttpProtocolOptions.OutlierDetection
 error_matcher config.common.matcher.v3.MatchPredicate required
extensions.upstreams.http.v3.HttpProtocolOptions.UseDownstreamHttpConfig
 http_protocol_options config.core.v3.Http1ProtocolOptions
 http2_protocol_options config.core.v3.Http2ProtocolOptions
 http3_protocol_options config.core.v3.Http3ProtocolOptions
extensions.upstreams.tcp.generic.v3.GenericConnectionPoolProto
extensions.upstreams.tcp.v3.TcpProtocolOptions
 idle_timeout Duration
extensions.wasm.v3.CapabilityRestrictionConfig
 allowed_capabilities {}extensions.wasm.v3.SanitizationConfig
extensions.wasm.v3.EnvironmentVariables
 host_env_keys []string
 key_values {}string
extensions.wasm.v3.PluginConfig
 name string
 root_id string
 vm_config extensions.wasm.v3.VmConfig oneof=vm
 configuration Any
 fail_open bool deprecated
 capability_restriction_config extensions.wasm.v3.CapabilityRestrictionConfig deprecated
 failure_policy =extensions.wasm.v3.FailurePolicy
 reload_config extensions.wasm.v3.ReloadConfig
 allow_on_headers_stop_iteration BoolValue
extensions.wasm.v3.ReloadConfig
 backoff config.core.v3.BackoffStrategy
extensions.wasm.v3.SanitizationConfig
extensions.wasm.v3.VmConfig
 vm_id string
 runtime string
 code config.core.v3.AsyncDataSource
 configuration Any
 allow_precompiled bool
 nack_on_code_cache_miss bool
 environment_variables extensions.wasm.v3.EnvironmentVariables
 capability_restriction_config extensions.wasm.v3.CapabilityRestrictionConfig
extensions.wasm.v3.WasmService
 config extensions.wasm.v3.PluginConfig
 singleton bool
extensions.watchdog.backtrace_action.v3.BacktraceActionConfig
 cooldown_duration Duration
extensions.watchdog.profile_action.v3.ProfileActionConfig
 profile_duration Duration
 profile_path string len>=1
 max_profiles uint64
service.discovery.v3.DiscoveryResponse <api.v2.DiscoveryResponse
 version_info string
 resources []Any
 canary bool
 type_url string
 nonce string
 control_plane config.core.v3.ControlPlane
 resource_errors []service.discovery.v3.ResourceError
service.discovery.v3.DynamicParameterConstraints
 constraint .SingleConstraint oneof=type
 or_constraints .ConstraintList oneof=type
 and_constraints .ConstraintList oneof=type
 not_constraints service.discovery.v3.DynamicParameterConstraints oneof=type
service.discovery.v3.DynamicParameterConstraints.ConstraintList
 constraints []service.discovery.v3.DynamicParameterConstraints
service.discovery.v3.DynamicParameterConstraints.SingleConstraint !constraint_type
 key string
 value string oneof=constraint_type
 exists .Exists oneof=constraint_type
service.discovery.v3.DynamicParameterConstraints.SingleConstraint.Exists
service.discovery.v3.ResourceError
 resource_name service.discovery.v3.ResourceName
 error_detail google.rpc.Status
service.discovery.v3.ResourceName
 name string
 dynamic_parameter_constraints service.discovery.v3.DynamicParameterConstraints
type.http.v3.Cookie
 name string len>=1
 ttl Duration >=0s
 path string
 attributes []type.http.v3.CookieAttribute
type.http.v3.CookieAttribute
 name string header-name? len>=1 bytes<=16384
 value string header-value? bytes<=16384
type.http.v3.PathTransformation
 operations [].Operation
type.http.v3.PathTransformation.Operation !operation_specifier
 normalize_path_rfc_3986 .NormalizePathRFC3986 oneof=operation_specifier
 merge_slashes .MergeSlashes oneof=operation_specifier
type.http.v3.PathTransformation.Operation.MergeSlashes
type.http.v3.PathTransformation.Operation.NormalizePathRFC3986
type.matcher.v3.AddressMatcher
 ranges []xds.core.v3.CidrRange
 invert_match bool
type.matcher.v3.DoubleMatcher <type.matcher.DoubleMatcher !match_pattern
 range type.v3.DoubleRange oneof=match_pattern
 exact double oneof=match_pattern
type.matcher.v3.FilterStateMatcher !matcher
 key string len>=1
 string_match type.matcher.v3.StringMatcher oneof=matcher
 address_match type.matcher.v3.AddressMatcher oneof=matcher
type.matcher.v3.ListMatcher <type.matcher.ListMatcher !match_pattern
 one_of type.matcher.v3.ValueMatcher oneof=match_pattern
type.matcher.v3.ListStringMatcher <type.matcher.ListStringMatcher
 patterns []type.matcher.v3.StringMatcher items>=1
type.matcher.v3.MetadataMatcher <type.matcher.MetadataMatcher
 filter string len>=1
 path [].PathSegment items>=1
 value type.matcher.v3.ValueMatcher required
 invert bool
type.matcher.v3.MetadataMatcher.PathSegment <type.matcher.MetadataMatcher.PathSegment !segment
 key string oneof=segment len>=1
type.matcher.v3.OrMatcher
 value_matchers []type.matcher.v3.ValueMatcher items>=2
type.matcher.v3.PathMatcher <type.matcher.PathMatcher !rule
 path type.matcher.v3.StringMatcher oneof=rule required
type.matcher.v3.RegexMatchAndSubstitute <type.matcher.RegexMatchAndSubstitute
 pattern type.matcher.v3.RegexMatcher required
 substitution string header-value?
type.matcher.v3.RegexMatcher <type.matcher.RegexMatcher
 google_re2 .GoogleRE2 oneof=engine_type deprecated
 regex string len>=1
type.matcher.v3.RegexMatcher.GoogleRE2 <type.matcher.RegexMatcher.GoogleRE2
 max_program_size UInt32Value deprecated
type.matcher.v3.StringMatcher <type.matcher.StringMatcher !match_pattern
 exact string oneof=match_pattern
 prefix string oneof=match_pattern len>=1
 suffix string oneof=match_pattern len>=1
 safe_regex type.matcher.v3.RegexMatcher oneof=match_pattern required
 contains string oneof=match_pattern len>=1
 custom xds.core.v3.TypedExtensionConfig oneof=match_pattern # An extension compares. # idle: extensions are not simulated
 ignore_case bool
type.matcher.v3.ValueMatcher <type.matcher.ValueMatcher !match_pattern
 null_match .NullMatch oneof=match_pattern
 double_match type.matcher.v3.DoubleMatcher oneof=match_pattern
 string_match type.matcher.v3.StringMatcher oneof=match_pattern
 bool_match bool oneof=match_pattern
 present_match bool oneof=match_pattern
 list_match type.matcher.v3.ListMatcher oneof=match_pattern
 or_match type.matcher.v3.OrMatcher oneof=match_pattern
type.matcher.v3.ValueMatcher.NullMatch <type.matcher.ValueMatcher.NullMatch
type.metadata.v3.MetadataKey <type.metadata.v2.MetadataKey
 key string len>=1
 path [].PathSegment items>=1
type.metadata.v3.MetadataKey.PathSegment <type.metadata.v2.MetadataKey.PathSegment !segment
 key string oneof=segment len>=1
 index uint32 oneof=segment
type.metadata.v3.MetadataKind <type.metadata.v2.MetadataKind !kind
 request .Request oneof=kind
 route .Route oneof=kind
 cluster .Cluster oneof=kind
 host .Host oneof=kind
type.metadata.v3.MetadataKind.Cluster <type.metadata.v2.MetadataKind.Cluster
type.metadata.v3.MetadataKind.Host <type.metadata.v2.MetadataKind.Host
type.metadata.v3.MetadataKind.Request <type.metadata.v2.MetadataKind.Request
type.metadata.v3.MetadataKind.Route <type.metadata.v2.MetadataKind.Route
type.tracing.v3.CustomTag <type.tracing.v2.CustomTag !type
 tag string len>=1
 literal .Literal oneof=type
 environment .Environment oneof=type
 request_header .Header oneof=type
 metadata .Metadata oneof=type
 value string oneof=type
 value_type =.ValueType defined
type.tracing.v3.CustomTag.Environment <type.tracing.v2.CustomTag.Environment
 name string len>=1
 default_value string
type.tracing.v3.CustomTag.Header <type.tracing.v2.CustomTag.Header
 name string header-name? len>=1
 default_value string
type.tracing.v3.CustomTag.Literal <type.tracing.v2.CustomTag.Literal
 value string len>=1
type.tracing.v3.CustomTag.Metadata <type.tracing.v2.CustomTag.Metadata
 kind type.metadata.v3.MetadataKind
 metadata_key type.metadata.v3.MetadataKey
 default_value string
type.v3.DoubleRange <type.DoubleRange
 start double
 end double
type.v3.FractionalPercent <type.FractionalPercent
 numerator uint32
 denominator =.DenominatorType defined
type.v3.HashPolicy <type.HashPolicy !policy_specifier
 source_ip .SourceIp oneof=policy_specifier
 filter_state .FilterState oneof=policy_specifier
type.v3.HashPolicy.FilterState
 key string len>=1
type.v3.HashPolicy.SourceIp <type.HashPolicy.SourceIp
type.v3.HttpStatus <type.HttpStatus
 code =type.v3.StatusCode defined not=0
type.v3.Int32Range <type.Int32Range
 start int32
 end int32
type.v3.Int64Range <type.Int64Range
 start int64
 end int64
type.v3.Percent <type.Percent
 value double <=100 >=0
type.v3.RateLimitStrategy !strategy
 blanket_rule =.BlanketRule oneof=strategy defined
 requests_per_time_unit .RequestsPerTimeUnit oneof=strategy
 token_bucket type.v3.TokenBucket oneof=strategy
type.v3.RateLimitStrategy.RequestsPerTimeUnit
 requests_per_time_unit uint64
 time_unit =type.v3.RateLimitUnit defined
type.v3.Scope
 max_counters UInt32Value
 max_gauges UInt32Value
 max_histograms UInt32Value
 enable_eviction bool
 prefix string
 sharing_name string
type.v3.SemanticVersion <type.SemanticVersion
 major_number uint32
 minor_number uint32
 patch uint32
type.v3.TokenBucket <type.TokenBucket
 max_tokens uint32 >=0
 tokens_per_fill UInt32Value >0
 fill_interval Duration required >0s
xds.core.v3.Authority
 name string len>=1
xds.core.v3.CidrRange
 address_prefix string len>=1
 prefix_len UInt32Value <=128
xds.core.v3.ContextParams
 params {}string
xds.core.v3.TypedExtensionConfig
 name string len>=1
 typed_config Any required
xds.type.matcher.v3.Matcher
 matcher_list .MatcherList oneof=matcher_type
 matcher_tree .MatcherTree oneof=matcher_type
 on_no_match .OnMatch
xds.type.matcher.v3.Matcher.MatcherList
 matchers [].FieldMatcher items>=1
xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher
 predicate xds.type.matcher.v3.Matcher.MatcherList.Predicate required
 on_match xds.type.matcher.v3.Matcher.OnMatch required
xds.type.matcher.v3.Matcher.MatcherList.Predicate !match_type
 single_predicate .SinglePredicate oneof=match_type
 or_matcher .PredicateList oneof=match_type
 and_matcher .PredicateList oneof=match_type
 not_matcher xds.type.matcher.v3.Matcher.MatcherList.Predicate oneof=match_type
xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList
 predicate []xds.type.matcher.v3.Matcher.MatcherList.Predicate items>=2
xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate !matcher
 input xds.core.v3.TypedExtensionConfig required
 value_match xds.type.matcher.v3.StringMatcher oneof=matcher
 custom_match xds.core.v3.TypedExtensionConfig oneof=matcher
xds.type.matcher.v3.Matcher.MatcherTree !tree_type
 input xds.core.v3.TypedExtensionConfig required
 exact_match_map .MatchMap oneof=tree_type
 prefix_match_map .MatchMap oneof=tree_type
 custom_match xds.core.v3.TypedExtensionConfig oneof=tree_type
xds.type.matcher.v3.Matcher.MatcherTree.MatchMap
 map {}xds.type.matcher.v3.Matcher.OnMatch items>=1
xds.type.matcher.v3.Matcher.OnMatch !on_match
 matcher xds.type.matcher.v3.Matcher oneof=on_match
 action xds.core.v3.TypedExtensionConfig oneof=on_match
 keep_matching bool
xds.type.matcher.v3.RegexMatcher !engine_type
 google_re2 .GoogleRE2 oneof=engine_type required
 regex string len>=1
xds.type.matcher.v3.RegexMatcher.GoogleRE2
xds.type.matcher.v3.StringMatcher !match_pattern
 exact string oneof=match_pattern
 prefix string oneof=match_pattern len>=1
 suffix string oneof=match_pattern len>=1
 safe_regex xds.type.matcher.v3.RegexMatcher oneof=match_pattern required
 contains string oneof=match_pattern len>=1
 ignore_case bool
 custom xds.core.v3.TypedExtensionConfig oneof=match_pattern
xds.type.v3.CelExpression
 parsed_expr google.api.expr.v1alpha1.ParsedExpr oneof=expr_specifier deprecated
 checked_expr google.api.expr.v1alpha1.CheckedExpr oneof=expr_specifier deprecated
 cel_expr_parsed cel.expr.ParsedExpr
 cel_expr_checked cel.expr.CheckedExpr
 cel_expr_string string
=admin.v3.ClientResourceStatus UNKNOWN REQUESTED DOES_NOT_EXIST ACKED NACKED RECEIVED_ERROR TIMEOUT
=admin.v3.SimpleMetric.Type COUNTER GAUGE
=config.accesslog.v3.ComparisonFilter.Op EQ GE LE NE
=config.accesslog.v3.GrpcStatusFilter.Status OK CANCELED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED
=config.bootstrap.v3.CustomInlineHeader.InlineHeaderType REQUEST_HEADER REQUEST_TRAILER RESPONSE_HEADER RESPONSE_TRAILER
=config.bootstrap.v3.Watchdog.WatchdogAction.WatchdogEvent UNKNOWN KILL MULTIKILL MEGAMISS MISS
=config.cluster.v3.Cluster.ClusterProtocolSelection USE_CONFIGURED_PROTOCOL USE_DOWNSTREAM_PROTOCOL
=config.cluster.v3.Cluster.DiscoveryType STATIC STRICT_DNS LOGICAL_DNS EDS ORIGINAL_DST
=config.cluster.v3.Cluster.DnsLookupFamily AUTO V4_ONLY V6_ONLY V4_PREFERRED ALL
=config.cluster.v3.Cluster.LbPolicy ROUND_ROBIN LEAST_REQUEST RING_HASH RANDOM MAGLEV:5 CLUSTER_PROVIDED LOAD_BALANCING_POLICY_CONFIG
=config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetFallbackPolicy NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET
=config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetMetadataFallbackPolicy METADATA_NO_FALLBACK FALLBACK_LIST
=config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy NOT_DEFINED NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET KEYS_SUBSET
=config.cluster.v3.Cluster.RingHashLbConfig.HashFunction XX_HASH MURMUR_HASH_2
=config.cluster.v3.UpstreamConnectionOptions.FirstAddressFamilyVersion DEFAULT V4 V6 PIPE INTERNAL
=config.core.v3.ApiConfigSource.ApiType !DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE REST GRPC DELTA_GRPC AGGREGATED_GRPC:5 AGGREGATED_DELTA_GRPC
=config.core.v3.ApiVersion AUTO -V2 V3
=config.core.v3.HeaderValueOption.HeaderAppendAction APPEND_IF_EXISTS_OR_ADD ADD_IF_ABSENT OVERWRITE_IF_EXISTS_OR_ADD OVERWRITE_IF_EXISTS
=config.core.v3.HealthStatus UNKNOWN HEALTHY UNHEALTHY DRAINING TIMEOUT DEGRADED
=config.core.v3.HttpProtocolOptions.HeadersWithUnderscoresAction ALLOW REJECT_REQUEST DROP_HEADER
=config.core.v3.KeyValueAppend.KeyValueAppendAction APPEND_IF_EXISTS_OR_ADD ADD_IF_ABSENT OVERWRITE_IF_EXISTS_OR_ADD OVERWRITE_IF_EXISTS
=config.core.v3.ProxyProtocolConfig.Version V1 V2
=config.core.v3.ProxyProtocolPassThroughTLVs.PassTLVsMatchType INCLUDE_ALL INCLUDE
=config.core.v3.RequestMethod METHOD_UNSPECIFIED GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH
=config.core.v3.RoutingPriority DEFAULT HIGH
=config.core.v3.SocketAddress.Protocol TCP UDP
=config.core.v3.SocketOption.SocketIpVersion SOCKET_IP_VERSION_UNSPECIFIED SOCKET_IP_VERSION_IPV4 SOCKET_IP_VERSION_IPV6
=config.core.v3.SocketOption.SocketState STATE_PREBIND STATE_BOUND STATE_LISTENING
=config.core.v3.TrafficDirection UNSPECIFIED INBOUND OUTBOUND
=config.listener.v3.FilterChainMatch.ConnectionSourceType ANY SAME_IP_OR_LOOPBACK EXTERNAL
=config.listener.v3.Listener.DrainType DEFAULT MODIFY_ONLY
=config.metrics.v3.HistogramEmitMode SUMMARY_AND_HISTOGRAM SUMMARY HISTOGRAM
=config.rbac.v3.MetadataSource DYNAMIC ROUTE
=config.rbac.v3.RBAC.Action ALLOW DENY LOG
=config.rbac.v3.RBAC.AuditLoggingOptions.AuditCondition NONE ON_DENY ON_ALLOW ON_DENY_AND_ALLOW
=config.route.v3.RateLimit.Action.MetaData.Source DYNAMIC ROUTE_ENTRY CLUSTER_ENTRY CLUSTER_LOCALITY_ENTRY
=config.route.v3.RateLimit.XRateLimitOption UNSPECIFIED OFF DRAFT_VERSION_03
=config.route.v3.RedirectAction.RedirectResponseCode MOVED_PERMANENTLY FOUND SEE_OTHER TEMPORARY_REDIRECT PERMANENT_REDIRECT
=config.route.v3.RetryPolicy.ResetHeaderFormat SECONDS UNIX_TIMESTAMP
=config.route.v3.RouteAction.ClusterNotFoundResponseCode SERVICE_UNAVAILABLE NOT_FOUND INTERNAL_SERVER_ERROR
=config.route.v3.RouteAction.InternalRedirectAction PASS_THROUGH_INTERNAL_REDIRECT HANDLE_INTERNAL_REDIRECT
=config.route.v3.VirtualHost.TlsRequirementType NONE EXTERNAL_ONLY ALL
=config.tap.v3.OutputSink.Format JSON_BODY_AS_BYTES JSON_BODY_AS_STRING PROTO_BINARY PROTO_BINARY_LENGTH_DELIMITED PROTO_TEXT
=config.trace.v3.LightstepConfig.PropagationMode ENVOY LIGHTSTEP B3 TRACE_CONTEXT
=config.trace.v3.OpenCensusConfig.TraceContext NONE TRACE_CONTEXT GRPC_TRACE_BIN CLOUD_TRACE_CONTEXT B3
=config.trace.v3.ZipkinConfig.CollectorEndpointVersion !DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE HTTP_JSON HTTP_PROTO GRPC
=config.trace.v3.ZipkinConfig.TraceContextOption USE_B3 USE_B3_WITH_W3C_PROPAGATION
=data.accesslog.v3.AccessLogType NotSet TcpUpstreamConnected TcpPeriodic TcpConnectionEnd DownstreamStart DownstreamPeriodic DownstreamEnd UpstreamPoolReady UpstreamPeriodic UpstreamEnd DownstreamTunnelSuccessfullyEstablished UdpTunnelUpstreamConnected UdpPeriodic UdpSessionEnd
=extensions.access_loggers.stats.v3.Config.Histogram.Unit Unspecified Bytes Microseconds Milliseconds Percent
=extensions.clusters.common.dns.v3.DnsLookupFamily UNSPECIFIED AUTO V4_ONLY V6_ONLY V4_PREFERRED ALL
=extensions.common.ratelimit.v3.VhRateLimitsOptions OVERRIDE INCLUDE IGNORE
=extensions.common.ratelimit.v3.XRateLimitHeadersRFCVersion OFF DRAFT_VERSION_03
=extensions.compression.brotli.compressor.v3.Brotli.EncoderMode DEFAULT GENERIC TEXT FONT
=extensions.compression.gzip.compressor.v3.Gzip.CompressionLevel DEFAULT_COMPRESSION BEST_SPEED COMPRESSION_LEVEL_1:1 COMPRESSION_LEVEL_2 COMPRESSION_LEVEL_3 COMPRESSION_LEVEL_4 COMPRESSION_LEVEL_5 COMPRESSION_LEVEL_6 COMPRESSION_LEVEL_7 COMPRESSION_LEVEL_8 COMPRESSION_LEVEL_9 BEST_COMPRESSION:9
=extensions.compression.gzip.compressor.v3.Gzip.CompressionStrategy DEFAULT_STRATEGY FILTERED HUFFMAN_ONLY RLE FIXED
=extensions.compression.zstd.compressor.v3.Zstd.Strategy DEFAULT FAST DFAST GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA BTULTRA2
=extensions.filters.common.dependency.v3.Dependency.DependencyType HEADER FILTER_STATE_KEY DYNAMIC_METADATA
=extensions.filters.common.set_filter_state.v3.FilterStateValue.SharedWithUpstream NONE ONCE TRANSITIVE
=extensions.filters.http.a2a.v3.A2a.StorageMode NONE DYNAMIC_METADATA FILTER_STATE DYNAMIC_METADATA_AND_FILTER_STATE
=extensions.filters.http.a2a.v3.A2a.TrafficMode PASS_THROUGH REJECT
=extensions.filters.http.ai_protocol_manager.v3.RequestHandling.BodyReserialization ALWAYS DISABLE
=extensions.filters.http.ai_protocol_manager.v3.TokenUsageExtraction.UsageSignal USAGE_SIGNAL_UNSPECIFIED SYNTHESIZE_TRAILERS
=extensions.filters.http.aws_lambda.v3.Config.InvocationMode SYNCHRONOUS ASYNCHRONOUS
=extensions.filters.http.aws_request_signing.v3.AwsRequestSigning.SigningAlgorithm AWS_SIGV4 AWS_SIGV4A
=extensions.filters.http.bandwidth_limit.v3.BandwidthLimit.EnableMode DISABLED REQUEST RESPONSE REQUEST_AND_RESPONSE
=extensions.filters.http.ext_authz.v3.ShadowDecision.CheckResult UNSPECIFIED OK DENIED ERROR
=extensions.filters.http.ext_proc.v3.ExternalProcessor.RouteCacheAction DEFAULT CLEAR RETAIN
=extensions.filters.http.ext_proc.v3.ProcessingMode.BodySendMode NONE STREAMED BUFFERED BUFFERED_PARTIAL FULL_DUPLEX_STREAMED GRPC
=extensions.filters.http.ext_proc.v3.ProcessingMode.HeaderSendMode DEFAULT SEND SKIP
=extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder.UrlUnescapeSpec ALL_CHARACTERS_EXCEPT_RESERVED ALL_CHARACTERS_EXCEPT_SLASH ALL_CHARACTERS
=extensions.filters.http.gzip.v3.Gzip.CompressionLevel.Enum DEFAULT BEST SPEED
=extensions.filters.http.gzip.v3.Gzip.CompressionStrategy DEFAULT FILTERED HUFFMAN RLE
=extensions.filters.http.header_to_metadata.v3.Config.ValueEncode NONE BASE64
=extensions.filters.http.header_to_metadata.v3.Config.ValueType STRING NUMBER PROTOBUF_VALUE
=extensions.filters.http.ip_tagging.v3.IPTagging.IpTagHeader.HeaderAction SANITIZE APPEND_IF_EXISTS_OR_ADD
=extensions.filters.http.ip_tagging.v3.IPTagging.RequestType BOTH INTERNAL EXTERNAL
=extensions.filters.http.json_to_metadata.v3.JsonToMetadata.ValueType PROTOBUF_VALUE STRING NUMBER
=extensions.filters.http.kill_request.v3.KillRequest.Direction REQUEST RESPONSE
=extensions.filters.http.mcp.v3.Mcp.AttributeSource BODY VERIFY HEADERS
=extensions.filters.http.mcp.v3.Mcp.RequestStorageMode MODE_UNSPECIFIED DYNAMIC_METADATA FILTER_STATE DYNAMIC_METADATA_AND_FILTER_STATE
=extensions.filters.http.mcp.v3.Mcp.TrafficMode PASS_THROUGH REJECT_NO_MCP NOOP
=extensions.filters.http.mcp_json_rest_bridge.v3.CacheScope CACHE_SCOPE_UNSPECIFIED CACHE_SCOPE_PUBLIC CACHE_SCOPE_PRIVATE
=extensions.filters.http.mcp_json_rest_bridge.v3.HttpRule.ParameterBinding.Type TYPE_UNSPECIFIED HEADER COOKIE
=extensions.filters.http.mcp_json_rest_bridge.v3.McpJsonRestBridge.RequestStorageMode MODE_UNSPECIFIED DYNAMIC_METADATA
=extensions.filters.http.mcp_router.v3.ValidationPolicy.Mode MODE_UNSPECIFIED DISABLED ENFORCE
=extensions.filters.http.oauth2.v3.CookieConfig.SameSite DISABLED STRICT LAX NONE
=extensions.filters.http.oauth2.v3.OAuth2Config.AuthType URL_ENCODED_BODY BASIC_AUTH TLS_CLIENT_AUTH PRIVATE_KEY_JWT
=extensions.filters.http.oauth2.v3.PrivateKeyJwtConfig.SigningAlgorithm RS256 RS384 RS512 ES256 ES384 ES512
=extensions.filters.http.proto_api_scrubber.v3.ProtoApiScrubberConfig.FilteringMode OVERRIDE
=extensions.filters.http.proto_message_extraction.v3.MethodExtraction.ExtractDirective ExtractDirective_UNSPECIFIED EXTRACT EXTRACT_REDACT EXTRACT_REPEATED_CARDINALITY
=extensions.filters.http.proto_message_extraction.v3.ProtoMessageExtractionConfig.ExtractMode ExtractMode_UNSPECIFIED FIRST_AND_LAST
=extensions.filters.http.proto_message_logging.v3.MethodLogging.LogDirective LogDirective_UNSPECIFIED LOG LOG_REDACT
=extensions.filters.http.proto_message_logging.v3.ProtoMessageLoggingConfig.LogMode LogMode_UNSPECIFIED FIRST_AND_LAST
=extensions.filters.http.ratelimit.v3.RateLimit.XRateLimitHeadersRFCVersion OFF DRAFT_VERSION_03
=extensions.filters.http.ratelimit.v3.RateLimitConfig.Action.MetaData.Source DYNAMIC ROUTE_ENTRY
=extensions.filters.http.ratelimit.v3.RateLimitPerRoute.OverrideOptions DEFAULT OVERRIDE_POLICY INCLUDE_POLICY IGNORE_POLICY
=extensions.filters.http.ratelimit.v3.RateLimitPerRoute.VhRateLimitsOptions OVERRIDE INCLUDE IGNORE
=extensions.filters.http.thrift_to_metadata.v3.Field METHOD_NAME PROTOCOL TRANSPORT HEADER_FLAGS SEQUENCE_ID MESSAGE_TYPE REPLY_TYPE
=extensions.filters.http.transform.v3.BodyTransformation.TransformAction MERGE REPLACE
=extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair.ValueStringEncoding UNSPECIFIED SANITIZED_UTF8 BASE64
=extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.TlvLocation DYNAMIC_METADATA FILTER_STATE
=extensions.filters.network.dubbo_proxy.v3.ProtocolType Dubbo
=extensions.filters.network.dubbo_proxy.v3.SerializationType Hessian2
=extensions.filters.network.ext_proc.v3.ProcessingMode.DataSendMode STREAMED SKIP
=extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.CodecType AUTO HTTP1 HTTP2 HTTP3
=extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails SANITIZE FORWARD_ONLY APPEND_FORWARD SANITIZE_SET ALWAYS_FORWARD_ONLY
=extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertFormat TEXT JSON
=extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathWithEscapedSlashesAction IMPLEMENTATION_SPECIFIC_DEFAULT KEEP_UNCHANGED REJECT_REQUEST UNESCAPE_AND_REDIRECT UNESCAPE_AND_FORWARD
=extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ServerHeaderTransformation OVERWRITE APPEND_IF_ABSENT PASS_THROUGH
=extensions.filters.network.rbac.v3.RBAC.EnforcementType ONE_TIME_ON_FIRST_BYTE CONTINUOUS
=extensions.filters.network.redis_proxy.v3.RedisProxy.ConnPoolSettings.ReadPolicy MASTER PREFER_MASTER REPLICA PREFER_REPLICA ANY LOCAL_ZONE_AFFINITY LOCAL_ZONE_AFFINITY_REPLICAS_AND_PRIMARY
=extensions.filters.network.redis_proxy.v3.RedisProxy.ProtocolVersion RESP2 RESP3
=extensions.filters.network.redis_proxy.v3.RedisProxy.RedisFault.RedisFaultType DELAY ERROR
=extensions.filters.network.tcp_proxy.v3.ProxyProtocolTlvMergePolicy ADD_IF_ABSENT OVERWRITE_BY_TYPE_IF_EXISTS_OR_ADD APPEND_IF_EXISTS_OR_ADD
=extensions.filters.network.tcp_proxy.v3.UpstreamConnectMode IMMEDIATE ON_DOWNSTREAM_DATA ON_DOWNSTREAM_TLS_HANDSHAKE
=extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.ValueEncode NONE BASE64
=extensions.filters.network.thrift_proxy.filters.header_to_metadata.v3.HeaderToMetadata.ValueType STRING NUMBER PROTOBUF_VALUE
=extensions.filters.network.thrift_proxy.filters.payload_to_metadata.v3.PayloadToMetadata.ValueType STRING NUMBER
=extensions.filters.network.thrift_proxy.v3.ProtocolType AUTO_PROTOCOL BINARY LAX_BINARY COMPACT -TWITTER
=extensions.filters.network.thrift_proxy.v3.TransportType AUTO_TRANSPORT FRAMED UNFRAMED HEADER
=extensions.filters.network.zookeeper_proxy.v3.LatencyThresholdOverride.Opcode Connect Create Delete Exists GetData SetData GetAcl SetAcl GetChildren Sync Ping GetChildren2 Check Multi Create2 Reconfig CheckWatches RemoveWatches CreateContainer CreateTtl Close SetAuth SetWatches GetEphemerals GetAllChildrenNumber SetWatches2 AddWatch
=extensions.http.ai_filters.transcoder.v3.Transcoder.Direction DIRECTION_UNSPECIFIED TO_IR FROM_IR
=extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig.FormatterTypeOnEnvoyHeaders DEFAULT PROPER_CASE
=extensions.http.header_validators.envoy_default.v3.HeaderValidatorConfig.HeadersWithUnderscoresAction ALLOW REJECT_REQUEST DROP_HEADER
=extensions.http.header_validators.envoy_default.v3.HeaderValidatorConfig.UriPathNormalizationOptions.PathWithEscapedSlashesAction IMPLEMENTATION_SPECIFIC_DEFAULT KEEP_UNCHANGED REJECT_REQUEST UNESCAPE_AND_REDIRECT UNESCAPE_AND_FORWARD
=extensions.http.injected_credentials.oauth2.v3.OAuth2.AuthType BASIC_AUTH URL_ENCODED_BODY TLS_CLIENT_AUTH
=extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.LocalityBasis HEALTHY_HOSTS_NUM HEALTHY_HOSTS_WEIGHT
=extensions.load_balancing_policies.least_request.v3.LeastRequest.SelectionMethod N_CHOICES FULL_SCAN
=extensions.load_balancing_policies.ring_hash.v3.RingHash.HashFunction DEFAULT_HASH XX_HASH MURMUR_HASH_2
=extensions.load_balancing_policies.subset.v3.Subset.LbSubsetFallbackPolicy NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET
=extensions.load_balancing_policies.subset.v3.Subset.LbSubsetMetadataFallbackPolicy METADATA_NO_FALLBACK FALLBACK_LIST
=extensions.load_balancing_policies.subset.v3.Subset.LbSubsetSelector.LbSubsetSelectorFallbackPolicy NOT_DEFINED NO_FALLBACK ANY_ENDPOINT DEFAULT_SUBSET KEYS_SUBSET
=extensions.matching.input_matchers.dynamic_modules.v3.DynamicModuleMatcher.OnError NO_MATCH MATCH
=extensions.resource_monitors.cpu_utilization.v3.CpuUtilizationConfig.UtilizationComputeStrategy HOST CONTAINER
=extensions.router.route_specifiers.dynamic_modules.v3.FailurePolicy FAILURE_POLICY_UNSPECIFIED PASS_THROUGH NO_ROUTE CONTINUE_MATCHING
=extensions.transport_sockets.tls.v3.CertificateValidationContext.TrustChainVerification VERIFY_TRUST_CHAIN ACCEPT_UNTRUSTED
=extensions.transport_sockets.tls.v3.DownstreamTlsContext.OcspStaplePolicy LENIENT_STAPLING STRICT_STAPLING MUST_STAPLE
=extensions.transport_sockets.tls.v3.SubjectAltNameMatcher.SanType SAN_TYPE_UNSPECIFIED EMAIL DNS URI IP_ADDRESS OTHER_NAME
=extensions.transport_sockets.tls.v3.TlsParameters.CompliancePolicy FIPS_202205 CNSA2_202603 CNSA1_202603
=extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol TLS_AUTO TLSv1_0 TLSv1_1 TLSv1_2 TLSv1_3
=extensions.wasm.v3.FailurePolicy UNSPECIFIED FAIL_RELOAD FAIL_CLOSED FAIL_OPEN
=type.ai.v3.LLMProtocol LLM_PROTOCOL_UNSPECIFIED OPENAI_CHAT_COMPLETIONS OPENAI_RESPONSES ANTHROPIC_MESSAGES GEMINI_GENERATE_CONTENT
=type.tracing.v3.CustomTag.ValueType UNSPECIFIED STRING INT DOUBLE BOOL
=type.v3.CodecClientType HTTP1 HTTP2 HTTP3
=type.v3.FractionalPercent.DenominatorType HUNDRED TEN_THOUSAND MILLION
=type.v3.RateLimitStrategy.BlanketRule ALLOW_ALL DENY_ALL
=type.v3.RateLimitUnit UNKNOWN SECOND MINUTE HOUR DAY MONTH YEAR
=type.v3.StatusCode Empty Continue:100 OK:200 Created Accepted NonAuthoritativeInformation NoContent ResetContent PartialContent MultiStatus AlreadyReported IMUsed:226 MultipleChoices:300 MovedPermanently Found SeeOther NotModified UseProxy TemporaryRedirect:307 PermanentRedirect BadRequest:400 Unauthorized PaymentRequired Forbidden NotFound MethodNotAllowed NotAcceptable ProxyAuthenticationRequired RequestTimeout Conflict Gone LengthRequired PreconditionFailed PayloadTooLarge URITooLong UnsupportedMediaType RangeNotSatisfiable ExpectationFailed MisdirectedRequest:421 UnprocessableEntity Locked FailedDependency UpgradeRequired:426 PreconditionRequired:428 TooManyRequests RequestHeaderFieldsTooLarge:431 InternalServerError:500 NotImplemented BadGateway ServiceUnavailable GatewayTimeout HTTPVersionNotSupported VariantAlsoNegotiates InsufficientStorage LoopDetected NotExtended:510 NetworkAuthenticationRequired
`;
