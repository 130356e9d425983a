import type { ProxyVersion } from '../core/version.js';
import { atLeast, isModern } from '../core/version.js';
import type { HostIndex } from '../policy/list-policy.js';
import type { MaglevTable } from '../policy/maglev.js';
import { MaglevBuilder } from '../policy/maglev.js';
import { TABLE_POLICIES } from '../policy/registry.js';
import type { RingTable } from '../policy/ring-hash.js';
import type { WeightedHosts } from '../policy/table-policy.js';
import type { TableDescription } from './describe.js';
import type { MaglevConfig, RingHashConfig } from './lb-config.js';
import type { LbStats } from './load-balancer.js';
import type { TableHosts } from './normalized-weights.js';

/** A table policy with its configuration, and where its gauges go. */
export interface TableKind<Table extends object> {
  /** The policy and all its settings, in one text: equal texts build equal tables. */
  readonly configuration: string;
  build(hosts: WeightedHosts): Table;
  choose(table: Table, hashHi: number, hashLo: number, attempt: number): HostIndex;
  /** Writes the gauges of a table that was just built; one without hosts leaves them as they were. */
  publish(table: Table, stats: LbStats): void;
  /** undefined: nothing that a report could show. */
  describe(table: Table, hosts: TableHosts): TableDescription | undefined;
}

export function ringKind(config: RingHashConfig): TableKind<RingTable> {
  const policy = TABLE_POLICIES.RING_HASH;
  return {
    configuration: `${policy.name} ${config.minimumRingSize} ${config.maximumRingSize} ${config.hashFunction}`,
    build: (hosts) => policy.build(hosts, config),
    choose: (table, hashHi, hashLo, attempt) => policy.choose(table, hashHi, hashLo, attempt),
    publish: ({ gauges }, stats) => {
      if (gauges === undefined) return;
      stats.ringHashSize = gauges.size;
      stats.ringHashMinHashesPerHost = gauges.minHashesPerHost;
      stats.ringHashMaxHashesPerHost = gauges.maxHashesPerHost;
    },
    describe: (table, hosts) => ({ policy: 'RING_HASH', table, ...hosts }),
  };
}

/** Slots of every Maglev table before its size could be configured (1.16). */
const FIXED_TABLE_SIZE = 65537;

export function maglevKind(config: MaglevConfig, version: ProxyVersion): TableKind<MaglevTable> {
  const policy = TABLE_POLICIES.MAGLEV;
  const options = {
    tableSize: atLeast(version, '1.17') ? config.tableSize : FIXED_TABLE_SIZE,
    sortByKey: isModern(version),
    singleHostShortcut: isModern(version),
  };
  const builder = new MaglevBuilder(options);
  return {
    configuration: `${policy.name} ${options.tableSize} ${options.sortByKey} ${options.singleHostShortcut}`,
    build: (hosts) => builder.build(hosts),
    choose: (table, hashHi, hashLo, attempt) => policy.choose(table, hashHi, hashLo, attempt),
    publish: ({ gauges }, stats) => {
      if (gauges === undefined) return;
      stats.maglevMinEntriesPerHost = gauges.minEntriesPerHost;
      stats.maglevMaxEntriesPerHost = gauges.maxEntriesPerHost;
    },
    describe: (table, hosts) => ({ policy: 'MAGLEV', table, ...hosts }),
  };
}
