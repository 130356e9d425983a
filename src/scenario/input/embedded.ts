import type { SourceNode, Span, MapNode, StreamResult } from '../../config/reader.js';
import { yamlValue, keySpan, LineIndex, parseStream } from '../../config/reader.js';
import {
  fieldOf,
  isMap,
  itemsOf,
  listNode,
  nodeOf,
  picked,
  mapNode,
  textOf,
  valueAt,
  withField,
  withParts,
} from '../../config/source/trees.js';
import { fileProblem, type Problem } from '../../core/problem.js';
import { resourcesOf } from './resources.js';

/** A proxy's configuration inside of Kubernetes objects and of lists of these, and clusters by name, as if it stood alone. */

/** How a configuration of a proxy begins, in a text. */
const LOOKS_LIKE_CONFIG =
  /^\s*["{]?\s*"?(?:static_resources|staticResources|clusters|resources|node|admin|dynamic_resources|dynamicResources)"?\s*:/m;

/** @param text the whole text that the stream was read from. @param from where it begins, of a document of several. */
export function withEmbedded(stream: StreamResult, text: string, file: string, from: number): StreamResult {
  const finder = new Finder(text, file, from);
  const roots = stream.roots.flatMap((root) => finder.rootsIn(root));
  return { ...stream, roots, problems: [...stream.problems, ...finder.problems] };
}

class Finder {
  readonly problems: Problem[] = [];

  constructor(
    private readonly text: string,
    private readonly file: string,
    private readonly from: number,
  ) {}

  rootsIn(root: SourceNode): readonly SourceNode[] {
    if (!isMap(root)) return [root];
    if (fieldOf(root, 'apiVersion') === undefined || fieldOf(root, 'kind') === undefined)
      return [withClusterLists(root)];
    const kind = textOf(valueAt(root, 'kind')) ?? '';
    const items = valueAt(root, 'items');
    if (kind.endsWith('List') && items?.kind === 'list') return items.items.flatMap((item) => this.rootsIn(item));
    if (kind === 'ConfigMap') {
      const data = valueAt(root, 'data');
      const entries = isMap(data) ? data.entries : [];
      const configurations = entries.filter(({ value }) => LOOKS_LIKE_CONFIG.test(textOf(value) ?? ''));
      return configurations.length === 0 ? [root] : configurations.flatMap(({ value }) => this.parsed(value));
    }
    const spec = valueAt(root, 'spec');
    const patches = [...itemsOf(valueAt(spec, 'configPatches')), ...itemsOf(valueAt(spec, 'jsonPatches'))];
    if (patches.length > 0) return this.patched(root, kind, patches);
    if (!isMap(spec)) return [root];
    const typed = itemsOf(valueAt(spec, 'resources')).filter((one) => fieldOf(one, '@type') !== undefined);
    if (typed.length > 0) return [mapNode(picked(spec, 'resources'), spec)];
    return resourcesOf(spec)?.form === 'a cluster' ? [spec] : [root];
  }

  /** The documents of a text in a field; those of a block keep their places, of a quoted text all have that of the field. */
  private parsed(value: SourceNode): readonly SourceNode[] {
    const written = this.text.slice(value.start - this.from, value.end - this.from);
    const [head = ''] = /^\s*[|][+-]?[ \t]*(?:#.*)?\r?\n/.exec(written) ?? [];
    const isBlock = head !== '';
    const inner = isBlock ? written.slice(head.length) : (textOf(value) ?? '');
    const { roots, problems } = parseStream(inner, this.file, isBlock ? value.start + head.length : 0);
    const above = this.placeOf(value).line;
    for (const problem of problems) this.problems.push({ ...problem, line: isBlock ? problem.line + above : above });
    return (isBlock ? roots : roots.map((root) => placedAt(root, value))).map((root) =>
      isMap(root) ? withClusterLists(root) : root,
    );
  }

  /** Of the patches of a control plane, those that add whole clusters. */
  private patched(root: MapNode, kind: string, patches: readonly SourceNode[]): readonly SourceNode[] {
    const clusters = patches.flatMap((patch) => {
      const value = valueAt(patch, 'patch', 'value') ?? valueAt(patch, 'operation', 'value');
      return value !== undefined && addsWhole(patch) && resourcesOf(value)?.form === 'a cluster' ? [value] : [];
    });
    if (clusters.length === 0) return [root];
    const names = clusters.map((cluster) => textOf(valueAt(cluster, 'name'))).join(', ');
    const left = patches.length - clusters.length;
    const others = left === 0 ? '' : `; its other patches (${left}) are not read`;
    const message = `${kind} adds a part to what a control plane makes: of it there is here only ${names}${others}`;
    this.problems.push({ ...fileProblem(this.file, 'kind', message), ...this.placeOf(root), severity: 'warning' });
    return clusters;
  }

  private placeOf({ start }: Span) {
    return new LineIndex(this.text).position(start - this.from);
  }
}

function addsWhole(patch: SourceNode): boolean {
  const target = textOf(valueAt(patch, 'applyTo')) ?? textOf(valueAt(patch, 'type')) ?? '';
  const operation = textOf(valueAt(patch, 'patch', 'operation')) ?? textOf(valueAt(patch, 'operation', 'op')) ?? '';
  const path = textOf(valueAt(patch, 'operation', 'path')) ?? '';
  const isCluster = target === 'CLUSTER' || target.endsWith('.Cluster');
  return isCluster && /^(?:add|replace|insert_\w+)$/i.test(operation) && /^\/?$/.test(path);
}

/** `clusters: {web: {…}}` as the list that a proxy reads: in a bootstrap, and at the top of a file. */
function withClusterLists(root: MapNode): MapNode {
  const resources = fieldOf(root, 'static_resources');
  if (resources === undefined || !isMap(resources.value)) return listed(root);
  return withField(root, resources.key, listed(resources.value), keySpan(resources));
}

function listed(node: MapNode): MapNode {
  const field = fieldOf(node, 'clusters');
  if (field === undefined || !isMap(field.value) || field.value.entries.length === 0) return node;
  const items = field.value.entries.map((entry) => {
    const { key, value } = entry;
    const isNamed = !isMap(value) || fieldOf(value, 'name') !== undefined;
    return isNamed ? value : withField(value, 'name', nodeOf(key, keySpan(entry)), keySpan(entry));
  });
  if (!items.every((item) => resourcesOf(item)?.form === 'a cluster')) return node;
  return withField(node, field.key, listNode(items, field.value), keySpan(field));
}

function placedAt(node: SourceNode, { start, end }: Span): SourceNode {
  const placed = { ...withParts(node, (part) => placedAt(part, { start, end })), start, end };
  // In JSON, a text without quotes is none.
  if (placed.kind === 'scalar') return { ...placed, quoted: placed.quoted || typeof yamlValue(placed) === 'string' };
  if (placed.kind === 'list') return placed;
  return { ...placed, entries: placed.entries.map((entry) => ({ ...entry, keyStart: start, keyEnd: end })) };
}
