import fc from 'fast-check';
import murmurhash from 'murmurhash';
import seedrandom from 'seedrandom';
import { expect, it } from 'vitest';
import { RandomStreams } from '../../src/random/streams.js';

it('draws what seedrandom’s Alea draws, doubles and 64-bit values in any order', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(fc.boolean(), { maxLength: 300 }), (seed, name, draws) => {
      const stream = new RandomStreams(seed).stream(name);
      const library = seedrandom.alea(String(murmurhash.v3(`${seed}/${name}`)));
      for (const wide of draws) {
        if (wide) {
          stream.next();
          expect([stream.hi, stream.lo]).toEqual([library.int32() >>> 0, library.int32() >>> 0]);
        } else {
          expect(stream.uniform()).toBe(library());
        }
      }
    }),
  );
});

it('gives every name a stream of its own, whatever else is drawn', () => {
  const streams = new RandomStreams('7');
  const first = streams.stream('arrivals/users');
  const other = streams.stream('keys/users');
  const alone = new RandomStreams('7').stream('arrivals/users');
  for (let i = 0; i < 100; i++) {
    expect(other.uniform()).not.toBe(first.uniform());
    alone.uniform();
  }
  expect(first.uniform()).toBe(alone.uniform());
});
