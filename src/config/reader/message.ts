import { z } from 'zod';
import type { FieldMarks, MessageInfo, OneOf, Read, Rule, Vocabulary } from './marks.js';
import { mark, marksOf } from './marks.js';

/** `lb_policy` → `lbPolicy`, as protobuf names fields in JSON. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

export type Shape = Readonly<Record<string, z.ZodType>>;

type OptionalKeys<S extends Shape> = {
  [K in keyof S]: undefined extends z.output<S[K]> ? K : never;
}[keyof S];

/** The value of a message: camelCase names, fields without a default optional. */
export type MessageOutput<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>> as Camel<K & string>]: z.output<S[K]>;
} & {
  readonly [K in OptionalKeys<S> as Camel<K & string>]?: z.output<S[K]>;
};

/** A schema known by what it yields: files are the only input. */
export type Schema<T> = z.ZodType<T>;

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
  const schema = z.custom<MessageOutput<S>>() as unknown as Schema<MessageOutput<S>>;
  let made: S | undefined;
  if (vocabulary === 'proxy') overlays.set(name, schema);
  return mark(schema, {
    message: {
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
    },
  });
}

/** A schema with a reading of its own: what a scalar or a special message looks like in a file. */
export function reading<T>(typeName: string, read: Read, zero?: T): Schema<T> {
  const schema = z.custom<T>() as unknown as Schema<T>;
  return mark(schema, zero === undefined ? { typeName, read } : { typeName, read, zero });
}

/** A proto3 scalar: absent, it has the zero value of its type. */
export function plain<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): z.ZodDefault<Schema<T>> {
  return defaulted(schema, marksOf(schema).zero as T, doc, marks);
}

/** A message or a wrapper that may be absent. */
export function optional<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): z.ZodOptional<Schema<T>> {
  return mark(schema.optional(), { ...marks, doc });
}

export function required<T>(schema: Schema<T>, doc: string, marks: FieldMarks = {}): Schema<T> {
  return mark(z.nonoptional(schema) as unknown as Schema<T>, { ...marks, doc });
}

/** Absent, it has this value. */
export function defaulted<T>(
  schema: Schema<T>,
  value: T,
  doc: string,
  marks: FieldMarks = {},
): z.ZodDefault<Schema<T>> {
  return mark(schema.default(value as z.core.util.NoUndefined<T>), { ...marks, doc });
}

/** Absent, it is empty. */
export function repeated<T>(item: Schema<T>, doc: string, marks: FieldMarks = {}): z.ZodDefault<Schema<readonly T[]>> {
  return defaulted(z.array(item) as unknown as Schema<readonly T[]>, [], doc, marks);
}

/** Absent, it is empty. */
export function mapOf<T>(
  item: Schema<T>,
  doc: string,
  marks: FieldMarks = {},
): z.ZodDefault<Schema<Readonly<Record<string, T>>>> {
  return defaulted(z.record(z.string(), item) as unknown as Schema<Readonly<Record<string, T>>>, {}, doc, marks);
}
