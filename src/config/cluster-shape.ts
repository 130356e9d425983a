/**
 * The fields of a Cluster. Rules that span several of them are in `cluster-rules.ts`.
 */
import { Address, BindConfig, UpstreamConnectionOptions } from './address.js';
import { any, isProxyName } from './any.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { ConfigSource } from './config-source.js';
import { Metadata } from './core.js';
import { CustomClusterType, DiscoveryType, DnsLookupFamily, EdsClusterConfig, RefreshRate } from './discovery.js';
import { ClusterLoadAssignment } from './endpoint.js';
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
import {
  Http1ProtocolOptions,
  Http2ProtocolOptions,
  HttpProtocolOptions,
  UpstreamHttpProtocolOptions,
} from './protocol.js';
import { defaulted, mapping, message, optional, plain, repeated, required } from './reader.js';
import type { MessageOutput } from './reader.js';
import type { Shape } from './reader/message.js';
import { bool, duration, enumeration, string, struct, uint32Value } from './reader/proto.js';
import { LoadBalancingPolicy } from './typed-policy.js';
import { TransportSocket, TransportSocketMatch, UpstreamTlsContext } from './transport-socket.js';

const noConnections = { noEffect: 'connections are not simulated one by one' };
const noBytes = { noEffect: 'bytes are not simulated' };
const noTls = { noEffect: 'TLS is not simulated' };
const noHttp = { noEffect: 'HTTP is not simulated below requests and answers' };
const scenarioDns = { noEffect: 'names are resolved by `dns` of the scenario' };

const V3_TYPE =
  'this is v3: in a v2 cluster write http2_protocol_options, http_protocol_options or common_http_protocol_options';

const Filter = message(
  'cluster.Filter',
  () => ({
    name: required(string({ minLength: 1 }), 'Name of the filter.'),
    typed_config: optional(any({ types: {} }), 'Configuration of the filter.'),
  }),
  {
    doc: 'A network filter of upstream connections.',
    rules: [
      {
        name: 'extension-name',
        doc: 'The name is one the proxy knows.',
        reads: ['name'],
        check: ({ name }, report) => {
          if (!isProxyName(name)) report(`${name} is not a filter that the proxy knows`, ['name']);
        },
      },
    ],
  },
);

/** Names of filters, as keys. */
const filterName = (key: string): string | undefined =>
  isProxyName(key) ? undefined : 'not the name of a filter that the proxy knows';

const typedOptions = mapping(
  any({ types: {}, refused: { 'extensions.upstreams.http.v3.HttpProtocolOptions': V3_TYPE } }),
  filterName,
);

const untypedOptions = mapping(struct(), filterName);

export const clusterShape = () =>
  ({
    transport_socket_matches: repeated(TransportSocketMatch, 'Transport sockets by endpoint metadata.'),
    name: required(string({ minLength: 1 }), 'Unique. In statistics each : becomes _.'),
    alt_stat_name: plain(string(), 'Name in statistics, instead of name; each : becomes _.'),
    type: plain(DiscoveryType, 'How the cluster learns of its hosts.'),
    cluster_type: optional(CustomClusterType, 'The same by name.'),
    eds_cluster_config: optional(EdsClusterConfig, 'Endpoint discovery; for EDS clusters.'),
    connect_timeout: optional(duration({ aboveNanos: 0 }), 'Timeout of new connections. Default 5 s.'),
    per_connection_buffer_limit_bytes: optional(uint32Value(), 'Soft limit on buffers. Default 1 MiB.', noBytes),
    lb_policy: plain(LbPolicy, 'How a host is chosen.'),
    load_balancing_policy: optional(
      LoadBalancingPolicy,
      'The same in v3, as a list: the first policy that the proxy knows counts, and goes before lb_policy.',
    ),
    hosts: repeated(Address, 'The hosts, without priorities, weights or localities.', {
      deprecated: 'use load_assignment',
    }),
    load_assignment: optional(ClusterLoadAssignment, 'The hosts. Needed for STATIC, STRICT_DNS and LOGICAL_DNS.'),
    health_checks: repeated(HealthCheck, 'Active health checks. Without any, every host is healthy.'),
    max_requests_per_connection: optional(
      uint32Value(),
      'Requests that a connection serves; 1 disables keep-alive. Default: unlimited.',
    ),
    circuit_breakers: optional(CircuitBreakers, 'Limits on what is in flight.'),
    tls_context: optional(UpstreamTlsContext, 'TLS.', {
      deprecated: 'use transport_socket with the name proxy.transport_sockets.tls',
      ...noTls,
    }),
    upstream_http_protocol_options: optional(UpstreamHttpProtocolOptions, 'Options of HTTP connections.', noHttp),
    common_http_protocol_options: optional(HttpProtocolOptions, 'Options of HTTP/1 and HTTP/2.', noHttp),
    http_protocol_options: optional(Http1ProtocolOptions, 'Options of HTTP/1.', noHttp),
    http2_protocol_options: optional(Http2ProtocolOptions, 'Makes the proxy speak HTTP/2 to the hosts.'),
    extension_protocol_options: defaulted(untypedOptions, {}, 'Options of extensions, by filter name.', {
      deprecated: 'use typed_extension_protocol_options',
      ...noHttp,
    }),
    typed_extension_protocol_options: defaulted(typedOptions, {}, 'Options of extensions, by filter name.', noHttp),
    dns_refresh_rate: defaulted(
      duration({ minNanos: 1_000_000 }),
      5_000_000,
      'Time between queries of STRICT_DNS and LOGICAL_DNS; at least 1 ms.',
    ),
    dns_failure_refresh_rate: optional(RefreshRate, 'The same while queries fail. Default: dns_refresh_rate.'),
    respect_dns_ttl: plain(bool(), 'Query again when the TTL of the answer is over.'),
    dns_lookup_family: plain(DnsLookupFamily, 'Which addresses are asked for. AUTO: IPv6, then IPv4.'),
    dns_resolvers: repeated(Address, 'DNS servers. Default: those of the system.', scenarioDns),
    use_tcp_for_dns_lookups: plain(bool(), 'Query over TCP.', scenarioDns),
    outlier_detection: optional(OutlierDetection, 'Passive health checking.'),
    cleanup_interval: defaulted(
      duration({ aboveNanos: 0 }),
      5_000_000,
      'ORIGINAL_DST: hosts that were not used for this long are removed; at 1.40 only once no connection leads to them.',
    ),
    upstream_bind_config: optional(BindConfig, 'Source address of connections.', noConnections),
    lb_subset_config: optional(LbSubsetConfig, 'Divides the hosts into subsets.'),
    ring_hash_lb_config: optional(RingHashLbConfig, 'Options of RING_HASH.'),
    maglev_lb_config: optional(MaglevLbConfig, 'Options of MAGLEV.', { extension: 'since 1.16' }),
    original_dst_lb_config: optional(OriginalDstLbConfig, 'Options of ORIGINAL_DST clusters.'),
    least_request_lb_config: optional(LeastRequestLbConfig, 'Options of LEAST_REQUEST.'),
    round_robin_lb_config: optional(RoundRobinLbConfig, 'Options of ROUND_ROBIN.', { extension: 'since 1.20' }),
    common_lb_config: optional(CommonLbConfig, 'Options of every policy.'),
    transport_socket: optional(TransportSocket, 'How bytes are sent. Default: plain text.', noTls),
    metadata: optional(Metadata, 'Further information, by the filter that needs it.', {
      noEffect: 'no filter reads it',
    }),
    protocol_selection: plain(
      enumeration(
        'Cluster.ClusterProtocolSelection',
        { USE_CONFIGURED_PROTOCOL: 0, USE_DOWNSTREAM_PROTOCOL: 1 },
        { open: true },
      ),
      'How the protocol is chosen.',
      { noEffect: 'clients of the proxy have no protocol here' },
    ),
    upstream_connection_options: optional(UpstreamConnectionOptions, 'Keep-alive.', noConnections),
    close_connections_on_host_health_failure: plain(bool(), 'Close TCP connections to a host that fails.', {
      noEffect: 'TCP proxying is not simulated; HTTP connections to a host that fails are drained in either case',
    }),
    drain_connections_on_host_removal: plain(
      bool(),
      'A host that discovery drops is removed at once, though health checks still pass.',
    ),
    filters: repeated(Filter, 'Network filters of upstream connections.', noBytes),
    lrs_server: optional(ConfigSource, 'Load reporting service.', { noEffect: 'load reports are not simulated' }),
    track_timeout_budgets: plain(bool(), 'Publish histograms of how much of the timeouts was used.'),
  }) satisfies Shape;

/** A Cluster as it is read. */
export type Cluster = MessageOutput<ReturnType<typeof clusterShape>>;
