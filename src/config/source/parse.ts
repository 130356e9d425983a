import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser, Scalar } from 'yaml';
import type { CST, Node, YAMLError, Alias } from 'yaml';
import type { Problem, ProblemRule } from '../../core/problem.js';
import { isNull } from '../reader/error-words.js';
import { readJson } from './json-parser.js';
import { MAX_DEPTH, MAX_LENGTH, MAX_YAML_LENGTH } from './source-limits.js';
import { type MapEntry, type ScalarNode, type SourceNode, LineIndex, SourceDocument } from './document.js';

/** Maximum number of YAML tokens: each takes 2 µs and some hundred bytes. */
const MAX_YAML_TOKENS = 1_500_000;
const MAX_SYNTAX_ERRORS = 20;
/** Maximum number of values after aliases are expanded: a few hundred bytes of aliases can expand to gigabytes. */
const MAX_NODES = 3_000_000;
/** Of JSON, which has none and takes less memory. */
const MAX_JSON_NODES = 12_000_000;

export interface StreamResult {
  /** The documents of a text; empty if it could not be read. */
  readonly roots: readonly SourceNode[];
  readonly json: boolean;
  readonly problems: readonly Problem[];
}

/**
 * YAML or JSON text into a tree of values with places. Every problem is a `Problem`; this never throws.
 * Only the first document of a stream is read, as the proxy does; a second one is a warning.
 * @param from what the text begins at, of a document of several.
 * @returns without a document, where the text could not be read: `problems` then holds the reason.
 */
export function parseDocument(text: string, file: string, from = 0) {
  const { roots, json, problems } = parseStream(text, file, from);
  const [root, second] = roots;
  if (root === undefined) return { problems };
  const document = new SourceDocument([{ file, text, json }], root);
  if (second === undefined) return { document, problems };
  const place = document.position(second.start - from);
  const message = 'only the first document of a file is read';
  const rest: Problem = { severity: 'warning', path: '', ...place, message, rule: 'several-documents', length: 1 };
  return { document, problems: [...problems, rest] };
}

/** As {@link parseDocument}, all documents of the text. */
export function parseStream(text: string, file: string, from = 0): StreamResult {
  /** @param offset absent: all of it is too large, and no line of that is shown. */
  const refuse = (rule: ProblemRule, message: string, offset?: number): StreamResult => {
    const place = offset === undefined ? { line: 0, column: 0 } : new LineIndex(text).position(offset);
    const problem: Problem = { severity: 'error', file, path: '', ...place, message, rule, length: 1 };
    return { roots: [], json: false, problems: [problem] };
  };
  if (text.length > MAX_LENGTH) {
    const size = Math.round(text.length / 1024 / 1024);
    return refuse('file-size', `the file has ${size} MB; the limit is ${MAX_LENGTH / 1024 / 1024} MB`);
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) return refuse('nul-byte', 'the file contains a NUL byte: it is not a text file', nul);
  const json = readJson(text, { depth: MAX_DEPTH, nodes: MAX_JSON_NODES }, from);
  switch (json.kind) {
    case 'read':
      return { roots: [json.root], json: true, problems: [] };
    case 'too-deep':
      return refuse('nesting', TOO_DEEP, json.offset);
    case 'too-many':
      return refuse('too-many-values', tooMany(MAX_JSON_NODES));
    case 'not-json':
      return text.length > MAX_YAML_LENGTH ? refuse('file-size', TOO_LONG) : new YamlReader(text, file, from).read();
  }
}

/**
 * Offset of the first value that is nested too deeply. The composer recurses, and too deep a document would not just throw:
 * V8 ends the process where it compiles a regular expression near the end of the stack.
 */
function findTooDeep(token: CST.Token): number | undefined {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token: at, depth } = next;
    if (depth > MAX_DEPTH + 1) return at.offset;
    if (at.type === 'document') {
      if (at.value !== undefined) open.push({ token: at.value, depth });
    } else if ('items' in at) {
      for (const item of at.items) {
        if (item.key !== undefined && item.key !== null) open.push({ token: item.key, depth: depth + 1 });
        if (item.value !== undefined) open.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

interface Anchored {
  readonly node: SourceNode;
  /** Values and keys in it, with aliases expanded. */
  readonly size: number;
  /** Levels in it. */
  readonly height: number;
}

class YamlReader {
  private readonly problems: Problem[] = [];
  private readonly anchors = new Map<string, Anchored | 'open'>();
  private readonly lines = new LineIndex(this.text);
  private nodes = 0;
  /** The deepest level since the last anchor began. */
  private deepest = 0;

  constructor(
    private readonly text: string,
    private readonly file: string,
    private readonly from: number,
  ) {}

  read(): StreamResult {
    // The type of a scalar is decided by its reader: here all of them are text.
    const composer = new Composer({
      schema: 'failsafe',
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const roots: SourceNode[] = [];
    for (const document of composer.compose(this.tokens(), true, this.text.length)) {
      // One slip can cause thousands of errors: the first ones are enough.
      for (const error of document.errors.slice(0, MAX_SYNTAX_ERRORS)) this.syntaxError(error);
      if (this.hasFailed()) break;
      const { contents } = document;
      // No document between two marks, or after the last.
      if (contents === null || (isScalar(contents) && contents.source === '' && contents.type === Scalar.PLAIN))
        continue;
      // Anchors belong to their document.
      this.anchors.clear();
      roots.push(this.convert(contents, 0));
      if (this.hasFailed()) break;
    }
    if (this.hasFailed()) return { roots: [], json: false, problems: this.problems };
    if (roots.length === 0) this.report('empty-document', 'the document is empty', 0, 0);
    return { roots, json: false, problems: this.problems };
  }

  /** Nothing is told but what keeps the text from being read. */
  private hasFailed(): boolean {
    return this.problems.length > 0;
  }

  private *tokens(): Generator<CST.Token> {
    let errors = 0;
    for (const token of this.documents()) {
      const deep = findTooDeep(token);
      if (deep !== undefined) {
        this.fail('nesting', TOO_DEEP, deep);
        return;
      }
      yield token;
      if (token.type === 'error') errors += 1;
      if (errors === MAX_SYNTAX_ERRORS) return;
    }
  }

  /** The lexer's output is counted before it becomes a tree, which is what takes time and memory. */
  private *documents(): Generator<CST.Token> {
    const parser = new Parser();
    let count = 0;
    for (const lexeme of new Lexer().lex(this.text)) {
      count += 1;
      if (count > MAX_YAML_TOKENS) {
        this.fail('file-size', TOO_LONG, 0);
        return;
      }
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }

  private convert(node: Node | null, depth: number): SourceNode {
    this.nodes += 1;
    if (this.hasFailed()) return nothing(this.from);
    if (depth > MAX_DEPTH) return this.fail('nesting', TOO_DEEP, startOf(node));
    this.deepest = Math.max(this.deepest, depth);
    if (this.nodes > MAX_NODES) return this.fail('too-many-values', tooMany(MAX_NODES), startOf(node));
    if (node === null) return nothing(this.from);
    if (isAlias(node)) return this.resolve(node, depth);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor === undefined) return this.convertPlain(node, depth);
    this.anchors.set(anchor, 'open');
    const { nodes, deepest } = this;
    this.deepest = depth;
    const converted = this.convertPlain(node, depth);
    const height = this.deepest - depth;
    this.deepest = Math.max(deepest, this.deepest);
    this.anchors.set(anchor, { node: converted, size: this.nodes - nodes + 1, height });
    return converted;
  }

  /** An alias is the very node of its anchor: shared, but counted as often as it is used. */
  private resolve(alias: Alias, depth: number): SourceNode {
    const target = this.anchors.get(alias.source);
    if (target === undefined) return this.fail('aliases', `no anchor &${alias.source} above`, startOf(alias));
    if (target === 'open') return this.fail('aliases', `*${alias.source} contains itself`, startOf(alias));
    this.nodes += target.size - 1;
    if (depth + target.height > MAX_DEPTH) return this.fail('nesting', TOO_DEEP, startOf(alias));
    this.deepest = Math.max(this.deepest, depth + target.height);
    return target.node;
  }

  private convertPlain(node: Node, depth: number): SourceNode {
    const [start, end] = (node.range ?? [0, 0]).map((offset) => offset + this.from) as [number, number];
    if (isMap(node)) {
      const entries = node.items.flatMap((item): readonly MapEntry[] => {
        const [key, value] = [item.key as Node | null, item.value as Node | null];
        if (key === null || isAlias(key) || key.tag !== IGNORE) return [this.entry(key, value, depth)];
        // What is anchored in there is for others to use.
        this.convert(value, depth + 1);
        return [];
      });
      return { kind: 'map', entries, start, end };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.convert(item as Node | null, depth + 1));
      return { kind: 'list', items, start, end };
    }
    if (isScalar(node)) return scalar(node, start, end);
    return nothing(start);
  }

  private entry(key: Node | null, value: Node | null, depth: number): MapEntry {
    const keyNode = key === null ? nothing(this.from) : this.convert(key, depth + 1);
    if (keyNode.kind !== 'scalar') {
      this.fail('complex-key', 'a key must be a plain or quoted word', keyNode.start - this.from);
      return { key: '', keyStart: 0, keyEnd: 0, value: nothing(this.from) };
    }
    const converted = value === null ? nothing(keyNode.end) : this.convert(value, depth + 1);
    return { key: keyNode.text, keyStart: keyNode.start, keyEnd: keyNode.end, value: converted };
  }

  private syntaxError(error: YAMLError): void {
    const rule = error.code === 'TAB_AS_INDENT' ? 'yaml-tab' : 'yaml-syntax';
    this.report(rule, error.message, error.pos[0], error.pos[1]);
  }

  private fail(rule: ProblemRule, message: string, offset: number): SourceNode {
    if (!this.hasFailed()) this.report(rule, message, offset, offset + 1);
    return nothing(offset);
  }

  private report(rule: ProblemRule, message: string, start: number, end: number): void {
    const length = Math.max(1, end - start);
    const place = this.lines.position(start);
    this.problems.push({ severity: 'error', file: this.file, path: '', ...place, message, rule, length });
  }
}

/** The tag of keys that the proxy passes over, with their values. */
const IGNORE = '!ignore';

/**
 * Tags are none to the proxy but `!`, which says text. Any other takes quotes their meaning (`!!str "5"` is a number) and
 * leaves no null (`!!str ~` is the text `~`).
 */
function scalar(node: Scalar, start: number, end: number): ScalarNode {
  const isPlain = node.type === undefined || node.type === Scalar.PLAIN;
  const text = !isPlain && typeof node.value === 'string' ? node.value : (node.source ?? '');
  const asWritten: ScalarNode = { kind: 'scalar', text, quoted: !isPlain, start, end };
  if (node.tag === undefined) return asWritten;
  return { ...asWritten, quoted: node.tag === '!' || isNull({ ...asWritten, quoted: false }) };
}

/** An absent value: `key:` with nothing after it. */
const nothing = (at: number): ScalarNode => ({ kind: 'scalar', text: '', quoted: false, start: at, end: at });

const startOf = (node: Node | null): number => node?.range?.[0] ?? 0;

const TOO_LONG = 'so large a file must be JSON, and this is YAML, or JSON with a mistake';
const tooMany = (most: number): string => `the document stands for more than ${most} values`;
const TOO_DEEP = `values are nested more than ${MAX_DEPTH} levels deep`;
