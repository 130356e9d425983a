import { assert } from '../core/assert.js';
import { isPrime } from '../core/prime.js';
import { fillMaglev } from '../hash/kernel/maglev-kernel.js';
import type { PolicyTable, TableGauges, WeightedHosts } from './table-policy.js';

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

/** @throws AssertionError if the table's size is no prime. */
export function maglevTable(hosts: WeightedHosts, config: MaglevTableConfig): MaglevTable {
  const { tableSize, singleHostShortcut, sortByKey } = config;
  assert(isPrime(tableSize), `a Maglev table needs a prime size, not ${tableSize}`);
  const { keys } = hosts;
  if (keys.length === 0) {
    return { slots: new Uint32Array(0), size: tableSize, entriesPerHost: new Uint32Array(0), gauges: undefined };
  }
  const { slots, entriesPerHost } =
    keys.length === 1 && singleHostShortcut
      ? { slots: new Uint32Array(1), entriesPerHost: Uint32Array.of(1) }
      : fillMaglev({ ...hosts, sortByKey }, tableSize);
  return { slots, size: tableSize, entriesPerHost, gauges: gaugesOf(entriesPerHost, tableSize) };
}

export function gaugesOf(entriesPerHost: Uint32Array, tableSize: number): TableGauges {
  return {
    size: tableSize,
    minPerHost: entriesPerHost.reduce((min, count) => Math.min(min, count), tableSize),
    maxPerHost: entriesPerHost.reduce((max, count) => Math.max(max, count), 0),
  };
}
