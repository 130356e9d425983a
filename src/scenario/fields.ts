import { z } from 'zod';
import type { INVALID } from '../config/reader.js';
import { describeNode, reading, type Schema, type Walk, type SourceNode } from '../config/reader.js';
import { plainValue } from '../config/reader/walk.js';
import type { Struct } from '../core/json.js';
import type { U64 } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { Parsed } from './units.js';
import { accept, parseDuration, parsePercent, parseRate, parseSeed, parseU64, parseVersion, refuse } from './units.js';

/** The scalars of the scenario's own vocabulary, as schemas: each reads the source text of one plain value. */
export function scalar<T>(typeName: string, rule: string, parse: (text: string) => Parsed<T>): Schema<T> {
  return reading<T>(typeName, (node, walk) => readScalar(node, walk, typeName, rule, parse));
}

function readScalar<T>(
  node: SourceNode,
  walk: Walk,
  typeName: string,
  rule: string,
  parse: (text: string) => Parsed<T>,
): T | typeof INVALID {
  if (node.kind !== 'scalar') return walk.error('type', `expected ${a(typeName)}, found ${describeNode(node)}`, node);
  const parsed = parse(node.text);
  return parsed.ok ? parsed.value : walk.error(rule, parsed.message, node);
}

function a(word: string): string {
  return /^[aeiou0-9]/.test(word) ? `an ${word}` : `a ${word}`;
}

export const DurationText: Schema<Micros> = scalar('duration', 'duration', parseDuration);

/** A duration that may not be 0, with the reason why. */
export function positiveDuration(what: string): Schema<Micros> {
  return scalar('duration', 'duration', (text) => {
    const parsed = parseDuration(text);
    return parsed.ok && parsed.value === 0 ? refuse(`${what} must be longer than 0`) : parsed;
  });
}

/** How long a run is. */
export const RunTime: Schema<Micros> = positiveDuration('duration');

export const Rate: Schema<number> = scalar('rate', 'rate', parseRate);
export const Percent: Schema<number> = scalar('percentage', 'percentage', parsePercent);
export const Seed: Schema<string> = scalar('seed', 'seed', parseSeed);
export const Version: Schema<ProxyVersion> = scalar('version', 'version', parseVersion);
export const U64Text: Schema<U64> = scalar('64-bit integer', 'uint64', parseU64);

/** A name that is not empty, whatever it looks like: `2024` and `"2024"` are one. */
export const Name: Schema<string> = scalar('name', 'name', (text) =>
  text === '' ? refuse('a name must not be empty') : accept(text),
);

/** @param what the field, to start the message with. */
export function integer(what: string, min: number, max: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  const allowed = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  return scalar('integer', 'integer', (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return accept(value);
    return refuse(`${what} must be an integer ${allowed}, found ${text === '' ? 'nothing' : text}`);
  });
}

/** @param allowed what `accepts` asks, in words: "more than 0". */
export function decimal(what: string, allowed: string, accepts: (value: number) => boolean): Schema<number> {
  return scalar('number', 'number', (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isFinite(value) && accepts(value)) return accept(value);
    return refuse(`${what} must be a number ${allowed}, found ${text === '' ? 'nothing' : text}`);
  });
}

/** Any map of JSON values. */
export const StructMap: Schema<Struct> = reading<Struct>('map', (node, walk) =>
  node.kind === 'map'
    ? plainValue(node, walk)
    : walk.error('type', `expected a map, found ${describeNode(node)}`, node),
);

/** A list with at least one entry. */
export function nonEmpty<T>(item: Schema<T>, message: string): Schema<readonly T[]> {
  return z.array(item).superRefine((list, context) => {
    if (list.length === 0) context.addIssue({ code: 'custom', message, params: { rule: 'empty-list' } });
  });
}
