import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostLoads } from '../../src/policy/bounded-load.js';
import { chooseBounded, overloadFactor } from '../../src/policy/bounded-load.js';
import { HostShuffle } from '../../src/policy/host-shuffle.js';
import { MersenneTwister } from '../../src/policy/mersenne-twister.js';

const loads = (factors: readonly number[]): HostLoads => ({
  hostCount: factors.length,
  factor: (host) => factors[host] as number,
});

function walk(shuffle: HostShuffle, seed: number, hostCount: number): number[] {
  const order: number[] = [];
  shuffle.start(seed, hostCount);
  for (let host = shuffle.next(); host >= 0; host = shuffle.next()) order.push(host);
  return order;
}

describe('MersenneTwister', () => {
  it('gives the values that the C++ standard names for mt19937', () => {
    const generator = new MersenneTwister();
    generator.seed(5489);
    const values = Array.from({ length: 10_000 }, () => generator.next());
    expect(values[0]).toBe(3499211612);
    expect(values[9_999]).toBe(4123659995);
  });

  it('starts over with each seed, wherever it was', () => {
    const generator = new MersenneTwister();
    const fresh = new MersenneTwister();
    for (const draws of [0, 1, 226, 227, 228, 623, 624, 625, 2000]) {
      generator.seed(1);
      for (let i = 0; i < draws; i++) generator.next();
      generator.seed(7);
      fresh.seed(7);
      for (let i = 0; i < 1500; i++) expect(generator.next()).toBe(fresh.next());
    }
  });
});

describe('HostShuffle', () => {
  it.each([
    [2, [2, 1, 0, 4, 3]],
    [6, [4, 0, 2, 3, 1]],
    [7, [0, 1, 4, 3, 2]],
  ])('with seed %i orders five hosts as the proxy does', (seed, order) => {
    expect(walk(new HostShuffle(), seed, 5)).toEqual(order);
  });

  it('sees every host once, whatever it was used for before', () => {
    const shuffle = new HostShuffle();
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(200), fc.nat(200), (seed, hostCount, looked) => {
        const order = walk(shuffle, seed, hostCount);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: hostCount }, (_, i) => i));
        shuffle.start(seed + 1, 200);
        for (let i = 0; i < looked; i++) shuffle.next();
        expect(walk(shuffle, seed, hostCount)).toEqual(order);
      }),
    );
  });

  it('puts each host first equally often: within 5 σ over 30,000 seeds', () => {
    const hosts = 6;
    const seeds = 30_000;
    const first = new Array<number>(hosts).fill(0);
    const shuffle = new HostShuffle();
    for (let seed = 0; seed < seeds; seed++) {
      shuffle.start(seed, hosts);
      const host = shuffle.next();
      first[host] = (first[host] as number) + 1;
    }
    const sigma = Math.sqrt(seeds * (1 / hosts) * (1 - 1 / hosts));
    for (const count of first) expect(Math.abs(count - seeds / hosts)).toBeLessThan(5 * sigma);
  });
});

describe('chooseBounded', () => {
  const shuffle = new HostShuffle();

  it('keeps the hashed host up to a factor of exactly 1', () => {
    expect(chooseBounded(2, 2, loads([0, 0, 1, 0, 0]), shuffle)).toBe(2);
  });

  it('spills to the first of the order that is not overloaded', () => {
    // The order of seed 2 is 2 1 0 4 3.
    expect(chooseBounded(2, 2, loads([0.5, 0.5, 1.02, 0.5, 0.5]), shuffle)).toBe(1);
    expect(chooseBounded(2, 2, loads([0.5, 1.01, 1.02, 0.5, 0.5]), shuffle)).toBe(0);
    expect(chooseBounded(2, 2, loads([2, 2, 1.02, 1, 2]), shuffle)).toBe(3);
  });

  it('falls back to the least overloaded; the hashed host wins where all are alike', () => {
    expect(chooseBounded(0, 0, loads([1.03, 1.02, 1.04]), shuffle)).toBe(1);
    expect(chooseBounded(1, 77, loads([3, 3, 3]), shuffle)).toBe(1);
    expect(chooseBounded(0, 5, loads([9]), shuffle)).toBe(0);
  });

  it('hands back that there is nobody', () => {
    expect(chooseBounded(-1, 5, loads([]), shuffle)).toBe(-1);
  });

  it('always takes a host that is not overloaded if there is one, and the same one for the same hash', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.nat(0xffffffff),
        fc.nat(),
        (factors, hashLo, any) => {
          const hashed = any % factors.length;
          const chosen = chooseBounded(hashed, hashLo, loads(factors), shuffle);
          const factor = factors[chosen] as number;
          if (factors.some((each) => each <= 1)) expect(factor).toBeLessThanOrEqual(1);
          else expect(factor).toBe(Math.min(...factors));
          expect(chooseBounded(hashed, hashLo, loads(factors), new HostShuffle())).toBe(chosen);
        },
      ),
    );
  });
});

describe('overloadFactor', () => {
  it.each([
    // (0 + 1)·100 + 99 → 1 slot in all, and at least one for each host.
    { active: 1, clusterActive: 0, weight: 0.2, balance: 100, expected: 1 },
    { active: 2, clusterActive: 0, weight: 0.2, balance: 100, expected: 2 },
    // (19 + 1)·150 % → 30 slots, a fifth of them 6.
    { active: 6, clusterActive: 19, weight: 0.2, balance: 150, expected: 1 },
    { active: 9, clusterActive: 19, weight: 0.2, balance: 150, expected: 1.5 },
    // (9 + 1)·101 % → 10.1, rounded up to 11 by the + 99; a tenth of them 1.1, rounded up to 2.
    { active: 3, clusterActive: 9, weight: 0.1, balance: 101, expected: 1.5 },
    // hash_balance_factor 1 in the proxy's own tests: 1 % of a request is still one slot.
    { active: 2, clusterActive: 0, weight: 0.2, balance: 1, expected: 2 },
    // (42949672 + 1)·100 + 99 = 2³² + 103 wraps to 103.
    { active: 4, clusterActive: 42_949_672, weight: 1, balance: 100, expected: 4 },
  ])('$active active of $clusterActive, weight $weight, factor $balance: $expected', (row) => {
    expect(overloadFactor(row.active, row.clusterActive, row.weight, row.balance)).toBe(row.expected);
  });
});
