/**
 * Virtual time is counted in whole microseconds: integers that a double holds exactly for 285 years.
 */
export type Micros = number;

export const MICROS_PER_MILLI = 1_000;
export const MICROS_PER_SECOND = 1_000_000;

export function microsToSeconds(time: Micros): number {
  return time / MICROS_PER_SECOND;
}
