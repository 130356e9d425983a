/** Whether one character, by its code point, is accepted. */
export type Accepts = (code: number) => boolean;

/** Where a match and its groups begin and end: 2 entries a group, group 0 is the match; -1: took no part. */
export type Slots = readonly number[];

/** A state of the machine. All but a match and a dead end lead on. */
export type State = { readonly id: number } & (
  | CharacterStep
  | { readonly op: 'assertion'; readonly holds: Assertion; readonly next: State }
  /** Notes in its own copy of the slots where groups begin and end. */
  | { readonly op: 'note'; readonly note: (slots: number[], position: number) => unknown; readonly next: State }
  /** Tries one after the other. */
  | { readonly op: 'split'; options: readonly State[] }
  | { readonly op: 'match' | 'fail' }
);

/** Goes on at `next` with the next character. */
interface CharacterStep {
  readonly op: 'character';
  readonly accepts: Accepts;
  next: State;
}

export type Assertion = (text: string, position: number) => boolean;

/** A regular expression or a part of one. */
export interface Pattern {
  /** It can match nothing. */
  readonly isNullable: boolean;
  /** Makes its states, the last of which lead to `next`. @returns the first. */
  readonly into: (next: State, states: States) => State;
}

/** Numbers the states of a machine. */
export class States {
  /** In the order in which they were made. */
  readonly characters: CharacterStep[] = [];
  made = 0;

  constructor(private readonly most: number) {}

  /** @throws UnsupportedRegexError where there are too many. */
  id(): number {
    if (this.made >= this.most) throw new UnsupportedRegexError('the repeats make it too large');
    return this.made++;
  }
}

export const character = (accepts: Accepts): Pattern => ({
  isNullable: false,
  into: (next, states) => {
    const state = { id: states.id(), op: 'character' as const, accepts, next };
    states.characters.push(state);
    return state;
  },
});

export function assertion(holds: Assertion): Pattern {
  return { isNullable: true, into: (next, states) => ({ id: states.id(), op: 'assertion', holds, next }) };
}

export function group(index: number, body: Pattern): Pattern {
  const save = (slot: number, next: State, states: States): State => ({
    id: states.id(),
    op: 'note',
    note: (slots, position) => (slots[slot] = position),
    next,
  });
  return {
    isNullable: body.isNullable,
    into: (next, states) => save(2 * index, body.into(save(2 * index + 1, next, states), states), states),
  };
}

/** Of no parts it matches nothing. */
export const sequence = (parts: readonly Pattern[]): Pattern => ({
  isNullable: parts.every((part) => part.isNullable),
  into: (next, states) => {
    // Repeats of nothing make no states, but they too take time.
    states.id();
    return parts.reduceRight((after, part) => part.into(after, states), next);
  },
});

export function choice(options: readonly Pattern[]): Pattern {
  const [only, ...others] = options;
  if (only !== undefined && others.length === 0) return only;
  return {
    isNullable: options.some((option) => option.isNullable),
    into: (next, states) => {
      return { id: states.id(), op: 'split', options: options.map((option) => option.into(next, states)) };
    },
  };
}

export interface RepeatLimits {
  readonly min: number;
  /** Infinity: no limit. */
  readonly max: number;
}

export interface Repeat extends RepeatLimits {
  readonly greedy: boolean;
  /** The capture groups inside: from `firstGroup` to before `endGroup`. */
  readonly firstGroup: number;
  readonly endGroup: number;
}

export const repeat = (body: Pattern, { min, max, greedy, firstGroup, endGroup }: Repeat): Pattern => ({
  isNullable: min === 0 || body.isNullable,
  into: (next, states) => {
    // A round begins with its groups forgotten.
    const forget = (slots: number[]): number[] => slots.fill(-1, 2 * firstGroup, 2 * endGroup);
    const begun = (first: State): State =>
      firstGroup < endGroup ? { id: states.id(), op: 'note', note: forget, next: first } : first;
    const orPast = (first: State): readonly State[] => (greedy ? [first, next] : [next, first]);
    let after = next;
    if (max === Infinity) {
      const again = { id: states.id(), op: 'split' as const, options: [] as readonly State[] };
      again.options = orPast(begun(reading(body, again, states)));
      after = again;
    }
    for (let count = min; count < max && max < Infinity; count++)
      after = { id: states.id(), op: 'split', options: orPast(begun(reading(body, after, states))) };
    for (let count = 0; count < min; count++) after = begun(body.into(after, states));
    return after;
  },
});

/**
 * A round beyond the least number, which does not count as one where it matches nothing: where that can be, the body stands there
 * twice, and the first character that is read leads from the first into the same place of the second, which alone has a way out.
 */
function reading(body: Pattern, next: State, states: States): State {
  if (!body.isNullable) return body.into(next, states);
  const { characters } = states;
  const from = characters.length;
  const first = body.into({ id: states.id(), op: 'fail' }, states);
  const middle = characters.length;
  body.into(next, states);
  for (const [index, state] of characters.slice(from, middle).entries())
    state.next = characters[middle + index]?.next ?? state.next;
  return first;
}

/** It is no expression of its dialect; the message is what the proxy's engine says. */
export class RegexError extends Error {}

/** The proxy takes it, but it cannot be run in linear time, or is beyond what is read here. */
export class UnsupportedRegexError extends RegexError {}
