import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import stringWidth from 'string-width';
import { bar, displayWidth, leading, PLAIN, shorten, spread, wrap } from '../../src/report/layout.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', '7', '漢', 'é', '.'), minLength: 1, maxLength: 50 });

describe('text in columns', () => {
  it('counts what a terminal shows', () => {
    expect(['abc', '漢字', 'e\u0301', '\u001b[31mred\u001b[39m', '█▏'].map(displayWidth)).toEqual([3, 4, 1, 3, 2]);
  });

  it('wraps at spaces, keeps numbers with their unit and spacing inside a line', () => {
    expect(wrap('name  one two 33.3 % three', 17)).toEqual(['name  one two', '33.3 % three']);
    expect(wrap('p50 1 ms', 6, '> ', '- ')).toEqual(['> p50', '- 1 ms']);
    expect(wrap('', 10)).toEqual(['']);
  });

  it('never exceeds the width and loses no word that fits', () => {
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 20, max: 90 }), (words, width) => {
        const lines = wrap(words.join(' '), width, '  ');
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        const shown = lines.join(' ').split(/ +/);
        for (const one of words) if (displayWidth(one) <= width - 2) expect(shown).toContain(one);
      }),
    );
  });

  it('cuts names in their middle', () => {
    expect(shorten('a-very-long-name.example.org', 11)).toBe('a-ver…e.org');
    fc.assert(
      fc.property(word, fc.integer({ min: 3, max: 60 }), (text, width) => {
        expect(displayWidth(shorten(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('leads with a whole name: beside its facts, or above them where they do not fit', () => {
    const facts = ['RANDOM', '3 hosts'];
    const long = 'outbound|80||web.prod.svc';
    expect(leading('web', facts, 30, PLAIN)).toEqual(['web  RANDOM · 3 hosts']);
    expect(leading('web.default', facts, 24, PLAIN)).toEqual(['web.default  RANDOM ·', '  3 hosts']);
    expect(leading(long, facts, 43, PLAIN)).toEqual([`${long}  RANDOM · 3 hosts`]);
    expect(leading(long, facts, 42, PLAIN)).toEqual([long, '  RANDOM · 3 hosts']);
    expect(leading(long, facts, 11, PLAIN)).toEqual(['outbo…d.svc', '  RANDOM ·', '  3 hosts']);
  });

  it('puts two texts at the ends of a line, or below each other', () => {
    expect(spread('left', 'right', 12)).toEqual(['left   right']);
    expect(spread('  a long left', 'right', 14)).toEqual(['  a long left', '         right']);
    expect(spread('  a long, long left', 'right', 15, '    ')).toEqual(['  a long, long', '    left  right']);
  });

  it('draws bars to an eighth and shows what is not nothing', () => {
    expect(bar(0.5, 4)).toBe('██');
    expect(bar(0.5625, 2)).toBe('█▏');
    expect(bar(0, 4)).toBe('');
    expect(bar(1e-6, 4)).toBe('▏');
    expect(bar(1, 4)).toBe('████');
  });
});

it('takes a letter for a column only where a terminal does', () => {
  for (let code = 0x20; code <= 0x25ff; code++) {
    const letter = String.fromCharCode(code);
    expect({ code, width: displayWidth(letter) }).toEqual({ code, width: stringWidth(letter) });
  }
});

it('shortens a name that is one column a letter as any other', () => {
  expect([1, 2, 3, 7, 8].map((width) => shorten('abcdefghij', width))).toEqual([
    '…',
    'a…',
    'a…j',
    'abc…hij',
    'abcd…hij',
  ]);
});
