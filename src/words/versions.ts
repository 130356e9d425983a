import type { FeltQuirk, QuirkEffect } from '../analysis/felt-quirks.js';
import type { VersionChanges } from '../analysis/compare/comparison.js';
import { AFTER_V2, FIRST_WATCHED, type Quirk } from '../core/version.js';
import { counted, percent } from '../core/words.js';

/** From which release to which, for people. */
export function releasesOf({ first, last }: Pick<Quirk, 'first' | 'last'>): string {
  if (first === AFTER_V2) return `after 1.17, by 1.${FIRST_WATCHED}`;
  if (first === undefined) return `to ${last ?? ''}`;
  return last === undefined ? `since ${first}` : `${first} to ${last}`;
}

/** What a difference changes, without a full stop. */
export function effectText(effect: QuirkEffect): string {
  switch (effect.kind) {
    case 'share':
      return `${effect.host} of ${effect.cluster} gets ${percent(effect.other)} instead of ${percent(effect.share)}`;
    case 'failures':
      return `${percent(effect.other)} of the requests to ${effect.cluster} fail instead of ${percent(effect.share)}`;
    case 'statistic':
      if (effect.other === null) return `there is no statistic ${effect.name}`;
      return effect.value === null
        ? `there is a statistic ${effect.name}`
        : `${effect.name} is ${effect.other} instead of ${effect.value}`;
  }
}

export function changesText({ from, to, differences, felt }: VersionChanges): string {
  const known = `of ${counted(differences, 'known difference')} between ${from} and ${to}`;
  if (felt === null) return `none ${known} was tried: there are too many requests; --duration shortens the run`;
  if (felt.length === 0) return `none ${known} changes anything here`;
  return felt.length === 1
    ? `one ${known} changes something here`
    : `${felt.length} ${known} each change something here`;
}

export function unplacedText(version: string, { what, effects }: FeltQuirk): string {
  return `it is not known whether ${version} already has this, which came between ${AFTER_V2} and 1.${FIRST_WATCHED}: ${what}. It is taken to; if it does not, ${effects.map(effectText).join(', and ')}`;
}

export function untriedText(version: string): string {
  return `${version} is taken to have what came between ${AFTER_V2} and 1.${FIRST_WATCHED} without a release note; there are too many requests to try what that changes`;
}
