import type { ApiField, ApiVersion } from '../api/api.js';
import { apiOf } from '../api/api.js';
import type { MapNode, SourceNode } from '../source/document.js';
import type { Walk } from './context.js';
import { distinct } from './duplicates.js';
import type { Limit } from './limits.js';
import { elementLimits, keyLimits, ownLimits, takesEmpty } from './limits.js';
import type { Read } from './schema.js';
import { INVALID } from './schema.js';
import type { Schema } from './schema.js';
import { keySpan } from './place.js';
import { bool, boolValue, bytes, double, doubleValue, duration, enumeration, int64, string, struct } from './proto.js';
import { uint32, uint32Value, uint64, uint64Value } from './proto.js';
import { readValue } from './proto/struct.js';
import { isNull } from './scalar-value.js';
import { describe } from './words.js';

/** Reads fields of messages as a table describes them: what the simulation has no use for is checked all the same. */

export interface ApiReaders {
  /** The reader of a message of an API, by its full name. */
  readonly message: (name: string, version: ApiVersion) => Read;
  /** The reader of `google.protobuf.Any`. */
  readonly any: Read;
}

export function apiFieldReader(field: ApiField, version: ApiVersion, readers: ApiReaders): Read {
  const read = sensitive(field, typeReader(field, version, readers));
  const element = limited(read, elementLimits(field), false);
  switch (field.label) {
    case 'one':
      return limited(read, ownLimits(field), takesEmpty(field));
    case 'repeated':
      return limited(listReader(element), ownLimits(field), false);
    case 'map':
      return limited(mapReader(element, keyLimits(field)), ownLimits(field), false);
  }
}

/** A proto3 scalar is there even if it is not written: whether its zero value breaks its limits. */
export function mustBeWritten(field: ApiField): boolean {
  if (field.required) return true;
  if (field.oneOf !== undefined || takesEmpty(field)) return false;
  if (field.label !== 'one') return ownLimits(field).some(({ holds }) => !holds([]));
  if (field.kind !== 'scalar') return false;
  const zero = field.type === 'string' || field.type === 'bytes' ? '' : field.type === 'bool' ? false : 0;
  return ownLimits(field).some(({ holds }) => !holds(zero));
}

const SCALARS: Readonly<Record<string, () => Schema<unknown>>> = {
  bool,
  bytes,
  double,
  float: double,
  int32: () => int64({ min: -2147483648, max: 2147483647 }),
  int64,
  string,
  uint32,
  uint64,
  Duration: duration,
  Struct: struct,
  BoolValue: boolValue,
  DoubleValue: doubleValue,
  FloatValue: doubleValue,
  UInt32Value: uint32Value,
  UInt64Value: uint64Value,
  StringValue: string,
  BytesValue: bytes,
  Timestamp: string,
};

const made = new Map<string, Read>();

function typeReader(field: ApiField, version: ApiVersion, readers: ApiReaders): Read {
  if (field.type === 'Any') return readers.any;
  if (field.type === 'Value') return readValue;
  if (field.type === 'Empty') return emptyReader;
  if (field.kind === 'message') return readers.message(field.type, version);
  const key = `${version} ${field.type} ${field.limits.includes('defined') ? '' : 'open'}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const schema = field.kind === 'enum' ? enumOf(field, version) : SCALARS[field.type]?.();
  const { read } = schema === undefined ? { read: undefined } : schema.marks;
  if (read === undefined) throw new TypeError(`a table has the type ${field.type}, which is not read here`);
  made.set(key, read);
  return read;
}

function enumOf(field: ApiField, version: ApiVersion): Schema<unknown> {
  const values = apiOf(version).enumeration(field.type) ?? [];
  const deprecated = values.filter((value) => value.deprecated).map(({ name }) => [name, 'the API says so']);
  return enumeration(field.type, Object.fromEntries(values.map(({ name, number }) => [name, number])), {
    open: !field.limits.includes('defined'),
    deprecated: Object.fromEntries(deprecated) as Readonly<Record<string, string>>,
  });
}

const emptyReader: Read = (node, walk) => {
  if (node.kind !== 'map') return walk.error('type', `expected {}, found ${describe(node)}`, node);
  const [entry] = node.entries;
  if (entry === undefined) return {};
  return walk.error(
    'unknown-field',
    `${entry.key} is not a field of google.protobuf.Empty, which has none`,
    keySpan(entry),
  );
};

/** Protobuf's parser takes a lone value for a list of one, and a list within a list for its items. */
export function flatItems(node: SourceNode): readonly SourceNode[] {
  if (node.kind !== 'list') return [node];
  return node.items.some((item) => item.kind === 'list') ? node.items.flatMap(flatItems) : node.items;
}

/** A null element is an empty message. */
export function elementOf(node: SourceNode): SourceNode {
  return isNull(node) ? emptyMap(node) : node;
}

function emptyMap({ start, end }: SourceNode): MapNode {
  return { kind: 'map', entries: [], start, end };
}

function listReader(read: Read): Read {
  return (node, walk) => {
    const values = flatItems(node).map((item, index) => walk.part(index, read, elementOf(item)));
    return values.includes(INVALID) ? INVALID : values;
  };
}

function mapReader(read: Read, keys: readonly Limit[]): Read {
  return (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
    const before = walk.errors;
    const entries = distinct(node, walk).map((entry) => {
      for (const { words, holds } of keys) {
        if (!holds(entry.key)) walk.error('key', `the key must ${words}`, keySpan(entry));
      }
      return [entry.key, walk.part(entry.key, read, elementOf(entry.value))] as const;
    });
    return walk.errors > before ? INVALID : Object.fromEntries(entries);
  };
}

function limited(read: Read, limits: readonly Limit[], empty: boolean): Read {
  if (limits.length === 0) return read;
  const words = limits.map((limit) => limit.words).join(' and ');
  return (node, walk) => {
    const value = read(node, walk);
    if (value === INVALID || (empty && (value === '' || value === 0))) return value;
    if (limits.every(({ holds }) => holds(value))) return value;
    const rule = value === '' ? 'required' : 'range';
    return walk.error(rule, value === '' ? 'must not be empty' : `must ${words}, found ${describe(node)}`, node);
  };
}

/** What is wrong within a secret is told without a word of it. */
function sensitive(field: ApiField, read: Read): Read {
  if (!field.sensitive) return read;
  return (node: SourceNode, walk: Walk) => {
    const trial = walk.trial();
    const value = read(node, trial);
    return trial.errors === 0
      ? value
      : walk.error('secret', `${field.name} cannot be read; it is secret and not shown`, keyless(node));
  };
}

/** The place of a value without its text, of which an excerpt would be shown. */
function keyless({ start }: SourceNode): { readonly start: number; readonly end: number } {
  return { start, end: start };
}
