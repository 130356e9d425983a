import { visit } from 'jsonc-parser';
import type { ListNode, MapEntry, MapNode, SourceNode } from './document.js';

export type JsonResult =
  | { readonly kind: 'read'; readonly root: SourceNode }
  | { readonly kind: 'too-deep' | 'too-many'; readonly offset: number }
  | { readonly kind: 'not-json' };

export interface JsonLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values and keys. */
  readonly nodes: number;
}

/** Ends the visit of a text. */
class Ended extends Error {
  constructor(readonly result: JsonResult) {
    super();
  }
}

/**
 * JSON with places, at a rate that suits the dump of a proxy. It is YAML, too: what has a mistake is left to that parser
 * and its words.
 */
export function readJson(text: string, limits: JsonLimits): JsonResult {
  if (!/^\s*[[{]/.test(text)) return { kind: 'not-json' };
  const reader = new JsonReader(text, limits);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof Ended) return error.result;
    throw error;
  }
}

interface OpenMap extends MapNode {
  readonly kind: 'map';
  readonly entries: MapEntry[];
  end: number;
  /** Of the entry whose value is to come. */
  key: string;
  keyStart: number;
  keyEnd: number;
}

interface OpenList extends ListNode {
  readonly kind: 'list';
  readonly items: SourceNode[];
  end: number;
}

/** Longer values seldom come twice. */
const SHORT = 20;

class JsonReader {
  private readonly open: (OpenMap | OpenList)[] = [];
  /** A dump has a million keys of a few hundred names, and many values many times. */
  private readonly words = new Map<string, string>();
  private root: SourceNode | undefined;
  private nodes = 0;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {}

  read(): JsonResult {
    visit(
      this.text,
      {
        onObjectBegin: (start) => {
          this.begin({ kind: 'map', entries: [], start, end: start, key: '', keyStart: 0, keyEnd: 0 });
        },
        onObjectProperty: (key, start, length) => {
          this.count(start);
          const map = this.open.at(-1);
          if (map?.kind !== 'map') return;
          map.key = this.wordOf(key);
          map.keyStart = start;
          map.keyEnd = start + length;
        },
        onObjectEnd: this.end,
        onArrayBegin: (start) => {
          this.begin({ kind: 'list', items: [], start, end: start });
        },
        onArrayEnd: this.end,
        onLiteralValue: (value: unknown, start, length) => {
          const quoted = typeof value === 'string';
          const end = start + length;
          const written = quoted ? value : this.text.slice(start, end);
          this.add({ kind: 'scalar', text: length > SHORT ? written : this.wordOf(written), quoted, start, end });
        },
        onError: () => {
          throw new Ended({ kind: 'not-json' });
        },
      },
      { disallowComments: true },
    );
    return this.root === undefined ? { kind: 'not-json' } : { kind: 'read', root: this.root };
  }

  private wordOf(text: string): string {
    const known = this.words.get(text);
    if (known === undefined) this.words.set(text, text);
    return known ?? text;
  }

  private begin(node: OpenMap | OpenList): void {
    this.add(node);
    this.open.push(node);
  }

  private readonly end = (offset: number, length: number): void => {
    const node = this.open.pop();
    if (node !== undefined) node.end = offset + length;
  };

  private add(node: SourceNode): void {
    if (this.open.length > this.limits.depth) throw new Ended({ kind: 'too-deep', offset: node.start });
    this.count(node.start);
    const outer = this.open.at(-1);
    if (outer === undefined) this.root = node;
    else if (outer.kind === 'list') outer.items.push(node);
    else {
      const { key, keyStart, keyEnd } = outer;
      outer.entries.push({ key, keyStart, keyEnd, value: node });
    }
  }

  private count(offset: number): void {
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) throw new Ended({ kind: 'too-many', offset });
  }
}
