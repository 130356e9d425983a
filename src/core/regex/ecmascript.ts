import { CharacterSet, codeOf, letterClasses, not, SPACE_OF_C } from './character-set.js';
import { type ClassItem, RegexParser, type RepeatLimits } from './parser.js';
import { RegexError, type RegexNode, UnsupportedRegexError } from './tree.js';

const UNMATCHED_PARENTHESIS = 'The expression contained mismatched ( and ).';
const NOTHING_TO_REPEAT = 'One of *?+{ was not preceded by a valid regular expression.';
const BAD_ESCAPE = 'The expression contained an invalid escaped character, or a trailing escape.';
const BAD_RANGE = 'The expression contained an invalid character range, such as [b-a] in most encodings.';
const BAD_BRACES = 'The expression contained an invalid range in a {} expression.';

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

const ANY = not(new CharacterSet().add(10).add(13).add(0x2028, 0x2029).accepts());

const CLASSES = letterClasses(SPACE_OF_C);

/**
 * ECMAScript as std::regex of libc++ reads it: what JavaScript accepts only for compatibility (a lone `]` or `{`, `\q`) is
 * an error, and so are named groups and look-behind; `[[:alpha:]]` is known.
 *
 * Source: ECMA-262 3rd edition, §15.10; ISO/IEC 14882:2011, §28.13.
 */
export class EcmascriptParser extends RegexParser {
  protected atom(): RegexNode {
    const character = this.takeCharacter();
    switch (character) {
      case '(':
        return this.group();
      case '^':
        return this.assertion('start');
      case '$':
        return this.assertion('end');
      case '[':
        return this.characterClass({ bracketFirst: false, ignoreCase: false });
      case '.':
        return { kind: 'character', accepts: ANY };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new RegexError(NOTHING_TO_REPEAT);
      case ']':
      case '}':
        throw new RegexError(UNMATCHED_PARENTHESIS);
      default:
        return one(codeOf(character));
    }
  }

  protected counted(): RepeatLimits | undefined {
    if (this.next !== '{') return undefined;
    const found = this.braces();
    if (found === undefined || found.max < found.min) throw new RegexError(BAD_BRACES);
    return found;
  }

  protected leftover(): string {
    return 'The parser did not consume the entire regular expression.';
  }

  protected repeatedRepeat(): string {
    return NOTHING_TO_REPEAT;
  }

  protected badRange(): string {
    return BAD_RANGE;
  }

  protected override classItem(): ClassItem {
    if (/^\[[.=]/.test(this.rest)) throw new UnsupportedRegexError('[.x.] and [=x=] are not known');
    return super.classItem();
  }

  protected escapeInClass(): ClassItem {
    if (this.skip('b')) return 8;
    return this.escaped();
  }

  private group(): RegexNode {
    if (this.skip('?:')) return this.body(UNMATCHED_PARENTHESIS);
    if (this.skip('?=') || this.skip('?!')) {
      this.body(UNMATCHED_PARENTHESIS);
      throw new UnsupportedRegexError('look-ahead cannot be matched in linear time');
    }
    if (this.next === '?') throw new RegexError(NOTHING_TO_REPEAT);
    return this.captured(UNMATCHED_PARENTHESIS);
  }

  private escape(): RegexNode {
    if (this.skip('b')) return this.assertion('word-boundary');
    if (this.skip('B')) return this.assertion('inside-word');
    const group = this.take(/^[1-9]\d*/);
    if (group !== undefined) {
      if (Number(group[0]) > this.groups) throw new RegexError('The expression contained an invalid back reference.');
      throw new UnsupportedRegexError('back-references cannot be matched in linear time');
    }
    const item = this.escaped();
    return typeof item === 'number' ? one(item) : { kind: 'character', accepts: item };
  }

  private escaped(): ClassItem {
    const code = this.take(/^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/);
    if (code !== undefined) return parseInt(code[1] ?? code[2] ?? '', 16);
    const control = this.take(/^c([a-zA-Z])/)?.[1];
    if (control !== undefined) return codeOf(control) % 32;
    const letter = this.takeCharacter();
    if (letter === '0') return 0;
    const known = CLASSES[letter] ?? CONTROLS[letter];
    if (known !== undefined) return known;
    if (letter === '' || /[a-zA-Z0-9]/.test(letter)) throw new RegexError(BAD_ESCAPE);
    return codeOf(letter);
  }

  private assertion(at: 'start' | 'end' | 'word-boundary' | 'inside-word'): RegexNode {
    if ('*+?{'.includes(this.next) && this.next !== '') throw new RegexError(NOTHING_TO_REPEAT);
    return { kind: 'assertion', at };
  }
}

function one(code: number): RegexNode {
  return { kind: 'character', accepts: new CharacterSet().add(code).accepts() };
}
