import { firstNotBelow } from '../../core/values.js';
import type { ApiVersion } from '../api/api.js';

/**
 * A document as it was written: a tree with the place and the source text of every value and every key.
 * Offsets count UTF-16 code units from the start of the text; lines and columns are computed on demand.
 */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** The content: unescaped if quoted, else exactly what was written (`1.40`, `18446744073709551615`). */
  readonly text: string;
  /** Quoted or a block scalar, hence a string whatever it looks like. */
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

export type ListNode = Readonly<{ kind: 'list'; items: readonly SourceNode[]; start: number; end: number }>;

export interface MapNode {
  readonly kind: 'map';
  /** In written order; a key may occur more than once. */
  readonly entries: readonly MapEntry[];
  readonly start: number;
  readonly end: number;
}

export type MapEntry = Readonly<{ key: string; keyStart: number; keyEnd: number; value: SourceNode }>;

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
}

export type Path = readonly (string | number)[];

export class LineIndex {
  /** Computed up to the furthest requested line. */
  private readonly starts = [0];
  private isWhole = false;

  constructor(private readonly text: string) {}

  position(offset: number): Position {
    const { starts } = this;
    this.findStarts(offset);
    const line = firstNotBelow(starts, offset + 1);
    return { line, column: offset - (starts[line - 1] as number) + 1 };
  }

  private findStarts(until: number): void {
    const { starts, text } = this;
    let last = starts.at(-1) ?? 0;
    while (last <= until && !this.isWhole) {
      last = text.indexOf('\n', last) + 1;
      if (last === 0) this.isWhole = true;
      else starts.push(last);
    }
  }
}

const NOTHING_KNOWN: ReadonlyMap<SourceNode, unknown> = new Map();

/** One of the texts that a document is made of: a file, or an option of the command line. */
export interface SourceText {
  /** As the user named it; `-` is standard input. */
  readonly file: string;
  readonly text: string;
  /** The text is JSON: `1.5` is a number everywhere, never a string. */
  readonly json: boolean;
  /** It is an option, which has no lines. */
  readonly option?: true;
  /** The API that its messages are written in. Default: v2. */
  readonly api?: ApiVersion;
  /** Unknown fields are warnings: the file is from a running proxy, or an option allows them. */
  readonly tolerant?: boolean;
}

export interface Place extends Position {
  readonly file: string;
}

/** A tree of values and the texts that it was read from. Offsets count through all texts, with one unit between two. */
export class SourceDocument {
  private readonly lines: readonly LineIndex[] = this.texts.map(({ text }) => new LineIndex(text));
  private readonly starts: readonly number[];
  /** Translated parts: their path in the file, by {@link formatPath} of the path where they are read. */
  private readonly moved = new Map<string, Path>();

  constructor(
    readonly texts: readonly SourceText[],
    readonly root: SourceNode,
    /** Values of messages that were read already, by node. */
    readonly known: ReadonlyMap<SourceNode, unknown> = NOTHING_KNOWN,
  ) {
    const starts: number[] = [];
    for (const [index, { text }] of texts.entries()) {
      if (index === 0) starts.push(0);
      starts.push((starts[index] as number) + text.length + 1);
    }
    this.starts = starts;
  }

  get file(): string {
    return this.texts[0]?.file ?? '';
  }

  with(text: SourceText, root: SourceNode): SourceDocument {
    return new SourceDocument([...this.texts, text], root, this.known);
  }

  /** Offset of the first unit of a further text. */
  get nextStart(): number {
    return this.starts.at(-1) ?? 0;
  }

  /** The part read at `path` is at `written` in the file. */
  move(path: Path, written: Path): void {
    this.moved.set(formatPath(path), written);
  }

  written(path: Path): Path {
    if (this.moved.size === 0) return path;
    for (let length = path.length; length > 0; length--) {
      const before = this.moved.get(formatPath(path.slice(0, length)));
      if (before !== undefined) return [...before, ...path.slice(length)];
    }
    return path;
  }

  position(offset: number): Place {
    const index = this.indexOf(offset);
    const { file, option } = this.texts[index] as SourceText;
    if (option === true) return { file, line: 0, column: 0 };
    const lines = this.lines[index] as LineIndex;
    return { file, ...lines.position(offset - (this.starts[index] as number)) };
  }

  isJson(node: { readonly start: number }): boolean {
    return this.textOf(node)?.json === true;
  }

  textOf({ start }: { readonly start: number }): SourceText | undefined {
    const { texts } = this;
    return texts.length === 1 ? texts[0] : texts[this.indexOf(start)];
  }

  private indexOf(offset: number): number {
    let index = this.texts.length - 1;
    while (index > 0 && (this.starts[index] as number) > offset) index -= 1;
    return index;
  }
}

/** `clusters[0].metadata["a.b"]` */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
