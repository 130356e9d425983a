import {
  messageInfo,
  type MessageOptions,
  type Output,
  Schema,
  type Shape,
} from '../../../src/config/reader/schema.js';
import type { Problem } from '../../../src/core/problem.js';
import { check, type MessageOutput, parseDocument, type Vocabulary } from '../../../src/config/reader.js';

export interface Reading<T> {
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/** Reads text as a schema says, in one step. */
export function read<S extends Schema<unknown>>(
  schema: S,
  text: string,
  vocabulary: Vocabulary = 'proxy',
): Reading<Output<S>> {
  const { document, problems } = parseDocument(text, 'f.yaml');
  if (document === undefined) return { value: undefined, problems };
  const result = check(schema, document, { vocabulary });
  return { value: result.value, problems: [...problems, ...result.problems] };
}

/** `line:column rule path`, which is what most tests are about. */
export function brief(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, column, rule, path }) => `${line}:${column} ${rule} ${path}`);
}

/** A message in the vocabulary of the proxy that none of its tables has. */
export function madeUp<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>> = {},
): Schema<MessageOutput<S>> {
  return new Schema({ kind: 'value' }, { message: messageInfo('proxy', name, shape, options) });
}
