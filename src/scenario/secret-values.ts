/** Which values of a document are secret, and names in maps that are: all that a proxy is configured with, but for what balances and names. */
import { canonicalName } from '../core/proxy-names.js';
import type { ApiVersion } from '../config/api/api.js';
import { Bootstrap, HTTP_NAMES, HttpConnectionManager, Listener } from '../config/bootstrap.js';
import { Cluster } from '../config/cluster/cluster.js';
import { REDACTED } from '../config/core.js';
import { ClusterLoadAssignment } from '../config/assignment-rules.js';
import type { MessageInfo, ScalarNode, Schema, SourceNode, AnyTypes, Span, MapEntry } from '../config/reader.js';
import { messageOfUrl, typeOfUrl, apiSchema, keySpan, nearest, yamlValue, snake, flatItems } from '../config/reader.js';
import { fieldsIn, unwrapped } from '../config/reader/schema.js';
import { RouteConfiguration } from '../config/route/route.js';
import { isMap, partsOf, textOf, valueAt } from '../config/source/trees.js';
import { detectKind } from '../config/validate.js';
import { own } from '../core/values.js';
import { SECRET_NAMES } from './generated/secret-names.js';
import { Pruner } from './import/prune.js';
import { isScenario } from './input/read-inputs.js';
import { type Resources, resourcesOf } from './input/resources.js';
import { isEdited } from './objects/edited.js';
import { ScenarioFile } from './scenario.js';
import { isSecretName, maskedText } from './secret-words.js';

/** The same where bytes are written. */
const REDACTED_AS: Readonly<Partial<Record<string, string>>> = {
  bytes: 'W3JlZGFjdGVkXQ==',
  BytesValue: 'W3JlZGFjdGVkXQ==',
  hex: '5b72656461637465645d',
};

const isOf = (kind: keyof typeof SECRET_NAMES, name: string): boolean => SECRET_NAMES[kind].some((one) => one === name);

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

export interface Secret extends Span {
  readonly text: string;
  /** What takes its place; undefined: stars, as in a comment. */
  readonly word: string | undefined;
  /** It is a name, which paths have, too. */
  readonly isName?: true;
}

/** Finds what to hide in documents of one API. */
export class SecretFinder {
  /** What takes the place of each value. */
  private readonly hidden = new Map<ScalarNode, string>();
  private readonly hiddenKeys = new Map<MapEntry, string>();
  readonly scalars: ScalarNode[] = [];
  private readonly kept = new Set<SourceNode>();
  private readonly done = new Set<SourceNode>();

  /**
   * @param labels keys of the metadata that balancing reads.
   * @param isShown where something may be found: other messages are passed over, whose tables would have to be read.
   */
  constructor(
    private readonly version: ApiVersion,
    private readonly labels: ReadonlySet<string>,
    private readonly isShown: (part: Span) => boolean = () => true,
  ) {}

  /** In the order of the text; `word` as JSON has it. */
  get secrets(): Secret[] {
    const values = [...this.hidden].map(([{ start, end, text }, word]): Secret => {
      return { start, end, text, word: JSON.stringify(word) };
    });
    const names = [...this.hiddenKeys].map(([entry, word]): Secret => {
      return { ...keySpan(entry), text: entry.key, word: JSON.stringify(word), isName: true };
    });
    return [...values, ...names].sort((a, b) => a.start - b.start);
  }

  document(root: SourceNode): void {
    if (isEdited(root)) {
      this.leaves(root, 'read');
      return;
    }
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

  /** A document that is one message, without what is hidden in it. */
  withoutHidden(root: SourceNode, schema: Schema<unknown>): SourceNode {
    this.message(root, schema);
    this.showKept();
    return this.redacted(root);
  }

  private redacted(node: SourceNode): SourceNode {
    if (node.kind === 'list') return { ...node, items: node.items.map((item) => this.redacted(item)) };
    if (node.kind === 'scalar') {
      const text = this.hidden.get(node);
      return text === undefined ? node : { ...node, text, quoted: true };
    }
    const entries = node.entries.map((entry) => {
      return { ...entry, key: this.hiddenKeys.get(entry) ?? entry.key, value: this.redacted(entry.value) };
    });
    return { ...node, entries };
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
      for (const entry of node.entries) {
        this.name(entry, use);
        this.value(entry.value, form.value, use);
      }
    } else if (form.kind === 'union') this.value(node, optionFor(node, form.options), use);
    else if ('inner' in form) this.value(node, form.inner, use);
    else {
      const inner = node.kind === 'scalar' ? undefined : innerOf(schema);
      if (inner === undefined) this.leaves(node, isNumber(schema) ? 'read' : use, marks.typeName);
      else this.value(node, inner, use);
    }
  }

  private fields(node: SourceNode, schema: Schema<unknown>, info: MessageInfo, outer: Use): void {
    if (!this.isShown(node)) return;
    if (!isMap(node)) {
      this.leaves(node, outer);
      return;
    }
    const use = info.vocabulary === 'proxy' && outer === 'scenario' ? 'proxy' : outer;
    if (isOf('imported', info.name)) this.keep(new Pruner(this.labels).message(node, schema));
    const view = info.as(this.version);
    const isHttp = HTTP_NAMES.has(canonicalName(textOf(valueAt(node, 'name')) ?? ''));
    for (const entry of node.entries) this.field(entry, view, use, isHttp);
  }

  private field(entry: MapEntry, info: MessageInfo, use: Use, isHttp: boolean): void {
    const { key, value } = entry;
    const name = snake(key);
    const schema = own(info.shape, name) ?? own(info.shape, key);
    if (key === '@type' || name === 'lb_policy') this.leaves(value, 'read');
    else if (isHttp && name === 'config') this.value(value, HttpConnectionManager, use);
    else if (schema === undefined) this.unknown(entry, info, use);
    else if (schema.marks.sensitive === true) this.value(value, schema, 'secret');
    else if (isOf('runtime', name)) this.runtime(value, use);
    else if (name === 'text' && info.name.endsWith('HealthCheck.Payload')) this.leaves(value, use, 'hex');
    else if (isOf('read', name)) this.value(value, schema, 'read');
    else if (use === 'proxy' && value.kind !== 'map' && isText(schema) && isName(name, value)) this.keep(value);
    else this.value(value, schema, use);
  }

  /** What is meant is hidden where that would be. */
  private unknown(entry: MapEntry, info: MessageInfo, use: Use): void {
    const { key, value } = entry;
    this.name(entry, use);
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
    } else for (const part of partsOf(node)) this.keep(part);
  }

  /** All texts and numbers in it; where it is read, those under secret names. @param isNamed a secret name stands above it. */
  private leaves(node: SourceNode, use: Use, typeName?: string, isNamed = false): void {
    if (this.done.has(node)) return;
    if (node.kind === 'map') {
      for (const entry of node.entries) {
        const { key, value } = entry;
        if (key === '@type' || snake(key) === 'type_url') continue;
        this.name(entry, use, isNamed);
        const isSecret = isSecretName(key);
        this.leaves(value, isSecret ? 'secret' : use, typeName, isNamed || isSecret);
      }
    } else if (node.kind === 'list') for (const item of node.items) this.leaves(item, use, typeName, isNamed);
    else {
      this.scalars.push(node);
      if (use === 'scenario' || use === 'read' || node.text === '' || isTruth(node)) return;
      this.hidden.set(node, REDACTED_AS[typeName ?? ''] ?? REDACTED);
    }
  }

  /** Hides a name that looks like a secret. @param isNamed below a secret name, where all but plain words are. */
  private name(entry: MapEntry, use: Use, isNamed = false): void {
    const { key } = entry;
    if (use === 'scenario' || use === 'read' || this.labels.has(key)) return;
    if (maskedText(key) === key && (!isNamed || /^@?[A-Za-z._-]*$/.test(key))) return;
    const before = this.hiddenKeys.size;
    // Names of one map differ.
    this.hiddenKeys.set(entry, before === 0 ? REDACTED : `${REDACTED} ${before + 1}`);
  }

  private runtime(node: SourceNode, use: Use): void {
    if (node.kind === 'map') for (const entry of node.entries) this.name(entry, use);
    if (node.kind !== 'scalar') for (const part of partsOf(node)) this.runtime(part, use);
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
  return isOf('names', field) || (isPath && maskedText(value.text) === value.text);
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
const isNumber = ({ marks }: Schema<unknown>): boolean =>
  marks.values !== undefined || isOf('numbers', marks.typeName ?? '') || /one of /.test(marks.limits ?? '');

function isText(schema: Schema<unknown>): boolean {
  const { marks, form } = bare(schema);
  return marks.message === undefined && marks.anyTypes === undefined && form.kind === 'value';
}

/** Of a map the option that knows most of its fields. */
function optionFor(node: SourceNode, options: readonly Schema<unknown>[]): Schema<unknown> {
  const score = (option: Schema<unknown>): number =>
    node.kind === 'map' ? fieldsIn(node, option) : Number(unwrapped(option).form.kind === node.kind);
  return options.reduce((best, option) => (score(option) > score(best) ? option : best));
}
