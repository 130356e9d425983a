import type { ProxyVersion } from '../core/version.js';
import type { HashFunction } from '../hash/text-hashes.js';
import type { DecisionTrace } from './decision-trace.js';
import type { PolicyFacts } from './facts.js';
import type { HostIndex } from './list-policy.js';

/** Hosts of one table, in the proxy's order, with their share of it (normalised weights). */
export interface WeightedHosts {
  /** What is hashed for each host: address, hostname or the metadata's `hash_key`. */
  readonly keys: readonly string[];
  /** Normalised weights, parallel to `keys`; they sum to 1, or to less where a weighted locality has no host. */
  readonly weights: Float64Array;
  /** min(1, all weights). */
  readonly minWeight: number;
  /** max(0, all weights). */
  readonly maxWeight: number;
}

/** A policy that owns one table per priority, looked up by hash: ring hash, Maglev. */
export interface TablePolicy<Config, Table> {
  readonly name: string;
  /** Pure: the same hosts and configuration give an equal table. Draws nothing. */
  build(hosts: WeightedHosts, config: Config): Table;
  /**
   * @param attempt 0 for the first try; a retry walks on from the same hash.
   * @param trace called with the place in the table; absent: no trace.
   * @returns index into the hosts the table was built from; -1 if it is empty.
   */
  choose(table: Table, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex;
}

/** A table as reports and gauges show it, whatever its policy. */
export interface PolicyTable {
  /** Entries that were planned; rounding may add one. */
  readonly size: number;
  /** Shape [hosts]: how many entries each host has. */
  readonly entriesPerHost: Uint32Array;
  /** undefined without hosts: the proxy then leaves the gauges as they were. */
  readonly gauges: TableGauges | undefined;
}

export interface TableGauges {
  readonly size: number;
  readonly minPerHost: number;
  readonly maxPerHost: number;
}

/** One entry of a table, for people. */
export interface TableEntry {
  /** Its position: a hash, or the number of a slot. */
  readonly position: string;
  readonly host: HostIndex;
}

/** A table policy of the proxy, as the registry holds it. `Settings` are a cluster's settings of all table policies. */
export interface ProxyTablePolicy<Settings, Config, Table extends PolicyTable>
  extends TablePolicy<Config, Table>, PolicyFacts {
  readonly kind: 'table';
  /** Its own part of the settings. Equal texts of it as JSON build equal tables. */
  configOf(settings: Settings, version: ProxyVersion): Config;
  /** The order in which hosts are listed affects only rounding. */
  ignoresHostOrder(config: Config): boolean;
  /** Under which names its gauges are shown. */
  readonly statNames: Readonly<Partial<Record<keyof TableGauges, string>>>;
  readonly noun: 'ring' | 'table';
  /** The part that one entry owns is random, so that more entries make the shares more even. */
  readonly entriesVary: boolean;
  /** Which function places keys; more than one may be chosen. */
  readonly hashFunctions: readonly HashFunction[];
  hashFunction(config: Config): HashFunction;
  /** Approximate memory of a table. */
  tableBytes(config: Config): number;
  /** The part of all 2⁶⁴ hashes that each host owns, 0–1; all 0 for an empty table. Shape [hosts]. */
  keyShares(table: Table): Float64Array;
  /** In table order. */
  entries(table: Table): Iterable<TableEntry>;
}
