import type { ApiField } from '../api/api.js';
import { utf8Length } from './proto/strings.js';

/**
 * The constraints of a field from a table, applied to values.
 *
 * Source: protoc-gen-validate, README, *Constraint Rules*; the words are those of `api/api.ts`.
 */
export interface Limit {
  /** As the table has it. */
  readonly word: string;
  /** What must hold, in words that follow "must": "be at least 2". */
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

const COMPARISON = /^(>=|>|<=|<)(-?[\d.]+)(s?)$/;
const LENGTH = /^(len|bytes|items)(>=|<=)(\d+)$/;
/** By sign: words, and whether the difference of a value and its bound is allowed. */
const COMPARISONS: Readonly<Record<string, readonly [string, (difference: number) => boolean]>> = {
  '>=': ['be at least', (difference) => difference >= 0],
  '>': ['be more than', (difference) => difference > 0],
  '<=': ['be at most', (difference) => difference <= 0],
  '<': ['be less than', (difference) => difference < 0],
};

/** The limits of the value itself: neither those of elements (`each:`) nor of keys (`keys:`). */
export function ownLimits({ limits }: ApiField): readonly Limit[] {
  return limits.filter((word) => !/^(?:each|keys):/.test(word)).flatMap(limitOf);
}

/** The limits of each element of a list, or of each value of a map. */
export function elementLimits({ limits }: ApiField): readonly Limit[] {
  return prefixed(limits, 'each:');
}

/** The limits of each key of a map. */
export function keyLimits({ limits }: ApiField): readonly Limit[] {
  return prefixed(limits, 'keys:');
}

function prefixed(limits: readonly string[], prefix: string): readonly Limit[] {
  return limits.flatMap((word) => (word.startsWith(prefix) ? limitOf(word.slice(prefix.length)) : []));
}

/** Whether the zero value of an absent proto3 scalar violates its limits. */
export function mustBeWritten(field: ApiField): boolean {
  if (field.oneOf !== undefined || takesEmpty(field)) return false;
  if (field.required) return true;
  if (field.label !== 'one') return ownLimits(field).some(({ holds }) => !holds([]));
  if (field.kind !== 'scalar') return false;
  const zero = field.type === 'string' || field.type === 'bytes' ? '' : field.type === 'bool' ? false : 0;
  return ownLimits(field).some(({ holds }) => !holds(zero));
}

/** Checks a list against its own limits. @param name of the field, in the plural. */
export function listProblem(limits: readonly Limit[], items: readonly unknown[], name: string): string | undefined {
  const broken = limits.find(({ holds }) => !holds(items));
  if (broken === undefined) return undefined;
  const [, sign, count] = /^items(>=|<=)(\d+)$/.exec(broken.word) ?? [];
  if (sign === undefined) return `must ${broken.words}, found a list`;
  const number = count === '1' ? 'one' : String(count);
  const what = name.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ');
  return sign === '>=' ? `needs at least ${number} ${what}; found a list` : `takes at most ${number}; found a list`;
}

/** Whether an empty value is accepted regardless of the other limits. */
export function takesEmpty({ limits }: ApiField): boolean {
  return limits.includes('or-empty');
}

function limitOf(word: string): readonly Limit[] {
  const rule = ruleOf(word);
  return rule === undefined ? [] : [{ word, ...rule }];
}

type Held = Omit<Limit, 'word'>;

function ruleOf(word: string): Held | undefined {
  const [, sign = '', bound = '', seconds = ''] = COMPARISON.exec(word) ?? [];
  const comparison = COMPARISONS[sign];
  if (comparison !== undefined) {
    const [words, allows] = comparison;
    // Durations are read in µs, and their bounds are written in seconds.
    const limit = Number(bound) * (seconds === '' ? 1 : 1e6);
    const holds = (value: unknown): boolean =>
      allows(typeof value === 'bigint' ? compareBig(value, BigInt(bound)) : Number(value) - limit);
    return { words: `${words} ${bound}${seconds}`, holds };
  }
  const length = LENGTH.exec(word);
  if (length !== null) return lengthLimit(length[1] ?? '', length[2] ?? '', Number(length[3]));
  const [name = '', ...rest] = word.split('=');
  const argument = rest.join('=');
  switch (name) {
    case 'in':
      return {
        words: `be one of ${argument.split('|').join(', ')}`,
        holds: (value) => argument.split('|').includes(String(value)),
      };
    case 'not':
      return {
        words: `not be ${argument.split('|').join(' or ')}`,
        holds: (value) => !argument.split('|').includes(String(value)),
      };
    case 'const':
      return { words: `be ${argument}`, holds: (value) => String(value) === argument };
    case 'prefix':
    case 'suffix':
    case 'pattern': {
      const text = JSON.parse(argument) as string;
      if (name === 'prefix') return { words: `begin with ${text}`, holds: (value) => String(value).startsWith(text) };
      if (name === 'suffix') return { words: `end with ${text}`, holds: (value) => String(value).endsWith(text) };
      const regex = new RegExp(text, 'u');
      return { words: `match ${text}`, holds: (value) => regex.test(String(value)) };
    }
    case 'unique':
      return {
        words: 'have no value twice',
        holds: (value) =>
          !Array.isArray(value) || new Set(value.map((one) => JSON.stringify(one))).size === value.length,
      };
    case 'header-name':
      return {
        words: 'be the name of a header',
        holds: (value) => /^:?[-!#$%&'*+.^_|~0-9A-Za-z`]+$/.test(String(value)),
      };
    case 'header-name?':
    case 'header-value?':
      return { words: 'have no line break and no NUL', holds: (value) => !/[\0\r\n]/.test(String(value)) };
    case 'header-value':
      return {
        words: 'be the value of a header',
        holds: (value) => !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(String(value)),
      };
    case 'line':
      return { words: `be a ${argument} on one line`, holds: (value) => !/[\0\r\n]/.test(String(value)) };
    default:
      // Limits handled by the reader of the type: enumerations (`defined`), `or-empty`.
      return undefined;
  }
}

function compareBig(value: bigint, limit: bigint): number {
  return value < limit ? -1 : value > limit ? 1 : 0;
}

function lengthLimit(unit: string, sign: string, count: number): Held {
  const atLeast = sign === '>=';
  const measured = (value: unknown): number => {
    if (typeof value === 'string') return unit === 'bytes' ? utf8Length(value) : Array.from(value).length;
    if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
    return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  };
  const nouns: Readonly<Record<string, string>> = { len: 'character', bytes: 'byte', items: 'entry' };
  const plural = unit === 'items' ? 'entries' : `${nouns[unit] ?? unit}s`;
  const noun = count === 1 ? (nouns[unit] ?? unit) : plural;
  const words = atLeast && count === 1 ? 'not be empty' : `have at ${atLeast ? 'least' : 'most'} ${count} ${noun}`;
  return { words, holds: (value) => (atLeast ? measured(value) >= count : measured(value) <= count) };
}
