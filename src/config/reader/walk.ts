/**
 * From a schema to a reader of source trees. zod declares the schemas, their types and the limits of scalars (what a
 * schema is made of, `form.ts` tells); the walk reads values with places and reports all problems at once, which zod's
 * own parse cannot.
 */
import { z } from 'zod';
import type { ApiVersion } from '../api/api.js';
import { apiOf } from '../api/api.js';
import { displayName } from '../api/names.js';
import type { SourceNode } from '../source/document.js';
import { anyReader } from './any-value.js';
import type { ApiReaders } from './api-fields.js';
import type { Walk } from './context.js';
import { distinct } from './duplicates.js';
import { apiMessageReader, messageReader, objectReader } from './fields.js';
import { formOf, transformOf } from './form.js';
import type { MessageInfo, Read } from './marks.js';
import { INVALID, marksOf } from './marks.js';
import { overlayOf } from './message.js';
import { keySpan, locate } from './place.js';
import { readValue } from './proto/struct.js';
import { isNull, yamlValue } from './scalar-value.js';
import { unionReader } from './union.js';
import { article, describe, didYouMean, oneOfThese } from './words.js';

const compiled = new WeakMap<z.core.$ZodType, Read>();

/** The reader of a schema, made once. */
export function readerOf(schema: z.core.$ZodType): Read {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  // A schema may contain itself: inner uses look the reader up once the outer one is made.
  compiled.set(schema, (node, walk) => readerOf(schema)(node, walk));
  const made = withChecks(schema, compile(schema));
  compiled.set(schema, made);
  return made;
}

function compile(schema: z.core.$ZodType): Read {
  const marks = marksOf(schema);
  if (marks.read !== undefined) return marks.read;
  if (marks.message !== undefined) return whenNeeded(marks.message);
  const form = formOf(schema);
  switch (form.kind) {
    case 'optional':
    case 'default':
    case 'same':
      return readerOf(form.inner);
    case 'nullable': {
      const inner = readerOf(form.inner);
      return (node, walk) => (isNull(node) ? null : inner(node, walk));
    }
    case 'pipe':
      return pipeReader(readerOf(form.inner), form.out);
    case 'object':
      return objectReader(form.shape, form.rest === undefined ? undefined : readerOf(form.rest), readerOf);
    case 'list':
      return listReader(readerOf(form.item));
    case 'tuple':
      return tupleReader(form.items.map(readerOf));
    case 'map':
      return mapReader(readerOf(form.value), form.key);
    case 'union':
      return unionReader(form.options, readerOf);
    case 'any':
    case 'custom':
    case 'scalar':
      return zodReader(schema);
  }
}

/** The fields of a message, and what is in them, are looked at once there is one to read. */
function whenNeeded(info: MessageInfo): Read {
  let read: Read | undefined;
  return (node, walk) => (read ??= messageReader(info, readerOf, apiReaders))(node, walk);
}

// --- what the tables of the API tell -------------------------------------------------------------------------------

const apiMessages = new Map<string, Read>();

/** The reader of a message of an API: what is written here of it, else what the table says. */
function apiMessage(name: string, version: ApiVersion): Read {
  const known = apiMessages.get(name);
  if (known !== undefined) return known;
  let made: Read | undefined;
  const read: Read = (node, walk) => (made ??= makeApiMessage(name, version))(node, walk);
  apiMessages.set(name, read);
  return read;
}

function makeApiMessage(name: string, version: ApiVersion): Read {
  const api = apiOf(version);
  const overlay = overlayOf(displayName(api.previousOf(name) ?? name)) ?? overlayOf(name);
  if (overlay !== undefined) return readerOf(overlay);
  const message = api.message(name);
  // Formats of others that the API refers to.
  return message === undefined ? readValue : apiMessageReader(message, version, apiReaders);
}

/** Readers of what means nothing to the simulation. */
export const apiReaders: ApiReaders = { message: apiMessage, any: anyReader(apiMessage) };

// --- what zod itself does ------------------------------------------------------------------------------------------

/** Scalars with their limits, and whatever has no parts worth a place of their own. */
function zodReader(schema: z.core.$ZodType): Read {
  return (node, walk) => parseWithZod(schema, plainValue(node, walk), node, walk);
}

/** `.refine()` and its like on a value that the walk has put together: run by zod once the parts are sound. */
function withChecks(schema: z.core.$ZodType, read: Read): Read {
  const { checks } = schema._zod.def;
  if (checks === undefined || checks.length === 0) return read;
  // Whatever zod reads, it checks as well.
  const { kind } = formOf(schema);
  const byZod = kind === 'any' || kind === 'custom' || kind === 'scalar';
  const marks = marksOf(schema);
  if (byZod && marks.read === undefined && marks.message === undefined) return read;
  const refined = z.any().check(...(checks as unknown as readonly z.core.$ZodCheck<unknown>[]));
  return (node, walk) => {
    const value = read(node, walk);
    return value === INVALID ? INVALID : parseWithZod(refined, value, node, walk);
  };
}

function pipeReader(read: Read, out: z.core.$ZodType): Read {
  const transform = transformOf(out);
  return (node, walk) => {
    const value = read(node, walk);
    if (value === INVALID) return INVALID;
    const transformed = transform?.(value);
    // What is wrong is told by zod, in its own words.
    return transformed?.sound === true ? transformed.output : parseWithZod(out, value, node, walk);
  };
}

function parseWithZod(schema: z.core.$ZodType, value: unknown, node: SourceNode, walk: Walk): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const params = issue.code === 'custom' ? issue.params : undefined;
    const rule = typeof params?.['rule'] === 'string' ? params['rule'] : ruleOfIssue(issue.code);
    walk.report('error', rule, issueText(issue, value, node), locate(node, path), [...walk.path, ...path]);
  }
  return INVALID;
}

function ruleOfIssue(code: z.core.$ZodIssue['code']): string {
  if (code === 'invalid_type' || code === 'invalid_union') return 'type';
  if (code === 'too_big' || code === 'too_small' || code === 'not_multiple_of') return 'range';
  return code === 'custom' ? 'invalid' : code.replaceAll('_', '-');
}

function issueText(issue: z.core.$ZodIssue, value: unknown, node: SourceNode): string {
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'invalid_type') return `expected ${article(issue.expected)}, found ${describe(node)}`;
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const options = issue.values.map(String);
    return `expected ${oneOfThese(options)}, found ${describe(node)}${didYouMean(value, options)}`;
  }
  return `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}; found ${describe(node)}`;
}

/** The value without places, as YAML's core schema has it. Duplicate keys: the last. */
export function plainValue(node: SourceNode, walk: Walk): unknown {
  if (node.kind === 'scalar') return yamlValue(node);
  if (node.kind === 'list') return node.items.map((item) => plainValue(item, walk));
  return Object.fromEntries(distinct(node, walk).map((entry) => [entry.key, plainValue(entry.value, walk)]));
}

// --- lists and maps ------------------------------------------------------------------------------------------------

function listReader(read: Read): Read {
  return (node, walk) => {
    const items = walk.vocabulary === 'proxy' ? flatItems(node) : node.kind === 'list' ? node.items : undefined;
    if (items === undefined) return walk.error('type', `expected a list, found ${describe(node)}`, node);
    return finish(items.map((item, index) => walk.part(index, read, elementOf(item, walk))));
  };
}

/** Protobuf's parser takes a lone value for a list of one, and a list within a list for its items. */
function flatItems(node: SourceNode): readonly SourceNode[] {
  if (node.kind !== 'list') return [node];
  return node.items.some((item) => item.kind === 'list') ? node.items.flatMap(flatItems) : node.items;
}

/** A null element of a proxy's list is an empty message. */
function elementOf(node: SourceNode, walk: Walk): SourceNode {
  if (walk.vocabulary !== 'proxy' || !isNull(node)) return node;
  return { kind: 'map', entries: [], start: node.start, end: node.end };
}

function finish(values: readonly unknown[]): unknown {
  return values.includes(INVALID) ? INVALID : values;
}

function tupleReader(reads: readonly Read[]): Read {
  return (node, walk) => {
    if (node.kind !== 'list') return walk.error('type', `expected a list, found ${describe(node)}`, node);
    if (node.items.length !== reads.length) {
      return walk.error('length', `expected ${reads.length} values, found ${node.items.length}`, node);
    }
    return finish(node.items.map((item, index) => walk.part(index, reads[index] as Read, item)));
  };
}

function mapReader(read: Read, keyType: z.core.$ZodType): Read {
  const anyKey = keyType._zod.def.type === 'string' && (keyType._zod.def.checks ?? []).length === 0;
  return (node, walk) => {
    const { known } = walk.document;
    if (known.size > 0 && known.has(node)) return known.get(node);
    if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
    const entries: [string, unknown][] = [];
    let failed = false;
    for (const entry of distinct(node, walk)) {
      walk.path.push(entry.key);
      const key = anyKey ? undefined : z.safeParse(keyType, entry.key);
      if (key?.success === false) {
        walk.error('key', key.error.issues[0]?.message ?? 'this key is not allowed', keySpan(entry));
        failed = true;
      }
      const value = read(elementOf(entry.value, walk), walk);
      walk.path.pop();
      if (value === INVALID) failed = true;
      else entries.push([entry.key, value]);
    }
    return failed ? INVALID : Object.fromEntries(entries);
  };
}
