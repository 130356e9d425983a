import * as readers from '../../config/reader.js';
import { VOCABULARY } from './generated/vocabulary.js';

interface Words {
  readonly doc: string;
  /** As errors call it. Default: as the vocabulary does. */
  readonly name?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly oneOfs?: readonly readers.OneOf[];
  readonly hints?: Readonly<Record<string, string>>;
}

export type BlockName = keyof typeof VOCABULARY;

/** A block of a scenario. What there is to say of it and of its fields is in vocabulary.yaml. */
export function block<S extends Readonly<Record<string, readers.Schema<unknown>>>>(
  name: BlockName,
  shape: () => S,
  ...rules: readonly readers.Rule<readers.MessageOutput<S>>[]
): readers.Schema<readers.MessageOutput<S>> {
  const { name: shown = name, fields: docs = {}, ...words }: Words = VOCABULARY[name];
  return readers.block(shown, shape, { ...words, docs, rules });
}

/** A field of a {@link choice}: what its value says. */
export const says = <T, U>(schema: readers.Schema<T>, value: (written: T) => U): readers.Schema<U | undefined> =>
  readers.optional(schema.transform(value));

/** A field of a {@link choice}: a block that says all but its kind, which is its name. */
export const ofKind = <K extends BlockName, S extends readers.Shape>(
  kind: K,
  shape: () => S,
  ...rules: readonly readers.Rule<readers.MessageOutput<S>>[]
) => says(block(kind, shape, ...rules), (fields) => ({ kind, ...fields }));

/** A block of which exactly one field is written: what that one says. */
export const choice = <T>(
  name: BlockName,
  shape: () => Readonly<Record<string, readers.Schema<T | undefined>>>,
): readers.Schema<T> => block(name, shape).transform((fields) => said<T>(fields) as T);

/** What the one that is written of these fields says. */
export const said = <T>(fields: Readonly<Record<string, T | undefined>>): T | undefined =>
  Object.values(fields).find((field) => field !== undefined);
