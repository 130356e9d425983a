import { describe, expect, it } from 'vitest';
import {
  count,
  counted,
  decimal,
  digitsNeeded,
  listed,
  millis,
  percent,
  proxyCalled,
  seconds,
  shareDigits,
  shortPercentDigits,
} from '../../src/report/format.js';

describe('names of proxies', () => {
  it('say once that they are proxies', () => {
    const names = ['edge', 'proxy', 'proxy-2', 'proxy-2-1', 'proxyless'];
    expect(names.map(proxyCalled)).toEqual(['proxy edge', 'proxy', 'proxy-2', 'proxy-2-1', 'proxy proxyless']);
  });
});

describe('numbers for people', () => {
  it('separates thousands', () => {
    expect([0, 999, 1000, 1234567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect(counted(1, 'host')).toBe('1 host');
    expect(counted(1500, 'entry', 'entries')).toBe('1,500 entries');
  });

  it('never shows something as nothing, nor nearly all as all', () => {
    expect([0, 1e-9, 0.0004, 0.0006, 1 / 3, 0.9994, 0.9996, 1].map((share) => percent(share))).toEqual([
      '0.0 %',
      '<0.1 %',
      '<0.1 %',
      '0.1 %',
      '33.3 %',
      '99.9 %',
      '>99.9 %',
      '100.0 %',
    ]);
    expect([0, 0.5, 1].map(shortPercentDigits)).toEqual(['0', '50.0', '100']);
  });

  it('uses more decimals among very many', () => {
    expect([1, 20, 100, 101, 1000, 10_000].map(shareDigits)).toEqual([1, 1, 1, 2, 2, 3]);
    expect([0, 0.0000001, 0.0001, 0.99, 0.9999999].map((share) => percent(share, 3))).toEqual([
      '0.000 %',
      '<0.001 %',
      '0.010 %',
      '99.000 %',
      '>99.999 %',
    ]);
  });

  it('keeps what counts of times', () => {
    expect([60, 0.25, 21.4, 0.000001, 1234.5].map(seconds)).toEqual([
      '60 s',
      '0.25 s',
      '21.4 s',
      '0.000001 s',
      '1,234.5 s',
    ]);
    expect([null, 0, 0.25, 4.2, 12.34, 123.4, 4321].map(millis)).toEqual([
      '–',
      '0 ms',
      '0.250 ms',
      '4.20 ms',
      '12.3 ms',
      '123.4 ms',
      '4,321 ms',
    ]);
    expect(decimal(100, 2)).toBe('100');
    expect(digitsNeeded([0, 20, 21.4])).toBe(1);
  });

  it('joins names', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  });
});
