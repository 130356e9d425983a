import { expect, test } from 'vitest';
import { gapsOf, rotationChances } from '../../src/predict/under-load/rotation-chances.js';

const hostsOf = (count: number, failed: number) =>
  Array.from({ length: count }, (_, at) => ({
    chances: { done: at === 0 ? 1 : 1 - failed, accepted: 0, failed: at === 0 ? 0 : failed },
    omitted: false,
  }));

const anywhere = (size: number): readonly Float64Array[] =>
  Array.from({ length: 9 }, () => new Float64Array(size).fill(1 / size));

test('a rotation with so many ways to go that nobody can follow them has no chances', () => {
  const tried = { attempts: 5, previousHosts: true };
  expect(rotationChances(hostsOf(4, 1), 3, tried, () => anywhere(4))).toBeDefined();
  expect(rotationChances(hostsOf(30, 1), 6, tried, () => anywhere(30))).toBeUndefined();
});

test('retries that come anywhere in the rotation meet each host alike', () => {
  const found = rotationChances(hostsOf(4, 0.5), 2, { attempts: 0, previousHosts: false }, () => anywhere(4));
  // 1 of 4 hosts always answers, 3 of 4 every second time: 5/8; a retry does so, too.
  expect(found?.after.map((chance) => Number(chance.toFixed(6)))).toEqual([0.625, 0.859375]);
  expect(found?.reach.map((part) => Number(part.toFixed(6)))).toEqual([1, 0.375]);
});

test('the picks in between are all of them, whatever their mean', () => {
  for (const rate of [0.5, 40, 3000, 1e6]) {
    const gaps = gapsOf(7, 20, 0, rate);
    expect(gaps.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 12);
  }
});
