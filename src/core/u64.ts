/**
 * 64-bit unsigned integers as two 32-bit halves.
 *
 * The proxy's decisions are made of `uint64_t`: hashes, random draws, indices. A BigInt costs some 40 ns and an
 * allocation per operation; two doubles that hold 32-bit integers cost neither. Every `hi` and `lo` in this project is
 * an unsigned 32-bit integer (0 … 4294967295), never a signed one.
 */
export type U64 = Readonly<{ hi: number; lo: number }>;

export const TWO_32 = 4294967296;
const TWO_32_BIG = 4294967296n;
const MAX_U64 = 18446744073709551615n;

/** (hi·2³² + lo) mod n, exactly. @param n 1 ≤ n ≤ 2²¹ runs in one step; up to 2⁵³ in several. */
export const mod = (hi: number, lo: number, n: number): number =>
  n <= 2097152 ? rest(rest(hi, n) * TWO_32 + lo, n) : modWide(hi, lo, n);

/**
 * value mod n for n ≤ 2²¹ and value < n · 2³², without the slow `%` of doubles.
 * The quotient is below 2³², so its last bit is at most 2⁻²¹ and rounding moves it by at most 2⁻²² < 1/n, the least
 * distance of a fraction to the integer above it: the floor is that of the exact quotient.
 */
const rest = (value: number, n: number): number => value - Math.floor(value / n) * n;

/** As {@link mod} for large divisors: (hi mod n)·2³² would pass 2⁵³, so the low half is shifted in 11 bits at a time. */
function modWide(hi: number, lo: number, n: number): number {
  if (n > 4398046511104) return Number(((BigInt(hi) << 32n) | BigInt(lo)) % BigInt(n));
  let left = hi % n;
  left = (left * 2048 + (lo >>> 21)) % n;
  left = (left * 2048 + ((lo >>> 10) & 2047)) % n;
  return (left * 1024 + (lo & 1023)) % n;
}

/** Sign of a − b as unsigned 64-bit integers. */
export const compare = (aHi: number, aLo: number, bHi: number, bLo: number): number =>
  aHi === bHi ? aLo - bLo : aHi - bHi;

export function fromBigInt(value: bigint): U64 {
  const wrapped = BigInt.asUintN(64, value);
  return { hi: Number(wrapped >> 32n), lo: Number(wrapped & 0xffffffffn) };
}

export const toBigInt = (value: U64): bigint => BigInt(value.hi) * TWO_32_BIG + BigInt(value.lo);

export const toDecimal = (hi: number, lo: number): string =>
  hi === 0 ? String(lo) : (BigInt(hi) * TWO_32_BIG + BigInt(lo)).toString();

/** @returns undefined unless `text` is a decimal or 0x integer of 0 … 2⁶⁴−1. */
export function parse(text: string): U64 | undefined {
  if (!/^(\d+|0[xX][0-9a-fA-F]+)$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > MAX_U64 ? undefined : fromBigInt(value);
}

/** Upper 32 bits of the product of two unsigned 32-bit integers, from four products of 16-bit halves. */
export function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) | 0;
}
