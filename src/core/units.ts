/** Virtual time is counted in whole microseconds: integers that a double holds exactly for 285 years. */
export type Micros = number;

export const MICROS_PER_MILLI = 1_000;
export const MICROS_PER_SECOND = 1_000_000;

/** The whole milliseconds of a time: the proxy cuts off the rest. */
export function wholeMillis(timeUs: Micros): number {
  return Math.floor(timeUs / MICROS_PER_MILLI);
}

export function microsToSeconds(time: Micros): number {
  return time / MICROS_PER_SECOND;
}
