/** Trees of values: parts of maps, maps that are changed, nodes of what is not in a file. Names match in both cases. */
import { camel } from '../reader/letter-case.js';
import { isNull, yamlValue } from '../reader/error-words.js';
import { entryOf, keySpan, type Span } from '../reader/spans.js';
import type { ListNode, MapEntry, MapNode, SourceNode } from './document.js';

export const isMap = (node: SourceNode | undefined): node is MapNode => node?.kind === 'map';

/** The last entry of that name, in either name case; undefined: none, or null. */
export function fieldOf(node: SourceNode | undefined, name: string): MapEntry | undefined {
  const entry = node === undefined ? undefined : entryOf(node, name);
  return entry === undefined || isNull(entry.value) ? undefined : entry;
}

/** Whether a name is written, if only with null. */
export const hasField = ({ entries }: MapNode, name: string): boolean =>
  entries.some(({ key }) => key === name || key === camel(name));

export const valueAt = (node: SourceNode | undefined, ...names: readonly string[]): SourceNode | undefined =>
  names.reduce((inner, name) => fieldOf(inner, name)?.value, node);

export const isAbsent = (node: SourceNode | undefined): boolean => node === undefined || isNull(node);

/** The text of a plain value that is not empty. */
export const textOf = (node: SourceNode | undefined): string | undefined =>
  node?.kind === 'scalar' && !isAbsent(node) && node.text !== '' ? node.text : undefined;

export const itemsOf = (node: SourceNode | undefined): readonly SourceNode[] =>
  node?.kind === 'list' ? node.items : [];

/** The items of a list, the values of a map. */
export const partsOf = (node: SourceNode): readonly SourceNode[] =>
  isMap(node) ? node.entries.map(({ value }) => value) : itemsOf(node);

/** The same with its parts changed; the node itself where none is. */
export function withParts(node: SourceNode, change: (part: SourceNode, key?: string) => SourceNode): SourceNode {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') {
    const items = node.items.map((item) => change(item));
    return items.every((item, index) => item === node.items[index]) ? node : { ...node, items };
  }
  const entries = node.entries.map((entry) => {
    const value = change(entry.value, entry.key);
    return value === entry.value ? entry : { ...entry, value };
  });
  return entries.every((entry, index) => entry === node.entries[index]) ? node : { ...node, entries };
}

export const replaced = (node: SourceNode, by: ReadonlyMap<SourceNode, SourceNode>): SourceNode =>
  by.get(node) ?? withParts(node, (part) => replaced(part, by));

/** Some fields by their names as given; undefined: it is not there. */
export const picked = (node: SourceNode, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, valueAt(node, name)]));

export function dropped(node: MapNode, names: readonly string[]): MapNode {
  const gone = new Set(names.flatMap((name) => [name, camel(name)]));
  return { ...node, entries: node.entries.filter(({ key }) => !gone.has(key)) };
}

/** The same with the maps of a list changed; `change` may leave one out, or put several in its place. */
export function withItems(node: MapNode, name: string, change: (item: MapNode) => readonly MapNode[]): MapNode {
  const field = fieldOf(node, name);
  if (field?.value.kind !== 'list') return node;
  const items = field.value.items.flatMap((item): readonly SourceNode[] => (isMap(item) ? change(item) : [item]));
  return withField(node, name, { ...field.value, items }, keySpan(field));
}

/** `node` with `name` set to `value`: the last entry of that name is replaced, or a new one put last. */
export function withField(node: MapNode, name: string, value: SourceNode, key: Span): MapNode {
  const index = node.entries.findLastIndex((entry) => entry.key === name || entry.key === camel(name));
  const entries = [...node.entries];
  const before = entries[index];
  if (before === undefined) entries.push({ key: name, keyStart: key.start, keyEnd: key.end, value });
  else entries[index] = { ...before, value };
  return { ...node, entries };
}

/** A plain JSON value. Strings are quoted, numbers are not. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain | undefined };

/** The place of what is in no file. */
export const NO_PLACE: Span = { start: 0, end: 0 };

/** `value` as if it were written at a span; undefined entries of maps are left out. */
export function nodeOf(value: Plain, span: Span = NO_PLACE): SourceNode {
  const { start, end } = span;
  if (typeof value === 'string') return { kind: 'scalar', text: value, quoted: true, start, end };
  if (value === null || typeof value !== 'object')
    return { kind: 'scalar', text: value === null ? 'null' : String(value), quoted: false, start, end };
  if (isList(value))
    return listNode(
      value.map((item) => nodeOf(item, span)),
      span,
    );
  const fields = Object.entries(value).map(([key, item]) => [key, item === undefined ? item : nodeOf(item, span)]);
  return mapNode(Object.fromEntries(fields) as Fields, span);
}

/** The reverse of {@link nodeOf}. Integers that a double cannot hold stay texts, as protobuf's JSON has them. */
export function plainOf(node: SourceNode): Plain {
  if (node.kind === 'list') return node.items.map(plainOf);
  if (node.kind === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
  const value = yamlValue(node);
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(node.text) ? node.text : value;
}

const isList = (value: object): value is readonly Plain[] => Array.isArray(value);

export function listNode(items: readonly SourceNode[], { start, end }: Span): ListNode {
  return { kind: 'list', items, start, end };
}

export type Fields = Readonly<Record<string, SourceNode | undefined>>;

/** A map whose keys have the place of the whole; undefined fields are left out. */
export function mapNode(fields: Fields, { start, end }: Span = NO_PLACE): MapNode {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, keyStart: start, keyEnd: end, value }],
  );
  return { kind: 'map', entries, start, end };
}
