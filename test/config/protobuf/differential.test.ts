import type { DescMessage, JsonValue } from '@bufbuild/protobuf';
import { fromJson, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, parseDocument } from '../../../src/config/reader.js';
import type { MessageInfo, Schema } from '../../../src/config/reader/schema.js';
import { camel } from '../../../src/config/reader/letter-case.js';
import { madeUp } from '../reader/support.js';
import { fieldsOf } from '../../../src/config/json-schema.js';
import { flat, v2Registry } from './registry.js';
import type { Field } from './v2-api.js';
import { api, ourName, ours } from './v2-api.js';

/**
 * Our reader against a real protobuf implementation, on generated JSON: what protobuf refuses we refuse, what it takes
 * we take, with the same value. Where the proxy's own reader is more lenient, it holds; those readings are listed in
 * `lenient`.
 */

const registry = v2Registry();

/**
 * `LBSIM_RUNS=5000 LBSIM_SEED=7 npx vitest run test/config/protobuf` looks longer and elsewhere.
 */
const SEED = Number(process.env['LBSIM_SEED'] ?? 1);
const runsOf = (usual: number): number => Number(process.env['LBSIM_RUNS'] ?? usual);
const TIMEOUT_MS = runsOf(0) === 0 ? 60_000 : 3_600_000;

function descriptorOf(name: string): DescMessage {
  const found = registry.getMessage(flat(name));
  if (found === undefined) throw new Error(`${name} has no descriptor`);
  return found;
}

/** Rules that say a value is not of its type; all others are the proxy's own limits, which protobuf does not know. */
const TYPE_RULES = new Set(['type', 'enum', 'unknown-field', 'duration', 'one-of', 'any-type']);

/** Our reading of one field, without the rest of its message: limits that span fields are no business of this test. */
interface Reading {
  /** The document is not one of this type. */
  readonly refused: boolean;
  /** undefined: refused, by its type or by a limit. */
  readonly value: unknown;
}

type Reader = (json: JsonValue) => Reading;

function readerFor(info: MessageInfo, name: string): Reader {
  const field = fieldsOf(info).find((one) => one.name === name);
  if (field === undefined) throw new Error(`${info.name} has no field ${name}`);
  const alone = madeUp('alone', () => ({ [name]: info.shape[name] as Schema<unknown> }));
  return (json) => {
    const { document } = parseDocument(JSON.stringify({ [name]: json }), 'a.json');
    if (document === undefined) return { refused: true, value: undefined };
    const { value, problems } = check(alone, document, { vocabulary: 'proxy' });
    const errors = problems.filter(({ severity }) => severity === 'error');
    // What is wrong within a secret is not told apart.
    const refused = errors.some(({ rule }) => TYPE_RULES.has(rule) || rule === 'secret');
    return { refused, value: value === undefined ? undefined : (value as Record<string, unknown>)[camel(name)] };
  };
}

/** The same through protobuf: its canonical JSON, or undefined where it throws. */
function canonical(
  owner: DescMessage,
  field: Field,
  json: JsonValue,
): { readonly value: JsonValue | undefined } | undefined {
  try {
    const read = fromJson(owner, { [field.name]: json }, { registry });
    const written = toJson(owner, read, { registry, alwaysEmitImplicit: true }) as Record<string, JsonValue>;
    const value = written[camel(field.name)];
    // A number without a name: where the proxy lets it pass, it is the value 0 here.
    const zero = Object.entries(api.enums[field.type] ?? {}).find(([, number]) => number === 0);
    return { value: typeof value === 'number' && zero !== undefined ? zero[0] : value };
  } catch {
    return undefined;
  }
}

/** Our value of a scalar or well-known type in protobuf's canonical JSON. */
function asJson(type: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (type === 'google.protobuf.Duration') return `${BigInt(Math.round((value as number) * 1000))}ns`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value;
}

function nanos(text: unknown): unknown {
  const match = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(String(text));
  return match === null ? text : `${match[1] ?? ''}${BigInt(`${match[2] ?? ''}${(match[3] ?? '').padEnd(9, '0')}`)}ns`;
}

const LEAF = /^(double|int32|int64|uint32|uint64|bool|string|bytes|google\.protobuf\.(\w+Value|Duration|Struct))$/;

const leaves = Object.entries(api.messages).flatMap(([owner, fields]) => {
  const info = ours.get(ourName(owner));
  return fields
    .filter(({ type, label }) => label === undefined && (LEAF.test(type) || api.enums[type] !== undefined))
    .flatMap((field) => (info === undefined ? [] : [{ id: `${ourName(owner)}.${field.name}`, owner, info, field }]));
});

/** JSON of every kind, near the edges of every scalar type. */
const anyJson = fc.oneof(
  fc.constantFrom<JsonValue>(0, 1, -1, 5, 5.5, 2147483647, 4294967295, 4294967296, -2147483649, 1e15, 9007199254740991),
  fc.constantFrom<JsonValue>(
    '0',
    '1',
    '-1',
    '5',
    '5.0',
    '5e2',
    '5.5',
    ' 5',
    '5 ',
    ' 1.5',
    '0x10',
    '1e400',
    'inf',
    '+5',
    '05',
    '',
    '4294967296',
    '18446744073709551615',
    '18446744073709551616',
    '9223372036854775808',
    '-9223372036854775808',
  ),
  fc.constantFrom<JsonValue>(
    true,
    false,
    'true',
    'x',
    'NaN',
    'Infinity',
    '-Infinity',
    'aGk=',
    'aGk',
    'aGk==',
    'aG=',
    '=',
    'aG==',
    'aG k=',
    '_-8=',
    'a',
    '!',
  ),
  fc.constantFrom<JsonValue>(
    '1s',
    '1.5s',
    '0.000000001s',
    '1.0000000001s',
    '1',
    '1ms',
    '.5s',
    '1.s',
    '1e3s',
    '1S',
    ' 1s',
    '0s',
    '-1s',
    '315576000001s',
  ),
  fc.constantFrom<JsonValue>({}, [], { a: 1 }, [1], { value: 1 }, { a: null, b: [true, { c: 'x' }] }),
  fc.nat().map((value): JsonValue => value),
  fc.string().map((value): JsonValue => value),
);

/** Of all enumerations, so that names of the wrong one are tried. */
const names = Object.values(api.enums).flatMap((values) => Object.keys(values));

const INTEGER = /^[-+]?(0[xX][\da-fA-F]+|\d+\.?\d*([eE][-+]?\d+)?|\.\d+)$/;
const DOUBLE = /^[-+]?(0[xX][\da-fA-F]+|\d+\.?\d*([eE][-+]?\d+)?|\.\d+|inf(inity)?|nan)$/i;

/** What the proxy takes although protobuf, strictly, does not. Each is documented in the proxy's JSON reading. */
function lenient(type: string, json: JsonValue): boolean {
  const bare = type.replace(/^google\.protobuf\.(\w+)Value$/, (_, name: string) => name.toLowerCase());
  if (typeof json === 'string') {
    // Hexadecimal, leading zeros and plus signs, whole numbers with exponents.
    if (/^(u?int(32|64)|double)$/.test(bare)) return bare === 'double' ? DOUBLE.test(json.trim()) : INTEGER.test(json);
    if (bare === 'bool') return /^(true|t|yes|y|1|false|f|no|n|0)$/i.test(json);
    // Without padding, or in the alphabet for URLs.
    if (bare === 'bytes') return /^[-_\w+/]*={0,2}$/.test(json);
    if (api.enums[type] !== undefined) return /^\s*[-+]?\d+\s*$/.test(json);
  }
  // A duration may be written as the message it is.
  if (type === 'google.protobuf.Duration' && typeof json === 'object') return JSON.stringify(json) === '{}';
  if (api.enums[type] !== undefined) return typeof json === 'number';
  // A wrapper may be written as the message it is, and an object without fields is an empty one.
  return typeof json === 'object' && json !== null && !Array.isArray(json) && type !== bare;
}

/** What this protobuf implementation takes and the proxy does not. */
function stricter(type: string, json: JsonValue): boolean {
  // Negative and very long durations.
  if (type === 'google.protobuf.Duration') return typeof json === 'string' && /^-|^\d{10,}/.test(json);
  // Space around 64-bit integers and in base64, too much padding or too little.
  if (typeof json === 'string' && /64|bytes/i.test(type))
    return /\s/.test(json) || (type === 'bytes' && /=/.test(json));
  // An unknown number of an enumeration is kept by protobuf and refused by the proxy's own rules.
  return api.enums[type] !== undefined && typeof json === 'number';
}

describe('scalars, enumerations and well-known types', () => {
  it.each(leaves.map((leaf) => [leaf.id, leaf] as const))(
    '%s',
    (_, { owner, info, field }) => {
      const descriptor = descriptorOf(owner);
      const read = readerFor(info, field.name);
      const enumeration = api.enums[field.type];
      const values =
        enumeration === undefined
          ? fc.oneof(anyJson, /bool/i.test(field.type) ? fc.boolean() : anyJson)
          : fc.oneof(anyJson, fc.constantFrom(...Object.keys(enumeration)), fc.constantFrom(...names));
      let compared = 0;
      fc.assert(
        fc.property(values, (json) => {
          const theirs = canonical(descriptor, field, json);
          const { refused, value } = read(json);
          if (theirs === undefined) {
            if (!lenient(field.type, json)) expect({ json, refused }).toEqual({ json, refused: true });
          } else if (!stricter(field.type, json)) expect({ json, refused }).toEqual({ json, refused: false });
          if (theirs === undefined || value === undefined) return;
          compared += 1;
          const duration = field.type === 'google.protobuf.Duration';
          expect(asJson(field.type, value)).toEqual(duration ? nanos(theirs.value) : theirs.value);
        }),
        { numRuns: runsOf(60), seed: SEED },
      );
      expect(compared).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe('whole messages', () => {
  /** A document of this message that protobuf takes, with either name of each field. */
  const documentOf = (name: string, depth: number): fc.Arbitrary<JsonValue> => {
    const fields = (api.messages[name] ?? []).filter(({ name: field }) => field !== 'load_balancing_policy');
    const entries = fields.map((field) => {
      const value = valueOf(field, depth);
      return fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 9 }), value).map(([short, chance, json]) => ({
        field,
        // Deep documents would be endless otherwise.
        use: chance < (depth > 2 ? 2 : 4) && json !== undefined,
        key: short ? camel(field.name) : field.name,
        json,
      }));
    });
    return fc.tuple(...entries).map((list) => {
      const taken = new Set<string>();
      const chosen = list.filter(({ use, field: { oneof } }) => {
        if (!use || (oneof !== undefined && taken.has(oneof))) return false;
        if (oneof !== undefined) taken.add(oneof);
        return true;
      });
      return Object.fromEntries(chosen.map(({ key, json }) => [key, json as JsonValue]));
    });
  };

  const valueOf = ({ type, label = '' }: Field, depth: number): fc.Arbitrary<JsonValue | undefined> => {
    const one = itemOf(type, depth);
    if (label.startsWith('map:'))
      return one.map((value) => (value === undefined ? undefined : { 'envoy.filters.http.router': value }));
    return label === 'repeated' ? one.map((value) => (value === undefined ? undefined : [value, value])) : one;
  };

  const itemOf = (type: string, depth: number): fc.Arbitrary<JsonValue | undefined> => {
    const values = api.enums[type];
    if (values !== undefined) return fc.constantFrom<JsonValue>(...Object.keys(values), ...Object.values(values));
    if (api.messages[type] !== undefined) return depth > 4 ? fc.constant(undefined) : documentOf(type, depth + 1);
    switch (type.replace('google.protobuf.', '')) {
      case 'bool':
      case 'BoolValue':
        return fc.boolean();
      case 'string':
        return fc.constantFrom('envoy.ip', 'x', '10.0.0.1');
      case 'bytes':
        return fc.constant('aGk=');
      case 'double':
      case 'DoubleValue':
        return fc.constantFrom<JsonValue>(1.5, '2', 3);
      case 'Duration':
        return fc.constantFrom('1s', '0.25s');
      case 'Struct':
        return fc.constantFrom<JsonValue>({}, { version: '1', list: [1, null] });
      case 'Any':
        return fc.constant<JsonValue>({ '@type': 'type.googleapis.com/google.protobuf.Struct', value: {} });
      case 'Timestamp':
      case 'Empty':
        return fc.constant<JsonValue>({});
      default:
        return fc.constantFrom<JsonValue>(1, '2', 3);
    }
  };

  it.each([
    'envoy.api.v2.Cluster',
    'envoy.api.v2.ClusterLoadAssignment',
    'envoy.api.v2.core.Node',
    'envoy.config.metrics.v2.StatsConfig',
  ])(
    '%s: what protobuf takes has no mistake of type here',
    (name) => {
      const descriptor = descriptorOf(name);
      const info = ours.get(ourName(name));
      if (info === undefined) throw new Error(`${name} is not known`);
      // Without the rules of single messages: those are the proxy's, not protobuf's.
      const schema = madeUp('alone', () => info.shape, { oneOfs: info.oneOfs });
      fc.assert(
        fc.property(documentOf(name, 0), (json) => {
          fromJson(descriptor, json, { registry });
          const { document } = parseDocument(JSON.stringify(json), 'a.json');
          if (document === undefined) throw new Error('does not parse');
          const { problems } = check(schema, document, { vocabulary: 'proxy' });
          const wrong = problems.filter(({ severity, rule }) => {
            // That a group needs one of its fields is the proxy's rule; that two exclude each other is protobuf's.
            return severity === 'error' && TYPE_RULES.has(rule);
          });
          expect(wrong.map(({ path, message: text }) => `${path}: ${text}`)).toEqual([]);
        }),
        { numRuns: runsOf(150), seed: SEED },
      );
    },
    TIMEOUT_MS,
  );
});
