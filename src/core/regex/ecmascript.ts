import { own } from '../values.js';
import { RegexParser } from './parser.js';
import { AT, characters, type ClassItem, codeOf, letterClasses, one, POSIX, setOf, SPACE_OF_C } from './sets.js';
import { type Pattern, RegexError, repeat, type RepeatLimits, sequence, UnsupportedRegexError } from './pattern.js';

const UNMATCHED_PARENTHESIS = 'The expression contained mismatched ( and ).';
const UNMATCHED_BRACKET = 'The expression contained mismatched [ and ].';
const UNMATCHED_BRACE = 'The expression contained mismatched { and }.';
const NOTHING_TO_REPEAT = 'One of *?+{ was not preceded by a valid regular expression.';
const BAD_ESCAPE = 'The expression contained an invalid escaped character, or a trailing escape.';
const BAD_RANGE = 'The expression contained an invalid character range, such as [b-a] in most encodings.';
const BAD_BRACES = 'The expression contained an invalid range in a {} expression.';

const CONTROLS: Readonly<Record<string, number>> = { 0: 0, t: 9, n: 10, v: 11, f: 12, r: 13 };

const CLASSES = letterClasses(SPACE_OF_C);

/** `[:name:]` */
const NAMED_CLASSES: Readonly<Record<string, string>> = { ...POSIX, ...CLASSES };

/** Counts from here on overflow the engine's own integers. */
const MAX_COUNT = 2_147_483_640;

/**
 * ECMAScript as std::regex of libc++ reads it: what JavaScript accepts only for compatibility (a lone `]` or `{`, `\q`) is
 * an error, and so are named groups and look-behind; `[[:alpha:]]` is known.
 *
 * Source: ECMA-262 3rd edition, §15.10; ISO/IEC 14882:2011, §28.13; what a proxy 1.40 says of `stats_tags`.
 */
export class EcmascriptParser extends RegexParser {
  constructor(pattern: string) {
    super(pattern, 'The parser did not consume the entire regular expression.');
  }

  protected sequence(): Pattern {
    const parts: Pattern[] = [];
    while (!'|)]}'.includes(this.next)) parts.push(this.term());
    return sequence(parts);
  }

  private term(): Pattern {
    const firstGroup = this.groups + 1;
    const body = this.atom();
    const limits = Object.values(AT).includes(body) ? undefined : (this.simpleRepeat() ?? this.counted());
    if (limits === undefined) return body;
    return repeat(body, { ...limits, greedy: !this.skip('?'), firstGroup, endGroup: this.groups + 1 });
  }

  private atom(): Pattern {
    const character = this.takeCharacter();
    switch (character) {
      case '(':
        return this.group();
      case '^':
        return AT.start;
      case '$':
        return AT.end;
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

  private group(): Pattern {
    if (this.skip('?:')) return this.body(UNMATCHED_PARENTHESIS);
    if (!this.skip('?=') && !this.skip('?!')) return this.captured(UNMATCHED_PARENTHESIS);
    this.unsupported ??= 'look-ahead cannot be matched in linear time';
    this.body(UNMATCHED_PARENTHESIS);
    return AT.start;
  }

  private escape(): Pattern {
    if (this.skip('b')) return AT.wordBoundary;
    if (this.skip('B')) return AT.insideWord;
    const group = this.take(/^[1-9]\d*/);
    if (group === undefined) return one(this.escaped());
    if (Number(group[0]) > this.groups) throw new RegexError('The expression contained an invalid back reference.');
    this.unsupported ??= 'back-references cannot be matched in linear time';
    return sequence([]);
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
  private characterClass(): Pattern {
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
    const character = (): ClassItem => this.classCharacter();
    return this.rangeFrom(character(), character, () => new RegexError(BAD_RANGE));
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
    if (!/^[a-zA-Z-]{3,}$/.test(name))
      throw new RegexError('The expression contained an invalid collating element name.');
    throw new UnsupportedRegexError('names of characters, as in [.hyphen.], are not known');
  }
}
