import type { FeltQuirk, QuirkEffect } from '../analysis/felt-quirks.js';
import type { VersionChanges } from '../analysis/compare/generated/comparison.js';
import { AFTER_V2, FIRST_WATCHED, type Quirk } from '../core/version.js';
import { fill, SENTENCES } from './fill.js';

/** From which release to which, for people. */
export function releasesOf({ first, last }: Pick<Quirk, 'first' | 'last'>): string {
  if (first === AFTER_V2) return `after 1.17, by 1.${FIRST_WATCHED}`;
  if (first === undefined) return `to ${last ?? ''}`;
  return last === undefined ? `since ${first}` : `${first} to ${last}`;
}

/** What a difference changes, without a full stop. */
export const effectText = (effect: QuirkEffect): string => fill(SENTENCES.versions[effect.kind], effect);

export const changesText = ({ felt, ...changes }: VersionChanges): string =>
  fill(SENTENCES.versions.changes, { ...changes, felt: felt === null ? 'untried' : felt.length });

export function unplacedText(version: string, { what, effects }: FeltQuirk): string {
  const values = { version, what, effects: effects.map(effectText), after: AFTER_V2, by: FIRST_WATCHED };
  return fill(SENTENCES.versions.unplaced, values);
}

export const untriedText = (version: string): string =>
  fill(SENTENCES.versions.untried, { version, after: AFTER_V2, by: FIRST_WATCHED });
