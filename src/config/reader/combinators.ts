import { defined } from '../../core/values.js';
import type { SourceNode } from '../source/document.js';
import type { Invalid, Read, Walk } from './context.js';
import { describe, didYouMean, oneOfThese, yamlValue } from './error-words.js';
import { mark, Schema, type KeyProblem } from './schema.js';

/** The building blocks of schemas. Fields of the proxy's messages are documented in the tables, not here. */

export const reading = <T>(typeName: string, read: Read<T>, zero?: T): Schema<T> =>
  new Schema<T>({ kind: 'value' }, { typeName, read, ...defined({ zero }) });

export const optional = <T>(schema: Schema<T>, doc?: string): Schema<T | undefined> =>
  new Schema<T | undefined>({ kind: 'optional', inner: schema }, defined({ doc }));

export const required = <T>(schema: Schema<T>, doc?: string): Schema<T> =>
  new Schema<T>({ kind: 'same', inner: schema }, { ...schema.marks, ...defined({ doc }) });

export const defaulted = <T>(schema: Schema<T>, value: T, doc?: string): Schema<T> =>
  new Schema<T>({ kind: 'default', inner: schema, value }, defined({ doc }));

export const repeated = <T>(item: Schema<T>, doc?: string): Schema<readonly T[]> => defaulted(list(item), [], doc);

export const list = <T>(item: Schema<T>): Schema<readonly T[]> => new Schema<readonly T[]>({ kind: 'list', item });

export const pair = <A, B>(first: Schema<A>, second: Schema<B>): Schema<readonly [A, B]> =>
  new Schema<readonly [A, B]>({ kind: 'tuple', items: [first, second] });

export const mapping = <T>(value: Schema<T>, keyProblem?: KeyProblem): Schema<Readonly<Record<string, T>>> =>
  new Schema<Readonly<Record<string, T>>>({ kind: 'map', value, keyProblem });

/** One of two forms, chosen by the shape of the value. */
export const either = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> =>
  new Schema<A | B>({ kind: 'union', options: [one, other] });

/** Any value, null included. */
export const anything = new Schema<unknown>({ kind: 'any' });

export function words<const W extends string>(options: readonly W[]): Schema<W> {
  const read = (node: SourceNode, walk: Walk): W | Invalid => {
    const value = node.kind === 'scalar' ? yamlValue(node) : undefined;
    const found = options.find((option) => option === value);
    if (found !== undefined) return found;
    const near = typeof value === 'string' ? didYouMean(value, options) : '';
    return walk.error('invalid-value', `expected ${oneOfThese(options)}, found ${describe(node)}${near}`, node);
  };
  return new Schema<W>({ kind: 'value' }, { read, plain: true, json: () => ({ type: 'string', enum: options }) });
}

export const yesNo: Schema<boolean> = mark(
  reading<boolean>('boolean', (node, walk) => {
    const value = node.kind === 'scalar' ? yamlValue(node) : undefined;
    return typeof value === 'boolean' ? value : walk.error('type', `expected a boolean, found ${describe(node)}`, node);
  }),
  { plain: true, json: () => ({ type: 'boolean' }) },
);

/** `true` only. @param problem the message for anything else. */
export function onlyTrue(problem: string): Schema<true> {
  const read = (node: SourceNode, walk: Walk): true | Invalid =>
    node.kind === 'scalar' && yamlValue(node) === true
      ? true
      : walk.error('invalid-value', `${problem}; found ${describe(node)}`, node);
  return mark(reading<true>('true', read), { plain: true, json: () => ({ type: 'boolean', const: true }) });
}
