import { sum } from '../../core/lists.js';
import { TWO_32 } from '../../core/u64.js';
import { sortRing } from '../../hash/kernel/ring-kernel.js';
import { planRing, type RingHashConfig } from '../../policy/ring-hash.js';
import { withShares } from '../../policy/weighted-hosts.js';
import type { Hashes } from './request-hashes.js';
import type { TableHosts, TableLookup } from './table-hosts.js';

/** A pool with more than this many times the entries of the last ring drops the others. */
const KEPT_RINGS = 4;

/**
 * Rings of one cluster, one after another.
 *
 * The entries of a host depend on its key and on how many it has, not on the others. So a pool of sorted entries is kept,
 * and a ring is those of the pool whose host is in it.
 */
export class RingTables {
  private pool = EMPTY;

  constructor(
    private readonly config: RingHashConfig,
    private readonly keys: readonly string[],
  ) {}

  build(hosts: TableHosts): TableLookup {
    const { entriesPerHost: counts } = planRing(withShares([], hosts.weights), this.config);
    this.makeRoom(hosts.keys, counts);
    const { entries } = this.pool;
    const rowOfKey = new Int32Array(this.keys.length).fill(-1);
    const hostOfKey = new Int32Array(this.keys.length).fill(-1);
    for (let host = 0; host < hosts.keys.length; host++) {
      const key = hosts.keys[host] as number;
      rowOfKey[key] = hosts.rows[host] as number;
      hostOfKey[key] = host;
    }
    return {
      find: (hashes, residues, rows) => {
        findInRing(entries, rowOfKey, hashes, residues, rows, 0);
      },
      findAgain: (hashes, attempt) => {
        const rows = new Int32Array(hashes.count).fill(-1);
        findInRing(entries, rowOfKey, hashes, EVERY_RESIDUE, rows, attempt);
        return rows;
      },
      shares: (residues) => ringShares(entries, hostOfKey, hosts.keys.length, residues),
    };
  }

  /** Afterwards the pool has these counts of these hosts, and possibly others. */
  private makeRoom(keys: Uint32Array, counts: Uint32Array): void {
    let total = 0;
    for (let host = 0; host < counts.length; host++) total += counts[host] as number;
    const { entries, counts: known } = this.pool.entries.length > 3 * KEPT_RINGS * total ? EMPTY : this.pool;
    const fresh: number[] = [];
    for (let host = 0; host < keys.length; host++) {
      if (known[keys[host] as number] !== counts[host]) fresh.push(host);
    }
    if (fresh.length === 0) return;
    const added = sortRing({
      keys: fresh.map((host) => this.keys[keys[host] as number] ?? ''),
      entries: Uint32Array.from(fresh, (host) => counts[host] as number),
      hashFunction: this.config.hashFunction,
    }).entries;
    for (let at = 2; at < added.length; at += 3) added[at] = keys[fresh[added[at] as number] as number] as number;
    const stays = new Uint8Array(this.keys.length).fill(1);
    const all = new Int32Array(this.keys.length).fill(-1);
    all.set(known);
    for (const host of fresh) {
      stays[keys[host] as number] = 0;
      all[keys[host] as number] = counts[host] as number;
    }
    this.pool = { entries: merged(entries, stays, added), counts: all };
  }
}

const EMPTY: Pool = { entries: new Uint32Array(0), counts: new Int32Array(0) };

interface Pool {
  /** Shape [n, 3], ascending: low half of the hash, high half, number of the key. */
  readonly entries: Uint32Array;
  /** Entries by number of the key; -1: the key is not in the pool. */
  readonly counts: Int32Array;
}

/** Both ascending; equal hashes, as those of hosts with one key are, by number. */
function merged(pool: Uint32Array, stays: Uint8Array, added: Uint32Array): Uint32Array {
  const all = new Uint32Array(pool.length + added.length);
  let end = 0;
  let next = 0;
  const copy = (from: Uint32Array, at: number): void => {
    all[end] = from[at] as number;
    all[end + 1] = from[at + 1] as number;
    all[end + 2] = from[at + 2] as number;
    end += 3;
  };
  for (let at = 0; at < pool.length; at += 3) {
    if (stays[pool[at + 2] as number] === 0) continue;
    for (; next < added.length && !isBehind(added, next, pool, at); next += 3) copy(added, next);
    copy(pool, at);
  }
  for (; next < added.length; next += 3) copy(added, next);
  return all.subarray(0, end);
}

function isBehind(entries: Uint32Array, at: number, others: Uint32Array, other: number): boolean {
  for (const part of [1, 0, 2]) {
    const difference = (entries[at + part] as number) - (others[other + part] as number);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function isBelow(entries: Uint32Array, at: number, hi: number, lo: number): boolean {
  const own = entries[at + 1] as number;
  return own < hi || (own === hi && (entries[at] as number) < lo);
}

/** A hash belongs to the first entry that is not below it; after the last one the circle closes. */
function findInRing(
  entries: Uint32Array,
  rowOfKey: Int32Array,
  { inOrder, halves, residues: residueOf }: Hashes,
  residues: Uint8Array,
  rows: Int32Array,
  further: number,
): void {
  const rowAt = (from: number): number => {
    for (let at = from; at < entries.length; at += 3) {
      const row = rowOfKey[entries[at + 2] as number] as number;
      if (row >= 0) return row;
    }
    return -1;
  };
  const first = rowAt(0);
  let at = 0;
  for (const index of inOrder) {
    if (residues[residueOf[index] as number] === 0 || (rows[index] as number) >= 0) continue;
    const [hi, lo] = [halves[2 * index] as number, halves[2 * index + 1] as number];
    while (
      at < entries.length &&
      ((rowOfKey[entries[at + 2] as number] as number) < 0 || isBelow(entries, at, hi, lo))
    ) {
      at += 3;
    }
    rows[index] = at < entries.length ? (rowOfKey[entries[at + 2] as number] as number) : first;
    if (further > 0 && first >= 0) rows[index] = rowBehind(entries, rowOfKey, at, further);
  }
}

const EVERY_RESIDUE = new Uint8Array(100).fill(1);

/** The row of the entry `further` entries after the one at `at`; entries of hosts outside the ring do not count. */
function rowBehind(entries: Uint32Array, rowOfKey: Int32Array, at: number, further: number): number {
  let place = at < entries.length ? at : 0;
  const rowHere = (): number => rowOfKey[entries[place + 2] as number] as number;
  const next = (): void => {
    do place = place + 3 < entries.length ? place + 3 : 0;
    while (rowHere() < 0);
  };
  if (rowHere() < 0) next();
  for (let step = 0; step < further; step++) next();
  return rowHere();
}

/**
 * An entry owns the hashes after the entry before it up to its own, the first entry also those after the last.
 *
 * Of each arc, the hashes with a given residue mod 100 are a hundredth, to less than one hash: over all arcs that is an
 * error below 2 · entries / 2⁶⁴, under 1e-12 for the largest ring.
 */
function ringShares(entries: Uint32Array, hostOfKey: Int32Array, hosts: number, residues: Uint8Array): Float64Array {
  const shares = new Float64Array(hosts);
  const portion = sum(residues) / 100 / (TWO_32 * TWO_32);
  let first = -1;
  let [firstHi, firstLo] = [0, 0];
  let [hi, lo] = [0, 0];
  for (let at = 0; at < entries.length; at += 3) {
    const host = hostOfKey[entries[at + 2] as number] as number;
    if (host < 0) continue;
    const nextLo = entries[at] as number;
    const nextHi = entries[at + 1] as number;
    if (first < 0) {
      first = host;
      firstHi = nextHi;
      firstLo = nextLo;
    } else {
      shares[host] = (shares[host] as number) + ((nextHi - hi) * TWO_32 + (nextLo - lo)) * portion;
    }
    hi = nextHi;
    lo = nextLo;
  }
  if (first >= 0) {
    const arc = (firstHi - hi + TWO_32) * TWO_32 + (firstLo - lo);
    shares[first] = (shares[first] as number) + arc * portion;
  }
  return shares;
}
