import type { Path } from '../config/reader.js';
import type { SourceNode } from '../config/source/document.js';
import { isMap, itemsOf, textOf } from '../config/source/trees.js';

/** The value of `cluster:` in an entry, and its path. */
export interface ClusterReference {
  readonly cluster: string;
  readonly path: Path;
}

/** Not searched: proxy configuration, and maps with free keys. */
const FOREIGN = new Set(['update_cluster', 'assign', 'metadata', 'metadata_match', 'headers', 'dns', 'set_runtime']);

/** The clusters named in an entry with errors: a typo in its rate must not hide one in its cluster. */
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
