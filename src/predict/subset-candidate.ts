/** One of those who are asked for a host, in turn, until one has any. */
export type SubsetCandidate =
  /** The subset of these keys and values: it has hosts at all, and the last word. */
  | { readonly kind: 'subset'; readonly key: string; readonly name: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'any' };

/** As reports name who answered: `{stage: "prod", version: 2}`, `default`, `any`. */
export function candidateName(candidate: SubsetCandidate): string {
  return candidate.kind === 'subset' ? candidate.name : candidate.kind;
}
