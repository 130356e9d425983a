import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLines } from '../../src/core/printable.js';

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('text from a file', () => {
  const anything = fc.string({ unit: 'binary' });

  it('has one line without control characters and marks of direction', () => {
    expect(printable('a\u001b[31mb\nc\u202e')).toBe('a\ufffd[31mb\ufffdc\ufffd');
    fc.assert(fc.property(anything, (text) => !UNPRINTABLE.test(printable(text))));
  });

  it('keeps its lines where it may have several', () => {
    expect(printableLines('a\tb\nc\r\n')).toBe('a\ufffdb\nc\ufffd\n');
    fc.assert(
      fc.property(anything, (text) => {
        expect(printableLines(text).split('\n')).toEqual(text.split('\n').map(printable));
      }),
    );
  });

  it('says the same as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = printableJson(JSON.stringify([value, text], null, 2));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify([value, text])));
        expect(json.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
      }),
    );
  });
});
