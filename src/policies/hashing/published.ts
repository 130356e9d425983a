import { compareBytes } from '../../core/byte-order.js';
import { TWO_32 } from '../../core/u64.js';
import type { HostIndex, WeightedHosts } from '../../policy/policy-kinds.js';

/**
 * A published algorithm of consistent hashing, as a module of a policy: a file that exports one as its default may be named as
 * `lb_policy`. What its tables keep is its own affair.
 */
export interface PublishedHashing {
  readonly name: string;
  readonly kind: 'table';
  readonly source: string;
  readonly usesWeights?: boolean;
  /** Pure. */
  build(hosts: WeightedHosts): object;
  /** @returns index into the hosts of the table; -1: there are none. @param attempt 0; a retry passes 1, 2 … */
  choose(table: object, hashHi: number, hashLo: number, attempt: number): HostIndex;
}

/** It remembers who has left. */
export interface LeavingHashing extends PublishedHashing {
  /** The table after the loss of a host; the others keep their indices. Pure. */
  without(table: object, host: HostIndex): object;
}

/** 32 bits that depend on every bit of a hash and on a number: the finalizer of MurmurHash3, twice. */
export const mixed = (hi: number, lo: number, salt: number): number =>
  finalized(finalized(lo ^ Math.imul(salt, 0x9e3779b1)) ^ hi) >>> 0;

function finalized(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** A number of 0 … n − 1, by a hash and a salt. */
export const below = (n: number, hi: number, lo: number, salt: number): number =>
  Math.floor((mixed(hi, lo, salt) / TWO_32) * n);

/** Hosts in the order of their keys, so that no list's order counts: algorithms of numbered buckets know only places in it. */
export const byKey = (keys: readonly string[]): Uint32Array =>
  Uint32Array.from(keys.keys()).sort((a, b) => compareBytes(keys[a] ?? '', keys[b] ?? ''));

/** A further attempt has another hash. */
export const again = (hi: number, lo: number, attempt: number): number =>
  attempt === 0 ? lo : mixed(hi, lo, -attempt);
