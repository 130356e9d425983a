import type { MapNode, Schema, SourceNode } from '../config/reader.js';
import { camel } from '../config/reader.js';
import { snake } from '../config/reader/letter-case.js';
import { nearest } from '../config/reader/error-words.js';
import { isNull, yamlValue } from '../config/reader/scalar-value.js';
import type { MapEntry } from '../config/source/document.js';
import { entryOf, isMap } from '../config/source/trees.js';

/** Builds nodes of values that are not in the file, from a shorthand or a command-line option, with the place of a span. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A plain JSON value. Strings are quoted, numbers are not. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain | undefined };

/** `value` as if it were written at `span`; undefined entries of maps are left out. */
export function nodeOf(value: Plain, { start, end }: Span): SourceNode {
  if (typeof value === 'string') return { kind: 'scalar', text: value, quoted: true, start, end };
  if (value === null || typeof value !== 'object') {
    return { kind: 'scalar', text: value === null ? 'null' : String(value), quoted: false, start, end };
  }
  if (isList(value)) return { kind: 'list', items: value.map((item) => nodeOf(item, { start, end })), start, end };
  const entries: MapEntry[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) entries.push({ key, keyStart: start, keyEnd: end, value: nodeOf(item, { start, end }) });
  }
  return { kind: 'map', entries, start, end };
}

function isList(value: object): value is readonly Plain[] {
  return Array.isArray(value);
}

/** The reverse of {@link nodeOf}. Integers that a double cannot hold stay texts, as protobuf's JSON has them. */
export function plainOf(node: SourceNode): Plain {
  switch (node.kind) {
    case 'scalar': {
      const value = yamlValue(node);
      return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(node.text) ? node.text : value;
    }
    case 'list':
      return node.items.map(plainOf);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
  }
}

/** Nothing was written, or null. */
export function isAbsent(node: SourceNode | undefined): boolean {
  return node === undefined || isNull(node);
}

/** An entry whose key is unknown and probably a misspelling of this one. */
export function misspeltField(node: SourceNode, name: string, schema: Schema<unknown>): MapEntry | undefined {
  if (!isMap(node)) return undefined;
  const fields = Object.keys(schema.marks.message?.shape ?? {});
  return node.entries.find(({ key }) => !fields.includes(snake(key)) && nearest(snake(key), fields) === name);
}

/** The text of a plain value that is not empty. */
export function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && !isAbsent(node) && node.text !== '' ? node.text : undefined;
}

export function itemsOf(node: SourceNode | undefined): readonly SourceNode[] {
  return node?.kind === 'list' ? node.items : [];
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

export type { MapNode, SourceNode };
export { entryOf as fieldOf, isMap };
