import { type Accepts, type Assertion, assertion, character, type Pattern } from './pattern.js';

/** As in brackets of the platform's expressions with flag `v`: both dialects are translated to them. `a-z[^\\p{L}]` */
type CharacterSet = string;

/** What is read inside of brackets: a character, or a set that stands for several. */
export type ClassItem = number | CharacterSet;

/** @param ignoreCase a letter is in the set if one of its cases is. */
export function characters(set: CharacterSet, ignoreCase = false): Pattern {
  const platform = new RegExp(`^[${set}]$`, ignoreCase ? 'iv' : 'v');
  const has: Accepts = (code) => platform.test(String.fromCodePoint(code));
  // Most tested characters are ASCII: those use a table, which is made on demand.
  const table = (): Uint8Array => Uint8Array.from({ length: 128 }, (_, code) => Number(has(code)));
  let ascii: Uint8Array | undefined;
  return character((code) => (code < 128 ? (ascii ??= table())[code] === 1 : has(code)));
}

export const one = (item: ClassItem, ignoreCase = false): Pattern =>
  typeof item === 'string' || ignoreCase ? characters(setOf(item), ignoreCase) : character((code) => code === item);

export const setOf = (item: ClassItem): CharacterSet => (typeof item === 'string' ? item : `\\u{${item.toString(16)}}`);

export const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** What `\d`, `\w` and their like stand for. @param space what `\s` is: languages differ. */
export function letterClasses(space: CharacterSet): Readonly<Record<string, CharacterSet>> {
  return { d: '0-9', D: '[^0-9]', w: WORD, W: `[^${WORD}]`, s: space, S: `[^${space}]` };
}

export const WORD = '0-9A-Za-z_';

/** As isspace() has it. */
export const SPACE_OF_C = '\\t-\\r\\x20';

/** `[:name:]` */
export const POSIX: Readonly<Record<string, CharacterSet>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t\\x20',
  cntrl: '\\0-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\x2f:-@\\x5b-`\\x7b-\\x7e',
  space: SPACE_OF_C,
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

const isWord = (text: string, position: number): boolean => /\w/.test(text.charAt(position));
const atBoundary: Assertion = (text, at) => isWord(text, at - 1) !== isWord(text, at);

export const AT = {
  start: assertion((_, at) => at === 0),
  end: assertion((text, at) => at === text.length),
  lineStart: assertion((text, at) => at === 0 || text[at - 1] === '\n'),
  lineEnd: assertion((text, at) => at === text.length || text[at] === '\n'),
  wordBoundary: assertion(atBoundary),
  insideWord: assertion((text, at) => !atBoundary(text, at)),
};
