import { choice, group, type Pattern, RegexError, type RepeatLimits, UnsupportedRegexError } from './pattern.js';
import { type ClassItem, setOf } from './sets.js';

/** Parentheses inside parentheses; far more than people nest. */
const MAX_DEPTH = 250;

export type ParsedRegex = Readonly<{ root: Pattern; groups: number }>;

/** What both dialects have in common: choices, groups, and how a text is read. */
export abstract class RegexParser {
  protected at = 0;
  protected groups = 0;
  /** Why it cannot be run, although it is right so far: what comes may still be wrong. */
  protected unsupported: string | undefined;
  private depth = 0;

  /** @param leftover what is wrong where a `)` ends nothing. */
  constructor(
    protected readonly pattern: string,
    private readonly leftover: string,
  ) {}

  parse(): ParsedRegex {
    const root = this.choice();
    if (this.at < this.pattern.length) throw new RegexError(this.leftover);
    if (this.unsupported !== undefined) throw new UnsupportedRegexError(this.unsupported);
    return { root, groups: this.groups };
  }

  /** Up to what ends a choice. */
  protected abstract sequence(): Pattern;

  protected get next(): string {
    const code = this.pattern.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  protected skip(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** What `expression`, which begins with `^`, matches here, with its groups; moves past it. */
  protected take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.pattern.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  protected takeCharacter(): string {
    const character = this.next;
    this.at += character.length;
    return character;
  }

  protected choice(): Pattern {
    const options = [this.sequence()];
    while (this.skip('|')) options.push(this.sequence());
    return choice(options);
  }

  /** The inside of a group up to its `)`. */
  protected body(missing: string): Pattern {
    if (++this.depth > MAX_DEPTH) throw new UnsupportedRegexError('it is nested too deeply');
    const body = this.choice();
    this.depth--;
    if (!this.skip(')')) throw new RegexError(missing);
    return body;
  }

  protected captured(missing: string): Pattern {
    const index = ++this.groups;
    return group(index, this.body(missing));
  }

  /** In brackets: this item, or all from it to the next one. @param refused where these are no range. */
  protected rangeFrom(first: ClassItem, next: () => ClassItem, refused: () => RegexError): string {
    if (this.next !== '-' || ['', ']'].includes(this.pattern[this.at + 1] ?? '')) return setOf(first);
    this.at++;
    const last = next();
    if (typeof first === 'string' || typeof last === 'string' || first > last) throw refused();
    return `${setOf(first)}-${setOf(last)}`;
  }

  /** `*`, `+` or `?` */
  protected simpleRepeat(): RepeatLimits | undefined {
    if (this.skip('*')) return { min: 0, max: Infinity };
    if (this.skip('+')) return { min: 1, max: Infinity };
    return this.skip('?') ? { min: 0, max: 1 } : undefined;
  }
}
