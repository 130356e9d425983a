/**
 * Plain scalars as the proxy's reader of YAML takes them, and the numbers of protobuf, as leniently as the proxy: integers as
 * numbers or strings (decimal, hexadecimal, with an exponent if the value is whole). The proxy reads a plain scalar as a
 * bool, then as a 64-bit integer, and as a string otherwise. Source: https://protobuf.dev/programming-guides/json/
 */
import type { ScalarNode, SourceNode } from '../../source/document.js';
import { reading } from '../combinators.js';
import { INVALID, type Invalid, type Walk } from '../context.js';
import { describe } from '../error-words.js';
import { mark, type Schema } from '../schema.js';

const INT64_MIN = -9223372036854775808n;
const INT64_MAX = 9223372036854775807n;

/** A pattern for these words in any case: JSON Schema has no flags. */
export function anyCase(words: readonly string[]): string {
  const letters = (word: string): string =>
    word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(?:${words.map(letters).join('|')})$`;
}

const YAML_BOOL = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|(n|N|no|No|NO|false|False|FALSE|off|Off|OFF))$/;

export function plainBool(node: ScalarNode, walk: Walk): boolean | undefined {
  if (walk.document.isJson(node)) return node.text === 'true' ? true : node.text === 'false' ? false : undefined;
  return boolOf(YAML_BOOL, node.text);
}

/** @param words that are bools, the false ones in a group. */
export function boolOf(words: RegExp, text: string): boolean | undefined {
  const match = words.exec(text);
  return match === null ? undefined : match[1] === undefined;
}

/** How the proxy's reader interprets a scalar, without the type of the field. */
export function plainKind(node: ScalarNode, walk: Walk): 'string' | 'bool' | 'number' {
  if (node.quoted) return 'string';
  const { text } = node;
  if (walk.document.isJson(node)) return text === 'true' || text === 'false' ? 'bool' : 'number';
  const first = text.charCodeAt(0);
  const numberLike = (first >= 48 && first <= 57) || first === 43 || first === 45;
  if (numberLike) {
    const value = yamlInteger(text);
    return value !== undefined && value >= -2147483648n && value <= 2147483647n ? 'number' : 'string';
  }
  return YAML_BOOL.test(text) ? 'bool' : 'string';
}

/** A plain scalar that the proxy's YAML reader reads as an int64: decimal, `0x…`, or octal with a leading 0. */
export function yamlInteger(text: string): bigint | undefined {
  if (!/^[-+]?(?:0[xX][\da-fA-F]+|\d+)$/.test(text)) return undefined;
  const negative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  let value: bigint;
  if (/^0\d+$/.test(digits)) {
    if (!/^[0-7]+$/.test(digits)) return undefined;
    value = BigInt(`0o${digits}`);
  } else value = BigInt(digits);
  value = negative ? -value : value;
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

const UINT32_MAX = 4294967295n;
const UINT64_MAX = 18446744073709551615n;

/** Bounds of a number; those of a duration in seconds. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive minimum. */
  readonly above?: number;
  /** Exclusive maximum. */
  readonly below?: number;
}

export const uint32 = (bounds: Bounds = {}): Schema<number> =>
  integer('uint32', 0n, UINT32_MAX, Number, bounds, { minimum: 0, maximum: Number(UINT32_MAX) });

export const uint64 = (bounds: Bounds = {}): Schema<bigint> =>
  integer('uint64', 0n, UINT64_MAX, BigInt, bounds, { minimum: 0 });

export const int64 = (bounds: Bounds = {}): Schema<bigint> =>
  integer('int64', INT64_MIN, INT64_MAX, BigInt, bounds, {});

/** @param ofType the bounds of the type itself that JSON Schema is told of. */
function integer<T extends number | bigint>(
  typeName: string,
  lowest: bigint,
  highest: bigint,
  valueOf: (value: number | bigint) => T,
  { min, max, above, below }: Bounds,
  ofType: { readonly minimum?: number; readonly maximum?: number },
): Schema<T> {
  const least = above === undefined ? min : above + 1;
  const most = below === undefined ? max : below - 1;
  const from = least === undefined ? lowest : BigInt(least);
  const to = most === undefined ? highest : BigInt(most);
  const read = (node: SourceNode, walk: Walk): T | Invalid => {
    if (node.kind === 'scalar' && /^(?:0|[1-9]\d{0,8})$/.test(node.text)) {
      const value = Number(node.text);
      if (value >= (least ?? 0) && value <= (most ?? value)) return valueOf(value);
    }
    const value = readInteger(node, walk, lowest, highest, from, to);
    return value === INVALID ? INVALID : valueOf(value);
  };
  const bounds = { minimum: least ?? ofType.minimum, maximum: most ?? ofType.maximum };
  return mark(reading(typeName, read, valueOf(0)), {
    // Bounds of the type itself are not mentioned.
    limits: range(least === 0 ? undefined : least, most),
    json: () => ({ type: ['integer', 'string'], ...bounds, pattern: INTEGER_TEXT }),
  });
}

const HEX = '[0-9a-fA-F]';
const INTEGER_TEXT = `^[-+]?(?:0[xX](?:${HEX}+\\.?${HEX}*|\\.${HEX}+)(?:[pP][-+]?[0-9]+)?|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?)$`;

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined) return max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return max === undefined ? '' : `at most ${max}`;
}

export function readInteger(
  node: SourceNode,
  walk: Walk,
  typeMin: bigint,
  typeMax: bigint,
  min: bigint,
  max: bigint,
): bigint | Invalid {
  const range = `a whole number from ${min} to ${max}`;
  const value = node.kind === 'scalar' ? integerOf(node, walk) : undefined;
  if (value === undefined) return walk.error('type', `expected ${range}, found ${describe(node)}`, node);
  const wide = value < typeMin || value > typeMax;
  if (wide || value < min || value > max)
    return walk.error(wide ? 'type' : 'range', `must be ${range}, found ${describe(node)}`, node);
  return value;
}

export function integerOf(node: ScalarNode, walk: Walk): bigint | undefined {
  if (!node.quoted && !walk.document.isJson(node)) {
    const value = yamlInteger(node.text);
    if (value !== undefined) return value;
  }
  return integerText(node.text);
}

/** Beyond this a number with a point or an exponent is no integer to the proxy. */
const MAX_FLOAT = 2 ** 63;

/** `5`, `+5`, `05`, `0x10` exactly; a number written like a double (`5.0`, `5e2`), if it is whole. */
export function integerText(text: string): bigint | undefined {
  if (text.length > 400) return undefined;
  if (/^[-+]?\d+$/.test(text)) return BigInt(text.startsWith('+') ? text.slice(1) : text);
  const hex = /^([-+]?)(0[xX][\da-fA-F]+)$/.exec(text);
  if (hex !== null) return hex[1] === '-' ? -BigInt(hex[2] as string) : BigInt(hex[2] as string);
  const value = /\s/.test(text) ? undefined : doubleText(text);
  return Number.isInteger(value) && Math.abs(value as number) < MAX_FLOAT ? BigInt(value as number) : undefined;
}

export function double(limits: Bounds = {}): Schema<number> {
  const { min, max, above, below } = limits;
  const read = (node: SourceNode, walk: Walk): number | Invalid => {
    const value = node.kind === 'scalar' ? doubleOf(node, walk) : undefined;
    if (value === undefined)
      return walk.error('type', `expected ${doubleRange(limits)}, found ${describe(node)}`, node);
    if (isWithin(limits, value)) return value;
    return walk.error('range', `must be ${doubleRange(limits)}, found ${describe(node)}`, node);
  };
  const json = {
    type: ['number', 'string'],
    minimum: min,
    maximum: max,
    exclusiveMinimum: above,
    exclusiveMaximum: below,
  };
  const words = above === undefined ? range(min, max) : `more than ${above}`;
  const all = [words, below === undefined ? '' : `less than ${below}`].filter((text) => text !== '');
  return mark(reading('double', read, 0), { limits: all.join(' and '), json: () => json });
}

/** NaN is within no bounds. */
export const isWithin = ({ min, max, above, below }: Bounds, value: number): boolean =>
  (min === undefined || value >= min) &&
  (max === undefined || value <= max) &&
  (above === undefined || value > above) &&
  (below === undefined || value < below);

function doubleRange({ below, ...bounds }: Bounds): string {
  const { min, max, above } = bounds;
  const end = below === undefined ? '' : `below ${below}`;
  if (above !== undefined) return `a number above ${above}${end && ` and ${end}`}`;
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  if (min !== undefined) return `a number of at least ${min}${end && ` and ${end}`}`;
  return max === undefined ? `a number ${end}`.trim() : `a number of at most ${max}`;
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

const HEX_DOUBLE = /^([-+]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?(?:[pP]([-+]?\d+))?$/;

/** Text as C's `strtod` reads it: space around it, `inf` and `nan` in any case, hexadecimal with `p` and an exponent. */
function doubleText(written: string): number | undefined {
  const text = written.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[-+]?nan(?:\(\w*\))?$/i.test(text)) return NaN;
  const [, sign, whole = '', fraction = '', exponent = '0'] = HEX_DOUBLE.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const value = parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
