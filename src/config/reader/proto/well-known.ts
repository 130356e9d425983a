/** Messages of protobuf with a form of their own in JSON: durations, any map, wrappers of scalars. */
import { type JsonValue, type Struct as StructValue, own } from '../../../core/values.js';
import type { MapNode, SourceNode } from '../../source/document.js';
import { reading } from '../combinators.js';
import { distinct, INVALID, type Invalid, type Walk } from '../context.js';
import { describe, isNull } from '../error-words.js';
import { mark, type Schema } from '../schema.js';
import { keySpan } from '../spans.js';
import { readerOf } from '../walk.js';
import { double, plainBool, plainKind, readInteger, uint32, uint64, yamlInteger, type Bounds } from './numbers.js';
import { bool } from './strings.js';

const NANOS_PER_SECOND = 1_000_000_000n;
const MAX_PROTO_SECONDS = 315_576_000_000n;
/** The proxy's own limit: nanoseconds must fit an int64. */
const MAX_PROXY_SECONDS = 9_223_372_036n;

/** `"1.5s"`, at most nine decimals, or `{seconds, nanos}`. The value is in µs and may be fractional. */
export function duration(bounds: Bounds = {}): Schema<number> {
  const { above = -1, min = 0, max = Infinity, below = Infinity } = bounds;
  const limits = durationRange(bounds);
  const schema = reading<number>('Duration', (node, walk) => {
    const nanos = node.kind === 'map' ? durationMessage(node, walk) : durationText(node, walk);
    if (nanos === INVALID) return INVALID;
    if (nanos < 0n) return walk.error('duration', `expected a positive duration, found ${describe(node)}`, node);
    if (nanos >= MAX_PROXY_SECONDS * NANOS_PER_SECOND)
      return walk.error('duration', `must be shorter than ${MAX_PROXY_SECONDS} s, found ${describe(node)}`, node);
    if (nanos <= above * 1e9 || nanos < min * 1e9 || nanos > max * 1e9 || nanos >= below * 1e9)
      return walk.error('range', `must be ${limits}, found ${describe(node)}`, node);
    return Number(nanos) / 1000;
  });
  return mark(schema, { limits, json: () => DURATION_JSON });
}

const DURATION_JSON = {
  type: ['string', 'object'],
  pattern: '^-?[0-9]+(?:\\.[0-9]{1,9})?s$',
  properties: { seconds: { type: ['integer', 'string'] }, nanos: { type: ['integer', 'string'] } },
  additionalProperties: false,
};

function durationRange({ above, min = 0, max, below }: Bounds): string {
  const least = min > 0 ? min : undefined;
  const parts = Object.entries({ 'longer than': above, 'at least': least, 'at most': max, 'shorter than': below });
  return parts.flatMap(([word, bound]) => (bound === undefined ? [] : [`${word} ${bound}s`])).join(' and ');
}

function durationText(node: SourceNode, walk: Walk): bigint | Invalid {
  const match = node.kind === 'scalar' ? /^(-?)0*(\d{1,18})(?:\.(\d{1,9}))?s$/.exec(node.text) : null;
  if (match === null) {
    const text = `expected a duration in seconds as "0.25s"${durationHint(node)}, found ${describe(node)}`;
    return walk.error('duration', text, node);
  }
  const [, sign, seconds = '', fraction = ''] = match;
  if (BigInt(seconds) > MAX_PROTO_SECONDS)
    return walk.error('duration', `must be shorter than ${MAX_PROXY_SECONDS} s, found ${describe(node)}`, node);
  const nanos = BigInt(seconds) * NANOS_PER_SECOND + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nanos : nanos;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, us: 1e-6, ms: 0.001, s: 1, m: 60, min: 60, h: 3600 };

/** Suggests the same duration in the only unit that protobuf knows. */
function durationHint(node: SourceNode): string {
  const match = node.kind === 'scalar' ? /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(node.text) : null;
  const unit = own(UNIT_SECONDS, match?.[2]?.toLowerCase() ?? '-');
  if (match === null || unit === undefined) return '';
  return ` (here: "${Number((Number(match[1]) * unit).toFixed(9))}s")`;
}

const PART_LIMITS: Readonly<Record<string, bigint>> = { seconds: MAX_PROTO_SECONDS, nanos: NANOS_PER_SECOND - 1n };

function durationMessage(node: MapNode, walk: Walk): bigint | Invalid {
  const parts: Record<string, bigint | Invalid> = {};
  for (const entry of distinct(node, walk)) {
    const { key, value } = entry;
    if (isNull(value)) continue;
    const limit = own(PART_LIMITS, key);
    if (limit === undefined)
      return walk.error('unknown-field', `${key} is not a field of Duration (seconds, nanos)`, keySpan(entry));
    parts[key] = walk.part(key, (part) => readInteger(part, walk, -limit, limit, -limit, limit), value);
  }
  const { seconds = 0n, nanos = 0n } = parts;
  if (seconds === INVALID || nanos === INVALID) return INVALID;
  // Neither part of a positive duration is negative.
  return seconds < 0n || nanos < 0n ? -1n : seconds * NANOS_PER_SECOND + nanos;
}

export const struct = (): Schema<StructValue> =>
  mark(reading<StructValue>('Struct', readStruct), { json: () => ({ type: 'object' }) });

export const readStruct = (node: SourceNode, walk: Walk): StructValue | Invalid =>
  node.kind !== 'map' ? walk.error('type', `expected a map, found ${describe(node)}`, node) : structOf(node, walk);

function structOf(node: MapNode, walk: Walk): StructValue {
  const entries = distinct(node, walk).map(({ key, value }) => [key, walk.part(key, readValue, value) as JsonValue]);
  return Object.fromEntries(entries) as StructValue;
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

/** `google.protobuf.UInt32Value` and its like: the bare value, or a message with a `value`. */
function wrapped<T>(typeName: string, inner: Schema<T>): Schema<T> {
  const { zero, limits = '' } = inner.marks;
  const read = readerOf(inner);
  const wrapper = reading<T>(typeName, (node, walk) => {
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
  return mark(wrapper, {
    limits,
    json: (of) => ({
      anyOf: [of(inner), { type: 'object', properties: { value: of(inner) }, additionalProperties: false }],
    }),
  });
}

export const uint32Value = (bounds: Bounds = {}): Schema<number> => wrapped('UInt32Value', uint32(bounds));
export const uint64Value = (bounds: Bounds = {}): Schema<bigint> => wrapped('UInt64Value', uint64(bounds));
export const doubleValue = (bounds: Bounds = {}): Schema<number> => wrapped('DoubleValue', double(bounds));
export const boolValue = (): Schema<boolean> => wrapped('BoolValue', bool());
