import { distinct } from '../duplicates.js';
import type { Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { keySpan } from '../spans.js';
import { isNull } from '../scalar-value.js';
import { readerOf } from '../walk.js';
import { bool } from './bools.js';
import { double } from './doubles.js';
import { uint32, uint64, type Bounds } from './integers.js';

const WRAPPERS: Readonly<Record<string, string>> = {
  uint32: 'UInt32Value',
  uint64: 'UInt64Value',
  double: 'DoubleValue',
  bool: 'BoolValue',
};

/** `google.protobuf.UInt32Value` and its like: the bare value, or a message with a `value`. */
function wrapped<T>(inner: Schema<T>): Schema<T> {
  const { zero, typeName = '', limits = '' } = inner.marks;
  const read = readerOf(inner);
  const wrapper = reading<T>(WRAPPERS[typeName] ?? typeName, (node, walk) => {
    if (node.kind !== 'map') return read(node, walk);
    let value = zero as T | Invalid;
    for (const entry of distinct(node, walk)) {
      if (entry.key !== 'value') {
        const text = `expected a value or {value: …}, found the field ${entry.key}`;
        return walk.error('unknown-field', text, keySpan(entry));
      }
      if (!isNull(entry.value)) value = walk.part('value', read, entry.value);
    }
    return value;
  });
  return protobuf(wrapper, {
    limits,
    json: (of) => ({
      anyOf: [of(inner), { type: 'object', properties: { value: of(inner) }, additionalProperties: false }],
    }),
  });
}

export function uint32Value(limits: Bounds = {}): Schema<number> {
  return wrapped(uint32(limits));
}

export function uint64Value(limits: Bounds = {}): Schema<bigint> {
  return wrapped(uint64(limits));
}

export function boolValue(): Schema<boolean> {
  return wrapped(bool());
}

export function doubleValue(limits: Bounds = {}): Schema<number> {
  return wrapped(double(limits));
}
