import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceNode } from '../../../src/config/source/document.js';
import { readJson } from '../../../src/config/source/json-parser.js';
import { parseStream } from '../../../src/config/source/parse.js';

const LIMITS = { depth: 100, nodes: 100_000 };

/** A comment makes YAML of it, and moves nothing. */
function asYaml(text: string): SourceNode | undefined {
  const { roots, json } = parseStream(`${text}\n#`, 'f');
  expect(json).toBe(false);
  return roots[0];
}

function asJson(text: string): SourceNode | undefined {
  const found = readJson(text, LIMITS);
  return found.kind === 'read' ? found.root : undefined;
}

/** What both readers say of a value. */
function shapeOf(node: SourceNode | undefined): unknown {
  switch (node?.kind) {
    case undefined:
      return undefined;
    case 'scalar':
      return [node.text, node.quoted, node.start, node.end];
    case 'list':
      return { start: node.start, end: node.end, items: node.items.map(shapeOf) };
    case 'map':
      return {
        start: node.start,
        end: node.end,
        entries: node.entries.map((entry) => [entry.key, entry.keyStart, entry.keyEnd, shapeOf(entry.value)]),
      };
  }
}

describe('JSON', () => {
  test('is read as the YAML that it is, place by place', () => {
    // YAML has no signs of control in a text, and folds what looks like a line end.
    const value = fc
      .jsonValue({ maxDepth: 5 })
      .filter((one) => typeof one === 'object' && one !== null)
      .map((one) => JSON.stringify(one, null, 1))
      .filter((text) => !/[\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/.test(text));
    fc.assert(
      fc.property(value, (text) => {
        expect(shapeOf(asJson(text))).toEqual(shapeOf(asYaml(text)));
      }),
    );
  });

  test.each([
    '{"a": 18446744073709551615, "b": 1.40, "c": 1e3, "a": null}',
    '[true, false, null, -0, "", "\\u00e9\\n\\"", [], {}]',
    ' \n{ "__proto__" : {"x": [ ] } }\n',
  ])('%s keeps what was written', (text) => {
    expect(asJson(text)).toBeDefined();
    expect(shapeOf(asJson(text))).toEqual(shapeOf(asYaml(text)));
  });

  test.each([
    '{a: 1}',
    '{"a": 1,}',
    '{"a": 1} # b',
    '[1 2]',
    '{"a": 01}',
    '{"a": NaN}',
    '{"a"',
    '{"a": "\t"}',
    '[1]\n[2]',
    'a: 1',
    '1',
    '',
  ])('%j is left to the parser of YAML', (text) => expect(readJson(text, LIMITS)).toEqual({ kind: 'not-json' }));

  test('has bounds, with the place where they are passed', () => {
    const limits = { depth: 2, nodes: 5 };
    expect(readJson('[[[[]]]]', limits)).toEqual({ kind: 'too-deep', offset: 3 });
    expect(readJson('[[[1]]]', limits)).toEqual({ kind: 'too-deep', offset: 3 });
    expect(readJson('[1, 2, 3, 4, 5]', limits)).toEqual({ kind: 'too-many' });
    expect(readJson('{"a": 1, "b": 2}', limits)).toMatchObject({ kind: 'read' });
  });
});
