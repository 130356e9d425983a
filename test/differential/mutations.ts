/**
 * Configurations of v3 that were changed at random, knowing what the messages are made of: fields set, dropped, misspelt,
 * renamed and repeated, values at and beyond their limits and of other types.
 */
import type { ApiField, ApiMessage } from '../../src/config/api/api.js';
import { apiOf } from '../../src/config/api/api.js';
import { Dice } from '../swarm/random-scenario.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** A message in the document, and what it is. */
interface Place {
  readonly value: JsonObject;
  readonly message: ApiMessage;
}

const api = apiOf('v3');
const DEPTH = 3;

/**
 * A changed copy of a document.
 *
 * @param name of its message in the table.
 */
export function mutatedDocument(document: Json, name: string, seed: number): Json {
  const dice = new Dice(seed);
  const copy = structuredClone(document) as JsonObject;
  // Mostly one change: two hide each other.
  for (let left = dice.int(1, 10) > 8 ? 2 : 1; left > 0; left--) {
    const places: Place[] = [];
    collect(copy, name, places);
    change(dice.pick(places), dice);
  }
  return copy;
}

/** All messages below a value, those of an Any by its type. */
function collect(value: Json, name: string, found: Place[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const message = api.message(name);
  if (message === undefined) return;
  found.push({ value, message });
  for (const field of message.fields) {
    for (const key of [field.name, camel(field.name)]) {
      const part = value[key];
      if (part === undefined) continue;
      const list = Array.isArray(part) ? part : field.label === 'map' && isObject(part) ? Object.values(part) : [part];
      for (const one of list) {
        if (field.kind === 'message') collect(one, field.type, found);
        else if (field.type === 'Any') collectAny(one, found);
      }
    }
  }
}

function collectAny(value: Json, found: Place[]): void {
  if (!isObject(value) || typeof value['@type'] !== 'string') return;
  collect(value, value['@type'].replace(/^.*\/envoy\./, ''), found);
}

function change({ value, message }: Place, dice: Dice): void {
  const keys = Object.keys(value).filter((key) => key !== '@type');
  const key = keys.length === 0 ? undefined : dice.pick(keys);
  const known = message.fields.find(({ name }) => name === key || camel(name) === key);
  switch (dice.int(0, 11)) {
    case 0:
      if (key !== undefined) Reflect.deleteProperty(value, key);
      return;
    case 1:
      if (key === undefined) return;
      value[misspelt(key, dice)] = value[key] ?? null;
      Reflect.deleteProperty(value, key);
      return;
    case 2:
      if (key === undefined) return;
      value[camel(key)] = value[key] ?? null;
      if (camel(key) !== key) Reflect.deleteProperty(value, key);
      return;
    case 3:
      if (key !== undefined) value[key] = junk(dice);
      return;
    case 4:
      if (known !== undefined && key !== undefined) value[key] = valueOf(known, dice, 0);
      return;
    case 5: {
      const list = key === undefined ? undefined : value[key];
      if (Array.isArray(list) && list.length > 0) list.push(structuredClone(dice.pick(list)));
      else if (Array.isArray(list)) list.push(junk(dice));
      return;
    }
    case 6:
      if (key !== undefined && typeof value[key] === 'string' && dice.int(0, 1) === 0) value[key] = '';
      else if (key !== undefined) value[key] = Array.isArray(value[key]) ? [] : isObject(value[key] ?? null) ? {} : '';
      return;
    default: {
      if (message.fields.length === 0) return;
      const field = dice.pick(message.fields);
      value[field.name] = valueOf(field, dice, 0);
    }
  }
}

/** A value of a field, most of the time one that is taken. */
function valueOf(field: ApiField, dice: Dice, depth: number): Json {
  if (field.label === 'one') return single(field, dice, depth);
  const count = dice.int(0, 2);
  const items = Array.from({ length: count }, () => single(field, dice, depth));
  if (field.label === 'repeated') return items;
  return Object.fromEntries(items.map((item, at) => [field.keyType === 'string' ? `k${at}` : String(at), item]));
}

function single(field: ApiField, dice: Dice, depth: number): Json {
  if (dice.int(0, 30) === 0) return junk(dice);
  if (field.kind === 'message') return messageValue(field.type, dice, depth + 1);
  if (field.kind === 'enum') return enumValue(field.type, dice);
  const bound = field.limits.flatMap((word) => /^(?:each:)?[<>]=?(-?[\d.]+)s?$/.exec(word)?.[1] ?? []);
  const near = bound.length === 0 ? dice.pick([0, 1, 2, 100, 65536]) : Number(dice.pick(bound)) + dice.int(-1, 1);
  switch (field.type) {
    case 'bool':
    case 'BoolValue':
      return dice.pick<Json>([true, false]);
    case 'uint32':
    case 'uint64':
    case 'UInt32Value':
    case 'UInt64Value':
    case 'int32':
    case 'int64':
      return dice.pick<Json>([near, Math.max(0, near), dice.int(0, 5000), 4294967295, 4294967296, -1, String(near)]);
    case 'double':
    case 'float':
    case 'DoubleValue':
    case 'FloatValue':
      return dice.pick<Json>([near, near + 0.5, 0.1, 1, -1, 'NaN', 1e9]);
    case 'Duration':
      return dice.pick<Json>([
        `${near}s`,
        '0s',
        '1s',
        '0.25s',
        '-1s',
        '300s',
        '0.0000001s',
        '1',
        5,
        '1m',
        '315576000001s',
      ]);
    case 'Timestamp':
      return dice.pick<Json>(['2020-01-01T00:00:00Z', 'yesterday']);
    case 'Struct':
      return dice.pick<Json>([{}, { a: 1, b: { c: [1, null, 'x'] } }]);
    case 'Empty':
      return dice.pick<Json>([{}, { a: 1 }]);
    case 'Any':
      return dice.pick<Json>([
        { '@type': 'type.googleapis.com/google.protobuf.Struct', value: {} },
        { '@type': 'type.googleapis.com/envoy.config.core.v3.Locality', zone: 'a' },
        { '@type': 'type.googleapis.com/envoy.config.core.v3.Nothing' },
        {},
      ]);
    default:
      return text(field, dice);
  }
}

function messageValue(name: string, dice: Dice, depth: number): Json {
  const message = api.message(name);
  if (message === undefined) return {};
  const value: JsonObject = {};
  const groups = new Set<string>();
  for (const field of message.fields) {
    const needed =
      field.required ||
      field.limits.some((word) => /^(?:len|bytes|items)>=1$/.test(word)) ||
      (field.oneOf !== undefined && message.requiredOneOfs.includes(field.oneOf) && dice.int(0, 1) === 0);
    if (field.oneOf !== undefined && groups.has(field.oneOf) && dice.int(0, 20) > 0) continue;
    if (!(needed ? dice.int(0, 20) > 0 : depth < DEPTH && dice.int(0, message.fields.length + 1) < 2)) continue;
    if (field.oneOf !== undefined) groups.add(field.oneOf);
    if (depth < 2 * DEPTH) value[field.name] = valueOf(field, dice, depth);
  }
  for (const group of message.requiredOneOfs) {
    const [first] = message.fields.filter(({ oneOf }) => oneOf === group);
    if (first !== undefined && !groups.has(group) && depth < 2 * DEPTH) value[first.name] = valueOf(first, dice, depth);
  }
  return value;
}

function enumValue(type: string, dice: Dice): Json {
  const values = api.enumOf(type)?.values ?? [];
  if (dice.int(0, 9) === 0) return dice.pick<Json>(['BOGUS', 99, values[0]?.name.toLowerCase() ?? 'x']);
  const { name, number } = dice.pick(values);
  return dice.int(0, 4) === 0 ? number : name;
}

const WORDS = [
  'a',
  'first',
  'x-header',
  '/path',
  'a.b',
  '10.0.0.1',
  'other',
  'UPPER',
  'a b',
  'ünï',
  'envoy.lb',
  '%REQ(x)%',
  '*',
];

function text(field: ApiField, dice: Dice): Json {
  const listed = field.limits.find((word) => word.startsWith('in='));
  if (listed !== undefined) return dice.pick(listed.slice(3).split('|'));
  const prefix = field.limits.find((word) => word.startsWith('prefix='));
  if (prefix !== undefined) return `${JSON.parse(prefix.slice(7)) as string}rest`;
  return dice.pick<Json>([...WORDS, '', 'a\nb']);
}

function junk(dice: Dice): Json {
  return dice.pick<Json>([null, true, -1, 0, 1.5, 1e20, '', 'x', '1', [], ['x'], {}, { x: 1 }, [[]], 'NaN', '1s']);
}

function misspelt(key: string, dice: Dice): string {
  const at = dice.int(0, key.length - 1);
  return dice.int(0, 1) === 0 ? key.slice(0, at) + key.slice(at + 1) : `${key.slice(0, at)}x${key.slice(at)}`;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
