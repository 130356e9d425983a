/**
 * Checks of arguments for callers without types: a wrong call says what was given, and what may be. Those who bundle one function leave the
 * checks of the others out, as making a check has no effects.
 */

import type { U64 } from './u64.js';

/** @returns what is wrong with a value, a sentence each. */
export type Check = (value: unknown, name: string) => readonly string[];

type Table = Readonly<Record<string, unknown>>;

export type Fields<T> = { readonly [Name in keyof T]-?: Check };

/** Of a long list each entry may be wrong in the same way. */
const MOST_TOLD = 8;

/** @throws TypeError that names the call, and each argument that is wrong. */
export function demand(
  call: string,
  ...given: readonly (readonly [name: string, value: unknown, check: Check])[]
): void {
  const wrong = given.flatMap(([name, value, check]) => check(value, name));
  if (wrong.length === 0) return;
  const more = wrong.length > MOST_TOLD ? `; and ${wrong.length - MOST_TOLD} more` : '';
  throw new TypeError(`${call}: ${wrong.slice(0, MOST_TOLD).join('; ')}${more}`);
}

/** What a check finds of a good value: one list for all, since some functions are called for every request. */
const NOTHING: readonly string[] = [];

/* @__NO_SIDE_EFFECTS__ */
export const must =
  (allowed: string, fits: (value: unknown) => boolean): Check =>
  (value, name) =>
    fits(value) ? NOTHING : [`${name} is ${shown(value)}, and has to be ${allowed}`];

/** The same function, for callers without types. @param checks of its arguments, by their names in their order. */
/* @__NO_SIDE_EFFECTS__ */
export function checked<Given extends readonly unknown[], Made>(
  call: string,
  run: (...given: Given) => Made,
  checks: Readonly<Record<string, Check>>,
): (...given: Given) => Made {
  const wanted = Object.entries(checks);
  return (...given) => {
    if (wanted.some(([name, check], index) => check(given[index], name).length > 0))
      demand(call, ...wanted.map(([name, check], index) => [name, given[index], check] as const));
    return run(...given);
  };
}

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const TEXT = must('a text', (value) => typeof value === 'string');
export const FLAG = must('true or false', (value) => typeof value === 'boolean');
export const FUNCTION = must('a function', (value) => typeof value === 'function');
export const ANY_TABLE = must('an object', isTable);
export const POSITIVE = must('a number above 0', (value) => isNumber(value) && value > 0);
export const FROM_ZERO = must('a number from 0', (value) => isNumber(value) && value >= 0);
export const INDEX = must('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const COUNT = must('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1);
export const NUMBER = must('a number', (value) => typeof value === 'number');
const isHalf = (value: unknown): boolean => typeof value === 'number' && value >>> 0 === value;
export const U32 = must('a whole number from 0 to 4294967295', isHalf);
export const LIST = must('a list', (value) => Array.isArray(value));
/** Asked for every look-up: `value?.hi` would be a number or undefined, for which engines make an object. */
export const isU64 = (value: unknown): boolean =>
  value !== undefined && value !== null && isHalf((value as U64).hi) && isHalf((value as U64).lo);
export const U64_HALVES = must('two halves of 32 bits, {hi, lo}', isU64);

/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (values: readonly string[]): Check =>
  must(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));

/** @param allowed such a list in words. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf(check: Check, allowed: string): Check {
  return (value, name) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) =>
          // Names of entries are made for those that are wrong alone: there may be millions.
          check(item, name).length === 0 ? NOTHING : check(item, `${name}[${index}]`),
        )
      : [`${name} is ${shown(value)}, and has to be ${allowed}`];
}

export const NUMBERS = listOf(NUMBER, 'a list of numbers');
export const TEXTS = listOf(TEXT, 'a list of texts');

/** @param allowed such an object in words. @param members which it has, of whatever type. */
/* @__NO_SIDE_EFFECTS__ */
export const withMembers = (allowed: string, ...members: readonly string[]): Check =>
  must(allowed, (value) => isTable(value) && members.every((member) => member in value));

/** What a function of the library has returned. @param members which it has. */
/* @__NO_SIDE_EFFECTS__ */
export const madeBy = (call: string, ...members: readonly string[]): Check =>
  withMembers(`what ${call} returns`, ...members);

export const RESULT = madeBy('runScenario', 'totals', 'clusters');

const hasAll = (value: unknown, names: readonly string[], type: 'function' | 'number'): boolean =>
  isTable(value) && names.every((name) => typeof value[name] === type);

/* @__NO_SIDE_EFFECTS__ */
export const withFunctions = (...names: readonly string[]): Check =>
  must(`an object with ${names.join(', ')}`, (value) => hasAll(value, names, 'function'));

/* @__NO_SIDE_EFFECTS__ */
export const withNumbers = (...names: readonly string[]): Check =>
  must(`an object with numbers ${names.join(', ')}`, (value) => hasAll(value, names, 'number'));

/* @__NO_SIDE_EFFECTS__ */
export const optional =
  (check: Check): Check =>
  (value, name) =>
    value === undefined ? [] : check(value, name);

/** An object with these fields alone; a field that is undefined is as good as absent. @param required fields. */
/* @__NO_SIDE_EFFECTS__ */
export function fieldsOf<T>(fields: Fields<T>, ...required: readonly (keyof T & string)[]): Check {
  const known = new Map(Object.entries<Check>(fields));
  return (value, name) => {
    if (!isTable(value))
      return [`${name} is ${shown(value)}, and has to be an object: {${[...known.keys()].join(', ')}}`];
    const lacks = required.filter((field) => value[field] === undefined);
    return [
      ...lacks.map((field) => `${name} has no ${field}`),
      ...Object.entries(value).flatMap(([field, own]) => {
        const check = known.get(field);
        if (check === undefined) return [`${name} has no option ${field}: there are ${[...known.keys()].join(', ')}`];
        return own === undefined ? [] : check(own, `${name}.${field}`);
      }),
    ];
  };
}

/* @__NO_SIDE_EFFECTS__ */
export const allFieldsOf = <T>(fields: Fields<T>): Check =>
  fieldsOf(fields, ...(Object.keys(fields) as (keyof T & string)[]));

/* @__NO_SIDE_EFFECTS__ */
export const optionsOf = <T>(fields: Fields<T>): Check => optional(fieldsOf(fields));

export const SCENARIO: Check = (value, name) => {
  const fields: Table = isTable(value) ? value : {};
  if (Array.isArray(fields['clusters']) && Array.isArray(fields['proxies'])) return [];
  const why =
    value === undefined
      ? 'undefined: the scenario did not load, and problems of loadScenario say why'
      : 'problems' in fields
        ? 'the whole result of loadScenario: hand its scenario on'
        : `${shown(value)}, something else: write const {scenario} = loadScenario({file, text})`;
  return [`${name} is ${why}`];
};

export const INPUTS: Check = (value, name) => {
  const each: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((one: unknown, index) => [`${name}[${index}]`, one])
    : [[name, value]];
  return each.flatMap(([own, input]) => {
    if (isTable(input) && typeof input['file'] === 'string' && typeof input['text'] === 'string') return [];
    const seen = typeof input === 'string' ? 'a text' : shown(input);
    return [`${own} is ${seen}, and has to be {file: 'web.yaml', text}, or a list of such`];
  });
};

export const SIDES: Check = (value, name) => {
  const sides: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  if (sides === undefined || sides.length < 2) {
    const seen = sides === undefined ? shown(value) : `a list of ${sides.length}`;
    return [`${name} is ${seen}, and has to be a list of two sides or more, {name, scenario} each`];
  }
  return sides.flatMap((side, index) => {
    const own = `${name}[${index}]`;
    if (!isTable(side)) return [`${own} is ${shown(side)}, and has to be {name, scenario}`];
    const called = typeof side['name'] === 'string' ? ` (${side['name']})` : '';
    return [...TEXT(side['name'], `${own}.name`), ...SCENARIO(side['scenario'], `${own}.scenario${called}`)];
  });
};

const SHOWN_CHARACTERS = 60;

/** Of objects the names of their fields, as the values may be long. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (isTable(value)) return `{${shortened(Object.keys(value).join(', '))}}`;
  if (Array.isArray(value)) return `[${shortened(value.map((one) => shown(one)).join(', '))}]`;
  return typeof value === 'string' ? `'${shortened(value)}'` : String(value);
}

const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
