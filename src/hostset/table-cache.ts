import type { Hearing, PolicyTable, TableMemory, TablePolicy, WeightedHosts } from '../policy/policy-kinds.js';
import { type AnyTablePolicy, lbPolicyName } from '../policy/registry.js';
import type { LoadBalancerConfig } from './lb-config.js';

export interface TableKind<Table extends object> {
  /** The policy and all its settings, in one text: equal texts build equal tables. */
  readonly configuration: string;
  build(hosts: WeightedHosts): Table;
  readonly choose: TablePolicy<unknown, Table>['choose'];
  readonly hearing: Hearing<TableMemory>;
  /** undefined: reports and gauges have nothing to show. */
  shown(table: Table): ShownTable | undefined;
}

export interface ShownTable {
  /** @internal */
  readonly policy: AnyTablePolicy;
  readonly table: PolicyTable;
}

export function tableKind(policy: AnyTablePolicy, config: LoadBalancerConfig): TableKind<PolicyTable> {
  const own = policy.configOf(config, config.version);
  return {
    // Modules may call themselves the same; clusters of a run cannot.
    configuration: `${lbPolicyName(config.lbPolicy)} ${JSON.stringify(own)}`,
    build: (hosts) => policy.build(hosts, own),
    choose: (table, hi, lo, attempt, trace, input) => policy.choose(table, hi, lo, attempt, trace, input),
    hearing: policy,
    shown: (table) => ({ policy, table }),
  };
}

/** Threads of a proxy and proxies of one configuration share tables: pure functions of hosts and configuration. Unused ones go. */
export class TableCache {
  private readonly tables = new Map<string, WeakRef<object>>();
  private sweepAt = 64;

  /** @returns a table equal to what `build` would return. @param configuration all settings that it uses, in one text. */
  get<Table extends object>(configuration: string, hosts: WeightedHosts, build: () => Table): Table {
    const key = `${configuration}\n${hosts.keys.join('\u0000')}\n${hosts.weights.join()}`;
    const known = this.tables.get(key)?.deref();
    // The key includes the configuration.
    if (known !== undefined) return known as Table;
    const table = build();
    this.tables.set(key, new WeakRef(table));
    if (this.tables.size < this.sweepAt) return table;
    for (const [old, kept] of this.tables) if (kept.deref() === undefined) this.tables.delete(old);
    this.sweepAt = 2 * this.tables.size + 64;
    return table;
  }
}
