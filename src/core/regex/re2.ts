import { RE2JS, RE2JSSyntaxException } from 're2js';
import { RegexError, UnsupportedRegexError } from './tree.js';

export interface Re2Limits {
  /** How large the program may be. */
  readonly size: number;
  /** What all searches together may take: size × text. The one that would take more throws an UnsupportedRegexError. */
  readonly steps: number;
}

const NO_LIMITS: Re2Limits = { size: Infinity, steps: Infinity };

/**
 * An expression of RE2, by its port to JavaScript, which takes what the proxy takes, and refuses the rest in the proxy's words.
 *
 * Source: RE2, "Regular expression syntax" (syntax.txt); what a proxy 1.40 says of `safe_regex`.
 */
export class Re2 {
  private readonly regex: RE2JS;
  private readonly size: number;
  private stepsLeft: number;

  /**
   * @param limits of what strangers write.
   * @throws RegexError where it is none; UnsupportedRegexError where it is one that cannot be run here.
   */
  constructor(pattern: string, limits = NO_LIMITS) {
    this.regex = compiled(pattern);
    this.size = this.regex.programSize();
    this.stepsLeft = limits.steps;
    if (this.size > limits.size) throw new UnsupportedRegexError(TOO_LARGE);
    if (BYTE.test(withoutQuotes(pattern))) {
      throw new UnsupportedRegexError('\\C matches a byte; names are read by characters');
    }
  }

  matches(text: string): boolean {
    return this.regex.matches(text);
  }

  /** Whether it matches anywhere in the text. */
  isIn(text: string): boolean {
    this.stepsLeft -= this.size * text.length;
    if (this.stepsLeft < 0) throw new UnsupportedRegexError('it takes too long over so much text');
    return this.regex.test(text);
  }

  /**
   * `text` with every match replaced, one after the other; an empty one that touches the match before it is none. `\\0` is the
   * match, `\\1` to `\\9` its groups, `\\\\` a backslash; another escape ends the replacement, and where one names a group that
   * there is not, the text stays as it is.
   *
   * Source: RE2::GlobalReplace and RE2::Rewrite.
   */
  replaceAll(text: string, substitution: string): string {
    const used = /^(?:[^\\]|\\[\d\\])*/.exec(substitution)?.[0] ?? '';
    const groups = this.regex.groupCount();
    if (Array.from(substitution.matchAll(/\\(.?)/gs)).some(([, escaped]) => Number(escaped) > groups)) return text;
    const matcher = this.regex.matcher(text);
    let result = '';
    let end = -1;
    let at = 0;
    while (at <= text.length && matcher.find(at)) {
      const [from, to] = [matcher.start(), matcher.end()];
      result += text.slice(at, from);
      at = to;
      if (from === to && from === end) {
        const next = String.fromCodePoint(...[text.codePointAt(at)].filter((code) => code !== undefined));
        result += next;
        at += Math.max(1, next.length);
        end = -1;
        continue;
      }
      result += used.replace(/\\(.)/g, (_, escaped: string) =>
        escaped === '\\' ? escaped : (matcher.group(Number(escaped)) ?? ''),
      );
      end = to;
    }
    return result + text.slice(at);
  }
}

const TOO_LARGE = 'the repeats make it too large';
/** Of what is an expression all the same. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'expression nests too deeply': 'it is nested too deeply',
  'expression too large': TOO_LARGE,
};

/** A byte, or names of sets of characters that the port knows besides. */
const BYTE = /(?<!\\)(?:\\\\)*\\C/;
const FOREIGN_SET =
  /\\[pP]\{\^?(?:Cn|LC|Assigned|Unknown|ASCII_Hex_Digit|Alphabetic|Dash|Emoji\w*|Extended_Pictographic|Hex_Digit|Lowercase|Math|Quotation_Mark|Terminal_Punctuation|Uppercase|White_Space)\}/;

function withoutQuotes(pattern: string): string {
  return pattern.replace(/\\Q[^]*?(?:\\E|$)/g, '');
}

/**
 * Where the port reads otherwise than RE2: a byte, a class that begins with a colon, names of groups, which may come twice, and
 * counts so large that they are none. What is in quotes or escaped, and a class as a whole, stand first.
 */
const PARTS = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:[^]*?:\]|[^\]\\])*\]|\(\?P?<\w+>|\{(?=\d{10}|\d+,\d{10})/g;

function asThePortReads(pattern: string): string {
  return pattern.replace(PARTS, (part) => {
    if (part === '\\C') return '(?s:.)';
    if (part === '{') return '\\{';
    if (part.startsWith('(')) return '(';
    return part.startsWith('[') ? part.replace('[:]', '[\\:]') : part;
  });
}

function compiled(pattern: string): RE2JS {
  try {
    const regex = RE2JS.compile(asThePortReads(pattern));
    const foreign = FOREIGN_SET.exec(withoutQuotes(pattern))?.[0];
    if (foreign !== undefined) throw new RegexError(`invalid character class range: ${foreign}`);
    return regex;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const unsupported = UNSUPPORTED[error.error];
    if (unsupported !== undefined) throw new UnsupportedRegexError(unsupported);
    throw new RegexError(refusal(error.error, error.input ?? '', pattern));
  }
}

/** The words of RE2 for those of the port. */
const WORDS: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'invalid nested repetition operator': 'bad repetition operator',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
};

const REPEAT_BEFORE = /(?<!\\)(?:[*+?]|\{\d+(?:,\d*)?\})\??$/;

/** @param found what is wrong, as the port has it. */
function refusal(why: string, found: string, pattern: string): string {
  if (why.startsWith('trailing backslash')) return 'trailing \\';
  if (why === 'invalid named capture') {
    // A look-behind, or nothing.
    const [operator] = /^\(\?(?:<$|<[=!](?=[^])|P(?=<$))/.exec(found) ?? [];
    if (operator !== undefined) return `invalid perl operator: ${operator}`;
  }
  if (why === 'invalid repeat count') {
    const at = pattern.indexOf(found);
    const before = REPEAT_BEFORE.exec(pattern.slice(0, at))?.[0] ?? '';
    const lazy = pattern[at + found.length] === '?' ? '?' : '';
    return `${before === '' ? 'invalid repetition size' : WORDS['invalid nested repetition operator']}: ${before}${found}${lazy}`;
  }
  return `${WORDS[why] ?? why}: ${/[()]$/.test(why) ? pattern : found}`;
}
