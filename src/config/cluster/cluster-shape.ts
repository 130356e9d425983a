/**
 * The fields of a Cluster. Rules that span several of them are in `cluster-rules.ts`.
 */
import { TransportSocketMatch } from './transport-socket.js';
import { Address } from '../address.js';
import { any, isProxyName } from '../any.js';
import { proxyName } from '../extension.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { CustomClusterType, DiscoveryType, DnsLookupFamily, EdsClusterConfig, RefreshRate } from './discovery.js';
import { ClusterLoadAssignment } from '../endpoint.js';
import { HealthCheck } from './health-check.js';
import {
  CommonLbConfig,
  LbPolicy,
  LbSubsetConfig,
  LeastRequestLbConfig,
  MaglevLbConfig,
  OriginalDstLbConfig,
  RingHashLbConfig,
  RoundRobinLbConfig,
} from './load-balancing.js';
import { OutlierDetection } from './outlier.js';
import { LoadBalancingPolicy } from '../policy/read.js';
import { Http2ProtocolOptions } from './protocol.js';
import { defaulted, mapping, message, names, optional, plain, repeated, required } from '../reader.js';
import type { MessageOutput } from '../reader.js';
import type { Struct } from '../../core/json-value.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { AddedPolicy } from '../../policy/registry.js';
import type { Shape } from '../reader/schema.js';
import { bool, duration, string, struct, uint32Value } from '../reader/proto.js';

const V3_TYPE =
  'this is v3: in a v2 cluster write http2_protocol_options, http_protocol_options or common_http_protocol_options';

message('cluster.Filter', () => ({ name: required(string()) }), proxyName('filter'));

/** Names of filters, as keys. */
const filterName = (key: string): string | undefined =>
  isProxyName(key) ? undefined : 'not the name of a filter that the proxy knows';

const typedOptions = mapping(
  any({ types: {}, refused: { 'extensions.upstreams.http.v3.HttpProtocolOptions': V3_TYPE } }),
  filterName,
);

const untypedOptions = mapping(struct(), filterName);

const TrackClusterStats = message('config.cluster.v3.TrackClusterStats', () => ({ timeout_budgets: plain(bool()) }));

export const clusterShape = () =>
  ({
    transport_socket_matches: repeated(TransportSocketMatch),
    name: required(string()),
    alt_stat_name: plain(string()),
    type: plain(DiscoveryType),
    cluster_type: optional(CustomClusterType),
    eds_cluster_config: optional(EdsClusterConfig),
    connect_timeout: optional(duration()),
    lb_policy: plain(LbPolicy),
    load_balancing_policy: optional(LoadBalancingPolicy),
    hosts: repeated(Address),
    load_assignment: optional(ClusterLoadAssignment),
    health_checks: repeated(HealthCheck),
    max_requests_per_connection: optional(uint32Value()),
    circuit_breakers: optional(CircuitBreakers),
    http2_protocol_options: optional(Http2ProtocolOptions),
    extension_protocol_options: defaulted(untypedOptions, {}),
    typed_extension_protocol_options: defaulted(typedOptions, {}),
    dns_refresh_rate: plain(duration()),
    dns_failure_refresh_rate: optional(RefreshRate),
    respect_dns_ttl: plain(bool()),
    dns_lookup_family: plain(DnsLookupFamily),
    dns_resolvers: repeated(Address),
    use_tcp_for_dns_lookups: plain(bool()),
    outlier_detection: optional(OutlierDetection),
    cleanup_interval: plain(duration()),
    lb_subset_config: optional(LbSubsetConfig),
    ring_hash_lb_config: optional(RingHashLbConfig),
    maglev_lb_config: optional(MaglevLbConfig),
    original_dst_lb_config: optional(OriginalDstLbConfig),
    least_request_lb_config: optional(LeastRequestLbConfig),
    round_robin_lb_config: optional(RoundRobinLbConfig),
    common_lb_config: optional(CommonLbConfig),
    protocol_selection: plain(names('USE_CONFIGURED_PROTOCOL', 'USE_DOWNSTREAM_PROTOCOL')),
    drain_connections_on_host_removal: plain(bool()),
    track_timeout_budgets: plain(bool()),
    track_cluster_stats: optional(TrackClusterStats),
  }) satisfies Shape;

type AsRead = MessageOutput<ReturnType<typeof clusterShape>>;

/** A Cluster as it is read; its policy may be one that the proxy has not, with settings of its own. */
export type Cluster = Omit<AsRead, 'lbPolicy'> & {
  readonly lbPolicy: AsRead['lbPolicy'] | AddedPolicy;
  readonly lbPolicySettings?: Struct;
  /** Each proxy uses a part of the hosts: an extension. */
  readonly clientSubset?: ClientSubsetConfig;
};
