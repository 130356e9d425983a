/** Virtual time is counted in whole microseconds: integers that a double holds exactly for 285 years. */
export type Micros = number;

export const MICROS_PER_MILLI = 1_000;
export const MICROS_PER_SECOND = 1_000_000;

/** The whole milliseconds of a time: the proxy cuts off the rest. */
export const wholeMillis = (timeUs: Micros): number => Math.floor(timeUs / MICROS_PER_MILLI);

export const microsToSeconds = (time: Micros): number => time / MICROS_PER_SECOND;
