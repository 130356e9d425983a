import { describe, expect, it } from 'vitest';
import type { Sweep } from '../../src/index.js';
import type { SweepPicture } from '../../src/site/sweep-lines.js';
import { chartOf, firstField } from '../../src/site/sweep-lines.js';

const P99 = { name: 'p99', unit: 'ms' } as const;

function picture(fields: Readonly<Record<string, readonly string[]>>, design: Sweep['design'] = 'grid'): SweepPicture {
  const paths = Object.keys(fields);
  const combinations = Object.values(fields).reduce<readonly (readonly string[])[]>(
    (all, values) => all.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
  const results = combinations.map((values, point) => ({
    point,
    values: Object.fromEntries(values.map((value, axis) => [paths[axis] ?? '', value])),
    runs: 2,
    measures: { p99: { mean: point, low: point - 1, high: point + 1 } },
  }));
  const head = { format: 1, scenario: 'a', version: '1.17', seeds: ['1', '1-2'], confidence: 0.95 } as const;
  return {
    sweep: { ...head, design, paths, points: results.length, results },
    measures: [P99],
    fields: Object.fromEntries(paths.map((path) => [path, path.toUpperCase()])),
    answer: '',
  };
}

const placesOf = (values: readonly string[]): readonly number[] =>
  chartOf(picture({ a: values }), 'a', P99).ticks.map(({ x }) => Number(x.toFixed(3)));

describe('charts of a sweep', () => {
  it('have a line for each combination of the other fields, in the order of the values along it', () => {
    const chart = chartOf(picture({ policy: ['RANDOM', 'MAGLEV'], count: ['4', '2'], zone: ['a'] }), 'count', P99);
    expect(chart.lines.map(({ name }) => name)).toEqual(['POLICY RANDOM, ZONE a', 'POLICY MAGLEV, ZONE a']);
    expect(chart.lines[1]?.dots).toEqual([
      { x: 0, mean: 3, low: 2, high: 4, label: 'POLICY MAGLEV, COUNT 2, ZONE a' },
      { x: 1, mean: 2, low: 1, high: 3, label: 'POLICY MAGLEV, COUNT 4, ZONE a' },
    ]);
    expect(chart.top).toBe(4);
  });

  it('put numbers where they are, wide ranges by their factors, words one after the other', () => {
    expect(placesOf(['1', '2', '5'])).toEqual([0, 0.25, 1]);
    expect(placesOf(['500ms', '1s', '2s'])).toEqual([0, 0.333, 1]);
    expect(placesOf(['1', '10', '100'])).toEqual([0, 0.5, 1]);
    expect(placesOf(['RANDOM', 'MAGLEV'])).toEqual([0.25, 0.75]);
    expect(placesOf(['7', 'none'])).toEqual([0.25, 0.75]);
  });

  it('begin along the field with most numbers', () => {
    expect(firstField(picture({ a: ['x', 'y', 'z'], b: ['1', '2'], c: ['1'] }))).toBe('b');
    expect(firstField(picture({ a: ['x', 'y'] }))).toBe('a');
  });

  it('have one line of drawn points, and eight lines at most', () => {
    const drawn = chartOf(picture({ a: ['1', '2'], b: ['3', '4'] }, 'random'), 'a', P99);
    expect([drawn.joined, drawn.lines.length, drawn.lines[0]?.dots.length]).toEqual([false, 1, 4]);
    const many = chartOf(picture({ a: ['1', '2'], b: Array.from({ length: 11 }, (_, n) => `b${n}`) }), 'a', P99);
    expect([many.lines.length, many.left]).toEqual([8, 3]);
  });
});
