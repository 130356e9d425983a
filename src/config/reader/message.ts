import type { FieldMarks, KeyProblem, MessageInfo, OneOf, Output, Read, Rule, Vocabulary } from './schema.js';
import { Schema } from './schema.js';

/** `lb_policy` → `lbPolicy`, as protobuf names fields in JSON. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

export type Shape = Readonly<Record<string, Schema<unknown>>>;

type OptionalKeys<S extends Shape> = {
  [K in keyof S]: undefined extends Output<S[K]> ? K : never;
}[keyof S];

/** The value of a message: camelCase names, fields without a default optional. */
export type MessageOutput<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>> as Camel<K & string>]: Output<S[K]>;
} & {
  readonly [K in OptionalKeys<S> as Camel<K & string>]?: Output<S[K]>;
};

export interface MessageOptions<T> {
  readonly doc: string;
  readonly oneOfs?: readonly OneOf[];
  readonly rules?: readonly Rule<T>[];
  /** What to say of an unknown field that people are known to write. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Pass over fields that are not declared: for messages of which only a part matters here. */
  readonly open?: boolean;
  readonly rewrite?: MessageInfo['rewrite'];
}

/**
 * A message of the proxy's configuration.
 *
 * @param shape makes its fields. It is called once, and not at all for what a file does not use.
 */
export function message<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
): Schema<MessageOutput<S>> {
  return define(name, shape, options, 'proxy');
}

/** A block of the scenario's own vocabulary: strict, and otherwise as {@link message}. */
export function block<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
): Schema<MessageOutput<S>> {
  return define(name, shape, options, 'scenario');
}

const overlays = new Map<string, Schema<unknown>>();

/** What is written here of a message of the proxy, by our name of it; undefined: nothing, it means nothing here. */
export function overlayOf(name: string): Schema<unknown> | undefined {
  return overlays.get(name);
}

function define<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
  vocabulary: Vocabulary,
): Schema<MessageOutput<S>> {
  let made: S | undefined;
  const info: MessageInfo = {
    name,
    vocabulary,
    doc: options.doc,
    get shape() {
      return (made ??= shape());
    },
    oneOfs: options.oneOfs ?? [],
    rules: options.rules ?? [],
    hints: options.hints ?? {},
    open: options.open ?? false,
    rewrite: options.rewrite,
  };
  const schema = new Schema<MessageOutput<S>>({ kind: 'value' }, { message: info });
  if (vocabulary === 'proxy') overlays.set(name, schema);
  return schema;
}

/** A schema with a reading of its own: what a scalar or a special message looks like in a file. */
export function reading<T>(typeName: string, read: Read, zero?: T): Schema<T> {
  return new Schema<T>({ kind: 'value' }, zero === undefined ? { typeName, read } : { typeName, read, zero });
}

/** A proto3 scalar: absent, it has the zero value of its type. */
export function plain<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<T> {
  return defaulted(schema, schema.marks.zero as T, doc, marks);
}

/** A message or a wrapper that may be absent. */
export function optional<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<T | undefined> {
  return new Schema<T | undefined>({ kind: 'optional', inner: schema }, { ...marks, doc });
}

export function required<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<T> {
  return new Schema<T>({ kind: 'same', inner: schema }, { ...schema.marks, ...marks, doc });
}

/** Absent, it has this value. */
export function defaulted<T>(schema: Schema<T>, value: T, doc: string, marks: FieldMarks = {}): Schema<T> {
  return new Schema<T>({ kind: 'default', inner: schema, value }, { ...marks, doc });
}

/** Absent, it is empty. */
export function repeated<T>(item: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<readonly T[]> {
  return defaulted(list(item), [], doc, marks);
}

/** Absent, it is empty. */
export function mapOf<T>(item: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<Readonly<Record<string, T>>> {
  return defaulted(mapping(item), {}, doc, marks);
}

// --- what schemas are put together from ----------------------------------------------------------------------------

export function list<T>(item: Schema<T>): Schema<readonly T[]> {
  return new Schema<readonly T[]>({ kind: 'list', item });
}

/** @param words what is said of a list with fewer or more items. */
export function listOf<T>(
  item: Schema<T>,
  { min = 0, max = Infinity, words }: { readonly min?: number; readonly max?: number; readonly words: string },
): Schema<readonly T[]> {
  return list(item).checked((items, fail) => {
    if (items.length < min || items.length > max) fail('range', `${words}; found a list`);
  });
}

/** Exactly two values. */
export function pair<A, B>(first: Schema<A>, second: Schema<B>): Schema<readonly [A, B]> {
  return new Schema<readonly [A, B]>({ kind: 'tuple', items: [first, second] });
}

export function mapping<T>(value: Schema<T>, keyProblem?: KeyProblem): Schema<Readonly<Record<string, T>>> {
  return new Schema<Readonly<Record<string, T>>>({ kind: 'map', value, keyProblem });
}

/** One of two forms, told by the shape of the value. */
export function either<A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> {
  return new Schema<A | B>({ kind: 'union', options: [one, other] });
}

/** Any value at all, null too. */
export const anything = new Schema<unknown>({ kind: 'any' });
