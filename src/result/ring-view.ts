import type { EmptyTable } from '../hostset/normalized-weights.js';
import type { HashFunction } from '../hash/text-hashes.js';
import type { TableResult } from './run-result.js';

/** One host's part of a table. */
export interface RingHostView {
  readonly address: string;
  readonly entries: number;
  /** Of the table's entries, 0–1. */
  readonly share: number;
  /** Of all hashes, 0–1: the host's part of evenly used keys. On a ring arcs differ in length. */
  readonly key_share: number;
  /** Of the hosts' weights, 0–1: its part in a perfect table. */
  readonly weight_share: number;
}

export interface RingTableView extends Readonly<Omit<TableResult, 'policy'>> {
  readonly priority: number;
  /** Actual number of entries; rounding can add one to a ring. */
  readonly entries: number;
  readonly hosts: readonly RingHostView[];
  /** Why it is empty though there are hosts to choose from; absent: it is not. */
  readonly empty?: EmptyTable;
}

/** The tables of a hashing cluster, in the shape of `lbsim ring --json`. */
export interface RingView {
  readonly cluster: string;
  readonly policy: string;
  readonly hash_function: HashFunction;
  readonly tables: readonly RingTableView[];
}

/** One entry of a ring, or one slot of a Maglev table. */
export interface RingEntryView {
  readonly priority: number;
  /** Decimal hash of a ring's entry, number of a Maglev slot. */
  readonly position: string;
  readonly address: string;
}
