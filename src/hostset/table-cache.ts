import type { WeightedHosts } from '../policy/table-policy.js';

/** A source of tables. Each is equal to what `build` would return. */
export interface TableSource {
  /** @param configuration all of the settings that `build` uses, in one text. */
  get<Table extends object>(configuration: string, hosts: WeightedHosts, build: () => Table): Table;
}

/**
 * Shares tables that several balancers would build equally: the threads of a proxy, and proxies of one configuration.
 *
 * A table is a pure function of its hosts and its configuration, so sharing saves time and memory and changes nothing else.
 * Tables that no balancer uses any more are released.
 */
export class TableCache implements TableSource {
  private readonly tables = new Map<string, WeakRef<object>>();
  private sweepAt = 64;

  get<Table extends object>(configuration: string, hosts: WeightedHosts, build: () => Table): Table {
    const key = `${configuration}\n${hosts.keys.join('\u0000')}\n${hosts.weights.join()}`;
    const known = this.tables.get(key)?.deref();
    // The key includes the configuration.
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
