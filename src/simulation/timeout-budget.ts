import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';

/** Whole percent of a time-out, of whole ms, that were used; of no time-out nothing ever is. */
export function percentOfTimeout(usedUs: Micros, timeoutUs: Micros): number {
  const timeoutMs = Math.floor(timeoutUs / MICROS_PER_MILLI);
  return timeoutMs === 0 ? 0 : Math.floor((Math.floor(usedUs / MICROS_PER_MILLI) * 100) / timeoutMs);
}
