import type { HostIndex } from './list-policy.js';

/** Hosts of one table, in the proxy's order, with their share of it (`design`: normalised weights). */
export interface WeightedHosts {
  /** What is hashed for each host: address, hostname or the metadata's `hash_key`. */
  readonly keys: readonly string[];
  /** Normalised weights, parallel to `keys`; they sum to 1, or to less where a weighted locality has nobody. */
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
   * @returns index into the hosts the table was built from; -1 if it is empty.
   */
  choose(table: Table, hashHi: number, hashLo: number, attempt: number): HostIndex;
}
