/** Types of the tables, with their limits, as schemas. */
import { own } from '../../core/own.js';
import { apiOf, type ApiField, type ApiVersion } from '../api/api.js';
import { displayName } from '../api/message-names.js';
import { reading } from './combinators.js';
import { takesEmpty, type Limit } from './limits.js';
import {
  bool,
  boolValue,
  bytes,
  double,
  doubleValue,
  duration,
  enumeration,
  int64,
  string,
  struct,
  uint32,
  uint32Value,
  uint64,
  uint64Value,
} from './proto.js';
import type { Bounds } from './proto/numbers.js';
import type { StringLimits } from './proto/strings.js';
import { readValue } from './proto/well-known.js';
import { mark, messageInfo, Schema } from './schema.js';
import { INVALID, type Walk, type Read } from './context.js';
import { describe } from './error-words.js';
import { readerOf } from './walk.js';

export interface Types {
  readonly any: Schema<unknown>;
  readonly message: (name: string, version: ApiVersion) => Schema<unknown> | undefined;
}

/** The schema of one value of a field. */
export function typeOf(field: ApiField, limits: readonly Limit[], version: ApiVersion, types: Types): Schema<unknown> {
  // Where an empty value is accepted, each limit is checked after the type.
  const typed = takesEmpty(field) ? [] : limits;
  const { schema, left } = bareType(field, typed, version, types);
  const behind = takesEmpty(field) ? limits : left;
  const checked = secret(field, limited(schema, behind, takesEmpty(field)));
  return limits.length === 0 ? checked : orUnlimited(checked, bareType(field, [], version, types).schema);
}

/** The same value, without limits where the proxy checks none. */
function orUnlimited(checked: Schema<unknown>, bare: Schema<unknown>): Schema<unknown> {
  const limited = readerOf(checked);
  const free = readerOf(bare);
  const read: Read = (node, walk) => {
    const value = walk.isUnlimited ? free(node, walk) : undefined;
    // The proxy rejects NaN.
    return value === undefined || Number.isNaN(value) ? limited(node, walk) : value;
  };
  return mark(checked, { read });
}

interface Typed {
  readonly schema: Schema<unknown>;
  /** Limits that the type's own reader does not know. */
  readonly left: readonly Limit[];
}

function bareType(field: ApiField, limits: readonly Limit[], version: ApiVersion, types: Types): Typed {
  const { kind, type } = field;
  if (kind === 'message') return { schema: types.message(type, version) ?? FOREIGN, left: limits };
  if (kind === 'enum') return { schema: enumOf(field, version), left: limits };
  if (type === 'Any') return { schema: types.any, left: limits };
  const read = own(TYPES, type);
  if (read === undefined) throw new TypeError(`a table has the type ${type}, which is not read here`);
  return read(limits);
}

/** Formats defined elsewhere are accepted unchecked. */
const FOREIGN = mark(reading<unknown>('Value', readValue), { json: () => ({}) });

const NOTHING = messageInfo('proxy', 'google.protobuf.Empty', () => ({}), { doc: 'Nothing.' });
const EMPTY = new Schema<unknown>({ kind: 'value' }, { message: NOTHING });

function enumOf({ type, limits }: ApiField, version: ApiVersion): Schema<unknown> {
  const values = apiOf(version).enumeration(type) ?? [];
  const advice = apiOf(version).adviceOn(type);
  const deprecated = values.flatMap((value) =>
    value.deprecated && (version === 'v3' || advice[value.name] !== undefined)
      ? [[value.name, advice[value.name] ?? 'the API says so'] as const]
      : [],
  );
  return enumeration(displayName(type), Object.fromEntries(values.map(({ name, number }) => [name, number])), {
    open: !limits.includes('defined') && !limits.includes('each:defined'),
    deprecated: Object.fromEntries(deprecated),
    hints: advice,
  });
}

// --- numbers and texts with limits ---------------------------------------------------------------------------------

/** A pattern, and the other limits. */
function split(limits: readonly Limit[], pattern: RegExp): readonly [RegExpExecArray[], readonly Limit[]] {
  const taken = limits.flatMap(({ word }) => {
    const found = pattern.exec(word);
    return found === null ? [] : [found];
  });
  return [taken, limits.filter(({ word }) => !pattern.test(word))];
}

/** The types of single values, by their names in the tables. */
const TYPES: Readonly<Record<string, (limits: readonly Limit[]) => Typed>> = {
  bool: (left) => ({ schema: bool(), left }),
  BoolValue: (left) => ({ schema: boolValue(), left }),
  uint32: (limits) => numberType(uint32, WHOLE, limits),
  UInt32Value: (limits) => numberType(uint32Value, WHOLE, limits),
  uint64: (limits) => numberType(uint64, WHOLE, limits),
  UInt64Value: (limits) => numberType(uint64Value, WHOLE, limits),
  int32: (limits) => numberType(int64, WHOLE, limits, { min: -2147483648, max: 2147483647 }),
  int64: (limits) => numberType(int64, WHOLE, limits),
  double: (limits) => numberType(double, DECIMAL, limits),
  float: (limits) => numberType(double, DECIMAL, limits),
  DoubleValue: (limits) => numberType(doubleValue, DECIMAL, limits),
  FloatValue: (limits) => numberType(doubleValue, DECIMAL, limits),
  Duration: (limits) => numberType(duration, SECONDS, limits),
  string: stringType,
  StringValue: stringType,
  Timestamp: stringType,
  bytes: bytesType,
  BytesValue: bytesType,
  Struct: (left) => ({ schema: struct(), left }),
  Value: (left) => ({ schema: FOREIGN, left }),
  Empty: (left) => ({ schema: EMPTY, left }),
};

/** The bounds that the readers of numbers know, each with a sign and a number. */
const WHOLE = /^(>=|>|<=|<)(-?\d+)$/;
const DECIMAL = /^(>=|>|<=)(-?[\d.]+)$/;
const SECONDS = /^(>=|>|<)([\d.]+)s$/;

const BOUNDS: Readonly<Record<string, keyof Bounds>> = { '>=': 'min', '>': 'above', '<=': 'max', '<': 'below' };

function numberType(
  of: (bounds: Bounds) => Schema<unknown>,
  known: RegExp,
  limits: readonly Limit[],
  ofType: Bounds = {},
): Typed {
  const [taken, left] = split(limits, known);
  const bounds = taken.map(([, sign = '', bound]) => [BOUNDS[sign] ?? '', Number(bound)] as const);
  return { schema: of({ ...ofType, ...Object.fromEntries(bounds) }), left };
}

function bytesType(limits: readonly Limit[]): Typed {
  const [filled, left] = split(limits, /^(?:len|bytes)>=1$/);
  return { schema: bytes(filled.length > 0 ? { minLength: 1 } : {}), left };
}

const HEADER = /^header-(name|value)\?$/;
const LINE = /^line=(\w+)$/;

function stringType(limits: readonly Limit[]): Typed {
  const [bounds, rest] = split(limits, /^(?:(bytes|len)(>=)(1)|(bytes)(>=|<=)(\d+))$/);
  const [headers, others] = split(rest, HEADER);
  const [lines, left] = split(others, LINE);
  const range: { -readonly [K in keyof StringLimits]: StringLimits[K] } = {};
  for (const [, , filled, , , sign, bound] of bounds) {
    if (filled !== undefined || bound === '1') range.minLength = 1;
    else range[sign === '>=' ? 'minBytes' : 'maxBytes'] = Number(bound);
  }
  const what = headers[0] === undefined ? lines[0]?.[1] : `header ${headers[0][1] ?? ''}`;
  if (what !== undefined) range.pattern = { regex: /^[^\0\r\n]*$/, means: `a ${what} on one line` };
  return { schema: string(range), left };
}

// --- what stands around a type -------------------------------------------------------------------------------------

function limited(schema: Schema<unknown>, limits: readonly Limit[], empty: boolean): Schema<unknown> {
  if (limits.length === 0) return schema;
  const words = limits.map((limit) => limit.words).join(' and ');
  const inner = readerOf(schema);
  const read: Read = (node, walk) => {
    const value = inner(node, walk);
    if (value === INVALID || (empty && (value === '' || value === 0))) return value;
    if (limits.every(({ holds }) => holds(value))) return value;
    const rule = value === '' ? 'required' : 'range';
    return walk.error(rule, value === '' ? 'must not be empty' : `must ${words}, found ${describe(node)}`, node);
  };
  const limitText = [schema.marks.limits ?? '', words].filter((text) => text !== '').join('; ');
  return mark(schema, { read, limits: limitText });
}

/** Problems in a secret are reported without quoting it. */
function secret(field: ApiField, schema: Schema<unknown>): Schema<unknown> {
  if (!field.sensitive) return schema;
  const inner = readerOf(schema);
  const read: Read = (node, walk: Walk) => {
    const trial = walk.trial();
    // In fields without effect a mistake would be a note, which quotes the text.
    trial.idle = 0;
    const value = inner(node, trial);
    if (trial.errors === 0) return value;
    // The place of the value without its text, so that no excerpt is shown.
    const start = { start: node.start, end: node.start };
    return walk.error('secret', `${field.name} cannot be read; it is secret and not shown`, start);
  };
  return mark(schema, { read });
}
