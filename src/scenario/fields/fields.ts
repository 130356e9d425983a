import { describeNode, type JsonSchema, list, mapping, mark, reading, type Schema } from '../../config/reader.js';
import { plainValue } from '../../config/reader/walk.js';
import { flattenRuntime } from '../../config/runtime.js';
import { type Cidr, ipOf, parseCidr, parseIp, portOf } from '../../core/ip.js';
import { requestHeader, canonicalName } from '../../core/proxy-names.js';
import { isStruct, type Struct } from '../../core/values.js';
import type { ProblemRule } from '../../core/problem.js';
import type { U64 } from '../../core/u64.js';
import type { Micros } from '../../core/units.js';
import { NEWEST_MINOR, OLDEST_MINOR, type ProxyVersion } from '../../core/version.js';
import * as units from './units.js';
import { struct } from '../../config/reader/proto/well-known.js';

/** The namespace that load balancing reads; `envoy.lb` is the same. */
export const LB_NAMESPACE = 'proxy.lb';

/** Metadata by namespace, as core.Metadata holds it. */
export type Namespaces = Readonly<Record<string, Struct>>;

/**
 * Metadata of the scenario's vocabulary: entries under `proxy.lb`, `{version: "2"}`, or a whole core.Metadata,
 * `{filter_metadata: {proxy.lb: {version: "2"}}}`, pasted from a proxy's configuration.
 */
export const MetadataMap: Schema<Namespaces> = struct().transform((value, fail): Namespaces => {
  const whole = value['filter_metadata'] ?? value['filterMetadata'];
  if (whole === undefined) return { [LB_NAMESPACE]: value };
  const stray = Object.keys(value).find((key) => key !== 'filter_metadata' && key !== 'filterMetadata');
  if (stray !== undefined) {
    const message = `${stray} cannot stand beside filter_metadata: move it below ${LB_NAMESPACE}, or drop filter_metadata`;
    fail('metadata', message, [stray]);
    return {};
  }
  if (!isStruct(whole)) {
    fail('type', 'filter_metadata must be a map of namespaces');
    return {};
  }
  const namespaces: [string, Struct][] = [];
  for (const [name, entries] of Object.entries(whole)) {
    if (name === '') fail('key', 'a key must not be empty', ['filter_metadata', name]);
    else if (isStruct(entries)) namespaces.push([canonicalName(name), entries]);
    else fail('type', `${name} must be a map`, ['filter_metadata', name]);
  }
  return Object.fromEntries(namespaces);
});

/** The entries under `proxy.lb`, which routes and selectors match; undefined: no such entry. */
export const LbMetadata: Schema<Struct | undefined> = MetadataMap.transform((namespaces) => namespaces[LB_NAMESPACE]);

/** The scalars of the scenario's own vocabulary, as schemas: each reads the source text of one plain value. */
export function scalar<T>(typeName: string, rule: ProblemRule, parse: (text: string) => units.Parsed<T>): Schema<T> {
  const schema = reading<T>(typeName, (node, walk) => {
    if (node.kind !== 'scalar') return walk.error('type', `expected ${a(typeName)}, found ${describeNode(node)}`, node);
    const parsed = parse(node.text);
    return parsed.ok ? parsed.value : walk.error(rule, parsed.message, node);
  });
  return mark(schema, { plain: true, json: () => SCALARS[typeName] ?? ANY_SCALAR });
}

const NUMBER = '[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?';
/** A name or a text may look like a number: `2024` and `"2024"` are one. */
const ANY_SCALAR: JsonSchema = { type: ['string', 'number', 'boolean'] };

const LINES = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, index) => OLDEST_MINOR + index);

/** Pattern of plain texts, for editors. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  // A bare number is 0, which needs no unit.
  duration: {
    type: ['string', 'number'],
    pattern: '^(?:0+(?:\\.0+)?|[0-9]+(?:\\.[0-9]+)?\\s*(?:us|µs|ms|s|m|h))$',
    minimum: 0,
    maximum: 0,
  },
  rate: { type: 'string', pattern: `^${NUMBER}\\s*/\\s*[smh]$` },
  percentage: { type: ['string', 'number'], pattern: `^${NUMBER}\\s*%?$`, minimum: 0, maximum: 1 },
  version: { type: ['string', 'number'], pattern: `^1\\.(?:${LINES.join('|')})$` },
  '64-bit integer': { type: ['string', 'integer'], pattern: '^(?:[0-9]+|0[xX][0-9a-fA-F]+)$', minimum: 0 },
};

const a = (word: string): string => (/^[aeiou0-9]/.test(word) ? `an ${word}` : `a ${word}`);

export const DurationText: Schema<Micros> = scalar('duration', 'duration', units.parseDuration);

/** A duration that may not be 0. @param what the field, to start the message with. */
export function parsePositiveDuration(text: string, what = 'duration'): units.Parsed<Micros> {
  const parsed = units.parseDuration(text);
  return parsed.ok && parsed.value === 0 ? units.refuse(`${what} must be longer than 0`) : parsed;
}

export const positiveDuration = (what: string): Schema<Micros> =>
  scalar('duration', 'duration', (text) => parsePositiveDuration(text, what));

export const RunTime: Schema<Micros> = positiveDuration('duration');

export const Rate: Schema<number> = scalar('rate', 'rate', units.parseRate);
export const Percent: Schema<number> = scalar('percentage', 'percentage', units.parsePercent);
export const Seed: Schema<string> = scalar('seed', 'seed', units.parseSeed);
export const Version: Schema<ProxyVersion> = scalar('version', 'version', units.parseVersion);
export const U64Text: Schema<U64> = scalar('64-bit integer', 'uint64', units.parseU64);

/** `10.0.0.1:80`, `[::1]:80`. */
export const IpPort: Schema<string> = scalar('address', 'address', (text) =>
  parseIp(ipOf(text)) !== undefined && /^\d{1,5}$/.test(portOf(text))
    ? units.accept(text)
    : units.refuse(`${text} is no address: write ip:port`),
);

/** `10.9.0.0/16`. */
export const AddressBlock: Schema<Cidr> = scalar('block of addresses', 'address', (text) => {
  const block = parseCidr(text);
  return block === undefined ? units.refuse(`${text} is no block of addresses, as 10.9.0.0/16`) : units.accept(block);
});

export const Text: Schema<string> = scalar('text', 'text', units.accept);

/** A name that is not empty, whatever it looks like: `2024` and `"2024"` are one. */
export const Name: Schema<string> = scalar('name', 'name', (text) =>
  text === '' ? units.refuse('a name must not be empty') : units.accept(text),
);

/** @param what the field, to start the message with. */
export function integer(what: string, min: number, max: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  const allowed = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  const schema = scalar('integer', 'integer', (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return units.accept(value);
    return units.refuse(`${what} must be an integer ${allowed}, found ${text === '' ? 'nothing' : text}`);
  });
  const maximum = max === Number.MAX_SAFE_INTEGER ? undefined : max;
  const json = { type: ['integer', 'string'], minimum: min, maximum, pattern: '^[-+]?[0-9]+$' };
  return mark(schema, { limits: allowed.replace(/^(of|from) /, ''), json: () => json });
}

/** @param allowed the condition of `accepts` in words: "more than 0". */
export function decimal(what: string, allowed: string, accepts: (value: number) => boolean): Schema<number> {
  const schema = scalar('number', 'number', (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isFinite(value) && accepts(value)) return units.accept(value);
    return units.refuse(`${what} must be a number ${allowed}, found ${text === '' ? 'nothing' : text}`);
  });
  return mark(schema, { limits: allowed, json: () => ({ type: ['number', 'string'] }) });
}

export const amount = (what: string): Schema<number> => decimal(what, 'of 0 or more', (value) => value >= 0);
export const aboveZero = (what: string): Schema<number> => decimal(what, 'above 0', (value) => value > 0);

/** Runtime values by key, as in the proxy's static layer: any map of JSON values. */
export const RuntimeMap: Schema<Struct> = mark(
  reading<Struct>('map', (node, walk) =>
    node.kind === 'map'
      ? (plainValue(node, walk) as Struct)
      : walk.error('type', `expected a map, found ${describeNode(node)}`, node),
  ),
  { json: () => ({ type: 'object' }) },
).transform((values) => flattenRuntime(values));

export function nonEmpty<T>(item: Schema<T>, message: string): Schema<readonly T[]> {
  const schema = list(item).checked((items, fail) => {
    if (items.length === 0) fail('empty-list', message);
  });
  return mark(schema, { json: (of) => ({ type: 'array', minItems: 1, items: of(item) }) });
}

/** Headers by name, each line of a text one of that name: lower case, and `x-envoy-` is written `x-proxy-`. */
export const Headers: Schema<Readonly<Record<string, string>>> = mapping(
  scalar('text', 'header', units.accept),
  (name) => (/^[!#$%&'*+.^_`|~\w:-]+$/.test(name) ? undefined : 'not a header name'),
).transform((headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [requestHeader(name), value])),
);
