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
  /**
   * What does not count of each process: rounds until two in a row of each side agree within 5 %, but no more than this many
   * seconds of CPU of all sides, and two rounds at least. Default: nothing.
   */
  readonly warmUpS?: number;
  /** Before that each side of each process runs alone until it has used so many seconds of CPU. Default: not at all. */
  readonly aloneS?: number;
}

const STEADY = 0.05;

/**
 * Answers of all sides, a list a side, parallel to each other: they take turns, and each round begins with another one, so that
 * what else the machine does hits all alike.
 *
 * @returns undefined where a side does not know its job.
 */
export async function inTurns(sides: readonly Side[], turns: Turns): Promise<Answer[][] | undefined> {
  const { rounds, roundsOfProcess = rounds, warmUpS, aloneS = 0 } = turns;
  const answers = sides.map((): Answer[] => []);
  for (let done = 0; done < rounds; done += roundsOfProcess) {
    const contenders = sides.map((side) => launch(side.launch));
    try {
      for (const [at, contender] of contenders.entries()) {
        for (let spentMs = 0; spentMs < 1000 * aloneS;) {
          const answer = await contender.run(sides[at]?.job ?? '');
          if (answer === undefined) return undefined;
          spentMs += answer.ms;
        }
      }
      let turn = done;
      /** A round: an answer a side, or undefined. */
      const round = async (): Promise<Answer[] | undefined> => {
        const found: Answer[] = [];
        for (let i = 0; i < sides.length; i++) {
          const at = (turn + i) % sides.length;
          const answer = await contenders[at]?.run(sides[at]?.job ?? '');
          if (answer === undefined) return undefined;
          found[at] = answer;
        }
        turn += 1;
        return found;
      };
      let before: Answer[] = [];
      for (let spentMs = 0, isSteady = warmUpS === undefined; !isSteady;) {
        const now = await round();
        if (now === undefined) return undefined;
        for (const { ms } of now) spentMs += ms;
        isSteady =
          before.length > 0 &&
          (spentMs > 1000 * (warmUpS ?? 0) ||
            now.every(({ ms }, side) => Math.abs(ms / (before[side]?.ms ?? NaN) - 1) <= STEADY));
        before = now;
      }
      for (let counted = 0; counted < Math.min(roundsOfProcess, rounds - done); counted++) {
        const found = await round();
        if (found === undefined) return undefined;
        for (const [side, answer] of found.entries()) answers[side]?.push(answer);
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
