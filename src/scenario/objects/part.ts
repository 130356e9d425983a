import { describe, isNull } from '../../config/reader/error-words.js';
import type { Span } from '../../config/reader/spans.js';
import type { MapEntry, MapNode, SourceNode } from '../../config/source/document.js';
import { isMap, itemsOf, listNode, mapNode, nodeOf, textOf } from '../../config/source/trees.js';
import { fill } from '../../core/fill.js';
import { OBJECTS } from './generated/objects.js';

/** What is made: plain values, and nodes of what was written, which keep their places. Undefined fields are left out. */
export type Made =
  string | number | boolean | SourceNode | readonly Made[] | { readonly [field: string]: Made | undefined };

/** A message in the making. */
export interface Draft {
  [field: string]: Made | undefined;
}

type Sentence = keyof typeof OBJECTS.sentences;

export type Finding = Readonly<{ severity: 'error' | 'warning'; span: Span; message: string }>;

/** What was asked for, and what is said of it: with an error there is no scenario. */
export type Log = Readonly<{ read: Set<SourceNode>; findings: Finding[] }>;

/**
 * A part of an object, there or not. What is asked for counts as read, so that the rest can be named. Paths are names, as
 * `spec.endpoints`; letters of any case, `max_connections` for `maxConnections`; '' is the part itself.
 */
export class Part {
  /** @param span where it is, or what is around it. */
  constructor(
    readonly node: SourceNode | undefined,
    readonly span: Span,
    private readonly log: Log,
  ) {
    if (node !== undefined) log.read.add(node);
  }

  /** Another, made of this. */
  as(node: SourceNode | undefined): Part {
    return new Part(node, node ?? this.span, this.log);
  }

  at(path: string): Part {
    return this.as(namesOf(path).reduce(fieldIn, this.node));
  }

  has(path: string): boolean {
    return this.at(path).node !== undefined;
  }

  /** '': it is not there, or no text. */
  text(path = ''): string {
    return textOf(this.at(path).node) ?? '';
  }

  number(path = ''): number | undefined {
    const text = this.text(path);
    const number = Number(text);
    return text === '' || Number.isNaN(number) ? undefined : number;
  }

  isTrue(path = ''): boolean {
    return this.text(path) === 'true';
  }

  /** The items of a list, also of lists in lists on the way; a part that is no list is one. */
  items(path = ''): readonly Part[] {
    const found = namesOf(path).reduce(
      (nodes, name) => nodes.flatMap((node) => flat(fieldIn(node, name))),
      flat(this.node),
    );
    return found.map((node) => this.as(node));
  }

  texts(path: string): readonly string[] {
    return this.items(path)
      .map((one) => one.text())
      .filter((text) => text !== '');
  }

  /** Parts by free names. */
  entries(path: string): readonly (readonly [string, Part])[] {
    const { node } = this.at(path);
    return isMap(node) ? node.entries.map(({ key, value }) => [key, this.as(value)] as const) : [];
  }

  /** Texts by free names, such as labels. */
  table(path: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.entries(path).map(([key, part]) => [key, part.text()]));
  }

  /** This, with what only `base` says. @param depth of the maps that are merged; below, this replaces it. */
  onto(base: Part, depth = Infinity): Part {
    return this.as(merged(base.node, this.node, depth));
  }

  only(...names: readonly string[]): Part {
    const fields = Object.fromEntries(names.map((name) => [name, fieldIn(this.node, name)]));
    return this.as(this.node && mapNode(fields, this.node));
  }

  /** It is read by other means, or of no effect; also in lists on the way. */
  ignore(...paths: readonly string[]): void {
    for (const path of paths) {
      const [, around = '', name = ''] = /^(?:(.*)\.)?(.*)$/.exec(path) ?? [];
      for (const { node } of name === '' ? [this] : this.items(around))
        markAll(name === '' ? node : fieldIn(node, name), this.log.read);
    }
  }

  /** What nobody has asked for, by its path without the indices of lists; the whole of a part, where nothing in it was. */
  unread(): readonly Placed[] {
    return this.node === undefined ? [] : unreadIn(this.node, this.log.read);
  }

  /** It cannot be read honestly. @param words what stands in the braces of the sentence. */
  refuse(
    sentence: Sentence,
    words: Readonly<Record<string, string>> = {},
    severity: Finding['severity'] = 'error',
  ): void {
    const said = fill(OBJECTS.sentences[sentence], words);
    const { span } = this;
    const isSaid = ({ message, span: { start } }: Finding): boolean => message === said && start === span.start;
    if (!this.log.findings.some(isSaid)) this.log.findings.push({ severity, span, message: said });
  }

  warn(sentence: Sentence, words: Readonly<Record<string, string>>): void {
    this.refuse(sentence, words, 'warning');
  }

  /** It is there, and not what the API server takes. */
  refuseValue(expected: string): void {
    if (this.node !== undefined) this.refuse('unlike', { expected, found: describe(this.node, true) });
  }
}

const namesOf = (path: string): readonly string[] => path.split('.').filter((name) => name !== '');

function flat(node: SourceNode | undefined): readonly SourceNode[] {
  if (node === undefined) return [];
  return node.kind === 'list' ? node.items : [node];
}

function markAll(node: SourceNode | undefined, read: Set<SourceNode>): void {
  if (node === undefined) return;
  read.add(node);
  for (const [, value] of within(node, '')) markAll(value, read);
}

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The last entry of that name, however it is written. */
export function fieldNamed({ entries }: MapNode, name: string): MapEntry | undefined {
  const wanted = folded(name);
  return entries.findLast(({ key }) => folded(key) === wanted);
}

function fieldIn(node: SourceNode | undefined, name: string): SourceNode | undefined {
  const value = isMap(node) ? fieldNamed(node, name)?.value : undefined;
  return value === undefined || isNull(value) ? undefined : value;
}

type Placed = readonly [path: string, node: SourceNode];

/** The parts of a node with their paths: `trafficPolicy.tls`, without the indices of lists. */
function within(node: SourceNode, path: string): readonly Placed[] {
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.map((item) => [path, item] as const);
  return node.entries.map(({ key, value }) => [path === '' ? key : `${path}.${key}`, value] as const);
}

function unreadIn(node: SourceNode, read: ReadonlySet<SourceNode>, path = ''): readonly Placed[] {
  const parts = within(node, path);
  if (parts.length === 0) return read.has(node) || isNull(node) ? [] : [[path, node]];
  const unread = parts.map(([inner, value]) => unreadIn(value, read, inner));
  const isWhole = path !== '' && unread.every((found, index) => found[0]?.[1] === parts[index]?.[1]);
  return isWhole ? [[path, node]] : unread.flat();
}

/** The way to what is at a place. */
export function pathTo(node: SourceNode, span: Span): readonly (string | number)[] {
  const parts: readonly (readonly [string | number, SourceNode])[] =
    node.kind === 'map' ? node.entries.map(({ key, value }) => [key, value]) : [...itemsOf(node).entries()];
  const [step, inner] = parts.find(([, { start, end }]) => start <= span.start && span.end <= end) ?? [];
  return step === undefined || inner === undefined ? [] : [step, ...pathTo(inner, span)];
}

/** @param span where parts are that come from nothing written. */
export function nodeFrom(made: Made, span: Span): SourceNode {
  if (typeof made !== 'object') return nodeOf(made, span);
  if (isNode(made)) return made;
  const around = spanIn(made) ?? span;
  const inner = (item: Made): SourceNode => nodeFrom(item, span);
  if (isList(made)) return listNode(made.map(inner), around);
  const entries = Object.entries(made).flatMap(([key, item]): readonly MapEntry[] => {
    if (item === undefined) return [];
    const value = inner(item);
    return [{ key, keyStart: value.start, keyEnd: value.end, value }];
  });
  return { ...mapNode({}, around), entries };
}

/** What is made, as a list: of one, or of none. */
export function listIn(made: Made | undefined): readonly Made[] {
  if (made === undefined) return [];
  return typeof made === 'object' && isList(made) ? made : [made];
}

const isList = (made: object): made is readonly Made[] => Array.isArray(made);
const isNode = (made: object): made is SourceNode => 'start' in made && 'end' in made && 'kind' in made;

export const isDraft = (made: Made | undefined): made is Draft =>
  typeof made === 'object' && !isList(made) && !isNode(made);

/** Of the first part that was written. */
function spanIn(made: Made | undefined): Span | undefined {
  if (typeof made !== 'object') return undefined;
  if (isNode(made)) return made;
  for (const item of Object.values(made)) {
    const found = spanIn(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function merged(base: SourceNode | undefined, overlay: SourceNode | undefined, depth: number): SourceNode | undefined {
  if (!isMap(base) || !isMap(overlay) || depth === 0) return overlay ?? base;
  const below = base.entries.filter(({ key }) => fieldNamed(overlay, key) === undefined);
  const entries = overlay.entries.map((entry) => {
    const value = merged(fieldNamed(base, entry.key)?.value, entry.value, depth - 1);
    return { ...entry, value: value ?? entry.value };
  });
  return { ...overlay, entries: [...below, ...entries] };
}
