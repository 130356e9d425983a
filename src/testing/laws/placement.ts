import fc from 'fast-check';
import { demand as demandArguments, FUNCTION } from '../../core/arguments.js';
import { toDecimal, type U64 } from '../../core/u64.js';
import { demand, type LawOptions } from '../law.js';
import type { ListedTables } from './lookups.js';
import { asWeighted, type KeyedHost, keyedHosts, searchTables, tableSubject } from './tables.js';

/** Laws of the positions of entries, for implementations of the published algorithms, with any hash. */

/** A ring after ketama: the entries of a host are its points 0, 1, 2 and so on. */
export function placesItsPoints<Config, Table>(
  subject: ListedTables<Config, Table>,
  pointOf: (key: string, index: number) => U64,
  options?: LawOptions,
): void {
  const { policy, config, entries, entriesPerHost } = tableSubject(
    'placesItsPoints',
    subject,
    'entriesPerHost',
    'entries',
  );
  demandArguments('placesItsPoints', ['pointOf', pointOf, FUNCTION]);
  searchTables('places the points of its hosts', policy, options, (hosts) => {
    const table = policy.build(asWeighted(hosts), config);
    const seen = hosts.map(() => new Set<string>());
    for (const { position, host } of entries(table)) seen[host]?.add(position);
    hosts.forEach(({ key }, host) => {
      const count = entriesPerHost(table)[host] ?? 0;
      for (let index = 0; index < count; index++) {
        const { hi, lo } = pointOf(key, index);
        demand(seen[host]?.has(toDecimal(hi, lo)) === true, () => {
          return `host ${host} has no entry at ${toDecimal(hi, lo)}, point ${index} of ${JSON.stringify(key)}`;
        });
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
  const { policy, config, entries } = tableSubject('fillsItsSlots', subject, 'entries');
  demandArguments('fillsItsSlots', ['walkOf', walkOf, FUNCTION], ['turns', turns, FUNCTION]);
  const some = keyedHosts.map((hosts) => hosts.map(({ key, weight }) => ({ key, weight: weighted ? weight : 1 })));
  const many = fc
    .integer({ min: 2, max: 70 })
    .map((count) =>
      Array.from({ length: count }, (_, host) => ({ key: `10.0.0.${host}:80`, weight: weighted ? (host % 7) + 1 : 1 })),
    );
  const examples = fc.oneof({ arbitrary: some, weight: 4 }, { arbitrary: many, weight: 1 });
  const test = (hosts: readonly KeyedHost[]): void => {
    if (hosts.length < 2) return;
    const keys = hosts.map(({ key }) => key);
    const own = asWeighted(hosts);
    const table = Array.from(entries(policy.build(own, config)), ({ host }) => host);
    filled(keys, own.weights, turns(keys), (key) => walkOf(key, table.length), table.length).forEach((host, slot) => {
      demand(
        table[slot] === host,
        () => `slot ${slot} has host ${table[slot] ?? -1}, and by its turn host ${host} takes it`,
      );
    });
  };
  searchTables('fills its slots in turns', policy, options, test, { examples, numRuns: 20 });
}

function filled(
  keys: readonly string[],
  weights: Float64Array,
  turns: readonly number[],
  walkOf: (key: string) => Walk,
  size: number,
): readonly number[] {
  const walks = keys.map(walkOf);
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
