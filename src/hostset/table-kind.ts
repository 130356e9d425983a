import type { DecisionTrace } from '../policy/decision-trace.js';
import type { HostIndex } from '../policy/list-policy.js';
import { type AnyTablePolicy, lbPolicyName } from '../policy/registry.js';
import type { PolicyTable, WeightedHosts } from '../policy/table-policy.js';
import type { LoadBalancerConfig } from './lb-config.js';

export interface TableKind<Table extends object> {
  /** The policy and all its settings, in one text: equal texts build equal tables. */
  readonly configuration: string;
  build(hosts: WeightedHosts): Table;
  choose(table: Table, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex;
  /** undefined: reports and gauges have nothing to show. */
  shown(table: Table): ShownTable | undefined;
}

export interface ShownTable {
  readonly policy: AnyTablePolicy;
  readonly table: PolicyTable;
}

export function tableKind(policy: AnyTablePolicy, config: LoadBalancerConfig): TableKind<PolicyTable> {
  const own = policy.configOf(config, config.version);
  return {
    // Modules may call themselves the same; clusters of a run cannot.
    configuration: `${lbPolicyName(config.lbPolicy)} ${JSON.stringify(own)}`,
    build: (hosts) => policy.build(hosts, own),
    choose: (table, hashHi, hashLo, attempt, trace) => policy.choose(table, hashHi, hashLo, attempt, trace),
    shown: (table) => ({ policy, table }),
  };
}
