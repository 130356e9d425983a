/**
 * What v3 says of a cluster in messages of extensions, as the fields that the cluster itself has for it: the typed
 * policies of `load_balancing_policy`, the typed `cluster_type`, the protocol options. Values keep their places.
 *
 * Source: docs of config.cluster.v3.Cluster, `load_balancing_policy`: of its policies the first that the proxy knows is
 * taken, and goes before `lb_policy`.
 */
import { messageOfUrl } from './reader/any-value.js';
import type { Walk } from './reader/context.js';
import { camel } from './reader/names.js';
import { keySpan } from './reader/place.js';
import { isNull } from './reader/scalar-value.js';
import type { MapEntry, MapNode, SourceNode } from './source/document.js';

export function rewriteCluster(cluster: MapNode, walk: Walk): MapNode {
  return withProtocols(withClusterType(withPolicy(cluster, walk), walk));
}

// --- policies ------------------------------------------------------------------------------------------------------

const POLICIES = 'extensions.load_balancing_policies.';

/** Policies by their messages: the name, the field that their settings have, and those that every policy may have. */
const BY_MESSAGE: Readonly<Record<string, readonly [policy: string, settings: string | undefined]>> = {
  'round_robin.v3.RoundRobin': ['ROUND_ROBIN', 'round_robin_lb_config'],
  'least_request.v3.LeastRequest': ['LEAST_REQUEST', 'least_request_lb_config'],
  'random.v3.Random': ['RANDOM', undefined],
  'ring_hash.v3.RingHash': ['RING_HASH', 'ring_hash_lb_config'],
  'maglev.v3.Maglev': ['MAGLEV', 'maglev_lb_config'],
  'cluster_provided.v3.ClusterProvided': ['CLUSTER_PROVIDED', undefined],
};

/** Policies that the proxy knows and that are not simulated: a cluster with one of them is refused by name. */
const NOT_SIMULATED: readonly string[] = [
  'client_side_weighted_round_robin',
  'dynamic_modules',
  'load_aware_locality',
  'override_host',
  'random_subsetting',
  'wrr_locality',
];

/** Settings that the field of a policy does not have, since common_lb_config has them. */
const COMMON_SETTINGS = ['locality_lb_config', 'locality_weighted_lb_config', 'consistent_hashing_lb_config'];

/** Parts of common_lb_config that a typed policy has of its own, and the proxy refuses beside it. */
const SUPERSEDED = ['zone_aware_lb_config', 'locality_weighted_lb_config', 'consistent_hashing_lb_config'];

const LEGACY_SETTINGS = [
  'lb_policy',
  'ring_hash_lb_config',
  'maglev_lb_config',
  'least_request_lb_config',
  'round_robin_lb_config',
];

interface Chosen {
  /** Without `envoy.extensions.load_balancing_policies.`. */
  readonly message: string;
  readonly config: MapNode;
}

function withPolicy(cluster: MapNode, walk: Walk): MapNode {
  const field = entryOf(cluster, 'load_balancing_policy');
  if (field === undefined) return cluster;
  const without = dropped(cluster, ['load_balancing_policy', ...LEGACY_SETTINGS]);
  refuseBeside(cluster, walk);
  const chosen = choose(field, walk);
  return chosen === undefined ? without : settled(without, chosen, field, walk);
}

function refuseBeside(cluster: MapNode, walk: Walk): void {
  const subsets = entryOf(cluster, 'lb_subset_config');
  const common = entryOf(cluster, 'common_lb_config');
  const parts = SUPERSEDED.flatMap((name) => (isMap(common?.value) ? (entryOf(common.value, name) ?? []) : []));
  for (const entry of [...(subsets === undefined ? [] : [subsets]), ...parts]) {
    const text = `${entry.key} cannot stand beside load_balancing_policy: it belongs into the policy there`;
    walk.error('load-balancing-policy', text, keySpan(entry));
  }
}

/** The first policy that the proxy knows. */
function choose(field: MapEntry, walk: Walk): Chosen | undefined {
  const list = isMap(field.value) ? entryOf(field.value, 'policies')?.value : undefined;
  const items = list?.kind === 'list' ? list.items : list === undefined ? [] : [list];
  for (const item of items) {
    const config = at(item, ['typed_extension_config', 'typed_config']);
    const type = isMap(config) ? entryOf(config, '@type')?.value : undefined;
    const known = type?.kind === 'scalar' ? messageOfUrl(type.text) : undefined;
    if (!isMap(config) || known?.name.startsWith(POLICIES) !== true) continue;
    const message = known.name.slice(POLICIES.length);
    const folder = message.slice(0, message.indexOf('.'));
    if (BY_MESSAGE[message] !== undefined || message === 'subset.v3.Subset') return { message, config };
    if (NOT_SIMULATED.includes(folder)) {
      walk.error('not-simulated', `the policy ${folder} is not simulated yet`, type ?? config);
      return undefined;
    }
  }
  const text = 'load_balancing_policy names no policy that the proxy knows';
  walk.error('load-balancing-policy', text, keySpan(field));
  return undefined;
}

/** The cluster with the chosen policy's settings in the fields that it has for them. */
function settled(cluster: MapNode, { message, config }: Chosen, field: MapEntry, walk: Walk): MapNode {
  const own = dropped(config, ['@type']);
  if (message === 'subset.v3.Subset') {
    const inner = entryOf(own, 'subset_lb_policy');
    const outer = put(cluster, 'lb_subset_config', dropped(own, ['subset_lb_policy']), field);
    const chosen = inner === undefined ? undefined : choose(inner, walk);
    return chosen === undefined ? outer : settled(outer, chosen, field, walk);
  }
  const [policy, settings] = BY_MESSAGE[message] ?? ['ROUND_ROBIN', undefined];
  const common = entryOf(cluster, 'common_lb_config')?.value;
  let shared: MapNode = isMap(common) ? common : emptyMap(config);
  for (const entry of commonSettings(own)) shared = { ...shared, entries: [...shared.entries, entry] };
  let result = put(cluster, 'lb_policy', word(policy, config), field);
  result = put(result, 'common_lb_config', shared, field);
  const rest = withoutDefaultHash(dropped(own, COMMON_SETTINGS));
  return settings === undefined ? result : put(result, settings, rest, field);
}

/** What a policy says of localities and hashing, as parts of common_lb_config. */
function commonSettings(config: MapNode): readonly MapEntry[] {
  const localities = entryOf(config, 'locality_lb_config')?.value;
  const own = ['locality_weighted_lb_config', 'consistent_hashing_lb_config'].flatMap(
    (name) => entryOf(config, name) ?? [],
  );
  return [...(isMap(localities) ? localities.entries : []), ...own];
}

/** `DEFAULT_HASH` is XX_HASH, which the cluster's own field has for 0. */
function withoutDefaultHash(config: MapNode): MapNode {
  const entry = entryOf(config, 'hash_function');
  const text = entry?.value.kind === 'scalar' ? entry.value.text.toUpperCase() : '';
  return text === 'DEFAULT_HASH' || text === '0' ? dropped(config, ['hash_function']) : config;
}

// --- types ---------------------------------------------------------------------------------------------------------

const DNS_FIELDS = ['dns_refresh_rate', 'dns_failure_refresh_rate', 'respect_dns_ttl', 'dns_lookup_family'];

/** `envoy.cluster.dns`, typed: one logical host or one host an address, with its own settings of DNS. */
function withClusterType(cluster: MapNode, walk: Walk): MapNode {
  const field = entryOf(cluster, 'cluster_type');
  const config = field === undefined ? undefined : at(field.value, ['typed_config']);
  const type = isMap(config) ? entryOf(config, '@type')?.value : undefined;
  if (field === undefined || !isMap(config) || type?.kind !== 'scalar') return cluster;
  if (messageOfUrl(type.text)?.name !== 'extensions.clusters.dns.v3.DnsCluster') return cluster;
  const single = entryOf(config, 'all_addresses_in_single_endpoint')?.value;
  const logical = single?.kind === 'scalar' && single.text === 'true';
  let result = dropped(cluster, ['cluster_type', ...DNS_FIELDS]);
  result = put(result, 'type', word(logical ? 'LOGICAL_DNS' : 'STRICT_DNS', field.value), field);
  for (const name of DNS_FIELDS) {
    const entry = entryOf(config, name);
    if (entry !== undefined) result = { ...result, entries: [...result.entries, entry] };
  }
  const jitter = entryOf(config, 'dns_jitter');
  if (jitter !== undefined)
    walk.report('note', 'no-effect', 'dns_jitter has no effect in the simulation', keySpan(jitter));
  return result;
}

// --- protocols -----------------------------------------------------------------------------------------------------

const HTTP_OPTIONS = 'extensions.upstreams.http.v3.HttpProtocolOptions';

/** HTTP/2 to the hosts, and how many requests a connection serves. */
function withProtocols(cluster: MapNode): MapNode {
  const options = entryOf(cluster, 'typed_extension_protocol_options')?.value;
  if (!isMap(options)) return cluster;
  const http = options.entries.find(({ value }) => {
    const type = isMap(value) ? entryOf(value, '@type')?.value : undefined;
    return type?.kind === 'scalar' && messageOfUrl(type.text)?.name === HTTP_OPTIONS;
  });
  if (http === undefined) return cluster;
  let result = cluster;
  const http2 = ['explicit_http_config', 'use_downstream_protocol_config', 'auto_config'].flatMap((name) => {
    const entry = entryOf(http.value, name);
    return entry === undefined || !isMap(entry.value) ? [] : (entryOf(entry.value, 'http2_protocol_options') ?? []);
  })[0];
  // Where the client's protocol decides, it is HTTP/1 here.
  const chosen = entryOf(http.value, 'explicit_http_config') !== undefined ? http2 : undefined;
  if (chosen !== undefined && entryOf(result, 'http2_protocol_options') === undefined) {
    result = { ...result, entries: [...result.entries, chosen] };
  }
  const most = at(http.value, ['common_http_protocol_options', 'max_requests_per_connection']);
  if (most !== undefined && entryOf(result, 'max_requests_per_connection') === undefined) {
    result = put(result, 'max_requests_per_connection', most, http);
  }
  return result;
}

// --- trees ---------------------------------------------------------------------------------------------------------

function isMap(node: SourceNode | undefined): node is MapNode {
  return node?.kind === 'map';
}

/** The last entry of a name, in either case; null is none. */
function entryOf(node: SourceNode, name: string): MapEntry | undefined {
  if (!isMap(node)) return undefined;
  const entry = node.entries.findLast(({ key }) => key === name || key === camel(name));
  return entry === undefined || isNull(entry.value) ? undefined : entry;
}

function at(node: SourceNode, path: readonly string[]): SourceNode | undefined {
  return path.reduce<SourceNode | undefined>(
    (inner, name) => (inner === undefined ? undefined : entryOf(inner, name)?.value),
    node,
  );
}

function dropped(node: MapNode, names: readonly string[]): MapNode {
  const gone = new Set(names.flatMap((name) => [name, camel(name)]));
  return { ...node, entries: node.entries.filter(({ key }) => !gone.has(key)) };
}

/** The field set to a value, standing where another entry's name does. */
function put(node: MapNode, name: string, value: SourceNode, { keyStart, keyEnd }: MapEntry): MapNode {
  const rest = dropped(node, [name]);
  return { ...rest, entries: [...rest.entries, { key: name, keyStart, keyEnd, value }] };
}

function word(text: string, { start, end }: SourceNode): SourceNode {
  return { kind: 'scalar', text, quoted: true, start, end };
}

function emptyMap({ start, end }: SourceNode): MapNode {
  return { kind: 'map', entries: [], start, end };
}
