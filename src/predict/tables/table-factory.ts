import { assert } from '../../core/assert.js';
import { sameItems } from '../../core/lists.js';
import type { LbPolicy, LoadBalancerConfig } from '../../hostset/lb-config.js';
import { type HashTable, KeyNumbers, type TableBuilder, tableHosts, type TableHosts } from './table-hosts.js';
import type { LevelView } from '../level-view.js';
import { maglevTables } from './maglev-tables.js';
import { RingTables } from './ring-tables.js';
import { isProxyPolicy, lbPolicyName, type ProxyPolicy } from '../../policy/registry.js';

const BUILDERS: Readonly<
  Partial<Record<ProxyPolicy, (config: LoadBalancerConfig, keys: readonly string[]) => TableBuilder>>
> = {
  RING_HASH: (config, keys) => {
    const tables = new RingTables(config.ringHash, keys);
    return (hosts) => tables.build(hosts);
  },
  MAGLEV: maglevTables,
};

export function hasTableBuilder(policy: LbPolicy): boolean {
  return builderOf(policy) !== undefined;
}

function builderOf(policy: LbPolicy): (typeof BUILDERS)[ProxyPolicy] {
  return isProxyPolicy(policy) ? BUILDERS[policy] : undefined;
}

/** Makes the tables of one cluster's balancers, one after another. */
export class TableFactory {
  private readonly numbers: KeyNumbers;
  private readonly build: TableBuilder;

  /** @param config of a hash policy. */
  constructor(config: LoadBalancerConfig) {
    this.numbers = new KeyNumbers(config);
    const make = builderOf(config.lbPolicy);
    assert(make !== undefined, `${lbPolicyName(config.lbPolicy)} has no method`);
    this.build = make(config, this.numbers.keys);
  }

  /**
   * The table of a priority.
   *
   * @param before the current table: it is kept if nothing changed for it, or replaced by the one before it if that fits.
   */
  make(level: LevelView, panic: boolean, before: HashTable | undefined): HashTable {
    const hosts = tableHosts(level, panic, this.numbers);
    if (before !== undefined && sameHosts(before, hosts)) return before;
    const last = before && { ...before, earlier: undefined };
    if (before?.earlier !== undefined && sameHosts(before.earlier, hosts)) return { ...before.earlier, earlier: last };
    const table = lazily(() => this.build(hosts));
    return {
      ...hosts,
      earlier: last,
      find: (hashes, residues, rows) => {
        table().find(hashes, residues, rows);
      },
      findAgain: (hashes, attempt) => table().findAgain(hashes, attempt),
      shares: lastAnswer((residues) => table().shares(residues)),
    };
  }
}

function sameHosts(a: TableHosts, b: TableHosts): boolean {
  return sameItems(a.keys, b.keys) && sameItems(a.weights, b.weights) && sameItems(a.rows, b.rows);
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Caches the last result: most tables are called with the same residues again and again. */
function lastAnswer(compute: HashTable['shares']): HashTable['shares'] {
  let asked: Uint8Array | undefined;
  let answer = new Float64Array(0);
  return (residues) => {
    if (asked === undefined || !sameItems(asked, residues)) {
      answer = compute(residues) as Float64Array<ArrayBuffer>;
      asked = residues;
    }
    return answer;
  };
}
