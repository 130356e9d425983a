import fc from 'fast-check';
import { expect, it } from 'vitest';
import { naturalOrder } from '../../src/core/natural-order.js';

const { compare } = new Intl.Collator('en', { numeric: true });
const byte = fc.integer({ min: 0, max: 300 });
const text = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.')) },
  fc.constantFrom('10.0.0.01', '010.0.0.1', '10.0.0', '[::1]', '[fe80::a]', 'web-2.example', 'web-10.example', ''),
);
const address = fc.oneof(
  fc.tuple(text, fc.integer({ min: 0, max: 70_000 })).map(([host, port]) => `${host}:${port}`),
  fc.tuple(fc.constantFrom('us', 'eu'), fc.constantFrom('a', 'b', '1', '10')).map((parts) => parts.join('\u0000')),
  text,
);

it('orders texts as Intl.Collator does', () => {
  fc.assert(
    fc.property(address, address, (a, b) => {
      expect(Math.sign(naturalOrder([a, b])(0, 1))).toBe(Math.sign(compare(a, b)));
    }),
    { numRuns: 2000 },
  );
});

it('counts inside addresses', () => {
  const addresses = ['10.0.0.10:80', '10.0.0.9:8080', '10.0.0.9:80', '9.255.0.0:1'];
  const order = [...addresses.keys()].sort(naturalOrder(addresses));
  expect(order.map((index) => addresses[index])).toEqual([
    '9.255.0.0:1',
    '10.0.0.9:80',
    '10.0.0.9:8080',
    '10.0.0.10:80',
  ]);
});
