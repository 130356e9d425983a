/** Where a document says which policies its clusters have. */
import { isKnownPolicy } from '../../config/policy/read.js';
import type { Path } from '../../config/reader.js';
import { snake } from '../../config/reader/letter-case.js';
import type { MapNode, SourceNode } from '../../config/source/document.js';
import { fieldOf, isMap, itemsOf, textOf, valueAt } from '../../config/source/trees.js';
import { own } from '../../core/own.js';
import { CONTRIB } from '../../policy/extensions.js';

export interface ClusterNode {
  readonly node: MapNode;
  readonly path: Path;
}

/** The places of clusters: in a scenario, a bootstrap, alone, or in the timeline. */
export function clustersOf(root: SourceNode): readonly ClusterNode[] {
  const listed = (path: Path, list: SourceNode | undefined): ClusterNode[] =>
    itemsOf(list).flatMap((node, index) => (isMap(node) ? [{ node, path: [...path, index] }] : []));
  const resources = fieldOf(root, 'static_resources');
  const updates = itemsOf(valueAt(root, 'timeline')).flatMap((entry, index): ClusterNode[] => {
    const cluster = fieldOf(entry, 'update_cluster');
    return isMap(cluster?.value) ? [{ node: cluster.value, path: ['timeline', index, 'update_cluster'] }] : [];
  });
  const own: ClusterNode[] =
    isMap(root) && fieldOf(root, 'clusters') === undefined && resources === undefined ? [{ node: root, path: [] }] : [];
  return [
    ...own,
    ...listed(['clusters'], valueAt(root, 'clusters')),
    ...listed(['static_resources', 'clusters'], resources && valueAt(resources.value, 'clusters')),
    ...updates,
  ];
}

/** The node of the name, in the short form and in the long one. */
export function nameNode(value: SourceNode | undefined): SourceNode | undefined {
  return isMap(value) ? valueAt(value, 'policy') : value;
}

export interface TypedPolicy {
  readonly extension: MapNode;
  readonly path: Path;
  /** No policy before it, in its list or in one around it, is taken instead. */
  readonly isFirst: boolean;
}

/**
 * Every `typed_extension_config` inside of a `load_balancing_policy`.
 *
 * @param isAdded whether a name is that of a policy that the proxy has not.
 */
export function typedPolicies(
  node: SourceNode | undefined,
  isAdded: (name: string) => boolean,
  path: Path = [],
  isFirst = true,
): readonly TypedPolicy[] {
  if (node === undefined || node.kind === 'scalar') return [];
  if (node.kind === 'list') {
    let isStillFirst = isFirst;
    return node.items.flatMap((item, index) => {
      const found = typedPolicies(item, isAdded, [...path, index], isStillFirst);
      const name = policyNameOf(valueAt(item, 'typed_extension_config'));
      if (isKnownPolicy(item) || (name !== undefined && isAdded(name))) isStillFirst = false;
      return found;
    });
  }
  return node.entries.flatMap(({ key, value }) => {
    const inside = [...path, key];
    const isExtension = snake(key) === 'typed_extension_config' && isMap(value);
    const here = isExtension ? [{ extension: value, path: inside, isFirst }] : [];
    return [...here, ...typedPolicies(value, isAdded, inside, isFirst)];
  });
}

/** By what name an entry is found: that of a contrib policy by its message, else its own. */
export function policyNameOf(extension: SourceNode | undefined): string | undefined {
  if (extension === undefined) return undefined;
  const message = textOf(valueAt(extension, 'typed_config', '@type'))?.replace(/^.*\//, '') ?? '';
  return own(CONTRIB, message) ?? textOf(valueAt(extension, 'name'));
}

/** The `value` of a `google.protobuf.Struct` or a `TypedStruct`, or the map itself. */
export function structOf(node: SourceNode | undefined): MapNode | undefined {
  if (!isMap(node)) return undefined;
  const type = textOf(valueAt(node, '@type')) ?? '';
  const value = valueAt(node, 'value');
  return /(?:\.Struct|TypedStruct)$/.test(type) && isMap(value) ? value : node;
}
