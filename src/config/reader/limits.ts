import type { ProblemRule } from '../../core/problem.js';
import type { ApiField } from '../api/api.js';
import { INVALID, type Read } from './context.js';
import { describe } from './error-words.js';
import { isWithin, type Bounds } from './proto/numbers.js';
import { utf8Length } from './proto/strings.js';
import { mark, type Schema } from './schema.js';
import { readerOf } from './walk.js';

/** Constraints of a field. Source: protoc-gen-validate, README, *Constraint Rules*; words as in `api/api.ts`. */
export interface Limits {
  /** Of numbers and durations, whose readers know them. */
  readonly bounds: Bounds;
  /** Of anything else, checked when the value is read. */
  readonly others: readonly Limit[];
}

interface Limit {
  /** What must hold, in words that follow "must": "have at least 2 entries". */
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
  /** What documentation says. Default: the words. */
  readonly doc?: string;
  /** The name of the problem, where it is neither that of a range nor that of an empty value. */
  readonly rule?: ProblemRule;
  /** What was found, where that is not the value. */
  readonly found?: (value: unknown) => number;
  /** What is wrong with a list that is the value of a field. */
  readonly ofList?: (field: string) => string;
  readonly json?: { readonly minLength?: number; readonly pattern?: string };
}

/** @param of the value itself, of each element of a list or value of a map, or of each key of a map. */
export function limitsOf({ limits }: ApiField, of: '' | 'each:' | 'keys:' = ''): Limits {
  const own = limits.filter((word) => (of === '' ? !/^(?:each|keys):/.test(word) : word.startsWith(of)));
  // How long a text is comes before what is in it.
  const words = own
    .map((word) => word.slice(of.length))
    .sort((a, b) => Number(LENGTH.test(b)) - Number(LENGTH.test(a)));
  return { bounds: Object.fromEntries(words.flatMap(boundOf)), others: words.flatMap((word) => limitOf(word) ?? []) };
}

/** Whether an empty value is accepted regardless of the other limits. */
export const takesEmpty = ({ limits }: ApiField): boolean => limits.includes('or-empty');

/** Whether the zero value of an absent proto3 scalar violates its limits. */
export function mustBeWritten(field: ApiField): boolean {
  if (field.oneOf !== undefined || takesEmpty(field)) return false;
  if (field.required || field.limits.length === 0) return field.required;
  const { bounds, others } = limitsOf(field);
  if (field.label !== 'one') return others.some(({ holds }) => !holds([]));
  if (field.kind !== 'scalar') return false;
  const zero = field.type === 'string' || field.type === 'bytes' ? '' : field.type === 'bool' ? false : 0;
  return (zero === 0 && !isWithin(bounds, 0)) || others.some(({ holds }) => !holds(zero));
}

export function limited<T>(schema: Schema<T>, limits: readonly Limit[]): Schema<T> {
  if (limits.length === 0) return schema;
  const inner = readerOf(schema);
  const read: Read = (node, walk) => {
    const value = inner(node, walk);
    const broken = value === INVALID ? undefined : limits.find(({ holds }) => !holds(value));
    if (broken === undefined) return value;
    if (value === '') return walk.error('required', 'must not be empty', node);
    const found = broken.found?.(value) ?? describe(node);
    return walk.error(broken.rule ?? 'range', `must ${broken.words}, found ${found}`, node);
  };
  const docs = [schema.marks.limits ?? '', ...limits.map(({ doc, words }) => doc ?? words)];
  const { json = () => ({}) } = schema.marks;
  const ofLimits = Object.fromEntries(limits.flatMap((limit) => Object.entries(limit.json ?? {})));
  return mark(schema, {
    read,
    limits: docs.filter((text) => text !== '').join('; '),
    json: (of) => ({ ...json(of), ...ofLimits }),
  });
}

/** Checks a list against its own limits. @param name of the field, in the plural. */
export function listProblem(limits: readonly Limit[], items: readonly unknown[], name: string): string | undefined {
  const broken = limits.find(({ holds }) => !holds(items));
  return broken && (broken.ofList?.(name) ?? `must ${broken.words}, found a list`);
}

export function keyProblem(limits: readonly Limit[], key: string): string | undefined {
  const broken = limits.find(({ holds }) => !holds(key));
  return broken && `a key must ${broken.words}`;
}

const SIGNS: Readonly<Record<string, keyof Bounds>> = { '>=': 'min', '>': 'above', '<=': 'max', '<': 'below' };

function boundOf(word: string): readonly (readonly [keyof Bounds, number])[] {
  const [, sign = '', bound] = /^(>=|>|<=|<)(-?[\d.]+)s?$/.exec(word) ?? [];
  const name = SIGNS[sign];
  return name === undefined ? [] : [[name, Number(bound)]];
}

const LENGTH = /^(len|bytes|items)(>=|<=)(\d+)$/;

/** undefined: what readers of types know (bounds, `defined`), or how the others are meant (`or-empty`). */
function limitOf(word: string): Limit | undefined {
  const [, unit, sign, count] = LENGTH.exec(word) ?? [];
  if (unit !== undefined) return lengthLimit(unit, sign === '>=', Number(count));
  const [name = '', ...rest] = word.split('=');
  return Object.hasOwn(LIMITS, name) ? LIMITS[name]?.(rest.join('=')) : undefined;
}

const ON_ONE_LINE = /^[^\0\r\n]*$/;

function onOneLine(what: string): Limit {
  const words = `be a ${what} on one line`;
  const doc = `a ${what} on one line`;
  return { words, doc, rule: 'format', holds: matches(ON_ONE_LINE), json: { pattern: ON_ONE_LINE.source } };
}

const matches =
  (pattern: RegExp): Limit['holds'] =>
  (value) =>
    pattern.test(String(value));

/** @param text as the table has it, in JSON. */
function ofText(words: string, text: string, holds: (value: string, text: string) => boolean): Limit {
  const wanted = JSON.parse(text) as string;
  return { words: `${words} ${wanted}`, holds: (value) => holds(String(value), wanted) };
}

const LIMITS: Readonly<Record<string, (argument: string) => Limit>> = {
  in: (list) => ({
    words: `be one of ${list.split('|').join(', ')}`,
    holds: (value) => list.split('|').includes(String(value)),
  }),
  not: (list) => ({
    words: `not be ${list.split('|').join(' or ')}`,
    holds: (value) => !list.split('|').includes(String(value)),
  }),
  const: (text) => ({ words: `be ${text}`, holds: (value) => String(value) === text }),
  prefix: (text) => ofText('begin with', text, (value, wanted) => value.startsWith(wanted)),
  suffix: (text) => ofText('end with', text, (value, wanted) => value.endsWith(wanted)),
  pattern: (text) => ofText('match', text, (value, wanted) => new RegExp(wanted, 'u').test(value)),
  unique: () => ({
    words: 'have no value twice',
    holds: (value) => !Array.isArray(value) || new Set(value.map((one) => JSON.stringify(one))).size === value.length,
  }),
  'header-name': () => ({ words: 'be the name of a header', holds: matches(/^:?[-!#$%&'*+.^_|~0-9A-Za-z`]+$/) }),
  'header-value': () => ({
    words: 'be the value of a header',
    holds: (value) => !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(String(value)),
  }),
  'header-name?': () => onOneLine('header name'),
  'header-value?': () => onOneLine('header value'),
  line: onOneLine,
};

const NOUNS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  len: ['character', 'characters'],
  bytes: ['byte', 'bytes'],
  items: ['entry', 'entries'],
};

function lengthLimit(unit: string, atLeast: boolean, count: number): Limit {
  const measured = (value: unknown): number => {
    if (typeof value === 'string') return unit === 'bytes' ? utf8Length(value) : Array.from(value).length;
    if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
    return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  };
  const [one = '', more = ''] = NOUNS[unit] ?? [];
  const most = `at ${atLeast ? 'least' : 'most'} ${count} ${count === 1 ? one : more}`;
  const isFilled = atLeast && count === 1;
  return {
    words: isFilled ? 'not be empty' : `have ${most}`,
    doc: isFilled ? 'not empty' : most,
    holds: (value) => (atLeast ? measured(value) >= count : measured(value) <= count),
    ofList: (field) => {
      const number = count === 1 ? 'one' : String(count);
      const what = field.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ');
      return atLeast ? `needs at least ${number} ${what}; found a list` : `takes at most ${number}; found a list`;
    },
    ...(unit === 'bytes' && { found: measured }),
    ...(isFilled && unit !== 'items' && { json: { minLength: 1 } }),
  };
}

export const FILLED = lengthLimit('len', true, 1);
