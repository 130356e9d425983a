import type { Schema } from '../../src/config/reader/schema.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bootstrap } from '../../src/config/bootstrap.js';
import { fieldsOf, jsonSchema } from '../../src/config/json-schema.js';
import { block, camel, check, parseDocument } from '../../src/config/reader.js';
import { madeUp } from './reader/support.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { messagesBelow } from '../support/messages.js';
import type { Json } from '../support/samples.js';
import { YET_REFUSED } from '../../src/config/reader/context.js';

/**
 * The JSON Schema that editors check with, against the reader: whatever the reader takes the schema takes, on generated
 * values of every kind of field. The other way round the schema may be laxer, where `LAXER` says why.
 */
const ajv = new Ajv2020({ strict: false, allErrors: false });

interface Kind {
  readonly id: string;
  readonly type: string;
  readonly takenBySchema: (value: Json) => boolean;
  readonly takenByReader: (value: Json) => boolean;
}

/** Each form that a scalar, a list or a map of scalars has in any message: one field stands for all alike. */
function kinds(): readonly Kind[] {
  const found = new Map<string, Kind>();
  for (const info of messagesBelow([ScenarioFile, Bootstrap]).values()) {
    for (const { name, schema } of fieldsOf(info)) {
      if (holdsMessages(schema)) continue;
      const define = info.vocabulary === 'proxy' ? madeUp : block;
      const alone = define(`only ${info.name}`, () => ({ [name]: info.shape[name] as Schema<unknown> }), {});
      const form = jsonSchema(alone, 'a');
      const key = keyOf(info.vocabulary, form, name);
      if (found.has(key)) continue;
      const validate = ajv.compile(form);
      found.set(key, {
        id: `${info.name}.${name}`,
        type: typeOf(schema),
        takenBySchema: (value) => validate({ [name]: value }),
        takenByReader: (value) => {
          const { document } = parseDocument(JSON.stringify({ [name]: value }), 'a.json');
          if (document === undefined) throw new Error('does not parse');
          const { problems } = check(alone, document, { vocabulary: info.vocabulary });
          return !problems.some(({ severity, message: text }) => severity === 'error' || text.endsWith(YET_REFUSED));
        },
      });
    }
  }
  return [...found.values()];
}

/** What is alike but for its name and its words. */
function keyOf(vocabulary: string, form: object, name: string): string {
  const words = new Set(['title', 'description', 'deprecated', 'default']);
  const text = JSON.stringify(form, (key, value: unknown) =>
    words.has(key) && typeof value !== 'object' ? undefined : value,
  );
  return vocabulary + text.replaceAll(JSON.stringify(name), '').replaceAll(JSON.stringify(`^${camel(name)}$`), '');
}

function holdsMessages(schema: Schema<unknown>): boolean {
  return messagesBelow([schema]).size > 0 || schema.marks.anyTypes !== undefined;
}

function typeOf(schema: Schema<unknown>): string {
  const { typeName, values } = schema.marks;
  if (typeName !== undefined) return values === undefined ? typeName : 'enum';
  const form = schema.form;
  if ('inner' in form) return typeOf(form.inner);
  if (form.kind === 'list') return `list of ${typeOf(form.item)}`;
  return form.kind === 'map' ? `map of ${typeOf(form.value)}` : form.kind;
}

const scalars = fc.oneof(
  fc.constantFrom<Json>(0, 1, 2, 5, 99, 100, 101, 128, 600, 65536, 8388609, 4294967295, 4294967296, -1, 0.5, 5.5, 1e19),
  fc.constantFrom<Json>(true, false, 'true', 'T', 'yes', 'on', 'off', 'no', '', ' ', 'x', 'a b', '\n', 'unlimited'),
  fc.constantFrom<Json>(
    '5',
    '+5',
    '-5',
    '05',
    '0x10',
    '5.0',
    '5e2',
    ' 5',
    '5 ',
    '0x1p3',
    '.5',
    '5.',
    'inf',
    'NaN',
    ' 1.5',
  ),
  fc.constantFrom<Json>(
    '1s',
    '0.25s',
    '1.5s',
    '00.5s',
    '-0s',
    '250ms',
    '1m',
    '5 s',
    '2h',
    '0',
    '1us',
    '1s ',
    '.5s',
    '1e3s',
  ),
  fc.constantFrom<Json>('50%', '0.5', '101%', '12 %', '500/s', '30/m', '1/h', '5 / s', '1.17', '1.40', '1.99', '7'),
  fc.constantFrom<Json>(
    '10.0.0.1',
    '10.0.0.1:80',
    '[::1]:80',
    '::1',
    'h.test:80',
    '10.0.0.0/8',
    'aGk=',
    'aGk',
    'aGk==',
    '_-8=',
  ),
  fc.constantFrom<Json>(
    'RANDOM',
    'random',
    'MAGLEV',
    'HIGH',
    'high',
    'HEALTHY',
    'AUTO',
    'ok',
    'degraded',
    '503',
    'hang',
    'refuse',
    503,
  ),
  fc.string(),
);
const values = fc.oneof(
  { weight: 6, arbitrary: scalars },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>({ value: 1 }, { value: 'x' }, { seconds: 1 }, { nanos: 5 }, {}, { a: 1 }),
  },
  { weight: 2, arbitrary: fc.array(scalars, { maxLength: 2 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('a', 'envoy.lb', 'envoy.filters.http.router'), scalars, { maxKeys: 1 }),
  },
);

/** Each once: what is drawn twice tells nothing more, and fields of all kinds are asked for the same ones. */
const VALUES = [
  ...new Map(fc.sample(values, { numRuns: 250, seed: 1 }).map((one) => [JSON.stringify(one), one])).values(),
];

/** Where the schema takes more than the reader, and why: by the type of the field. */
const LAXER: Readonly<Record<string, string>> = {
  bool: 'on and off without quotes are bools to the YAML of the proxy and texts to that of editors',
  BoolValue: 'as bool',
  Duration: 'bounds of a duration written as text cannot be said in a pattern',
  uint32: 'bounds of an integer written as text, and whether it is whole, cannot be said in a pattern',
  uint64: 'as uint32',
  int64: 'as uint32',
  UInt32Value: 'as uint32',
  UInt64Value: 'as uint32',
  double: 'a number written as text has too many forms for a pattern: inf, hexadecimal, space around it',
  DoubleValue: 'as double',
  bytes: 'whether base64 has the right length cannot be said in a pattern',
  string: 'lengths are counted in bytes',
  'list of string': 'lengths are counted in bytes; an empty list counts as absent',
  union: 'as the kinds that it joins',
  integer: 'as uint32; the largest integers are not exact in JSON',
  number: 'as double',
  'map of number': 'as double',
  count: 'a count or unlimited',
  percentage: 'bounds of a percentage written as text cannot be said in a pattern',
  duration: 'whether it may be 0 is said by the field',
  address: 'addresses of two families have too many forms for a pattern',
  'block of addresses': 'as address',
  name: 'which names there are is known to the reader',
  'IP address': 'as address',
  'list of IP address': 'as address',
  'list of uint32': 'as uint32',
  'list of integer': 'as uint32',
  'list of name': 'as name',
  'list of value': 'whether there are two is known to the reader',
  'list of loss': 'which words are a size of a loss is known to the reader',
  'health check answer': 'words and numbers of answers are known to the reader',
  version: '1.40 as a number is 1.4 to JSON',
  seed: 'as integer',
};

/** What only protobuf's parser takes: a lone value for a list. Editors should offer lists. */
function loneItem({ type }: Kind, value: Json): boolean {
  return type.startsWith('list of') && !Array.isArray(value);
}

describe('the schema and the reader agree', () => {
  const all = kinds();

  it('on enough kinds of fields', () => {
    expect(all.length).toBeGreaterThan(200);
  });

  it.each([...new Set(all.map(({ type }) => type))])('%s', (type) => {
    const stricter = new Set<string>();
    let agreed = 0;
    let laxer = 0;
    for (const kind of all.filter((one) => one.type === type)) {
      for (const value of VALUES) {
        const [schema, reader] = [kind.takenBySchema(value), kind.takenByReader(value)];
        if (schema === reader) agreed += 1;
        else if (schema) laxer += 1;
        else if (!loneItem(kind, value)) stricter.add(`${kind.id}: ${JSON.stringify(value)}`);
      }
    }
    expect([...stricter]).toEqual([]);
    expect(agreed).toBeGreaterThan(0);
    expect(Object.keys(LAXER).includes(type)).toBe(laxer > 0);
  });
});
