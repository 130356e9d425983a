import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearRegexProblem, LinearRegex } from '../../src/stats/linear-regex.js';

/** Engines disagree about repeats of nothing, and assertions cannot be repeated. */
function isRepeatable(atom: string): boolean {
  return !/[\^$]|\\b/.test(atom.replaceAll('[^', '[')) && !new RegExp(`^(?:${atom})$`).test('');
}

/** Expressions out of what users write, nested at random. */
const expressions = fc.letrec<{ expression: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '.', '\\d', '[ab]', '[^a]', '\\.', '^', '$', '\\b'),
    tie('expression').map((body) => `(${body})`),
    tie('expression').map((body) => `(?:${body})`),
  ),
  expression: fc
    .array(
      fc
        .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}'), fc.boolean())
        .map(([atom, repeat, or]) => (isRepeatable(atom) ? atom + repeat : atom) + (or ? '|' : '')),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).expression;

describe('the linear-time engine', () => {
  it('finds what the platform’s engine finds', () => {
    fc.assert(
      fc.property(
        expressions,
        fc.string({ unit: fc.constantFrom('a', 'b', '1', '.'), maxLength: 8 }),
        (source, text) => {
          const match = new LinearRegex(source).search(text);
          const expected = new RegExp(source).exec(text);
          expect(match?.range(0)).toEqual(
            expected === null ? undefined : [expected.index, expected.index + expected[0].length],
          );
          expect(new LinearRegex(source).matches(text)).toBe(new RegExp(`^(?:${source})$`).test(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('captures groups as the platform’s engine does', () => {
    for (const [source, text] of [
      ['_rq(_(\\d{3}))$', 'cluster.up.upstream_rq_503'],
      ['^cluster\\.((.+?)\\.)', 'cluster.dot.ted.x'],
      ['(u)(p)(s)', 'cluster.upstream'],
      ['(a|ab)(c|bcd)(d*)', 'abcd'],
      ['(?P<zone>z\\d+)\\.(?<rest>.*)', 'zone.z1.z2'],
      ['x(time)?', 'x'],
    ] as const) {
      const match = new LinearRegex(source).search(text);
      const expected = new RegExp(source.replace('?P<', '?<'), 'd').exec(text);
      expect(expected?.indices?.map((range) => range ?? null)).toEqual(
        expected?.map((_, group) => match?.range(group) ?? null),
      );
    }
  });

  it('takes no exponential time', () => {
    // A backtracking engine needs 2^5000 steps.
    expect(new LinearRegex('^(a+)+$').search(`${'a'.repeat(5000)}!`)).toBeUndefined();
    expect(new LinearRegex('(a|a)*b').matches('a'.repeat(5000))).toBe(false);
  });

  it('refuses what only a backtracking engine can follow', () => {
    expect(linearRegexProblem('a(?=b)')).toBe('look-around cannot be matched in linear time');
    expect(linearRegexProblem('(?<!b)a')).toBe('look-around cannot be matched in linear time');
    expect(linearRegexProblem('(a)\\1')).toBe('back-references cannot be matched in linear time');
    expect(linearRegexProblem('((a{1000}){1000})')).toBe('the repeats make it too large');
    expect(linearRegexProblem('a**')).toBe('nothing to repeat');
    expect(linearRegexProblem('(a')).toBe('missing )');
    expect(linearRegexProblem('[a-z]+\\.(?i:x)')).toBe('this kind of group is not known');
    expect(linearRegexProblem('(?i)cluster\\..*')).toBeUndefined();
  });
});
