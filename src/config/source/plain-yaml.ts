import type { MapEntry, ScalarNode, SourceNode } from './document.js';
import { blockText, foldLines } from './plain-text.js';

/**
 * A reader of the YAML that configuration is written in: block maps and lists, flow maps and lists, words, quoted and
 * block text, anchors and aliases, comments; and of JSON. It is some twenty times as fast as a full YAML parser.
 *
 * It never guesses: at anything else (tags, several documents, tabs, mistakes) it gives up and the full parser has its
 * say. What it does read, it reads exactly as the full parser would; a property test holds the
 * two together.
 *
 * Source: YAML 1.2.2, https://yaml.org/spec/1.2.2/, RFC 8259.
 */
export type PlainResult =
  | { readonly kind: 'read'; readonly root: SourceNode; readonly json: boolean }
  | { readonly kind: 'too-deep' | 'too-many'; readonly offset: number }
  /** Not what this reader is for, from about this offset on. */
  | { readonly kind: 'unsupported'; readonly offset: number };

export function readPlainYaml(text: string, limits: PlainLimits): PlainResult {
  const reader = new PlainReader(text, limits);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'unsupported', offset: reader.offset };
    if (error instanceof TooMuch) return { kind: error.kind, offset: error.offset };
    throw error;
  }
}

export interface PlainLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values and keys. */
  readonly nodes: number;
}

class Unsupported extends Error {}

class TooMuch extends Error {
  constructor(
    readonly kind: 'too-deep' | 'too-many',
    readonly offset: number,
  ) {
    super();
  }
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const STAR = 42;
const COMMA = 44;
const DASH = 45;
const COLON = 58;
const GREATER = 62;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_MAP = 123;
const PIPE = 124;
const CLOSE_MAP = 125;

/** First characters that a word may not have: indicators, and `?` and `:`, which only sometimes are. */
const INDICATORS: ReadonlySet<number> = new Set(Array.from('?:,[]{}#&*!|>\'"%@`', (letter) => letter.charCodeAt(0)));

const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** A value that aliases may stand for. */
interface Anchored {
  readonly node: SourceNode;
  /** Values and keys in it, aliases counted as what they stand for. */
  readonly size: number;
  /** Levels in it. */
  readonly height: number;
}

class PlainReader {
  private at = 0;
  private json = true;
  private nodes = 0;
  private flowLevel = 0;
  /** The deepest level since the last anchor began. */
  private deepest = 0;
  private readonly anchors = new Map<string, Anchored | 'open'>();
  private readonly end: number;
  private readonly text: string;
  /** Lines end as on Windows; here they end with a space instead, which means as little. */
  private readonly windows: boolean;

  constructor(
    text: string,
    private readonly limits: PlainLimits,
  ) {
    this.windows = text.includes('\r\n');
    this.text = this.windows ? text.replaceAll('\r\n', ' \n') : text;
    this.end = text.length;
  }

  get offset(): number {
    return this.at;
  }

  read(): PlainResult {
    if (this.text.charCodeAt(0) === 0xfeff) throw new Unsupported();
    let column = this.nextLine();
    if (this.text.startsWith('---', this.at) && column === 0) {
      this.json = false;
      this.at += 3;
      this.endLine();
      column = this.nextLine();
    }
    if (column === -1) throw new Unsupported();
    const first = this.peek();
    const flow = first === OPEN_MAP || first === OPEN_LIST;
    if (!flow) this.json = false;
    const root = this.node(column, -1, 0);
    if (flow) this.skipFlowSpace(-1);
    else if (this.nextLine() !== -1) throw new Unsupported();
    if (this.at < this.end || (root.kind === 'scalar' && root.text === '' && !root.quoted)) throw new Unsupported();
    return { kind: 'read', root, json: this.json };
  }

  // --- lines -------------------------------------------------------------------------------------------------------

  private peek(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** From a line's start to the first content of this or a later line. Its column, or -1 at the end. */
  private nextLine(): number {
    for (;;) {
      const start = this.at;
      while (this.peek() === SPACE) this.at += 1;
      if (this.at >= this.end) return -1;
      const code = this.peek();
      if (code === LF) this.at += 1;
      else if (code === HASH) {
        this.json = false;
        const stop = this.text.indexOf('\n', this.at);
        this.at = stop === -1 ? this.end : stop + 1;
      } else if (code === TAB || code === CR) {
        // Only JSON may be indented like this, and it is read as a flow collection.
        this.at = start;
        return this.afterJsonSpace();
      } else return this.at - start;
    }
  }

  private afterJsonSpace(): number {
    while (this.isSpace(this.peek())) this.at += 1;
    const code = this.peek();
    if (code === OPEN_MAP || code === OPEN_LIST) return 0;
    throw new Unsupported();
  }

  private isSpace(code: number): boolean {
    return code === SPACE || code === LF || code === TAB || code === CR;
  }

  /** Nothing but a comment may follow on this line. */
  private endLine(): void {
    const start = this.at;
    while (this.peek() === SPACE) this.at += 1;
    if (this.at >= this.end) return;
    const code = this.peek();
    if (code === HASH && this.at > start) {
      const stop = this.text.indexOf('\n', this.at);
      this.at = stop === -1 ? this.end : stop + 1;
    } else if (code === LF) this.at += 1;
    else throw new Unsupported();
  }

  /** Counts a value, and refuses documents that only look like configuration. */
  private count(depth: number): void {
    if (depth > this.limits.depth) throw new TooMuch('too-deep', this.at);
    if (depth > this.deepest) this.deepest = depth;
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) throw new TooMuch('too-many', this.at);
  }

  private atMarker(): boolean {
    const code = this.peek();
    return (
      (code === DASH && this.text.startsWith('---', this.at)) || (code === 46 && this.text.startsWith('...', this.at))
    );
  }

  private isDash(): boolean {
    if (this.peek() !== DASH) return false;
    const next = this.peek(1);
    return next === SPACE || next === LF || this.at + 1 >= this.end;
  }

  // --- blocks ------------------------------------------------------------------------------------------------------

  /**
   * A value whose first character is here.
   *
   * @param column of that character.
   * @param outer column that the value must stay to the right of.
   */
  private node(column: number, outer: number, depth: number): SourceNode {
    this.count(depth);
    if (column === 0 && this.atMarker()) throw new Unsupported();
    const code = this.peek();
    if (code === OPEN_MAP || code === OPEN_LIST) {
      const collection = this.flow(outer, depth);
      if (outer !== -1 || !this.json) this.closeValue(outer);
      return collection;
    }
    if (this.isDash()) return this.blockList(column, depth);
    if (code === AMPERSAND || code === STAR || code === PIPE || code === GREATER) {
      return this.marked(outer, depth, false);
    }
    const scalar = this.blockScalar(outer);
    if (this.peek() === COLON && this.endsKey(1)) {
      if (this.text.lastIndexOf('\n', this.at) > scalar.start) throw new Unsupported();
      return this.blockMap(column, scalar, depth);
    }
    return this.closeScalar(scalar, outer);
  }

  /** A value with something before it that says what it is: an anchor, an alias, block text. */
  private marked(outer: number, depth: number, ofKey: boolean): SourceNode {
    switch (this.peek()) {
      case AMPERSAND:
        return this.anchored(depth, () => {
          const from = this.at;
          while (this.peek() === SPACE) this.at += 1;
          const below = this.startsNothing();
          if (below) {
            this.endLine();
            this.nextLine();
          }
          const next = this.peek();
          if (next === AMPERSAND || next === STAR) throw new Unsupported();
          if (!below) return this.inlineValue(outer, depth);
          this.at = from;
          return this.belowOrNothing(outer, from, depth - 1, ofKey);
        });
      case STAR: {
        const node = this.alias(depth);
        this.closeValue(outer);
        return node;
      }
      default: {
        const scalar = this.blockText(outer);
        this.closeValue(outer);
        return scalar;
      }
    }
  }

  /** Plain text may go on in the lines below, further to the right. */
  private closeScalar(scalar: ScalarNode, outer: number): ScalarNode {
    const whole = scalar.quoted ? scalar : this.continued(scalar, outer);
    this.closeValue(outer);
    return whole;
  }

  private continued(first: ScalarNode, outer: number): ScalarNode {
    const lines = [first.text];
    let { end } = first;
    for (;;) {
      const resume = this.at;
      while (this.peek() === SPACE) this.at += 1;
      let column = -1;
      while (this.at < this.end && this.peek() === LF) {
        this.at += 1;
        const start = this.at;
        while (this.peek() === SPACE) this.at += 1;
        column = this.at - start;
        if (this.peek() === LF) lines.push('');
      }
      if (column <= outer || this.at >= this.end || this.peek() === HASH || (column === 0 && this.atMarker())) {
        this.at = resume;
        break;
      }
      const start = this.at;
      this.at = this.plainEnd(start);
      if (this.at === start || this.peek() === COLON) throw new Unsupported();
      lines.push(this.text.slice(start, this.at));
      end = this.at;
    }
    if (end === first.end) return first;
    while (lines.at(-1) === '') lines.pop();
    return { kind: 'scalar', text: foldLines(lines), quoted: false, start: first.start, end };
  }

  /** After a value: its line ends, and the next one does not continue it. */
  private closeValue(outer: number): void {
    this.endLine();
    const resume = this.at;
    const column = this.nextLine();
    // A line further to the right would carry the text on.
    if (column > outer) throw new Unsupported();
    this.at = resume;
  }

  private endsKey(offset: number): boolean {
    const next = this.peek(offset);
    return next === SPACE || next === LF || this.at + offset >= this.end;
  }

  private blockList(column: number, depth: number): SourceNode {
    const start = this.at;
    const items: SourceNode[] = [];
    let end = start;
    for (;;) {
      this.at += 1;
      const dash = this.at;
      while (this.peek() === SPACE) this.at += 1;
      const item = this.startsNothing()
        ? this.belowOrNothing(column, dash, depth, false)
        : this.node(column + this.at - dash + 1, column, depth + 1);
      items.push(item);
      end = Math.max(item.end, dash);
      const resume = this.at;
      if (this.nextLine() !== column || !this.isDash()) {
        this.at = resume;
        return { kind: 'list', items, start, end };
      }
    }
  }

  private startsNothing(): boolean {
    const code = this.peek();
    return this.at >= this.end || code === LF || (code === HASH && this.peek(-1) === SPACE);
  }

  private blockMap(column: number, firstKey: ScalarNode, depth: number): SourceNode {
    const entries: MapEntry[] = [];
    const { start } = firstKey;
    let key = firstKey;
    let end = start;
    for (;;) {
      this.at += 1;
      const colon = this.at;
      while (this.peek() === SPACE) this.at += 1;
      const value = this.startsNothing()
        ? this.belowOrNothing(column, key.end, depth, true)
        : this.inlineValue(column, depth + 1);
      entries.push({ key: key.text, keyStart: key.start, keyEnd: key.end, value });
      end = Math.max(value.end, colon);
      const resume = this.at;
      const next = this.nextLine();
      if (next < column || (next === column && this.isDash())) {
        this.at = resume;
        return { kind: 'map', entries, start, end };
      }
      if (next > column || (column === 0 && this.atMarker())) throw new Unsupported();
      key = this.blockScalar();
      if (this.peek() !== COLON || !this.endsKey(1)) throw new Unsupported();
    }
  }

  /** `key: value` on one line; a map or list may not begin there. */
  private inlineValue(column: number, depth: number): SourceNode {
    this.count(depth);
    const code = this.peek();
    if (code === OPEN_MAP || code === OPEN_LIST) {
      const collection = this.flow(column, depth);
      this.closeValue(column);
      return collection;
    }
    if (this.isDash()) throw new Unsupported();
    if (code === AMPERSAND || code === STAR || code === PIPE || code === GREATER) {
      return this.marked(column, depth, true);
    }
    const scalar = this.blockScalar(column);
    if (this.peek() === COLON && this.endsKey(1)) throw new Unsupported();
    return this.closeScalar(scalar, column);
  }

  /** The value of a key or dash whose line ends there: on the lines below and further right, or null. */
  private belowOrNothing(column: number, from: number, depth: number, ofKey: boolean): SourceNode {
    this.endLine();
    const resume = this.at;
    const next = this.nextLine();
    if (next > column) return this.node(next, column, depth + 1);
    if (ofKey && next === column && this.isDash()) return this.blockList(column, depth + 1);
    this.at = resume;
    return { kind: 'scalar', text: '', quoted: false, start: from, end: from };
  }

  /**
   * A word or quoted text; a word ends before `: ` and ` #`.
   *
   * @param outer column that further lines of quoted text must stay to the right of; absent: it has one line.
   */
  private blockScalar(outer?: number): ScalarNode {
    const start = this.at;
    const code = this.peek();
    if (code === QUOTE) return this.doubleQuoted(outer);
    if (code === APOSTROPHE) return this.singleQuoted(outer);
    if (INDICATORS.has(code) || (code === DASH && this.endsKey(1))) throw new Unsupported();
    this.at = this.plainEnd(start);
    return { kind: 'scalar', text: this.text.slice(start, this.at), quoted: false, start, end: this.at };
  }

  /** Where a word that begins here ends on its line. */
  private plainEnd(start: number): number {
    const { text } = this;
    let end = start;
    for (let at = start; at < this.end; at += 1) {
      const letter = text.charCodeAt(at);
      if (letter === LF) break;
      if (letter === SPACE) {
        if (text.charCodeAt(at + 1) === HASH) break;
        continue;
      }
      if (letter === TAB || letter === CR || letter < SPACE) throw new Unsupported();
      if (letter === COLON) {
        const next = text.charCodeAt(at + 1);
        if (next === SPACE || next === LF || at + 1 >= this.end) {
          // `key :` would be read by the full parser, and may be a mistake.
          if (end !== at) throw new Unsupported();
          break;
        }
        if (next === TAB || next === CR) throw new Unsupported();
      }
      end = at + 1;
    }
    return end;
  }

  /** `|` or `>` and the lines below it. Stays before the end of the last of them. */
  private blockText(outer: number): ScalarNode {
    this.json = false;
    const { text } = this;
    const start = this.at;
    const header = /[|>]([-+]?) *(?: #.*)?\n/y;
    header.lastIndex = start;
    const match = header.exec(text);
    if (match === null || this.windows) throw new Unsupported();
    const lines: string[] = [];
    let indent = -1;
    let at = header.lastIndex;
    let end = at;
    while (at < this.end) {
      const stop = text.indexOf('\n', at);
      // Without a line end at its end the last line is read differently.
      if (stop === -1) throw new Unsupported();
      const first = this.afterSpaces(at);
      if (first >= stop) {
        // Space beyond the indentation is content, and before the first line it is a mistake.
        if (stop > at + Math.max(indent, 0)) throw new Unsupported();
        lines.push('');
      } else {
        const column = first - at;
        const marker = column === 0 && (text.startsWith('---', at) || text.startsWith('...', at));
        if (text.charCodeAt(first) === TAB || marker) throw new Unsupported();
        if (column < indent || (indent === -1 && column <= outer)) break;
        if (indent === -1) indent = column;
        lines.push(text.slice(at + indent, stop));
        end = stop + 1;
      }
      at = stop + 1;
    }
    const folded = text.charCodeAt(start) === GREATER;
    const chomp = match[1] as '' | '-' | '+';
    const ragged = folded && lines.some((line) => line.startsWith(' '));
    if (indent === -1 || ragged || /[\r\t]/.test(text.slice(start, end))) throw new Unsupported();
    if (chomp === '+') end = at;
    this.at = at - 1;
    return { kind: 'scalar', text: blockText(lines, { folded, chomp }), quoted: true, start, end };
  }

  private afterSpaces(from: number): number {
    let at = from;
    while (this.text.charCodeAt(at) === SPACE) at += 1;
    return at;
  }

  // --- anchors and aliases -----------------------------------------------------------------------------------------

  private anchored(depth: number, read: () => SourceNode): SourceNode {
    const name = this.anchorName();
    this.anchors.set(name, 'open');
    const { nodes, deepest } = this;
    this.deepest = depth;
    const node = read();
    const height = this.deepest - depth;
    this.deepest = Math.max(deepest, this.deepest);
    this.anchors.set(name, { node, size: this.nodes - nodes + 1, height });
    return node;
  }

  /** An alias is the very node of its anchor: shared, but counted as often as it is used. */
  private alias(depth: number): SourceNode {
    const { at } = this;
    const anchored = this.anchors.get(this.anchorName());
    if (anchored === undefined || anchored === 'open') throw new Unsupported();
    this.nodes += anchored.size - 1;
    if (this.nodes > this.limits.nodes) throw new TooMuch('too-many', at);
    if (depth + anchored.height > this.limits.depth) throw new TooMuch('too-deep', at);
    this.deepest = Math.max(this.deepest, depth + anchored.height);
    return anchored.node;
  }

  private anchorName(): string {
    this.json = false;
    const name = /[\w-]+/y;
    name.lastIndex = this.at + 1;
    const match = name.exec(this.text);
    if (match === null) throw new Unsupported();
    this.at = name.lastIndex;
    const next = this.peek();
    const closes = this.flowLevel > 0 && (next === COMMA || next === CLOSE_LIST || next === CLOSE_MAP);
    if (this.at < this.end && next !== SPACE && next !== LF && !closes) throw new Unsupported();
    return match[0];
  }

  // --- quoted text -------------------------------------------------------------------------------------------------

  private singleQuoted(outer?: number): ScalarNode {
    this.json = false;
    const start = this.at;
    let close = start + 1;
    for (;;) {
      close = this.text.indexOf("'", close);
      if (close === -1) throw new Unsupported();
      if (this.text.charCodeAt(close + 1) !== APOSTROPHE) break;
      close += 2;
    }
    this.at = close + 1;
    const inner = this.text.slice(start + 1, close);
    if (/[\r\t]/.test(inner)) throw new Unsupported();
    const whole = inner.includes('\n') ? foldLines(this.quotedLines(inner, outer)) : inner;
    return { kind: 'scalar', text: whole.replaceAll("''", "'"), quoted: true, start, end: this.at };
  }

  private doubleQuoted(outer?: number): ScalarNode {
    const start = this.at;
    let close = start + 1;
    let escaped = false;
    let lines = 1;
    for (; ; close += 1) {
      const code = this.text.charCodeAt(close);
      if (code === QUOTE) break;
      if (code === LF) lines += 1;
      else if (close >= this.end || code < SPACE) throw new Unsupported();
      if (code === BACKSLASH) {
        escaped = true;
        close += 1;
      }
    }
    this.at = close + 1;
    const inner = this.text.slice(start + 1, close);
    let text = inner;
    if (lines > 1) text = foldLines(this.quotedLines(inner, outer).map(unescape));
    else if (escaped) text = unescape(inner);
    return { kind: 'scalar', text, quoted: true, start, end: close + 1 };
  }

  /** Lines of quoted text without the space around them; that before the first and after the last is content. */
  private quotedLines(inner: string, outer: number | undefined): readonly string[] {
    if (outer === undefined) throw new Unsupported();
    this.json = false;
    const lines = inner.split('\n');
    return lines.map((line, index) => {
      const last = index === lines.length - 1;
      const trimmed = index === 0 ? line : line.replace(/^ +/, '');
      if (index > 0 && (trimmed !== '' || last)) {
        const column = line.length - trimmed.length;
        if (column <= outer || (column === 0 && /^(?:---|\.\.\.)/.test(trimmed))) throw new Unsupported();
      }
      return last ? trimmed : trimmed.replace(/ +$/, '');
    });
  }

  // --- flow collections --------------------------------------------------------------------------------------------

  /** @param outer column that lines within must stay to the right of; -1 at the root, where JSON is read. */
  private flow(outer: number, depth: number): SourceNode {
    this.count(depth);
    this.flowLevel += 1;
    const collection = this.peek() === OPEN_MAP ? this.flowMap(outer, depth) : this.flowList(outer, depth);
    this.flowLevel -= 1;
    return collection;
  }

  private flowMap(outer: number, depth: number): SourceNode {
    const start = this.at;
    const entries: MapEntry[] = [];
    this.at += 1;
    for (;;) {
      this.skipFlowSpace(outer);
      if (this.peek() === CLOSE_MAP) {
        if (entries.length > 0) this.json = false;
        break;
      }
      const key = this.flowScalar();
      if (!key.quoted) this.json = false;
      this.skipFlowSpace(outer);
      if (this.peek() !== COLON) throw new Unsupported();
      this.at += 1;
      if (!key.quoted && !this.isSpace(this.peek())) throw new Unsupported();
      this.skipFlowSpace(outer);
      const value = this.flowValue(outer, depth, key.end);
      entries.push({ key: key.text, keyStart: key.start, keyEnd: key.end, value });
      this.skipFlowSpace(outer);
      if (this.peek() === CLOSE_MAP) break;
      if (this.peek() !== COMMA) throw new Unsupported();
      this.at += 1;
    }
    this.at += 1;
    return { kind: 'map', entries, start, end: this.at };
  }

  private flowList(outer: number, depth: number): SourceNode {
    const start = this.at;
    const items: SourceNode[] = [];
    this.at += 1;
    for (;;) {
      this.skipFlowSpace(outer);
      if (this.peek() === CLOSE_LIST) {
        if (items.length > 0) this.json = false;
        break;
      }
      if (this.peek() === COMMA) throw new Unsupported();
      items.push(this.flowValue(outer, depth, this.at));
      this.skipFlowSpace(outer);
      if (this.peek() === CLOSE_LIST) break;
      if (this.peek() !== COMMA) throw new Unsupported();
      this.at += 1;
    }
    this.at += 1;
    return { kind: 'list', items, start, end: this.at };
  }

  private flowValue(outer: number, depth: number, from: number): SourceNode {
    const code = this.peek();
    if (code === OPEN_MAP || code === OPEN_LIST) return this.flow(outer, depth + 1);
    if (code === STAR) return this.alias(depth + 1);
    if (code === AMPERSAND) {
      return this.anchored(depth + 1, () => {
        this.skipFlowSpace(outer);
        const next = this.peek();
        if (next === AMPERSAND || next === STAR || next === COMMA) throw new Unsupported();
        return this.flowValue(outer, depth, this.at);
      });
    }
    if (code === COMMA || code === CLOSE_MAP) {
      this.json = false;
      return { kind: 'scalar', text: '', quoted: false, start: from, end: from };
    }
    const scalar = this.flowScalar();
    if (!scalar.quoted && this.json && !JSON_WORD.test(scalar.text)) this.json = false;
    return scalar;
  }

  private flowScalar(): ScalarNode {
    this.count(0);
    const start = this.at;
    const code = this.peek();
    if (code === QUOTE) return this.doubleQuoted();
    if (code === APOSTROPHE) return this.singleQuoted();
    if (INDICATORS.has(code) || (code === DASH && !/[\w.]/.test(this.text.charAt(start + 1)))) throw new Unsupported();
    const { text } = this;
    let end = start;
    for (let at = start; ; at += 1) {
      if (at >= this.end) throw new Unsupported();
      const letter = text.charCodeAt(at);
      if (letter === COMMA || letter === CLOSE_LIST || letter === CLOSE_MAP || letter === LF || letter === CR) break;
      if (letter === OPEN_LIST || letter === OPEN_MAP) throw new Unsupported();
      if (letter === SPACE) {
        if (text.charCodeAt(at + 1) === HASH) break;
        continue;
      }
      if (letter === TAB || letter < SPACE) throw new Unsupported();
      if (letter === COLON) {
        const next = text.charCodeAt(at + 1);
        if (this.isSpace(next)) break;
        if (next === COMMA || next === CLOSE_LIST || next === CLOSE_MAP || next === OPEN_LIST || next === OPEN_MAP) {
          throw new Unsupported();
        }
      }
      end = at + 1;
    }
    this.at = end;
    return { kind: 'scalar', text: text.slice(start, end), quoted: false, start, end };
  }

  /** Space, line ends and comments between the parts of a flow collection. */
  private skipFlowSpace(outer: number): void {
    for (;;) {
      const code = this.peek();
      if (code === SPACE) this.at += 1;
      else if (code === TAB || code === CR) {
        if (outer !== -1 || !this.json) throw new Unsupported();
        this.at += 1;
      } else if (code === LF) {
        this.at += 1;
        if (outer !== -1) this.checkIndent(outer);
        else if (this.atMarker()) throw new Unsupported();
      } else if (code === HASH) {
        this.json = false;
        if (this.at > 0 && !this.isSpace(this.peek(-1))) throw new Unsupported();
        const stop = this.text.indexOf('\n', this.at);
        this.at = stop === -1 ? this.end : stop;
      } else return;
    }
  }

  private checkIndent(outer: number): void {
    const start = this.at;
    while (this.peek() === SPACE) this.at += 1;
    const code = this.peek();
    const column = this.at - start;
    if (code === LF || code === HASH || column > outer) return;
    // The last bracket may stand below the key, though the specification wants it further right.
    const closes = code === CLOSE_MAP || code === CLOSE_LIST;
    if (!closes || column < outer || this.flowLevel > 1) throw new Unsupported();
  }
}

/** Text in double quotes: the escapes of JSON; YAML's further ones are left to the full parser. */
function unescape(inner: string): string {
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    throw new Unsupported();
  }
}
