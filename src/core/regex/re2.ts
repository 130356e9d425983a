import { attempt, own } from '../values.js';
import { RegexParser } from './parser.js';
import { AT, characters, codeOf, letterClasses, one, POSIX, WORD } from './sets.js';
import { type Pattern, RegexError, repeat, type RepeatLimits, sequence } from './pattern.js';

/** What repeats inside of repeats come to, at most. */
const MAX_REPEAT = 1000;

/** As many are no count, but stand for themselves. */
const NO_COUNT = 1_000_000_000;

const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

const CLASSES = letterClasses('\\t\\n\\f\\r\\x20');

const BAD_ESCAPE = 'invalid escape sequence';
const BAD_RANGE = 'invalid character class range';

/** Names of four letters are mostly the short ones of ISO 15924, which RE2 does not know. */
const SCRIPT = /^(?:Ahom|Cham|Kawi|Lisu|Newa|Thai|Toto|\w{2,3}|(?!Katakana_Or|Unknown)\w{5,})$/;

const NAMED_CLASSES: Readonly<Record<string, string>> = { ...POSIX, word: WORD };

/**
 * RE2's syntax. Groups capture as they do in Perl, but nothing here asks for them: an RE2 expression of the proxy only
 * tells whether a whole text matches.
 *
 * Source: RE2, "Regular expression syntax" (syntax.txt); what a proxy 1.40 says of `safe_regex`.
 */
export class Re2Parser extends RegexParser {
  /** Those of `imsU` that are set. */
  private flags = '';
  /** What the repeats inside of what was read come to. */
  private times = 1;

  constructor(pattern: string) {
    super(pattern, `unexpected ): ${pattern}`);
  }

  protected sequence(): Pattern {
    const parts: Pattern[] = [];
    let firstGroup = 0;
    let times = 1;
    /** Where the repeat begins that was read last, if nothing came after it. */
    let repeatAt: number | undefined;
    while (!'|)'.includes(this.next)) {
      const start = this.at;
      const limits = this.simpleRepeat() ?? this.counted();
      if (limits === undefined) {
        const groups = this.groups;
        const outside = this.times;
        this.times = 1;
        const atoms = this.atoms();
        // Flags are nothing that could be repeated: what comes after them repeats what was before.
        if (atoms.length > 0) [firstGroup, times] = [groups + 1, this.times];
        this.times = Math.max(outside, this.times);
        parts.push(...atoms);
        repeatAt = undefined;
        continue;
      }
      const greedy = this.skip('?') === this.flags.includes('U');
      if (repeatAt !== undefined) throw this.error('bad repetition operator', repeatAt);
      const { min, max } = limits;
      const most = max === Infinity ? min : max;
      const badSize = this.error('invalid repetition size', start);
      if (max < min || most > MAX_REPEAT) throw badSize;
      const body = parts.pop();
      if (body === undefined) throw this.error('no argument for repetition operator', start);
      times *= Math.max(1, most);
      if (most >= 2 && times > MAX_REPEAT) throw badSize;
      this.times = Math.max(this.times, times);
      parts.push(repeat(body, { min, max, greedy, firstGroup, endGroup: this.groups + 1 }));
      repeatAt = start;
    }
    return sequence(parts);
  }

  /** `{2}`, `{2,}` or `{2,5}`; anything else in braces stands for itself. */
  private counted(): RepeatLimits | undefined {
    const start = this.at;
    const [found, least, comma, most] = this.take(/^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/) ?? [];
    if (found === undefined) return undefined;
    const min = Number(least);
    const max = comma === undefined ? min : most === undefined ? Infinity : Number(most);
    if (min < NO_COUNT && (max < NO_COUNT || max === Infinity)) return { min, max };
    this.at = start;
    return undefined;
  }

  private atoms(): Pattern[] {
    if (this.skip('\\Q')) return this.quoted();
    if (this.skip('(')) return this.group();
    return [this.atom()];
  }

  private atom(): Pattern {
    const lines = this.flags.includes('m');
    const ignoreCase = this.flags.includes('i');
    if (this.skip('^')) return lines ? AT.lineStart : AT.start;
    if (this.skip('$')) return lines ? AT.lineEnd : AT.end;
    if (this.skip('.')) return characters(this.flags.includes('s') ? '\\p{Any}' : '^\\n');
    if (this.skip('[')) return characters(this.characterClass(), ignoreCase);
    if (this.skip('\\b')) return AT.wordBoundary;
    if (this.skip('\\B')) return AT.insideWord;
    if (this.skip('\\A')) return AT.start;
    if (this.skip('\\z')) return AT.end;
    if (this.skip('\\C')) {
      this.unsupported ??= '\\C matches a byte; names are read by characters';
      return characters('\\p{Any}');
    }
    return one(this.shorthand() ?? this.character(), ignoreCase);
  }

  /** `\Q…\E` */
  private quoted(): Pattern[] {
    const text = this.take(/^(.*?)(?:\\E|$)/s)?.[1] ?? '';
    return Array.from(text, (character) => one(codeOf(character), this.flags.includes('i')));
  }

  /** After its parenthesis; flags alone are nothing. */
  private group(): Pattern[] {
    const missing = `missing ): ${this.pattern}`;
    const start = this.at - 1;
    const { flags } = this;
    let node: Pattern;
    if (this.next !== '?') node = this.captured(missing);
    else if (this.take(/^\?<[=!](?=.)/s) !== undefined) throw this.error('invalid perl operator', start);
    else if (this.take(/^\?P?<(?=.)/s) !== undefined) {
      const name = this.take(/^[^>]*>?/)?.[0] ?? '';
      if (!/^\w+>$/.test(name)) throw this.error('invalid named capture group', start);
      node = this.captured(missing);
    } else {
      const set = this.take(/^\?([imsU]*)(?:-([imsU]+))?([:)])/);
      if (set === undefined) {
        this.take(/^\?[imsU]*(?:-[imsU]*)?.?/su);
        throw this.error('invalid perl operator', start);
      }
      const [, on = '', off = '', end] = set;
      this.flags = (flags + on).replace(/./g, (flag) => (off.includes(flag) ? '' : flag));
      // Without a body they hold for the rest of the group around.
      if (end === ')') return [];
      node = this.body(missing);
    }
    // They hold to the end of the group they are set in.
    this.flags = flags;
    return [node];
  }

  /** `[…]` after its opening bracket. */
  private characterClass(): string {
    const start = this.at - 1;
    let set = this.skip('^') ? '^' : '';
    // A `]` that comes first is a character.
    do set += this.classItem(start);
    while (!this.skip(']'));
    return set;
  }

  private classItem(classStart: number): string {
    const start = this.at;
    const named = this.take(/^\[:(\^?)(.*?):\]/s);
    if (named !== undefined) {
      const found = own(NAMED_CLASSES, named[2] ?? '');
      if (found === undefined) throw this.error(BAD_RANGE, start);
      return named[1] === '^' ? `[^${found}]` : found;
    }
    const shorthand = this.shorthand();
    if (shorthand !== undefined) return shorthand;
    const character = (): number => {
      if (this.next === '') throw this.error('missing ]', classStart);
      return this.character();
    };
    return this.rangeFrom(character(), character, () => this.error(BAD_RANGE, start));
  }

  /** What a backslash and a letter stand for, if that is a set: `\d`, `\pL`, `\P{Greek}`. */
  private shorthand(): string | undefined {
    const start = this.at;
    const letter = this.take(/^\\([dDsSwW])/)?.[1];
    if (letter !== undefined) return CLASSES[letter];
    const property = this.take(/^\\([pP])(?:\{(\^?)([^}]*)(?:\}|$)|(.?))/su);
    if (property === undefined) return undefined;
    const [text, kind, caret, long, short] = property;
    const found = text.includes('{') && !text.endsWith('}') ? undefined : unicodeProperty(long ?? short ?? '');
    if (found === undefined) throw this.error(BAD_RANGE, start);
    return (kind === 'P') === (caret === '^') ? found : `[^${found}]`;
  }

  /** One character, as it is or escaped. */
  private character(): number {
    const start = this.at;
    if (!this.skip('\\')) return codeOf(this.takeCharacter());
    if (this.next === '') throw new RegexError('trailing \\');
    const [, octal, hex] =
      this.take(/^(?:(0[0-7]{0,2}|[1-7][0-7]{1,2})|x(?=[0-9a-fA-F{])([0-9a-fA-F]{2}|\{[0-9a-fA-F]+\}))/) ?? [];
    const code = octal === undefined ? parseInt(hex?.replace('{', '') ?? '', 16) : parseInt(octal, 8);
    if (code > 0x10ffff) throw this.error(BAD_ESCAPE, start);
    if (!Number.isNaN(code)) return code;
    const letter = this.takeCharacter();
    const control = own(CONTROLS, letter);
    if (control !== undefined) return control;
    if (!/[a-zA-Z0-9]|[^\0-\x7f]/.test(letter)) return codeOf(letter);
    // What is quoted ends with the character that does not belong to it.
    if (letter === 'x') this.take(/^(?:\{[0-9a-fA-F]*.?|.{0,2})/su);
    throw this.error(BAD_ESCAPE, start);
  }

  private error(what: string, start: number): RegexError {
    return new RegexError(`${what}: ${this.pattern.slice(start, this.at)}`);
  }
}

/** A general category (`L`, `Nd`) or a script by its long name (`Greek`), as a set. */
function unicodeProperty(name: string): string | undefined {
  // Characters that are not assigned are in no category.
  if (name === 'C') return '\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}';
  const isCategory = /^(?:Any|C[cfos]|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/.test(name);
  if (!isCategory && !SCRIPT.test(name)) return undefined;
  const set = `\\p{${isCategory ? '' : 'Script='}${name}}`;
  return attempt(() => new RegExp(set, 'v'), undefined) && set;
}
