import { fileDefault } from '../core/defaults.js';
import type { Schema } from './reader.js';
import { type FieldMarks, type MessageInfo, whereAbsent } from './reader/schema.js';

/** A field of a message, as documentation and editors need to know it. */
export interface FieldFacts {
  /** As written in files. */
  readonly name: string;
  readonly marks: FieldMarks;
  /** Its type, without what makes it optional. */
  readonly schema: Schema<unknown>;
  readonly required: boolean;
  /** The value of an absent field as in files; undefined: none, or an obvious one. */
  readonly jsonDefault: string | number | boolean | undefined;
}

export function fieldsOf({ shape }: MessageInfo): readonly FieldFacts[] {
  return Object.entries(shape).map(([name, schema]) => fieldFacts(name, schema));
}

function fieldFacts(name: string, schema: Schema<unknown>): FieldFacts {
  const { absent, inner } = whereAbsent(schema);
  const value = absent.kind === 'default' ? absent.value : undefined;
  const { typeName = '' } = inner.marks;
  const byDefault = schema.marks.byDefault;
  const jsonDefault = byDefault === undefined ? ofValue(value, typeName) : fileDefault(typeName, byDefault);
  return { name, marks: schema.marks, schema: inner, required: absent.kind === 'error', jsonDefault };
}

/** Durations are µs in values and text in files; obvious zero values are left out. */
function ofValue(value: unknown, typeName: string): FieldFacts['jsonDefault'] {
  if (/^duration$/i.test(typeName)) return typeof value === 'number' ? `${value / 1e6}s` : undefined;
  if (typeof value === 'bigint') return value === 0n ? undefined : String(value);
  if (typeof value === 'string' || typeof value === 'number') return value === '' || value === 0 ? undefined : value;
  return value === true ? true : undefined;
}
