import { expect, it } from 'vitest';
import { RuntimeValues } from '../../src/core/runtime-values.js';

it.each([
  [5, 5],
  ['5', 5],
  ['0.5', 0.5],
  ['', undefined],
  ['five', undefined],
  [true, undefined],
  // No limit is infinite.
  ['1e999', undefined],
  ['-Infinity', undefined],
])('a runtime value of %j is the number %j', (value, expected) => {
  expect(new RuntimeValues({ key: value }).number('key')).toBe(expected);
});
