/**
 * Cluster: the definition of one upstream cluster.
 */
import type { Struct } from '../../core/json-value.js';
import { clusterRules } from './cluster-rules.js';
import { clusterFields, type Cluster as ClusterValue } from './cluster-shape.js';
import { rewriteCluster } from './modern-cluster.js';
import { check, parseDocument, type Schema, SourceDocument } from '../reader.js';
import { messageWith } from '../reader/message.js';
import '../config-source.js';
import '../endpoint.js';
import './circuit-breakers.js';
import './health-check.js';
import './outlier.js';
import './protocol.js';
import './transport-socket.js';

export type Cluster = ClusterValue;

export const Cluster: Schema<Cluster> = messageWith('Cluster', {
  own: clusterFields,
  rules: clusterRules,
  rewrite: rewriteCluster,
  hints: {
    ignore_health_on_host_removal: 'it is v3; here it is drain_connections_on_host_removal',
    dns_resolution_config: 'it is v3; here it is dns_resolvers and use_tcp_for_dns_lookups',
    typed_dns_resolver_config: 'it is v3; here it is dns_resolvers and use_tcp_for_dns_lookups',
    track_cluster_stats: 'it is v3; here it is track_timeout_budgets',
    upstream_config: 'it is v3 and has no counterpart in v2',
    preconnect_policy: 'it is v3; connection pools are not simulated',
    transport_socket_matcher: 'it is v3; here it is transport_socket_matches',
    connect_timeout_ms: 'it is v1; write connect_timeout: 0.25s for 250',
    lb_type: 'it is v1; here it is lb_policy',
    features: 'it is v1; write http2_protocol_options: {}',
    ssl_context: 'it is v1; here it is transport_socket',
    dns_refresh_rate_ms: 'it is v1; write dns_refresh_rate: 5s for 5000',
    service_name: 'it is v1; here it is eds_cluster_config.service_name',
    clusters: 'this is a cluster (it has a name); a scenario has `clusters` and no type',
  },
});

/** A cluster of a message of v3; undefined: it is none. */
export function clusterIn(message: Struct): Cluster | undefined {
  const { document } = parseDocument(JSON.stringify(message), 'a cluster');
  if (document === undefined) return undefined;
  const api = new SourceDocument(
    document.texts.map((text) => ({ ...text, api: 'v3' as const })),
    document.root,
  );
  return check(Cluster, api, { vocabulary: 'proxy', forRun: true }).value;
}

/** The name in statistics: `alt_stat_name` if there is one; `:` would end a name in some sinks. */
export function statName(cluster: Pick<Cluster, 'name' | 'altStatName'>): string {
  return (cluster.altStatName === '' ? cluster.name : cluster.altStatName).replaceAll(':', '_');
}
