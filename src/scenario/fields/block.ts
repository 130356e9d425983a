import { block as blockOf, type MessageOutput, type OneOf, type Rule, type Schema } from '../../config/reader.js';
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
