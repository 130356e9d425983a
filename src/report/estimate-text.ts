import type { Interval } from '../analysis/interval.js';
import { decimal } from './format.js';

/** Digits after the point that are shown at most. */
const MOST_DIGITS = 6;
/** Of a mean without an interval. */
const SIGNIFICANT = 4;

export type Unit = '' | '%' | 'ms';

/**
 * A mean as far as it is known, "33.31" and "± 0.12 %": two digits of the half-width, of an uneven interval of the longer side. Without
 * an interval, or with none left, "12" and "ms".
 */
export function estimateParts({ mean, low, high }: Interval, unit: Unit): readonly [string, string] {
  const scale = unit === '%' ? 100 : 1;
  const [value, reach] = [mean * scale, high === null ? null : Math.max(high - mean, mean - (low ?? mean)) * scale];
  if (reach === null || reach < 10 ** -MOST_DIGITS) return [decimal(value, digitsOf(value, SIGNIFICANT)), unit];
  const digits = digitsOf(reach, 2);
  return [grouped(value, digits), `± ${grouped(reach, digits)} ${unit}`.trimEnd()];
}

/** "33.31 ± 0.12 %" */
export function estimateText(interval: Interval, unit: Unit): string {
  return estimateParts(interval, unit).join(' ').trimEnd();
}

/** Digits after the point, for this many significant ones. */
function digitsOf(value: number, significant: number): number {
  if (value === 0) return 0;
  return Math.min(MOST_DIGITS, Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

/** With all of its digits: numbers of one column are known equally well. */
function grouped(value: number, digits: number): string {
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
}
