import { largest } from '../lists.js';
import { CharacterSet, codeOf, letterClasses, not, SPACE, WORD } from './character-set.js';
import { type ClassItem, RegexParser, type RepeatLimits } from './parser.js';
import { type Accepts, RegexError, type RegexNode, type RepeatNode, UnsupportedRegexError } from './tree.js';

/** Source: RE2, syntax.txt. */
const MAX_REPEAT = 1000;

const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

const CLASSES = letterClasses(SPACE);

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/**
 * RE2's syntax. Groups capture as they do in Perl, but nothing here asks for them: an RE2 expression of the proxy only
 * tells whether a whole text matches.
 *
 * Source: RE2, "Regular expression syntax" (syntax.txt).
 */
export class Re2Parser extends RegexParser {
  private flags: Flags = { i: false, m: false, s: false, U: false };
  private readonly repeats = new Map<RegexNode, number>();

  protected atom(): RegexNode {
    const character = this.takeCharacter();
    switch (character) {
      case '(':
        return this.group();
      case '^':
        return { kind: 'assertion', at: this.flags.m ? 'line-start' : 'start' };
      case '$':
        return { kind: 'assertion', at: this.flags.m ? 'line-end' : 'end' };
      case '[':
        return this.characterClass({ bracketFirst: true, ignoreCase: this.flags.i });
      case '.':
        return this.set(this.flags.s ? () => true : (code) => code !== 10);
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new RegexError(`no argument for repetition operator: ${character}`);
      default:
        return this.literal(character);
    }
  }

  protected counted(): RepeatLimits | undefined {
    const found = this.braces();
    // Anything else in braces stands for itself.
    if (found === undefined) return undefined;
    const { text, min, max } = found;
    if (max < min || min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) {
      throw new RegexError(`invalid repetition size: ${text}`);
    }
    return found;
  }

  /** Repeats in repeats multiply. */
  protected override checkRepeat(repeat: RepeatNode, text: string): void {
    const own = repeat.max === Infinity ? (text.startsWith('{') ? repeat.min : 1) : repeat.max;
    const times = Math.max(1, own) * this.repeatsIn(repeat.body);
    if ((repeat.min >= 2 || own >= 2) && times > MAX_REPEAT) throw new RegexError(`invalid repetition size: ${text}`);
    this.repeats.set(repeat, times);
  }

  /** The largest product of repeats, one inside of another. */
  private repeatsIn(node: RegexNode): number {
    switch (node.kind) {
      case 'repeat':
        return this.repeats.get(node) ?? 1;
      case 'group':
        return this.repeatsIn(node.body);
      case 'sequence':
        return largest(
          node.parts.map((part) => this.repeatsIn(part)),
          1,
        );
      case 'choice':
        return largest(
          node.options.map((option) => this.repeatsIn(option)),
          1,
        );
      case 'empty':
      case 'character':
      case 'assertion':
        return 1;
    }
  }

  protected override get classesEndRanges(): boolean {
    return true;
  }

  protected leftover(): string {
    return `unexpected ): ${this.pattern}`;
  }

  protected repeatedRepeat(text: string): string {
    return `bad repetition operator: ${text}`;
  }

  protected badRange(text: string): string {
    return `invalid character class range: ${text}`;
  }

  protected override get swapsGreed(): boolean {
    return this.flags.U;
  }

  protected escapeInClass(): ClassItem {
    return this.escaped();
  }

  protected override posixClass(): Accepts {
    const isNegated = this.skip('^');
    const accepts = this.skip('word:]') ? WORD : super.posixClass();
    return isNegated ? not(accepts) : accepts;
  }

  private group(): RegexNode {
    const missing = `missing ): ${this.pattern}`;
    // Flags hold to the end of the group they are set in.
    const { flags } = this;
    let node: RegexNode;
    if (this.next !== '?') node = this.captured(missing);
    else {
      const named = this.take(/^\?P?<(\w+)>/);
      const set = named === undefined ? this.take(/^\?([imsU]*)(-[imsU]+)?([:)])/) : undefined;
      if (named !== undefined) node = this.captured(missing);
      else if (set === undefined) {
        const operator = /^\?(?:P|<?[=!]|<|.)?/.exec(this.rest)?.[0] ?? '?';
        throw new RegexError(`invalid perl operator: (${operator}`);
      } else {
        this.flags = changed(flags, set[1] ?? '', set[2] ?? '');
        // Without a body they hold for the rest of the group around.
        if (set[3] === ')') return { kind: 'empty' };
        node = this.body(missing);
      }
    }
    this.flags = flags;
    return node;
  }

  private escape(): RegexNode {
    if (this.skip('b')) return { kind: 'assertion', at: 'word-boundary' };
    if (this.skip('B')) return { kind: 'assertion', at: 'inside-word' };
    if (this.skip('A')) return { kind: 'assertion', at: 'start' };
    if (this.skip('z')) return { kind: 'assertion', at: 'end' };
    if (this.skip('Q')) return this.quoted();
    if (this.skip('C')) throw new UnsupportedRegexError('\\C matches a byte; names are read by characters');
    const item = this.escaped();
    return typeof item === 'number' ? this.literal(String.fromCodePoint(item)) : this.set(item);
  }

  /** `\Q…\E` */
  private quoted(): RegexNode {
    const end = this.pattern.indexOf('\\E', this.at);
    const text = this.pattern.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.pattern.length : end + 2;
    return { kind: 'sequence', parts: Array.from(text, (character) => this.literal(character)) };
  }

  private escaped(): ClassItem {
    const start = this.at - 1;
    const hex = this.take(/^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/);
    const octal = hex === undefined ? this.take(/^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/) : undefined;
    const code = hex === undefined ? parseInt(octal?.[0] ?? '', 8) : parseInt(hex[1] ?? hex[2] ?? '', 16);
    if (code <= 0x10ffff) return code;
    const property = this.take(/^([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/);
    if (property !== undefined) {
      const accepts = unicodeProperty(property[3] ?? property[4] ?? '');
      if (accepts === undefined) throw new RegexError(`invalid character class range: \\${property[0]}`);
      return (property[1] === 'P') === (property[2] !== '^') ? not(accepts) : accepts;
    }
    const letter = this.takeCharacter();
    if (letter === '') throw new RegexError('trailing \\ at end of regexp');
    const known = CLASSES[letter] ?? CONTROLS[letter];
    if (known !== undefined) return known;
    if (/[a-zA-Z0-9]|[^\0-\x7f]/.test(letter)) {
      throw new RegexError(`invalid escape sequence: ${this.pattern.slice(start, this.at)}`);
    }
    return codeOf(letter);
  }

  private literal(character: string): RegexNode {
    const accepts = new CharacterSet().add(codeOf(character)).accepts({ ignoreCase: this.flags.i });
    return { kind: 'character', accepts };
  }

  private set(accepts: Accepts): RegexNode {
    return { kind: 'character', accepts };
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const result = { ...flags };
  for (const flag of on) result[flag as keyof Flags] = true;
  for (const flag of off.slice(1)) result[flag as keyof Flags] = false;
  return result;
}

/** A general category (`L`, `Nd`) or a script (`Greek`). */
function unicodeProperty(name: string): Accepts | undefined {
  const property = /^(?:Any|[A-Z][a-z]?)$/.test(name) ? name : `Script=${name}`;
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${property}}$`, 'u');
  } catch {
    return undefined;
  }
  return (code) => test.test(String.fromCodePoint(code));
}
