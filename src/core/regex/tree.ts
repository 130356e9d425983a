/** Whose syntax: std::regex of C++, or RE2. */
export type RegexDialect = 'ecmascript' | 're2';

/** Whether one character, by its code point, is accepted. */
export type Accepts = (code: number) => boolean;

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-boundary' | 'inside-word';

/** A regular expression as a tree. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'character'; readonly accepts: Accepts }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | RepeatNode;

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: RegexNode;
  readonly min: number;
  /** Infinity: no limit. */
  readonly max: number;
  readonly greedy: boolean;
}

export interface ParsedRegex {
  readonly root: RegexNode;
  /** How many capture groups there are. */
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

/** Whether `node` can match nothing. */
export function isNullable(node: RegexNode): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'character':
      return false;
    case 'group':
      return isNullable(node.body);
    case 'sequence':
      return node.parts.every(isNullable);
    case 'choice':
      return node.options.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}

/** The lowest and the highest index of the capture groups inside `node`; undefined without any. */
export function groupsIn(node: RegexNode): readonly [number, number] | undefined {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
    case 'character':
      return undefined;
    case 'group': {
      const inner = groupsIn(node.body);
      return [node.index, inner?.[1] ?? node.index];
    }
    case 'sequence':
      return union(node.parts);
    case 'choice':
      return union(node.options);
    case 'repeat':
      return groupsIn(node.body);
  }
}

function union(nodes: readonly RegexNode[]): readonly [number, number] | undefined {
  // Groups are numbered from left to right.
  const found = nodes.map(groupsIn).filter((range) => range !== undefined);
  const [first, last] = [found[0], found.at(-1)];
  return first === undefined || last === undefined ? undefined : [first[0], last[1]];
}
