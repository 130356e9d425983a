import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from '../../../src/config/source/document.js';

test('lines and columns are those of the text, in whatever order they are asked for', () => {
  const text = fc.array(fc.constantFrom('a', '\n', '\r\n', 'é'), { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }), (written, offsets) => {
      const lines = new LineIndex(written);
      for (const offset of offsets) {
        const before = written.slice(0, offset).split('\n');
        if (offset > written.length) continue;
        const column = (before.at(-1) ?? '').length + 1;
        expect(lines.position(offset)).toEqual({ line: before.length, column });
      }
    }),
  );
});
