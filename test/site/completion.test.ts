import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../src/index.js';
import { proposals, type Schema, yamlPlace } from '../../src/site/completion.js';

const schema = schemaOf('scenario') as Schema;

/** @param text up to the cursor. */
function labels(text: string): readonly string[] {
  return proposals(schema, text.split('\n'))?.options.map(({ label }) => label) ?? [];
}

describe('where something is typed', () => {
  it.each([
    ['', [], 'key', ''],
    ['na', [], 'key', 'na'],
    ['name: x', ['name'], 'value', 'x'],
    ['clusters:\n  - name: a\n    lb', ['clusters', null], 'key', 'lb'],
    ['clusters:\n- name: a\n  lb_policy: R', ['clusters', null, 'lb_policy'], 'value', 'R'],
    ['clusters:\n  - name: a\n  - na', ['clusters', null], 'key', 'na'],
    ['a:\n  b:\n    c: 1\n  d', ['a'], 'key', 'd'],
    ['a:\n  b:\n    c: 1\n\n    # note\n    d', ['a', 'b'], 'key', 'd'],
    ['w:\n  - {name: a, cl', ['w', null], 'key', 'cl'],
    ['w: [{name: a, b: {c: x', ['w', null, 'b', 'c'], 'value', 'x'],
    ['w: [1, 2', ['w', null], 'value', '2'],
    ['a:\n  - b:\n      ', ['a', null, 'b'], 'key', ''],
    ['{"a": {"b', ['a'], 'key', 'b'],
  ] as const)('%j', (text, path, expects, typed) => {
    expect(yamlPlace(text.split('\n'))).toMatchObject({ path, expects, typed });
  });

  it('is nowhere in a comment', () => {
    expect(yamlPlace(['a: 1 # b'])).toBeUndefined();
  });
});

describe('what is proposed', () => {
  it('fields of the place, without those that are there', () => {
    expect(labels('')).toContain('clusters');
    expect(labels('clusters:\n  - name: a\n    ')).toContain('lb_policy');
    expect(labels('clusters:\n  - name: a\n    ')).not.toContain('name');
    expect(labels('timeline:\n  - {at: 3s, ')).toEqual(expect.arrayContaining(['fail', 'set_health']));
  });

  it('values of the field', () => {
    expect(labels('clusters: [{lb_policy: ')).toEqual(expect.arrayContaining(['MAGLEV', 'RING_HASH']));
  });

  it('nothing in a place that the format does not have', () => {
    expect(labels('nonsense:\n  a: ')).toEqual([]);
  });
});
