import type { ScalarNode, SourceNode } from '../../source/document.js';
import type { Marks, Schema } from '../schema.js';
import { INVALID, type Walk, type Invalid } from '../context.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { doubleText } from './double-text.js';
import { INT64_MAX, INT64_MIN, yamlInteger } from './plain-scalars.js';

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

interface WholeBounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function wholeBounds({ min, max, above, below }: Bounds): WholeBounds {
  return { min: above === undefined ? min : above + 1, max: below === undefined ? max : below - 1 };
}

export function uint32(bounds: Bounds = {}): Schema<number> {
  const limits = wholeBounds(bounds);
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
  return protobuf(reading('uint32', read, 0), integerMarks(limits, 0, Number(UINT32_MAX)));
}

export function uint64(bounds: Bounds = {}): Schema<bigint> {
  const limits = wholeBounds(bounds);
  return protobuf(integer('uint64', 0n, UINT64_MAX, limits), integerMarks(limits, 0));
}

function integer(typeName: string, lowest: bigint, highest: bigint, limits: WholeBounds): Schema<bigint> {
  const min = limits.min === undefined ? lowest : BigInt(limits.min);
  const max = limits.max === undefined ? highest : BigInt(limits.max);
  return reading(typeName, (node, walk) => readInteger(node, walk, lowest, highest, min, max), 0n);
}

const HEX = '[0-9a-fA-F]';
const INTEGER_TEXT = `^[-+]?(?:0[xX](?:${HEX}+\\.?${HEX}*|\\.${HEX}+)(?:[pP][-+]?[0-9]+)?|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?)$`;

/** Bounds of the type itself are not mentioned. */
function integerMarks({ min, max }: WholeBounds, lowest?: number, highest?: number): Pick<Marks, 'limits' | 'json'> {
  const json = {
    type: ['integer', 'string'],
    minimum: min ?? lowest,
    maximum: max ?? highest,
    pattern: INTEGER_TEXT,
  };
  return { limits: range(min === 0 ? undefined : min, max), json: () => json };
}

export function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined) return max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return max === undefined ? '' : `at most ${max}`;
}

export function int64(bounds: Bounds = {}): Schema<bigint> {
  const limits = wholeBounds(bounds);
  return protobuf(integer('int64', INT64_MIN, INT64_MAX, limits), integerMarks(limits));
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
  if (node.kind !== 'scalar') return walk.error('type', `expected ${range}, found ${describe(node)}`, node);
  const value = integerOf(node, walk);
  if (value === undefined) return walk.error('type', `expected ${range}, found ${describe(node)}`, node);
  const wide = value < typeMin || value > typeMax;
  if (wide || value < min || value > max) {
    return walk.error(wide ? 'type' : 'range', `must be ${range}, found ${describe(node)}`, node);
  }
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
