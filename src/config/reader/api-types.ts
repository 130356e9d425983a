/** Types of the tables, with their limits, as schemas. */
import { own } from '../../core/values.js';
import { apiOf, type ApiField, type ApiVersion } from '../api/api.js';
import { displayName } from '../api/message-names.js';
import { reading } from './combinators.js';
import { limited, takesEmpty, type Limits } from './limits.js';
import { bool, bytes, enumeration, string } from './proto/strings.js';
import { boolValue, doubleValue, duration, struct, uint32Value, uint64Value, readValue } from './proto/well-known.js';
import { type Bounds, double, int64, uint32, uint64 } from './proto/numbers.js';
import { mark, messageInfo, Schema } from './schema.js';
import { INVALID, type Walk, type Read } from './context.js';
import { readerOf } from './walk.js';

export interface Types {
  readonly any: Schema<unknown>;
  readonly message: (name: string, version: ApiVersion) => Schema<unknown> | undefined;
}

export function typeOf(
  field: ApiField,
  { bounds, others }: Limits,
  version: ApiVersion,
  types: Types,
): Schema<unknown> {
  const free = secret(field, bareType(field, {}, version, types));
  if (others.length === 0 && Object.keys(bounds).length === 0) return free;
  return whereAsked(secret(field, limited(bareType(field, bounds, version, types), others)), free, takesEmpty(field));
}

/** The same value, without limits where the proxy checks none, and where an empty value is accepted. */
function whereAsked(checked: Schema<unknown>, bare: Schema<unknown>, empty: boolean): Schema<unknown> {
  const strict = readerOf(checked);
  const free = readerOf(bare);
  const read: Read = (node, walk) => {
    if (!walk.isUnlimited && !empty) return strict(node, walk);
    const value = free(node, walk);
    if (value === INVALID || (empty && (value === '' || value === 0))) return value;
    // The proxy rejects NaN.
    return walk.isUnlimited && !Number.isNaN(value) ? value : strict(node, walk);
  };
  return mark(checked, { read });
}

function bareType(field: ApiField, bounds: Bounds, version: ApiVersion, types: Types): Schema<unknown> {
  const { kind, type } = field;
  if (kind === 'message') return types.message(type, version) ?? FOREIGN;
  if (kind === 'enum') return enumOf(field, version);
  if (type === 'Any') return types.any;
  const made = own(TYPES, type);
  if (made === undefined) throw new TypeError(`a table has the type ${type}, which is not read here`);
  return made(bounds);
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

const TYPES: Readonly<Record<string, (bounds: Bounds) => Schema<unknown>>> = {
  bool,
  BoolValue: boolValue,
  uint32,
  UInt32Value: uint32Value,
  uint64,
  UInt64Value: uint64Value,
  int32: (bounds) => int64({ min: -2147483648, max: 2147483647, ...bounds }),
  int64,
  double,
  float: double,
  DoubleValue: doubleValue,
  FloatValue: doubleValue,
  Duration: duration,
  string,
  StringValue: string,
  Timestamp: string,
  bytes,
  BytesValue: bytes,
  Struct: struct,
  Value: () => FOREIGN,
  Empty: () => EMPTY,
};

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
