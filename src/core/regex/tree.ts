/** Whose syntax: std::regex of C++, or RE2. */
export type RegexDialect = 'ecmascript' | 're2';

/** Whether one character, by its code point, is accepted. */
export type Accepts = (code: number) => boolean;

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-boundary' | 'inside-word';

/** A regular expression as a tree; a sequence of no parts matches nothing. */
export type RegexNode =
  | { readonly kind: 'character'; readonly accepts: Accepts }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | RepeatNode;

export interface RepeatLimits {
  readonly min: number;
  /** Infinity: no limit. */
  readonly max: number;
}

export interface RepeatNode extends RepeatLimits {
  readonly kind: 'repeat';
  readonly body: RegexNode;
  readonly greedy: boolean;
  /** The capture groups inside: from `firstGroup` to before `endGroup`. */
  readonly firstGroup: number;
  readonly endGroup: number;
}

export interface ParsedRegex {
  readonly root: RegexNode;
  readonly groups: number;
}

/** It is no expression of its dialect; the message is what the proxy's engine says. */
export class RegexError extends Error {
  override readonly name: string = 'RegexError';
}

/** The proxy takes it, but it cannot be run in linear time, or is beyond what is read here. */
export class UnsupportedRegexError extends RegexError {
  override readonly name = 'UnsupportedRegexError';
}
