/**
 * What must not leave with a text: keys, certificates, tokens, passwords, headers. Of a cluster an import says which texts
 * balance ({@link Pruner}); in all that a proxy is configured with every other text is hidden, but for names.
 */
import { canonicalName } from '../config/any.js';
import type { ApiVersion } from '../config/api/api.js';
import { Bootstrap } from '../config/bootstrap.js';
import { Cluster } from '../config/cluster/cluster.js';
import { REDACTED } from '../config/core.js';
import { ClusterLoadAssignment } from '../config/endpoint.js';
import { HTTP_NAMES, HttpConnectionManager, Listener } from '../config/listener.js';
import type { MessageInfo, ScalarNode, Schema, SourceNode } from '../config/reader.js';
import { type AnyTypes, messageOfUrl, typeOfUrl } from '../config/reader/any-value.js';
import { flatItems } from '../config/reader/walk.js';
import { apiSchema } from '../config/reader/api-schema.js';
import { nearest } from '../config/reader/error-words.js';
import { snake } from '../config/reader/letter-case.js';
import { yamlValue } from '../config/reader/scalar-value.js';
import { RouteConfiguration } from '../config/route/route.js';
import { detectKind } from '../config/validate.js';
import type { MapEntry } from '../config/source/document.js';
import { isMap, nodeOf, plainOf, replaced, textOf, valueAt } from '../config/source/trees.js';
import type { JsonValue } from '../core/json-value.js';
import { own } from '../core/own.js';
import type { Problem, ProblemRule } from '../core/problem.js';
import { Pruner, subsetLabels } from './import/prune.js';
import { isLintRule } from './lint/rules.js';
import { type Input, isScenario, type ParsedInput, parsedInputs, readInputs } from './input/read-inputs.js';
import { type Resources, resourcesOf } from './input/resources.js';
import { applySets, labelOfSet } from './options/set-path.js';
import { ScenarioFile } from './scenario.js';
import { isSecretName, maskedText, stars } from './secret-words.js';

/** The same where bytes are written. */
const REDACTED_AS: Readonly<Partial<Record<string, string>>> = {
  bytes: 'W3JlZGFjdGVkXQ==',
  BytesValue: 'W3JlZGFjdGVkXQ==',
  hex: '5b72656461637465645d',
};

/** The same texts without what is secret; lines keep their numbers. */
export function withoutSecrets<T extends Input>(inputs: readonly T[], api?: ApiVersion): T[] {
  return hiddenParts(inputs, api).map(({ input, parts }) => {
    // A block of lines leaves its lines.
    const by = ({ from, to, word }: Part): string =>
      word === undefined ? stars(input.text.slice(from, to)) : word + input.text.slice(from, to).replace(/[^\n]/g, '');
    return { ...input, text: edited(input.text, parts, by) };
  });
}

/** Changes, as `--set` takes them, without what is secret where they put it in these texts. */
export function setsWithoutSecrets(
  sets: readonly string[],
  inputs: readonly Input[],
  api?: ApiVersion,
): readonly string[] {
  return hiddenInSets(sets, inputs, api).map(({ safe }) => safe);
}

/** The text with stars in the place of what is secret, character by character: to show lines of it. */
export function shownText(input: Input): string {
  const [found] = hiddenParts([input]);
  return found === undefined
    ? ''
    : edited(input.text, found.parts, ({ from, to }) => stars(input.text.slice(from, to)));
}

/**
 * A message, as JSON, without what is secret in it.
 *
 * @param cluster of an assignment: its labels are those of the cluster's subsets.
 */
export function messageWithoutSecrets(
  message: JsonValue,
  schema: Schema<unknown>,
  version: ApiVersion,
  cluster = message,
): JsonValue {
  const root = nodeOf(message, { start: 0, end: 0 });
  const finder = new Finder(version, subsetLabels(nodeOf(cluster, root)));
  finder.whole(root, schema);
  const by = new Map([...finder.hidden].map(([node, word]) => [node, { ...node, text: word, quoted: true }]));
  return plainOf(replaced(root, by)) as JsonValue;
}

/** Remarks on a field that is there, whatever its value: files are full of them, and they quote nothing; lint quotes labels of subsets. */
const IN_OUR_WORDS: ReadonlySet<ProblemRule> = new Set(['deprecated', 'extension', 'no-effect', 'not-simulated']);

/** Messages quote what was found: not where it is secret. @param sets of the call, whose problems have their words in the place of a file. */
export function problemsWithoutSecrets(
  problems: readonly Problem[],
  inputs: readonly Input[],
  sets: readonly string[] = [],
): readonly Problem[] {
  const labels = new Set(sets.map(labelOfSet));
  const isOfSet = problems.some(({ file }) => labels.has(file));
  const changes = new Map(
    (isOfSet ? hiddenInSets(sets, inputs) : []).map((change) => [labelOfSet(change.option), change]),
  );
  return ofFilesWithoutSecrets(problems, inputs).map((problem) => {
    const change = changes.get(problem.file);
    if (change === undefined || change.safe === change.option) return problem;
    const message = change.texts.reduce(unquoted, problem.message);
    return { ...problem, file: labelOfSet(change.safe), message };
  });
}

function ofFilesWithoutSecrets(problems: readonly Problem[], inputs: readonly Input[]): readonly Problem[] {
  const isQuoting = ({ line, rule }: Problem): boolean => line > 0 && !IN_OUR_WORDS.has(rule) && !isLintRule(rule);
  if (!problems.some(isQuoting)) return problems;
  const files = new Map(hiddenParts(inputs).map(({ input, parts }) => [input.file, { text: input.text, parts }]));
  return problems.map((problem) => {
    const file = isQuoting(problem) ? files.get(problem.file) : undefined;
    if (file === undefined || file.parts.length === 0) return problem;
    const from = offsetOf(file.text, problem);
    const to = from + (problem.length ?? 1);
    const near = file.parts.filter((part) => part.from < to && part.to > from);
    const message = near.reduce((text, part) => unquoted(text, part.text), problem.message);
    return message === problem.message ? problem : { ...problem, message };
  });
}

function offsetOf(text: string, { line, column }: Problem): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = /\r\n|\n|\r/g;
    next.lastIndex = start;
    start = next.exec(text) === null ? text.length : next.lastIndex;
  }
  return start + column - 1;
}

/** A quotation may be cut, or in quotes. */
function unquoted(message: string, secret: string): string {
  const forms = [secret, secret.slice(0, 57)].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  return forms.filter((form) => form.length > 1).reduce((text, form) => text.replaceAll(form, REDACTED), message);
}

// --- texts ---------------------------------------------------------------------------------------------------------

interface Part {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** What takes its place; undefined: stars, as in a comment. */
  readonly word: string | undefined;
}

/** A change, and what is left of it. */
interface SafeSet {
  readonly option: string;
  readonly safe: string;
  /** What was taken out. */
  readonly texts: readonly string[];
}

/** What a value is depends on its place: each is put there, as a call does. One that has none is masked by its words. */
function hiddenInSets(sets: readonly string[], inputs: readonly Input[], api?: ApiVersion): readonly SafeSet[] {
  if (sets.length === 0) return [];
  let { document } = readInputs(inputs, { api });
  const [{ version } = { version: 'v2' as const }] = parsedInputs(inputs, api);
  return sets.map((option) => {
    const start = document?.nextStart ?? 0;
    const next = document && applySets(document, [option]).document;
    if (next === undefined || next === document) return { option, ...byWords(option) };
    document = next;
    const finder = new Finder(version, subsetLabels(next.root));
    finder.document(next.root);
    const parts = [...finder.hidden].flatMap(([{ start: from, end: to, text }, word]): Part[] =>
      from < start ? [] : [{ from: from - start, to: to - start, text, word: JSON.stringify(word) }],
    );
    parts.sort((a, b) => a.from - b.from);
    return { option, safe: edited(option, parts, ({ word = '' }) => word), texts: parts.map(({ text }) => text) };
  });
}

function byWords(option: string): Omit<SafeSet, 'option'> {
  const parts = maskedParts(option, 0);
  return { safe: edited(option, parts, () => REDACTED), texts: parts.map(({ text }) => text) };
}

function hiddenParts<T extends Input>(
  inputs: readonly T[],
  api?: ApiVersion,
): { readonly input: T; readonly parts: readonly Part[] }[] {
  const parsed = parsedInputs(inputs, api);
  const labels = new Set(parsed.flatMap(({ roots }) => roots.flatMap((root) => [...subsetLabels(root)])));
  return parsed.map(({ input, ...read }) => ({ input, parts: partsOf(input.text, read, labels) }));
}

function partsOf(
  text: string,
  { roots, version, json }: Omit<ParsedInput<Input>, 'input'>,
  labels: ReadonlySet<string>,
): readonly Part[] {
  if (roots.length === 0) return maskedParts(text, 0);
  const finder = new Finder(version, labels);
  for (const root of roots) finder.document(root);
  const parts = [...finder.hidden].map(([node, word]): Part => {
    return { from: node.start, to: node.end, text: node.text, word: JSON.stringify(word) };
  });
  parts.sort((a, b) => a.from - b.from);
  return json ? parts : withComments(text, parts, finder.scalars);
}

/** What {@link maskedText} takes out. */
function maskedParts(text: string, start: number): Part[] {
  const masked = maskedText(text);
  const parts: Part[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === masked[at]) continue;
    const from = at;
    while (at < text.length && text[at] !== masked[at]) at++;
    parts.push({ from: start + from, to: start + at, text: text.slice(from, at), word: undefined });
  }
  return parts;
}

/** Comments are read by nobody, and carried with the rest. */
function withComments(text: string, parts: readonly Part[], scalars: readonly ScalarNode[]): readonly Part[] {
  const values = [...scalars].sort((a, b) => a.start - b.start);
  const comments: Part[] = [];
  let next = 0;
  for (const { index, 0: comment } of text.matchAll(/(?<=^|\s)#[^\n]*(?:\n[ \t]*#[^\n]*)*/g)) {
    while (next < values.length && (values[next]?.end ?? 0) <= index) next++;
    const value = values[next];
    if (value === undefined || value.start > index) comments.push(...maskedParts(comment, index));
  }
  return [...parts, ...comments].sort((a, b) => a.from - b.from);
}

function edited(text: string, parts: readonly Part[], by: (part: Part) => string): string {
  let result = '';
  let at = 0;
  for (const part of parts) {
    if (part.from < at) continue;
    result += text.slice(at, part.from) + by(part);
    at = part.to;
  }
  return result + text.slice(at);
}

// --- values --------------------------------------------------------------------------------------------------------

/** Fields of messages other than clusters whose texts are names: they are referred to, or must differ. */
const NAMES: ReadonlySet<string> = new Set([
  ...['name', 'cluster', 'cluster_name', 'cluster_names', 'domains', 'header_name', 'retry_on'],
  ...['local_cluster_name', 'service_name', 'route_config_name'],
]);

/** Parts of a bootstrap that are read whole. */
const READ: ReadonlySet<string> = new Set(['stats_sinks', 'stats_config']);

const NUMBERS: ReadonlySet<string> = new Set([
  ...['bool', 'BoolValue', 'Duration', 'double', 'DoubleValue', 'float', 'FloatValue', 'Empty'],
  ...['uint32', 'UInt32Value', 'uint64', 'UInt64Value', 'int32', 'int64'],
]);

/** Messages of which an import takes what balances. */
const IMPORTED: ReadonlySet<string> = new Set(['Cluster', 'ClusterLoadAssignment', 'core.Node', 'core.Metadata']);

/** A proxy's runtime: numbers are read, texts may be anything. */
const RUNTIME: ReadonlySet<string> = new Set(['runtime', 'static_layer', 'base']);

/** What becomes of the texts in a part of a document. */
type Use =
  /** The scenario's own words. */
  | 'scenario'
  /** All of it is read. */
  | 'read'
  /** A proxy's, of which a part is read. */
  | 'proxy'
  /** Keys, tokens, passwords. */
  | 'secret';

/** Finds the values to hide in documents of one API. */
class Finder {
  /** What takes the place of each. */
  readonly hidden = new Map<ScalarNode, string>();
  readonly scalars: ScalarNode[] = [];
  private readonly kept = new Set<SourceNode>();
  private readonly done = new Set<SourceNode>();

  /** @param labels keys of the metadata that balancing reads. */
  constructor(
    private readonly version: ApiVersion,
    private readonly labels: ReadonlySet<string>,
  ) {}

  document(root: SourceNode): void {
    const resources = isScenario(root) ? undefined : resourcesOf(root);
    const kind = detectKind({ root });
    if (resources !== undefined) {
      this.resources(resources);
      // Around the messages of a dump.
      this.leaves(root, 'proxy');
    } else if (kind === 'scenario') this.value(root, ScenarioFile, 'scenario');
    else this.message(root, kind === 'cluster' ? Cluster : Bootstrap);
    this.showKept();
  }

  /** A document that is one message. */
  whole(root: SourceNode, schema: Schema<unknown>): void {
    this.message(root, schema);
    this.showKept();
  }

  private showKept(): void {
    for (const node of this.kept) if (node.kind === 'scalar') this.hidden.delete(node);
  }

  private message(node: SourceNode, schema: Schema<unknown>): void {
    this.value(node, schema, 'proxy');
    this.done.add(node);
  }

  private resources(found: Resources): void {
    for (const { node } of found.bootstraps) this.message(node, Bootstrap);
    for (const { node } of found.clusters) this.message(node, Cluster);
    for (const { node } of found.assignments) this.message(node, ClusterLoadAssignment);
    for (const { node } of found.routes) this.message(node, RouteConfiguration);
    for (const { node } of found.listeners) this.message(node, Listener);
    // They say which hosts there are, and how they are.
    for (const { node } of found.statuses) {
      this.leaves(node, 'read');
      this.done.add(node);
    }
  }

  private value(node: SourceNode, schema: Schema<unknown>, use: Use): void {
    const { form, marks } = schema;
    if (marks.anyTypes !== undefined) this.any(node, marks.anyTypes, use);
    else if (marks.message !== undefined) this.fields(node, schema, marks.message, use);
    else if (form.kind === 'list') {
      for (const item of flatItems(node)) this.value(item, form.item, use);
    } else if (form.kind === 'map' && isMap(node)) {
      for (const { value } of node.entries) this.value(value, form.value, use);
    } else if (form.kind === 'union') this.value(node, optionFor(node, form.options), use);
    else if ('inner' in form) this.value(node, form.inner, use);
    else {
      const inner = node.kind === 'scalar' ? undefined : innerOf(schema);
      if (inner === undefined) this.leaves(node, isNumber(schema) ? 'read' : use, marks.typeName);
      else this.value(node, inner, use);
    }
  }

  private fields(node: SourceNode, schema: Schema<unknown>, info: MessageInfo, outer: Use): void {
    if (!isMap(node)) {
      this.leaves(node, outer);
      return;
    }
    const use = info.vocabulary === 'proxy' && outer === 'scenario' ? 'proxy' : outer;
    if (IMPORTED.has(info.name)) this.keep(new Pruner(this.labels).message(node, schema));
    const view = info.as(this.version);
    const isHttp = HTTP_NAMES.has(canonicalName(textOf(valueAt(node, 'name')) ?? ''));
    for (const entry of node.entries) this.field(entry, view, use, isHttp);
  }

  private field({ key, value }: MapEntry, info: MessageInfo, use: Use, isHttp: boolean): void {
    const name = snake(key);
    const schema = own(info.shape, name) ?? own(info.shape, key);
    if (key === '@type' || name === 'lb_policy') this.leaves(value, 'read');
    else if (isHttp && name === 'config') this.value(value, HttpConnectionManager, use);
    else if (schema === undefined) this.unknown(key, value, info, use);
    else if (schema.marks.sensitive === true) this.value(value, schema, 'secret');
    else if (RUNTIME.has(name)) this.runtime(value, use);
    else if (isPayload(info, name)) this.leaves(value, use, 'hex');
    else if (READ.has(name)) this.value(value, schema, 'read');
    else if (use === 'proxy' && value.kind !== 'map' && isText(schema) && isName(name, value)) this.keep(value);
    else this.value(value, schema, use);
  }

  /** What is meant is hidden where that would be. */
  private unknown(key: string, value: SourceNode, info: MessageInfo, use: Use): void {
    const meant = nearest(snake(key), Object.keys(info.shape));
    const schema = meant === undefined ? undefined : own(info.shape, meant);
    if (isSecretName(key) || schema?.marks.sensitive === true) this.leaves(value, 'secret');
    else if (schema !== undefined) this.value(value, schema, use);
    else this.leaves(value, use);
  }

  private any(node: SourceNode, types: AnyTypes, use: Use): void {
    const url = textOf(valueAt(node, '@type')) ?? '';
    const known = messageOfUrl(url);
    const schema = own(types, typeOfUrl(url)) ?? (known && apiSchema(known.name, known.version));
    const info = schema?.marks.message;
    if (info === undefined || !isMap(node)) {
      this.leaves(node, /\.Struct$/.test(url) ? use : 'secret');
      return;
    }
    const view = info.as(known?.version ?? this.version);
    for (const entry of node.entries) this.field(entry, view, use, false);
  }

  private keep(node: SourceNode): void {
    if (node.kind === 'scalar') {
      this.kept.add(node);
      this.scalars.push(node);
    } else for (const part of partsIn(node)) this.keep(part);
  }

  /** All texts and numbers in it; where it is read, those under secret names. */
  private leaves(node: SourceNode, use: Use, typeName?: string): void {
    if (this.done.has(node)) return;
    if (node.kind === 'map') {
      for (const { key, value } of node.entries) {
        const isType = key === '@type' || snake(key) === 'type_url';
        if (!isType) this.leaves(value, isSecretName(key) ? 'secret' : use, typeName);
      }
    } else if (node.kind === 'list') for (const item of node.items) this.leaves(item, use, typeName);
    else {
      this.scalars.push(node);
      if (use === 'scenario' || use === 'read' || node.text === '' || isTruth(node)) return;
      this.hidden.set(node, REDACTED_AS[typeName ?? ''] ?? REDACTED);
    }
  }

  private runtime(node: SourceNode, use: Use): void {
    if (node.kind !== 'scalar') for (const part of partsIn(node)) this.runtime(part, use);
    else this.leaves(node, typeof yamlValue({ ...node, quoted: false }) === 'string' ? use : 'read');
  }
}

/** Or nothing. */
function isTruth(node: ScalarNode): boolean {
  const value = node.quoted ? '' : yamlValue(node);
  return typeof value === 'boolean' || value === null;
}

function isName(field: string, value: SourceNode): boolean {
  // Not with a query, which may carry a token.
  const isPath = field === 'path' && value.kind === 'scalar' && /^[\w./-]*$/.test(value.text);
  return NAMES.has(field) || (isPath && maskedText(value.text) === value.text);
}

function isPayload({ name }: MessageInfo, field: string): boolean {
  return field === 'text' && name.endsWith('HealthCheck.Payload');
}

function partsIn(node: Exclude<SourceNode, ScalarNode>): readonly SourceNode[] {
  return node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
}

function bare(schema: Schema<unknown>): Schema<unknown> {
  const { form } = schema;
  if (form.kind === 'list') return bare(form.item);
  if (form.kind === 'map') return bare(form.value);
  return 'inner' in form && schema.marks.message === undefined ? bare(form.inner) : schema;
}

/** What is in a value that is read by hand, as its JSON Schema says. */
function innerOf({ marks }: Schema<unknown>): Schema<unknown> | undefined {
  let inner: Schema<unknown> | undefined;
  marks.json?.((one) => {
    inner ??= one;
    return {};
  });
  return inner;
}

/** Or a word of a few. */
function isNumber({ marks }: Schema<unknown>): boolean {
  return marks.values !== undefined || NUMBERS.has(marks.typeName ?? '') || /one of /.test(marks.limits ?? '');
}

function isText(schema: Schema<unknown>): boolean {
  const { marks, form } = bare(schema);
  return marks.message === undefined && marks.anyTypes === undefined && form.kind === 'value';
}

/** Of a map the option that knows most of its fields. */
function optionFor(node: SourceNode, options: readonly Schema<unknown>[]): Schema<unknown> {
  const score = (option: Schema<unknown>): number => {
    const { form, marks } = bare(option);
    if (node.kind !== 'map') return form.kind === node.kind ? 1 : 0;
    const shape = marks.message?.shape ?? {};
    return node.entries.filter(({ key }) => Object.hasOwn(shape, key)).length;
  };
  return options.reduce((best, option) => (score(option) > score(best) ? option : best));
}
