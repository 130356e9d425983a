import type { U64 } from '../core/u64.js';

/**
 * A 64-bit register with wrapping arithmetic, for hash functions written in 32-bit halves. Unlike those of a {@link
 * U64}, the halves are signed while it works, as JavaScript's bitwise operators give them back; `value()` makes them
 * unsigned. Every operation changes the register and returns it.
 */
export class Word64 {
  private hi = 0;
  private lo = 0;

  set(hi: number, lo: number): this {
    this.hi = hi | 0;
    this.lo = lo | 0;
    return this;
  }

  copy(other: Word64): this {
    this.hi = other.hi;
    this.lo = other.lo;
    return this;
  }

  add(other: Word64): this {
    return this.addHalves(other.hi, other.lo);
  }

  addHalves(hi: number, lo: number): this {
    const low = (this.lo >>> 0) + (lo >>> 0);
    this.hi = (this.hi + hi + (low > 0xffffffff ? 1 : 0)) | 0;
    this.lo = low | 0;
    return this;
  }

  xor(other: Word64): this {
    this.hi ^= other.hi;
    this.lo ^= other.lo;
    return this;
  }

  multiply(other: Word64): this {
    const { hi, lo } = this;
    this.hi = (multiplyHigh(lo, other.lo) + Math.imul(hi, other.lo) + Math.imul(lo, other.hi)) | 0;
    this.lo = Math.imul(lo, other.lo);
    return this;
  }

  /** @param bits 1 … 31. */
  rotateLeft(bits: number): this {
    const { hi, lo } = this;
    this.hi = (hi << bits) | (lo >>> (32 - bits));
    this.lo = (lo << bits) | (hi >>> (32 - bits));
    return this;
  }

  /** this ^= this >> bits, the shift being logical. @param bits 1 … 63. */
  xorShiftRight(bits: number): this {
    const { hi, lo } = this;
    if (bits >= 32) {
      this.lo = lo ^ (hi >>> (bits - 32));
    } else {
      this.lo = lo ^ ((lo >>> bits) | (hi << (32 - bits)));
      this.hi = hi ^ (hi >>> bits);
    }
    return this;
  }

  value(): U64 {
    return { hi: this.hi >>> 0, lo: this.lo >>> 0 };
  }
}

export function word64(hi: number, lo: number): Word64 {
  return new Word64().set(hi, lo);
}

/** Upper 32 bits of the product of two unsigned 32-bit integers, from four products of 16-bit halves. */
function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) | 0;
}
