import { canonicalName } from '../../core/proxy-names.js';
import { typeOfUrl } from '../../config/reader/any-value.js';
import {
  check,
  checkValue,
  type MapNode,
  type Path,
  type Schema,
  type SourceDocument,
  type SourceNode,
} from '../../config/reader.js';
import { problemIn } from '../../config/reader/context.js';
import { asksNothing, notSimulated } from '../../config/reader/fields.js';
import { keySpan } from '../../config/reader/spans.js';
import type { MapEntry } from '../../config/source/document.js';
import { RouteAction, RouteConfiguration } from '../../config/route/route.js';
import type { Problem } from '../../core/problem.js';
import { apiSchema, plainSchema } from '../../config/reader/api-schema.js';
import { fieldNames } from '../../config/reader/message.js';
import { own, type JsonValue, type Struct } from '../../core/values.js';
import { yamlValue } from '../../config/reader/error-words.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import type { MirrorPolicy, RequestSpec, RetryPolicy, RouteCluster } from '../../settings/world.js';
import { parseDuration } from '../fields/units.js';
import {
  isAbsent,
  isMap,
  itemsOf,
  listNode,
  mapNode,
  nodeOf,
  picked,
  textOf,
  valueAt,
  withField,
} from '../../config/source/trees.js';
import { USUAL_TRAFFIC } from '../assemble/generated/usual-traffic.js';
import { MirrorPolicySchema, RetryPolicyBlock } from '../fields/retry-policy.js';
import { FORMS } from './generated/forms.js';
import type { Resource, Resources } from './resources.js';

/** The part of a route that acts here: its clusters, whether requests have a hash, how long they wait, how they are retried. */
export interface FileRoute {
  readonly name: string;
  readonly clusters: readonly RouteCluster[];
  /** As the file has them, where some are left out of `clusters`. */
  readonly written?: readonly RouteCluster[];
  /** Metadata criteria for all of its clusters. */
  readonly metadataMatch: Struct | undefined;
  /** Its hash policies in words: `cookie sid (ttl 60s, terminal true)`; empty: requests have no hash. */
  readonly hashPolicy: readonly string[];
  /** What its hash policy makes one hash of, where that is several things: `header x-user`. */
  readonly hashedTogether: readonly string[];
  /** What its hash policy rewrites before it hashes it: `header x-user`. */
  readonly rewritten: readonly string[];
  /** What it asks of every request; what it does not say is absent. */
  readonly request: Partial<RouteRequest>;
  /** Its fields that a proxy acts on and a simulation does not, as the API's own words say. */
  readonly lacking: readonly string[];
}

/** What a route asks of its requests. */
export type RouteRequest = Omit<RequestSpec, 'headers' | 'hashPolicy' | 'headerName'>;

/** What sends requests or connections to clusters by name: route configurations, also those in listeners, and TCP proxies. */
export const routesOf = (documents: readonly Resources[]): readonly FileRoute[] => [
  ...[...configurationsOf(documents)].flatMap(({ node }) => routesIn(node)),
  ...tcpProxiesOf(documents).map(({ route }) => route),
];

export function* configurationsOf(documents: readonly Resources[]): Iterable<Resource> {
  for (const document of documents) {
    for (const { node, path } of listenersOf(document))
      for (const { config } of filtersOf(node)) {
        const own = valueAt(config, 'route_config');
        if (own !== undefined) yield { node: own, path: [...path, 'route_config'] };
      }
    yield* document.routes;
  }
}

const listenersOf = ({ bootstraps, listeners }: Resources): readonly Resource[] => [
  ...bootstraps.flatMap(({ node, path }) =>
    itemsOf(valueAt(node, 'static_resources', 'listeners')).map((listener, index) => ({
      node: listener,
      path: [...path, 'static_resources', 'listeners', index],
    })),
  ),
  ...listeners,
];

/** The network filters of a listener, and the name of their chain, or else of the listener. */
function filtersOf(listener: SourceNode) {
  const chains = [...itemsOf(valueAt(listener, 'filter_chains')), valueAt(listener, 'default_filter_chain')];
  return chains.flatMap((chain) =>
    itemsOf(valueAt(chain, 'filters')).map((filter) => {
      const config = valueAt(filter, 'typed_config') ?? valueAt(filter, 'config');
      const type = textOf(valueAt(config, '@type')) ?? textOf(valueAt(filter, 'name')) ?? '';
      return { config, type, name: textOf(valueAt(chain, 'name')) ?? textOf(valueAt(listener, 'name')) };
    }),
  );
}

const TcpProxy = plainSchema('config.filter.network.tcp_proxy.v2.TcpProxy');

/** Each filter chain with a TCP proxy is a way of connections: what leads clients to one of them is not simulated. */
const tcpProxiesOf = (documents: readonly Resources[]) =>
  documents.flatMap(listenersOf).flatMap(({ node, path }) =>
    filtersOf(node).flatMap(({ config, type, name = 'tcp' }) => {
      const balanced = /\btcp_proxy\b/.test(type) ? balancedBy(config) : undefined;
      if (config === undefined || balanced === undefined) return [];
      const attempts = valueAt(config, 'max_connect_attempts');
      const longest = parseDuration(textOf(valueAt(config, 'max_downstream_connection_duration')) ?? '0s');
      const request: FileRoute['request'] = {
        tcp: {
          lifetime: { kind: 'constant', value: USUAL_TRAFFIC.connection_us },
          maxConnectAttempts: Number(textOf(valueAt(attempts, 'value') ?? attempts)) || 1,
        },
        timeoutUs: longest.ok ? longest.value : 0,
      };
      return { config, path, route: { ...balanced, name, request, lacking: namesOf(lackingIn(config, TcpProxy)) } };
    }),
  );

const routesIn = (configuration: SourceNode): readonly FileRoute[] =>
  itemsOf(valueAt(configuration, 'virtual_hosts')).flatMap((host) =>
    itemsOf(valueAt(host, 'routes')).flatMap((route, index) => {
      const action = valueAt(route, 'route');
      const balanced = balancedBy(action);
      if (action === undefined || balanced === undefined) return [];
      return {
        ...balanced,
        name: textOf(valueAt(route, 'name')) ?? `${textOf(valueAt(host, 'name')) ?? 'route'}-${index + 1}`,
        request: requestOf(action, host, configuration),
        lacking: lackingOf(action, host),
      };
    }),
  );

/** Its clusters and what it asks of them; undefined: it leads to none that is known. */
function balancedBy(action: SourceNode | undefined): Omit<FileRoute, 'name' | 'request' | 'lacking'> | undefined {
  const clusters = clustersOf(action);
  const policies = itemsOf(valueAt(action, 'hash_policy'));
  const rewriting = policies.filter((policy) => valueAt(policy, 'header', 'regex_rewrite') !== undefined);
  if (clusters.length === 0) return undefined;
  return {
    clusters,
    metadataMatch: metadataOf(action),
    hashPolicy: policies.map(hashWords),
    hashedTogether: hashedTogether(policies),
    rewritten: rewriting.map(hashedThing),
  };
}

/** A policy that found something to hash is the last one where it is terminal; else the next one's hash is added to it. */
function hashedTogether(policies: readonly SourceNode[]): readonly string[] {
  const terminal = policies.findIndex((policy) => textOf(valueAt(policy, 'terminal')) === 'true');
  const added = terminal < 0 ? policies : policies.slice(0, terminal + 1);
  const things = added.map(hashedThing);
  return new Set(things).size < 2 ? [] : things;
}

function hashedThing(policy: SourceNode): string {
  const named = FORMS.hashed.flatMap(([field, name, word]) => {
    const text = textOf(valueAt(policy, field, name));
    return text === undefined ? [] : [`${word} ${text}`];
  });
  return named[0] ?? 'the address of the client';
}

function hashWords(policy: SourceNode): string {
  const settings = FORMS.hashSettings.flatMap((path) => {
    const text = textOf(valueAt(policy, ...path));
    return text === undefined ? [] : [`${path.at(-1) ?? ''} ${text}`];
  });
  return `${hashedThing(policy)}${settings.length === 0 ? '' : ` (${settings.join(', ')})`}`;
}

function requestOf(action: SourceNode, host: SourceNode, configuration: SourceNode): FileRoute['request'] {
  const timeout = parseDuration(textOf(valueAt(action, 'timeout')) ?? '');
  const retryPolicy = retriesOf(action, host);
  const weighted = valueAt(action, 'weighted_clusters');
  const runtimeKeyPrefix = textOf(valueAt(weighted, 'runtime_key_prefix')) ?? '';
  const hedges = textOf(valueAt(outermost('hedge_policy', action, host), 'hedge_on_per_try_timeout')) === 'true';
  const requestMirrorPolicies = mirrorsOf(action, host, configuration);
  return {
    ...(textOf(valueAt(weighted, 'use_hash_policy')) === 'true' && { useHashPolicy: true }),
    ...(runtimeKeyPrefix !== '' && { runtimeKeyPrefix }),
    ...(hedges && { hedgePolicy: { hedgeOnPerTryTimeout: true } }),
    ...(requestMirrorPolicies.length > 0 && { requestMirrorPolicies }),
    ...(timeout.ok && { timeoutUs: timeout.value }),
    ...(HIGH.has(textOf(valueAt(action, 'priority')) ?? '') && { priority: 'HIGH' }),
    ...(retryPolicy && { retryPolicy }),
  };
}

const HIGH: ReadonlySet<string> = new Set(['HIGH', '1']);

function lackingOf(action: SourceNode, host: SourceNode): readonly string[] {
  const retries = outermost('retry_policy', action, host);
  const schema = apiSchema('config.route.v3.RetryPolicy', 'v3');
  return namesOf([
    ...lackingIn(action, RouteAction),
    ...(retries === undefined || schema === undefined ? [] : lackingIn(retries, schema, ['retry_policy'])),
  ]);
}

const namesOf = (fields: Iterable<LackingField>): readonly string[] => [
  ...new Set([...fields].map(({ path }) => path.filter((step) => typeof step === 'string').join('.'))),
];

const outermost = (name: string, ...messages: readonly SourceNode[]): SourceNode | undefined =>
  messages.map((message) => valueAt(message, name)).find((value) => value !== undefined);

/** Of the route, its virtual host or the configuration. */
function mirrorsOf(...messages: readonly SourceNode[]): readonly MirrorPolicy[] {
  const policies = outermost('request_mirror_policies', ...messages);
  const former = outermost('request_mirror_policy', ...messages);
  return [...itemsOf(policies), ...(former === undefined ? [] : [former])].flatMap(
    (policy) => checkValue(MirrorPolicySchema, policy, 'proxy', 'v3').value ?? [],
  );
}

/** A field that a proxy acts on and a simulation does not. */
interface LackingField {
  /** From the message that was searched. */
  readonly path: Path;
  readonly entry: MapEntry;
  readonly name: string;
  readonly lacking: string;
}

/** Such fields of a message, and of those in it. */
function* lackingIn(node: SourceNode, { form, marks }: Schema<unknown>, path: Path = []): Iterable<LackingField> {
  const { message } = marks;
  if ('inner' in form) yield* lackingIn(node, form.inner, path);
  else if (form.kind === 'list')
    for (const [index, item] of itemsOf(node).entries()) yield* lackingIn(item, form.item, [...path, index]);
  if (message === undefined || !isMap(node)) return;
  const names = fieldNames(message);
  for (const entry of node.entries) {
    const { key, value } = entry;
    const name = names.get(key);
    const schema = name === undefined ? undefined : (own(message.as('v3').shape, name) ?? own(message.shape, name));
    if (name === undefined || schema === undefined || isAbsent(value) || asksNothing(value, schema)) continue;
    const { lacking } = schema.marks;
    if (lacking !== undefined) yield { path: [...path, name], entry, name, lacking };
    else yield* lackingIn(value, schema, [...path, name]);
  }
}

/** What validation says of what is only followed, and not read: each remark once, and what no proxy can parse. */
export function unfollowedProblems(resources: readonly Resources[], document: SourceDocument): readonly Problem[] {
  const found = new Map<string, Problem>();
  const messages = [
    ...[...configurationsOf(resources)].map((one) => ({ ...one, schema: RouteConfiguration })),
    ...tcpProxiesOf(resources).map(({ config, path }) => ({ node: config, path, schema: TcpProxy })),
  ];
  for (const { node, path: at, schema } of messages) {
    const { problems } = check<Schema<unknown>>(schema, document, { vocabulary: 'proxy', node, path: at });
    for (const problem of problems) if (problem.rule === 'one-of') found.set(problem.path, problem);
    for (const { path, entry, name, lacking } of lackingIn(node, schema)) {
      const message = notSimulated(name, lacking);
      if (found.has(message)) continue;
      found.set(message, problemIn(document, keySpan(entry), [...at, ...path], 'warning', 'not-simulated', message));
    }
  }
  return [...found.values()];
}

/** None where a header or a plugin names the cluster. */
function clustersOf(action: SourceNode | undefined): FileRoute['clusters'] {
  const single = textOf(valueAt(action, 'cluster'));
  if (single !== undefined) return [{ cluster: single, weight: 1, metadataMatch: undefined }];
  const entries = itemsOf(valueAt(action, 'weighted_clusters', 'clusters'));
  const clusters = entries.flatMap((entry) => {
    const cluster = textOf(valueAt(entry, 'name'));
    const weight = Number(textOf(valueAt(entry, 'weight')) ?? 0);
    const isSound = cluster !== undefined && Number.isInteger(weight) && weight >= 0;
    return isSound ? [{ cluster, weight, metadataMatch: metadataOf(entry) }] : [];
  });
  return clusters.some(({ weight }) => weight > 0) ? clusters : [];
}

function metadataOf(node: SourceNode | undefined): Struct | undefined {
  const filters = valueAt(node, 'metadata_match', 'filter_metadata');
  if (!isMap(filters)) return undefined;
  const entry = filters.entries.findLast(({ key }) => canonicalName(key) === LB_NAMESPACE);
  return isMap(entry?.value) ? (jsonOf(entry.value) as Struct) : undefined;
}

export function jsonOf(node: SourceNode): JsonValue {
  if (node.kind === 'scalar') return yamlValue(node);
  if (node.kind === 'list') return node.items.map(jsonOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, jsonOf(value)]));
}

/**
 * The proxy's RetryPolicy of a route, in either API and name case, as the `retry_policy` of a scenario. Fields that a
 * scenario does not have are left out.
 * @param host the virtual host, whose policy applies where the route has none.
 * @returns undefined: neither retries nor a time for each try, or a policy that cannot be read.
 */
function retriesOf(action: SourceNode, host: SourceNode): RetryPolicy | undefined {
  const policy = outermost('retry_policy', action, host);
  const acts = ['retry_on', 'per_try_timeout'].some((name) => textOf(valueAt(policy, name)) !== undefined);
  if (!isMap(policy) || !acts) return undefined;
  return checkValue(RetryPolicyBlock, inOurWords(policy), 'scenario').value;
}

const same = (value: SourceNode): SourceNode => value;

/** Fields with the same meaning in both, and how values are converted. */
const FIELDS: Readonly<Record<string, (value: SourceNode) => SourceNode | undefined>> = {
  retry_on: same,
  num_retries: (value) => valueAt(value, 'value') ?? value,
  per_try_timeout: same,
  host_selection_retry_max_attempts: same,
  retry_host_predicate: (value) => mapped(value, (item) => named(item, 'proxy.retry_host_predicates.')),
  retry_priority: (value) => named(value, 'proxy.retry_priorities.'),
  retriable_status_codes: same,
  retry_back_off: (value) => only(value, 'base_interval', 'max_interval'),
  rate_limited_retry_back_off: inSeconds,
};

function inOurWords(policy: MapNode): MapNode {
  const own = only(policy, ...Object.keys(FIELDS));
  const entries = own.entries.flatMap((entry) => {
    const value = FIELDS[entry.key]?.(entry.value);
    return value === undefined ? [] : [{ ...entry, value }];
  });
  return { ...own, entries };
}

const mapped = (list: SourceNode, change: (item: SourceNode) => SourceNode | undefined): SourceNode =>
  list.kind === 'list' ? { ...list, items: itemsOf(list).flatMap((item) => change(item) ?? []) } : list;

const only = (value: SourceNode, ...names: readonly string[]): MapNode => mapNode(picked(value, ...names), value);

/** An extension of v3 is named by its type: `…retry.host.previous_hosts.v3.PreviousHostsPredicate`. */
function named(extension: SourceNode, prefix: string): SourceNode {
  const own = only(extension, 'name', 'config', 'typed_config');
  const type = typeOfUrl(textOf(valueAt(own, 'typed_config', '@type') ?? valueAt(own, 'config', '@type')) ?? '');
  const name = /\.(\w+)\.v\d\w*\.\w+$/.exec(type)?.[1];
  return name === undefined ? own : withField(own, 'name', nodeOf(`${prefix}${name}`, extension), extension);
}

/** Headers with a date need a calendar, which a simulation does not have. */
function inSeconds(value: SourceNode): SourceNode | undefined {
  const headers = itemsOf(valueAt(value, 'reset_headers'));
  const counted = headers.filter((header) => /^(?:SECONDS|0)$/i.test(textOf(valueAt(header, 'format')) ?? '0'));
  if (counted.length === 0) return undefined;
  const items = counted.map((header) => nodeOf({ name: textOf(valueAt(header, 'name')) ?? '' }, header));
  return withField(only(value, 'max_interval'), 'reset_headers', listNode(items, value), value);
}
