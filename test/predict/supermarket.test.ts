import { describe, expect, it } from 'vitest';
import { equilibriumOf, type HostClass } from '../../src/predict/under-load/supermarket.js';
import { weightedShares } from '../../src/predict/under-load/weighted-load.js';

const queue = (count: number, service = 1): HostClass => ({ count, held: 0, wire: 0, service, servers: 1 });

describe('the supermarket model', () => {
  // s_i = λ^((dⁱ − 1) / (d − 1)): the part of queues with i or more customers.
  it.each([
    [0.5, 2],
    [0.9, 2],
    [0.7, 3],
    [0.95, 5],
  ])('at a load of %s with %i choices has the closed form of its tails', (load, choices) => {
    const [open = new Float64Array()] = equilibriumOf([queue(10)], 10 * load, choices, false)?.open ?? [];
    let tail = 1;
    for (let i = 0; i < 6; i++) {
      expect(tail).toBeCloseTo(Math.pow(load, (Math.pow(choices, i) - 1) / (choices - 1)), 7);
      tail -= open[i] ?? 0;
    }
  });

  it('with one choice is a queue by itself: M/M/c and M/M/∞', () => {
    const [open = new Float64Array()] = equilibriumOf([{ ...queue(3), servers: Infinity }], 6, 1, true)?.open ?? [];
    for (const [k, factorial] of [1, 1, 2, 6].entries()) {
      expect(open[k]).toBeCloseTo((Math.exp(-2) * 2 ** k) / factorial, 9);
    }
    const [two = new Float64Array()] = equilibriumOf([{ ...queue(1), servers: 2 }], 1, 1, true)?.open ?? [];
    // ρ = 1/2: p₀ = (1 − ρ) / (1 + ρ), pₖ = 2 p₀ ρᵏ.
    for (const k of [1, 2, 3]) expect(two[k]).toBeCloseTo((2 / 3) * 0.5 ** k, 9);
  });

  it('of a wire and a queue is their product, where nobody looks at them', () => {
    const [open = new Float64Array()] = equilibriumOf([{ ...queue(1), wire: 2 }], 0.5, 1, true)?.open ?? [];
    // The wire is M/G/∞ with mean 1, the queue M/M/1 with ρ = 1/2: P(nobody anywhere) = e⁻¹ / 2.
    expect(open[0]).toBeCloseTo(Math.exp(-1) / 2, 9);
    expect(open.reduce((sum, part, k) => sum + part * k, 0)).toBeCloseTo(2, 6);
  });

  it('of ever more hosts comes to that of infinitely many', () => {
    const classes = (count: number): HostClass[] => [queue(count, 0.5), queue(count)];
    const offBy = (count: number): number => {
      const [finite, infinite] = [true, false].map((own) => equilibriumOf(classes(count), 2 * count, 2, own));
      return Math.abs((finite?.shares[0] ?? 0) - (infinite?.shares[0] ?? 1)) * count;
    };
    expect(offBy(100)).toBeLessThan(offBy(10) / 5);
    expect(offBy(1000)).toBeLessThan(offBy(100) / 5);
  });

  it('keeps its figures finite where a thousand requests are open at each host', () => {
    const busy = { ...queue(3), servers: Infinity };
    const { open: [open = new Float64Array()] = [] } = equilibriumOf([busy], 3000, 1, false) ?? {};
    expect(open.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 9);
    expect(open.reduce((sum, part, k) => sum + part * k, 0)).toBeCloseTo(1000, 3);
  });

  it('has no equilibrium where hosts do not keep up', () => {
    expect(equilibriumOf([queue(2)], 2.1, 2, true)).toBeUndefined();
  });
});

describe('a schedule by weight and open requests', () => {
  const open = (weight: number, seconds: number, count = 1) => ({ count, weight, held: 0, open: seconds });

  it('is that of weights alone where nobody is busy, or bias is 0', () => {
    expect(weightedShares([open(3, 0), open(1, 0)], 100, 1)?.[0]).toBeCloseTo(0.75, 9);
    expect(weightedShares([open(3, 1), open(1, 2)], 100, 0)?.[0]).toBeCloseTo(0.75, 9);
  });

  it('gives equal hosts equal shares, and all of them add up', () => {
    const shares = weightedShares([open(2, 0.1, 3), open(2, 0.1, 2), open(1, 0.3, 4)], 100, 1) ?? [];
    expect(shares[0]).toBeCloseTo(shares[1] ?? 0, 9);
    expect(3 * (shares[0] ?? 0) + 2 * (shares[1] ?? 0) + 4 * (shares[2] ?? 0)).toBeCloseTo(1, 9);
  });

  it('follows the square root of weight over time where very many requests are open', () => {
    // With a open requests, a pick each (a + 1) / (w x): a = rate · seconds makes the rate go as √(w / seconds).
    const shares = weightedShares([open(4, 1), open(1, 1)], 200, 1) ?? [];
    expect((shares[0] ?? 0) / (shares[1] ?? 1)).toBeCloseTo(2, 1);
  });
});
