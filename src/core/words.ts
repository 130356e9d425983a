import { type Micros, MICROS_PER_MILLI, MICROS_PER_SECOND } from './units.js';

/** Numbers in words for people, the same on every machine, independent of its locale. */

/** 1234567 → "1,234,567". */
export const count = (value: number): string => grouped(Math.round(value), 0);

/** With so many digits after the point, all of them: numbers of one column are known equally well. */
export const grouped = (value: number, digits: number): string =>
  value.toFixed(digits).replace(/(?<!\.\d*)\B(?=(\d{3})+(\.|$))/g, ',');

/** "1 host", "4 hosts". */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

/** A share of 0–1 in percent, without the sign: "33.3". Only an exact 0 is "0.0", and only an exact 1 is "100.0". */
export function percentDigits(share: number, digits = 1): string {
  // Sums of shares miss 1 by rounding errors of the computer, not of the traffic.
  if (Math.abs(share - 1) < 1e-9) return (100).toFixed(digits);
  const step = 10 ** -digits;
  if (share > 0 && share * 100 < step / 2) return `<${step.toFixed(digits)}`;
  if (share < 1 && share * 100 >= 100 - step / 2) return `>${(100 - step).toFixed(digits)}`;
  return (share * 100).toFixed(digits);
}

export const percent = (share: number, digits = 1): string => `${percentDigits(share, digits)} %`;

/** As in a sentence: "33.3", and a plain "0" or "100" where it is exact. */
export function shortPercentDigits(share: number): string {
  if (share === 0) return '0';
  return Math.abs(share - 1) < 1e-9 ? '100' : percentDigits(share);
}

/** `digits` after the point at most, without trailing zeros. */
export function decimal(value: number, digits: number): string {
  const text = grouped(value, digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** "60 s", "21.4 s", "0.000250 s" as "0.00025 s": rounded to milliseconds, below a second to microseconds. */
export const seconds = (value: number): string => `${decimal(value, value < 1 ? 6 : 3)} s`;

/** "21 s", "21.4 s", "0.092 s": rounded to milliseconds. */
export const shortSeconds = (value: number): string => `${Number(value.toFixed(3))} s`;

/** Three significant figures, then whole milliseconds: "0.250 ms", "4.20 ms", "12.3 ms", "1,234 ms". */
export function millis(value: number | null): string {
  if (value === null) return '–';
  if (value === 0) return '0 ms';
  const size = Math.abs(value);
  if (size >= 1000) return `${count(value)} ms`;
  return `${value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3)} ms`;
}

/** The shortest text that is read back as a duration: "1.5s", "250ms", "10us", the largest unit up to the second with few decimals. */
export function formatDuration(us: Micros): string {
  if (us === 0) return '0s';
  if (us >= MICROS_PER_SECOND) return `${decimalShift(us, 6)}s`;
  return us >= MICROS_PER_MILLI ? `${decimalShift(us, 3)}ms` : `${us}us`;
}

/** `us` / 10^digits in plain decimals, exactly. */
function decimalShift(us: number, digits: number): string {
  const text = String(us).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}

/** "5 ms", "1.5 s": the same with the space that prose has. */
export const proseDuration = (us: Micros): string => formatDuration(us).replace(/(\d)([a-z])/, '$1 $2');

/** The first of many: "a, b", "a, b and 3 more". */
export function someOf(items: readonly string[], most: number): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1] ?? ''}`;

/** "no locality of priority 1 has a load_balancing_weight, so its RING_HASH table is empty". */
export function emptyTableText(
  why: 'no-weight' | 'no-weighted-host' | 'no-entry',
  policy: string,
  priority?: number,
): string {
  const [of, its] = priority === undefined ? ['', 'the'] : [` of priority ${priority}`, 'its'];
  const lacks = {
    'no-weight': `no locality${of} has a load_balancing_weight`,
    'no-weighted-host': `no locality${of} with a load_balancing_weight has a host available`,
    'no-entry': 'minimum_ring_size is 0',
  };
  return `${lacks[why]}, so ${its} ${policy} table is empty`;
}
