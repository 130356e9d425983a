/**
 * Makes schemas from the tables of the API. A field is read, checked and documented by its table line alone; `read.txt` says
 * which of them the simulation reads, and code has rules across fields, and readers of its own for a few.
 */
import { assert } from '../../core/assert.js';
import { defined, entryOf, type AnyValue, lazily, own as ownOf, present } from '../../core/values.js';
import { apiOf, type ApiField, type ApiMessage, type ApiVersion, type Texts } from '../api/api.js';
import { HINTS } from '../api/generated/hints.js';
import { READ_MESSAGES, type Messages } from '../api/generated/read-messages.js';
import { displayName, formerMessage, formerName, tableName } from '../api/message-names.js';
import { valueDefault } from '../../core/defaults.js';
import { anySchema, type AnyOptions } from './any-value.js';
import { list, mapping, reading } from './combinators.js';
import { INVALID, type Read, type Walk } from './context.js';
import { extensionCheck } from './extension-points.js';
import { camel } from './letter-case.js';
import * as limiting from './limits.js';
import { type Bounds, double, int64, uint32, uint64 } from './proto/numbers.js';
import { bool, bytes, enumeration, string } from './proto/strings.js';
import * as wellKnown from './proto/well-known.js';
import type * as schemas from './schema.js';
import { mark, messageInfo, Schema } from './schema.js';
import { readerOf } from './walk.js';

export interface OwnMessage extends Pick<schemas.MessageInfo, 'name' | 'rules'> {
  /** Fields with a reader of their own. */
  readonly own: () => schemas.Shape;
  /** Fields whose reader is another one around that of the tables. */
  readonly around?: Readonly<Record<string, (schema: Schema<unknown>) => Schema<unknown>>>;
  /** Looks at the message of v3 as it is written, before it is read. */
  readonly before?: schemas.Before;
}

const written = new Map<string, Schema<unknown>>();

/** A message of which code has nothing more to say: one schema, whoever asks first. */
export const plainSchema = (name: string): Schema<unknown> =>
  written.get(name) ?? ownSchema({ name, own: () => ({}), rules: [] });

export function ownSchema(message: OwnMessage): Schema<unknown> {
  assert(!written.has(message.name), `${message.name} is read before its rules are known`);
  const views = new Map<ApiVersion, schemas.MessageInfo>();
  const as = (version: ApiVersion): schemas.MessageInfo =>
    entryOf(views, version, () => {
      const known = tableName(message.name, version);
      const table = known === undefined ? undefined : apiOf(version).message(known);
      if (table !== undefined) return messageView(table, version, message, as);
      // One API alone has it.
      return as(version === 'v2' ? 'v3' : 'v2');
    });
  // The table of a v2 message is read on demand.
  const schema = new Schema<unknown>({ kind: 'value' }, lazily({}, { message: () => as('v2') }));
  written.set(message.name, schema);
  return schema;
}

const made = new Map<string, Schema<unknown> | undefined>();

/** The schema of a message of an API, by its full name; undefined: the API has no such message. */
export function apiSchema(name: string, version: ApiVersion): Schema<unknown> | undefined {
  const shown = displayName(formerMessage(name, version) ?? name);
  const own = written.get(shown);
  if (own !== undefined) return own;
  if (Object.hasOwn(READ_MESSAGES, shown)) return plainSchema(shown);
  return entryOf(made, `${version} ${name}`, () => {
    const table = apiOf(version).message(name);
    if (table === undefined) return undefined;
    const view: schemas.MessageInfo = messageView(table, version, undefined, () => view);
    return new Schema({ kind: 'value' }, { message: view });
  });
}

export const any = (options: AnyOptions): Schema<AnyValue> => anySchema(options, apiSchema);

/** The message that an Any holds; undefined: it is of another type. @param type its name in v3, where v2 has another. */
export const messageIn = <N extends keyof Messages>(
  any: AnyValue | undefined,
  name: N,
  type: string = name,
): Messages[N] | undefined => (any?.known === true && any.type === type ? (any.value as Messages[N]) : undefined);

/** An Any in the tables: any message of the proxy; `strict` reports other types, `open` accepts them. */
const anyMessage = {
  strict: any({ types: {} }),
  /** Options by the name of a filter, which may be one of another build. */
  named: any({ types: {}, unread: true }),
  open: any({ types: {}, open: true }),
};

function messageView(
  table: ApiMessage,
  version: ApiVersion,
  own: OwnMessage | undefined,
  as: schemas.MessageInfo['as'],
): schemas.MessageInfo {
  const former = version === 'v2' ? table : formerTable(table);
  const idle = own === undefined && former?.texts.doc === undefined && table.texts.doc === undefined;
  const base = {
    name: version === 'v2' && own !== undefined ? own.name : displayName(table.name),
    vocabulary: 'proxy' as const,
    doc: former?.texts.doc ?? table.texts.doc ?? '',
    docs: {},
    rules: own?.rules ?? [],
    idle,
    as,
  };
  const made = lazily({}, { fields: () => fieldsOf(table, former, version, own) });
  return lazily(base, {
    shape: () => made.fields.shape,
    absents: () => made.fields.absents,
    dropped: () => made.fields.dropped,
    oneOfs: () => groupsOf(table, former),
    hints: (): schemas.MessageInfo['hints'] => {
      if (version === 'v2') return ownOf(HINTS, own?.name ?? '') ?? {};
      const { shape } = made.fields;
      const kept = new Set([...Object.keys(shape), ...Object.keys(shape).map(formerName)]);
      const gone = (former?.fields ?? []).filter(({ name }) => !kept.has(name));
      return Object.fromEntries(gone.map(({ name }) => [name, `it is v2 and has no place in ${version}`]));
    },
    before: (): readonly schemas.Before[] => {
      if (version === 'v2') return [];
      const isIdle = (field: string): boolean => {
        const { idle, noEffect } = made.fields.shape[field]?.marks ?? {};
        return idle === true || noEffect !== undefined;
      };
      return present([extensionCheck(table, isIdle), own?.before]);
    },
  });
}

function formerTable({ name }: ApiMessage): ApiMessage | undefined {
  const former = formerMessage(name, 'v3');
  return former === undefined ? undefined : apiOf('v2').message(former);
}

type Fields = Pick<schemas.MessageInfo, 'shape' | 'absents' | 'dropped'>;

type Reading = Readonly<{ absent: schemas.FieldAbsent; own: Schema<unknown> | undefined }>;

function fieldsOf(
  table: ApiMessage,
  former: ApiMessage | undefined,
  version: ApiVersion,
  message: OwnMessage | undefined,
): Fields {
  const makers: Record<string, () => Schema<unknown>> = {};
  const absents: Record<string, schemas.Absent | undefined> = {};
  const reads = message === undefined ? {} : (READ_MESSAGES[message.name] ?? {});
  const own = message?.own() ?? {};
  const left = new Map(Object.entries(reads).map(([name, absent]) => [name, { absent, own: own[name] }]));
  const makerOf = (field: ApiField, texts: Texts, of: ApiVersion, name: string, single: boolean) => {
    const mine = left.get(name);
    left.delete(name);
    const absent = (absents[field.name] = absentOf(field, mine?.absent, single, texts.byDefault));
    return () => fieldSchema(field, texts, of, mine, absent);
  };
  const single = new Set(singles(table));
  for (const field of table.fields) {
    const name = version === 'v2' ? field.name : formerName(field.name);
    const texts = former?.fields.find((one) => one.name === name)?.texts ?? {};
    const make = makerOf(field, texts, version, name, single.has(field.oneOf ?? ''));
    makers[field.name] = () => {
      const schema = message?.around?.[name]?.(make()) ?? make();
      return version === 'v3' ? withOwnWords(schema, field.texts) : schema;
    };
  }
  // Newer than v2, and in an extension message in v3.
  for (const field of version === 'v2' ? [] : (former?.fields ?? [])) {
    const { since, ...texts } = field.texts;
    if (since === undefined || Object.hasOwn(makers, field.name)) continue;
    makers[field.name] = makerOf(field, texts, 'v2', field.name, false);
  }
  const dropped = [...left].flatMap(([name, { absent }]) =>
    typeof absent === 'string' ? [] : [[camel(name), absent.zero] as const],
  );
  return { shape: lazily({}, makers), absents, dropped: Object.fromEntries(dropped) };
}

/** What is said of v3 alone: its own words go before those of v2. A mistake in the field is reported as before. */
function withOwnWords(schema: Schema<unknown>, texts: Texts): Schema<unknown> {
  if (!isDocumented(texts)) return schema;
  const { noEffect, ...marks } = schema.marks;
  return new Schema(schema.form, { ...marks, ...wordMarks(texts) });
}

/** Groups with one usable field that must be set: this field is required. */
const singles = ({ fields, requiredOneOfs }: ApiMessage): readonly string[] =>
  requiredOneOfs.filter((name) => fields.filter(({ oneOf }) => oneOf === name).length === 1);

function groupsOf(table: ApiMessage, former: ApiMessage | undefined): readonly schemas.OneOf[] {
  const single = singles(table);
  const groups = new Map<string, string[]>();
  for (const { name, oneOf } of table.fields)
    if (oneOf !== undefined && !single.includes(oneOf)) groups.set(oneOf, [...(groups.get(oneOf) ?? []), name]);
  const documented = (name: string): boolean => {
    const known = former?.fields.filter(({ oneOf }) => oneOf === name) ?? [];
    return known.length > 0 && known.every(({ texts }) => isDocumented(texts));
  };
  return [...groups].map(([name, fields]) => ({
    name,
    fields,
    required: table.requiredOneOfs.includes(name),
    idle: !documented(name),
  }));
}

const isDocumented = (texts: Texts): boolean => Object.keys(texts).length > 0;

/** @param mine undefined: its value is not read. */
function fieldSchema(
  field: ApiField,
  texts: Texts,
  version: ApiVersion,
  mine: Reading | undefined,
  absent: schemas.Absent | undefined,
): Schema<unknown> {
  const documented = isDocumented(texts);
  const marks = {
    ...fieldMarks(field, texts, version),
    ...(mine === undefined && { unread: true as const }),
    ...(mine === undefined && !documented && { idle: true as const }),
    ...(mine === undefined && version === 'v3' && texts.noEffect !== undefined && { lenient: true as const }),
  };
  const inner = mine?.own ?? labelled(field, version, documented);
  return new Schema(presence(field, inner, absent, mine !== undefined), marks);
}

const wordMarks = ({ instead, since, ...words }: Texts): schemas.FieldMarks => words;

function fieldMarks(field: ApiField, texts: Texts, version: ApiVersion): schemas.FieldMarks {
  // What v3 continues has the words of v2, which speak of the fields of v2.
  const { instead } = version === 'v3' ? field.texts : texts;
  const since = version === 'v3' ? undefined : texts.since;
  const deprecated = instead ?? (field.deprecated ? '' : undefined);
  const extension = since === undefined ? undefined : `since ${since}`;
  const sensitive = field.sensitive ? (true as const) : undefined;
  return { ...wordMarks(texts), ...defined({ deprecated, extension, sensitive }) };
}

/** What the absence of a field says; undefined: it is the zero of its type. */
function absentOf(
  field: ApiField,
  read: schemas.FieldAbsent | undefined,
  single: boolean,
  documented: string | undefined,
): schemas.Absent | undefined {
  if (single || limiting.mustBeWritten(field) || read === '!') return { kind: 'error' };
  if (read === '?' || read === undefined) return { kind: 'omit' };
  const value = documented === undefined ? undefined : valueDefault(field.type, documented);
  return (value ?? read.zero) === undefined ? undefined : { kind: 'default', value: value ?? read.zero };
}

function presence(
  field: ApiField,
  inner: Schema<unknown>,
  absent: schemas.Absent | undefined,
  isRead: boolean,
): schemas.Form {
  const { zero } = inner.marks;
  if (absent === undefined) return { kind: 'default', inner, value: zero };
  if (absent.kind === 'default') return { ...absent, inner };
  if (absent.kind === 'error') return { kind: 'same', inner };
  if (!isRead && field.label !== 'one') return { kind: 'default', inner, value: field.label === 'map' ? {} : [] };
  const isPlain = zero !== undefined && field.oneOf === undefined && /^(?:scalar|enum)$/.test(field.kind);
  return !isRead && isPlain ? { kind: 'default', inner, value: zero } : { kind: 'optional', inner };
}

function labelled(field: ApiField, version: ApiVersion, documented: boolean): Schema<unknown> {
  const any = !documented ? anyMessage.open : field.label === 'map' ? anyMessage.named : anyMessage.strict;
  const own = limiting.limitsOf(field);
  const one = typeOf(field, field.label === 'one' ? own : limiting.limitsOf(field, 'each:'), version, any);
  switch (field.label) {
    case 'one':
      return one;
    case 'repeated':
      if (own.others.length === 0) return list(one);
      return list(one).checked((items, fail) => {
        const problem = limiting.listProblem(own.others, items, field.name);
        if (problem !== undefined) fail('range', problem);
      });
    case 'map': {
      const { others: keys } = limiting.limitsOf(field, 'keys:');
      return mapping(one, keys.length === 0 ? undefined : (key) => limiting.keyProblem(keys, key));
    }
  }
}

/** Types of the tables, with their limits. */
function typeOf(field: ApiField, { bounds, others }: limiting.Limits, version: ApiVersion, any: Schema<unknown>) {
  const free = secret(field, bareType(field, {}, version, any));
  if (others.length === 0 && Object.keys(bounds).length === 0) return free;
  const checked = secret(field, limiting.limited(bareType(field, bounds, version, any), others));
  return whereAsked(checked, free, limiting.takesEmpty(field));
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

function bareType(field: ApiField, bounds: Bounds, version: ApiVersion, any: Schema<unknown>): Schema<unknown> {
  const { kind, type } = field;
  if (kind === 'message') return apiSchema(type, version) ?? FOREIGN;
  if (kind === 'enum') return enumOf(field, version);
  if (type === 'Any') return any;
  const made = ownOf(TYPES, type);
  if (made === undefined) throw new TypeError(`a table has the type ${type}, which is not read here`);
  return made(bounds);
}

/** Formats defined elsewhere are accepted unchecked. */
const FOREIGN = mark(reading<unknown>('Value', wellKnown.readValue), { json: () => ({}) });

const NOTHING = messageInfo('proxy', 'google.protobuf.Empty', () => ({}), { doc: 'Nothing.' });

function enumOf({ type, limits }: ApiField, version: ApiVersion): Schema<unknown> {
  const { values = [], advice = {} } = apiOf(version).enumOf(type) ?? {};
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
  BoolValue: wellKnown.boolValue,
  uint32,
  UInt32Value: wellKnown.uint32Value,
  uint64,
  UInt64Value: wellKnown.uint64Value,
  int32: (bounds) => int64({ min: -2147483648, max: 2147483647, ...bounds }),
  int64,
  double,
  float: double,
  DoubleValue: wellKnown.doubleValue,
  FloatValue: wellKnown.doubleValue,
  Duration: wellKnown.duration,
  string,
  StringValue: string,
  Timestamp: string,
  bytes,
  BytesValue: bytes,
  Struct: wellKnown.struct,
  Value: () => FOREIGN,
  Empty: () => new Schema<unknown>({ kind: 'value' }, { message: NOTHING }),
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
