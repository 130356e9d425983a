import { demand as demandArguments, FUNCTION, oneOf } from '../../core/arguments.js';
import { fromBigInt, toDecimal, type U64 } from '../../core/u64.js';
import type { TableEntry, WeightedHosts } from '../../policy/policy-kinds.js';
import type { LawOptions } from '../law.js';
import { arcBounds, chanceBound, longLook, visibleDeviation, fail, search } from '../law.js';
import type { KeyedHost, TablePolicyUnderTest } from './tables.js';
import { asWeighted, keyedHosts, searchTables, tableScenario, tableSubject } from './tables.js';
import { drawnHashes } from './situation.js';
import fc from 'fast-check';
import { sum } from '../../core/values.js';
import { gcd } from '../../core/divisors.js';

/** Table policies, and the entries of their tables. */
export interface ListedTables<Config, Table> extends TablePolicyUnderTest<Config, Table> {
  /** In table order; each position a hash that leads to the entry: its own on a ring, the number of a slot. */
  readonly entries: (table: Table) => Iterable<TableEntry>;
}

/** `points`: entries lie at random on a circle, and own what lies before them. `slots`: each owns as much as any other. */
export type TableKind = 'points' | 'slots';

type LookupExample = Readonly<{ hosts: readonly KeyedHost[]; seed: number; keys: number }>;

const KEYS = 4000;
const RUNS = 40;

/**
 * Keys follow entries: each host gets the part of uniform hashes that its entries own. A slot owns exactly its part; the
 * arcs of points that were placed uniformly sum to a beta-distributed part. Hosts of any weight are tried with 4,000 keys,
 * and five equal ones with 4,000 for each run: 160,000 by default, which show 5 % of the keys in the wrong slots.
 */
export function keysFollowEntries<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  kind: TableKind,
  options: LawOptions = {},
): void {
  const { policy, config, entriesPerHost } = tableSubject('keysFollowEntries', subject, 'entriesPerHost');
  demandArguments('keysFollowEntries', ['kind', kind, oneOf(['points', 'slots'])]);
  const test = ({ hosts, seed, keys }: LookupExample): void => {
    const table = policy.build(asWeighted(hosts), config);
    const entries = Array.from(entriesPerHost(table));
    const all = sum(entries);
    if (all === 0) return;
    const counts = hosts.map(() => 0);
    for (const { hi, lo } of drawnHashes(seed, keys)) {
      const host = policy.choose(table, hi, lo, 0);
      counts[host] = (counts[host] ?? 0) + 1;
    }
    entries.forEach((count, host) => {
      const { least, most } = kind === 'points' ? arcBounds(count, all) : { least: count / all, most: count / all };
      const low = keys * least - chanceBound(keys, least);
      const high = keys * most + chanceBound(keys, most);
      const keysOfHost = counts[host] ?? 0;
      // Entries may be no numbers.
      if (!(keysOfHost >= low && keysOfHost <= high)) {
        const seen = Math.max(most / (count / all) - 1, 0) + visibleDeviation(most, keys);
        fail(
          `host ${host} has ${keysOfHost} of ${keys} keys and ${count} of ${all} entries: allowed are ` +
            `${Math.max(0, low).toFixed(1)} to ${high.toFixed(1)}; what is seen is ${(100 * seen).toFixed(0)} % too much`,
        );
      }
    });
  };
  const five = fc.constant(['a', 'b', 'c', 'd', 'e'].map((key) => ({ key: `10.0.0.1:80${key}`, weight: 1 })));
  const long = fc.constant(longLook(options.numRuns ?? RUNS));
  search<LookupExample>(options, {
    law: 'gives keys to its entries',
    examples: fc.record({ hosts: keyedHosts, seed: fc.nat(9999), keys: fc.constant(KEYS) }),
    once: [fc.record({ hosts: five, seed: fc.nat(9999), keys: long })],
    test,
    scenario: ({ hosts, seed }, remarks) => tableScenario(policy, hosts, [...drawnHashes(seed, 20)], remarks),
    numRuns: RUNS,
    seed: 3,
  });
}

/** Every entry can be reached: the hash at its position leads to its host; and each host has as many as are counted. */
export function reachesEveryEntry<Config, Table>(subject: ListedTables<Config, Table>, options?: LawOptions): void {
  const { policy, entriesPerHost } = tableSubject('reachesEveryEntry', subject, 'entriesPerHost', 'entries');
  searchTables('reaches every entry', subject, options, (hosts, table) => {
    const listed = hosts.map(() => 0);
    for (const { hash, host } of ownedHashes(subject, table)) {
      if (hosts[host] === undefined) fail(`the entry at ${text(hash)} is of host ${host}, there are ${hosts.length}`);
      const found = policy.choose(table, hash.hi, hash.lo, 0);
      if (found !== host) fail(`hash ${text(hash)} gives host ${found}, and the entry there is of host ${host}`);
      listed[host] = (listed[host] ?? 0) + 1;
    }
    const counted = Array.from(entriesPerHost(table));
    if (!listed.every((count, host) => count === counted[host]))
      fail(`hosts have ${listed.join(', ')} entries in the list, and ${counted.join(', ')} are counted`);
  });
}

/**
 * A ring is walked upwards: its entries stand in the order of their hashes, a hash right after an entry belongs to the next
 * one, one after the last entry to the first, and each further attempt to the entry after.
 */
export function walksItsRing<Config, Table>(subject: ListedTables<Config, Table>, options?: LawOptions): void {
  const { policy } = tableSubject('walksItsRing', subject, 'entries');
  searchTables('walks its ring upwards', subject, options, (_, table) => {
    const places = ownedHashes(subject, table);
    places.forEach(({ hash, position }, index) => {
      const before = places[index - 1];
      if (before !== undefined && before.position > position)
        fail(`entry ${index} at hash ${text(hash)} stands behind that at ${before.position}`);
      const behind = fromBigInt(position + 1n);
      for (const attempt of [0, 1, 2]) {
        const next = places[(index + 1 + attempt) % places.length];
        const found = policy.choose(table, behind.hi, behind.lo, attempt);
        // Two entries with one hash are one position.
        const isPlain = places[(index + 1) % places.length]?.position !== position;
        if (isPlain && found !== next?.host)
          fail(
            `hash ${text(behind)}, attempt ${attempt}, gives host ${found}, and the next entry is of host ${next?.host ?? -1}`,
          );
      }
    });
  });
}

/** A further attempt may lead to another host: with two hosts or more it does for some of 64 hashes. */
export function retriesElsewhere<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  options?: LawOptions,
): void {
  const { policy } = tableSubject('retriesElsewhere', subject);
  // Equal weights, so that even the smallest host is found: eight attempts of 64 hashes miss it once in 10¹⁰⁰ searches.
  const examples = keyedHosts.map((hosts) => hosts.map(({ key }) => ({ key, weight: 1 })));
  const hashes = Array.from({ length: 64 }, (_, index) => ({ hi: (index * 0x9e3779b1) >>> 0, lo: index * 7919 }));
  const test = (hosts: readonly KeyedHost[], table: Table): void => {
    if (hosts.length < 2) return;
    const moves = hashes.some(({ hi, lo }) =>
      [1, 2, 3, 4, 5, 6, 7, 8].some(
        (attempt) => policy.choose(table, hi, lo, attempt) !== policy.choose(table, hi, lo, 0),
      ),
    );
    if (!moves) fail('eight further attempts of 64 hashes lead where the first ones led');
  };
  searchTables('leads a further attempt elsewhere', subject, options, test, { examples, hashes: hashes.slice(0, 8) });
}

const ownedHashes = <Config, Table>({ entries }: ListedTables<Config, Table>, table: Table) =>
  Array.from(entries(table), ({ position, host }) => {
    const at = BigInt(position);
    return { position: at, hash: fromBigInt(at), host };
  });

const text = ({ hi, lo }: U64): string => toDecimal(hi, lo);

/** Laws of the positions of entries, for implementations of the published algorithms, with any hash. */

/** A ring after ketama: the entries of a host are its points 0, 1, 2 and so on. */
export function placesItsPoints<Config, Table>(
  subject: ListedTables<Config, Table>,
  pointOf: (key: string, index: number) => U64,
  options?: LawOptions,
): void {
  const { entries, entriesPerHost } = tableSubject('placesItsPoints', subject, 'entriesPerHost', 'entries');
  demandArguments('placesItsPoints', ['pointOf', pointOf, FUNCTION]);
  searchTables('places the points of its hosts', subject, options, (hosts, table) => {
    const seen = hosts.map(() => new Set<string>());
    for (const { position, host } of entries(table)) seen[host]?.add(position);
    hosts.forEach(({ key }, host) => {
      const count = entriesPerHost(table)[host] ?? 0;
      for (let index = 0; index < count; index++) {
        const { hi, lo } = pointOf(key, index);
        if (seen[host]?.has(toDecimal(hi, lo)) !== true)
          fail(`host ${host} has no entry at ${toDecimal(hi, lo)}, point ${index} of ${JSON.stringify(key)}`);
      }
    });
  });
}

/** How a host walks a Maglev table: from its offset in steps of its skip. */
export interface Walk {
  /** 0 … slots − 1. */
  readonly offset: number;
  /** 1 … slots − 1. */
  readonly skip: number;
}

export interface FillOptions extends LawOptions {
  /**
   * Hosts have different weights, and in round r, from 1 on, a host takes a slot if r times its part of all weights is at
   * least the number of its slots times the largest part, as in the proxy; default: all weigh alike, as in the paper.
   */
  readonly weighted?: boolean;
}

/**
 * A Maglev table: hosts take turns, each takes the next slot of its walk that is free. Two hosts or more.
 *
 * Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, §3.4.
 *
 * @param turns the order in which the hosts of these keys take turns: their indices.
 */
export function fillsItsSlots<Config, Table>(
  subject: ListedTables<Config, Table>,
  walkOf: (key: string, slots: number) => Walk,
  turns: (keys: readonly string[]) => readonly number[],
  { weighted = false, ...options }: FillOptions = {},
): void {
  const { entries } = tableSubject('fillsItsSlots', subject, 'entries');
  demandArguments('fillsItsSlots', ['walkOf', walkOf, FUNCTION], ['turns', turns, FUNCTION]);
  const some = keyedHosts.map((hosts) => hosts.map(({ key, weight }) => ({ key, weight: weighted ? weight : 1 })));
  const many = fc
    .integer({ min: 2, max: 70 })
    .map((count) =>
      Array.from({ length: count }, (_, host) => ({ key: `10.0.0.${host}:80`, weight: weighted ? (host % 7) + 1 : 1 })),
    );
  const examples = fc.oneof({ arbitrary: some, weight: 4 }, { arbitrary: many, weight: 1 });
  const test = (hosts: readonly KeyedHost[], table: Table, { weights }: WeightedHosts): void => {
    if (hosts.length < 2) return;
    const keys = hosts.map(({ key }) => key);
    const slots = Array.from(entries(table), ({ host }) => host);
    filled(keys, weights, turns(keys), (key) => walkOf(key, slots.length), slots.length).forEach((host, slot) => {
      if (slots[slot] !== host)
        fail(`slot ${slot} has host ${slots[slot] ?? -1}, and by its turn host ${host} takes it`);
    });
  };
  searchTables('fills its slots in turns', subject, options, test, { examples, numRuns: 20 });
}

function filled(
  keys: readonly string[],
  weights: Float64Array,
  turns: readonly number[],
  walkOf: (key: string) => Walk,
  size: number,
): readonly number[] {
  const walks = keys.map(walkOf);
  for (const { offset, skip } of walks) {
    if (skip < 1 || offset < 0 || offset >= size || gcd(skip, size) !== 1)
      fail(`a walk from slot ${offset} in steps of ${skip} does not come to each of ${size} slots`);
  }
  const largest = Math.max(...weights);
  const next = keys.map(() => 0);
  const targets = keys.map(() => 0);
  const slots = Array.from({ length: size }, () => -1);
  let left = size;
  for (let round = 1; left > 0; round++) {
    for (const host of turns) {
      if (left === 0 || round * (weights[host] ?? 0) < (targets[host] ?? 0)) continue;
      targets[host] = (targets[host] ?? 0) + largest;
      const { offset = 0, skip = 1 } = walks[host] ?? {};
      let slot = 0;
      do {
        slot = (offset + skip * (next[host] ?? 0)) % size;
        next[host] = (next[host] ?? 0) + 1;
      } while (slots[slot] !== -1);
      slots[slot] = host;
      left--;
    }
  }
  return slots;
}
