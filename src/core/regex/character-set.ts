import type { Accepts } from './tree.js';

/** Characters by code point: ranges, and what tests accept. */
export class CharacterSet {
  private readonly ranges: (readonly [number, number])[] = [];
  private readonly tests: Accepts[] = [];

  /** From `first` to `last`, both included. */
  add(first: number, last: number = first): this {
    this.ranges.push([first, last]);
    return this;
  }

  addAll(accepts: Accepts): this {
    this.tests.push(accepts);
    return this;
  }

  /** @param ignoreCase a letter is in the set if either of its cases is. */
  accepts(options: { readonly negated?: boolean; readonly ignoreCase?: boolean } = {}): Accepts {
    const { negated = false, ignoreCase = false } = options;
    const has: Accepts = (code) =>
      this.ranges.some(([first, last]) => first <= code && code <= last) || this.tests.some((test) => test(code));
    const folded: Accepts = ignoreCase ? (code) => has(code) || casesOf(code).some(has) : has;
    // Most tested characters are ASCII: those use a table, which is made on demand.
    const table = (): Uint8Array => Uint8Array.from({ length: 128 }, (_, code) => Number(folded(code) !== negated));
    let ascii: Uint8Array | undefined;
    return (code) => (code < 128 ? (ascii ??= table())[code] === 1 : folded(code) !== negated);
  }
}

function casesOf(code: number): number[] {
  const text = String.fromCodePoint(code);
  return [text.toLowerCase(), text.toUpperCase()].flatMap((other) => {
    const folded = other.codePointAt(0);
    return folded === undefined || String.fromCodePoint(folded) !== other ? [] : [folded];
  });
}

/** What `\d`, `\w` and their like stand for. @param space what `\s` is: languages differ. */
export function letterClasses(space: Accepts): Readonly<Record<string, Accepts>> {
  return { d: DIGIT, D: not(DIGIT), w: WORD, W: not(WORD), s: space, S: not(space) };
}

export function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** A set of single characters and ranges: `'az09__'` is a–z, 0–9 and _. */
function pairs(text: string): Accepts {
  const set = new CharacterSet();
  for (let at = 0; at < text.length; at += 2) set.add(text.charCodeAt(at), text.charCodeAt(at + 1));
  return set.accepts();
}

const DIGIT = pairs('09');
export const WORD = pairs('azAZ09__');
/** `\s` of RE2: without `\v`. */
export const SPACE = pairs('\t\n\f\r  ');
/** As isspace() has it. */
export const SPACE_OF_C = pairs('\t\r  ');

export function not(accepts: Accepts): Accepts {
  return (code) => !accepts(code);
}

/** `[:name:]` */
export const POSIX: Readonly<Record<string, Accepts>> = {
  alnum: pairs('azAZ09'),
  alpha: pairs('azAZ'),
  blank: pairs('\t\t  '),
  cntrl: pairs('\0\x1f\x7f\x7f'),
  digit: DIGIT,
  graph: pairs('!~'),
  lower: pairs('az'),
  print: pairs(' ~'),
  punct: pairs('!/:@[`{~'),
  space: SPACE_OF_C,
  upper: pairs('AZ'),
  xdigit: pairs('09afAF'),
};
