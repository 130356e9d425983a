import { own } from '../own.js';
import {
  type Accepts,
  type ParsedRegex,
  RegexError,
  type RegexNode,
  type RepeatLimits,
  UnsupportedRegexError,
} from './tree.js';

/** As in brackets of the platform's expressions with flag `v`: what is read is translated to them. `a-z[^\\p{L}]` */
type CharacterSet = string;

/** What is read inside of brackets: a character, or a set that stands for several. */
type ClassItem = number | CharacterSet;

function characters(set: CharacterSet): RegexNode {
  const platform = new RegExp(`^[${set}]$`, 'v');
  const has: Accepts = (code) => platform.test(String.fromCodePoint(code));
  // Most tested characters are ASCII: those use a table, which is made on demand.
  const table = (): Uint8Array => Uint8Array.from({ length: 128 }, (_, code) => Number(has(code)));
  let ascii: Uint8Array | undefined;
  return { kind: 'character', accepts: (code) => (code < 128 ? (ascii ??= table())[code] === 1 : has(code)) };
}

function one(item: ClassItem): RegexNode {
  return typeof item === 'string' ? characters(item) : { kind: 'character', accepts: (code) => code === item };
}

function setOf(item: ClassItem): CharacterSet {
  return typeof item === 'string' ? item : `\\u{${item.toString(16)}}`;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

const WORD = '0-9A-Za-z_';

/** As isspace() has it. */
const SPACE = '\\t-\\r\\x20';

/** What `\d`, `\w` and their like stand for. */
const CLASSES: Readonly<Record<string, CharacterSet>> = {
  ...{ d: '0-9', D: '[^0-9]', w: WORD, W: `[^${WORD}]`, s: SPACE, S: `[^${SPACE}]` },
};

/** `[:name:]` */
const NAMED_CLASSES: Readonly<Record<string, CharacterSet>> = {
  ...CLASSES,
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t\\x20',
  cntrl: '\\0-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\x2f:-@\\x5b-`\\x7b-\\x7e',
  space: SPACE,
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

const LEFTOVER = 'The parser did not consume the entire regular expression.';
const UNMATCHED_PARENTHESIS = 'The expression contained mismatched ( and ).';
const UNMATCHED_BRACKET = 'The expression contained mismatched [ and ].';
const UNMATCHED_BRACE = 'The expression contained mismatched { and }.';
const NOTHING_TO_REPEAT = 'One of *?+{ was not preceded by a valid regular expression.';
const BAD_ESCAPE = 'The expression contained an invalid escaped character, or a trailing escape.';
const BAD_RANGE = 'The expression contained an invalid character range, such as [b-a] in most encodings.';
const BAD_BRACES = 'The expression contained an invalid range in a {} expression.';

const CONTROLS: Readonly<Record<string, number>> = { 0: 0, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Parentheses inside parentheses; far more than people nest. */
const MAX_DEPTH = 250;

/** Counts from here on overflow the engine's own integers. */
const MAX_COUNT = 2_147_483_640;

/**
 * ECMAScript as std::regex of libc++ reads it: what JavaScript accepts only for compatibility (a lone `]` or `{`, `\q`) is
 * an error, and so are named groups and look-behind; `[[:alpha:]]` is known.
 *
 * Source: ECMA-262 3rd edition, §15.10; ISO/IEC 14882:2011, §28.13; what a proxy 1.40 says of `stats_tags`.
 */
export class EcmascriptParser {
  private at = 0;
  private groups = 0;
  private depth = 0;
  /** Why it cannot be run, although it is right so far: what comes may still be wrong. */
  private unsupported: string | undefined;

  constructor(private readonly pattern: string) {}

  parse(): ParsedRegex {
    const root = this.choice();
    if (this.at < this.pattern.length) throw new RegexError(LEFTOVER);
    if (this.unsupported !== undefined) throw new UnsupportedRegexError(this.unsupported);
    return { root, groups: this.groups };
  }

  private choice(): RegexNode {
    const options = [this.sequence()];
    while (this.skip('|')) options.push(this.sequence());
    return { kind: 'choice', options };
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (!'|)]}'.includes(this.next)) parts.push(this.term());
    return { kind: 'sequence', parts };
  }

  private term(): RegexNode {
    const firstGroup = this.groups + 1;
    const body = this.atom();
    const limits = body.kind === 'assertion' ? undefined : (this.simpleRepeat() ?? this.counted());
    if (limits === undefined) return body;
    return { kind: 'repeat', body, ...limits, greedy: !this.skip('?'), firstGroup, endGroup: this.groups + 1 };
  }

  private atom(): RegexNode {
    const character = this.takeCharacter();
    switch (character) {
      case '(':
        return this.group();
      case '^':
        return { kind: 'assertion', at: 'start' };
      case '$':
        return { kind: 'assertion', at: 'end' };
      case '[':
        return this.characterClass();
      case '.':
        return characters('^\\n\\r\\u2028\\u2029');
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new RegexError(NOTHING_TO_REPEAT);
      default:
        return one(codeOf(character));
    }
  }

  /** `*`, `+` or `?` */
  private simpleRepeat(): RepeatLimits | undefined {
    if (this.skip('*')) return { min: 0, max: Infinity };
    if (this.skip('+')) return { min: 1, max: Infinity };
    return this.skip('?') ? { min: 0, max: 1 } : undefined;
  }

  /** `{2}`, `{2,}` or `{2,5}` */
  private counted(): RepeatLimits | undefined {
    if (!this.skip('{')) return undefined;
    const min = this.count();
    if (min === undefined) throw new RegexError(BAD_BRACES);
    if (this.skip('}')) return { min, max: min };
    if (this.next === '') throw new RegexError(UNMATCHED_BRACE);
    if (!this.skip(',') || this.next === '') throw new RegexError(BAD_BRACES);
    if (this.skip('}')) return { min, max: Infinity };
    const max = this.count();
    if (max === undefined || !this.skip('}')) throw new RegexError(UNMATCHED_BRACE);
    if (max < min) throw new RegexError(BAD_BRACES);
    return { min, max };
  }

  private count(): number | undefined {
    const digits = this.take(/^\d+/)?.[0];
    if (Number(digits) >= MAX_COUNT) throw new RegexError(BAD_BRACES);
    return digits === undefined ? undefined : Number(digits);
  }

  private group(): RegexNode {
    if (this.skip('?:')) return this.body();
    if (!this.skip('?=') && !this.skip('?!')) return { kind: 'group', index: ++this.groups, body: this.body() };
    this.unsupported ??= 'look-ahead cannot be matched in linear time';
    this.body();
    return { kind: 'assertion', at: 'start' };
  }

  /** The inside of a group up to its `)`. */
  private body(): RegexNode {
    if (++this.depth > MAX_DEPTH) throw new UnsupportedRegexError('it is nested too deeply');
    const body = this.choice();
    this.depth--;
    if (!this.skip(')')) throw new RegexError(UNMATCHED_PARENTHESIS);
    return body;
  }

  private escape(): RegexNode {
    if (this.skip('b')) return { kind: 'assertion', at: 'word-boundary' };
    if (this.skip('B')) return { kind: 'assertion', at: 'inside-word' };
    const group = this.take(/^[1-9]\d*/);
    if (group === undefined) return one(this.escaped());
    if (Number(group[0]) > this.groups) throw new RegexError('The expression contained an invalid back reference.');
    this.unsupported ??= 'back-references cannot be matched in linear time';
    return { kind: 'sequence', parts: [] };
  }

  private escaped(): ClassItem {
    const code = this.take(/^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/);
    if (code !== undefined) return parseInt(code[1] ?? code[2] ?? '', 16);
    const control = this.take(/^c([a-zA-Z])/)?.[1];
    if (control !== undefined) return codeOf(control) % 32;
    const letter = this.takeCharacter();
    const known = CLASSES[letter] ?? CONTROLS[letter];
    if (known !== undefined) return known;
    if (letter === '' || /[a-zA-Z0-9]/.test(letter)) throw new RegexError(BAD_ESCAPE);
    return codeOf(letter);
  }

  /** `[…]` after its opening bracket. */
  private characterClass(): RegexNode {
    let set = this.skip('^') ? '^' : '';
    while (!this.skip(']')) set += this.classItem();
    return characters(set);
  }

  private classItem(): string {
    if (this.skip('[:')) {
      // A name may be written in capitals.
      const found = own(NAMED_CLASSES, this.upTo(':]').toLowerCase());
      if (found === undefined) throw new RegexError('The expression contained an invalid character class name.');
      return found;
    }
    if (this.skip('[=')) return setOf(this.collating(this.upTo('=]')));
    const first = this.classCharacter();
    if (this.next !== '-' || ['', ']'].includes(this.pattern[this.at + 1] ?? '')) return setOf(first);
    this.at++;
    const last = this.classCharacter();
    const isRange = typeof first === 'number' && typeof last === 'number' && first <= last;
    if (!isRange) throw new RegexError(BAD_RANGE);
    return `${setOf(first)}-${setOf(last)}`;
  }

  private classCharacter(): ClassItem {
    if (this.next === '') throw new RegexError(UNMATCHED_BRACKET);
    if (this.skip('[.')) return this.collating(this.upTo('.]'));
    if (!this.skip('\\')) return codeOf(this.takeCharacter());
    return this.skip('b') ? 8 : this.escaped();
  }

  /** The rest of what is named in a class. */
  private upTo(end: string): string {
    const length = this.pattern.slice(this.at).indexOf(end);
    if (length < 0) throw new RegexError(UNMATCHED_BRACKET);
    this.at += length + end.length;
    return this.pattern.slice(this.at - length - end.length, this.at - end.length);
  }

  /** What stands for itself between `[.` and `.]`; there are names, too (`hyphen`), which are not read here. */
  private collating(name: string): number {
    if (/^[\0-\x7f]$/.test(name)) return codeOf(name);
    if (!/^[a-zA-Z-]{3,}$/.test(name)) {
      throw new RegexError('The expression contained an invalid collating element name.');
    }
    throw new UnsupportedRegexError('names of characters, as in [.hyphen.], are not known');
  }

  private get next(): string {
    const code = this.pattern.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  private skip(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** What `expression`, which begins with `^`, matches here, with its groups; moves past it. */
  private take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.pattern.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  private takeCharacter(): string {
    const character = this.next;
    this.at += character.length;
    return character;
  }
}
