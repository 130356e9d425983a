import { describe, expect, it } from 'vitest';
import {
  availablePercent,
  isBelowPanicThreshold,
  panicThreshold,
  wholePercent,
} from '../../src/hostset/priority-load.js';
import { DEGRADED, EXCLUDED, hostsOf, level, runtimeOf, UNHEALTHY } from '../support/balancing.js';

describe('a configured percentage', () => {
  it.each([
    [0, 0],
    [0.9, 0],
    [33.9, 33],
    [50, 50],
    [100, 100],
  ])('%f counts as %i', (value, whole) => {
    expect(wholePercent(value)).toBe(whole);
  });

  it('loses one by rounding for 29, 57 and 58, and for no other whole number', () => {
    const off = Array.from({ length: 101 }, (_, value) => value).filter((value) => wholePercent(value) !== value);
    expect(off).toEqual([29, 57, 58]);
    expect(off.map(wholePercent)).toEqual([28, 56, 57]);
  });
});

describe('the panic threshold', () => {
  const key = 'upstream.healthy_panic_threshold';

  it.each([
    [{}, 50],
    [{ [key]: 20 }, 20],
    [{ [key]: 33.9 }, 33],
    [{ [key]: 400 }, 100],
    [{ [key]: 0 }, 0],
    [{ [key]: -1 }, 50],
  ])('with %j in the runtime is %i', (values, threshold) => {
    expect(panicThreshold(runtimeOf(values), 50)).toBe(threshold);
  });
});

it('counts what is available of the hosts that are not excluded', () => {
  const hostSet = level([
    ...hostsOf(1),
    ...hostsOf(1, { flags: DEGRADED }),
    ...hostsOf(2, { flags: UNHEALTHY }),
    ...hostsOf(4, { flags: UNHEALTHY | EXCLUDED }),
  ]);
  expect(availablePercent(hostSet)).toBe(50);
  expect(isBelowPanicThreshold(hostSet, 50)).toBe(false);
  expect(isBelowPanicThreshold(hostSet, 51)).toBe(true);
});

it('finds nobody available in an empty level, and no panic where the threshold is 0', () => {
  expect(availablePercent(level([]))).toBe(0);
  expect(isBelowPanicThreshold(level([]), 1)).toBe(true);
  expect(isBelowPanicThreshold(level([]), 0)).toBe(false);
});
