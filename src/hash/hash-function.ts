import type { U64 } from '../core/u64.js';
import { murmur2String } from './murmur2.js';
import { xxhash64String } from './xxhash64.js';

/** Hash functions of a ring; the names are the schema's. */
export type HashFunction = 'XX_HASH' | 'MURMUR_HASH_2';

export function hashString(text: string, hashFunction: HashFunction): U64 {
  switch (hashFunction) {
    case 'XX_HASH':
      return xxhash64String(text);
    case 'MURMUR_HASH_2':
      return murmur2String(text);
  }
}
