import type { Struct } from '../../core/json-value.js';
import { KEY_HEADER } from '../../hostset/request-headers.js';
import type { ProxySpec } from '../../scenario/model.js';
import { nodeOf } from './own-decisions.js';
import type { Traffic } from './situations.js';

/** Says which {@link Traffic} a request belongs to. */
export const TRAFFIC_HEADER = 'x-lbsim-traffic';

const API = 'type.googleapis.com/envoy.extensions.filters';

/**
 * The bootstrap of a real proxy, v3: these clusters, and one route for each traffic, chosen by {@link TRAFFIC_HEADER}. It
 * listens on loopback, at ports of the system's choice.
 *
 * @param namePort of the DNS server on loopback that is asked; absent: no cluster has names.
 */
export function bootstrapMessage(
  clusters: readonly Struct[],
  spec: ProxySpec,
  traffic: readonly Traffic[],
  namePort?: number,
): Struct {
  const { node, local_cluster_name: local } = nodeOf(spec);
  const manager = {
    '@type': `${API}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'verified',
    codec_type: 'HTTP1',
    route_config: { virtual_hosts: [{ name: 'verified', domains: ['*'], routes: traffic.map(routeMessage) }] },
    http_filters: [{ name: 'envoy.filters.http.router', typed_config: { '@type': `${API}.http.router.v3.Router` } }],
  };
  const filter = { name: 'envoy.filters.network.http_connection_manager', typed_config: manager };
  return {
    ...(node !== undefined && { node }),
    admin: { address: anyPort() },
    ...(local !== undefined && { cluster_manager: { local_cluster_name: local } }),
    ...(Object.keys(spec.runtime).length > 0 && {
      layered_runtime: { layers: [{ name: 'scenario', static_layer: spec.runtime }] },
    }),
    ...(namePort !== undefined && { typed_dns_resolver_config: resolverMessage(namePort) }),
    static_resources: {
      listeners: [{ name: 'traffic', address: anyPort(), filter_chains: [{ filters: [filter] }] }],
      clusters,
    },
  };
}

function routeMessage({ cluster, metadataMatch, routeHash, keys }: Traffic, index: number): Struct {
  return {
    match: {
      prefix: '/',
      headers: [{ name: TRAFFIC_HEADER, string_match: { exact: String(index) } }],
    },
    route: {
      cluster,
      ...(metadataMatch !== undefined && { metadata_match: { filter_metadata: { 'envoy.lb': metadataMatch } } }),
      ...(routeHash && keys.length > 0 && { hash_policy: [{ header: { header_name: KEY_HEADER } }] }),
    },
  };
}

function resolverMessage(port: number): Struct {
  return {
    name: 'envoy.network.dns_resolver.cares',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig',
      resolvers: [{ socket_address: { address: '127.0.0.1', port_value: port } }],
      dns_resolver_options: { no_default_search_domain: true },
    },
  };
}

function anyPort(): Struct {
  return { socket_address: { address: '127.0.0.1', port_value: 0 } };
}
