import type { Hashes } from './request-hashes.js';
import type { TableHosts } from './table-hosts.js';

/** The hash table of one priority. */
export interface HashTable extends TableHosts {
  /**
   * Looks up hashes.
   *
   * @param residues 1 for each hash mod 100 that comes to this table; the other hashes are passed over.
   * @param rows     by hash: written to where there is none yet, -1, and somebody is found.
   */
  readonly find: (hashes: Hashes, residues: Uint8Array, rows: Int32Array) => void;
  /** The one before it: a host that fails and returns makes do with two. */
  readonly earlier: HashTable | undefined;
  /** For a hash that is drawn: the probability, by host, that it is found and that hash mod 100 is one of those that are set. */
  readonly shares: (residues: Uint8Array) => Float64Array;
}

/** How a policy makes a table of its hosts. Nothing is built before it is asked: a table that gets no load never is. */
export interface TableBuilder {
  readonly build: (hosts: TableHosts) => Pick<HashTable, 'find' | 'shares'>;
}
