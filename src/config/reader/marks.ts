import type { ApiVersion } from '../api/api.js';
import type { z } from 'zod';
import type { MapNode, SourceNode } from '../source/document.js';
import type { Walk } from './context.js';

/**
 * Whose language a value is written in: protobuf's lenient JSON mapping as the proxy reads it, or the scenario's own
 * strict words.
 */
export type Vocabulary = 'proxy' | 'scenario';

/** What a reader returns after it has reported why there is no value. */
export const INVALID: unique symbol = Symbol('invalid');
export type Invalid = typeof INVALID;

/** Reads one value; reports every problem it finds. */
export type Read = (node: SourceNode, walk: Walk) => unknown;

/** What a user should know of a field, whether or not it is used in a given file. */
export interface FieldMarks {
  /** One or two plain sentences; shown in generated documentation and by editors. */
  readonly doc?: string;
  /** What happens where the schema's own words are short or differ, by version; Markdown, for the reference. */
  readonly behaviour?: string;
  /** Why not to use it and what replaces it: reported as a deprecation wherever the field is set. */
  readonly deprecated?: string;
  /** Why the simulation does not act on it: reported as a note wherever the field is set. */
  readonly noEffect?: string;
  /** Newer than the v2 schema: since when the proxy has it. Reported as a note wherever the field is set. */
  readonly extension?: string;
}

/** Everything about a schema that zod has no word for. One schema drives reading, checking, documentation. */
export interface Marks extends FieldMarks {
  /** Reads the node instead of the walk. */
  readonly read?: Read;
  /** What `read` takes is neither a list nor a map. */
  readonly plain?: true;
  /** Of a proto3 scalar: the value of an absent field. */
  readonly zero?: unknown;
  /** Name of a scalar type as documentation calls it ("uint32", "Duration"). */
  readonly typeName?: string;
  /** Names of an enumeration. */
  readonly values?: readonly string[];
  /** Limits beyond the type, in words: "0 to 100", "not empty". */
  readonly limits?: string;
  /** What it looks like as JSON, where the schema itself does not tell. */
  readonly json?: JsonForm;
  readonly message?: MessageInfo;
  /** Of an Any: the messages that are known, by their names without `envoy.` or `proxy.`. */
  readonly anyTypes?: Readonly<Record<string, z.core.$ZodType>>;
  /** Of an Any: any other type, or none, may stand there as well. */
  readonly anyOpen?: boolean;
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** @param of the form of a part. */
export type JsonForm = (of: (schema: z.core.$ZodType) => JsonSchema) => JsonSchema;

export interface MessageInfo {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  readonly doc: string;
  /** By name as written in files, snake_case. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly oneOfs: readonly OneOf[];
  readonly rules: readonly Rule<never>[];
  /** What to say of a field that this schema does not know but people write. */
  readonly hints: Readonly<Record<string, string>>;
  /** Fields that are not declared are passed over. */
  readonly open: boolean;
  /** Says what v3 says in messages of extensions in the message's own fields. */
  readonly rewrite?: ((node: MapNode, walk: Walk) => MapNode) | undefined;
}

/** A group of which at most one field may be set; exactly one if `required`. */
export interface OneOf {
  readonly name: string;
  readonly fields: readonly string[];
  readonly required?: boolean;
}

/**
 * A condition on a whole message. It runs when the fields it reads are free of errors, however many others are wrong.
 */
export interface Rule<T> {
  /** Stable, kebab-case; becomes `Problem.rule`. */
  readonly name: string;
  /** What must hold, in a sentence, for documentation. */
  readonly doc?: string;
  /** Fields it looks at, as written in files. */
  readonly reads: readonly string[];
  readonly check: (value: T, report: Report, has: Has, api: ApiVersion) => void;
}

/**
 * @param at where, from the message down, as written in files: `['ring_hash_lb_config', 'maximum_ring_size']`. What is
 *   absent from the file falls back to its nearest present parent.
 */
export type Report = (
  message: string,
  at?: readonly (string | number)[],
  severity?: 'error' | 'warning' | 'deprecation' | 'note',
  /** Where one check knows several rules. Default: the name of the rule. */
  rule?: string,
) => void;

/** Whether the file sets a field of the message, to tell what was written from what is a default. */
export type Has = (field: string) => boolean;

const marksBySchema = new WeakMap<z.core.$ZodType, Marks>();
const NONE: Marks = {};

/** The marks of a schema; a refined copy (`.refine()`, `.check()`) has those of its original. */
export function marksOf(schema: z.core.$ZodType): Marks {
  const own = marksBySchema.get(schema);
  if (own !== undefined) return own;
  const { parent } = schema._zod;
  return parent === undefined ? NONE : marksOf(parent);
}

/** Adds marks to a schema of its own; earlier marks stay unless named again. */
export function mark<S extends z.core.$ZodType>(schema: S, marks: Marks): S {
  marksBySchema.set(schema, { ...marksOf(schema), ...marks });
  return schema;
}
