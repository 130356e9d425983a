/** Editing maps of a file. Names match in both cases. */
import { camel } from '../reader/letter-case.js';
import { isNull } from '../reader/scalar-value.js';
import type { MapEntry, MapNode, SourceNode } from './document.js';

export function isMap(node: SourceNode | undefined): node is MapNode {
  return node?.kind === 'map';
}

/** The last entry of that name, in either name case; undefined: none, or null. */
export function entryOf(node: SourceNode | undefined, name: string): MapEntry | undefined {
  if (!isMap(node)) return undefined;
  const entry = node.entries.findLast(({ key }) => key === name || key === camel(name));
  return entry === undefined || isNull(entry.value) ? undefined : entry;
}

export function at(node: SourceNode, path: readonly string[]): SourceNode | undefined {
  return path.reduce<SourceNode | undefined>((inner, name) => entryOf(inner, name)?.value, node);
}

export function dropped(node: MapNode, names: readonly string[]): MapNode {
  const gone = new Set(names.flatMap((name) => [name, camel(name)]));
  return { ...node, entries: node.entries.filter(({ key }) => !gone.has(key)) };
}

/** The field set to a value, with the place of another entry's name. */
export function put(
  node: MapNode,
  name: string,
  value: SourceNode,
  { keyStart, keyEnd }: Pick<MapEntry, 'keyStart' | 'keyEnd'>,
): MapNode {
  const rest = dropped(node, [name]);
  return { ...rest, entries: [...rest.entries, { key: name, keyStart, keyEnd, value, moved: true }] };
}

export function word(text: string, { start, end }: SourceNode): SourceNode {
  return { kind: 'scalar', text, quoted: true, start, end };
}

export function emptyMap({ start, end }: SourceNode): MapNode {
  return { kind: 'map', entries: [], start, end };
}
