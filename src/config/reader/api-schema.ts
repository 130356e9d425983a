/**
 * Makes schemas from the tables of the API. A field without code is read, checked and documented by its table line alone;
 * the code of a message overrides it: readers of the fields that the simulation uses, and rules across fields.
 */
import { defined } from '../../core/defined.js';
import { apiOf, type ApiField, type ApiMessage, type ApiVersion, type Texts } from '../api/api.js';
import { displayName, formerMessage, formerName } from '../api/message-names.js';
import { valueDefault } from '../../core/defaults.js';
import { anySchema } from './any-value.js';
import { typeOf } from './api-types.js';
import { list, mapping } from './combinators.js';
import { type ExtensionCheck, extensionCheck } from './extension-points.js';
import { elementLimits, keyLimits, listProblem, mustBeWritten, ownLimits } from './limits.js';
import { mark, Schema, type Form, type FieldMarks, type MessageInfo, type OneOf, type Shape } from './schema.js';
import { INVALID, type Read } from './context.js';
import { readerOf } from './walk.js';
import { describe, oneOfThese } from './error-words.js';

const written = new Map<string, Schema<unknown>>();

/** @param name as in documentation. */
export function register(name: string, schema: Schema<unknown>): void {
  written.set(name, schema);
}

const made = new Map<string, Schema<unknown>>();

/** The schema of a message of an API, by its full name; undefined: the API has no such message. */
export function apiSchema(name: string, version: ApiVersion): Schema<unknown> | undefined {
  const own = written.get(displayName(formerMessage(name, version) ?? name));
  if (own !== undefined) return own;
  const key = `${version} ${name}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const table = apiOf(version).message(name);
  if (table === undefined) return undefined;
  const view: MessageInfo = messageView(table, version, undefined, () => view);
  const schema = new Schema({ kind: 'value' }, { message: view });
  made.set(key, schema);
  return schema;
}

/** An Any in the tables: any message of the proxy; `strict` reports other types, `open` accepts them. */
const anyMessage = {
  strict: anySchema({ types: {} }, apiSchema),
  /** Options by the name of a filter, which may be one of another build. */
  named: anySchema({ types: {}, unread: true }, apiSchema),
  open: anySchema({ types: {}, open: true }, apiSchema),
};

// --- messages ------------------------------------------------------------------------------------------------------

/** A message of a table, combined with its code. */
export function messageView(
  table: ApiMessage,
  version: ApiVersion,
  own: MessageInfo | undefined,
  as: MessageInfo['as'],
): MessageInfo {
  const former = version === 'v2' ? table : formerTable(table);
  const idle = former?.texts.doc === undefined;
  let fields: Fields | undefined;
  const made = (): Fields => (fields ??= fieldsOf(table, former, version, own?.shape ?? {}));
  return {
    name: version === 'v2' && own !== undefined ? own.name : displayName(table.name),
    vocabulary: 'proxy',
    doc: former?.texts.doc ?? own?.doc ?? '',
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
      if (version === 'v2') return own?.hints ?? {};
      const { shape } = made();
      const kept = new Set([...Object.keys(shape), ...Object.keys(shape).map(formerName)]);
      const gone = (former?.fields ?? []).filter(({ name }) => !kept.has(name));
      return Object.fromEntries(gone.map(({ name }) => [name, `it is v2 and has no place in ${version}`]));
    },
    get rewrite() {
      if (version === 'v2') return undefined;
      const { shape } = made();
      const isIdle = (field: string): boolean => {
        const { idle, noEffect } = shape[field]?.marks ?? {};
        return idle === true || noEffect !== undefined;
      };
      return checked(extensionCheck(table, isIdle), own?.rewrite);
    },
    idle: own === undefined && idle && READ_BY_HAND[table.name] === undefined,
    as,
  };
}

function checked(check: ExtensionCheck | undefined, rewrite: MessageInfo['rewrite']): MessageInfo['rewrite'] {
  if (check === undefined) return rewrite;
  return (node, walk) => {
    check(node, walk);
    return rewrite === undefined ? node : rewrite(node, walk);
  };
}

/**
 * Messages without v2 fields that are translated by hand: unknown fields in them, and in these fields, may have an effect.
 */
const READ_BY_HAND: Readonly<Partial<Record<string, readonly string[]>>> = {
  'config.cluster.v3.LoadBalancingPolicy': ['policies'],
  'config.cluster.v3.LoadBalancingPolicy.Policy': ['typed_extension_config'],
  'config.core.v3.TypedExtensionConfig': [],
  'extensions.clusters.aggregate.v3.ClusterConfig': ['clusters'],
  'extensions.clusters.dns.v3.DnsCluster': [],
  'extensions.upstreams.http.v3.HttpProtocolOptions': ['common_http_protocol_options', 'explicit_http_config'],
  'extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig': ['http2_protocol_options'],
};

function formerTable({ name }: ApiMessage): ApiMessage | undefined {
  const former = formerMessage(name, 'v3');
  return former === undefined ? undefined : apiOf('v2').message(former);
}

type Fields = Pick<MessageInfo, 'shape' | 'dropped'>;

function fieldsOf(table: ApiMessage, former: ApiMessage | undefined, version: ApiVersion, own: Shape): Fields {
  const shape: Record<string, Schema<unknown>> = {};
  const left = new Map(Object.entries(own));
  const single = new Set(singles(table));
  for (const field of table.fields) {
    const name = version === 'v2' ? field.name : formerName(field.name);
    const texts = former?.fields.find((one) => one.name === name)?.texts ?? {};
    const acts = READ_BY_HAND[table.name]?.includes(field.name) === true;
    const schema = fieldSchema(field, texts, version, left.get(name), single.has(field.oneOf ?? ''), acts);
    shape[field.name] = version === 'v3' ? withOwnWords(schema, field.texts) : schema;
    left.delete(name);
  }
  // Fields of v3 alone are left; whether v3 has them is looked at there.
  if (version === 'v2') return { shape, dropped: Object.fromEntries(left) };
  // Newer than v2, and in an extension message in v3.
  for (const field of former?.fields ?? []) {
    const mine = left.get(field.name);
    const { since, ...texts } = field.texts;
    if (since === undefined || Object.hasOwn(shape, field.name)) continue;
    shape[field.name] = fieldSchema(field, texts, 'v2', mine, false);
    left.delete(field.name);
  }
  const stranger = [...left.keys()].find((name) => !former?.fields.some((field) => field.name === name));
  if (stranger !== undefined) throw new TypeError(`${table.name} has no field ${stranger}`);
  return { shape, dropped: Object.fromEntries(left) };
}

/** What is said of v3 alone: its own words go before those of v2. A mistake in the field is reported as before. */
function withOwnWords(schema: Schema<unknown>, texts: Texts): Schema<unknown> {
  if (!isDocumented(texts)) return schema;
  const { noEffect, ...marks } = schema.marks;
  return new Schema(schema.form, { ...marks, ...wordMarks(texts) });
}

/** Groups with one usable field that must be set: this field is required. */
function singles({ fields, requiredOneOfs }: ApiMessage): readonly string[] {
  return requiredOneOfs.filter((name) => fields.filter(({ oneOf }) => oneOf === name).length === 1);
}

function groupsOf(table: ApiMessage, former: ApiMessage | undefined): readonly OneOf[] {
  const single = singles(table);
  const groups = new Map<string, string[]>();
  for (const { name, oneOf } of table.fields) {
    if (oneOf !== undefined && !single.includes(oneOf)) groups.set(oneOf, [...(groups.get(oneOf) ?? []), name]);
  }
  // Whether all fields of a group are documented.
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

// --- fields --------------------------------------------------------------------------------------------------------

function isDocumented(texts: Texts): boolean {
  return Object.keys(texts).length > 0;
}

/** @param mine the code of the field; undefined: its value is not read. */
function fieldSchema(
  field: ApiField,
  texts: Texts,
  version: ApiVersion,
  mine: Schema<unknown> | undefined,
  single: boolean,
  acts = false,
): Schema<unknown> {
  const documented = isDocumented(texts);
  const own = mine === undefined ? undefined : ownReading(mine);
  const typed = own ?? labelled(field, version, documented);
  const inner = mine === undefined || own !== undefined ? typed : asWritten(field.name, mine, typed);
  const marks = {
    // Long texts are written in code.
    ...defined({ behaviour: mine?.marks.behaviour }),
    ...fieldMarks(field, texts, version),
    ...(mine === undefined && { unread: true as const }),
    ...(mine === undefined && !documented && !acts && { idle: true as const }),
    ...(mine === undefined && version === 'v3' && texts.noEffect !== undefined && { lenient: true as const }),
  };
  return new Schema(presence(field, inner, mine, single, texts.byDefault), marks);
}

/** What is said of a field, whatever the API. */
function wordMarks({ instead, since, ...words }: Texts): FieldMarks {
  return words;
}

function fieldMarks(field: ApiField, texts: Texts, version: ApiVersion): FieldMarks {
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
  inner: Schema<unknown>,
  mine: Schema<unknown> | undefined,
  single: boolean,
  documented: string | undefined,
): Form {
  if (single || mustBeWritten(field)) return { kind: 'same', inner };
  if (mine !== undefined) {
    const { form } = mine;
    const value = documented === undefined ? undefined : valueDefault(field.type, documented);
    if (form.kind === 'default') return { kind: 'default', inner, value: value ?? form.value };
    return form.kind === 'optional' ? { kind: 'optional', inner } : { kind: 'same', inner };
  }
  if (field.label !== 'one') return { kind: 'default', inner, value: field.label === 'map' ? {} : [] };
  const { zero } = inner.marks;
  const isPlain = zero !== undefined && field.oneOf === undefined && /^(?:scalar|enum)$/.test(field.kind);
  return isPlain ? { kind: 'default', inner, value: zero } : { kind: 'optional', inner };
}

/** Code gives only the TypeScript type, which the type of the table must match. */
function asWritten(field: string, mine: Schema<unknown>, table: Schema<unknown>): Schema<unknown> {
  const [own, found] = [innermost(mine), innermost(table)];
  const { typeName, values } = own.marks;
  if ((typeName !== undefined && typeName !== found.marks.typeName) || own.form.kind !== found.form.kind) {
    const type = found.marks.typeName ?? found.form.kind;
    throw new TypeError(`${field} is ${type} in the table, and is written as ${typeName ?? own.form.kind}`);
  }
  if (values === undefined || found.marks.values?.every((name) => values.includes(name)) === true) return table;
  // A field without effect here, as lb_policy beside a load_balancing_policy.
  const inner = readerOf(table);
  const read: Read = (node, walk) => {
    const value = inner(node, walk);
    if (value === INVALID || values.includes(String(value))) return value;
    return walk.error('enum', `expected ${oneOfThese(values)}, found ${describe(node)}`, node);
  };
  return mark(table, { read });
}

/** Without what makes it optional: a list as a list. */
function innermost(schema: Schema<unknown>): Schema<unknown> {
  const { form } = schema;
  return 'inner' in form ? innermost(form.inner) : schema;
}

/** A reader that differs from the table's; undefined: it only states a type. */
function ownReading(mine: Schema<unknown>): Schema<unknown> | undefined {
  const { form } = mine;
  if (form.kind === 'optional' || form.kind === 'default' || form.kind === 'same') return ownReading(form.inner);
  return isPlainType(mine) ? undefined : mine;
}

function isPlainType({ form, marks }: Schema<unknown>): boolean {
  if (marks.protobuf === true || (marks.message !== undefined && marks.read === undefined)) return true;
  if (form.kind === 'list') return isPlainType(form.item);
  return form.kind === 'map' && form.keyProblem === undefined && isPlainType(form.value);
}

function labelled(field: ApiField, version: ApiVersion, documented: boolean): Schema<unknown> {
  const any = !documented ? anyMessage.open : field.label === 'map' ? anyMessage.named : anyMessage.strict;
  const limits = field.label === 'one' ? ownLimits(field) : elementLimits(field);
  const one = typeOf(field, limits, version, { any, message: apiSchema });
  switch (field.label) {
    case 'one':
      return one;
    case 'repeated': {
      const own = ownLimits(field);
      if (own.length === 0) return list(one);
      return list(one).checked((items, fail) => {
        const problem = listProblem(own, items, field.name);
        if (problem !== undefined) fail('range', problem);
      });
    }
    case 'map': {
      const keys = keyLimits(field);
      if (keys.length === 0) return mapping(one);
      return mapping(one, (key) => {
        const broken = keys.find(({ holds }) => !holds(key));
        return broken === undefined ? undefined : `a key must ${broken.words}`;
      });
    }
  }
}
