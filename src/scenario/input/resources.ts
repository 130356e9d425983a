import type { MapNode, Path, SourceDocument, SourceNode } from '../../config/reader.js';
import { messageOfUrl, typeOfUrl, didYouMean, problemIn, spellings } from '../../config/reader.js';
import type { Problem } from '../../core/problem.js';
import { isBootstrap } from '../../config/validate.js';
import { apiOf } from '../../config/api/api.js';
import { fieldOf, hasField, isAbsent, isMap, itemsOf, textOf, valueAt } from '../../config/source/trees.js';
import { own } from '../../core/values.js';
import { FORMS } from './generated/forms.js';

/**
 * The resources in a document of the proxy, in any form: a bootstrap, bare resources, lists of them, a DiscoveryResponse, a
 * page of the admin interface, alone or wrapped by a tool.
 */
export interface Resources extends Readonly<Record<Kind, readonly Resource[]>> {
  /** What the document is, in words. */
  readonly form: string;
  /** It is the current state of a running proxy. */
  readonly live: boolean;
}

export interface Resource {
  readonly node: SourceNode;
  /** From the root of its document. */
  readonly path: Path;
}

/** Kinds of resources; one alone, in words. */
const FORM_OF_KIND = FORMS.kinds;

type Kind = keyof typeof FORM_OF_KIND;

/** @returns undefined if the document has no resources. */
export function resourcesOf(root: SourceNode): Resources | undefined {
  const collector = new Collector();
  const form = collector.document(root, []);
  return form === undefined ? undefined : { form, live: collector.live, ...collector.found };
}

/** Where a resource is in the node around it. */
type Place = readonly [kind: Kind, steps: readonly string[]];

const KIND_OF_TYPE: Readonly<Record<string, Kind>> = FORMS.kindOfType;
const SECTIONS: Readonly<Record<string, readonly Place[]>> = FORMS.sections;
const ITEMS: Readonly<Record<string, Place>> = FORMS.items;
const SNAPSHOT: Readonly<Partial<Record<string, Kind>>> = FORMS.snapshot;

/** How deep a tool's own keys may lie around a dump: `{"xds": {"namespace/name": {"configs": […]}}}`. */
const MAX_WRAPPING = 4;

class Collector {
  readonly found = Object.fromEntries(Object.keys(FORM_OF_KIND).map((kind) => [kind, []])) as unknown as Record<
    Kind,
    Resource[]
  >;
  live = false;

  /** @returns what it is, in words; undefined: nothing known. */
  document(node: SourceNode, path: Path, wrapped = 0): string | undefined {
    if (node.kind === 'list') return this.list(node, path);
    // Tools write a part like this where there is nothing of a kind.
    if (wrapped === 0 && (isAbsent(node) || (isMap(node) && node.entries.length === 0))) return 'an empty document';
    if (!isMap(node)) return undefined;
    const has = (name: string): boolean => hasField(node, name);
    if (has('configs')) return this.dump(node, path);
    if (has('cluster_statuses')) {
      this.live = true;
      this.section([['statuses', ['cluster_statuses', '*']]], node, path);
      return 'a page of /clusters';
    }
    if (valueAt(node, 'resources')?.kind === 'list' || isEmptyResponse(node)) return this.response(node, path);
    const isClient = (one: SourceNode): boolean =>
      isMap(one) && (hasField(one, 'generic_xds_configs') || hasField(one, 'xds_config'));
    if (has('config') && itemsOf(valueAt(node, 'config')).some(isClient)) return this.clients(node, path);
    if (isMap(node) && isSnapshot(node)) return this.snapshot(node, path);
    const type = typeName(node);
    const section = type === undefined ? undefined : own(SECTIONS, type);
    if (section !== undefined || (has('bootstrap') && node.entries.length <= 3)) {
      this.live = true;
      this.section(section ?? SECTIONS['BootstrapConfigDump'] ?? [], node, path);
      return 'a section of a config_dump';
    }
    const kind = kindOf(node) ?? (isBootstrap(node) ? 'bootstraps' : undefined);
    if (kind !== undefined) return this.add(kind, node, path);
    return wrapped < MAX_WRAPPING ? this.wrapped(node, path, wrapped) : undefined;
  }

  private add(kind: Kind, node: SourceNode, path: Path): string {
    this.found[kind].push({ node, path });
    return FORM_OF_KIND[kind];
  }

  private list(node: SourceNode, path: Path): string | undefined {
    const items = itemsOf(node);
    const kinds = items.map((item) => (isMap(item) ? kindOf(item) : undefined));
    // Tools write an empty list where there is nothing of a kind.
    if (items.length === 0) return 'an empty list';
    if (items.every((item) => dumpedIn(item).length > 0)) {
      this.live = true;
      for (const [index, item] of items.entries()) this.section(dumpedIn(item), item, [...path, index]);
      return 'entries of a config_dump';
    }
    if (items.some((item) => isMap(item) && Object.hasOwn(SECTIONS, typeName(item) ?? '')))
      return this.sections([...items.entries()], path);
    const first = kinds.find((kind) => kind !== undefined);
    if (first === undefined) return undefined;
    // A misspelt item counts as the kind of the others: its reader reports what is wrong.
    for (const [index, item] of items.entries()) this.add(kinds[index] ?? first, item, [...path, index]);
    const alike = kinds.every((kind) => kind === undefined || kind === first) && first !== 'others';
    return alike ? `a list of ${first}` : 'a list of resources';
  }

  /** The status of clients from a control plane (ClientStatusResponse), or from a client itself. */
  private clients(node: SourceNode, path: Path): string {
    this.live = true;
    for (const client of follow({ node, path }, ['config', '*'])) {
      for (const { node: resource, path: where } of follow(client, ['generic_xds_configs', '*', 'xds_config'])) {
        const kind = isMap(resource) ? kindOf(resource) : undefined;
        if (kind !== undefined) this.add(kind, resource, where);
      }
      for (const { node: config, path: where } of follow(client, ['xds_config', '*'])) {
        for (const [name, type] of Object.entries(FORMS.clientSections)) {
          const part = fieldOf(config, name);
          if (part !== undefined) this.section(SECTIONS[type] ?? [], part.value, [...where, part.key]);
        }
      }
    }
    return 'the status of xDS clients';
  }

  /** A DiscoveryResponse, or a file of resources; each item a resource, or one with its name and version around it. */
  private response(node: SourceNode, path: Path): string | undefined {
    const field = fieldOf(node, 'resources');
    const items = itemsOf(field?.value);
    const common = typeOfUrl(textOf(valueAt(node, 'type_url')) ?? '');
    let known = common !== '';
    for (const [index, item] of items.entries()) {
      const inner = isMap(item) && typeName(item) === undefined ? fieldOf(item, 'resource') : undefined;
      const at = [...path, field?.key ?? 'resources', index, ...(inner === undefined ? [] : [inner.key])];
      const resource = inner?.value ?? item;
      const kind = isMap(resource) ? (own(KIND_OF_TYPE, lastPart(common)) ?? kindOf(resource)) : undefined;
      const type = textOf(valueAt(resource, '@type'));
      if (kind === undefined && type !== undefined && messageOfUrl(type) === undefined)
        this.add('unknown', resource, at);
      if (kind !== undefined) this.add(kind, resource, at);
      known = known || kind !== undefined;
    }
    // Others have resources, too.
    if (!known && items.some((node) => isMap(node) && node.entries.some(({ key }) => key !== 'name'))) return undefined;
    this.live = true;
    return 'a DiscoveryResponse';
  }

  private dump(node: SourceNode, path: Path): string {
    const field = fieldOf(node, 'configs');
    // Before 1.8 it was a map.
    const items = isMap(field?.value)
      ? field.value.entries.map(({ key, value }) => [key, value] as const)
      : [...itemsOf(field?.value).entries()];
    return this.sections(items, [...path, field?.key ?? 'configs']);
  }

  private sections(items: readonly (readonly [string | number, SourceNode])[], path: Path): string {
    this.live = true;
    for (const [step, node] of items) {
      if (!isMap(node)) continue;
      const at = [...path, step];
      const type = typeName(node) ?? '';
      const item = own(ITEMS, type);
      const section = own(SECTIONS, type) ?? (item && [item]);
      const kind = own(KIND_OF_TYPE, type);
      if (section !== undefined) this.section(section, node, at);
      else if (kind !== undefined) this.add(kind, node, at);
    }
    return 'a config_dump';
  }

  /** A control plane's snapshot for a proxy: resources by kind. */
  private snapshot(node: MapNode, path: Path): string {
    for (const { key, value } of node.entries) {
      const kind = own(SNAPSHOT, key);
      if (kind !== undefined)
        for (const [index, item] of itemsOf(value).entries()) this.add(kind, item, [...path, key, index]);
    }
    return 'the resources of a control plane';
  }

  private section(places: readonly Place[], node: SourceNode, path: Path): void {
    for (const [kind, steps] of places)
      for (const resource of follow({ node, path }, steps)) this.add(kind, resource.node, resource.path);
  }

  /** Wrappers of tools: each value may be a document, as of each of several proxies. */
  private wrapped(node: SourceNode & { readonly kind: 'map' }, path: Path, depth: number): string | undefined {
    let form: string | undefined;
    for (const { key, value } of node.entries) {
      if (value.kind === 'scalar' || (value.kind === 'list' && value.items.length === 0)) continue;
      const found = this.document(value, [...path, key], depth + 1);
      form ??= found;
    }
    return form;
  }
}

/** Each type that no API has, beside resources that are read. */
export function unknownTypeProblems(resources: readonly Resources[], document: SourceDocument): readonly Problem[] {
  const found = new Map<string, Problem>();
  const known = Object.keys(KIND_OF_TYPE);
  for (const { node, path } of resources.flatMap(({ unknown }) => unknown)) {
    const field = fieldOf(node, '@type');
    const type = textOf(field?.value) ?? '';
    if (field === undefined || found.has(type)) continue;
    const near = didYouMean(lastPart(typeOfUrl(type)), known);
    const text = `"@type" ${type} is no message of the proxy${near}: this resource is passed over; known are ${known.join(', ')}`;
    found.set(type, problemIn(document, field.value, [...path, '@type'], 'warning', 'any-type', text));
  }
  return [...found.values()];
}

/** Only lists of resources by kind: a scenario has `clusters` too, but its `endpoints` are a map. */
export function isSnapshot(root: SourceNode): boolean {
  if (!isMap(root) || !hasField(root, 'clusters')) return false;
  if (!root.entries.every(({ key, value }) => Object.hasOwn(SNAPSHOT, key) && value.kind === 'list')) return false;
  const assigned = itemsOf(valueAt(root, 'endpoints'));
  return (
    hasField(root, 'listeners') || hasField(root, 'routes') || assigned.some((item) => fieldOf(item, 'cluster_name'))
  );
}

/** An answer without resources: the JSON of protobuf leaves an empty list out. */
function isEmptyResponse(node: MapNode): boolean {
  // First, as the page has the tables of v3 only where they are asked for.
  if (!FORMS.telling.responses.some((name) => hasField(node, name))) return false;
  const fields = apiOf('v3').message('service.discovery.v3.DiscoveryResponse')?.fields ?? [];
  const known = spellings(fields.map(({ name }) => name));
  return node.entries.every(({ key }) => known.has(key));
}

/** Where an entry of a dump has its resource; empty: it is no such entry. */
function dumpedIn(item: SourceNode): readonly Place[] {
  const holdsMap = ([, steps]: Place): boolean =>
    [...follow({ node: item, path: [] }, steps)].some(({ node }) => isMap(node));
  return Object.values(ITEMS).filter(holdsMap).slice(0, 1);
}

function* follow({ node, path }: Resource, [step, ...rest]: readonly string[]): Iterable<Resource> {
  if (step === undefined) {
    yield { node, path };
    return;
  }
  if (step === '*') {
    for (const [index, item] of itemsOf(node).entries()) yield* follow({ node: item, path: [...path, index] }, rest);
    return;
  }
  const field = fieldOf(node, step);
  if (field !== undefined) yield* follow({ node: field.value, path: [...path, field.key] }, rest);
}

/** `Cluster` of `type.googleapis.com/envoy.config.cluster.v3.Cluster`. */
function typeName(node: SourceNode): string | undefined {
  const url = textOf(valueAt(node, '@type'));
  return url === undefined ? undefined : lastPart(typeOfUrl(url));
}

const lastPart = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

/** By its type, else by fields that only this kind has. */
function kindOf(node: SourceNode & { readonly kind: 'map' }): Kind | undefined {
  const type = typeName(node);
  if (type !== undefined) return own(KIND_OF_TYPE, type);
  const has = (name: string): boolean => hasField(node, name);
  if (FORMS.telling.routes.some(has)) return 'routes';
  if (FORMS.telling.listeners.some(has)) return 'listeners';
  if (has('cluster_name') && !has('name')) return 'assignments';
  if (has('host_statuses')) return 'statuses';
  if (FORMS.telling.secrets.some(has) || has('layer')) return 'others';
  if (!has('name') || !FORMS.telling.clusters.some(has)) return undefined;
  const discovery = textOf(valueAt(node, 'type'));
  return discovery === undefined || /^(?:STATIC|STRICT_DNS|LOGICAL_DNS|EDS|ORIGINAL_DST|\d+)$/i.test(discovery)
    ? 'clusters'
    : undefined;
}
