import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';

/** The used part of a time-out in whole percent, from whole ms; 0 without a time-out. */
export function percentOfTimeout(usedUs: Micros, timeoutUs: Micros): number {
  const timeoutMs = Math.floor(timeoutUs / MICROS_PER_MILLI);
  return timeoutMs === 0 ? 0 : Math.floor((Math.floor(usedUs / MICROS_PER_MILLI) * 100) / timeoutMs);
}
