import { own } from '../../../core/own.js';
import type { SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { anyCase, plainBool, plainKind } from './plain-scalars.js';

export function bool(): Schema<boolean> {
  const json = { type: ['boolean', 'string'], pattern: anyCase(BOOL_WORDS) };
  return protobuf(reading<boolean>('bool', readBool, false), { json: () => json });
}

const BOOL_WORDS = ['true', 't', 'yes', 'y', 'on', '1', 'false', 'f', 'no', 'n', 'off', '0'];

function readBool(node: SourceNode, walk: Walk): boolean | Invalid {
  if (node.kind === 'scalar') {
    const text = plainKind(node, walk) === 'string';
    const value = text ? textBool(node.text) : plainBool(node, walk);
    if (value !== undefined) return value;
  }
  return walk.error('type', `expected true or false, found ${describe(node)}`, node);
}

const TEXT_BOOLS: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  f: false,
  no: false,
  n: false,
  0: false,
};

function textBool(text: string): boolean | undefined {
  return own(TEXT_BOOLS, text.toLowerCase());
}
