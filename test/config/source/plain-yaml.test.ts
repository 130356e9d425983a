import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { SourceNode } from '../../../src/config/source/document.js';
import { parseFully } from '../../../src/config/source/parse.js';
import { readPlainYaml } from '../../../src/config/source/plain-yaml.js';

const LIMITS = { depth: 100, nodes: 100_000 };

/** What both readers must agree on. Of a value that was left out, only that: the two see it at different places. */
function shapeOf(node: SourceNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.text === '' && !node.quoted ? null : [node.text, node.quoted, node.start, node.end];
    case 'list':
      return { start: node.start, items: node.items.map(shapeOf) };
    case 'map':
      return {
        start: node.start,
        entries: node.entries.map((entry) => [entry.key, entry.keyStart, entry.keyEnd, shapeOf(entry.value)]),
      };
  }
}

/** Compares with the full parser, if the text is one of those that the plain reader takes. */
function compare(text: string): boolean {
  const plain = readPlainYaml(text, LIMITS);
  if (plain.kind !== 'read') return false;
  const full = parseFully(text, 'f');
  const found =
    full.document === undefined ? full.problems.map((problem) => problem.message) : shapeOf(full.document.root);
  expect(shapeOf(plain.root)).toEqual(found);
  return true;
}

const words = fc.constantFrom(
  'name',
  'lb_policy',
  'ROUND_ROBIN',
  '10.0.0.1',
  '::1',
  '1.40',
  '0x10',
  'true',
  '~',
  'null',
  'http://a/b#c',
  'a b',
  "it's",
  'é😀',
  'a:b',
  '-1',
  '-',
  '?',
  'x#y',
  '"q"',
  '',
  ' ',
  '- a',
  'a: b',
  '[',
  '{}',
  '\n',
  '\t',
  '\\',
  '---',
  '#',
  '%',
  '@',
  '*a',
  '&a',
  '!x',
  '|',
  '>',
);
const scalars = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
const documents = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const pieces = fc.constantFrom(
  'a',
  'b: ',
  'c:',
  '- ',
  '-',
  '\n',
  '\n  ',
  '\n    ',
  ' ',
  '{',
  '}',
  '[',
  ']',
  ', ',
  ',',
  ': ',
  ':',
  '"',
  "'",
  '# x',
  ' #',
  '\t',
  '\r\n',
  '1',
  '---',
  '...',
  '"x": ',
  "'y'",
  '~',
  '\\n',
  '|',
  '|-\n',
  '|+\n',
  '>\n',
  '>-\n',
  '&a ',
  '&a\n',
  '*a',
  '*a, ',
  '? ',
  '"x\n  y"',
  "'x\n\n  y'",
  'x y\n',
  '!x ',
);

/** Text over several lines, anchors and aliases, in the places that values have. */
const lines = fc.array(
  fc.constantFrom('x', 'x y', '- x', '', '  ', ' more', "it's", '"q"', '# no', 'a#b', 'k: v', '--', '---', '*a', '&b'),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const values = fc.oneof(
  fc.tuple(fc.constantFrom('', '|', '>', '|-', '>-', '|+', '>+', '| # c', '"', "'"), lines),
  fc.tuple(fc.constantFrom('&a ', '&b ', '*a', '*b', '[*a, *b]', '{x: *a}', '[&b x, *b]', '[&a [1], *a]'), lines),
);
const entries = fc.array(fc.tuple(fc.constantFrom('', '', '&a ', '&b '), values, fc.integer({ min: 0, max: 3 })), {
  minLength: 1,
  maxLength: 4,
});
const kinds = fc.constantFrom('k#: ', '- ', 'k#:\n  ', '- k: ');
const texts = fc
  .tuple(kinds, entries, fc.constantFrom('\n', '\n', '\r\n'), fc.constantFrom('\n', '\n', ''))
  .map(([kind, list, end, last]) => {
    const written = list.map(([anchor, [style, content], indent], index) => {
      const quote = style === '"' || style === "'" ? style : '';
      const below = `\n${' '.repeat(indent)}`;
      const head = quote === '' && style !== '' ? `${style}${below}` : style;
      return `${kind.replace('#', String(index))}${anchor}${head}${content.join(below)}${quote}`;
    });
    return `${written.join('\n')}${last}`.replaceAll('\n', end);
  });

describe('the plain reader agrees with the full parser', () => {
  test('on what a YAML writer writes, in blocks and in flow', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(undefined, true), fc.constantFrom(2, 4), (value, flow, indent) => {
        const text = stringify(value, { indent, lineWidth: 0, ...(flow && { collectionStyle: 'flow' }) });
        compare(text);
      }),
      { numRuns: 1500 },
    );
  });

  test('on JSON, which it always reads and calls JSON', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        if (typeof value !== 'object' || value === null) return;
        const text = JSON.stringify(value, undefined, indent);
        const plain = readPlainYaml(text, LIMITS);
        expect(plain).toMatchObject({ kind: 'read', json: true });
        compare(text);
      }),
      { numRuns: 500 },
    );
  });

  test('on any soup of YAML, unless it leaves it to the full parser', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 14 }), (parts) => {
        if (compare(parts.join(''))) read += 1;
      }),
      { numRuns: 6000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test('on text over several lines, anchors and aliases', () => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (compare(text)) read += 1;
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(80);
  });

  test.each([
    'a: 1\nb:\n- x\n- y: 2\n  z: 3\nc: {d: [1, "2"]} # comment\n\n# end\n',
    '---\na: b\n',
    '- - a\n  - b\n-\n  c: d\n- \n',
    'a:\n  b:\n    - c\n    -   d: e\n        f: g\n',
    '"k 1": \'v\'\nb: {\n  x: 1,\n  y: [a,\n    b]\n}\n',
    'a: http://x:80/y#z\nb: 10.0.0.1:80\n',
    '[{"a": "\\u00e9\\n"}, -1.5e3, null]',
    'a: &x {b: 1}\nc: *x\nd: [*x, &y z, *y]\ne: &z\n  f: &v\n    - *x\ng: *z\nh: *v\n',
    "a: one\n  two\n\n  three\nb: \"one\n  two \"\nc: 'it''s\n\n  one'\n- d\n".replace('- d\n', ''),
    'a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\nd: 1\n',
    '- >\n  x\n  y\n- |-\n  z\n- end\n',
    'a: 1\r\nb:\r\n  - x # c\r\n  - "y"\r\n\r\nc: {d: e,\r\n  f: g}\r\n',
  ])('on %j', (text) => {
    expect(compare(text)).toBe(true);
  });

  test.each(['{a: 1}', "{'a': 1}", '{"a": x}', '{"a": 01}', '[1,]', '{"a": 1} # c', 'a: 1', '{"a":}', '{"a": True}'])(
    'does not take %s for JSON',
    (text) => {
      const plain = readPlainYaml(text, LIMITS);
      expect(plain.kind === 'read' && plain.json).toBe(false);
    },
  );
});

describe('limits', () => {
  test.each(['['.repeat(1e6), '{"a":'.repeat(1e5), '- '.repeat(1e4), 'a: {b: '.repeat(1e4)])(
    'a value nested too deeply is refused at its place',
    (text) => {
      const plain = readPlainYaml(text, LIMITS);
      expect(['too-deep', 'unsupported']).toContain(plain.kind);
    },
  );

  test('a document of too many values is refused', () => {
    expect(readPlainYaml(`[${'1,'.repeat(100)}1]`, { depth: 10, nodes: 100 }).kind).toBe('too-many');
    expect(readPlainYaml('- a\n'.repeat(101), { depth: 10, nodes: 100 }).kind).toBe('too-many');
  });
});
