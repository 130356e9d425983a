import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyHasher, xxhash64String } from '../../src/hash/text-hashes.js';

it('hashes the keys of requests as XX_HASH with seed 0', async () => {
  const hasher = await createKeyHasher();
  const out = { hi: -1, lo: -1 };
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (key) => {
      hasher.hash(key, out);
      expect(out).toEqual(xxhash64String(key));
    }),
  );
});
