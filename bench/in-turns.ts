import type { Answer, Launch } from './contender.js';
import { launch } from './contender.js';

/** One side: who does which job. */
export interface Side {
  readonly launch: Launch;
  readonly job: string;
}

export interface Turns {
  readonly rounds: number;
  /** So many rounds go to one process, default all; then it is started anew, since each compiles its code in its own way. */
  readonly roundsOfProcess?: number;
  /** Rounds of each process that do not count. */
  readonly warmUps?: number;
}

/**
 * Answers of all sides, a list a side, parallel to each other: they take turns, and each round begins with another one, so that
 * what else the machine does hits all alike.
 *
 * @returns undefined where a side does not know its job.
 */
export async function inTurns(sides: readonly Side[], turns: Turns): Promise<Answer[][] | undefined> {
  const { rounds, roundsOfProcess = rounds, warmUps = 0 } = turns;
  const answers = sides.map((): Answer[] => []);
  for (let done = 0; done < rounds; done += roundsOfProcess) {
    const contenders = sides.map((side) => launch(side.launch));
    try {
      for (let round = -warmUps; round < Math.min(roundsOfProcess, rounds - done); round++) {
        for (let turn = 0; turn < sides.length; turn++) {
          const at = (turn + done + round + warmUps) % sides.length;
          const answer = await contenders[at]?.run(sides[at]?.job ?? '');
          if (answer === undefined) return undefined;
          if (round >= 0) answers[at]?.push(answer);
        }
      }
    } finally {
      for (const contender of contenders) contender.stop();
    }
  }
  return answers;
}

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { least: sorted[0] ?? NaN, median: sorted[sorted.length >>> 1] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** Round by round, what the first needed for what the second did in 1. */
export function ratios(first: readonly Answer[], second: readonly Answer[]): number[] {
  return first.map(({ ms }, round) => ms / (second[round]?.ms ?? NaN));
}
