import type { RegexNode } from './regex-syntax.js';
import { parseRegex, RegexError } from './regex-syntax.js';

type Instruction =
  | { readonly op: 'character'; readonly accepts: (character: string) => boolean }
  | { readonly op: 'assertion'; readonly at: 'start' | 'end' | 'word-boundary' | 'inside-word' }
  | { readonly op: 'save'; readonly slot: number }
  /** Tries `first`, then `second`. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

/** Where a match and its groups begin and end: 2 entries a group, group 0 is the match; -1: took no part. */
type Slots = readonly number[];

export interface RegexMatch {
  /** [from, to) of the group, or undefined if it took no part; group 0 is the whole match. */
  readonly range: (group: number) => readonly [number, number] | undefined;
}

/** `{1000}` inside `{1000}` would be a program of a million steps. */
const MAX_INSTRUCTIONS = 20_000;

/**
 * A regular expression that takes time in proportion to text × expression, whatever both are: all ways to match go
 * forward together, one character at a time, and what the first of them would have captured is what is reported.
 *
 * Source: Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009 (Pike's machine).
 */
export class LinearRegex {
  readonly groups: number;
  private readonly program: Instruction[] = [];

  /**
   * @param maxInstructions how large its program may be; less where strangers write the expression.
   * @throws RegexError as {@link parseRegex}; also for an expression whose repeats make it too large.
   */
  constructor(
    pattern: string,
    private readonly maxInstructions = MAX_INSTRUCTIONS,
  ) {
    const { root, groups } = parseRegex(pattern);
    this.groups = groups;
    this.compile(root);
    this.emit({ op: 'match' });
  }

  /** The first match in `text`, as a search that starts anywhere. */
  search(text: string): RegexMatch | undefined {
    const slots = this.run(text, false);
    if (slots === undefined) return undefined;
    return {
      range: (group) => {
        const from = slots[2 * group] ?? -1;
        const to = slots[2 * group + 1] ?? -1;
        return from < 0 || to < 0 ? undefined : [from, to];
      },
    };
  }

  /** Whether all of `text` matches. */
  matches(text: string): boolean {
    return this.run(text, true) !== undefined;
  }

  // --- compilation -------------------------------------------------------------------------------------------------

  private emit(instruction: Instruction): number {
    if (this.program.length >= this.maxInstructions) throw new RegexError('the repeats make it too large');
    return this.program.push(instruction) - 1;
  }

  private compile(node: RegexNode): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'character':
        this.emit({ op: 'character', accepts: node.accepts });
        return;
      case 'assertion':
        this.emit({ op: 'assertion', at: node.at });
        return;
      case 'group':
        this.emit({ op: 'save', slot: 2 * node.index });
        this.compile(node.body);
        this.emit({ op: 'save', slot: 2 * node.index + 1 });
        return;
      case 'sequence':
        for (const part of node.parts) this.compile(part);
        return;
      case 'choice':
        this.compileChoice(node.options);
        return;
      case 'repeat':
        this.compileRepeat(node);
        return;
    }
  }

  private compileChoice(options: readonly RegexNode[]): void {
    const ends: { to: number }[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.compile(option);
        break;
      }
      const split = { op: 'split' as const, first: 0, second: 0 };
      split.first = this.emit(split) + 1;
      this.compile(option);
      const jump = { op: 'jump' as const, to: 0 };
      split.second = this.emit(jump) + 1;
      ends.push(jump);
    }
    for (const jump of ends) jump.to = this.program.length;
  }

  private compileRepeat(node: Extract<RegexNode, { kind: 'repeat' }>): void {
    for (let count = 0; count < node.min; count++) this.compile(node.body);
    if (node.max === Infinity) {
      const start = this.branch(node.greedy, () => {
        this.compile(node.body);
        this.emit({ op: 'jump', to: this.program.length });
      });
      // The jump was the last thing in the loop: it leads back to the choice.
      const last = this.program.at(-1);
      if (last?.op === 'jump') last.to = start;
      return;
    }
    const optional = (left: number): void => {
      if (left === 0) return;
      this.branch(node.greedy, () => {
        this.compile(node.body);
        optional(left - 1);
      });
    };
    optional(node.max - node.min);
  }

  /** `body`, or not; returns where the choice stands. */
  private branch(greedy: boolean, body: () => void): number {
    const split = { op: 'split' as const, first: 0, second: 0 };
    const start = this.emit(split);
    body();
    const inside = start + 1;
    const after = this.program.length;
    split.first = greedy ? inside : after;
    split.second = greedy ? after : inside;
    return start;
  }

  // --- the machine -------------------------------------------------------------------------------------------------

  private run(text: string, whole: boolean): Slots | undefined {
    let threads: { readonly at: number; readonly slots: Slots }[] = [];
    let found: Slots | undefined;
    for (let position = 0; position <= text.length; position++) {
      const seen = new Uint8Array(this.program.length);
      const ready: typeof threads = [];
      for (const thread of threads) this.follow(thread.at, thread.slots, text, position, seen, ready);
      // A later start is worth less than any way that began earlier.
      if (found === undefined && (position === 0 || !whole)) this.follow(0, [position], text, position, seen, ready);
      threads = [];
      const character = text[position] ?? '';
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
        if (instruction?.op === 'character' && character !== '' && instruction.accepts(character)) {
          threads.push({ at: at + 1, slots });
        }
      }
      if (threads.length === 0 && (found !== undefined || whole)) break;
    }
    return found;
  }

  /** Goes on from `at` until a character is needed; each place once, the preferred way first. */
  private follow(
    start: number,
    startSlots: Slots,
    text: string,
    position: number,
    seen: Uint8Array,
    ready: { readonly at: number; readonly slots: Slots }[],
  ): void {
    const stack = [{ at: start, slots: startSlots }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { at, slots } = top;
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const instruction = this.program[at];
      switch (instruction?.op) {
        case undefined:
          break;
        case 'character':
        case 'match':
          ready.push({ at, slots });
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
        case 'assertion':
          if (holds(instruction.at, text, position)) stack.push({ at: at + 1, slots });
          break;
      }
    }
  }
}

function holds(assertion: 'start' | 'end' | 'word-boundary' | 'inside-word', text: string, position: number): boolean {
  switch (assertion) {
    case 'start':
      return position === 0;
    case 'end':
      return position === text.length;
    case 'word-boundary':
      return isWord(text[position - 1]) !== isWord(text[position]);
    case 'inside-word':
      return isWord(text[position - 1]) === isWord(text[position]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** Why an expression cannot be run in linear time; undefined if it can. */
export function linearRegexProblem(pattern: string): string | undefined {
  try {
    new LinearRegex(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}
