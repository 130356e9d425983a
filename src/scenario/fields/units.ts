import { parse as parseInteger, type U64 } from '../../core/u64.js';
import type { Micros } from '../../core/units.js';
import { ALL_VERSIONS, type ProxyVersion, versionIn } from '../../core/version.js';

/** Parsers of quantities, also of 64 bits: each returns a canonical number, or a sentence that says how to write it. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export const accept = <T>(value: T): Parsed<T> => ({ ok: true, value });

export const refuse = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const MAX_MICROS = BigInt(Number.MAX_SAFE_INTEGER);

const MICROS_PER_UNIT: Readonly<Record<string, bigint>> = {
  us: 1n,
  ms: 1_000n,
  s: 1_000_000n,
  m: 60_000_000n,
  h: 3_600_000_000n,
};

/**
 * `250ms`, `1.5s`, `5m`, `2h`, `10us`, or a bare `0`.
 * @returns whole µs, exactly: a fraction of 1 µs is refused, since virtual time has whole µs.
 */
export function parseDuration(text: string): Parsed<Micros> {
  if (/^-?0+(\.0+)?$/.test(text)) return accept(0);
  const match = /^(.*?)\s*(us|µs|ms|s|m|h)$/.exec(text);
  const decimal = DECIMAL.exec(match?.[1] ?? text);
  if (decimal === null)
    return refuse(`"${text}" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h`);
  const [, sign, whole = '', fraction = ''] = decimal;
  if (match === null)
    return refuse(`${text} has no unit: write ${text}s for seconds, or ${text}ms, ${text}m, ${text}h`);
  if (sign === '-') return refuse(`${text} is negative: a duration is 0 or longer`);
  const unit = MICROS_PER_UNIT[match[2] === 'µs' ? 'us' : (match[2] ?? '')] ?? 1n;
  const scaled = BigInt(whole + fraction) * unit;
  const scale = 10n ** BigInt(fraction.length);
  if (scaled % scale !== 0n) return refuse(`${text} is finer than a microsecond, the unit of virtual time`);
  const micros = scaled / scale;
  return micros > MAX_MICROS
    ? refuse(`${text} is longer than the 285 years that can be counted`)
    : accept(Number(micros));
}

/** A thousand in each microsecond, the unit of virtual time. */
const MAX_PER_SECOND = 1_000_000_000;
const SECONDS_PER_RATE_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** `500/s`, `30/m`, `2/h`. @returns events per second, 0 to 1e9. */
export function parseRate(text: string): Parsed<number> {
  const match = /^(\S+?)\s*\/\s*(s|m|h)$/.exec(text);
  const digits = match?.[1] ?? text;
  if (!NUMBER.test(digits)) return refuse(`"${text}" is not a rate: write a number per unit, as 500/s, 30/m or 2/h`);
  if (match === null)
    return refuse(`${text} has no unit: write ${text}/s for ${text} per second, or ${text}/m, ${text}/h`);
  const perSecond = Number(digits) / (SECONDS_PER_RATE_UNIT[match[2] ?? ''] ?? 1);
  if (perSecond < 0) return refuse(`${text} is negative: a rate is 0 or more`);
  return perSecond <= MAX_PER_SECOND ? accept(perSecond) : refuse(`${text} is more than ${MAX_PER_SECOND} per second`);
}

export const formatRate = (perSecond: number): string => `${perSecond}/s`;

/** `12%`, `99.9%`, or the portion itself, `0.12`. @returns a portion of 1, in 0 … 1. "99.9%" is the double nearest to 0.999. */
export function parsePercent(text: string): Parsed<number> {
  const value = portionOf(text);
  if (value === undefined) return refuse(`"${text}" is not a percentage: write 12% or 0.12`);
  if (value < 0) return refuse(`${text} is negative: allowed are 0% to 100%`);
  if (value <= 1) return accept(value);
  return value <= 100 && !text.endsWith('%')
    ? refuse(`a bare ${text} is not a percentage: write ${text}%, or a portion of 1 as 0.12`)
    : refuse(`${text} is more than 100%: allowed are 0% to 100%`);
}

/** `80%`, `120%`, or 1.2: a part of what there is room for, which may be more than all of it. */
export function parseLoad(text: string): Parsed<number> {
  const value = portionOf(text);
  if (value === undefined) return refuse(`"${text}" is not a percentage: write 80% or 0.8`);
  return value < 0 ? refuse(`${text} is negative: allowed is 0% and more`) : accept(value);
}

function portionOf(text: string): number | undefined {
  const digits = text.replace(/\s*%$/, '');
  if (!NUMBER.test(digits)) return undefined;
  if (digits === text) return Number(digits);
  // A hundredth, rounded once: 99.9 / 100 would round twice.
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  return Number(`${mantissa}e${Number(exponent) - 2}`);
}

/** "12 %", "99.9 %", "33.333 %": for people, at most three decimals. */
export const formatPercent = (portion: number): string => `${Number((portion * 100).toFixed(3))} %`;

/** Any integer or text: 7 and "7" are one seed. */
export const parseSeed = (source: string): Parsed<string> =>
  source === '' ? refuse('a seed is an integer or a text that is not empty') : accept(source);

/** A release line of the proxy; `1.40` is "1.40", not 1.4. */
export function parseVersion(source: string): Parsed<ProxyVersion> {
  const { version, write } = versionIn(source);
  if (version !== undefined) return accept(version);
  const advice = write === undefined ? `allowed are ${ALL_VERSIONS}` : `write "${write}"`;
  return refuse(`"${source}" is not a version that can be simulated: ${advice}`);
}

/** A 64-bit unsigned value, decimal or 0x, quoted or not: it is read as it was written, never rounded. */
export function parseU64(source: string): Parsed<U64> {
  const value = parseInteger(source);
  return value === undefined
    ? refuse(`"${source}" is not a 64-bit unsigned integer: allowed are 0 to 18446744073709551615`)
    : accept(value);
}
