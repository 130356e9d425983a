/**
 * Settings that v3 has in extension messages, translated into the cluster's own fields: the typed policies of
 * `load_balancing_policy`, the typed `cluster_type`, the protocol options. Values keep their places.
 *
 * Source: docs of config.cluster.v3.Cluster, `load_balancing_policy`: the first of its policies that the proxy knows is
 * used, instead of `lb_policy`.
 */
import { messageIn, policyFields, type PolicyField } from './chosen-policy.js';
import { apiSchema } from './reader/api-schema.js';
import type { Walk } from './reader/context.js';
import { snake } from './reader/letter-case.js';
import { keySpan } from './reader/spans.js';
import { readerOf } from './reader/walk.js';
import { PARTS_OF_POLICY, placeInPolicy } from './setting-place.js';
import { formatPath, type MapEntry, type MapNode, type SourceNode } from './source/document.js';
import { dropped, fieldOf, isMap, mapNode, nodeOf, put, textOf, valueAt } from './source/trees.js';

export function rewriteCluster(cluster: MapNode, walk: Walk): MapNode {
  return withProtocols(withClusterType(withPolicy(cluster, walk), walk), walk);
}

// --- policies ------------------------------------------------------------------------------------------------------

const LEGACY_SETTINGS = [
  'lb_policy',
  'ring_hash_lb_config',
  'maglev_lb_config',
  'least_request_lb_config',
  'round_robin_lb_config',
];

function withPolicy(cluster: MapNode, walk: Walk): MapNode {
  const field = fieldOf(cluster, 'load_balancing_policy');
  if (field === undefined) return cluster;
  const policy = policyFields(field, walk);
  refuseBeside(cluster, policy, walk);
  let result = dropped(cluster, ['load_balancing_policy', ...LEGACY_SETTINGS]);
  for (const { at, entry, written } of policy) {
    const [name, part] = at;
    const own = part === undefined ? [name] : [name, part];
    walk.document.move([...walk.path, ...own], [...walk.path, ...written]);
    result = part === undefined ? put(result, name, entry.value, entry) : putInside(result, name, part, entry);
  }
  return result;
}

/** What a typed policy has itself: beside it the proxy refuses it. */
function refuseBeside(cluster: MapNode, policy: readonly PolicyField[], walk: Walk): void {
  const common = valueAt(cluster, 'common_lb_config');
  const parts = Object.keys(PARTS_OF_POLICY).flatMap((name) => fieldOf(common, name) ?? []);
  const word = policy.find(({ at: [name] }) => name === 'lb_policy');
  const isReported = policy.some(({ at: [, part] }) => part === 'client_side_weighted_round_robin');
  for (const entry of [fieldOf(cluster, 'lb_subset_config') ?? [], parts].flat()) {
    const place = placeInPolicy(['common_lb_config', snake(entry.key)], textOf(word?.entry.value) ?? '', isReported);
    const known = word !== undefined && typeof place === 'object';
    const at = known ? `, as ${formatPath([...word.written, ...place])}` : '';
    const text = `${entry.key} cannot stand beside load_balancing_policy: it belongs into the policy there${at}`;
    walk.error('load-balancing-policy', text, keySpan(entry));
  }
}

/** One part of a message that may have others already. */
function putInside(cluster: MapNode, name: string, part: string, entry: MapEntry): MapNode {
  const outer = fieldOf(cluster, name);
  const before = isMap(outer?.value) ? outer.value : mapNode({}, entry.value);
  return put(cluster, name, put(before, part, entry.value, entry), outer ?? entry);
}

// --- types ---------------------------------------------------------------------------------------------------------

const DNS_CLUSTER = 'extensions.clusters.dns.v3.DnsCluster';
const DNS_FIELDS = ['dns_refresh_rate', 'dns_failure_refresh_rate', 'respect_dns_ttl', 'dns_lookup_family'];

/** `envoy.cluster.dns`, typed: one logical host, or one host per address, with its own settings of DNS. */
function withClusterType(cluster: MapNode, walk: Walk): MapNode {
  const field = fieldOf(cluster, 'cluster_type');
  const config = valueAt(field?.value, 'typed_config');
  if (field !== undefined && config === undefined && isNamedDns(field.value)) {
    return put(dropped(cluster, ['cluster_type']), 'type', nodeOf('STRICT_DNS', field.value), field);
  }
  if (field === undefined || !isMap(config) || messageIn(config) !== DNS_CLUSTER) return cluster;
  checkAround(field, config, walk);
  const single = valueAt(config, 'all_addresses_in_single_endpoint');
  const logical = single?.kind === 'scalar' && single.text === 'true';
  let result = dropped(cluster, ['cluster_type', ...DNS_FIELDS]);
  result = put(result, 'type', nodeOf(logical ? 'LOGICAL_DNS' : 'STRICT_DNS', field.value), field);
  for (const name of DNS_FIELDS) {
    const entry = fieldOf(config, name);
    const value = name === 'dns_lookup_family' && entry !== undefined ? familyOf(entry.value) : entry?.value;
    if (entry === undefined || value === undefined) continue;
    walk.document.move([...walk.path, name], [...walk.path, field.key, 'typed_config', entry.key]);
    result = { ...result, entries: [...result.entries, { ...entry, value }] };
  }
  return result;
}

/** By name alone, the settings are the defaults. */
function isNamedDns(clusterType: SourceNode): boolean {
  const name = valueAt(clusterType, 'name');
  return name?.kind === 'scalar' && /^(?:envoy|proxy)\.cluster\.dns$/.test(name.text);
}

/** The messages around the settings of DNS, which are read as the cluster's own. */
function checkAround(field: MapEntry, config: MapNode, walk: Walk): void {
  const entry = fieldOf(field.value, 'typed_config');
  const type = apiSchema('config.cluster.v3.Cluster.CustomClusterType', 'v3');
  if (!isMap(field.value) || entry === undefined || type === undefined) return;
  const around = put(field.value, entry.key, dropped(config, DNS_FIELDS), entry);
  walk.part(field.key, readerOf(type), around);
}

const FAMILIES = ['UNSPECIFIED', 'AUTO', 'V4_ONLY', 'V6_ONLY', 'V4_PREFERRED', 'ALL'];

/** The typed enumeration starts at 1; 0 means unset. */
function familyOf(node: SourceNode): SourceNode | undefined {
  if (node.kind !== 'scalar') return node;
  const name = FAMILIES[Number(node.text)] ?? node.text;
  return name === 'UNSPECIFIED' ? undefined : nodeOf(name, node);
}

// --- protocols -----------------------------------------------------------------------------------------------------

const HTTP_OPTIONS = 'extensions.upstreams.http.v3.HttpProtocolOptions';

/** HTTP/2 to the hosts, and the maximum of requests per connection. */
function withProtocols(cluster: MapNode, walk: Walk): MapNode {
  const options = valueAt(cluster, 'typed_extension_protocol_options');
  if (!isMap(options)) return cluster;
  const http = options.entries.find(({ value }) => messageIn(value) === HTTP_OPTIONS);
  if (http === undefined) return cluster;
  let result = cluster;
  const http2 = ['explicit_http_config', 'use_downstream_protocol_config', 'auto_config'].flatMap(
    (name) => fieldOf(valueAt(http.value, name), 'http2_protocol_options') ?? [],
  )[0];
  // Where the client's protocol decides, it is HTTP/1 here.
  const chosen = fieldOf(http.value, 'explicit_http_config') !== undefined ? http2 : undefined;
  if (chosen !== undefined && fieldOf(result, 'http2_protocol_options') === undefined) {
    result = { ...result, entries: [...result.entries, { ...chosen, moved: true }] };
  }
  const most = valueAt(http.value, 'common_http_protocol_options', 'max_requests_per_connection');
  if (most === undefined) return result;
  const own = fieldOf(result, 'max_requests_per_connection');
  if (own === undefined) return put(result, 'max_requests_per_connection', most, http);
  const text = 'Only one of max_requests_per_connection from Cluster or HttpProtocolOptions can be specified';
  walk.report('error', 'protocol-options', text, keySpan(own), [...walk.path, own.key]);
  return result;
}
