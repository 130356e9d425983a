import { assert } from '../core/assert.js';
import { isPrime } from '../core/divisors.js';
import { quirksOf } from '../core/version.js';
import { mod, TWO_32 } from '../core/u64.js';
import { fillMaglev } from '../hash/kernel/maglev-kernel.js';
import { FACTS } from './generated/policy-facts.js';
import type {
  DecisionTrace,
  HostIndex,
  PolicyTable,
  ProxyTablePolicy,
  TableGauges,
  WeightedHosts,
} from './policy-kinds.js';

export interface MaglevConfig {
  /** A prime up to 5000011. */
  readonly tableSize: number;
}

export interface MaglevTableConfig {
  /** Slots: a prime, 65537 by default, 5000011 at most. */
  readonly tableSize: number;
  /** Hosts take turns in the byte order of their keys (since 1.27), not in the order of the list. */
  readonly sortByKey: boolean;
  /** One host alone gets no table, and gauges of 1 (since 1.40). */
  readonly singleHostShortcut: boolean;
}

/** A filled Maglev table. Plain data; never changes. */
export interface MaglevTable extends PolicyTable {
  /** Host index per slot: `slots[hash mod slots.length]` is the chosen host. Empty without hosts. */
  readonly slots: Uint32Array;
}

/** Slots of every table before its size could be configured (1.16). */
const FIXED_TABLE_SIZE = 65537;
const SLOT_BYTES = 4;

/**
 * MAGLEV: each host walks the table along its own permutation, in turns as its weight allows, and takes the first free slot.
 * Example: three hosts, 7 slots. Each prefers the slots in its own order
 *   10.0.0.1:80  begins at 6, steps of 5: 6 4 2 0 5 3 1
 *   10.0.0.2:80  begins at 4, steps of 4: 4 1 5 2 6 3 0
 *   10.0.0.3:80  begins at 3, steps of 6: 3 2 1 0 6 5 4
 * and they take turns, each the first of its slots that is free:
 *   slot  0 1 2 3 4 5 6
 *   host  3 2 1 3 2 1 1
 * Draws: none. Cost: O(M log M) expected to build for M slots, in WebAssembly; O(1) to choose; 4 bytes a slot.
 * Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, §3.4; weights and the
 * order of hosts as the proxy does them.
 */
export const maglev: ProxyTablePolicy<{ readonly maglev: MaglevConfig }, MaglevTableConfig, MaglevTable> = {
  ...FACTS.MAGLEV,

  configOf({ maglev: { tableSize } }, version) {
    const { knowsBalanceSettings, maglevSortsHosts, maglevSparesOneHost } = quirksOf(version);
    return {
      tableSize: knowsBalanceSettings ? tableSize : FIXED_TABLE_SIZE,
      sortByKey: maglevSortsHosts,
      singleHostShortcut: maglevSparesOneHost,
    };
  },

  ignoresHostOrder: (config) => config.sortByKey,
  hashFunction: () => 'XX_HASH',
  tableBytes: (config) => config.tableSize * SLOT_BYTES,

  /** @throws AssertionError if the table's size is no prime: users see it when their configuration is read. */
  build(hosts: WeightedHosts, config: MaglevTableConfig): MaglevTable {
    const { tableSize, singleHostShortcut, sortByKey } = config;
    assert(isPrime(tableSize), `a Maglev table needs a prime size, not ${tableSize}`);
    const { keys } = hosts;
    if (keys.length === 0)
      return { slots: new Uint32Array(0), size: tableSize, entriesPerHost: new Uint32Array(0), gauges: undefined };
    const { slots, entriesPerHost } =
      keys.length === 1 && singleHostShortcut
        ? { slots: new Uint32Array(1), entriesPerHost: Uint32Array.of(1) }
        : fillMaglev({ ...hosts, sortByKey }, tableSize, copied);
    return { slots, size: tableSize, entriesPerHost, gauges: gaugesOf(entriesPerHost, tableSize) };
  },

  choose(table: MaglevTable, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex {
    const { slots } = table;
    if (slots.length === 0) return -1;
    if (attempt === 0) {
      const slot = mod(hashHi, hashLo, slots.length);
      if (trace !== undefined) trace({ kind: 'slot', inputs: { slot, slots: slots.length } });
      return slots[slot] as number;
    }
    // hash ^ (2⁶⁴ − attempt): a retry starts from another hash.
    const hi = (hashHi ^ 0xffffffff) >>> 0;
    const lo = (hashLo ^ (TWO_32 - attempt)) >>> 0;
    return slots[mod(hi, lo, slots.length)] as number;
  },

  /** All slots own equally many hashes. */
  keyShares({ entriesPerHost }) {
    const total = entriesPerHost.reduce((sum, entries) => sum + entries, 0);
    return Float64Array.from(entriesPerHost, (entries) => (total === 0 ? 0 : entries / total));
  },

  *entries({ slots }) {
    for (const [slot, host] of slots.entries()) yield { position: String(slot), host };
  },
};

const copied = (slots: Uint32Array, counts: Uint32Array) => ({ slots: slots.slice(), entriesPerHost: counts.slice() });

const gaugesOf = (entriesPerHost: Uint32Array, tableSize: number): TableGauges => ({
  size: tableSize,
  minPerHost: entriesPerHost.reduce((min, count) => Math.min(min, count), tableSize),
  maxPerHost: entriesPerHost.reduce((max, count) => Math.max(max, count), 0),
});
