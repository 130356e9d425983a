import { expect, it } from 'vitest';
import { RandomStreams } from '../../src/random/streams.js';
import { KeySource } from '../../src/simulation/senders.js';

it('keys of a zipf distribution are drawn by rank: of three, 6, 3 and 2 times in 11', () => {
  const keys = new KeySource(
    { kind: 'zipf', keys: 3, exponent: 1, prefix: 'k' },
    new RandomStreams('1').stream('keys/test'),
  );
  const counts = new Map<string, number>();
  const draws = 11_000;
  for (let draw = 0; draw < draws; draw++) {
    keys.next();
    counts.set(keys.text, (counts.get(keys.text) ?? 0) + 1);
  }
  for (const [key, share] of [
    ['k0', 6 / 11],
    ['k1', 3 / 11],
    ['k2', 2 / 11],
  ] as const) {
    const off = Math.abs((counts.get(key) ?? 0) - draws * share);
    // Five standard errors.
    expect(off).toBeLessThan(5 * Math.sqrt(draws * share * (1 - share)));
  }
});
