import type { Hashes } from './request-hashes.js';
import type { TableHosts } from './table-hosts.js';

export interface HashTable extends TableHosts {
  /**
   * Looks up hashes.
   *
   * @param residues 1 for each hash mod 100 that reaches this table; the other hashes are skipped.
   * @param rows     by hash: written where it is still -1 and a host is found.
   */
  readonly find: (hashes: Hashes, residues: Uint8Array, rows: Int32Array) => void;
  /** The rows of hashes for which the hosts before were all rejected. @param attempt 1 after the first rejection. */
  readonly findAgain: (hashes: Hashes, attempt: number) => Int32Array;
  /** The table before it, kept so that a host that fails and returns needs no third one. */
  readonly earlier: HashTable | undefined;
  /** For a hash that is drawn: the probability, by host, that it is found and that hash mod 100 is one of those that are set. */
  readonly shares: (residues: Uint8Array) => Float64Array;
}

/** Builds the tables of a policy. They are built on demand: one without load never is. */
export interface TableBuilder {
  readonly build: (hosts: TableHosts) => Pick<HashTable, 'find' | 'findAgain' | 'shares'>;
}
