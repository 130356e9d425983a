import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/problem.js';
import { displayWidth, PLAIN } from '../../src/report/layout.js';
import { problemCount, problemsText } from '../../src/report/problems.js';

const mismatch: Problem = {
  severity: 'error',
  file: 'scenarios/canary.yaml',
  path: 'clusters[0].ring_hash_lb_config',
  line: 2,
  column: 7,
  length: 19,
  message:
    'ring_hash_lb_config is set while lb_policy is ROUND_ROBIN (the default); the proxy refuses this at runtime. ' +
    'Set lb_policy: RING_HASH, or remove the block.',
  rule: 'lb-config-mismatch',
};
const source = 'clusters:\n      ring_hash_lb_config: {minimum_ring_size: 2048}\n';

function text(problems: readonly Problem[], file = source, width = 80): string {
  return problemsText(problems, { width, paint: PLAIN, source: () => file, closing: 'Nothing was run.' });
}

describe('problems for people', () => {
  it('give the place, the reason, the line and a caret', () => {
    expect(text([mismatch]))
      .toBe(`scenarios/canary.yaml:2:7  error  clusters[0].ring_hash_lb_config  (lb-config-mismatch)
  ring_hash_lb_config is set while lb_policy is ROUND_ROBIN (the default); the
  proxy refuses this at runtime. Set lb_policy: RING_HASH, or remove the block.
    2 |       ring_hash_lb_config: {minimum_ring_size: 2048}
      |       ^^^^^^^^^^^^^^^^^^^

1 error. Nothing was run.
`);
  });

  it('need no place', () => {
    const missing = { ...mismatch, line: 0, column: 0, path: '', message: 'There is no such file.' };
    expect(text([missing])).toBe(
      'scenarios/canary.yaml  error  (lb-config-mismatch)\n  There is no such file.\n\n1 error. Nothing was run.\n',
    );
    expect(text([{ ...missing, file: '-' }])).toContain('(standard input)  error  (');
  });

  it('are counted by severity', () => {
    const all = (['note', 'error', 'warning', 'error', 'deprecation'] as const).map((severity) => ({
      ...mismatch,
      severity,
    }));
    expect(problemCount(all)).toBe('2 errors, 1 warning, 1 deprecation, 1 note.');
    expect(problemCount([])).toBe('No problems.');
  });

  it('cut a long line around the spot', () => {
    const line = `key: [${'x, '.repeat(200)}wrong, ${'y, '.repeat(200)}]`;
    const shown = text([{ ...mismatch, line: 1, column: line.indexOf('wrong') + 1, length: 5 }], line);
    const [excerpt = '', carets = ''] = shown.split('\n').slice(3, 5);
    expect(excerpt.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('wrong');
    expect(displayWidth(excerpt)).toBeLessThanOrEqual(80);
  });

  it('keep the caret under the spot for any line and width', () => {
    const lines = fc.string({
      unit: fc.constantFrom('a', '漢', '\t', ' ', ':', '\u001b'),
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(lines, fc.nat(), fc.integer({ min: 40, max: 120 }), (line, at, width) => {
        const start = at % line.length;
        const marked = `${line.slice(0, start)}#${line.slice(start)}`;
        const shown = text(
          [{ ...mismatch, path: '', line: 1, column: start + 1, length: 1, message: 'x' }],
          marked,
          width,
        );
        const [, , excerpt = '', carets = ''] = shown.split('\n');
        expect(displayWidth(carets)).toBe(displayWidth(excerpt.slice(0, excerpt.indexOf('#'))) + 1);
        expect(shown).not.toContain('\u001b');
      }),
    );
  });
});
