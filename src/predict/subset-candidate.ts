/** A subset or fallback that a request tries, in turn, until one has a host. */
export type SubsetCandidate =
  /** The subset of these keys and values: it has hosts, so nothing is tried after it. */
  | { readonly kind: 'subset'; readonly key: string; readonly name: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'any' };

/** The name in reports: `{stage: "prod", version: 2}`, `default`, `any`. */
export function candidateName(candidate: SubsetCandidate): string {
  return candidate.kind === 'subset' ? candidate.name : candidate.kind;
}
