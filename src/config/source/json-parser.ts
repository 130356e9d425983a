import type { MapEntry, SourceNode } from './document.js';

export type JsonResult =
  | { readonly kind: 'read'; readonly root: SourceNode }
  | { readonly kind: 'too-deep'; readonly offset: number }
  | { readonly kind: 'not-json' | 'too-many' };

export interface JsonLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values and keys. */
  readonly nodes: number;
}

class Ended extends Error {
  constructor(readonly result: JsonResult) {
    super();
  }
}

/**
 * JSON (RFC 8259) with places, fast enough for the dump of a proxy. JSON is also YAML: a text with errors is left to that
 * parser and its messages. @param from what the text begins at, of a document of several.
 */
export function readJson(text: string, limits: JsonLimits, from = 0): JsonResult {
  if (!/^[ \t\n\r]*[[{]/.test(text)) return { kind: 'not-json' };
  try {
    return { kind: 'read', root: new JsonReader(text, limits, from).read() };
  } catch (error) {
    if (error instanceof Ended) return error.result;
    throw error;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

/** A number, or one of three words. */
const BARE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

/** Longer keys and values seldom come twice. */
const SHORT = 100;
/** Places for texts that may come again; a power of two. */
const WORDS = 4096;

class JsonReader {
  private at = 0;
  private nodes = 0;
  /** A dump has a million keys of a few hundred names, and many values many times: what was read last, by {@link placeOf}. */
  private readonly words: string[] = Array.from({ length: WORDS }, () => '');
  /** Items of open maps and lists, the outermost first: at its end each gets an array of exact length. */
  private readonly entries: MapEntry[] = [];
  private readonly items: SourceNode[] = [];
  private openEntries = 0;
  private openItems = 0;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
    private readonly from: number,
  ) {}

  read(): SourceNode {
    const root = this.value(0);
    this.next();
    return this.at === this.text.length ? root : this.fail();
  }

  private value(depth: number): SourceNode {
    const code = this.next();
    const start = this.at;
    if (depth > this.limits.depth) throw new Ended({ kind: 'too-deep', offset: start });
    this.count();
    if (code === OPEN_MAP) return this.map(start, depth + 1);
    if (code === OPEN_LIST) return this.list(start, depth + 1);
    const quoted = code === QUOTE;
    const text = quoted ? this.string() : this.bare();
    return { kind: 'scalar', text, quoted, start: start + this.from, end: this.at + this.from };
  }

  private map(start: number, depth: number): SourceNode {
    const { entries, openEntries, from } = this;
    this.at += 1;
    for (let code = this.next(); code !== CLOSE_MAP; code = this.next()) {
      if (this.openEntries > openEntries) code = this.behindComma(code);
      if (code !== QUOTE) this.fail();
      const keyStart = this.at;
      this.count();
      const key = this.string();
      const keyEnd = this.at;
      if (this.next() !== COLON) this.fail();
      this.at += 1;
      const value = this.value(depth);
      entries[this.openEntries] = { key, keyStart: keyStart + from, keyEnd: keyEnd + from, value };
      this.openEntries += 1;
    }
    this.at += 1;
    const own = entries.slice(openEntries, this.openEntries);
    this.openEntries = openEntries;
    return { kind: 'map', entries: own, start: start + from, end: this.at + from };
  }

  private list(start: number, depth: number): SourceNode {
    const { items, openItems } = this;
    this.at += 1;
    for (let code = this.next(); code !== CLOSE_LIST; code = this.next()) {
      if (this.openItems > openItems) this.behindComma(code);
      const value = this.value(depth);
      items[this.openItems] = value;
      this.openItems += 1;
    }
    this.at += 1;
    const own = items.slice(openItems, this.openItems);
    this.openItems = openItems;
    return { kind: 'list', items: own, start: start + this.from, end: this.at + this.from };
  }

  /** @returns the character after the required comma. */
  private behindComma(code: number): number {
    if (code !== COMMA) this.fail();
    this.at += 1;
    return this.next();
  }

  /** Skips white space; NaN: the text ends. */
  private next(): number {
    const { text } = this;
    let { at } = this;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.at = at;
    return code;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    let escapes = false;
    let at = start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escapes = true;
        at += 1;
      } else if (!(code >= 0x20)) this.fail();
      at += 1;
    }
    this.at = at + 1;
    return escapes ? this.unescaped(text.slice(start, at + 1)) : this.word(start + 1, at);
  }

  private unescaped(written: string): string {
    try {
      return JSON.parse(written) as string;
    } catch {
      return this.fail();
    }
  }

  private bare(): string {
    BARE.lastIndex = this.at;
    const [word] = BARE.exec(this.text) ?? this.fail();
    this.at += word.length;
    return word;
  }

  /** The text between two offsets; if it was the last one at its place, the same string again. */
  private word(start: number, end: number): string {
    const { text, words } = this;
    const length = end - start;
    if (length > SHORT) return text.slice(start, end);
    const place = placeOf(text, start, length);
    const known = words[place] as string;
    if (known.length === length && text.startsWith(known, start)) return known;
    return (words[place] = text.slice(start, end));
  }

  private count(): void {
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) throw new Ended({ kind: 'too-many' });
  }

  private fail(): never {
    throw new Ended({ kind: 'not-json' });
  }
}

function placeOf(text: string, start: number, length: number): number {
  const first = text.charCodeAt(start);
  const middle = text.charCodeAt(start + (length >> 1));
  const last = text.charCodeAt(start + length - 1);
  return (31 * length + 7 * first + 131 * middle + 57 * last) & (WORDS - 1);
}
