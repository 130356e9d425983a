import type { SourceNode } from '../source/document.js';
import type { Walk, Invalid } from './context.js';
import { reading } from './combinators.js';
import { mark, Schema } from './schema.js';
import { yamlValue } from './scalar-value.js';
import { describe, didYouMean, oneOfThese } from './error-words.js';

/** Plain values of the scenario's vocabulary: one of a list of words, or a boolean. */

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
