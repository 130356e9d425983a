import type { SourceNode } from '../../config/reader.js';
import type { ApiVersion } from '../../config/api/api.js';

/** `api` of a scenario. */
export const API_VERSIONS = ['v2', 'v3'] as const satisfies readonly ApiVersion[];

/** This many nodes of a file are enough to detect its API: in a dump every resource names its type. */
const MAX_NODES = 20_000;

/** Fields that v2 never had in any message, and that v2 files here may not use either. */
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

/** An API, and the evidence in a document. */
export interface ApiEvidence {
  readonly version: ApiVersion;
  /** `type envoy.config.cluster.v3.Cluster` */
  readonly by: string;
}

/** The API of a document's messages, as their types and fields show; undefined: it may be either. */
export function apiVersionOf(root: SourceNode): ApiEvidence | undefined {
  const said = root.kind === 'map' ? root.entries.find(({ key }) => key === 'api')?.value : undefined;
  const own = said?.kind === 'scalar' ? API_VERSIONS.find((version) => version === said.text) : undefined;
  if (own !== undefined) return { version: own, by: `api: ${own}` };
  const found = { v2: { count: 0, by: '' }, v3: { count: 0, by: '' } };
  const count = (version: ApiVersion, by: string): void => {
    const one = found[version];
    one.count += 1;
    if (one.count === 1) one.by = by;
  };
  let left = MAX_NODES;
  const open: SourceNode[] = [root];
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    left -= 1;
    // From the top: the evidence named is the first that a reader finds.
    if (node.kind === 'list') for (const item of node.items.toReversed()) open.push(item);
    if (node.kind !== 'map') continue;
    for (const { value } of node.entries.toReversed()) if (value.kind !== 'scalar') open.push(value);
    for (const { key, value } of node.entries) {
      if (V3_FIELDS.has(key)) count('v3', `field ${key}`);
      if (value.kind !== 'scalar') continue;
      if (VERSION_FIELDS.has(key) && value.text.toUpperCase() === 'V3') count('v3', `${key}: V3`);
      else if (key === '@type' || key === 'type_url' || key === 'typeUrl') {
        const type = value.text.slice(value.text.lastIndexOf('/') + 1);
        // The pages of a simulated proxy are those of v3, whatever its clusters are written in.
        if (/^(?:envoy|proxy(?!\.admin))\.[\w.]+\.v3\./.test(type)) count('v3', `type ${type}`);
        else if (/^(?:envoy|proxy)\.(?:api\.v2|[\w.]+\.v2(?:alpha\d*)?)\./.test(type)) count('v2', `type ${type}`);
      } else if (value.text === 'V4_PREFERRED') count('v3', `${key}: V4_PREFERRED`);
    }
  }
  if (found.v2.count + found.v3.count === 0) return undefined;
  const version = found.v3.count > found.v2.count ? 'v3' : 'v2';
  return { version, by: found[version].by };
}
