import { expect, it } from 'vitest';
import { toDecimal } from '../../src/core/u64.js';
import { djb2CaseInsensitive } from '../../src/hash/djb2.js';

it.each([
  ['', '5381'],
  ['foo', '211616621'],
  ['FOO', '211616621'],
  ['bar', '211611524'],
  ['foo\nbar', '282790909350396'],
  // 14 letters pass 2⁶⁴: the sum wraps.
  ['abcdefghijklmn', '15885976087704995248'],
])('djb2CaseInsensitive of %j is %s', (text, expected) => {
  const { hi, lo } = djb2CaseInsensitive(text);
  expect(toDecimal(hi, lo)).toBe(expected);
});
