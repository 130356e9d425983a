import { catching, only } from '../values.js';
import { parseRegex, type RegexDialect } from './parse-regex.js';
import { RegexError, type Slots, type State, States, UnsupportedRegexError } from './pattern.js';

export type { RegexDialect };

type Thread = Readonly<{ state: State; slots: Slots }>;

export interface RegexMatch {
  /** [from, to) of the group, or undefined if it took no part; group 0 is the whole match. */
  readonly range: (group: number) => readonly [number, number] | undefined;
}

/** `{1000}` inside `{1000}` would be a program of a million steps. */
const MAX_INSTRUCTIONS = 20_000;

/**
 * A regular expression that takes time in proportion to text × expression, whatever both are: all alternatives advance
 * together, one character at a time, and the captures of the first that matches are reported. The result is that of
 * ECMAScript's engine, which tries one alternative after the other.
 *
 * Source: Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009 (Pike's machine).
 */
export class LinearRegex {
  readonly groups: number;
  private readonly start: State;
  /** How many states there are. */
  private readonly size: number;

  /**
   * @param maxInstructions how large the program may be; less where strangers write the expression.
   * @param stepsLeft what all searches together may take; the one that would take more throws an UnsupportedRegexError.
   * @throws RegexError where it is none; UnsupportedRegexError where it is one that cannot be run here: look-ahead and
   *         back-references need an engine that tries everything, which a hostile expression would keep busy for ever, and
   *         repeats can make the program too large.
   */
  constructor(
    pattern: string,
    dialect: RegexDialect,
    maxInstructions = MAX_INSTRUCTIONS,
    private stepsLeft = Infinity,
  ) {
    const { root, groups } = parseRegex(pattern, dialect);
    this.groups = groups;
    const states = new States(maxInstructions);
    this.start = root.into({ id: states.id(), op: 'match' }, states);
    this.size = states.made;
  }

  /** The first match in `text` that begins at `from` or later. */
  search(text: string, from = 0): RegexMatch | undefined {
    const slots = this.run(text, false, from);
    if (slots === undefined) return undefined;
    return {
      range: (group) => {
        const from = slots[2 * group] ?? -1;
        const to = slots[2 * group + 1] ?? -1;
        return from < 0 || to < 0 ? undefined : [from, to];
      },
    };
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
    if (Array.from(substitution.matchAll(/\\(.?)/gs)).some(([, escaped]) => Number(escaped) > this.groups)) return text;
    let result = '';
    let end = -1;
    for (let at = 0; at <= text.length;) {
      const match = this.search(text, at);
      const [from, to] = match?.range(0) ?? [text.length, text.length];
      if (match === undefined) return result + text.slice(at);
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
        escaped === '\\' ? escaped : text.slice(...(match.range(Number(escaped)) ?? [0, 0])),
      );
      end = to;
    }
    return result;
  }

  matches(text: string): boolean {
    return this.run(text, true) !== undefined;
  }

  private run(text: string, whole: boolean, from = 0): Slots | undefined {
    let threads: Thread[] = [];
    let found: Slots | undefined;
    /** The last position, counted from 1, at which each state was reached. */
    const seen = new Uint32Array(this.size);
    for (let position = from; position <= text.length;) {
      const ready: Thread[] = [];
      if (this.stepsLeft < 0) throw new UnsupportedRegexError('it takes too long over so much text');
      for (const thread of threads) this.follow(thread, text, position, seen, ready);
      // A later start is worth less than any way that began earlier.
      if (found === undefined && (position === 0 || !whole))
        this.follow({ state: this.start, slots: [position] }, text, position, seen, ready);
      threads = [];
      const code = text.codePointAt(position);
      for (const { state, slots } of ready) {
        if (state.op === 'match') {
          if (whole && position < text.length) continue;
          const match = [...slots];
          match[1] = position;
          found = match;
          // What follows in the list is worth less than this match.
          break;
        }
        if (state.op === 'character' && code !== undefined && state.accepts(code))
          threads.push({ state: state.next, slots });
      }
      if (threads.length === 0 && (found !== undefined || whole)) break;
      position += code !== undefined && code > 0xffff ? 2 : 1;
    }
    return found;
  }

  /** Goes on until a character is needed; each state once, the preferred way first. */
  private follow(start: Thread, text: string, position: number, seen: Uint32Array, ready: Thread[]): void {
    const stack = [start];
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      const { state, slots } = thread;
      this.stepsLeft--;
      if (seen[state.id] === position + 1) continue;
      seen[state.id] = position + 1;
      switch (state.op) {
        case 'fail':
          break;
        case 'character':
        case 'match':
          ready.push(thread);
          break;
        case 'split':
          for (const option of state.options.toReversed()) stack.push({ state: option, slots });
          break;
        case 'note': {
          const noted = [...slots];
          state.note(noted, position);
          stack.push({ state: state.next, slots: noted });
          break;
        }
        case 'assertion':
          if (state.holds(text, position)) stack.push({ state: state.next, slots });
          break;
      }
    }
  }
}

/** Why the proxy would refuse an expression; undefined if it would not. */
export function regexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  const error = refusal(() => parseRegex(pattern, dialect));
  if (error === undefined || error instanceof UnsupportedRegexError) return undefined;
  return `Invalid regex '${pattern}': ${error.message}`;
}

/** Why an expression cannot be run in linear time; undefined if it can. */
export const linearRegexProblem = (pattern: string, dialect: RegexDialect): string | undefined =>
  refusal(() => new LinearRegex(pattern, dialect))?.message;

const refusal = (work: () => unknown): RegexError | undefined =>
  catching(
    () => void work(),
    only(RegexError, (error) => error),
  );
