import { type JsonValue, lazily } from '../../core/values.js';
import type { ProblemRule } from '../../core/problem.js';
import type { ApiVersion } from '../api/api.js';
import type { MapNode } from '../source/document.js';
import type { Read, Vocabulary, Walk } from './context.js';

export interface FieldMarks {
  /** One or two plain sentences; shown in generated documentation and by editors. */
  readonly doc?: string;
  /** Why not to use it and what replaces it: reported as a deprecation wherever the field is set. */
  readonly deprecated?: string;
  /** Why the simulation does not act on it: reported as a note wherever the field is set. */
  readonly noEffect?: string;
  /** What it would do in a proxy, and the simulation does not: reported as a warning wherever the field is set. */
  readonly lacking?: string;
  /** Newer than the v2 schema: since when the proxy has it. Reported as a note wherever the field is set. */
  readonly extension?: string;
  /** The value of an absent field, as in files or in words. */
  readonly byDefault?: string;
  /** Nothing reads its value: it is checked, and left out of the value where the file does. */
  readonly unread?: true;
  /** Only its name and type are known: a mistake in it is a note. */
  readonly idle?: true;
  /** Keys, tokens, passwords: never shown. */
  readonly sensitive?: true;
  /** It does not affect balancing, and a newer proxy may know more fields of it. */
  readonly lenient?: true;
}

/** Properties of a schema besides its form. One schema drives reading, checking and documentation. */
export interface Marks extends FieldMarks {
  /** A reader that replaces the walk's. */
  readonly read?: Read;
  /** A writer that replaces the one of its form. */
  readonly write?: (value: never) => JsonValue;
  /** `read` accepts neither a list nor a map. */
  readonly plain?: true;
  /** Of a proto3 scalar: the value of an absent field. */
  readonly zero?: unknown;
  /** Name of a scalar type in documentation ("uint32", "Duration"). */
  readonly typeName?: string;
  readonly values?: readonly string[];
  /** Limits beyond the type, in words: "0 to 100", "not empty". */
  readonly limits?: string;
  /** Its JSON Schema, where it does not follow from the form. */
  readonly json?: JsonForm;
  readonly message?: MessageInfo;
  /** Of an Any: the messages that are known, by their names without `envoy.` or `proxy.`. */
  readonly anyTypes?: Readonly<Record<string, Schema<unknown>>>;
  /** Of an Any: any other type, or none, is allowed too. */
  readonly anyOpen?: boolean;
}

export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** @param of the form of a part. */
export type JsonForm = (of: (schema: Schema<unknown>) => JsonSchema) => JsonSchema;

/** Fields by name, as written in files: snake_case. */
export type Shape = Readonly<Record<string, Schema<unknown>>>;

/** Looks at a message as it is written. */
export type Before = (node: MapNode, walk: Walk) => void;

export interface MessageInfo {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  readonly doc: string;
  /** What documentation says of fields, where it is not beside them. */
  readonly docs: Readonly<Record<string, string>>;
  readonly shape: Shape;
  /** What the absence of a field says, where that is known without its schema, which takes longer to make. */
  readonly absents: Readonly<Record<string, Absent | undefined>>;
  /** Fields that files of this API do not have and values do, by their keys there. */
  readonly dropped: Readonly<Record<string, unknown>>;
  readonly oneOfs: readonly OneOf[];
  readonly rules: readonly Rule<never>[];
  /** The message about a common wrong field name. */
  readonly hints: Readonly<Record<string, string>>;
  readonly before?: readonly Before[];
  /** It has no effect on the simulation. */
  readonly idle: boolean;
  readonly as: (version: ApiVersion) => MessageInfo;
}

/** Of a field that is read: it must be written (`!`), may be absent (`?`), or has then this value, in JSON. */
export type FieldAbsent = '!' | '?' | { readonly zero?: unknown };

export interface MessageOptions<T> extends Partial<Pick<MessageInfo, 'doc' | 'docs' | 'oneOfs' | 'hints'>> {
  readonly rules?: readonly Rule<T>[];
}

/** A message as its code has it. @param shape is called once, on first use. */
export function messageInfo(
  vocabulary: Vocabulary,
  name: string,
  shape: () => Shape,
  { doc = '', oneOfs = [], rules = [], hints = {}, docs = {} }: MessageOptions<never>,
): MessageInfo {
  const as = (): MessageInfo => info;
  const base = { name, vocabulary, doc, docs, absents: {}, dropped: {}, oneOfs, rules, hints, idle: false, as };
  const info = lazily(base, { shape });
  return info;
}

/** A group of which at most one field may be set; exactly one if `required`. */
export interface OneOf {
  readonly name: string;
  readonly fields: readonly string[];
  readonly required?: boolean;
  /** None of its fields has an effect on the simulation. */
  readonly idle?: boolean;
}

/** A condition on a whole message. It runs when the fields it reads are free of errors, whatever the others are. */
export interface Rule<T> {
  readonly name: ProblemRule;
  /** What must hold, in a sentence, for documentation. Absent: what problems.txt says of the name. */
  readonly doc?: string;
  /** Fields it reads, as written in files. The check also gets the field that contains the message. */
  readonly reads: readonly string[];
  readonly check: (value: T, report: Report, has: Has, api: ApiVersion, field: string) => void;
}

/**
 * @param at path from the message down, as written in files: `['ring_hash_lb_config', 'maximum_ring_size']`. An absent
 *   field is reported at its nearest present parent.
 */
export type Report = (
  message: string,
  at?: readonly (string | number)[],
  severity?: 'error' | 'warning' | 'deprecation' | 'note',
  /** For a check with several rules. Default: the name of the rule. */
  rule?: ProblemRule,
) => void;

/** Whether the file sets a field of the message, as opposed to a default. */
export type Has = (field: string) => boolean;

/** The form of a value. A value without parts is read as its marks say. */
export type Form =
  | { readonly kind: 'value' }
  | { readonly kind: 'any' }
  | { readonly kind: 'optional' | 'nullable'; readonly inner: Schema<unknown> }
  | { readonly kind: 'default'; readonly inner: Schema<unknown>; readonly value: unknown }
  /** A variant of the schema that is required again. */
  | { readonly kind: 'same'; readonly inner: Schema<unknown> }
  /** A further check, or a conversion. */
  | { readonly kind: 'changed'; readonly inner: Schema<unknown>; readonly change: Change<never, unknown> }
  | { readonly kind: 'list'; readonly item: Schema<unknown> }
  | { readonly kind: 'tuple'; readonly items: readonly Schema<unknown>[] }
  /** @param keyProblem what is wrong with a key. */
  | { readonly kind: 'map'; readonly value: Schema<unknown>; readonly keyProblem: KeyProblem | undefined }
  | { readonly kind: 'union'; readonly options: readonly Schema<unknown>[] };

/** What the value of a field is where a file leaves it out. */
export type Absent =
  { readonly kind: 'error' } | { readonly kind: 'omit' } | { readonly kind: 'default'; readonly value: unknown };

/** That of a schema, and the schema without what says so. */
export function whereAbsent(schema: Schema<unknown>): { readonly absent: Absent; readonly inner: Schema<unknown> } {
  let absent: Absent = { kind: 'error' };
  let inner = schema;
  for (;;) {
    const { form } = inner;
    if (form.kind === 'default') absent = { kind: 'default', value: form.value };
    else if (form.kind === 'optional') absent = absent.kind === 'error' ? { kind: 'omit' } : absent;
    else if (form.kind !== 'same') return { absent, inner };
    inner = form.inner;
  }
}

/** Without wrappers, such as what makes it optional, as far as a message or what is read by hand. */
export function unwrapped(schema: Schema<unknown>): Schema<unknown> {
  const { marks, form } = schema;
  const isWhole = marks.message !== undefined || marks.read !== undefined || !('inner' in form);
  return isWhole ? schema : unwrapped(form.inner);
}

/** How many entries of a map are fields of a message or block; none where it is another schema. */
export function fieldsIn({ entries }: MapNode, schema: Schema<unknown>): number {
  const shape = unwrapped(schema).marks.message?.shape ?? {};
  return entries.filter(({ key }) => Object.hasOwn(shape, key)).length;
}

export type KeyProblem = (key: string) => string | undefined;

/** @param fail reports what is wrong with the value, or with a part of it. */
export type Change<T, U> = (value: T, fail: Fail) => U;
export type Fail = (rule: ProblemRule, message: string, path?: readonly (string | number)[]) => void;

/** How a value is written and read, with its TypeScript type. */
export class Schema<out T> {
  /** For the type system only. */
  declare readonly output: T;

  constructor(
    readonly form: Form,
    readonly marks: Marks = NONE,
  ) {}

  /** Converts the value, once it is free of errors. */
  transform<U>(change: Change<T, U>): Schema<U> {
    return new Schema<U>({ kind: 'changed', inner: this, change });
  }

  orNull(): Schema<T | null> {
    return new Schema<T | null>({ kind: 'nullable', inner: this });
  }

  checked(check: Change<T, void>): Schema<T> {
    return this.transform((value, fail) => {
      check(value, fail);
      return value;
    });
  }
}

export type Output<S extends Schema<unknown>> = S['output'];

const NONE: Marks = {};

/** A schema with further marks; earlier ones stay unless named again. */
export const mark = <T>({ form, marks }: Schema<T>, further: Marks): Schema<T> =>
  new Schema<T>(form, { ...marks, ...further });
