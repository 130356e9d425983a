import type { Versioned } from '../../core/document-format.js';
import type { Interval } from '../interval.js';

/** A published table beside ours. Field names are those of `lbsim paper --json`. */
export interface PaperComparison extends Versioned {
  readonly paper: string;
  readonly title: string;
  readonly citation: string;
  /** The file that is run, in the package. */
  readonly scenario: string;
  /** What the numbers are. */
  readonly quantity: string;
  /** Runs of each row that is simulated; rows that are worked out exactly need none. */
  readonly runs: number;
  /** True where the user interrupted: rows that have no run are missing. */
  readonly partial?: true;
  readonly rows: readonly PaperRow[];
  readonly notes: readonly string[];
}

export interface PaperRow {
  readonly row: string;
  /** Whether what stands as `published` was read off the source, or worked out by its formula or from its figures. */
  readonly basis: 'published' | 'formula';
  readonly values: readonly PaperValue[];
  /**
   * `agrees`: every value lies within what is known of both; `differs`: one does not; `known`: so it does, and `why` says for what reason.
   */
  readonly verdict: 'agrees' | 'differs' | 'known';
  readonly why?: string;
}

export interface PaperValue {
  readonly published: number;
  /** How far off the published figure may be: its last digit, or a limit's distance from the finite case. */
  readonly within: number;
  /** Ours; without ends where it is exact, or of one run. */
  readonly ours: Interval;
}

/** @param of its `why`: the reason of a difference that is known. */
export function paperRow(of: Pick<PaperRow, 'row' | 'basis' | 'why'>, values: readonly PaperValue[]): PaperRow {
  const agrees = values.every(({ published, within, ours: { mean, high } }) => {
    const reach = (high ?? mean) - mean;
    return Math.abs(mean - published) <= reach + within + 1e-9;
  });
  if (agrees) return { ...of, values, verdict: 'agrees' };
  return { ...of, values, verdict: of.why === undefined ? 'differs' : 'known' };
}
