import { SourceDocument, keySpan, type SourceNode } from '../../config/reader.js';
import {
  fieldOf,
  isMap,
  itemsOf,
  listNode,
  nodeOf,
  textOf,
  valueAt,
  withField,
  withParts,
} from '../../config/source/trees.js';
import { matcherOf } from '../input/gather.js';

/** Where an entry of `expect` or of `workloads` comes from. */
export interface EntrySource {
  /** Its place in the list of the file. */
  readonly entry: number;
  /** It is one of those that a pattern stands for. */
  readonly isEach: boolean;
}

/** An entry, and where it comes from; nowhere, if a default made it. */
export type Sourced<T> = T & { readonly [Key in keyof EntrySource]?: EntrySource[Key] | undefined };

export interface EachCluster {
  readonly document: SourceDocument;
  readonly expect: readonly EntrySource[];
  readonly workloads: readonly EntrySource[];
}

/**
 * Entries whose cluster is a pattern, as `*` or `api-*`, written out: one for each cluster that it matches, at its own place
 * in the file. What matches nothing stays, and is reported as an unknown cluster.
 * @param isMeant of the clusters that the patterns match.
 */
export function withEachCluster(written: SourceDocument, isMeant: (name: string) => boolean): EachCluster {
  const clusters = itemsOf(valueAt(written.root, 'clusters')).flatMap((node) => {
    const name = textOf(valueAt(node, 'name'));
    const counted = textOf(valueAt(node, 'alt_stat_name')) ?? name;
    return name !== undefined && counted !== undefined && isMeant(name) ? [{ name, counted }] : [];
  });
  const known = new Set(clusters.map(({ name }) => name));
  let { root } = written;
  const spread = (list: 'expect' | 'workloads'): readonly EntrySource[] => {
    const field = fieldOf(root, list);
    const items = itemsOf(field?.value).map((given, entry) => {
      const item = withCluster(given);
      const pattern = patternIn(item);
      const matches = pattern === undefined || known.has(pattern) ? undefined : matcherOf(pattern);
      const meant = matches === undefined ? [] : clusters.filter(({ name }) => matches(name));
      const copies = meant.map((cluster) => named(list, filled(item, pattern ?? '', cluster), cluster.name));
      return { entry, isEach: meant.length > 0, nodes: meant.length > 0 ? copies : [item] };
    });
    if (field !== undefined && isMap(root) && items.some(({ isEach }) => isEach)) {
      const nodes = items.flatMap((item) => item.nodes);
      root = withField(root, list, listNode(nodes, field.value), keySpan(field));
    }
    return items.flatMap(({ entry, isEach, nodes }) => nodes.map(() => ({ entry, isEach })));
  };
  const [expect, workloads] = [spread('expect'), spread('workloads')];
  if (root === written.root) return { document: written, expect, workloads };
  const document = new SourceDocument(written.texts, root, written.known);
  for (const [list, entries] of Object.entries({ expect, workloads }))
    for (const [index, { entry }] of entries.entries()) document.move([list, index], [list, entry]);
  return { document, expect, workloads };
}

/** What is said to survive is every cluster where none is named. */
function withCluster(item: SourceNode): SourceNode {
  const survives = valueAt(item, 'survives');
  if (!isMap(item) || survives === undefined || !isMap(survives) || valueAt(survives, 'cluster') !== undefined)
    return item;
  return withField(item, 'survives', withField(survives, 'cluster', nodeOf('*', survives), survives), survives);
}

/** `cluster.*.lb_healthy_panic` */
const STAT = /^cluster\.(.*\*[^.]*)\.(.+)$/;

function patternIn(node: SourceNode, key = ''): string | undefined {
  if (isMap(node)) {
    for (const entry of node.entries) {
      const found = patternIn(entry.value, entry.key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const text = textOf(node) ?? '';
  if (key === 'cluster') return text.includes('*') ? text : undefined;
  return key === 'stat' || key === 'mean_stat' ? STAT.exec(text)?.[1] : undefined;
}

function filled(
  node: SourceNode,
  pattern: string,
  cluster: { readonly name: string; readonly counted: string },
  key = '',
): SourceNode {
  if (isMap(node)) return withParts(node, (part, inner) => filled(part, pattern, cluster, inner));
  const text = textOf(node);
  if (key === 'cluster' && text === pattern) return nodeOf(cluster.name, node);
  if (key !== 'stat' && key !== 'mean_stat') return node;
  const [, scope, stat = ''] = STAT.exec(text ?? '') ?? [];
  return scope === pattern ? nodeOf(`cluster.${cluster.counted.replaceAll(':', '_')}.${stat}`, node) : node;
}

/** Workloads have names of their own. */
function named(list: string, node: SourceNode, cluster: string): SourceNode {
  if (list !== 'workloads' || !isMap(node)) return node;
  const name = textOf(valueAt(node, 'name'));
  return withField(node, 'name', nodeOf(name === undefined ? cluster : `${name} of ${cluster}`, node), node);
}
