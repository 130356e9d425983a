import { type Micros, MICROS_PER_SECOND } from '../core/units.js';

/** Times one gap apart: the k-th, from 0, is `originUs` + k/rate. Counted from one origin, so that rounding never adds up. */
export interface EvenTimes {
  /** 0: there are none. */
  readonly perSecond: number;
  readonly originUs: Micros;
  /** At rate 0, how many gaps the next one was away when it became 0. */
  readonly gapsLeft: number;
}

export const evenTimes = (perSecond: number, originUs: Micros): EvenTimes => ({ perSecond, originUs, gapsLeft: 0 });

/** @returns the k-th time, in whole µs; Infinity where there is none. */
export const evenTime = ({ perSecond, originUs }: EvenTimes, k: number): Micros =>
  perSecond === 0 ? Infinity : originUs + Math.round((k * MICROS_PER_SECOND) / perSecond);

/** The times from `nowUs` on if the rate changes then: the rest of a gap is gone through at the new rate. */
export function atAnotherRate(times: EvenTimes, perSecond: number, nowUs: Micros): EvenTimes {
  const gapsLeft = times.perSecond === 0 ? times.gapsLeft : gapsUntilNext(times, nowUs);
  const waitUs = perSecond === 0 ? 0 : Math.round((gapsLeft * MICROS_PER_SECOND) / perSecond);
  return { perSecond, originUs: nowUs + waitUs, gapsLeft };
}

/** @returns how many of the times are before `untilUs`. */
export function countBefore(times: EvenTimes, untilUs: Micros): number {
  if (times.perSecond === 0) return 0;
  let k = Math.max(0, Math.ceil(((untilUs - times.originUs) * times.perSecond) / MICROS_PER_SECOND) - 1);
  while (k > 0 && evenTime(times, k - 1) >= untilUs) k--;
  while (evenTime(times, k) < untilUs) k++;
  return k;
}

/** Until the first time that is not before `nowUs`: 0 … 1. */
function gapsUntilNext(times: EvenTimes, nowUs: Micros): number {
  const passed = ((nowUs - times.originUs) * times.perSecond) / MICROS_PER_SECOND;
  return Math.min(1, Math.max(0, countBefore(times, nowUs) - passed));
}
