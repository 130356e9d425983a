import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Axis, grid, latinHypercube, parseAxis, randomDesign } from '../../../src/analysis/sweep/axis.js';
import {
  byScore,
  differenceOf,
  measureNamed,
  measuresOf,
  missOf,
  nextRound,
  parseBound,
  scoreOf,
} from '../../../src/analysis/sweep/sweep.js';

function axis(text: string): Axis {
  const parsed = parseAxis(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

const valuesOf = ({ size, at }: Axis): string[] => Array.from({ length: size }, (_, index) => at(index));

describe('the values of an axis', () => {
  it.each([
    ['a.b=x,y', ['x', 'y']],
    ['a["x=y"]=1', ['1']],
    ['a=[1,2],{b: c, d: "e,f"}', ['[1,2]', '{b: c, d: "e,f"}']],
    ['a=2..5', ['2', '3', '4', '5']],
    ['a=0..1:0.25', ['0', '0.25', '0.5', '0.75', '1']],
    ['a=0.1..0.35:0.1', ['0.1', '0.2', '0.3']],
    ['a=10ms..100ms:lin4', ['10ms', '40ms', '70ms', '100ms']],
    ['a=10..100ms:30ms', ['10ms', '40ms', '70ms', '100ms']],
    ['a=100/s..900/s:400', ['100/s', '500/s', '900/s']],
    ['a=1..1000:log4', ['1', '10', '100', '1000']],
    ['a=1ms..100ms:log5', ['1ms', '3.162ms', '10ms', '31.62ms', '100ms']],
    // Whole numbers stay whole, and none stands twice.
    ['a=1..4:log6', ['1', '2', '3', '4']],
    ['a=10%..30%', ['10%', '11%', '12%']],
  ])('%s', (text, values) => {
    expect(valuesOf(axis(text)).slice(0, text.includes('%') ? 3 : undefined)).toEqual(values);
  });

  it.each([
    ['a', 'write a path and values'],
    ['=1', 'write a path and values'],
    ['a=', 'empty value'],
    ['a=1,,2', 'empty value'],
    ['a=5..2', 'ends before it begins'],
    ['a=0..9:log3', 'begin above it'],
    ['a=1ms..2s', 'one unit'],
    ['a=0.5..2', 'say how many points'],
    ['a=1..2:0', 'longer than 0'],
    ['a=1..9:lin1', '2 to 10,000 points'],
    ['a=0..1:0.0000000001', 'at most'],
  ])('%s is refused', (text, words) => {
    expect(parseAxis(text)).toContain(words);
  });
});

describe('a design', () => {
  it('of a grid has every combination, the last axis fastest', () => {
    const { size, at } = grid([axis('a=x,y'), axis('b=1..3')]);
    expect(Array.from({ length: size }, (_, index) => at(index).join(''))).toEqual([
      'x1',
      'x2',
      'x3',
      'y1',
      'y2',
      'y3',
    ]);
    const huge = grid([axis('a=1..100000'), axis('b=1..10000')]);
    expect(huge.size).toBe(1e9);
    expect(huge.at(1e9 - 1)).toEqual(['100000', '10000']);
  });

  it('of a Latin hypercube has one point in each part of each axis', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.string(), (size, seed) => {
        const design = latinHypercube([axis('a=0..1:lin2'), axis(`b=1..${2 * size}`)], size, seed);
        const points = Array.from({ length: size }, (_, index) => design.at(index).map(Number));
        // Each value of the second axis lies in one of `size` pairs.
        const pairs = points.map(([, b = 0]) => Math.floor((b - 1) / 2)).sort((a, b) => a - b);
        expect(pairs).toEqual(Array.from({ length: size }, (_, part) => part));
      }),
    );
  });

  it('that is drawn is the same for one seed, and lies within', () => {
    const axes = [axis('a=10ms..1000ms:log3'), axis('b=x,y,z')];
    const points = (seed: string): readonly (readonly string[])[] => {
      const design = randomDesign(axes, 40, seed);
      return Array.from({ length: 40 }, (_, index) => design.at(index));
    };
    expect(points('1')).toEqual(points('1'));
    expect(points('1')).not.toEqual(points('2'));
    for (const [a = '', b = ''] of points('1')) {
      expect(a).toMatch(/^\d+(\.\d+)?ms$/);
      expect(Number.parseFloat(a)).toBeGreaterThanOrEqual(10);
      expect(Number.parseFloat(a)).toBeLessThanOrEqual(1000);
      expect(['x', 'y', 'z']).toContain(b);
    }
    // On a scale of factors half of the points lie below the geometric mean: 20 ± 5 · √10.
    const low = points('1').filter(([a = '']) => Number.parseFloat(a) < 100).length;
    expect(Math.abs(low - 20)).toBeLessThan(5 * Math.sqrt(10));
  });
});

describe('measures', () => {
  const one = measuresOf(['web']);

  it('have short names, with the cluster where there are several', () => {
    expect(measureNamed('p99', one)).toMatchObject({ number: 'clusters.web.latency_ms.p99', unit: 'ms' });
    expect(measureNamed('b.failures', measuresOf(['a', 'b']))).toMatchObject({ number: 'clusters.b.failed_share' });
    expect(measureNamed('totals.retries', one)).toMatchObject({ number: 'totals.retries' });
    expect(measureNamed('p98', one)).toContain('there is no p98: there are requests, failures');
  });

  it.each([
    ['failures<0.1%', 0.002, 1],
    ['failures<0.1%', 0.001, 0],
    ['p99<=50ms', 75, 0.5],
    ['p99<1s', 999, 0],
    ['requests>100', 50, 0.5],
  ])('%s is missed by %s by the part %s', (text, mean, miss) => {
    const bound = parseBound(text, one);
    if (typeof bound === 'string') throw new Error(bound);
    expect(missOf(bound, mean)).toBeCloseTo(miss, 12);
  });

  it.each([
    ['p99', 'write a measure and its bound'],
    ['p98<1', 'there is no p98'],
    ['p99<50%', 'is a time'],
    ['failures<1ms', 'no unit ms'],
  ])('%s is refused', (text, words) => {
    expect(parseBound(text, one)).toContain(words);
  });
});

describe('a search', () => {
  const [p99] = [measureNamed('p99', measuresOf(['web']))];
  if (typeof p99 === 'string') throw new Error(p99);
  const bound = parseBound('failures<=1%', measuresOf(['web']));
  if (typeof bound === 'string') throw new Error(bound);
  const run = (latency: number, failed: number): Record<string, number> => ({
    'clusters.web.latency_ms.p99': latency,
    'clusters.web.failed_share': failed,
  });

  it('goes on with the best third and three times the runs', () => {
    const ranked = [4, 2, 0, 1, 3];
    expect(nextRound({ points: [0, 1, 2, 3, 4], runs: 3 }, ranked, 3)).toEqual({ points: [4, 2], runs: 9 });
    expect(nextRound({ points: [4], runs: 9 }, [4], 3)).toBeUndefined();
    expect(nextRound({ points: [4, 2], runs: 81 }, [4, 2], 3)).toBeUndefined();
  });

  it('puts bounds first, then what is wanted, and points without numbers last', () => {
    const goal = { measure: p99, maximize: false, bounds: [bound] };
    const scores = [[run(10, 0.02)], [run(30, 0)], [], [run(20, 0.01)]].map((runs) => scoreOf(runs, goal));
    const order = [0, 1, 2, 3].sort((a, b) => {
      const [first, second] = [scores[a], scores[b]];
      return first === undefined || second === undefined ? 0 : byScore(first, second);
    });
    expect(order).toEqual([3, 1, 0, 2]);
    expect(scoreOf([run(10, 0)], { ...goal, maximize: true }).value).toBe(-10);
  });

  it('compares run by run', () => {
    const [low, high] = [
      [run(1, 0), run(5, 0), run(9, 0)],
      [run(2, 0), run(6, 0), run(10, 0)],
    ];
    expect(differenceOf(low, high, p99)).toEqual({ mean: 1, low: 1, high: 1 });
    expect(differenceOf([], high, p99)).toBeUndefined();
  });
});
