import type { PhaseResult } from '../result/run-result.js';
import { digitsNeeded } from './format.js';

type Stretch = Pick<PhaseResult, 'from_s' | 'to_s'>;

/** Finer than this only where phases would otherwise look equal. */
const MILLISECONDS = 3;
const MICROSECONDS = 6;

/**
 * "0.0 – 20.0 s", with as many digits for all phases; one instant that had requests is "20.0 s".
 *
 * @param aligned times are aligned in a column.
 */
export function phaseTimes(phases: readonly Stretch[], aligned: boolean): (phase: Stretch) => string {
  const digits = digitsOf(phases);
  const shown = (time: number): string => time.toFixed(digits);
  const width = (times: readonly number[]): number =>
    aligned ? times.reduce((widest, time) => Math.max(widest, shown(time).length), 0) : 0;
  const fromWidth = width(phases.map(({ from_s: from }) => from));
  const toWidth = width(phases.map(({ to_s: to }) => to));
  return ({ from_s: from, to_s: to }) => {
    const end = `${shown(to).padStart(toWidth)} s`;
    return from === to
      ? aligned
        ? end.padStart(fromWidth + ' – '.length + end.length)
        : end
      : `${shown(from).padStart(fromWidth)} – ${end}`;
  };
}

/** The last phase ends with the last answer, at no round time: there a hundredth of its length is exact enough. */
function digitsOf(phases: readonly Stretch[]): number {
  const begins = phases.map(({ from_s: from }) => from);
  const last = phases[phases.length - 1] ?? { from_s: 0, to_s: 0 };
  const instants = [...new Set([...begins, last.to_s])];
  const isEnough = (digits: number): boolean => {
    const off = Math.abs(Number(last.to_s.toFixed(digits)) - last.to_s);
    if (off > (last.to_s - last.from_s) / 100) return false;
    return new Set(instants.map((time) => time.toFixed(digits))).size === instants.length;
  };
  let digits = Math.min(digitsNeeded(begins), MILLISECONDS);
  while (digits < MICROSECONDS && !isEnough(digits)) digits++;
  return digits;
}
