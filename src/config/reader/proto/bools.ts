import type { SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { anyCase, boolOf, plainBool, plainKind } from './plain-scalars.js';

export function bool(): Schema<boolean> {
  const json = { type: ['boolean', 'string'], pattern: anyCase(BOOL_WORDS) };
  return protobuf(reading<boolean>('bool', readBool, false), { json: () => json });
}

const BOOL_WORDS = ['true', 't', 'yes', 'y', 'on', '1', 'false', 'f', 'no', 'n', 'off', '0'];

function readBool(node: SourceNode, walk: Walk): boolean | Invalid {
  if (node.kind === 'scalar') {
    const text = plainKind(node, walk) === 'string';
    const value = text ? boolOf(TEXT_BOOL, node.text) : plainBool(node, walk);
    if (value !== undefined) return value;
  }
  return walk.error('type', `expected true or false, found ${describe(node)}`, node);
}

/** `on` and `off` are bools only where they are not quoted. */
const TEXT_BOOL = /^(?:true|t|yes|y|1|(false|f|no|n|0))$/i;
