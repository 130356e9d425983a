import { describe, expect, test } from 'vitest';
import { hasErrors } from '../../../src/core/problem.js';
import { formatPath, type MapNode, type SourceNode } from '../../../src/config/source/document.js';
import { MAX_DEPTH, MAX_LENGTH, MAX_YAML_LENGTH } from '../../../src/config/source/source-limits.js';
import { parseDocument } from '../../../src/config/source/parse.js';

function entry(node: SourceNode, key: string): SourceNode {
  const found = (node as MapNode).entries.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no ${key}`);
  return found.value;
}

function rootOf(text: string): SourceNode {
  const { document, problems } = parseDocument(text, 'f');
  if (document === undefined) throw new Error(problems[0]?.message);
  return document.root;
}

describe('a document', () => {
  test('keeps the source of scalars: versions and 64-bit integers stay as they were written', () => {
    const root = rootOf('a: 1.40\nb: 18446744073709551615\nc: "1.40"\n');
    expect(entry(root, 'a')).toMatchObject({ text: '1.40', quoted: false });
    expect(entry(root, 'b')).toMatchObject({ text: '18446744073709551615', quoted: false });
    expect(entry(root, 'c')).toMatchObject({ text: '1.40', quoted: true });
  });

  test.each(['a: |\n  x\n  y\n', 'a: "x\\ny\\n"', "a: 'x\n\n  y\n\n  '\n"])(
    'knows text over several lines: %j',
    (text) => {
      expect(entry(rootOf(text), 'a')).toMatchObject({ text: 'x\ny\n', quoted: true });
    },
  );

  test('tells lines and columns, both from 1', () => {
    const { document } = parseDocument('a: 1\nb:\n  c: é\n', 'f');
    const c = (entry(document?.root as SourceNode, 'b') as MapNode).entries[0];
    expect(document?.position(c?.keyStart ?? 0)).toEqual({ file: 'f', line: 3, column: 3 });
    expect(document?.position(0)).toEqual({ file: 'f', line: 1, column: 1 });
  });

  test('shares what an alias stands for', () => {
    const root = rootOf('a: &x {b: 1}\nc: *x\n');
    expect(entry(root, 'c')).toBe(entry(root, 'a'));
  });

  // Each asked of a proxy 1.40.0, as the name of a cluster and as a port.
  test.each([
    ['!foo x', 'x', false],
    ['!foo 5', '5', false],
    ['!foo "5"', '5', false],
    ['!!str 5', '5', false],
    ['! 5', '5', true],
    ['! "5"', '5', true],
    ['"5"', '5', true],
    ['!!str ~', '~', true],
    ['~', '~', false],
    ['!!str', '', true],
  ])('takes %s for text where nothing but the tag ! says so', (written, text, quoted) => {
    expect(entry(rootOf(`a: ${written}\n`), 'a')).toMatchObject({ text, quoted });
  });

  test('passes over keys with the tag !ignore, whose anchors stay', () => {
    const root = rootOf('!ignore parts:\n  a: &a {b: 1}\nc: {d: *a, !ignore d: 2, !other e: 3}\n? !ignore [f]\n: 4\n');
    expect((root as MapNode).entries.map(({ key }) => key)).toEqual(['c']);
    const kept = entry(root, 'c') as MapNode;
    expect(kept.entries.map(({ key }) => key)).toEqual(['d', 'e']);
    expect(entry(entry(kept, 'd'), 'b')).toMatchObject({ text: '1' });
  });

  test('reads Windows line ends and a byte order mark', () => {
    expect(entry(rootOf('\uFEFFa: 1\r\nb: 2\r\n'), 'b')).toMatchObject({ text: '2' });
  });

  test('is the first of several, with a warning', () => {
    const { document, problems } = parseDocument('a: 1\n---\nb: 2\n', 'f');
    expect(document?.root).toMatchObject({ kind: 'map' });
    expect(problems).toMatchObject([{ severity: 'warning', rule: 'several-documents', line: 3 }]);
  });
});

describe('refuses with a place and a reason', () => {
  test.each([
    ['', 'empty-document', 1, 1],
    ['# only a comment\n', 'empty-document', 1, 1],
    ['---\n', 'empty-document', 1, 1],
    ['a: [1, 2\n', 'yaml-syntax', 2, 1],
    ['a: 1\n b: 2\n', 'yaml-syntax', 1, 4],
    ['a:\n\tb: 1\n', 'yaml-tab', 2, 1],
    ['a: 1\nb: \0\n', 'nul-byte', 2, 4],
    ['a: *b\n', 'aliases', 1, 4],
    ['a: &x [1, *x]\n', 'aliases', 1, 11],
    ['? {a: 1}\n: b\n', 'complex-key', 1, 3],
    ['a: "x\n', 'yaml-syntax', 2, 1],
  ])('%j', (text, rule, line, column) => {
    const { document, problems } = parseDocument(text, 'a.yaml');
    expect(document).toBeUndefined();
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'a.yaml', rule, line, column });
  });

  test('a file that is too long, unread', () => {
    expect(parseDocument(' '.repeat(MAX_LENGTH + 1), 'f').problems).toMatchObject([{ rule: 'file-size' }]);
  });

  test('a long file that only the full parser could read', () => {
    const text = `a: !x 1\n${' '.repeat(MAX_YAML_LENGTH)}`;
    expect(parseDocument(text, 'f').problems).toMatchObject([{ rule: 'file-size', severity: 'error', line: 0 }]);
  });

  test('aliases that stand for more values than there is room for', () => {
    const bomb = ['a: &a0 [x,x,x,x,x,x,x,x,x,x]'];
    for (let level = 1; level < 9; level += 1) {
      const list = new Array<string>(10).fill(`*a${level - 1}`).join(',');
      bomb.push(`b${level}: &a${level} [${list}]`);
    }
    expect(parseDocument(bomb.join('\n'), 'f').problems).toMatchObject([{ rule: 'too-many-values' }]);
  });

  test.each([
    ['flow lists', '['.repeat(100_000)],
    ['closed flow lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['flow maps', '{"a":'.repeat(5000)],
    ['block lists', '- '.repeat(5000)],
    ['block maps', Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['complex keys', '? '.repeat(2000)],
    ['anchored lists', `a: &x 1\nb: ${'['.repeat(2000)}`],
  ])('nesting beyond %s', (_, text) => {
    const { document, problems } = parseDocument(text, 'f');
    expect(document).toBeUndefined();
    expect(hasErrors(problems)).toBe(true);
  });

  test(`nesting of ${MAX_DEPTH} levels is fine, one more is not`, () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(parseDocument(nested(MAX_DEPTH), 'f').document).toBeDefined();
    expect(parseDocument(nested(MAX_DEPTH + 2), 'f').problems).toMatchObject([{ rule: 'nesting' }]);
    expect(parseDocument(`&a ${nested(MAX_DEPTH)}`, 'f').document).toBeDefined();
    expect(parseDocument(`&a ${nested(MAX_DEPTH + 2)}`, 'f').problems).toMatchObject([{ rule: 'nesting' }]);
  });
});

test('a path is written as one would say it', () => {
  expect(formatPath(['clusters', 0, 'name'])).toBe('clusters[0].name');
  expect(formatPath(['filter_metadata', 'envoy.lb', 'x'])).toBe('filter_metadata["envoy.lb"].x');
  expect(formatPath([0])).toBe('[0]');
  expect(formatPath([])).toBe('');
});
