/**
 * Lint rules that runs report too: the configuration does not divide the traffic as it seems to. A test checks that they
 * exist.
 */
export const RULES_ABOUT_SPLIT: ReadonlySet<string> = new Set([
  'locality-weights-ignored',
  'locality-without-weight',
  'locality-weight-without-locality',
  'no-locality-has-weight',
  'scaled-locality-weight-zero',
  'zone-aware-without-local-cluster',
  'zone-aware-without-zone',
  'zone-aware-cluster-too-small',
  'zone-aware-hash',
  'random-ignores-weights',
  'choice-count-ignored',
  'ring-too-small',
  'ring-capped',
  'ring-size-zero',
  'maglev-too-small',
  'hash-without-key',
  'hash-key-unused',
  'default-subset-empty',
  'selector-without-hosts',
  'match-without-selector',
  'duplicate-addresses',
  'priority-gap',
]);

export function isShownInRuns(rule: string): boolean {
  return RULES_ABOUT_SPLIT.has(rule);
}
