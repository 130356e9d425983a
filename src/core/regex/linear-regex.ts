import { EcmascriptParser } from './ecmascript.js';
import { Re2Parser } from './re2.js';
import type { Accepts, Assertion, ParsedRegex, RegexDialect, RegexNode, RepeatNode } from './tree.js';
import { RegexError, UnsupportedRegexError } from './tree.js';

type Instruction =
  /** Goes on at `next` with the next character. */
  | { readonly op: 'character'; readonly accepts: Accepts; next: number }
  | { readonly op: 'assertion'; readonly at: Assertion }
  | { readonly op: 'save'; readonly slot: number }
  /** Clears the slots from `first` to before `end`. */
  | { readonly op: 'clear'; readonly first: number; readonly end: number }
  /** Tries `first`, then `second`. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' }
  | { readonly op: 'fail' };

/** Where a match and its groups begin and end: 2 entries a group, group 0 is the match; -1: took no part. */
type Slots = readonly number[];

interface Thread {
  readonly at: number;
  readonly slots: Slots;
}

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
  private readonly program: Instruction[] = [];
  private compiled = 0;

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
    private readonly maxInstructions = MAX_INSTRUCTIONS,
    private stepsLeft = Infinity,
  ) {
    const { root, groups } = parseRegex(pattern, dialect);
    this.groups = groups;
    this.compile(root);
    this.emit({ op: 'match' });
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

  // --- compilation -------------------------------------------------------------------------------------------------

  private emit(instruction: Instruction): number {
    return this.program.push(instruction) - 1;
  }

  /** Returns whether `node` can match nothing. */
  private compile(node: RegexNode): boolean {
    // Repeats of nothing make no instructions, but they too take time.
    if (++this.compiled > this.maxInstructions || this.program.length > this.maxInstructions) {
      throw new UnsupportedRegexError('the repeats make it too large');
    }
    switch (node.kind) {
      case 'character':
        this.emit({ op: 'character', accepts: node.accepts, next: this.program.length + 1 });
        return false;
      case 'assertion':
        this.emit({ op: 'assertion', at: node.at });
        return true;
      case 'group': {
        this.emit({ op: 'save', slot: 2 * node.index });
        const nullable = this.compile(node.body);
        this.emit({ op: 'save', slot: 2 * node.index + 1 });
        return nullable;
      }
      case 'sequence':
        return node.parts.map((part) => this.compile(part)).every(Boolean);
      case 'choice':
        return this.compileChoice(node.options);
      case 'repeat':
        return this.compileRepeat(node);
    }
  }

  private compileChoice(options: readonly RegexNode[]): boolean {
    let nullable = false;
    const ends: { to: number }[] = [];
    for (const [index, option] of options.entries()) {
      const split = { op: 'split' as const, first: 0, second: 0 };
      const isLast = index === options.length - 1;
      if (!isLast) split.first = this.emit(split) + 1;
      nullable = this.compile(option) || nullable;
      if (isLast) break;
      const jump = { op: 'jump' as const, to: 0 };
      split.second = this.emit(jump) + 1;
      ends.push(jump);
    }
    for (const jump of ends) jump.to = this.program.length;
    return nullable;
  }

  private compileRepeat(node: RepeatNode): boolean {
    const { min, max, greedy } = node;
    let nullable = true;
    for (let count = 0; count < min; count++) nullable = this.compileRound(node, false);
    const splits: { first: number; second: number }[] = [];
    const branch = (): number => {
      const split = { op: 'split' as const, first: 0, second: 0 };
      splits.push(split);
      return this.emit(split);
    };
    if (max === Infinity) {
      const start = branch();
      this.compileRound(node, true);
      this.emit({ op: 'jump', to: start });
      this.aim(splits, [start + 1], greedy);
      return nullable;
    }
    const rounds: number[] = [];
    for (let count = min; count < max; count++) {
      rounds.push(branch() + 1);
      this.compileRound(node, true);
    }
    this.aim(splits, rounds, greedy);
    return nullable;
  }

  /** Each choice leads into its round, or past the repeat. */
  private aim(splits: readonly { first: number; second: number }[], rounds: readonly number[], greedy: boolean): void {
    const after = this.program.length;
    for (const [index, split] of splits.entries()) {
      const round = rounds[index] ?? after;
      split.first = greedy ? round : after;
      split.second = greedy ? after : round;
    }
  }

  /**
   * One round of a repeat. It begins with its groups forgotten. A round beyond the least number that matches nothing
   * does not count as one: where that can be, the body stands there twice, and the first character that is read leads
   * from the first into the same place of the second, which alone has a way out.
   */
  private compileRound({ body, firstGroup, endGroup }: RepeatNode, mustRead: boolean): boolean {
    if (firstGroup < endGroup) this.emit({ op: 'clear', first: 2 * firstGroup, end: 2 * endGroup });
    const start = this.program.length;
    const nullable = this.compile(body);
    if (!mustRead || !nullable) return nullable;
    this.emit({ op: 'fail' });
    const second = this.program.length;
    this.compile(body);
    for (let at = start; at < second; at++) {
      const instruction = this.program[at];
      if (instruction?.op === 'character') instruction.next += second - start;
    }
    return nullable;
  }

  // --- the machine -------------------------------------------------------------------------------------------------

  private run(text: string, whole: boolean, from = 0): Slots | undefined {
    let threads: Thread[] = [];
    let found: Slots | undefined;
    /** The last position, counted from 1, at which each instruction was reached. */
    const seen = new Uint32Array(this.program.length);
    for (let position = from; position <= text.length;) {
      const ready: Thread[] = [];
      if (this.stepsLeft < 0) throw new UnsupportedRegexError('it takes too long over so much text');
      for (const thread of threads) this.follow(thread, text, position, seen, ready);
      // A later start is worth less than any way that began earlier.
      if (found === undefined && (position === 0 || !whole)) {
        this.follow({ at: 0, slots: [position] }, text, position, seen, ready);
      }
      threads = [];
      const code = text.codePointAt(position);
      for (const { at, slots } of ready) {
        const instruction = this.program[at];
        if (instruction?.op === 'match') {
          if (whole && position < text.length) continue;
          const match = [...slots];
          match[1] = position;
          found = match;
          // What follows in the list is worth less than this match.
          break;
        }
        if (instruction?.op === 'character' && code !== undefined && instruction.accepts(code)) {
          threads.push({ at: instruction.next, slots });
        }
      }
      if (threads.length === 0 && (found !== undefined || whole)) break;
      position += code !== undefined && code > 0xffff ? 2 : 1;
    }
    return found;
  }

  /** Goes on until a character is needed; each place once, the preferred way first. */
  private follow(start: Thread, text: string, position: number, seen: Uint32Array, ready: Thread[]): void {
    const stack = [start];
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      const { at, slots } = thread;
      this.stepsLeft--;
      if (seen[at] === position + 1) continue;
      seen[at] = position + 1;
      const instruction = this.program[at];
      switch (instruction?.op) {
        case undefined:
        case 'fail':
          break;
        case 'character':
        case 'match':
          ready.push(thread);
          break;
        case 'jump':
          stack.push({ at: instruction.to, slots });
          break;
        case 'split':
          stack.push({ at: instruction.second, slots }, { at: instruction.first, slots });
          break;
        case 'save': {
          const saved = [...slots];
          saved[instruction.slot] = position;
          stack.push({ at: at + 1, slots: saved });
          break;
        }
        case 'clear': {
          const cleared = [...slots];
          for (let slot = instruction.first; slot < instruction.end; slot++) cleared[slot] = -1;
          stack.push({ at: at + 1, slots: cleared });
          break;
        }
        case 'assertion':
          if (holds(instruction.at, text, position)) stack.push({ at: at + 1, slots });
          break;
      }
    }
  }
}

function holds(assertion: Assertion, text: string, position: number): boolean {
  switch (assertion) {
    case 'start':
      return position === 0;
    case 'end':
      return position === text.length;
    case 'line-start':
      return position === 0 || text[position - 1] === '\n';
    case 'line-end':
      return position === text.length || text[position] === '\n';
    case 'word-boundary':
      return isWord(text, position - 1) !== isWord(text, position);
    case 'inside-word':
      return isWord(text, position - 1) === isWord(text, position);
  }
}

function isWord(text: string, position: number): boolean {
  return /\w/.test(text.charAt(position));
}

function parseRegex(pattern: string, dialect: RegexDialect): ParsedRegex {
  return (dialect === 're2' ? new Re2Parser(pattern) : new EcmascriptParser(pattern)).parse();
}

/** Why the proxy would refuse an expression; undefined if it would not. */
export function regexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  const error = refusal(() => parseRegex(pattern, dialect));
  if (error === undefined || error instanceof UnsupportedRegexError) return undefined;
  return `Invalid regex '${pattern}': ${error.message}`;
}

/** Why an expression cannot be run in linear time; undefined if it can. */
export function linearRegexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  return refusal(() => new LinearRegex(pattern, dialect))?.message;
}

function refusal(work: () => unknown): RegexError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
}
