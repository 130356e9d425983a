import { demand, isTable, NUMBERS, madeBy, optional, U32 } from '../core/arguments.js';
import { createByPicking, createWithPicks, type EdfSchedule, pick } from '../schedule/edf.js';

/** Entries in turn, each as often as its weight says. */
export interface WeightedTurns {
  /** Weights, > 0 each; a change acts from the entry's next turn. */
  readonly weights: number[];
  readonly schedule: EdfSchedule;
}

/**
 * An earliest-deadline-first schedule over a list of weights: entry i is due 1 / weight after its last turn.
 *
 * @param seed undefined: starts with no turn taken. A whole number of 0 … 2³²−1: starts as if that many turns had been
 *   taken, computed in O(entries).
 * @throws RangeError for a weight that is not above 0.
 */
export function weightedTurns(weights: readonly number[], seed?: number): WeightedTurns {
  demand('weightedTurns', ['weights', weights, NUMBERS], ['seed', seed, optional(U32)]);
  const wrong = weights.find((weight) => !(weight > 0 && weight < Infinity));
  if (wrong !== undefined) throw new RangeError(`a weight is a number above 0, not ${String(wrong)}`);
  const own = [...weights];
  const schedule =
    seed === undefined
      ? createByPicking(own.length, weightAt, own, 0)
      : createWithPicks(own.length, weightAt, own, seed);
  return { weights: own, schedule };
}

const TURNS = madeBy('weightedTurns', 'weights', 'schedule');

/** @returns the entry whose turn it is; -1: there are none. */
export function nextTurn(turns: WeightedTurns): number {
  // As look-ups.
  if (!isTable(turns) || !('schedule' in turns)) demand('nextTurn', ['turns', turns, TURNS]);
  const { schedule, weights } = turns;
  return pick(schedule, weightAt, weights);
}

const weightAt = (weights: readonly number[], entry: number): number => weights[entry] as number;
