/**
 * Scalars and well-known types in protobuf's JSON mapping, as leniently as the proxy reads them: integers as numbers or
 * strings (decimal, hexadecimal, with an exponent if the value is whole), enumerations by name in any case or by number,
 * wrappers bare or as `{value: …}`, durations as `"1.5s"` or `{seconds, nanos}`.
 *
 * Source: https://protobuf.dev/programming-guides/json/ and the proxy's own YAML reader, which takes a plain scalar for
 * a bool, then for a 64-bit integer, and for a string otherwise.
 */
import type { JsonValue, Struct as StructValue } from '../../core/json.js';
import type { MapNode, ScalarNode, SourceNode } from '../source/document.js';
import type { Walk } from './context.js';
import { distinct } from './duplicates.js';
import type { Invalid, Marks } from './marks.js';
import { INVALID, mark, marksOf } from './marks.js';
import type { Schema } from './message.js';
import { reading } from './message.js';
import { keySpan } from './place.js';
import { isNull } from './scalar-value.js';
import { describe, didYouMean } from './words.js';

// --- strings and bools ---------------------------------------------------------------------------------------------

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
  return mark(reading('string', read, ''), { limits: stringRange(limits), json: () => json });
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

export function bool(): Schema<boolean> {
  const json = { type: ['boolean', 'string'], pattern: anyCase(BOOL_WORDS) };
  return mark(reading<boolean>('bool', readBool, false), { json: () => json });
}

const BOOL_WORDS = ['true', 't', 'yes', 'y', 'on', '1', 'false', 'f', 'no', 'n', 'off', '0'];

/** A pattern for these words in any case: JSON Schema knows no flags. */
function anyCase(words: readonly string[]): string {
  const letters = (word: string): string =>
    word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(?:${words.map(letters).join('|')})$`;
}

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
  return TEXT_BOOLS[text.toLowerCase()];
}

const YAML_BOOL = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|(n|N|no|No|NO|false|False|FALSE|off|Off|OFF))$/;

function plainBool(node: ScalarNode, walk: Walk): boolean | undefined {
  if (walk.document.json) return node.text === 'true' ? true : node.text === 'false' ? false : undefined;
  const match = YAML_BOOL.exec(node.text);
  return match === null ? undefined : match[1] === undefined;
}

/** What the proxy's reader makes of a scalar before it knows the type of the field. */
function plainKind(node: ScalarNode, walk: Walk): 'string' | 'bool' | 'number' {
  if (node.quoted) return 'string';
  const { text } = node;
  if (walk.document.json) return text === 'true' || text === 'false' ? 'bool' : 'number';
  const first = text.charCodeAt(0);
  const numberLike = (first >= 48 && first <= 57) || first === 43 || first === 45;
  if (numberLike) {
    const value = yamlInteger(text);
    return value !== undefined && value >= -2147483648n && value <= 2147483647n ? 'number' : 'string';
  }
  return YAML_BOOL.test(text) ? 'bool' : 'string';
}

/** A plain scalar as the proxy's YAML reader takes it for an int64: decimal, `0x…`, or octal with a leading 0. */
function yamlInteger(text: string): bigint | undefined {
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

// --- numbers -------------------------------------------------------------------------------------------------------

const UINT32_MAX = 4294967295n;
const INT64_MIN = -9223372036854775808n;
const INT64_MAX = 9223372036854775807n;
const UINT64_MAX = 18446744073709551615n;

export interface IntegerLimits {
  readonly min?: number;
  readonly max?: number;
}

export function uint32(limits: IntegerLimits = {}): Schema<number> {
  const min = BigInt(limits.min ?? 0);
  const max = limits.max === undefined ? UINT32_MAX : BigInt(limits.max);
  const read = (node: SourceNode, walk: Walk): number | Invalid => {
    if (node.kind === 'scalar' && /^(?:0|[1-9]\d{0,8})$/.test(node.text)) {
      const value = Number(node.text);
      if (value >= (limits.min ?? 0) && value <= (limits.max ?? value)) return value;
    }
    const value = readInteger(node, walk, 0n, UINT32_MAX, min, max);
    return value === INVALID ? INVALID : Number(value);
  };
  return mark(reading('uint32', read, 0), integerMarks(limits, 0, Number(UINT32_MAX)));
}

export function uint64(limits: IntegerLimits = {}): Schema<bigint> {
  const min = BigInt(limits.min ?? 0);
  const max = limits.max === undefined ? UINT64_MAX : BigInt(limits.max);
  const schema = reading('uint64', (node, walk) => readInteger(node, walk, 0n, UINT64_MAX, min, max), 0n);
  return mark(schema, integerMarks(limits, 0));
}

const HEX = '[0-9a-fA-F]';
const INTEGER_TEXT = `^[-+]?(?:0[xX](?:${HEX}+\\.?${HEX}*|\\.${HEX}+)(?:[pP][-+]?[0-9]+)?|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?)$`;

/** Bounds that are only those of the type go without saying. */
function integerMarks({ min, max }: IntegerLimits, lowest?: number, highest?: number): Pick<Marks, 'limits' | 'json'> {
  const json = {
    type: ['integer', 'string'],
    minimum: min ?? lowest,
    maximum: max ?? highest,
    pattern: INTEGER_TEXT,
  };
  return { limits: range(min === 0 ? undefined : min, max), json: () => json };
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined) return max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return max === undefined ? '' : `at most ${max}`;
}

export function int64(limits: IntegerLimits = {}): Schema<bigint> {
  const min = limits.min === undefined ? INT64_MIN : BigInt(limits.min);
  const max = limits.max === undefined ? INT64_MAX : BigInt(limits.max);
  const schema = reading('int64', (node, walk) => readInteger(node, walk, INT64_MIN, INT64_MAX, min, max), 0n);
  return mark(schema, integerMarks(limits));
}

function readInteger(
  node: SourceNode,
  walk: Walk,
  typeMin: bigint,
  typeMax: bigint,
  min: bigint,
  max: bigint,
): bigint | Invalid {
  const range = `a whole number from ${min} to ${max}`;
  if (node.kind !== 'scalar') return walk.error('type', `expected ${range}, found ${describe(node)}`, node);
  const value = integerOf(node, walk);
  if (value === undefined) return walk.error('type', `expected ${range}, found ${describe(node)}`, node);
  const wide = value < typeMin || value > typeMax;
  if (wide || value < min || value > max) {
    return walk.error(wide ? 'type' : 'range', `must be ${range}, found ${describe(node)}`, node);
  }
  return value;
}

function integerOf(node: ScalarNode, walk: Walk): bigint | undefined {
  if (!node.quoted && !walk.document.json) {
    const value = yamlInteger(node.text);
    if (value !== undefined) return value;
  }
  return integerText(node.text);
}

/** Beyond this a number with a point or an exponent is no integer to the proxy. */
const MAX_FLOAT = 2 ** 63;

/** `5`, `+5`, `05`, `0x10` exactly; what is written like a double (`5.0`, `5e2`) as that double, if it is whole. */
export function integerText(text: string): bigint | undefined {
  if (text.length > 400) return undefined;
  if (/^[-+]?\d+$/.test(text)) return BigInt(text.startsWith('+') ? text.slice(1) : text);
  const hex = /^([-+]?)(0[xX][\da-fA-F]+)$/.exec(text);
  if (hex !== null) return hex[1] === '-' ? -BigInt(hex[2] as string) : BigInt(hex[2] as string);
  const value = /\s/.test(text) ? undefined : doubleText(text);
  return Number.isInteger(value) && Math.abs(value as number) < MAX_FLOAT ? BigInt(value as number) : undefined;
}

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

export interface DoubleLimits {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive minimum. */
  readonly above?: number;
}

export function double(limits: DoubleLimits = {}): Schema<number> {
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
  return mark(reading('double', read, 0), { limits: words, json: () => json });
}

function doubleRange({ min, max, above }: DoubleLimits): string {
  if (above !== undefined) return `a number above ${above}`;
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  if (min !== undefined) return `a number of at least ${min}`;
  return max === undefined ? 'a number' : `a number of at most ${max}`;
}

function doubleOf(node: ScalarNode, walk: Walk): number | undefined {
  if (node.quoted) return doubleText(node.text);
  if (!walk.document.json) {
    const integer = yamlInteger(node.text);
    return integer === undefined ? doubleText(node.text) : Number(integer);
  }
  const value = Number(node.text);
  return JSON_NUMBER.test(node.text) && Number.isFinite(value) ? value : undefined;
}

const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

// --- wrappers ------------------------------------------------------------------------------------------------------

const WRAPPERS: Readonly<Record<string, string>> = {
  uint32: 'UInt32Value',
  uint64: 'UInt64Value',
  double: 'DoubleValue',
  bool: 'BoolValue',
};

/** `google.protobuf.UInt32Value` and its like: the bare value, or a message with a `value`. */
function wrapped<T>(inner: Schema<T>): Schema<T> {
  const { read, zero, typeName = '' } = marksOf(inner);
  if (read === undefined) throw new TypeError('only scalars are wrapped');
  const wrapper = reading<T>(WRAPPERS[typeName] ?? typeName, (node, walk) => {
    if (node.kind !== 'map') return read(node, walk);
    let value = zero;
    for (const entry of distinct(node, walk)) {
      if (entry.key !== 'value') {
        const text = `expected a value or {value: …}, found the field ${entry.key}`;
        return walk.error('unknown-field', text, keySpan(entry));
      }
      if (!isNull(entry.value)) value = walk.part('value', read, entry.value);
    }
    return value;
  });
  const { limits = '' } = marksOf(inner);
  return mark(wrapper, {
    limits,
    json: (of) => ({
      anyOf: [of(inner), { type: 'object', properties: { value: of(inner) }, additionalProperties: false }],
    }),
  });
}

export function uint32Value(limits: IntegerLimits = {}): Schema<number> {
  return wrapped(uint32(limits));
}

export function uint64Value(limits: IntegerLimits = {}): Schema<bigint> {
  return wrapped(uint64(limits));
}

export function boolValue(): Schema<boolean> {
  return wrapped(bool());
}

export function doubleValue(limits: DoubleLimits = {}): Schema<number> {
  return wrapped(double(limits));
}

// --- enumerations --------------------------------------------------------------------------------------------------

export interface EnumOptions<Name extends string> {
  /** What replaces a value, by its name: reported where it is used. */
  readonly deprecated?: Partial<Readonly<Record<Name, string>>>;
  /** What to say of a name that is not one of these but is written by people. */
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
    const expected = (): string => `expected one of ${names.join(', ')}, found ${describe(node)}`;
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
      const hint = options.hints?.[node.text.toUpperCase()];
      const help = hint === undefined ? didYouMean(node.text, names) : `: ${hint}`;
      return walk.error('enum', `${expected()}${help}`, node);
    }
    const replacement = options.deprecated?.[name];
    if (replacement !== undefined) {
      walk.once(`${typeName}.${name}`, 'deprecation', 'deprecated', `${name} is deprecated: ${replacement}`, node);
    }
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
  // As text a number is decimal: `"5.0"` is the name of nothing.
  const asText = node.quoted || (!walk.document.json && yamlInteger(node.text) === undefined);
  if (!asText) return integerOf(node, walk);
  const trimmed = node.text.trim();
  return /^[-+]?\d+$/.test(trimmed) ? integerText(trimmed) : undefined;
}

// --- durations -----------------------------------------------------------------------------------------------------

const NANOS_PER_SECOND = 1_000_000_000n;
const MAX_PROTO_SECONDS = 315_576_000_000n;
/** The proxy's own limit: nanoseconds must fit an int64. */
const MAX_PROXY_SECONDS = 9_223_372_036n;

export interface DurationLimits {
  /** Exclusive minimum, nanoseconds. */
  readonly aboveNanos?: number;
  /** Inclusive minimum, nanoseconds. */
  readonly minNanos?: number;
  /** Exclusive maximum, seconds. */
  readonly belowSeconds?: number;
}

/** `"1.5s"`, at most nine decimals, or `{seconds, nanos}`. The value is in µs and may be fractional. */
export function duration(limits: DurationLimits = {}): Schema<number> {
  const schema = reading<number>('Duration', (node, walk) => {
    const nanos = node.kind === 'map' ? durationMessage(node, walk) : durationText(node, walk);
    if (nanos === INVALID) return INVALID;
    if (nanos < 0n) return walk.error('duration', `expected a positive duration, found ${describe(node)}`, node);
    if (nanos >= MAX_PROXY_SECONDS * NANOS_PER_SECOND) {
      return walk.error('duration', `must be shorter than ${MAX_PROXY_SECONDS} s, found ${describe(node)}`, node);
    }
    const tooShort = nanos <= BigInt(limits.aboveNanos ?? -1) || nanos < BigInt(limits.minNanos ?? 0);
    const tooLong = limits.belowSeconds !== undefined && nanos >= BigInt(limits.belowSeconds) * NANOS_PER_SECOND;
    if (tooShort || tooLong) {
      return walk.error('range', `must be ${durationRange(limits)}, found ${describe(node)}`, node);
    }
    return Number(nanos) / 1000;
  });
  return mark(schema, { limits: durationRange(limits), json: () => DURATION_JSON });
}

const DURATION_JSON = {
  type: ['string', 'object'],
  pattern: '^-?[0-9]+(?:\\.[0-9]{1,9})?s$',
  properties: { seconds: { type: ['integer', 'string'] }, nanos: { type: ['integer', 'string'] } },
  additionalProperties: false,
};

function durationRange({ aboveNanos, minNanos, belowSeconds }: DurationLimits): string {
  const parts: string[] = [];
  if (aboveNanos !== undefined) parts.push(`longer than ${secondsText(aboveNanos)}`);
  if (minNanos !== undefined) parts.push(`at least ${secondsText(minNanos)}`);
  if (belowSeconds !== undefined) parts.push(`shorter than ${belowSeconds}s`);
  return parts.join(' and ');
}

function secondsText(nanos: number): string {
  return `${nanos / 1e9}s`;
}

function durationText(node: SourceNode, walk: Walk): bigint | Invalid {
  const match = node.kind === 'scalar' ? /^(-?)0*(\d{1,18})(?:\.(\d{1,9}))?s$/.exec(node.text) : null;
  if (match === null) {
    const text = `expected a duration in seconds as "0.25s"${durationHint(node)}, found ${describe(node)}`;
    return walk.error('duration', text, node);
  }
  const [, sign, seconds = '', fraction = ''] = match;
  if (BigInt(seconds) > MAX_PROTO_SECONDS) {
    return walk.error('duration', `must be shorter than ${MAX_PROXY_SECONDS} s, found ${describe(node)}`, node);
  }
  const nanos = BigInt(seconds) * NANOS_PER_SECOND + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nanos : nanos;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, us: 1e-6, ms: 0.001, s: 1, m: 60, min: 60, h: 3600 };

/** Suggests the same duration in the only unit that protobuf knows. */
function durationHint(node: SourceNode): string {
  const match = node.kind === 'scalar' ? /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(node.text) : null;
  const unit = UNIT_SECONDS[match?.[2]?.toLowerCase() ?? '-'];
  if (match === null || unit === undefined) return '';
  const seconds = Number((Number(match[1]) * unit).toFixed(9));
  return ` (here: "${seconds}s")`;
}

function durationMessage(node: MapNode, walk: Walk): bigint | Invalid {
  let seconds: bigint | Invalid = 0n;
  let nanos: bigint | Invalid = 0n;
  for (const entry of distinct(node, walk)) {
    if (isNull(entry.value)) continue;
    if (entry.key === 'seconds') {
      const limit = MAX_PROTO_SECONDS;
      seconds = walk.part('seconds', (part) => readInteger(part, walk, -limit, limit, -limit, limit), entry.value) as
        bigint | Invalid;
    } else if (entry.key === 'nanos') {
      const limit = NANOS_PER_SECOND - 1n;
      nanos = walk.part('nanos', (part) => readInteger(part, walk, -limit, limit, -limit, limit), entry.value) as
        bigint | Invalid;
    } else {
      return walk.error('unknown-field', `${entry.key} is not a field of Duration (seconds, nanos)`, keySpan(entry));
    }
  }
  if (seconds === INVALID || nanos === INVALID) return INVALID;
  // Neither part of a positive duration is negative.
  return seconds < 0n || nanos < 0n ? -1n : seconds * NANOS_PER_SECOND + nanos;
}

// --- bytes, Struct, Any --------------------------------------------------------------------------------------------

/** Base64, standard or URL-safe, with or without padding. */
export function bytes({ minLength = 0 }: { readonly minLength?: number } = {}): Schema<Uint8Array> {
  const schema = reading<Uint8Array>('bytes', (node, walk) => {
    const value = node.kind === 'scalar' && plainKind(node, walk) === 'string' ? fromBase64(node.text) : undefined;
    if (value === undefined) return walk.error('type', `expected base64, found ${describe(node)}`, node);
    return value.length < minLength ? walk.error('required', 'must not be empty', node) : value;
  });
  const json = { type: 'string', pattern: '^[-_A-Za-z0-9+/]*={0,2}$' };
  return mark(schema, { limits: minLength > 0 ? 'not empty' : '', json: () => json });
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function fromBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/={0,2}$/, '');
  // Padding may be left out, but not in part.
  if (bare.length < text.length && text.length % 4 !== 0) return undefined;
  const digits = bare.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z\d+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  const out = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const digit of digits) {
    buffer = ((buffer << 6) | BASE64.indexOf(digit)) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[at] = (buffer >> bits) & 0xff;
      at += 1;
    }
  }
  return out;
}

/** `google.protobuf.Struct`: any map. */
export function struct(): Schema<StructValue> {
  return mark(reading<StructValue>('Struct', readStruct), { json: () => ({ type: 'object' }) });
}

export function readStruct(node: SourceNode, walk: Walk): StructValue | Invalid {
  if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
  return structOf(node, walk);
}

function structOf(node: MapNode, walk: Walk): StructValue {
  const entries = distinct(node, walk);
  return Object.fromEntries(
    entries.map((entry) => [entry.key, walk.part(entry.key, readValue, entry.value) as JsonValue]),
  );
}

/**
 * A `google.protobuf.Value`. As the proxy reads YAML, a plain number that is not a 32-bit integer is a string: `1.0` is
 * "1.0", so that a version stays what was written. In JSON a number is a number.
 */
export function readValue(node: SourceNode, walk: Walk): JsonValue {
  if (node.kind === 'list') return node.items.map((item, index) => walk.part(index, readValue, item) as JsonValue);
  if (node.kind === 'map') return structOf(node, walk);
  if (isNull(node)) return null;
  switch (plainKind(node, walk)) {
    case 'bool':
      return plainBool(node, walk) ?? node.text;
    case 'number':
      return walk.document.json ? Number(node.text) : Number(yamlInteger(node.text));
    case 'string':
      return node.text;
  }
}
