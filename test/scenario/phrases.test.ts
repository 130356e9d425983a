import { describe, expect, test } from 'vitest';
import { camel } from '../../src/config/reader.js';
import { whereAbsent } from '../../src/config/reader/schema.js';
import { describeAction } from '../../src/scenario/assemble/describe.js';
import { BEHAVIOR_FIELDS } from '../../src/scenario/fields/behavior.js';

/** The words that a field takes, where it takes a few. */
function wordsOf(field: keyof typeof BEHAVIOR_FIELDS): readonly unknown[] {
  const form = whereAbsent(BEHAVIOR_FIELDS[field]).inner.marks.json?.(() => true);
  const words = typeof form === 'object' ? form['enum'] : undefined;
  return Array.isArray(words) ? words : [];
}

describe('phrases of behaviour', () => {
  const fields = Object.keys(BEHAVIOR_FIELDS) as (keyof typeof BEHAVIOR_FIELDS)[];
  const cases = fields.flatMap((field) => wordsOf(field).map((word) => ({ field, word })));

  test('are for several fields', () => {
    expect(new Set(cases.map(({ field }) => field)).size).toBeGreaterThan(2);
  });

  test.for(cases)('there is one for $field: $word', ({ field, word }) => {
    const action = { kind: 'set_behavior', hosts: {}, behavior: { [camel(field)]: word } } as const;
    expect(describeAction(action)).toMatch(/^every host \w/);
  });
});
