/**
 * A document as it was written: a tree in which every value and every key knows its place and its source text.
 *
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

export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
  readonly start: number;
  readonly end: number;
}

export interface MapNode {
  readonly kind: 'map';
  /** In written order; a key may occur more than once. */
  readonly entries: readonly MapEntry[];
  readonly start: number;
  readonly end: number;
}

export interface MapEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: SourceNode;
}

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
}

/** A step from a value to a part of it: a key or an index. */
export type Path = readonly (string | number)[];

/** Lines and columns of offsets. */
export class LineIndex {
  private starts: readonly number[] | undefined;

  constructor(private readonly text: string) {}

  position(offset: number): Position {
    const starts = (this.starts ??= findLineStarts(this.text));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const NOTHING_KNOWN: ReadonlyMap<SourceNode, unknown> = new Map();

export class SourceDocument {
  private readonly lines: LineIndex;

  constructor(
    /** As the user named it; `-` is standard input. */
    readonly file: string,
    readonly text: string,
    readonly root: SourceNode,
    /** The text is JSON: `1.5` is a number everywhere, never a string. */
    readonly json: boolean,
    /** Values of messages that need not be read: their nodes stand for something that was. */
    readonly known: ReadonlyMap<SourceNode, unknown> = NOTHING_KNOWN,
  ) {
    this.lines = new LineIndex(text);
  }

  position(offset: number): Position {
    return this.lines.position(offset);
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
