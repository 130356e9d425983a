import type { ScalarNode, SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { doubleText } from './double-text.js';
import { range, type Bounds } from './integers.js';
import { yamlInteger } from './plain-scalars.js';

export function double(limits: Bounds = {}): Schema<number> {
  const { min, max, above } = limits;
  const read = (node: SourceNode, walk: Walk): number | Invalid => {
    const value = node.kind === 'scalar' ? doubleOf(node, walk) : undefined;
    if (value === undefined) {
      return walk.error('type', `expected ${doubleRange(limits)}, found ${describe(node)}`, node);
    }
    const inside = value >= (min ?? -Infinity) && value <= (max ?? Infinity) && value > (above ?? -Infinity);
    const limited = min !== undefined || max !== undefined || above !== undefined;
    if (limited && !inside) {
      return walk.error('range', `must be ${doubleRange(limits)}, found ${describe(node)}`, node);
    }
    return value;
  };
  const json = { type: ['number', 'string'], minimum: min, maximum: max, exclusiveMinimum: above };
  const words = above === undefined ? range(min, max) : `more than ${above}`;
  return protobuf(reading('double', read, 0), { limits: words, json: () => json });
}

function doubleRange({ min, max, above }: Bounds): string {
  if (above !== undefined) return `a number above ${above}`;
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  if (min !== undefined) return `a number of at least ${min}`;
  return max === undefined ? 'a number' : `a number of at most ${max}`;
}

function doubleOf(node: ScalarNode, walk: Walk): number | undefined {
  if (node.quoted) return doubleText(node.text);
  if (!walk.document.isJson(node)) {
    const integer = yamlInteger(node.text);
    return integer === undefined ? doubleText(node.text) : Number(integer);
  }
  const value = Number(node.text);
  return JSON_NUMBER.test(node.text) && Number.isFinite(value) ? value : undefined;
}

const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
