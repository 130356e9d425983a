/** What is a word or a text: bools, strings, bytes, names of enumerations. */
import { own } from '../../../core/values.js';
import type { ScalarNode, SourceNode } from '../../source/document.js';
import { reading } from '../combinators.js';
import type { Invalid, Walk } from '../context.js';
import { describe, didYouMean } from '../error-words.js';
import { mark, type Schema } from '../schema.js';
import { anyCase, boolOf, integerOf, integerText, plainBool, plainKind, yamlInteger } from './numbers.js';

export function bool(): Schema<boolean> {
  const json = { type: ['boolean', 'string'], pattern: anyCase(BOOL_WORDS) };
  return mark(reading<boolean>('bool', readBool, false), { json: () => json });
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

export function string(): Schema<string> {
  const read = (node: SourceNode, walk: Walk): string | Invalid => {
    if (node.kind !== 'scalar') return walk.error('type', `expected a string, found ${describe(node)}`, node);
    const { text } = node;
    const kind = plainKind(node, walk);
    if (kind === 'string') return text;
    const what = kind === 'bool' ? 'reads as a bool' : 'reads as a number';
    return walk.error('type', `expected a string, but ${text} ${what}: write "${text}"`, node);
  };
  return mark(reading('string', read, ''), { json: () => ({ type: 'string' }) });
}

export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** Base64, standard or URL-safe, with or without padding. */
export function bytes(): Schema<Uint8Array> {
  const schema = reading<Uint8Array>('bytes', (node, walk) => {
    const value = node.kind === 'scalar' && plainKind(node, walk) === 'string' ? fromBase64(node.text) : undefined;
    return value ?? walk.error('type', `expected base64, found ${describe(node)}`, node);
  });
  return mark(schema, { json: () => ({ type: 'string', pattern: '^[-_A-Za-z0-9+/]*={0,2}$' }) });
}

function fromBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/={0,2}$/, '');
  // Padding may be left out, but not in part.
  if (bare.length < text.length && text.length % 4 !== 0) return undefined;
  const digits = bare.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z\d+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(digits), (byte) => byte.charCodeAt(0));
}

export interface EnumOptions<Name extends string> {
  /** What replaces a value, by its name: reported where it is used. */
  readonly deprecated?: Partial<Readonly<Record<Name, string>>>;
  /** The message about a common wrong name. */
  readonly hints?: Readonly<Record<string, string>>;
  /** The proxy does not check the number: one that has no name counts as 0. */
  readonly open?: boolean;
}

/** By name in any case, or by number; absent, it is the value with number 0. */
export function enumeration<const V extends Readonly<Record<string, number>>>(
  typeName: string,
  values: V,
  options: EnumOptions<keyof V & string> = {},
): Schema<keyof V & string> {
  type Name = keyof V & string;
  const names = Object.keys(values) as Name[];
  const byName = new Map<string, Name>(names.map((name) => [name.toUpperCase(), name]));
  const byNumber = new Map<number, Name>(names.map((name) => [values[name] as number, name]));
  const read = (node: SourceNode, walk: Walk): Name | Invalid => {
    const expected = (): string => `expected one of ${names.join(', ')}, found ${describe(node, true)}`;
    if (node.kind !== 'scalar') return walk.error('type', expected(), node);
    const named = byName.get(node.text) ?? byName.get(node.text.toUpperCase());
    if (named === undefined && plainKind(node, walk) === 'bool') return walk.error('type', expected(), node);
    const number = named === undefined ? enumNumber(node, walk) : undefined;
    const name = named ?? (number === undefined ? undefined : byNumber.get(Number(number)));
    if (name === undefined && options.open === true && number !== undefined && BigInt.asIntN(32, number) === number) {
      const zero = byNumber.get(0) as Name;
      walk.report('warning', 'enum', `${number} is no ${typeName}: the proxy takes it for ${zero}`, node);
      return zero;
    }
    if (name === undefined) {
      const hint = own(options.hints ?? {}, node.text.toUpperCase());
      const help = hint === undefined ? didYouMean(node.text, names) : `: ${hint}`;
      return walk.error('enum', `${expected()}${help}`, node);
    }
    const replacement = options.deprecated?.[name];
    if (replacement !== undefined)
      walk.once(`${typeName}.${name}`, 'deprecation', 'deprecated', `${name} is deprecated: ${replacement}`, node);
    return name;
  };
  const schema = reading<Name>(typeName, read, byNumber.get(0));
  const numbers = [...new Set(byNumber.keys())];
  const anyNumber = options.open === true;
  const json = {
    anyOf: [
      { enum: names },
      { type: 'string', pattern: anyCase(names) },
      { type: 'string', pattern: `^\\s*[-+]?0*(?:${anyNumber ? '[0-9]+' : numbers.join('|')})\\s*$` },
      anyNumber ? { type: 'integer', minimum: -2147483648, maximum: 2147483647 } : { type: 'integer', enum: numbers },
    ],
  };
  return mark(schema, { values: names, json: () => json });
}

function enumNumber(node: ScalarNode, walk: Walk): bigint | undefined {
  // As text a number is decimal: `"5.0"` is no number.
  const asText = node.quoted || (!walk.document.isJson(node) && yamlInteger(node.text) === undefined);
  if (!asText) return integerOf(node, walk);
  const trimmed = node.text.trim();
  return /^[-+]?\d+$/.test(trimmed) ? integerText(trimmed) : undefined;
}
