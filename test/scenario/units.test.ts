import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_VERSIONS } from '../../src/core/version.js';
import { formatDuration } from '../../src/core/words.js';
import { toBigInt } from '../../src/core/u64.js';
import {
  formatPercent,
  formatRate,
  parseDuration,
  parsePercent,
  parseRate,
  parseSeed,
  parseU64,
  parseVersion,
} from '../../src/scenario/fields/units.js';

function value<T>(parsed: { ok: true; value: T } | { ok: false; message: string }): T {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

function message(parsed: { ok: boolean; message?: string }): string {
  expect(parsed.ok).toBe(false);
  return parsed.message ?? '';
}

describe('durations', () => {
  it.each([
    ['250ms', 250_000],
    ['1.5s', 1_500_000],
    ['5m', 300_000_000],
    ['2h', 7_200_000_000],
    ['10us', 10],
    ['10µs', 10],
    ['0.000001s', 1],
    ['0.1m', 6_000_000],
    ['1 s', 1_000_000],
    ['0', 0],
    ['0s', 0],
    ['0.250s', 250_000],
    ['9007199254740991us', Number.MAX_SAFE_INTEGER],
  ])('%s is %d µs', (text, micros) => {
    expect(value(parseDuration(text))).toBe(micros);
  });

  it.each([
    ['5', '5 has no unit: write 5s for seconds, or 5ms, 5m, 5h'],
    ['-1s', '-1s is negative: a duration is 0 or longer'],
    ['soon', '"soon" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['1d', '"1d" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['1m30s', '"1m30s" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['.5s', '".5s" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['1e3s', '"1e3s" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['', '"" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h'],
    ['0.5us', '0.5us is finer than a microsecond, the unit of virtual time'],
    ['1000000000000h', '1000000000000h is longer than the 285 years that can be counted'],
  ])('refuses %j', (text, sentence) => {
    expect(message(parseDuration(text))).toBe(sentence);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (micros) => {
        expect(value(parseDuration(formatDuration(micros)))).toBe(micros);
      }),
    );
  });
});

describe('rates', () => {
  it.each([
    ['500/s', 500],
    ['30/m', 0.5],
    ['2/h', 2 / 3600],
    ['0/s', 0],
    ['1.5/s', 1.5],
    ['1e3/s', 1000],
    ['10 / s', 10],
  ])('%s is %d per second', (text, perSecond) => {
    expect(value(parseRate(text))).toBe(perSecond);
  });

  it.each([
    ['500', '500 has no unit: write 500/s for 500 per second, or 500/m, 500/h'],
    ['-5/s', '-5/s is negative: a rate is 0 or more'],
    ['fast', '"fast" is not a rate: write a number per unit, as 500/s, 30/m or 2/h'],
    ['5/d', '"5/d" is not a rate: write a number per unit, as 500/s, 30/m or 2/h'],
    ['1e999/s', '1e999/s is more than 1000000000 per second'],
  ])('refuses %j', (text, sentence) => {
    expect(message(parseRate(text))).toBe(sentence);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (perSecond) => {
        expect(value(parseRate(formatRate(perSecond)))).toBe(perSecond);
      }),
    );
  });
});

describe('percentages', () => {
  it.each([
    ['12%', 0.12],
    ['0.12', 0.12],
    ['99.9%', 0.999],
    ['0.5%', 0.005],
    ['0.5 %', 0.005],
    ['0', 0],
    ['1', 1],
    ['100%', 1],
    ['1e-3', 0.001],
  ])('%s is the portion %d', (text, portion) => {
    expect(value(parsePercent(text))).toBe(portion);
  });

  it.each([
    ['50', 'a bare 50 is not a percentage: write 50%, or a portion of 1 as 0.12'],
    ['1.5', 'a bare 1.5 is not a percentage: write 1.5%, or a portion of 1 as 0.12'],
    ['101%', '101% is more than 100%: allowed are 0% to 100%'],
    ['-1%', '-1% is negative: allowed are 0% to 100%'],
    ['half', '"half" is not a percentage: write 12% or 0.12'],
  ])('refuses %j', (text, sentence) => {
    expect(message(parsePercent(text))).toBe(sentence);
  });

  it('rounds a percentage once: N% is the double nearest to N hundredths', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (thousandths) => {
        const text = (thousandths / 1000).toFixed(3);
        expect(value(parsePercent(`${text}%`))).toBe(thousandths / 100_000);
      }),
    );
  });

  it('is shown with at most three decimals', () => {
    expect([0.12, 1 / 3, 0.999, 1].map(formatPercent)).toEqual(['12 %', '33.333 %', '99.9 %', '100 %']);
  });
});

describe('values that must not pass through a double', () => {
  it('keeps the text of a seed', () => {
    expect(value(parseSeed('7'))).toBe('7');
    expect(value(parseSeed('18446744073709551617'))).toBe('18446744073709551617');
    expect(message(parseSeed(''))).toContain('not empty');
  });

  it('knows the release lines', () => {
    for (const line of ['1.12', '1.30', '1.40']) expect(value(parseVersion(line))).toBe(line);
    for (const line of ['1.11', '1.99', '2.17', '1.17x', '1.017'])
      expect(message(parseVersion(line))).toContain('allowed are');
    expect(message(parseVersion('1.4'))).toBe(
      `"1.4" is not a version that can be simulated: allowed are ${ALL_VERSIONS}`,
    );
    expect(message(parseVersion('v1.17.3'))).toBe('"v1.17.3" is not a version that can be simulated: write "1.17"');
  });

  it('reads 64-bit values whole', () => {
    expect(value(parseU64('18446744073709551615'))).toEqual({ hi: 0xffffffff, lo: 0xffffffff });
    expect(value(parseU64('0x100000000'))).toEqual({ hi: 1, lo: 0 });
    for (const text of ['18446744073709551616', '-1', '1.0', '', '1e3']) {
      expect(message(parseU64(text))).toContain('allowed are 0 to 18446744073709551615');
    }
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (big) => {
        expect(toBigInt(value(parseU64(String(big))))).toBe(big);
      }),
    );
  });
});
