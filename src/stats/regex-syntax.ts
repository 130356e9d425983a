/** A regular expression as a tree. */
export type RegexNode =
  | { readonly kind: 'empty' }
  /** One character that `accepts` allows. */
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly at: 'start' | 'end' | 'word-boundary' | 'inside-word' }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      /** Infinity: no limit. */
      readonly max: number;
      readonly greedy: boolean;
    };

export interface ParsedRegex {
  readonly root: RegexNode;
  /** How many capture groups there are. */
  readonly groups: number;
}

/** An expression that cannot be run in linear time, or none at all. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
}

const ESCAPED_CLASSES = 'dDwWsS';

/**
 * Reads an ECMAScript expression; `(?i)`, `(?s)` at its start and `(?P<name>…)` are read as RE2 reads them.
 *
 * @throws RegexError for look-around and back-references, which only a backtracking engine can follow, and for syntax
 * that is none.
 */
export function parseRegex(pattern: string): ParsedRegex {
  return new RegexParser(pattern).parse();
}

class RegexParser {
  private at = 0;
  private groups = 0;
  private flags = '';

  constructor(private readonly pattern: string) {}

  parse(): ParsedRegex {
    const flags = /^\(\?([is]+)\)/.exec(this.pattern);
    if (flags !== null) {
      this.flags = [...new Set(flags[1])].join('');
      this.at = flags[0].length;
    }
    const root = this.choice();
    if (this.at < this.pattern.length) throw new RegexError('mismatched ( and )');
    return { root, groups: this.groups };
  }

  private get next(): string {
    return this.pattern[this.at] ?? '';
  }

  private skip(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private choice(): RegexNode {
    const options = [this.sequence()];
    while (this.skip('|')) options.push(this.sequence());
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options };
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.next !== '' && this.next !== '|' && this.next !== ')') parts.push(this.repeated());
    return parts.length === 0 ? { kind: 'empty' } : { kind: 'sequence', parts };
  }

  private repeated(): RegexNode {
    const body = this.atom();
    const limits = this.limits();
    if (limits === undefined) return body;
    const greedy = !this.skip('?');
    if (this.limits() !== undefined) throw new RegexError('nothing to repeat');
    return { kind: 'repeat', body, ...limits, greedy };
  }

  private limits(): { readonly min: number; readonly max: number } | undefined {
    if (this.skip('*')) return { min: 0, max: Infinity };
    if (this.skip('+')) return { min: 1, max: Infinity };
    if (this.skip('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.pattern.slice(this.at));
    if (counted === null) return undefined;
    this.at += counted[0].length;
    const min = Number(counted[1]);
    let max = min;
    if (counted[2] !== undefined) max = counted[3] === '' ? Infinity : Number(counted[3]);
    if (max < min) throw new RegexError('numbers out of order in {}');
    return { min, max };
  }

  private atom(): RegexNode {
    if (this.skip('(')) return this.group();
    if (this.skip('^')) return { kind: 'assertion', at: 'start' };
    if (this.skip('$')) return { kind: 'assertion', at: 'end' };
    if (this.next === '[') return this.characterClass();
    if (this.next === '\\') return this.escape();
    if ('*+?'.includes(this.next)) throw new RegexError('nothing to repeat');
    if (this.skip('.')) return this.characters('.');
    const literal = this.next;
    this.at += literal.length;
    return this.characters(/[\^$\\.*+?()[\]{}|/]/.test(literal) ? `\\${literal}` : literal);
  }

  private group(): RegexNode {
    if (['?=', '?!', '?<=', '?<!'].some((start) => this.pattern.startsWith(start, this.at))) {
      throw new RegexError('look-around cannot be matched in linear time');
    }
    let index = 0;
    if (!this.skip('?:')) {
      const name = /^\?P?<\w+>/.exec(this.pattern.slice(this.at));
      if (name !== null) this.at += name[0].length;
      else if (this.next === '?') throw new RegexError('this kind of group is not known');
      index = ++this.groups;
    }
    const body = this.choice();
    if (!this.skip(')')) throw new RegexError('missing )');
    return index === 0 ? body : { kind: 'group', index, body };
  }

  private characterClass(): RegexNode {
    const start = this.at;
    this.at++;
    while (this.next !== ']') {
      if (this.next === '') throw new RegexError('mismatched [ and ]');
      this.at += this.next === '\\' ? 2 : 1;
    }
    this.at++;
    return this.characters(this.pattern.slice(start, this.at));
  }

  private escape(): RegexNode {
    const rest = this.pattern.slice(this.at + 1);
    const letter = rest[0] ?? '';
    if (/^([1-9]|k<)/.test(rest)) throw new RegexError('back-references cannot be matched in linear time');
    const assertion = { b: 'word-boundary', B: 'inside-word', A: 'start', z: 'end' } as const;
    if (letter in assertion) {
      this.at += 2;
      return { kind: 'assertion', at: assertion[letter as keyof typeof assertion] };
    }
    const code = /^(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[a-zA-Z]|0)/.exec(rest);
    const text = code?.[0] ?? letter;
    if (text === '') throw new RegexError('\\ at the end');
    this.at += 1 + text.length;
    const known = code !== null || ESCAPED_CLASSES.includes(letter) || 'tnvfr'.includes(letter);
    return this.characters(known || !/\w/.test(text) ? `\\${text}` : text);
  }

  /** What one character may be is the platform's business: the test looks at that character alone. */
  private characters(source: string): RegexNode {
    let test: RegExp;
    try {
      test = new RegExp(`^${source}$`, this.flags);
    } catch {
      throw new RegexError(`${source} is no set of characters`);
    }
    return { kind: 'character', accepts: (character) => test.test(character) };
  }
}
