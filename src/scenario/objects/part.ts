import type { SourceNode } from '../../config/reader.js';
import type { MapEntry, MapNode } from '../../config/source/document.js';
import { describe } from '../../config/reader/error-words.js';
import { isNull } from '../../config/reader/scalar-value.js';
import type { Span } from '../../config/reader/spans.js';
import type { OBJECTS } from './generated/objects.js';
import { itemsOf, isMap, listNode, mapNode, nodeOf, textOf } from '../../config/source/trees.js';

/** What is made: plain values, and nodes of what was written, which keep their places. */
export type Made =
  string | number | boolean | SourceNode | readonly Made[] | { readonly [field: string]: Made | undefined };

/** A message in the making. */
export interface Draft {
  [field: string]: Made | undefined;
}

/** A message in it, made where there is none. */
export function draftIn(draft: Draft, name: string): Draft {
  const known = draft[name];
  const inner: Draft = isFields(known) ? known : {};
  draft[name] = inner;
  return inner;
}

function isFields(made: Made | undefined): made is Draft {
  return typeof made === 'object' && !isMade(made) && !isNode(made);
}

/** A sentence of `objects.yaml`. */
export type Sentence = keyof typeof OBJECTS.sentences;

/** @param words what stands in its braces. */
export type Tell = (at: Span, sentence: Sentence, words?: Readonly<Record<string, string>>) => void;

/** What was asked for, and what cannot be read. */
export interface ReadLog {
  readonly read: Set<SourceNode>;
  readonly refuse: Tell;
}

/** A part of an object, there or not. What is asked for counts as read, so that the rest can be named. */
export class Part {
  constructor(
    readonly node: SourceNode | undefined,
    private readonly log: ReadLog,
  ) {
    if (node !== undefined) log.read.add(node);
  }

  /** @param path names, as `spec.endpoints`; letters of any case, `max_connections` for `maxConnections`. */
  at(path: string): Part {
    return new Part(path.split('.').reduce(fieldIn, this.node), this.log);
  }

  /** The entry of a map of free names. */
  named(key: string): string | undefined {
    return this.entries.find(([name]) => name === key)?.[1].text;
  }

  /** Another node, such as one made of this and others. */
  as(node: SourceNode | undefined): Part {
    return new Part(node, this.log);
  }

  get isThere(): boolean {
    return this.node !== undefined;
  }

  get text(): string | undefined {
    return textOf(this.node);
  }

  get number(): number | undefined {
    const number = Number(this.text ?? NaN);
    return Number.isNaN(number) ? undefined : number;
  }

  get isTrue(): boolean {
    return this.text === 'true';
  }

  get items(): readonly Part[] {
    return itemsOf(this.node).map((item) => this.as(item));
  }

  get texts(): readonly string[] {
    return this.items.flatMap(({ text }) => text ?? []);
  }

  get entries(): readonly (readonly [string, Part])[] {
    return isMap(this.node) ? this.node.entries.map(({ key, value }) => [key, this.as(value)] as const) : [];
  }

  /** Its texts by free names, such as labels. */
  get table(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.entries.flatMap(([key, { text }]) => (text === undefined ? [] : [[key, text]])));
  }

  /** Where it is, or what is around it. */
  spanOr(span: Span): Span {
    return this.node ?? span;
  }

  /** All of it is read, or known to be of no effect. */
  ignore(...paths: readonly string[]): void {
    for (const path of paths) markAll(path.split('.').reduce(fieldIn, this.node), this.log.read);
  }

  /** The object is not accepted, for its value. */
  refuse(expected: string): void {
    if (this.node !== undefined) this.log.refuse(this.node, 'unlike', { expected, found: describe(this.node, true) });
  }
}

function markAll(node: SourceNode | undefined, read: Set<SourceNode>): void {
  if (node === undefined) return;
  read.add(node);
  if (node.kind === 'list') for (const item of node.items) markAll(item, read);
  if (node.kind === 'map') for (const { value } of node.entries) markAll(value, read);
}

function folded(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The last entry of that name, however it is written. */
export function fieldNamed({ entries }: MapNode, name: string): MapEntry | undefined {
  const wanted = folded(name);
  return entries.findLast(({ key }) => folded(key) === wanted);
}

function fieldIn(node: SourceNode | undefined, name: string): SourceNode | undefined {
  const value = isMap(node) ? fieldNamed(node, name)?.value : undefined;
  return value === undefined || isNull(value) ? undefined : value;
}

export interface Unread {
  /** `trafficPolicy.tls`, without the indices of lists. */
  readonly path: string;
  readonly node: SourceNode;
}

/** What nobody has asked for: the whole of it, where no part of it was read. */
export function unreadIn(node: SourceNode, read: ReadonlySet<SourceNode>, path = ''): readonly Unread[] {
  const parts =
    node.kind === 'list'
      ? node.items.map((value) => ({ path, value }))
      : node.kind === 'map'
        ? node.entries.map(({ key, value }) => ({ path: path === '' ? key : `${path}.${key}`, value }))
        : [];
  if (parts.length === 0) return read.has(node) || isNull(node) ? [] : [{ path, node }];
  const unread = parts.flatMap((part) => unreadIn(part.value, read, part.path));
  return path !== '' && isUnread(node, read) ? [{ path, node }] : unread;
}

function isUnread(node: SourceNode, read: ReadonlySet<SourceNode>): boolean {
  if (node.kind === 'list' && node.items.length > 0) return node.items.every((item) => isUnread(item, read));
  if (node.kind === 'map' && node.entries.length > 0) return node.entries.every(({ value }) => isUnread(value, read));
  return !read.has(node);
}

/** @param span where parts are that come from nothing written. */
export function nodeFrom(made: Made, span: Span): SourceNode {
  if (typeof made !== 'object') return nodeOf(made, span);
  if (isNode(made)) return made;
  const around = spanIn(made) ?? span;
  if (isMade(made)) {
    const items = made.map((item) => nodeFrom(item, span));
    return listNode(items, around);
  }
  const entries = Object.entries(made).flatMap(([key, item]): readonly MapEntry[] => {
    if (item === undefined) return [];
    const value = nodeFrom(item, span);
    return [{ key, keyStart: value.start, keyEnd: value.end, value }];
  });
  return { ...mapNode({}, around), entries };
}

function isMade(made: object): made is readonly Made[] {
  return Array.isArray(made);
}

function isNode(made: object): made is SourceNode {
  return 'start' in made && 'end' in made && 'kind' in made;
}

function spanIn(made: Made | undefined): Span | undefined {
  if (typeof made !== 'object') return undefined;
  if (isNode(made)) return made;
  for (const item of Object.values(made)) {
    const found = spanIn(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `overlay` on `base`: maps are merged, all else is replaced. */
export function merged(base: SourceNode | undefined, overlay: SourceNode | undefined): SourceNode | undefined {
  if (base === undefined || overlay === undefined) return overlay ?? base;
  if (!isMap(base) || !isMap(overlay)) return overlay;
  const own = new Set(overlay.entries.map(({ key }) => key));
  const entries = overlay.entries.map((entry) => {
    const below = base.entries.find(({ key }) => key === entry.key)?.value;
    return { ...entry, value: merged(below, entry.value) ?? entry.value };
  });
  return { ...overlay, entries: [...base.entries.filter(({ key }) => !own.has(key)), ...entries] };
}
