/**
 * Settings that v3 has in extension messages, translated into the cluster's own fields: the typed `cluster_type`, the
 * protocol options. Values keep their places.
 */
import { placeInPolicy, POLICY_FIELDS, POLICY_PARTS } from '../policy/places.js';
import { chosenLeaf } from '../policy/read.js';
import { messageOfUrl } from '../reader/any-value.js';
import { apiSchema } from '../reader/api-schema.js';
import type { Walk } from '../reader/context.js';
import { snake } from '../reader/letter-case.js';
import { keySpan } from '../reader/spans.js';
import { readerOf } from '../reader/walk.js';
import { formatPath, type MapEntry, type MapNode, type SourceNode } from '../source/document.js';
import { dropped, fieldOf, isMap, nodeOf, put, textOf, valueAt } from '../source/trees.js';

export function rewriteCluster(cluster: MapNode, walk: Walk): MapNode {
  return withProtocols(withClusterType(withoutOlderPolicy(cluster, walk), walk), walk);
}

// --- policies ------------------------------------------------------------------------------------------------------

const POLICY = 'load_balancing_policy';
const SUBSETS = 'lb_subset_config';

/** The older fields that a typed policy goes before are not looked at. What it has itself the proxy refuses beside it. */
function withoutOlderPolicy(cluster: MapNode, walk: Walk): MapNode {
  const field = fieldOf(cluster, POLICY);
  if (field === undefined) return cluster;
  const leaf = chosenLeaf(field.value);
  const common = valueAt(cluster, 'common_lb_config');
  const beside = [fieldOf(cluster, SUBSETS), ...POLICY_PARTS.map((name) => fieldOf(common, name))];
  for (const entry of beside.flatMap((one) => one ?? [])) {
    const { kind } = leaf ?? {};
    const place = kind === undefined ? 'none' : placeInPolicy(['common_lb_config', snake(entry.key)], { kind });
    const at =
      typeof place === 'object' && leaf !== undefined ? `, as ${formatPath([POLICY, ...leaf.path, ...place])}` : '';
    const text = `${entry.key} cannot stand beside ${POLICY}: it belongs into the policy there${at}`;
    walk.error('load-balancing-policy', text, keySpan(entry));
  }
  return dropped(
    cluster,
    POLICY_FIELDS.filter((name) => name !== SUBSETS),
  );
}

// --- types ---------------------------------------------------------------------------------------------------------

const DNS_CLUSTER = 'extensions.clusters.dns.v3.DnsCluster';
const DNS_FIELDS = ['dns_refresh_rate', 'dns_failure_refresh_rate', 'respect_dns_ttl', 'dns_lookup_family'];

/** The name of the message that an Any holds, if it is one of the proxy's. */
function messageIn(any: SourceNode | undefined): string | undefined {
  return messageOfUrl(textOf(valueAt(any, '@type')) ?? '')?.name;
}

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
