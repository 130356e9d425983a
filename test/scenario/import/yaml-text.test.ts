import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceNode } from '../../../src/config/reader.js';
import { parseDocument } from '../../../src/config/reader.js';
import { jsonOf } from '../../../src/scenario/input/routes.js';
import { fieldLines, yamlLines } from '../../../src/scenario/import/yaml-text.js';
import { nodeOf, type Plain } from '../../../src/config/source/trees.js';

const at = { start: 0, end: 0 };

function read(lines: readonly string[]): unknown {
  const { document, problems } = parseDocument(lines.join('\n'), 'x.yaml');
  expect(problems).toEqual([]);
  return document === undefined ? undefined : jsonOf(document.root);
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'yes',
    'null',
    '~',
    '1e3',
    '0x1F',
    '.5',
    '10.0.0.1',
    '10.0.0.1:80',
    '[::1]:80',
    '1s',
    '-',
    '- a',
    'a: b',
    'a #b',
    '*x',
    '&x',
    '!x',
    '%x',
    '@x',
    '`x',
    '"',
    "'",
    '{',
    'a,b',
    '2020-01-01',
    '1_000',
    '=',
    '<<',
    'x:',
    '12:30',
  ),
);
const values = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      words.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value;

describe('YAML of an import', () => {
  it('reads back as what was written', () => {
    fc.assert(
      fc.property(values, words, (value, key) => {
        expect(read(fieldLines(key, nodeOf(value, at)))).toEqual({
          [key]: JSON.parse(JSON.stringify(value)) as unknown,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps numbers as they are written', () => {
    const text = '{a: 18446744073709551615, b: 0x10, c: 1.50, d: .inf}';
    const { document } = parseDocument(text, 'x.yaml');
    expect(yamlLines(document?.root as SourceNode)).toEqual([
      'a: 18446744073709551615',
      'b: 0x10',
      'c: 1.50',
      'd: .inf',
    ]);
  });

  it('puts on a line what fits there', () => {
    const value = { name: 'a', list: ['x', 'z'], long: Array.from({ length: 30 }, (_, index) => ({ item: index })) };
    expect(yamlLines(nodeOf(value, at)).slice(0, 4)).toEqual(['name: a', 'list: [x, z]', 'long:', '  - {item: 0}']);
  });
});
