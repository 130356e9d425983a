import { type Micros, wholeMillis } from '../core/units.js';

/** The used part of a time-out in whole percent, from whole ms; 0 without a time-out. */
export function percentOfTimeout(usedUs: Micros, timeoutUs: Micros): number {
  const timeoutMs = wholeMillis(timeoutUs);
  return timeoutMs === 0 ? 0 : Math.floor((wholeMillis(usedUs) * 100) / timeoutMs);
}
