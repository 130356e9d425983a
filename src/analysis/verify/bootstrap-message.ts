import type { Struct } from '../../core/json-value.js';
import { KEY_HEADER } from '../../hostset/request-hash.js';
import type { ProxySpec } from '../../settings/world.js';
import { nodeOf } from './own-decisions.js';
import type { Traffic } from './situations.js';

/** Says which {@link Traffic} a request belongs to. */
export const TRAFFIC_HEADER = 'x-lbsim-traffic';

const API = 'type.googleapis.com/envoy.extensions.filters';

/** Where a proxy listens. */
interface Places {
  /** Ports on loopback; 0: of the system's choice. */
  readonly admin: number;
  readonly port: number;
  /** Besides that of the traffic. */
  readonly listeners: readonly Struct[];
}

/**
 * The bootstrap of a real proxy, v3: these clusters, and one route for each traffic, chosen by {@link TRAFFIC_HEADER}. It
 * listens on loopback.
 *
 * @param namePort of the DNS server on loopback that is asked; absent: no cluster has names.
 */
export function bootstrapMessage(
  clusters: readonly Struct[],
  spec: ProxySpec,
  traffic: readonly Traffic[],
  namePort?: number,
  { admin, port, listeners }: Places = { admin: 0, port: 0, listeners: [] },
): Struct {
  const { node, local_cluster_name: local } = nodeOf(spec);
  return {
    ...(node !== undefined && { node }),
    admin: { address: loopback(admin) },
    ...(local !== undefined && { cluster_manager: { local_cluster_name: local } }),
    ...(Object.keys(spec.runtime).length > 0 && {
      layered_runtime: { layers: [{ name: 'scenario', static_layer: spec.runtime }] },
    }),
    ...(namePort !== undefined && { typed_dns_resolver_config: resolverMessage(namePort) }),
    static_resources: {
      listeners: [listenerMessage('traffic', port, traffic.map(routeMessage)), ...listeners],
      clusters,
    },
  };
}

/** A listener of the proxy that stands for a host. @param headers of its answers, which have this status. */
export function hostListener(
  name: string,
  port: number,
  status: number,
  headers: Readonly<Record<string, string>>,
): Struct {
  const added = Object.entries(headers).map(([key, value]) => ({ header: { key, value } }));
  const answer = { match: { prefix: '/' }, direct_response: { status }, response_headers_to_add: added };
  return listenerMessage(name, port, [answer]);
}

function listenerMessage(name: string, port: number, routes: readonly Struct[]): Struct {
  const manager = {
    '@type': `${API}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: name,
    codec_type: 'HTTP1',
    route_config: { virtual_hosts: [{ name, domains: ['*'], routes }] },
    http_filters: [{ name: 'envoy.filters.http.router', typed_config: { '@type': `${API}.http.router.v3.Router` } }],
  };
  const filter = { name: 'envoy.filters.network.http_connection_manager', typed_config: manager };
  return { name, address: loopback(port), filter_chains: [{ filters: [filter] }] };
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
      resolvers: [loopback(port)],
      dns_resolver_options: { no_default_search_domain: true },
    },
  };
}

function loopback(port: number): Struct {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}
