import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBigInt, toDecimal } from '../../src/core/u64.js';
import { murmur2, murmur2String } from '../../src/hash/text-hashes.js';

/** MurmurHash64A with the seed of libstdc++, told a second time in 64-bit words. */
function murmur2InBigInt(bytes: Uint8Array): bigint {
  const multiplier = 0xc6a4a7935bd1e995n;
  const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
  const mix = (value: bigint): bigint => value ^ (value >> 47n);
  const little = (from: number, to: number): bigint =>
    [...bytes.subarray(from, to)].reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n);
  let hash = 0xc70f6907n ^ wrap(BigInt(bytes.length) * multiplier);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    hash = wrap((hash ^ wrap(mix(wrap(little(at, at + 8) * multiplier)) * multiplier)) * multiplier);
  }
  if (whole < bytes.length) hash = wrap((hash ^ little(whole, bytes.length)) * multiplier);
  return mix(wrap(mix(hash) * multiplier));
}

describe('murmur2', () => {
  it.each([
    ['', '6142509188972423790'],
    ['foo', '9631199822919835226'],
    ['lyft', '12847078931730529320'],
  ])('of %j is %s', (text, expected) => {
    const { hi, lo } = murmur2String(text);
    expect(toDecimal(hi, lo)).toBe(expected);
  });

  it('agrees with 64-bit arithmetic for every length from 0 to 100', () => {
    for (let length = 0; length <= 100; length++) {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: length, maxLength: length, size: 'max' }), (bytes) => {
          expect(murmur2(bytes)).toEqual(fromBigInt(murmur2InBigInt(bytes)));
        }),
        { numRuns: 5 },
      );
    }
  });
});
