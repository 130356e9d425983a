import type { Path } from '../config/reader.js';
import { isMap, itemsOf, type SourceNode, textOf } from './synthetic-nodes.js';

/** A name that stands under `cluster:` in an entry, and where. */
export interface ClusterReference {
  readonly cluster: string;
  readonly path: Path;
}

/** What is below these is not ours: proxy configuration, and maps with keys that are anyone's. */
const FOREIGN = new Set(['update_cluster', 'assign', 'metadata', 'metadata_match', 'headers', 'dns', 'set_runtime']);

/** The clusters that an entry names which could not be read: a typo in its rate must not hide one in its cluster. */
export function clusterReferences(node: SourceNode | undefined, path: Path): readonly ClusterReference[] {
  const items = itemsOf(node);
  if (items.length > 0) return items.flatMap((item, index) => clusterReferences(item, [...path, index]));
  if (!isMap(node)) return [];
  return node.entries.flatMap(({ key, value }) => {
    if (FOREIGN.has(key)) return [];
    const cluster = key === 'cluster' ? textOf(value) : undefined;
    return cluster === undefined ? clusterReferences(value, [...path, key]) : [{ cluster, path: [...path, key] }];
  });
}
