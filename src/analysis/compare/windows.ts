import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import type { CauseResult } from '../../result/happenings.js';
import type { ClusterResult } from '../../result/run-result.js';
import type { Window } from './tally.js';

/** How a phase of one side begins. */
export type PhaseStart = Pick<ClusterResult['phases'][number], 'from_s' | 'causes'>;

/** A stretch in which nothing changed for the balancers of any side, except what they do not see. */
export interface SharedPhase extends Window {
  /** What began it, by side; nothing for a side without a change. */
  readonly began: readonly (readonly CauseResult[])[];
}

/** Phase starts of different sides closer together than this part of the run are one. */
const SAME_INSTANT = 0.01;

/** The phases of all sides together. @param sides undefined: the side has no such cluster. */
export function sharedPhases(
  sides: readonly ({ readonly phases: readonly PhaseStart[] } | undefined)[],
  endUs: Micros,
): readonly SharedPhase[] {
  const starts: { readonly atUs: Micros; readonly began: (readonly CauseResult[])[] }[] = [];
  const begun = sides
    .flatMap((side, index) => (side?.phases ?? []).map(({ from_s: from, causes }) => ({ from, causes, index })))
    .map(({ from, causes, index }) => ({ atUs: Math.round(from * MICROS_PER_SECOND), causes, index }))
    .sort((a, b) => a.atUs - b.atUs || a.index - b.index);
  for (const { atUs, causes, index } of begun) {
    const last = starts[starts.length - 1];
    const isClose = last !== undefined && last.began[index]?.length === 0 && atUs - last.atUs <= SAME_INSTANT * endUs;
    if (isClose) last.began[index] = causes;
    else starts.push({ atUs, began: sides.map((_, side) => (side === index ? causes : [])) });
  }
  return starts.map(({ atUs, began }, index) => ({
    fromUs: atUs,
    toUs: starts[index + 1]?.atUs ?? Math.max(endUs, atUs) + 1,
    began,
  }));
}
