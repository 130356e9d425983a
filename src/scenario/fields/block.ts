import {
  block as blockOf,
  type MessageOutput,
  type OneOf,
  optional,
  type Rule,
  type Schema,
} from '../../config/reader.js';
import { VOCABULARY } from './generated/vocabulary.js';

interface Words {
  readonly doc: string;
  /** As errors call it. Default: as the vocabulary does. */
  readonly name?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly oneOfs?: readonly OneOf[];
  readonly hints?: Readonly<Record<string, string>>;
}

export type BlockName = keyof typeof VOCABULARY;

/** A block of a scenario. What there is to say of it and of its fields is in vocabulary.yaml. */
export function block<S extends Readonly<Record<string, Schema<unknown>>>>(
  name: BlockName,
  shape: () => S,
  ...rules: readonly Rule<MessageOutput<S>>[]
): Schema<MessageOutput<S>> {
  const { name: shown = name, fields: docs, ...words }: Words = VOCABULARY[name];
  return blockOf(shown, shape, { ...words, docs, rules });
}

/** A field of a {@link choice}: what its value says. */
export function says<T, U>(schema: Schema<T>, value: (written: T) => U): Schema<U | undefined> {
  return optional(schema.transform(value));
}

/** A block of which exactly one field is written: what that one says. */
export function choice<T>(name: BlockName, shape: () => Readonly<Record<string, Schema<T | undefined>>>): Schema<T> {
  return block(name, shape).transform((fields) => said<T>(fields) as T);
}

/** What the one that is written of these fields says. */
export function said<T>(fields: Readonly<Record<string, T | undefined>>): T | undefined {
  return Object.values(fields).find((field) => field !== undefined);
}
