import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import type { ClusterResult } from '../../result/run-result.js';
import type { Window } from './tally.js';

/** How a phase of one side begins. */
export type PhaseStart = Pick<ClusterResult['phases'][number], 'from_s' | 'cause'>;

/** A stretch in which nothing changed for the balancers of any side, except what they do not see. */
export interface SharedPhase extends Window {
  /** Its cause, by side; '' for a side without a change. */
  readonly causes: readonly string[];
}

/** Phase starts of different sides closer together than this part of the run are one. */
const SAME_INSTANT = 0.01;

/** The phases of all sides together. @param sides undefined: the side has no such cluster. */
export function sharedPhases(
  sides: readonly ({ readonly phases: readonly PhaseStart[] } | undefined)[],
  endUs: Micros,
): readonly SharedPhase[] {
  const starts: { readonly atUs: Micros; readonly causes: string[] }[] = [];
  const begun = sides
    .flatMap((side, index) => (side?.phases ?? []).map(({ from_s: from, cause }) => ({ from, cause, index })))
    .map(({ from, cause, index }) => ({ atUs: Math.round(from * MICROS_PER_SECOND), cause, index }))
    .sort((a, b) => a.atUs - b.atUs || a.index - b.index);
  for (const { atUs, cause, index } of begun) {
    const last = starts[starts.length - 1];
    const isClose = last !== undefined && last.causes[index] === '' && atUs - last.atUs <= SAME_INSTANT * endUs;
    if (isClose) last.causes[index] = cause;
    else starts.push({ atUs, causes: sides.map((_, side) => (side === index ? cause : '')) });
  }
  return starts.map(({ atUs, causes }, index) => ({
    fromUs: atUs,
    toUs: starts[index + 1]?.atUs ?? Math.max(endUs, atUs) + 1,
    causes,
  }));
}
