import { apiOf, type ApiVersion } from '../../config/api/api.js';
import { canonicalName } from '../../config/any.js';
import { formerName, tableName } from '../../config/api/message-names.js';
import { POLICY_PACKAGE } from '../../config/policy-messages.js';
import type { MapNode, MessageInfo, Schema, SourceNode } from '../../config/reader.js';
import { messageOfUrl } from '../../config/reader/any-value.js';
import { flatItems } from '../../config/reader/walk.js';
import { snake } from '../../config/reader/letter-case.js';
import type { MapEntry } from '../../config/source/document.js';
import { own } from '../../core/own.js';
import { LB_NAMESPACE } from '../metadata.js';
import { isAbsent, isMap, itemsOf, listNode, mapNode, nodeOf, textOf, valueAt } from '../../config/source/trees.js';

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
  constructor(
    private readonly version: ApiVersion,
    private readonly labels: ReadonlySet<string>,
  ) {}

  message(node: SourceNode, schema: Schema<unknown>): SourceNode {
    const info = infoOf(schema);
    if (info === undefined || !isMap(node)) return node;
    const entries = node.entries.flatMap((entry): MapEntry[] => {
      if (isAbsent(entry.value)) return [];
      const value = this.at(entry.key, () => this.field(entry, info));
      return value === undefined || saysNothing(entry.key, value) ? [] : [{ ...entry, key: snake(entry.key), value }];
    });
    return { ...node, entries };
  }

  /** @returns undefined where the field is removed. */
  private field({ key, value }: MapEntry, info: MessageInfo): SourceNode | undefined {
    const typed = this.typed(snake(key), value, info);
    if (typed !== undefined) return typed;
    const schema = ownField(info, formerName(snake(key)));
    if (schema === undefined || STAYS.has(snake(key))) {
      this.leave(key, info);
      return undefined;
    }
    if (schema.marks.noEffect !== undefined || schema.marks.unread === true) {
      this.leave(key, info);
      // The reader requires the field.
      if (snake(key) === 'eds_config') return nodeOf(this.version === 'v3' ? ADS_V3 : { ads: {} }, value);
      return isRequired(schema) ? nodeOf('/', value) : undefined;
    }
    if (info.name === 'core.Metadata') return this.metadata(value);
    return this.value(value, schema);
  }

  private value(node: SourceNode, schema: Schema<unknown>): SourceNode | undefined {
    const { form, marks } = schema;
    if (marks.message !== undefined) return this.message(node, schema);
    if (form.kind === 'list') {
      const items = flatItems(node).flatMap((item) => this.value(item, form.item) ?? []);
      return listNode(items, node);
    }
    if ('inner' in form) return this.value(node, form.inner);
    // Labels of subsets: the only kept values of any type.
    if (marks.typeName === 'Struct') return node;
    return form.kind === 'value' && node.kind === 'scalar' ? node : undefined;
  }

  private metadata(filters: SourceNode): SourceNode | undefined {
    if (!isMap(filters)) return undefined;
    const lb = filters.entries.findLast(({ key }) => canonicalName(key) === LB_NAMESPACE);
    if (filters.entries.some((entry) => entry !== lb)) this.left.add('metadata');
    if (lb === undefined || !isMap(lb.value)) return undefined;
    const entries = lb.value.entries.filter(({ key }) => this.labels.has(key));
    if (entries.length < lb.value.entries.length) this.left.add('metadata');
    return entries.length === 0 ? undefined : { ...filters, entries: [{ ...lb, value: { ...lb.value, entries } }] };
  }

  // --- messages of extensions --------------------------------------------------------------------------------------

  /** The fields of a cluster that hold messages of extensions. */
  private typed(field: string, value: SourceNode, { name }: MessageInfo): SourceNode | undefined {
    if (name !== 'Cluster') return undefined;
    if (field === 'load_balancing_policy')
      return this.known(value, 'config.cluster.v3.LoadBalancingPolicy', POLICY_PACKAGE);
    if (field === 'cluster_type') return this.known(value, 'config.cluster.v3.Cluster.CustomClusterType', CLUSTERS);
    if (field !== 'typed_extension_protocol_options' || !isMap(value)) return undefined;
    const entries = value.entries.flatMap((entry): MapEntry[] => {
      if (anyType(entry.value) !== HTTP_OPTIONS || !isMap(entry.value)) return [];
      return [{ ...entry, value: this.only(entry.value, HTTP_FIELDS) }];
    });
    return entries.length === 0 ? undefined : { ...value, entries };
  }

  /** A message by the table of v3: its known fields, and below an Any those of the packages. */
  private known(node: SourceNode, message: string, packages: string): SourceNode | undefined {
    const fields = apiOf('v3').message(message)?.fields ?? [];
    if (!isMap(node)) return undefined;
    const entries = node.entries.flatMap((entry): MapEntry[] => {
      if (entry.key === '@type') return [entry];
      const field = fields.find(({ name }) => name === snake(entry.key));
      const value = this.at(entry.key, (): SourceNode | undefined => {
        if (field === undefined || field.sensitive || isAbsent(entry.value)) return undefined;
        const one = (item: SourceNode): SourceNode | undefined => {
          if (field.type === 'Any') {
            const type = anyType(item);
            return type?.startsWith(packages) === true ? this.known(item, type, packages) : undefined;
          }
          if (field.kind === 'message') return this.known(item, field.type, packages);
          return field.type === 'Struct' || item.kind === 'scalar' ? item : undefined;
        };
        if (field.label !== 'repeated') return one(entry.value);
        const items = flatItems(entry.value).flatMap((item) => one(item) ?? []);
        return listNode(items, entry.value);
      });
      if (value === undefined) this.left.add([...this.path, field?.name ?? '?'].join('.'));
      return value === undefined ? [] : [{ ...entry, key: snake(entry.key), value }];
    });
    return { ...node, entries };
  }

  private only(node: SourceNode, wanted: Wanted): MapNode {
    const entries = !isMap(node)
      ? []
      : node.entries.flatMap((entry): MapEntry[] => {
          if (entry.key === '@type') return [entry];
          const below = own(wanted, snake(entry.key));
          if (below === undefined) this.left.add([...this.path, snake(entry.key)].join('.'));
          if (below === undefined || isAbsent(entry.value)) return [];
          const value = below === true ? entry.value : this.only(entry.value, below);
          return below === true && value.kind !== 'scalar' ? [] : [{ ...entry, key: snake(entry.key), value }];
        });
    return { ...mapNode({}, node), entries };
  }

  // --- what stays behind -------------------------------------------------------------------------------------------

  private leave(key: string, info: MessageInfo): void {
    const table = tableName(info.name, this.version);
    const fields = table === undefined ? [] : (apiOf(this.version).message(table)?.fields ?? []);
    const read = ownField(info, formerName(snake(key)));
    const field = fields.find(({ name }) => name === snake(key));
    const isKnown = read !== undefined || field !== undefined;
    // A name that the API does not have may be anything.
    const path = [...this.path.slice(0, -1), isKnown ? snake(key) : '?'].join('.');
    this.left.add(path);
    const lacking = read?.marks.lacking ?? field?.texts.lacking;
    if (lacking !== undefined) this.lacking.set(path, lacking);
  }

  private at<T>(key: string, read: () => T): T {
    this.path.push(snake(key));
    const value = read();
    this.path.pop();
    return value;
  }
}

/** A scenario has no management server. */
const ADS_V3 = { ads: {}, resource_api_version: 'V3' };

const CLUSTERS = 'extensions.clusters.';
const HTTP_OPTIONS = 'extensions.upstreams.http.v3.HttpProtocolOptions';

interface Wanted {
  readonly [field: string]: Wanted | true;
}

/** Protocol options that affect connections; the protocol itself must be kept. */
const HTTP_FIELDS: Wanted = {
  common_http_protocol_options: { max_requests_per_connection: true, idle_timeout: true },
  explicit_http_config: { http_protocol_options: {}, http2_protocol_options: { max_concurrent_streams: true } },
  use_downstream_protocol_config: {},
  auto_config: {},
};

/** Used for statistics only, and they contain keys and certificates. */
const STAYS: ReadonlySet<string> = new Set(['transport_socket_matches']);

/** Messages that mean nothing when empty; others, as `outlier_detection: {}`, turn something on. */
const HOLLOW: ReadonlySet<string> = new Set([
  ...['circuit_breakers', 'common_lb_config', 'health_check_config', 'locality', 'metadata', 'policy'],
]);

function saysNothing(key: string, value: SourceNode): boolean {
  if (value.kind === 'list') return value.items.length === 0;
  return value.kind === 'map' && value.entries.length === 0 && HOLLOW.has(snake(key));
}

/** Keys of the metadata that balancing reads: those of the cluster's subset selectors, and two of the proxy's own. */
export function subsetLabels(cluster: SourceNode): ReadonlySet<string> {
  const labels = new Set(['canary', 'hash_key']);
  const open: SourceNode[] = [cluster];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'list') open.push(...node.items);
    if (node.kind !== 'map') continue;
    for (const selector of itemsOf(valueAt(node, 'subset_selectors'))) {
      for (const key of itemsOf(valueAt(selector, 'keys'))) labels.add(textOf(key) ?? '');
    }
    for (const { value } of node.entries) if (value.kind !== 'scalar') open.push(value);
  }
  return labels;
}

function anyType(node: SourceNode): string | undefined {
  const url = textOf(valueAt(node, '@type'));
  return url === undefined ? undefined : messageOfUrl(url)?.name;
}

function infoOf(schema: Schema<unknown>): MessageInfo | undefined {
  if (schema.marks.message !== undefined) return schema.marks.message;
  return 'inner' in schema.form ? infoOf(schema.form.inner) : undefined;
}

/** Fields that v3 alone has are read, too, where they are. */
function ownField({ shape, dropped }: MessageInfo, name: string): Schema<unknown> | undefined {
  return own(shape, name) ?? own(dropped, name);
}

function isRequired({ form }: Schema<unknown>): boolean {
  if (form.kind === 'default' || form.kind === 'optional') return false;
  return 'inner' in form ? isRequired(form.inner) : true;
}
