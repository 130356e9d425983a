import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Problem, Severity } from '../../core/problem.js';
import type { MapEntry, MapNode, Path, ScalarNode, SourceDocument, SourceNode } from '../source/document.js';
import { formatPath } from '../source/document.js';
import type { MessageInfo, OneOf, Read, Report, Vocabulary } from './marks.js';
import { INVALID, marksOf } from './marks.js';
import { camel } from './message.js';
import { isNull, yamlValue } from './scalar-value.js';

/** A place in the text: a value, or a key. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One pass over a document: where it is, whose words it reads, what it has found. The only part of lbsim that looks
 * into zod's internals (`_zod.def`): zod declares the schemas and their types, the walk reads values with places and
 * reports all problems at once, which zod's own parse cannot.
 */
export class Walk {
  readonly problems: Problem[] = [];
  readonly path: (string | number)[] = [];
  errors = 0;

  constructor(
    readonly document: SourceDocument,
    public vocabulary: Vocabulary,
    /** Whether a file exists; undefined where no file system is at hand. */
    readonly fileExists?: ((path: string) => boolean) | undefined,
    private readonly said: Set<string> = new Set<string>(),
  ) {}

  /** A walk from the same place whose findings can be dropped. */
  trial(): Walk {
    const trial = new Walk(this.document, this.vocabulary, this.fileExists, new Set(this.said));
    trial.path.push(...this.path);
    return trial;
  }

  /** Takes over what a trial has found. */
  accept(trial: Walk): void {
    this.problems.push(...trial.problems);
    this.errors += trial.errors;
    for (const key of trial.said) this.said.add(key);
  }

  report(severity: Severity, rule: string, message: string, span: Span, path: Path = this.path): void {
    if (severity === 'error') this.errors += 1;
    const { line, column } = this.document.position(span.start);
    const length = Math.max(1, span.end - span.start);
    this.problems.push({
      severity,
      file: this.document.file,
      path: formatPath(path),
      line,
      column,
      message,
      rule,
      length,
    });
  }

  error(rule: string, message: string, span: Span): typeof INVALID {
    this.report('error', rule, message, span);
    return INVALID;
  }

  /** A remark about a field, made where it is first set and not for each of ten thousand endpoints. */
  once(key: string, severity: Severity, rule: string, message: string, span: Span): void {
    if (this.said.has(key)) return;
    this.said.add(key);
    this.report(severity, rule, message, span);
  }

  /** Reads a part of the value at hand. */
  part(step: string | number, read: Read, node: SourceNode): unknown {
    this.path.push(step);
    const value = read(node, this);
    this.path.pop();
    return value;
  }
}

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
  if (marks.message !== undefined) return messageReader(marks.message, schema);
  const def = (schema as z.core.$ZodTypes)._zod.def;
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the rest have no parts: zod parses them
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return readerOf(def.innerType);
    case 'nullable': {
      const inner = readerOf(def.innerType);
      return (node, walk) => (isNull(node) ? null : inner(node, walk));
    }
    case 'lazy':
      return (node, walk) => readerOf(def.getter())(node, walk);
    case 'pipe':
      return pipeReader(readerOf(def.in), def.out);
    case 'object':
      return objectReader(def.shape, def.catchall);
    case 'array':
      return listReader(readerOf(def.element));
    case 'tuple':
      return tupleReader(def.items.map(readerOf));
    case 'record':
      return mapReader(readerOf(def.valueType), def.keyType);
    case 'union':
      return unionReader(def.options);
    default:
      return zodReader(schema);
  }
}

/** What zod itself parses: scalars with their limits, and whatever has no parts worth a place of their own. */
function zodReader(schema: z.core.$ZodType): Read {
  return (node, walk) => parseWithZod(schema, plainValue(node, walk), node, walk);
}

const COMPOSITE: ReadonlySet<string> = new Set([
  'optional',
  'default',
  'prefault',
  'nonoptional',
  'readonly',
  'nullable',
  'pipe',
  'object',
  'array',
  'tuple',
  'record',
  'union',
]);

/** `.refine()` and its like on a value that the walk has put together: run by zod once the parts are sound. */
function withChecks(schema: z.core.$ZodType, read: Read): Read {
  const { type, checks } = schema._zod.def;
  if (checks === undefined || checks.length === 0 || !COMPOSITE.has(type)) return read;
  const refined = z.any().check(...(checks as unknown as readonly z.core.$ZodCheck<unknown>[]));
  return (node, walk) => {
    const value = read(node, walk);
    return value === INVALID ? INVALID : parseWithZod(refined, value, node, walk);
  };
}

function pipeReader(read: Read, out: z.core.$ZodType): Read {
  return (node, walk) => {
    const value = read(node, walk);
    return value === INVALID ? INVALID : parseWithZod(out, value, node, walk);
  };
}

function parseWithZod(schema: z.core.$ZodType, value: unknown, node: SourceNode, walk: Walk): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const params = issue.code === 'custom' ? issue.params : undefined;
    const rule = typeof params?.rule === 'string' ? params.rule : ruleOfIssue(issue.code);
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
  if (issue.code === 'invalid_type') return `expected ${article(issue.expected)}, found ${describe(node)}`;
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const options = issue.values.map(String);
    return `expected ${oneOfThese(options)}, found ${describe(node)}${didYouMean(value, options)}`;
  }
  const text = issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  return issue.code === 'custom' ? issue.message : `${text}; found ${describe(node)}`;
}

function listReader(read: Read): Read {
  return (node, walk) => {
    if (node.kind !== 'list') {
      // Protobuf's parser takes a lone object for a list of one.
      if (walk.vocabulary === 'proxy' && node.kind === 'map') return finish([walk.part(0, read, node)]);
      return walk.error('type', `expected a list, found ${describe(node)}`, node);
    }
    const { items } = node;
    const values = new Array<unknown>(items.length);
    for (let index = 0; index < items.length; index += 1) {
      values[index] = walk.part(index, read, elementOf(items[index] as SourceNode, walk));
    }
    return finish(values);
  };
}

/** A null element of a proxy's list is an empty message. */
function elementOf(node: SourceNode, walk: Walk): SourceNode {
  if (walk.vocabulary !== 'proxy' || !isNull(node)) return node;
  return { kind: 'map', entries: [], start: node.start, end: node.end };
}

function finish(values: unknown[]): unknown {
  return values.includes(INVALID) ? INVALID : values;
}

function tupleReader(reads: readonly Read[]): Read {
  return (node, walk) => {
    if (node.kind !== 'list') return walk.error('type', `expected a list, found ${describe(node)}`, node);
    if (node.items.length !== reads.length) {
      return walk.error('length', `expected ${reads.length} values, found ${node.items.length}`, node);
    }
    return finish(reads.map((read, index) => walk.part(index, read, node.items[index] as SourceNode)));
  };
}

function mapReader(read: Read, keyType: z.core.$ZodType): Read {
  return (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected a map, found ${describe(node)}`, node);
    const entries: [string, unknown][] = [];
    let failed = false;
    for (const entry of distinct(node, walk, (key) => key)) {
      const key = z.safeParse(keyType, entry.key);
      walk.path.push(entry.key);
      if (!key.success) {
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

/** Entries by normalised name, the last of several; says so, each in its vocabulary's way. */
export function distinct(node: MapNode, walk: Walk, normalise: (key: string) => string): readonly MapEntry[] {
  const byKey = new Map<string, MapEntry>();
  for (const entry of node.entries) {
    const key = normalise(entry.key);
    const earlier = byKey.get(key);
    if (earlier !== undefined) {
      const { line } = walk.document.position(earlier.keyStart);
      walk.path.push(key);
      if (walk.vocabulary === 'proxy') {
        const text = `${entry.key} is set twice; the proxy takes the last, this one, and ignores line ${line}`;
        walk.report('warning', 'duplicate-key', text, keySpan(entry));
      } else walk.error('duplicate-key', `${entry.key} is already set in line ${line}`, keySpan(entry));
      walk.path.pop();
    }
    byKey.set(key, entry);
  }
  return [...byKey.values()];
}

// --- maps with known fields ----------------------------------------------------------------------------------------

interface Field {
  /** As written in files. */
  readonly name: string;
  /** As the value has it. */
  readonly key: string;
  readonly read: Read;
  readonly schema: z.core.$ZodType;
  readonly nullable: boolean;
  readonly absent:
    { readonly kind: 'error' } | { readonly kind: 'omit' } | { readonly kind: 'default'; readonly value: unknown };
  readonly remarks: readonly { readonly severity: Severity; readonly rule: string; readonly text: string }[];
}

function fieldOf(name: string, key: string, schema: z.core.$ZodType): Field {
  let absent: Field['absent'] = { kind: 'error' };
  let nullable = false;
  let inner = schema;
  for (;;) {
    const { def } = (inner as z.core.$ZodTypes)._zod;
    if (def.type === 'default' || def.type === 'prefault') absent = { kind: 'default', value: def.defaultValue };
    else if (def.type === 'optional') {
      if (absent.kind === 'error') absent = { kind: 'omit' };
    } else if (def.type === 'nullable') nullable = true;
    else if (def.type !== 'readonly' && def.type !== 'nonoptional') break;
    inner = def.innerType;
  }
  const { type } = inner._zod.def;
  if (type === 'null' || type === 'any' || type === 'unknown') nullable = true;
  const marks = marksOf(schema);
  const remarks: { severity: Severity; rule: string; text: string }[] = [];
  if (marks.deprecated !== undefined) {
    remarks.push({ severity: 'deprecation', rule: 'deprecated', text: `${name} is deprecated: ${marks.deprecated}` });
  }
  if (marks.extension !== undefined) {
    remarks.push({
      severity: 'note',
      rule: 'extension',
      text: `${name} is newer than the v2 schema: ${marks.extension}`,
    });
  }
  if (marks.noEffect !== undefined) {
    remarks.push({
      severity: 'note',
      rule: 'no-effect',
      text: `${name} has no effect in the simulation: ${marks.noEffect}`,
    });
  }
  return { name, key, read: readerOf(schema), schema, nullable, absent, remarks };
}

function objectReader(shape: Readonly<Record<string, z.core.$ZodType>>, catchall: z.core.$ZodType | undefined): Read {
  const fields = Object.entries(shape).map(([name, schema]) => fieldOf(name, name, schema));
  const rest = catchall === undefined || catchall._zod.def.type === 'never' ? undefined : readerOf(catchall);
  return fieldsReader(fields, { rest });
}

function messageReader(info: MessageInfo, schema: z.core.$ZodType): Read {
  const fields = Object.entries(info.shape).map(([name, field]) => fieldOf(name, camel(name), field));
  const read = fieldsReader(fields, { info });
  const out = (schema as z.core.$ZodTypes)._zod.def;
  if (out.type !== 'pipe') throw new TypeError(`${info.name} is not a message`);
  return read;
}

interface FieldsOptions {
  readonly info?: MessageInfo;
  readonly rest?: Read | undefined;
}

function fieldsReader(fields: readonly Field[], { info, rest }: FieldsOptions): Read {
  const names = fields.map((field) => field.name);
  const known = new Map(fields.map((field) => [field.name, field]));
  if (info?.vocabulary === 'proxy') for (const field of fields) known.set(field.key, field);
  const normalise = (key: string): string => known.get(key)?.name ?? key;

  return (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected ${expectedMap(info)}, found ${describe(node)}`, node);
    const outer = walk.vocabulary;
    if (info !== undefined) walk.vocabulary = info.vocabulary;
    const before = walk.errors;
    const entries = new Map<string, MapEntry>();
    const extra: MapEntry[] = [];
    for (const entry of distinct(node, walk, normalise)) {
      const field = known.get(entry.key);
      if (field !== undefined) entries.set(field.name, entry);
      else if (rest !== undefined) extra.push(entry);
      else if (info?.open !== true) unknownField(entry, names, info, walk);
    }

    const value: Record<string, unknown> = {};
    const wrong = new Set<string>();
    for (const field of fields) {
      const entry = entries.get(field.name);
      if (entry === undefined || (isNull(entry.value) && !field.nullable)) {
        entries.delete(field.name);
        if (field.absent.kind === 'default') value[field.key] = field.absent.value;
        else if (field.absent.kind === 'error') {
          wrong.add(field.name);
          missing(field.name, entry ?? node, info, walk);
        }
        continue;
      }
      const errors = walk.errors;
      walk.path.push(field.name);
      for (const { severity, rule, text } of field.remarks) {
        walk.once(`${info?.name ?? ''}.${field.name}.${rule}`, severity, rule, text, keySpan(entry));
      }
      const part = field.read(entry.value, walk);
      walk.path.pop();
      if (part === INVALID || walk.errors > errors) wrong.add(field.name);
      else value[field.key] = part;
    }
    for (const entry of extra) value[entry.key] = walk.part(entry.key, rest as Read, entry.value);

    if (info !== undefined) {
      for (const oneOf of info.oneOfs) checkOneOf(oneOf, entries, node, walk);
      runRules(info, value, wrong, entries, node, walk);
      walk.vocabulary = outer;
    }
    return walk.errors > before ? INVALID : value;
  };
}

function expectedMap(info: MessageInfo | undefined): string {
  return info === undefined ? 'a map' : `a map (${info.name})`;
}

function missing(name: string, at: MapEntry | SourceNode, info: MessageInfo | undefined, walk: Walk): void {
  const span = 'key' in at ? keySpan(at) : headSpan(at);
  const owner = info === undefined ? '' : ` in ${info.name}`;
  walk.error('required', `${name} is required${owner}${'key' in at ? ', null counts as absent' : ''}`, span);
}

function unknownField(entry: MapEntry, names: readonly string[], info: MessageInfo | undefined, walk: Walk): void {
  const hint = info?.hints[entry.key];
  const owner = info === undefined ? 'here' : `of ${info.name}`;
  const help = hint === undefined ? didYouMean(snake(entry.key), names) : `: ${hint}`;
  const merge = entry.key === '<<' ? ': merge keys are not supported, write the fields out' : help;
  walk.path.push(entry.key);
  walk.error('unknown-field', `${entry.key} is not a field ${owner}${merge}`, keySpan(entry));
  walk.path.pop();
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
}

function checkOneOf(oneOf: OneOf, entries: ReadonlyMap<string, MapEntry>, node: MapNode, walk: Walk): void {
  const set = oneOf.fields.flatMap((name) => entries.get(name) ?? []);
  const [first, second] = set.sort((a, b) => a.keyStart - b.keyStart);
  if (first === undefined && oneOf.required === true) {
    walk.error(
      'one-of',
      `${oneOf.name}: exactly one of ${oneOf.fields.join(', ')} must be set, found none`,
      headSpan(node),
    );
  }
  if (first !== undefined && second !== undefined) {
    walk.path.push(snakeKnown(second.key, oneOf.fields));
    const text = `${second.key} cannot stand beside ${first.key}: at most one of ${oneOf.fields.join(', ')} may be set`;
    walk.error('one-of', text, keySpan(second));
    walk.path.pop();
  }
}

function snakeKnown(key: string, names: readonly string[]): string {
  return names.find((name) => name === key || camel(name) === key) ?? key;
}

function runRules(
  info: MessageInfo,
  value: Readonly<Record<string, unknown>>,
  wrong: ReadonlySet<string>,
  entries: ReadonlyMap<string, MapEntry>,
  node: MapNode,
  walk: Walk,
): void {
  const has = (name: string): boolean => entries.has(name);
  for (const rule of info.rules) {
    if (rule.reads.some((name) => wrong.has(name))) continue;
    const report: Report = (message, at = [], severity = 'error', name = rule.name) => {
      walk.report(severity, name, message, locate(node, at), [...walk.path, ...at]);
    };
    rule.check(value as never, report, has);
  }
}

// --- unions --------------------------------------------------------------------------------------------------------

/**
 * Only the options that fit the kind of the value are tried; among maps, the one that knows most of the keys is taken
 * at its word, so that a typo is reported as that and not as "no option matches".
 */
function unionReader(options: readonly z.core.$ZodType[]): Read {
  const branches = options.map((option) => ({ option, read: readerOf(option), accepts: kindsOf(option) }));
  return (node, walk) => {
    const fitting = branches.filter((branch) => branch.accepts.has(node.kind));
    if (fitting.length === 0)
      return walk.error('type', `expected ${kindWords(branches)}, found ${describe(node)}`, node);
    const ordered = node.kind === 'map' ? bestFirst(fitting, node) : fitting;
    let nearest: Walk | undefined;
    for (const { read } of ordered) {
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

interface Branch {
  readonly option: z.core.$ZodType;
  readonly read: Read;
  readonly accepts: ReadonlySet<SourceNode['kind']>;
}

function bestFirst(branches: readonly Branch[], node: MapNode): readonly Branch[] {
  const score = ({ option }: Branch): number => {
    const shape = shapeOf(option);
    return shape === undefined ? 0 : node.entries.filter((entry) => Object.hasOwn(shape, entry.key)).length;
  };
  return branches
    .map((branch) => ({ branch, score: score(branch) }))
    .sort((a, b) => b.score - a.score)
    .map(({ branch }) => branch);
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  for (;;) {
    const marks = marksOf(inner);
    if (marks.message !== undefined || marks.read !== undefined) return inner;
    const { def } = (inner as z.core.$ZodTypes)._zod;
    if (def.type === 'pipe') inner = def.in;
    else if (def.type === 'lazy') inner = def.getter();
    else if ('innerType' in def) inner = def.innerType;
    else return inner;
  }
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, unknown>> | undefined {
  const inner = unwrap(schema);
  const info = marksOf(inner).message;
  if (info !== undefined) return info.shape;
  const { def } = (inner as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? def.shape : undefined;
}

const ALL_KINDS: ReadonlySet<SourceNode['kind']> = new Set(['scalar', 'list', 'map'] as const);

function kindsOf(schema: z.core.$ZodType): ReadonlySet<SourceNode['kind']> {
  const inner = unwrap(schema);
  const marks = marksOf(inner);
  if (marks.message !== undefined) return new Set(['map'] as const);
  if (marks.read !== undefined) return ALL_KINDS;
  const { def } = (inner as z.core.$ZodTypes)._zod;
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the rest are scalars
  switch (def.type) {
    case 'object':
    case 'record':
      return new Set(['map'] as const);
    case 'array':
    case 'tuple':
      return new Set(['list'] as const);
    case 'union':
      return new Set(def.options.flatMap((option) => [...kindsOf(option)]));
    case 'any':
    case 'unknown':
    case 'custom':
      return ALL_KINDS;
    default:
      return new Set(['scalar'] as const);
  }
}

function kindWords(branches: readonly Branch[]): string {
  const kinds = new Set(branches.flatMap((branch) => [...branch.accepts]));
  return [...kinds].map((kind) => (kind === 'scalar' ? 'a plain value' : `a ${kind}`)).join(' or ');
}

// --- words and places ----------------------------------------------------------------------------------------------

/** The value without places, as YAML's core schema has it. Duplicate keys: the last. */
export function plainValue(node: SourceNode, walk: Walk): unknown {
  if (node.kind === 'scalar') return yamlValue(node);
  if (node.kind === 'list') return node.items.map((item) => plainValue(item, walk));
  return Object.fromEntries(
    distinct(node, walk, (key) => key).map((entry) => [entry.key, plainValue(entry.value, walk)]),
  );
}

/** The span of a part, or of its nearest parent that the file has. */
export function locate(node: SourceNode, path: Path): Span {
  let span: Span = headSpan(node);
  let at = node;
  for (const step of path) {
    if (at.kind === 'map') {
      const entry = at.entries.findLast(({ key }) => key === step || key === camel(String(step)));
      if (entry === undefined) return span;
      span = keySpan(entry);
      at = entry.value;
    } else if (at.kind === 'list' && typeof step === 'number') {
      const item = at.items[step];
      if (item === undefined) return span;
      span = headSpan(item);
      at = item;
    } else return span;
  }
  return at.kind === 'scalar' && at.end > at.start ? at : span;
}

export function keySpan(entry: MapEntry): Span {
  return { start: entry.keyStart, end: entry.keyEnd };
}

/** Of a map the first key, which is what a caret should point at; of the rest, the whole. */
export function headSpan(node: SourceNode): Span {
  if (node.kind === 'scalar') return node;
  const first = node.kind === 'map' ? node.entries[0] : undefined;
  return first === undefined || first.keyEnd <= first.keyStart
    ? { start: node.start, end: node.start + 1 }
    : keySpan(first);
}

/** What was found, for a message: `"abc"`, `50`, `a list`. */
export function describe(node: SourceNode): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  return describeScalar(node);
}

function describeScalar(node: ScalarNode): string {
  if (isNull(node)) return node.text === '' ? 'nothing' : node.text;
  const text = node.text.length > 60 ? `${node.text.slice(0, 57)}…` : node.text;
  return node.quoted ? JSON.stringify(text) : text;
}

/** ` (did you mean X?)`, or nothing where nothing is near. */
export function didYouMean(found: string, options: readonly string[]): string {
  if (options.length === 0 || found === '' || found.length > 100) return '';
  const nearest = closest(
    found.toLowerCase(),
    options.map((option) => option.toLowerCase()),
  );
  const original = options.find((option) => option.toLowerCase() === nearest) ?? nearest;
  const length = Math.max(found.length, nearest.length);
  const limit = length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
  return distance(found.toLowerCase(), nearest) <= limit ? ` (did you mean ${original}?)` : '';
}

export function oneOfThese(options: readonly string[]): string {
  return options.length === 1 ? String(options[0]) : `one of ${options.join(', ')}`;
}

function article(word: string): string {
  return word === 'object' || word === 'array' || word === 'int' ? `an ${word}` : `a ${word}`;
}
