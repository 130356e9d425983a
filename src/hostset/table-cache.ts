import type { WeightedHosts } from '../policy/table-policy.js';

/** Where balancers get their tables from. What it gives is equal to what `build` would give. */
export interface TableSource {
  /** @param configuration all of the settings that `build` uses, in one text. */
  get<Table extends object>(configuration: string, hosts: WeightedHosts, build: () => Table): Table;
}

/**
 * Tables that several balancers would build alike: the threads of a proxy, and proxies of one configuration.
 *
 * A table is a pure function of its hosts and its configuration, so that sharing one changes nothing but the time and the
 * memory it takes. Tables that no balancer uses any more are not kept alive.
 */
export class TableCache implements TableSource {
  private readonly tables = new Map<string, WeakRef<object>>();
  private sweepAt = 64;

  get<Table extends object>(configuration: string, hosts: WeightedHosts, build: () => Table): Table {
    const key = `${configuration}\n${hosts.keys.join('\u0000')}\n${hosts.weights.join()}`;
    const known = this.tables.get(key)?.deref();
    // The configuration names the kind of table.
    if (known !== undefined) return known as Table;
    const table = build();
    this.tables.set(key, new WeakRef(table));
    if (this.tables.size >= this.sweepAt) this.sweep();
    return table;
  }

  private sweep(): void {
    for (const [key, table] of this.tables) if (table.deref() === undefined) this.tables.delete(key);
    this.sweepAt = 2 * this.tables.size + 64;
  }
}
