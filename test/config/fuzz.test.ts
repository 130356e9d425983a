import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_PROXY_VERSION } from '../../src/core/version.js';
import { hasErrors } from '../../src/core/problem.js';
import { Bootstrap, clustersOf } from '../../src/config/bootstrap.js';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { effectiveAssignment } from '../../src/config/assignment-rules.js';
import { isListedPolicy, policySettings } from '../../src/config/lb.js';
import { lbPolicyOf } from '../../src/config/policy/of-cluster.js';
import { check, parseDocument } from '../../src/config/reader.js';
import { detectKind } from '../../src/config/validate.js';
import { validateText } from '../support/validate.js';
import { BOOTSTRAP, EVERYTHING, staticCluster } from './samples.js';

/** Whatever a file says: a list of problems with places in it, or a configuration that can be used. */
function problemsOrConfig(text: string): void {
  const problems = validateText(text, 'f');
  const lines = text.split('\n').length;
  for (const problem of problems) {
    expect(problem.message).not.toBe('');
    expect(problem.rule).toMatch(/^[a-z0-9-]+$/);
    expect(problem.line).toBeGreaterThanOrEqual(1);
    expect(problem.line).toBeLessThanOrEqual(lines);
    expect(problem.column).toBeGreaterThanOrEqual(1);
  }
  const { document } = parseDocument(text, 'f');
  if (document === undefined || detectKind(document) === 'scenario') {
    expect(hasErrors(problems)).toBe(true);
    return;
  }
  const schema = detectKind(document) === 'cluster' ? Cluster : Bootstrap;
  const { value } = check(schema, document, { vocabulary: 'proxy' });
  expect(value === undefined).toBe(hasErrors(problems));
  if (value === undefined) return;
  for (const cluster of 'name' in value ? [value] : clustersOf(value)) {
    effectiveAssignment(cluster);
    if (isListedPolicy(lbPolicyOf(cluster))) policySettings(cluster, DEFAULT_PROXY_VERSION);
  }
}

const base = fc.constantFrom(EVERYTHING, BOOTSTRAP, staticCluster());
const junk = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\t',
    ':',
    ': ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '&a ',
    '*a',
    '!x ',
    '#',
    '|',
    '0',
  ),
  fc.constantFrom('null', 'true', '-1', '1e999', '18446744073709551616', '{}', '[]', '"@type"', 'value', '__proto__'),
  fc.string({ maxLength: 4 }),
);

describe('a mutated document gives problems or a configuration, and never throws', () => {
  test('with characters put in, taken out or replaced', () => {
    const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 12 }), junk);
    fc.assert(
      fc.property(base, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        let mutated = text;
        for (const [where, length, replacement] of edits) {
          const at = Math.floor(where * mutated.length);
          mutated = mutated.slice(0, at) + replacement + mutated.slice(at + length);
        }
        problemsOrConfig(mutated);
      }),
      { numRuns: 120 },
    );
  });

  test('with lines swapped, repeated or moved to another depth', () => {
    const edit = fc.tuple(fc.nat(200), fc.nat(200), fc.constantFrom('swap', 'repeat', 'deeper', 'drop'));
    fc.assert(
      fc.property(base, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        const lines = text.split('\n');
        for (const [a, b, kind] of edits) {
          const [i, j] = [a % lines.length, b % lines.length];
          const [first = '', second = ''] = [lines[i], lines[j]];
          if (kind === 'swap') [lines[i], lines[j]] = [second, first];
          else if (kind === 'repeat') lines.splice(j, 0, first);
          else if (kind === 'deeper') lines[i] = `  ${first}`;
          else lines.splice(i, 1);
        }
        problemsOrConfig(lines.join('\n'));
      }),
      { numRuns: 120 },
    );
  });

  test('with any value in any place', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom({ value: -1 }, { '@type': 'x/envoy.y' }, [null], [[]], -1, 1e21, 'NaN', '0s', '\0', 'é'),
    );
    const { document } = parseDocument(EVERYTHING, 'f');
    if (document === undefined) throw new Error('the sample is no YAML');
    fc.assert(
      fc.property(fc.nat(), value, (choice, replacement) => {
        const words = [...EVERYTHING.matchAll(/: ([^\s{}[\],]+)/g)];
        const match = words[choice % words.length];
        if (match === undefined) return;
        const at = match.index + 2;
        const length = match[1]?.length ?? 0;
        problemsOrConfig(EVERYTHING.slice(0, at) + JSON.stringify(replacement) + EVERYTHING.slice(at + length));
      }),
      { numRuns: 200 },
    );
  });
});

test.each([EVERYTHING, BOOTSTRAP, staticCluster()])('the samples themselves are right', (text) => {
  expect(validateText(text, 'f').filter(({ severity }) => severity === 'error')).toEqual([]);
});
