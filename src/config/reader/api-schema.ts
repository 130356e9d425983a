import { assert } from '../../core/assert.js';
/**
 * Makes schemas from the tables of the API. A field is read, checked and documented by its table line alone; `read.txt` says
 * which of them the simulation reads, and code has rules across fields, and readers of its own for a few.
 */
import { defined, entryOf, type AnyValue, own as ownOf } from '../../core/values.js';
import { apiOf, type ApiField, type ApiMessage, type ApiVersion, type Texts } from '../api/api.js';
import { HINTS } from '../api/generated/hints.js';
import { READ_MESSAGES, type Messages } from '../api/generated/read-messages.js';
import { displayName, formerMessage, formerName, tableName } from '../api/message-names.js';
import { valueDefault } from '../../core/defaults.js';
import { anySchema, type AnyOptions } from './any-value.js';
import { typeOf } from './api-types.js';
import { list, mapping } from './combinators.js';
import { extensionCheck } from './extension-points.js';
import { camel } from './letter-case.js';
import { keyProblem, limitsOf, listProblem, mustBeWritten } from './limits.js';
import * as schemas from './schema.js';

export interface OwnMessage extends Pick<schemas.MessageInfo, 'name' | 'rules'> {
  /** Fields with a reader of their own. */
  readonly own: () => schemas.Shape;
  /** Fields whose reader is another one around that of the tables. */
  readonly around?: Readonly<Record<string, (schema: schemas.Schema<unknown>) => schemas.Schema<unknown>>>;
  /** Looks at the message of v3 as it is written, before it is read. */
  readonly before?: schemas.Before;
}

const written = new Map<string, schemas.Schema<unknown>>();

/** A message of which code has nothing more to say: one schema, whoever asks first. */
export function plainSchema(name: string): schemas.Schema<unknown> {
  return written.get(name) ?? ownSchema({ name, own: () => ({}), rules: [] });
}

export function ownSchema(message: OwnMessage): schemas.Schema<unknown> {
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
  const marks = {
    get message() {
      return as('v2');
    },
  };
  const schema = new schemas.Schema<unknown>({ kind: 'value' }, marks);
  written.set(message.name, schema);
  return schema;
}

const made = new Map<string, schemas.Schema<unknown> | undefined>();

/** The schema of a message of an API, by its full name; undefined: the API has no such message. */
export function apiSchema(name: string, version: ApiVersion): schemas.Schema<unknown> | undefined {
  const shown = displayName(formerMessage(name, version) ?? name);
  const own = written.get(shown);
  if (own !== undefined) return own;
  if (Object.hasOwn(READ_MESSAGES, shown)) return plainSchema(shown);
  return entryOf(made, `${version} ${name}`, () => {
    const table = apiOf(version).message(name);
    if (table === undefined) return undefined;
    const view: schemas.MessageInfo = messageView(table, version, undefined, () => view);
    return new schemas.Schema({ kind: 'value' }, { message: view });
  });
}

export const any = (options: AnyOptions): schemas.Schema<AnyValue> => anySchema(options, apiSchema);

/** The message that an Any holds; undefined: it is of another type. @param type its name in v3, where v2 has another. */
export function messageIn<N extends keyof Messages>(
  any: AnyValue | undefined,
  name: N,
  type: string = name,
): Messages[N] | undefined {
  return any?.known === true && any.type === type ? (any.value as Messages[N]) : undefined;
}

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
  let fields: Fields | undefined;
  const made = (): Fields => (fields ??= fieldsOf(table, former, version, own));
  return {
    name: version === 'v2' && own !== undefined ? own.name : displayName(table.name),
    vocabulary: 'proxy',
    doc: former?.texts.doc ?? table.texts.doc ?? '',
    get shape() {
      return made().shape;
    },
    get dropped() {
      return made().dropped;
    },
    get oneOfs() {
      return groupsOf(table, former);
    },
    rules: own?.rules ?? [],
    get hints() {
      if (version === 'v2') return ownOf(HINTS, own?.name ?? '') ?? {};
      const { shape } = made();
      const kept = new Set([...Object.keys(shape), ...Object.keys(shape).map(formerName)]);
      const gone = (former?.fields ?? []).filter(({ name }) => !kept.has(name));
      return Object.fromEntries(gone.map(({ name }) => [name, `it is v2 and has no place in ${version}`]));
    },
    get before() {
      if (version === 'v2') return [];
      const { shape } = made();
      const isIdle = (field: string): boolean => {
        const { idle, noEffect } = shape[field]?.marks ?? {};
        return idle === true || noEffect !== undefined;
      };
      return [extensionCheck(table, isIdle), own?.before].filter((check) => check !== undefined);
    },
    idle,
    as,
  };
}

function formerTable({ name }: ApiMessage): ApiMessage | undefined {
  const former = formerMessage(name, 'v3');
  return former === undefined ? undefined : apiOf('v2').message(former);
}

type Fields = Pick<schemas.MessageInfo, 'shape' | 'dropped'>;

type Reading = Readonly<{ absent: schemas.FieldAbsent; own: schemas.Schema<unknown> | undefined }>;

function fieldsOf(
  table: ApiMessage,
  former: ApiMessage | undefined,
  version: ApiVersion,
  message: OwnMessage | undefined,
): Fields {
  const shape: Record<string, schemas.Schema<unknown>> = {};
  const reads = message === undefined ? {} : (READ_MESSAGES[message.name] ?? {});
  const own = message?.own() ?? {};
  const left = new Map(Object.entries(reads).map(([name, absent]) => [name, { absent, own: own[name] }]));
  const single = new Set(singles(table));
  for (const field of table.fields) {
    const name = version === 'v2' ? field.name : formerName(field.name);
    const texts = former?.fields.find((one) => one.name === name)?.texts ?? {};
    const bare = fieldSchema(field, texts, version, left.get(name), single.has(field.oneOf ?? ''));
    const schema = message?.around?.[name]?.(bare) ?? bare;
    shape[field.name] = version === 'v3' ? withOwnWords(schema, field.texts) : schema;
    left.delete(name);
  }
  // Newer than v2, and in an extension message in v3.
  for (const field of version === 'v2' ? [] : (former?.fields ?? [])) {
    const { since, ...texts } = field.texts;
    if (since === undefined || Object.hasOwn(shape, field.name)) continue;
    shape[field.name] = fieldSchema(field, texts, 'v2', left.get(field.name), false);
    left.delete(field.name);
  }
  const dropped = [...left].flatMap(([name, { absent }]) =>
    typeof absent === 'string' ? [] : [[camel(name), absent.zero] as const],
  );
  return { shape, dropped: Object.fromEntries(dropped) };
}

/** What is said of v3 alone: its own words go before those of v2. A mistake in the field is reported as before. */
function withOwnWords(schema: schemas.Schema<unknown>, texts: Texts): schemas.Schema<unknown> {
  if (!isDocumented(texts)) return schema;
  const { noEffect, ...marks } = schema.marks;
  return new schemas.Schema(schema.form, { ...marks, ...wordMarks(texts) });
}

/** Groups with one usable field that must be set: this field is required. */
function singles({ fields, requiredOneOfs }: ApiMessage): readonly string[] {
  return requiredOneOfs.filter((name) => fields.filter(({ oneOf }) => oneOf === name).length === 1);
}

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
  single: boolean,
): schemas.Schema<unknown> {
  const documented = isDocumented(texts);
  const marks = {
    ...fieldMarks(field, texts, version),
    ...(mine === undefined && { unread: true as const }),
    ...(mine === undefined && !documented && { idle: true as const }),
    ...(mine === undefined && version === 'v3' && texts.noEffect !== undefined && { lenient: true as const }),
  };
  const inner = mine?.own ?? labelled(field, version, documented);
  return new schemas.Schema(presence(field, inner, mine?.absent, single, texts.byDefault), marks);
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

function presence(
  field: ApiField,
  inner: schemas.Schema<unknown>,
  absent: schemas.FieldAbsent | undefined,
  single: boolean,
  documented: string | undefined,
): schemas.Form {
  if (single || mustBeWritten(field) || absent === '!') return { kind: 'same', inner };
  if (absent === '?') return { kind: 'optional', inner };
  const { zero } = inner.marks;
  if (absent !== undefined) {
    const value = documented === undefined ? undefined : valueDefault(field.type, documented);
    return { kind: 'default', inner, value: value ?? absent.zero ?? zero };
  }
  if (field.label !== 'one') return { kind: 'default', inner, value: field.label === 'map' ? {} : [] };
  const isPlain = zero !== undefined && field.oneOf === undefined && /^(?:scalar|enum)$/.test(field.kind);
  return isPlain ? { kind: 'default', inner, value: zero } : { kind: 'optional', inner };
}

function labelled(field: ApiField, version: ApiVersion, documented: boolean): schemas.Schema<unknown> {
  const any = !documented ? anyMessage.open : field.label === 'map' ? anyMessage.named : anyMessage.strict;
  const own = limitsOf(field);
  const one = typeOf(field, field.label === 'one' ? own : limitsOf(field, 'each:'), version, {
    any,
    message: apiSchema,
  });
  switch (field.label) {
    case 'one':
      return one;
    case 'repeated':
      if (own.others.length === 0) return list(one);
      return list(one).checked((items, fail) => {
        const problem = listProblem(own.others, items, field.name);
        if (problem !== undefined) fail('range', problem);
      });
    case 'map': {
      const { others: keys } = limitsOf(field, 'keys:');
      return mapping(one, keys.length === 0 ? undefined : (key) => keyProblem(keys, key));
    }
  }
}
