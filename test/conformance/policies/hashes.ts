import { toDecimal } from '../../../src/core/u64.js';
import { utf8 } from '../../../src/hash/bytes.js';
import { djb2CaseInsensitive } from '../../../src/hash/djb2.js';
import { murmur2String, xxhash64, xxhash64Chain } from '../../../src/hash/text-hashes.js';
import { Host } from '../../../src/host/host.js';
import { hashKey } from '../../../src/hostset/normalized-weights.js';
import { HostShuffle } from '../../../src/policy/host-shuffle.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import { lbMetadata, u64Of } from './fixtures.js';

/** The proxy computes MurmurHash2 with this seed only, that of the C++ library's `std::hash`. */
const MURMUR_SEED = '3339675911';

/** Compares one value of a hash function, of a host's hash key, or one order of the bounded-load walk. */
export function replayHash(vector: Fields, check: Check): void {
  const name = vector.string('function');
  check.equal(name, valueOf(name, vector), vector.unknown('expect'));
}

function valueOf(name: string, vector: Fields): unknown {
  switch (name) {
    case 'XX_HASH': {
      const { hi, lo } = xxhash64(utf8(vector.string('input')), u64Of(vector.unknown('seed'), 'seed'));
      return toDecimal(hi, lo);
    }
    case 'XX_HASH_CHAIN': {
      if (vector.string('seed') !== '0') throw new FormatError('a chain begins with seed 0');
      const { hi, lo } = xxhash64Chain(vector.strings('input'));
      return toDecimal(hi, lo);
    }
    case 'MURMUR_HASH_2': {
      if (vector.string('seed') !== MURMUR_SEED) throw new FormatError('MurmurHash2 has one seed');
      const { hi, lo } = murmur2String(vector.string('input'));
      return toDecimal(hi, lo);
    }
    case 'DJB2_CI': {
      const { hi, lo } = djb2CaseInsensitive(vector.string('input'));
      return toDecimal(hi, lo);
    }
    case 'HASH_KEY':
      return keyOf(vector.object('host'), vector.optionalBoolean('use_hostname_for_hashing') ?? false);
    case 'BOUNDED_SHUFFLE':
      return walk(u64Of(vector.unknown('seed'), 'seed').lo, vector.number('n'));
    default:
      throw new FormatError(`unknown function ${JSON.stringify(name)}`);
  }
}

function keyOf(fields: Fields, useHostname: boolean): string {
  const host = new Host({
    address: fields.string('address'),
    hostname: fields.optionalString('hostname') ?? '',
    metadata: lbMetadata(fields.optionalObject('metadata')),
  });
  fields.end();
  return hashKey(host, useHostname, true);
}

function walk(seed: number, hostCount: number): readonly number[] {
  const shuffle = new HostShuffle();
  shuffle.start(seed, hostCount);
  return Array.from({ length: hostCount }, () => shuffle.next());
}
