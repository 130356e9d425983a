import type { SourceNode } from '../../config/reader.js';
import type { ApiVersion } from '../../config/api/api.js';

/** Enough of a file to know its API by: in a dump every resource names its type. */
const MAX_NODES = 100_000;

/** Fields that v2 never had, wherever they stand, and that no v2 file here may borrow. */
const V3_FIELDS: ReadonlySet<string> = new Set([
  'load_balancing_policy',
  'loadBalancingPolicy',
  'ignore_health_on_host_removal',
  'ignoreHealthOnHostRemoval',
  'typed_dns_resolver_config',
  'typedDnsResolverConfig',
  'dns_resolution_config',
  'dnsResolutionConfig',
  'transport_socket_matcher',
  'track_cluster_stats',
  'trackClusterStats',
  'preconnect_policy',
  'preconnectPolicy',
  'upstream_config',
  'upstreamConfig',
  'path_config_source',
  'pathConfigSource',
]);

/** `resource_api_version: V3` */
const VERSION_FIELDS: ReadonlySet<string> = new Set([
  'resource_api_version',
  'resourceApiVersion',
  'transport_api_version',
  'transportApiVersion',
]);

/** The API that the messages of a document are written in, by what they say of themselves; undefined: either. */
export function apiVersionOf(root: SourceNode): ApiVersion | undefined {
  let modern = 0;
  let former = 0;
  let left = MAX_NODES;
  const open: SourceNode[] = [root];
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    left -= 1;
    if (node.kind === 'list') open.push(...node.items);
    if (node.kind !== 'map') continue;
    for (const { key, value } of node.entries) {
      if (value.kind !== 'scalar') open.push(value);
      else if (VERSION_FIELDS.has(key) && value.text.toUpperCase() === 'V3') modern += 1;
      else if (key === '@type' || key === 'type_url' || key === 'typeUrl') {
        if (/\benvoy\.[\w.]+\.v3\./.test(value.text)) modern += 1;
        else if (/\benvoy\.(?:api\.v2|[\w.]+\.v2(?:alpha\d*)?)\./.test(value.text)) former += 1;
      } else if (value.text === 'V4_PREFERRED') modern += 1;
      if (V3_FIELDS.has(key)) modern += 1;
    }
  }
  if (modern === 0 && former === 0) return undefined;
  return modern > former ? 'v3' : 'v2';
}
