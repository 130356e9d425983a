import { canonicalName } from '../../core/proxy-names.js';
import { apiOf, type ApiVersion } from '../../config/api/api.js';
import { formerName } from '../../config/api/message-names.js';
import { PACKAGE as POLICIES } from '../../config/policy/messages.js';
import type { MapNode, MessageInfo, Schema, SourceNode, MapEntry } from '../../config/reader.js';
import { message, messageOfUrl, whereAbsent, flatItems, fieldNames, spellings } from '../../config/reader.js';
import { unwrapped } from '../../config/reader/schema.js';
import { own } from '../../core/values.js';
import { discoveredName } from '../input/gather.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import * as trees from '../../config/source/trees.js';

/**
 * Keeps only what matters to the simulation: fields that the reader uses, and the fields below them. Fields that are only
 * checked, or unknown, are removed by type, whatever they contain: keys, certificates, tokens, headers.
 */
export class Pruner {
  /** Removed fields, by their path from the message; `?`: one that the API does not have. */
  readonly left = new Set<string>();
  /** Of these, what a proxy does with them, and a simulation does not. */
  readonly lacking = new Map<string, string>();
  private readonly path: string[] = [];

  /** @param labels keys of the metadata that balancing reads: others are removed. */
  constructor(private readonly labels: ReadonlySet<string>) {}

  message(node: SourceNode, schema: Schema<unknown>): SourceNode {
    const info = unwrapped(schema).marks.message;
    if (info === undefined || !trees.isMap(node)) return node;
    return this.entries(node, fieldNames(info), (key, value) => {
      const read = ownField(info, key);
      const typed = this.typed(key, value, info);
      if (typed !== undefined) return typed;
      if (read !== undefined && !STAYS.has(key) && read.marks.noEffect === undefined && read.marks.unread !== true)
        return info.name === 'core.Metadata' ? this.metadata(value) : this.value(value, read);
      this.leave(read?.marks.lacking ?? own(info.as('v3').shape, key)?.marks.lacking);
      // The reader requires the field.
      return read !== undefined && whereAbsent(read).absent.kind === 'error' ? trees.nodeOf('/', value) : undefined;
    });
  }

  /** @param keep the value of a known field, or what is left of it; undefined: nothing. */
  private entries(
    node: MapNode,
    known: ReadonlyMap<string, string>,
    keep: (name: string, value: SourceNode) => SourceNode | undefined,
  ): MapNode {
    const entries = node.entries.flatMap((entry): MapEntry[] => {
      if (trees.isAbsent(entry.value)) return [];
      // A name that the API does not have may be anything.
      const key = known.get(entry.key) ?? '?';
      this.path.push(key);
      const value = key === '?' ? this.leave() : keep(key, entry.value);
      this.path.pop();
      return value === undefined || saysNothing(key, value) ? [] : [{ ...entry, key, value }];
    });
    return { ...node, entries };
  }

  private value(node: SourceNode, schema: Schema<unknown>): SourceNode | undefined {
    const { form, marks } = schema;
    if (marks.message !== undefined) return this.message(node, schema);
    if (form.kind === 'list') {
      const items = flatItems(node).flatMap((item) => this.value(item, form.item) ?? []);
      return trees.listNode(items, node);
    }
    if ('inner' in form) return this.value(node, form.inner);
    // Labels of subsets: the only kept values of any type.
    if (marks.typeName === 'Struct') return node;
    return form.kind === 'value' && node.kind === 'scalar' ? node : undefined;
  }

  private metadata(filters: SourceNode): SourceNode | undefined {
    if (!trees.isMap(filters)) return undefined;
    const lb = filters.entries.findLast(({ key }) => canonicalName(key) === LB_NAMESPACE);
    if (filters.entries.some((entry) => entry !== lb)) this.left.add('metadata');
    if (lb === undefined || !trees.isMap(lb.value)) return undefined;
    const entries = lb.value.entries.filter(({ key }) => this.labels.has(key));
    if (entries.length < lb.value.entries.length) this.left.add('metadata');
    return entries.length === 0 ? undefined : { ...filters, entries: [{ ...lb, value: { ...lb.value, entries } }] };
  }

  private typed(field: string, value: SourceNode, { name }: MessageInfo): SourceNode | undefined {
    if (name !== 'Cluster') return undefined;
    if (field === 'load_balancing_policy')
      return this.known(value, 'config.cluster.v3.LoadBalancingPolicy', `${POLICIES}.`);
    if (field === 'cluster_type') return this.known(value, 'config.cluster.v3.Cluster.CustomClusterType', CLUSTERS);
    if (field !== 'typed_extension_protocol_options' || !trees.isMap(value)) return undefined;
    const entries = value.entries.flatMap((entry): MapEntry[] => {
      const type = trees.fieldOf(entry.value, '@type');
      if (anyType(entry.value) !== HTTP_OPTIONS || !trees.isMap(entry.value) || type === undefined) return [];
      const kept = this.message(trees.dropped(entry.value, ['@type']), HttpOptions);
      return trees.isMap(kept) ? [{ ...entry, value: { ...kept, entries: [type, ...kept.entries] } }] : [];
    });
    return entries.length === 0 ? undefined : { ...value, entries };
  }

  /** A message by the table of v3: known fields, and below an Any those of the packages. */
  private known(node: SourceNode, message: string, packages: string): SourceNode {
    const table = apiOf('v3').message(message)?.fields ?? [];
    const fields = new Map(table.map((field) => [field.name, field]));
    if (!trees.isMap(node)) return node;
    return this.entries(node, spellings(['@type', ...fields.keys()]), (key, value) => {
      const field = fields.get(key);
      if (field === undefined) return value;
      const one = (item: SourceNode): SourceNode | undefined => {
        if (field.type === 'Any') {
          const type = anyType(item);
          return type?.startsWith(packages) === true ? this.known(item, type, packages) : this.leave();
        }
        if (field.kind === 'message') return trees.isMap(item) ? this.known(item, field.type, packages) : undefined;
        return field.type === 'Struct' || item.kind === 'scalar' ? item : undefined;
      };
      if (field.sensitive) return this.leave();
      if (field.label !== 'repeated') return one(value);
      const items = flatItems(value).flatMap((item) => one(item) ?? []);
      return trees.listNode(items, value);
    });
  }

  /** The field at the path is removed. @param lacking what a proxy does with it, and a simulation does not. */
  private leave(lacking?: string): SourceNode | undefined {
    const path = this.path.join('.');
    this.left.add(path);
    if (lacking !== undefined) this.lacking.set(path, lacking);
    return undefined;
  }
}

/**
 * The cluster with a source of its assignments where it needs one: a scenario has no management server. From a running
 * proxy an EDS cluster without one is read, and so is one of another type that has one.
 */
export function withSource(cluster: MapNode, version: ApiVersion): MapNode {
  const config = trees.fieldOf(cluster, 'eds_cluster_config');
  if (discoveredName(cluster) === undefined) return trees.dropped(cluster, ['eds_cluster_config']);
  const source = trees.nodeOf(version === 'v3' ? { ads: {}, resource_api_version: 'V3' } : { ads: {} }, cluster);
  const own = trees.isMap(config?.value) ? config.value : trees.mapNode({}, cluster);
  return trees.withField(cluster, 'eds_cluster_config', trees.withField(own, 'eds_config', source, cluster), cluster);
}

const CLUSTERS = 'extensions.clusters.';
const HTTP_OPTIONS = 'extensions.upstreams.http.v3.HttpProtocolOptions';
const HttpOptions = message(HTTP_OPTIONS);

/** Used for statistics only, and they contain keys and certificates. */
const STAYS: ReadonlySet<string> = new Set(['transport_socket_matches']);

/** Messages that mean nothing when empty; others, as `outlier_detection: {}`, turn something on. */
const HOLLOW: ReadonlySet<string> = new Set([
  ...['circuit_breakers', 'common_lb_config', 'health_check_config', 'locality', 'metadata', 'policy'],
]);

function saysNothing(key: string, value: SourceNode): boolean {
  if (value.kind === 'list') return value.items.length === 0;
  return value.kind === 'map' && value.entries.length === 0 && HOLLOW.has(key);
}

/** Keys of the metadata that balancing reads: those of the cluster's subset selectors, and two of the proxy's own. */
export function subsetLabels(cluster: SourceNode): ReadonlySet<string> {
  const labels = new Set(['canary', 'hash_key']);
  const open: SourceNode[] = [cluster];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const selector of trees.itemsOf(trees.valueAt(node, 'subset_selectors')))
      for (const key of trees.itemsOf(trees.valueAt(selector, 'keys'))) labels.add(trees.textOf(key) ?? '');
    open.push(...trees.partsOf(node));
  }
  return labels;
}

function anyType(node: SourceNode): string | undefined {
  const url = trees.textOf(trees.valueAt(node, '@type'));
  return url === undefined ? undefined : messageOfUrl(url)?.name;
}

/** Fields that v3 alone has are read, too, where they are. */
function ownField({ shape, as }: MessageInfo, name: string): Schema<unknown> | undefined {
  const known = own(shape, formerName(name));
  const later = known === undefined ? own(as('v3').shape, name) : undefined;
  return later?.marks.unread === true ? undefined : (known ?? later);
}
