import { messageOfUrl } from '../../config/any.js';
import type { MapEntry, MapNode, SourceNode } from '../../config/source/document.js';
import { fieldOf, isMap, textOf, valueAt } from '../../config/source/trees.js';

/**
 * The same tree with each message that is written as a TypedStruct, its type beside its fields, written as itself: a
 * proxy reads both alike wherever it takes an extension, except for the type of a cluster, as a 1.40.0 shows. A
 * TypedStruct of a message that is not the proxy's stays. Shared nodes stay shared.
 */
export function withoutTypedStructs(root: SourceNode): SourceNode {
  const made = new Map<SourceNode, SourceNode>();
  const change = (node: SourceNode): SourceNode => {
    if (node.kind === 'scalar') return node;
    const known = made.get(node);
    if (known !== undefined) return known;
    const changed: SourceNode =
      node.kind === 'list'
        ? { ...node, items: node.items.map(change) }
        : messageIn({ ...node, entries: node.entries.map((entry) => (isOfCluster(entry) ? entry : changedIn(entry))) });
    made.set(node, changed);
    return changed;
  };
  const changedIn = (entry: MapEntry): MapEntry => ({ ...entry, value: change(entry.value) });
  return change(root);
}

function isOfCluster({ key }: MapEntry): boolean {
  return key === 'cluster_type' || key === 'clusterType';
}

function messageIn(node: MapNode): MapNode {
  const type = fieldOf(node, '@type');
  const url = fieldOf(node, 'type_url');
  const value = valueAt(node, 'value');
  if (type === undefined || url === undefined || (value !== undefined && !isMap(value))) return node;
  if (!/\/(?:xds\.type\.v3|udpa\.type\.v1)\.TypedStruct$/.test(textOf(type.value) ?? '')) return node;
  if (messageOfUrl(textOf(url.value) ?? '') === undefined) return node;
  return { ...node, entries: [{ ...type, value: url.value }, ...(value?.entries ?? [])] };
}
