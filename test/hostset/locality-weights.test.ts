import { describe, expect, it } from 'vitest';
import type { HostSet } from '../../src/hostset/host-set.js';
import {
  createLocalitySchedule,
  effectiveLocalityWeight,
  effectiveLocalityWeights,
  nextLocality,
  UNWEIGHTED_LOCALITIES,
  WeightedLocalities,
} from '../../src/hostset/locality-weights.js';
import { DEGRADED, hostsOf, level, scripted, UNHEALTHY, zone } from '../support/balancing.js';

describe('the effective weight of a locality', () => {
  it.each([
    // weight, eligible, counted, overprovisioning
    [1, 1, 5, 140, 1.4 * 0.2],
    [2, 1, 1, 140, 2],
    [3, 7, 10, 140, 3 * (1.4 * 0.7)],
    [3, 8, 10, 140, 3],
    [3, 8, 10, 100, 3 * 0.8],
    [5, 0, 0, 140, 0],
    [0, 5, 5, 140, 0],
  ])('%i with %i of %i hosts at %i %%', (weight, eligible, counted, factor, expected) => {
    expect(effectiveLocalityWeight(weight, eligible, counted, factor)).toBe(expected);
  });
});

function twoZones(): HostSet {
  const hosts = [
    ...hostsOf(1, { locality: zone('a') }),
    ...hostsOf(4, { locality: zone('a'), flags: UNHEALTHY }, 1),
    ...hostsOf(1, { locality: zone('b') }, 5),
    ...hostsOf(1, { locality: zone('b'), flags: DEGRADED }, 6),
  ];
  return level(hosts, { localityWeights: { a: 1, b: 2 } });
}

describe('the weights of a level', () => {
  it('are those of its localities', () => {
    // a: 1 of 5 healthy; b: 1 of 2, which overprovisioning makes 0.7.
    expect(effectiveLocalityWeights(twoZones(), (group) => group.healthy.length)).toEqual([1.4 * 0.2, 2 * (1.4 * 0.5)]);
  });

  it('do not exist without any, with only zeros or with nobody eligible', () => {
    const hosts = hostsOf(2, { locality: zone('a') });
    expect(effectiveLocalityWeights(level(hosts), () => 1)).toBeUndefined();
    expect(effectiveLocalityWeights(level(hosts, { localityWeights: { a: 0 } }), () => 2)).toBeUndefined();
    expect(effectiveLocalityWeights(level(hosts, { localityWeights: { a: 3 } }), () => 0)).toBeUndefined();
  });
});

describe('the schedule of localities', () => {
  function turns(weights: readonly number[], count: number, seed?: number): number[] {
    const schedule = createLocalitySchedule(weights, seed);
    return Array.from({ length: count }, () => (schedule === undefined ? -1 : nextLocality(schedule)));
  }

  it('goes by weight and leaves out zeros', () => {
    expect(turns([1, 2], 6)).toEqual([1, 0, 1, 1, 0, 1]);
    expect(turns([1, 0, 1], 4)).toEqual([0, 2, 0, 2]);
  });

  it('stands where the first picks of its seed have led', () => {
    expect(turns([1, 2], 6, 0)).toEqual([1, 0, 1, 1, 0, 1]);
    expect(turns([1, 2], 6, 1)).toEqual([0, 1, 1, 0, 1, 1]);
  });
});

describe('weighted localities', () => {
  it('keep a schedule for healthy and one for degraded hosts', () => {
    const localities = new WeightedLocalities('1.17', scripted());
    localities.update(twoZones());
    expect(localities.describe(0)).toEqual({ healthy: [1.4 * 0.2, 1.4], degraded: [0, 1.4] });
    expect(localities.choose(0, true)).toBe(1);
    // 0.28 of 1.68 is one in six; deadlines 0.71, 1.43, 2.14, 2.86, 3.57 (twice).
    expect(Array.from({ length: 6 }, () => localities.choose(0, false))).toEqual([1, 1, 1, 1, 0, 1]);
  });

  it('choose nobody in a level they do not know', () => {
    expect(new WeightedLocalities('1.17', scripted()).choose(3, false)).toBe(-1);
    expect(UNWEIGHTED_LOCALITIES.choose(0, false, scripted())).toBe(-1);
  });

  it('begin anew at every update', () => {
    const localities = new WeightedLocalities('1.17', scripted());
    localities.update(twoZones());
    for (let i = 0; i < 4; i++) localities.choose(0, false);
    localities.update(twoZones());
    expect(Array.from({ length: 5 }, () => localities.choose(0, false))).toEqual([1, 1, 1, 1, 0]);
  });

  it('draw one seed for each level and update in the modern proxy, none in the v2 era', () => {
    const modern = scripted(1, 2, 3);
    const localities = new WeightedLocalities('1.40', modern);
    localities.update(twoZones());
    localities.update(level([], { priority: 1 }));
    localities.update(twoZones());
    expect(modern.draws).toBe(3);
    const old = scripted(1, 2, 3);
    new WeightedLocalities('1.17', old).update(twoZones());
    expect(old.draws).toBe(0);
  });
});
