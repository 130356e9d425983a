import type { SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { plainKind } from './plain-scalars.js';

export interface StringLimits {
  readonly minLength?: number;
  /** In UTF-8 bytes. */
  readonly maxBytes?: number;
  readonly minBytes?: number;
  readonly pattern?: { readonly regex: RegExp; readonly means: string };
}

export function string(limits: StringLimits = {}): Schema<string> {
  const read = (node: SourceNode, walk: Walk): string | Invalid => {
    if (node.kind !== 'scalar') return walk.error('type', `expected a string, found ${describe(node)}`, node);
    const { text } = node;
    const kind = plainKind(node, walk);
    if (kind !== 'string') {
      const what = kind === 'bool' ? 'reads as a bool' : 'reads as a number';
      return walk.error('type', `expected a string, but ${text} ${what}: write "${text}"`, node);
    }
    if (limits.minLength !== undefined && text.length < limits.minLength) {
      return walk.error('required', 'must not be empty', node);
    }
    if (limits.maxBytes !== undefined || limits.minBytes !== undefined) {
      const bytes = utf8Length(text);
      if (bytes > (limits.maxBytes ?? Infinity) || bytes < (limits.minBytes ?? 0)) {
        return walk.error('range', `must have ${byteRange(limits)}, found ${bytes}`, node);
      }
    }
    if (limits.pattern !== undefined && !limits.pattern.regex.test(text)) {
      return walk.error('format', `must be ${limits.pattern.means}, found ${describe(node)}`, node);
    }
    return text;
  };
  const { minLength, pattern } = limits;
  const json = { type: 'string', minLength, pattern: pattern?.regex.source };
  return protobuf(reading('string', read, ''), { limits: stringRange(limits), json: () => json });
}

function stringRange(limits: StringLimits): string {
  const parts: string[] = [];
  if (limits.minLength !== undefined) parts.push('not empty');
  if (limits.minBytes !== undefined || limits.maxBytes !== undefined) parts.push(byteRange(limits));
  if (limits.pattern !== undefined) parts.push(limits.pattern.means);
  return parts.join('; ');
}

function byteRange({ minBytes, maxBytes }: StringLimits): string {
  if (minBytes === undefined) return `at most ${String(maxBytes)} bytes`;
  return minBytes === maxBytes ? `${minBytes} bytes` : `${minBytes} to ${String(maxBytes)} bytes`;
}

export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
