import type { MapEntry, ScalarNode, SourceNode } from './document.js';

/**
 * A reader of the YAML that configuration is written in: block maps and lists, flow maps and lists, words and quoted
 * text on one line, comments; and of JSON. It is some twenty times as fast as a full YAML parser.
 *
 * It never guesses: at anything else (anchors, tags, block scalars, text over several lines, mistakes) it gives up and
 * the full parser has its say. What it does read, it reads exactly as the full parser would; a property test holds the
 * two together.
 *
 * Source: YAML 1.2.2, https://yaml.org/spec/1.2.2/, RFC 8259.
 */
export type PlainResult =
  | { readonly kind: 'read'; readonly root: SourceNode; readonly json: boolean }
  | { readonly kind: 'too-deep' | 'too-many'; readonly offset: number }
  /** Not what this reader is for. */
  | { readonly kind: 'unsupported' };

export function readPlainYaml(text: string, limits: PlainLimits): PlainResult {
  try {
    return new PlainReader(text, limits).read();
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'unsupported' };
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
const APOSTROPHE = 39;
const COMMA = 44;
const DASH = 45;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_MAP = 123;
const CLOSE_MAP = 125;

/** First characters that a word may not have: indicators, and `?` and `:`, which only sometimes are. */
const INDICATORS: ReadonlySet<number> = new Set(Array.from('?:,[]{}#&*!|>\'"%@`', (letter) => letter.charCodeAt(0)));

const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

class PlainReader {
  private at = 0;
  private json = true;
  private nodes = 0;
  private flowLevel = 0;
  private readonly end: number;

  constructor(
    private readonly text: string,
    private readonly limits: PlainLimits,
  ) {
    this.end = text.length;
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
    if (this.at < this.end) throw new Unsupported();
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
    const scalar = this.blockScalar();
    if (this.peek() === COLON && this.endsKey(1)) return this.blockMap(column, scalar, depth);
    this.closeValue(outer);
    return scalar;
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
    const scalar = this.blockScalar();
    if (this.peek() === COLON && this.endsKey(1)) throw new Unsupported();
    this.closeValue(column);
    return scalar;
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

  /** A word or quoted text on this line; a word ends before `: ` and ` #`. */
  private blockScalar(): ScalarNode {
    const start = this.at;
    const code = this.peek();
    if (code === QUOTE) return this.doubleQuoted();
    if (code === APOSTROPHE) return this.singleQuoted();
    if (INDICATORS.has(code) || (code === DASH && this.endsKey(1))) throw new Unsupported();
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
    this.at = end;
    return { kind: 'scalar', text: text.slice(start, end), quoted: false, start, end };
  }

  // --- quoted text -------------------------------------------------------------------------------------------------

  private singleQuoted(): ScalarNode {
    this.json = false;
    const start = this.at;
    let text = '';
    let from = start + 1;
    for (;;) {
      const close = this.text.indexOf("'", from);
      if (close === -1) throw new Unsupported();
      text += this.text.slice(from, close);
      if (this.text.charCodeAt(close + 1) !== APOSTROPHE) {
        this.at = close + 1;
        break;
      }
      text += "'";
      from = close + 2;
    }
    if (/[\n\r\t]/.test(text)) throw new Unsupported();
    return { kind: 'scalar', text, quoted: true, start, end: this.at };
  }

  private doubleQuoted(): ScalarNode {
    const start = this.at;
    let close = start + 1;
    let escaped = false;
    for (; ; close += 1) {
      const code = this.text.charCodeAt(close);
      if (code === QUOTE) break;
      if (close >= this.end || code < SPACE) throw new Unsupported();
      if (code === BACKSLASH) {
        escaped = true;
        close += 1;
      }
    }
    this.at = close + 1;
    const text = escaped ? unescape(this.text.slice(start, close + 1)) : this.text.slice(start + 1, close);
    return { kind: 'scalar', text, quoted: true, start, end: close + 1 };
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

/** @param quoted with its quotes: the escapes of JSON; YAML's further ones are left to the full parser. */
function unescape(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new Unsupported();
  }
}
