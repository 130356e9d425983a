import { check, parseDocument } from '../../src/config/reader.js';
import type { MessageInfo, Schema } from '../../src/config/reader/schema.js';
import type { Vocabulary } from '../../src/config/reader/context.js';
import { fieldsOf } from '../../src/config/json-schema.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonMap = Readonly<Record<string, Json>>;

/** What no schema can tell, since it takes a rule across fields. */
export interface Given {
  /** By message or `message.field`: what must stand beside it; null: what must not. */
  readonly beside: Readonly<Record<string, JsonMap>>;
  /** By `message.field`: a value that is more than its form says. */
  readonly values: Readonly<Record<string, Json>>;
}

/**
 * The least that a file must say to be valid, put together from the schema: the required fields and the first option
 * where one of several is needed.
 */
export class Samples {
  constructor(private readonly given: Given) {}

  /** A message without anything that it can do without. */
  message(info: MessageInfo): JsonMap {
    const names = fieldsOf(info).flatMap(({ name, required }) => (required ? [name] : []));
    for (const { fields, required } of info.oneOfs) {
      const [first] = fields;
      if (required === true && first !== undefined && !fields.some((name) => names.includes(name))) names.push(first);
    }
    const beside = this.given.beside[info.name] ?? {};
    const own = names.filter((name) => beside[name] === undefined);
    return { ...Object.fromEntries(own.map((name) => [name, this.field(info, name)])), ...beside };
  }

  /** A message with this field, and without those that exclude it. */
  with(info: MessageInfo, name: string, value = this.field(info, name)): JsonMap {
    const rivals = info.oneOfs.flatMap(({ fields }) => (fields.includes(name) ? fields : []));
    const beside = this.given.beside[`${info.name}.${name}`] ?? {};
    const fields = { ...this.message(info), ...beside };
    const kept = Object.entries(fields).filter(
      ([key, one]) => one !== null && (!rivals.includes(key) || key in beside),
    );
    return { ...Object.fromEntries(kept), [name]: value };
  }

  /** A value of a field. */
  field(info: MessageInfo, name: string): Json {
    const schema = info.shape[name];
    if (schema === undefined) throw new Error(`${info.name} has no field ${name}`);
    return this.given.values[`${info.name}.${name}`] ?? this.value(schema, info.vocabulary);
  }

  private value(schema: Schema<unknown>, vocabulary: Vocabulary): Json {
    const { anyTypes, message, values } = schema.marks;
    if (message !== undefined) return this.message(message);
    // The last: the first is the default.
    if (values !== undefined) return values.at(-1) ?? '';
    if (anyTypes !== undefined) {
      const [first] = Object.entries(anyTypes);
      if (first === undefined) return { '@type': 'type.googleapis.com/google.protobuf.Struct', value: {} };
      return typed(first[0], this.value(first[1], vocabulary) as JsonMap);
    }
    const part = wrapping(schema);
    return part === undefined ? leaf(schema, vocabulary) : part.wrap(this.value(part.inner, vocabulary));
  }
}

/** The value of a field, `schema`, that holds this message somewhere; undefined: it cannot. */
export function placed(schema: Schema<unknown>, info: MessageInfo, value: JsonMap): Json | undefined {
  const { anyTypes, message } = schema.marks;
  if (message !== undefined) return message === info ? value : undefined;
  if (anyTypes !== undefined) {
    const type = Object.entries(anyTypes).find(([, one]) => one.marks.message === info);
    return type === undefined ? undefined : typed(type[0], value);
  }
  const form = schema.form;
  if (form.kind === 'union') {
    return form.options.map((option) => placed(option, info, value)).find((one) => one !== undefined);
  }
  const part = wrapping(schema);
  const inner = part === undefined ? undefined : placed(part.inner, info, value);
  return inner === undefined ? undefined : part?.wrap(inner);
}

function typed(type: string, fields: JsonMap): JsonMap {
  return { '@type': `type.googleapis.com/envoy.${type}`, ...fields };
}

/** What a schema is a list, a map or another dress of; undefined: of nothing. */
function wrapping(
  schema: Schema<unknown>,
): { readonly inner: Schema<unknown>; readonly wrap: (value: Json) => Json } | undefined {
  const { json, read, typeName } = schema.marks;
  if (typeName === 'repeated Cluster' && json !== undefined) {
    let inner: Schema<unknown> | undefined;
    json((part) => {
      inner = part;
      return true;
    });
    return inner === undefined ? undefined : { inner, wrap: (value) => value };
  }
  if (read !== undefined) return undefined;
  const form = schema.form;
  if (form.kind === 'list') return { inner: form.item, wrap: (value) => [value] };
  // A name that every map of them takes.
  if (form.kind === 'map') return { inner: form.value, wrap: (value) => ({ 'envoy.filters.http.router': value }) };
  return 'inner' in form ? { inner: form.inner, wrap: (value) => value } : undefined;
}

/** Tried in this order; the first that is taken stands. */
const LEAVES: readonly Json[] = [
  'x',
  true,
  2,
  '2s',
  '10.0.0.1:80',
  '10.0.0.1',
  'aGk=',
  '50%',
  '5/s',
  '1.17',
  { a: 'x' },
  [],
];

function leaf(schema: Schema<unknown>, vocabulary: Vocabulary): Json {
  const found = LEAVES.find((candidate) => {
    const { document } = parseDocument(JSON.stringify([candidate]), 'a.json');
    const node = document?.root.kind === 'list' ? document.root.items[0] : undefined;
    if (document === undefined || node === undefined) return false;
    return check(schema, document, { vocabulary, node }).value !== undefined;
  });
  if (found === undefined) throw new Error(`nothing fits ${schema.marks.typeName ?? schema.form.kind}`);
  return found;
}
