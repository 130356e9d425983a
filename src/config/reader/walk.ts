import type { ApiVersion } from '../api/api.js';
import type { SourceNode, MapNode } from '../source/document.js';
import { messageReader, type ReaderOf } from './fields.js';
import { fieldsIn, unwrapped, type Change, type KeyProblem, type MessageInfo, type Schema } from './schema.js';
import { distinct, INVALID, readInApi, type Walk, type Read } from './context.js';
import { keySpan, locate } from './spans.js';
import { isNull, yamlValue, describe } from './error-words.js';

/** Makes the reader of a schema: it reads trees with places and reports all problems at once. */

const compiled = new WeakMap<Schema<unknown>, Read>();

export function readerOf<T>(schema: Schema<T>): Read<T> {
  const known = compiled.get(schema);
  if (known !== undefined) return known as Read<T>;
  // A schema may contain itself: inner uses look up the reader of the outer one.
  compiled.set(schema, (node, walk) => readerOf(schema)(node, walk));
  const made = compile(schema);
  compiled.set(schema, made);
  return made as Read<T>;
}

function compile({ form, marks }: Schema<unknown>): Read {
  if (marks.read !== undefined) return marks.read;
  if (marks.message !== undefined && form.kind === 'value') return whenNeeded(marks.message);
  switch (form.kind) {
    case 'optional':
    case 'default':
    case 'same':
      return readerOf(form.inner);
    case 'nullable': {
      const inner = readerOf(form.inner);
      return (node, walk) => (isNull(node) ? null : inner(node, walk));
    }
    case 'changed':
      return changingReader(readerOf(form.inner), form.change);
    case 'list':
      return listReader(readerOf(form.item));
    case 'tuple':
      return tupleReader(form.items.map(readerOf));
    case 'map':
      return mapReader(readerOf(form.value), form.keyProblem);
    case 'union':
      return unionReader(form.options, readerOf);
    case 'any':
    case 'value':
      return (node, walk) => plainValue(node, walk);
  }
}

/** The fields of a message are prepared when the first one is read. */
function whenNeeded(info: MessageInfo): Read {
  const reads: Partial<Record<ApiVersion, Read>> = {};
  return (node, walk) => {
    const version = walk.apiOf(node);
    const read = (reads[version] ??= messageReader(info.as(version), readerOf));
    if (info.vocabulary === 'scenario') return read(node, walk);
    // What an option sets in it is written in the same.
    return readInApi(read, version, node, walk);
  };
}

function changingReader(read: Read, change: Change<never, unknown>): Read {
  return (node, walk) => {
    const value = read(node, walk);
    if (value === INVALID) return INVALID;
    const before = walk.errors;
    const changed = change(value as never, (rule, message, path = []) => {
      walk.report('error', rule, message, locate(node, path), [...walk.path, ...path]);
    });
    return walk.errors > before ? INVALID : changed;
  };
}

/** The value without places, as YAML's core schema has it. Duplicate keys: the last. */
export function plainValue(node: SourceNode, walk: Walk): unknown {
  if (node.kind === 'scalar') return yamlValue(node);
  if (node.kind === 'list') return node.items.map((item) => plainValue(item, walk));
  return Object.fromEntries(distinct(node, walk).map((entry) => [entry.key, plainValue(entry.value, walk)]));
}

function listReader(read: Read): Read {
  return (node, walk) => {
    const items = walk.vocabulary === 'proxy' ? flatItems(node) : node.kind === 'list' ? node.items : undefined;
    if (items === undefined) return walk.error('type', `expected a list, found ${describe(node)}`, node);
    return finish(items.map((item, index) => walk.part(index, read, elementOf(item, walk))));
  };
}

/** Protobuf's parser reads a single value as a list of one, and flattens a list within a list. */
export function flatItems(node: SourceNode): readonly SourceNode[] {
  if (node.kind !== 'list') return [node];
  return node.items.some((item) => item.kind === 'list') ? node.items.flatMap(flatItems) : node.items;
}

/** A null element of a proxy's list is an empty message. */
const elementOf = (node: SourceNode, walk: Walk): SourceNode =>
  walk.vocabulary !== 'proxy' || !isNull(node) ? node : { kind: 'map', entries: [], start: node.start, end: node.end };

const finish = (values: readonly unknown[]): unknown => (values.includes(INVALID) ? INVALID : values);

function tupleReader(reads: readonly Read[]): Read {
  return (node, walk) => {
    if (node.kind !== 'list') return walk.error('type', `expected a list, found ${describe(node)}`, node);
    if (node.items.length !== reads.length)
      return walk.error('length', `expected ${reads.length} values, found ${node.items.length}`, node);
    return finish(node.items.map((item, index) => walk.part(index, reads[index] as Read, item)));
  };
}

function mapReader(read: Read, keyProblem: KeyProblem | undefined): Read {
  return (node, walk) => {
    const { known } = walk.document;
    if (known.size > 0 && known.has(node)) return known.get(node);
    if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
    const entries: [string, unknown][] = [];
    let failed = false;
    for (const entry of distinct(node, walk)) {
      walk.path.push(entry.key);
      const problem = keyProblem?.(entry.key);
      if (problem !== undefined) {
        walk.error('key', problem, keySpan(entry));
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

type Kinds = ReadonlySet<SourceNode['kind']>;

interface Branch {
  readonly read: Read;
  readonly accepts: Kinds;
  /** The option without wrappers such as optional. */
  readonly inner: Schema<unknown>;
}

/** Options of the value's kind are tried; of maps the one that knows most keys, so that a typo is reported as such. */
function unionReader(options: readonly Schema<unknown>[], readerOf: ReaderOf): Read {
  const branches = options.map((option): Branch => {
    const inner = unwrapped(option);
    return { read: readerOf(option), accepts: kindsOf(inner), inner };
  });
  const fittingFor = (kind: SourceNode['kind']): readonly Branch[] =>
    branches.filter((branch) => branch.accepts.has(kind));
  const byKind = { scalar: fittingFor('scalar'), list: fittingFor('list'), map: fittingFor('map') };
  return (node, walk) => {
    const fitting = byKind[node.kind];
    if (fitting.length === 0)
      return walk.error('type', `expected ${kindWords(branches)}, found ${describe(node)}`, node);
    const [single] = fitting;
    if (fitting.length === 1 && single !== undefined) return single.read(node, walk);
    let nearest: Walk | undefined;
    for (const { read } of node.kind === 'map' ? bestFirst(fitting, node) : fitting) {
      const trial = walk.trial();
      const value = read(node, trial);
      if (value !== INVALID && trial.errors === 0) {
        walk.accept(trial);
        return value;
      }
      if (nearest === undefined || (node.kind !== 'map' && trial.errors < nearest.errors)) nearest = trial;
    }
    if (nearest !== undefined) walk.accept(nearest);
    return INVALID;
  };
}

const bestFirst = (branches: readonly Branch[], node: MapNode): readonly Branch[] =>
  branches.toSorted((a, b) => fieldsIn(node, b.inner) - fieldsIn(node, a.inner));

const ALL_KINDS: Kinds = new Set(['scalar', 'list', 'map'] as const);
const SCALARS: Kinds = new Set(['scalar'] as const);

function kindsOf(inner: Schema<unknown>): Kinds {
  const { marks, form } = inner;
  if (marks.message !== undefined) return new Set(['map'] as const);
  if (marks.read !== undefined) return marks.plain === true ? SCALARS : ALL_KINDS;
  if (form.kind === 'map') return new Set(['map'] as const);
  if (form.kind === 'list' || form.kind === 'tuple') return new Set(['list'] as const);
  return form.kind === 'union' ? new Set(form.options.flatMap((option) => [...kindsOf(unwrapped(option))])) : ALL_KINDS;
}

function kindWords(branches: readonly Branch[]): string {
  const kinds = new Set(branches.flatMap((branch) => [...branch.accepts]));
  return [...kinds].map((kind) => (kind === 'scalar' ? 'a plain value' : `a ${kind}`)).join(' or ');
}
