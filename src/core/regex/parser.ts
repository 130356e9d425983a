import { own } from '../own.js';
import { CharacterSet, codeOf, POSIX } from './character-set.js';
import type { Accepts, ParsedRegex, RegexNode, RepeatNode } from './tree.js';
import { RegexError, UnsupportedRegexError } from './tree.js';

/** Parentheses inside parentheses; far more than people nest. */
const MAX_DEPTH = 250;

/** How often something is repeated. */
export interface RepeatLimits {
  readonly min: number;
  readonly max: number;
}

/** What reads a class: a character, or a set that stands for several. */
export type ClassItem = number | Accepts;

const UNMATCHED_BRACKET = 'The expression contained mismatched [ and ].';

/** What both dialects have in common: choices, sequences, repeats, groups, classes. */
export abstract class RegexParser {
  protected at = 0;
  protected groups = 0;
  private depth = 0;

  constructor(protected readonly pattern: string) {}

  parse(): ParsedRegex {
    const root = this.choice();
    if (this.at < this.pattern.length) throw new RegexError(this.leftover());
    return { root, groups: this.groups };
  }

  /** One thing that may be repeated. */
  protected abstract atom(): RegexNode;
  /** A repeat in braces. */
  protected abstract counted(): RepeatLimits | undefined;
  /** What is wrong where a `)` ends nothing. */
  protected abstract leftover(): string;
  /** What is wrong with a second repeat right after a first one; `text` is both. */
  protected abstract repeatedRepeat(text: string): string;
  /** A backslash inside brackets; {@link at} is after it. */
  protected abstract escapeInClass(): ClassItem;
  protected abstract badRange(text: string): string;

  protected get next(): string {
    const code = this.pattern.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  protected get rest(): string {
    return this.pattern.slice(this.at);
  }

  protected skip(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** What `expression` matches here, with its groups, and moves past it. */
  protected take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.rest);
    if (found?.index !== 0) return undefined;
    this.at += found[0].length;
    return found;
  }

  protected takeCharacter(): string {
    const character = this.next;
    this.at += character.length;
    return character;
  }

  protected choice(): RegexNode {
    const options = [this.sequence()];
    while (this.skip('|')) options.push(this.sequence());
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options };
  }

  /** The inside of a group up to its `)`. */
  protected body(missing: string): RegexNode {
    if (++this.depth > MAX_DEPTH) throw new UnsupportedRegexError('it is nested too deeply');
    const body = this.choice();
    this.depth--;
    if (!this.skip(')')) throw new RegexError(missing);
    return body;
  }

  protected captured(missing: string): RegexNode {
    const index = ++this.groups;
    return { kind: 'group', index, body: this.body(missing) };
  }

  private limits(): RepeatLimits | undefined {
    if (this.skip('*')) return { min: 0, max: Infinity };
    if (this.skip('+')) return { min: 1, max: Infinity };
    if (this.skip('?')) return { min: 0, max: 1 };
    return this.counted();
  }

  /** `{2}`, `{2,}` or `{2,5}`, and its text. */
  protected braces(): (RepeatLimits & { readonly text: string }) | undefined {
    const [text, least, range, most] = this.take(/^\{(\d+)(,(\d*))?\}/) ?? [];
    if (text === undefined) return undefined;
    const min = Number(least);
    return { text, min, max: range === undefined ? min : most === '' ? Infinity : Number(most) };
  }

  /** @throws RegexError where the dialect does not take such a repeat. */
  protected checkRepeat?(repeat: RepeatNode, text: string): void;

  /** A repeat followed by `?` is the greedy one. */
  protected get swapsGreed(): boolean {
    return false;
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.next !== '' && this.next !== '|' && this.next !== ')') parts.push(this.repeated());
    return parts.length === 0 ? { kind: 'empty' } : { kind: 'sequence', parts };
  }

  private repeated(): RegexNode {
    const body = this.atom();
    const start = this.at;
    const limits = this.limits();
    if (limits === undefined) return body;
    const lazy = this.skip('?');
    if (this.limits() !== undefined) throw new RegexError(this.repeatedRepeat(this.pattern.slice(start, this.at)));
    const { min, max } = limits;
    const node: RepeatNode = { kind: 'repeat', body, min, max, greedy: lazy === this.swapsGreed };
    this.checkRepeat?.(node, this.pattern.slice(start, this.at));
    return node;
  }

  // --- classes -----------------------------------------------------------------------------------------------------

  /** `[…]` after its opening bracket. @param bracketFirst a `]` that comes first is a character. */
  protected characterClass(options: { readonly bracketFirst: boolean; readonly ignoreCase: boolean }): RegexNode {
    const negated = this.skip('^');
    const set = new CharacterSet();
    let isFirst = true;
    while (!(this.next === ']' && !(isFirst && options.bracketFirst))) {
      if (this.next === '') throw new RegexError(UNMATCHED_BRACKET);
      isFirst = false;
      this.addItem(set);
    }
    this.at++;
    return { kind: 'character', accepts: set.accepts({ negated, ignoreCase: options.ignoreCase }) };
  }

  /** Whether a class like `\\d` before `-` leaves the `-` a character of its own. */
  protected get classesEndRanges(): boolean {
    return false;
  }

  private addItem(set: CharacterSet): void {
    const start = this.at;
    const first = this.classItem();
    const isRange = this.next === '-' && !['', ']'].includes(this.pattern[this.at + 1] ?? '');
    if (!isRange || (typeof first !== 'number' && this.classesEndRanges)) {
      if (typeof first === 'number') set.add(first);
      else set.addAll(first);
      return;
    }
    this.at++;
    const last = this.classItem();
    if (typeof first !== 'number' || typeof last !== 'number' || last < first) {
      throw new RegexError(this.badRange(this.pattern.slice(start, this.at)));
    }
    set.add(first, last);
  }

  protected classItem(): ClassItem {
    if (this.skip('[:')) return this.posixClass();
    if (this.skip('\\')) return this.escapeInClass();
    return codeOf(this.takeCharacter());
  }

  /** `[:alpha:]` */
  protected posixClass(): Accepts {
    const name = this.take(/^(\w+):\]/)?.[1];
    const found = name === undefined ? undefined : own(POSIX, name);
    if (found === undefined) throw new RegexError('The expression contained an invalid character class name.');
    return found;
  }
}
