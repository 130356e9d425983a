import type { JsonValue, Struct as StructValue } from '../../../core/json-value.js';
import type { MapNode, SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import { distinct } from '../duplicates.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { isNull } from '../scalar-value.js';
import { describe } from '../error-words.js';
import { plainBool, plainKind, yamlInteger } from './plain-scalars.js';

/** `google.protobuf.Struct`: any map. */
export function struct(): Schema<StructValue> {
  return protobuf(reading<StructValue>('Struct', readStruct), { json: () => ({ type: 'object' }) });
}

export function readStruct(node: SourceNode, walk: Walk): StructValue | Invalid {
  if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
  return structOf(node, walk);
}

function structOf(node: MapNode, walk: Walk): StructValue {
  const entries = distinct(node, walk);
  return Object.fromEntries(
    entries.map((entry) => [entry.key, walk.part(entry.key, readValue, entry.value) as JsonValue]),
  );
}

/**
 * A `google.protobuf.Value`. As the proxy reads YAML, a plain number that is not a 32-bit integer is a string: `1.0` is
 * "1.0", so that a version stays what was written. In JSON a number is a number.
 */
export function readValue(node: SourceNode, walk: Walk): JsonValue {
  if (node.kind === 'list') return node.items.map((item, index) => walk.part(index, readValue, item) as JsonValue);
  if (node.kind === 'map') return structOf(node, walk);
  if (isNull(node)) return null;
  switch (plainKind(node, walk)) {
    case 'bool':
      return plainBool(node, walk) ?? node.text;
    case 'number': {
      const number = Number(walk.document.isJson(node) ? node.text : yamlInteger(node.text));
      if (Number.isFinite(number)) return number;
      // What a double does not hold: no value of a run may be infinite.
      walk.error('range', `invalid number: must be below 1.8e308, found ${describe(node)}`, node);
      return 0;
    }
    case 'string':
      return node.text;
  }
}
